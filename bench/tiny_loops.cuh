// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"

// Loops whose bodies do next to nothing: what control flow costs.
namespace tiny {

using by_hand::add_conditional;
using by_hand::add_kernel;
using lowering::costs;
using lowering::none;
using lowering::while_by_hand;
using namespace cograph;

inline constexpr struct x : buffer<x, int> {
} x;
inline constexpr struct y : buffer<y, int> {
} y;
inline constexpr struct z : buffer<z, int> {
} z;
inline constexpr struct w : buffer<w, int> {
} w;
inline constexpr struct passes : scalar<passes, int> {
} passes;
inline constexpr struct total : scalar<total, int> {
} total;
inline constexpr struct limit : value<limit, int> {
} limit;
inline constexpr struct threshold : value<threshold, int> {
} threshold;

constexpr int iterations = 5'000, inner_iterations = 10, repetitions = 7;
constexpr int whole_grid = 132 * 256, one_cluster = 8 * 1024, one_block = 1024;

struct bump {
    COGRAPH_HD void operator()(index_t, int& value) const { ++value; }
};
// A neighbour's value and one more, so that every pass needs all of the pass before.
struct shift {
    COGRAPH_HD void operator()(index_t i, const int* from, int& to, int n) const {
        const int next = static_cast<int>(i) + 1;
        to = from[next == n ? 0 : next] + 1;
    }
};

__device__ inline int thread_number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

static __global__ void count_kernel(int* passes) {
    if (thread_number() == 0) ++*passes;
}

constexpr auto count_pass = assign(passes, passes + 1);
template <class V>
constexpr auto bump_all(V v) {
    return for_each(over(v), bump{})(inout(v[each]));
}
template <class From, class To>
constexpr auto shift_all(From from, To to) {
    return for_each(over(from), shift{})(in(from), out(to[each]), extent(from));
}

constexpr auto one_node = loop_while(passes < limit, seq(bump_all(x), count_pass));
constexpr auto reduction = loop_while(total < limit, seq(bump_all(x), reduce(out(total), in(x))));
constexpr auto ping_pong =
    loop_while(passes < limit, seq(shift_all(x, y), shift_all(y, x), assign(passes, passes + 2)));
constexpr auto chain = loop_while(
    passes < limit, seq(shift_all(x, y), shift_all(y, z), shift_all(z, w), shift_all(w, x), count_pass));
constexpr auto branching =
    loop_while(passes < limit, seq(bump_all(x), when(passes < threshold, bump_all(y)), count_pass));
constexpr auto reading_branch =
    loop_while(passes < limit, seq(bump_all(x), when(passes < threshold, shift_all(x, y)), count_pass));
constexpr auto nested =
    loop_while(passes < limit, do_while(seq(bump_all(x), count_pass), passes % inner_iterations != 0));
constexpr auto nested_reduction = loop_while(
    passes < limit,
    do_while(seq(bump_all(x), reduce(out(total), in(x)), count_pass), passes % inner_iterations != 0));
constexpr auto opaque = loop_while(passes < limit, kernel<count_kernel>(grid(132).block(256))(inout(passes)));

// By hand, every kernel tests for itself what can be tested there.

struct counter {
    int* passes;
    int limit;
    cudaGraphConditionalHandle again;

    __device__ int pass(int by = 1) const {
        const int done = *passes + by;
        *passes = done;
        cudaGraphSetConditional(again, done < limit);
        return done;
    }
};

static __global__ void bump_kernel(int* all, int n) {
    const int i = thread_number();
    if (i < n) ++all[i];
}
static __global__ void bump_and_test(int* all, int n, counter c) {
    const int i = thread_number();
    if (i < n) ++all[i];
    if (i == 0) c.pass();
}
static __global__ void shift_kernel(const int* from, int* to, int n) {
    const int i = thread_number();
    if (i < n) shift{}(i, from, to[i], n);
}
static __global__ void shift_and_test(const int* from, int* to, int n, counter c, int by) {
    const int i = thread_number();
    if (i < n) shift{}(i, from, to[i], n);
    if (i == 0) c.pass(by);
}
static __global__ void sum_and_test(int* all, int n, int* partials, unsigned* ticket, int* total, counter c,
                                    int inner, cudaGraphConditionalHandle inside) {
    const int i = thread_number();
    const int value = i < n ? ++all[i] : 0;
    lowering::reduce_grid(value, partials, ticket, cograph::plus{}, [&](int sum) {
        *total = sum;
        const int done = c.pass();
        if (inner > 0) cudaGraphSetConditional(inside, done % inner != 0);
    });
}
static __global__ void bump_and_choose(int* all, int n, counter c, int threshold,
                                       cudaGraphConditionalHandle taken) {
    const int i = thread_number();
    if (i < n) ++all[i];
    if (i == 0) cudaGraphSetConditional(taken, c.pass() <= threshold);
}
static __global__ void predicated_bump(int* all, int n, const int* passes, int threshold) {
    const int i = thread_number();
    if (*passes <= threshold && i < n) ++all[i];
}
static __global__ void bump_inside(int* all, int n, counter c, int inner, cudaGraphConditionalHandle inside) {
    const int i = thread_number();
    if (i < n) ++all[i];
    if (i == 0) cudaGraphSetConditional(inside, c.pass() % inner != 0);
}
static __global__ void arm(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, 1); }
static __global__ void test_kernel(counter c) { c.pass(0); }

// One of several copies of a body in a WHILE: does nothing once the loop has ended.
struct alive_counter {
    int passes, ended;
    unsigned ticket;
};
static __global__ void bump_if_alive(int* all, int n, alive_counter* c, int limit, bool last_copy,
                                     cudaGraphConditionalHandle again) {
    if (*static_cast<volatile int*>(&c->ended)) return;
    const int i = thread_number();
    if (i < n) ++all[i];
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    is_last = atomicInc(&c->ticket, gridDim.x - 1) == gridDim.x - 1;
    if (!is_last) return;
    const int done = ++c->passes;
    if (done >= limit) c->ended = 1;
    if (last_copy || done >= limit) cudaGraphSetConditional(again, done < limit);
}

static __global__ void __launch_bounds__(256) barrier_loop(unsigned* arrived, int* passes, int limit) {
    lowering::grid_barrier all{arrived};
    for (int i = 0; i < limit; ++i) {
        if (blockIdx.x == 0 && threadIdx.x == 0) ++*passes;
        all.wait();
    }
}

class loops {
    counter counter_of(cudaGraphConditionalHandle h) { return {passed.data, iterations, h}; }

    auto branch(int up_to) {
        return [this, up_to](auto& graph, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto taken = graph.condition(0, 0);
            const auto first =
                add_kernel(body, {}, bump_and_choose, grid, xs.data, n, counter_of(h), up_to, taken);
            const auto then = add_conditional(body, first, taken, cudaGraphCondTypeIf);
            add_kernel(then.body, {}, bump_kernel, grid, ys.data, n);
        };
    }

    template <class Add>
    auto inside(Add add) {
        return [this, add](auto& graph, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto again = graph.condition(1);
            const auto armed = add_kernel(body, {}, arm, {1, 1}, again);
            const auto inner = add_conditional(body, armed, again, cudaGraphCondTypeWhile);
            add(inner.body, counter_of(h), again);
        };
    }

public:
    loops(const bench::gpu& on, int elements)
        : g(on), n(elements), grid{static_cast<unsigned>((n + 255) / 256), 256} {}

    // The cheapest loop, whose passes need nothing of each other, and one that needs a barrier over all of
    // it.
    void measure_one_node(const std::string& where, double target, double target_of_reduction = none) {
        while_by_hand bumps([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            add_kernel(body, {}, bump_and_test, grid, xs.data, n, counter_of(h));
        });
        lowering::row("one node, " + where, measure_bumps(one_node, bumps), target);
        while_by_hand sums([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            add_kernel(body, {}, sum_and_test, grid, xs.data, n, partials.data, ticket.data, sum.data,
                       counter_of(h), 0, h);
        });
        lowering::row("one node + sum that decides, " + where,
                      measure(reduction, sums, x(xs.data, n), total(sum.data), limit(iterations * n)),
                      target_of_reduction);
    }

    void measure_unrolled() {
        constexpr int copies = 8;
        bench::device_array<alive_counter> alive(1);
        while_by_hand hand([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            by_hand::nodes after;
            cudaGraphNode_t last;
            for (int i = 0; i < copies; ++i) {
                last = add_kernel(body, after, bump_if_alive, grid, xs.data, n, alive.data, iterations,
                                  i == copies - 1, h);
                after = last;
            }
        });
        const auto run = [&] {
            alive.zero();
            return time([&] { hand.launch(g.stream); }, [&] { return xs.first(); });
        };
        lowering::row("  information: 8 predicated kernels an iteration by hand",
                      {lowering::medians(repetitions, run)[0], none, none});
    }

    // Returns what a barrier takes.
    double measure_barrier() {
        const auto run = [&] {
            bench::check(cudaMemsetAsync(ticket.data, 0, sizeof(unsigned), g.stream));
            int limit_ = iterations;
            void* arguments[] = {&ticket.data, &passed.data, &limit_};
            return time([&] {
                bench::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(barrier_loop),
                                                         grid.grid, grid.block, arguments, 0, g.stream));
            });
        };
        const double cost = lowering::medians(repetitions, run)[0];
        ticket.zero();
        lowering::row("  information: a barrier in a persistent kernel by hand", {cost, none, none});
        return cost;
    }

    void measure_neighbours(double barrier) {
        while_by_hand hand([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto first = add_kernel(body, {}, shift_kernel, grid, xs.data, ys.data, n);
            add_kernel(body, first, shift_and_test, grid, ys.data, xs.data, n, counter_of(h), 2);
        });
        lowering::row("one node that reads neighbours, whole grid",
                      measure_bumps(ping_pong, hand, y(ys.data, n)), 1.1 * barrier);
        while_by_hand four([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto first = add_kernel(body, {}, shift_kernel, grid, xs.data, ys.data, n);
            const auto second = add_kernel(body, first, shift_kernel, grid, ys.data, zs.data, n);
            const auto third = add_kernel(body, second, shift_kernel, grid, zs.data, ws.data, n);
            add_kernel(body, third, shift_and_test, grid, ws.data, xs.data, n, counter_of(h), 1);
        });
        lowering::row("four nodes in a chain, whole grid",
                      measure_bumps(chain, four, y(ys.data, n), z(zs.data, n), w(ws.data, n)),
                      4 * 1.1 * barrier);
    }

    // What a branch adds to a loop.
    void measure_branches(const std::string& where, double target_not_taken, double target_taken) {
        while_by_hand bumps([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            add_kernel(body, {}, bump_and_test, grid, xs.data, n, counter_of(h));
        });
        while_by_hand skipped(branch(0)), taken(branch(iterations));
        const costs without = measure_bumps(one_node, bumps);
        const auto with = [&](int up_to, while_by_hand& hand) {
            return measure_bumps(branching, hand, y(ys.data, n), threshold(up_to)) - without;
        };
        lowering::row("a branch not taken adds, " + where, with(0, skipped), target_not_taken);
        lowering::row("a branch taken adds, " + where, with(iterations, taken), target_taken);

        while_by_hand predicated([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto first = add_kernel(body, {}, bump_and_test, grid, xs.data, n, counter_of(h));
            add_kernel(body, first, predicated_bump, grid, ys.data, n, passed.data, iterations);
        });
        const costs reading = measure_bumps(reading_branch, skipped, y(ys.data, n), threshold(0)) - without;
        lowering::row("  information: a predicated kernel instead, by hand",
                      {time_of(predicated) - without.by_hand, none, none});
        lowering::row("  information: not taken, its node reads neighbours",
                      {none, reading.as_nodes, reading.lowered});
    }

    void measure_nested(double target, double target_of_reduction) {
        while_by_hand hand(inside([&](cudaGraph_t body, counter c, cudaGraphConditionalHandle again) {
            add_kernel(body, {}, bump_inside, grid, xs.data, n, c, inner_iterations, again);
        }));
        lowering::row("nested, inner trip count 10, whole grid", measure_bumps(nested, hand), target);
        while_by_hand sums(inside([&](cudaGraph_t body, counter c, cudaGraphConditionalHandle again) {
            add_kernel(body, {}, sum_and_test, grid, xs.data, n, partials.data, ticket.data, sum.data, c,
                       inner_iterations, again);
        }));
        lowering::row("nested, inner trip count 10, with a sum",
                      measure_bumps(nested_reduction, sums, total(sum.data)), target_of_reduction);
    }

    // A node that the library knows nothing of: by hand too, the predicate has a kernel of its own.
    void measure_opaque(double of_by_hand) {
        while_by_hand hand([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto counted = add_kernel(body, {}, count_kernel, grid, passed.data);
            add_kernel(body, counted, test_kernel, {1, 1}, counter_of(h));
        });
        const costs cost = measure(opaque, hand, passes(passed.data), limit(iterations));
        lowering::row("an opaque kernel, whole grid", cost, of_by_hand * cost.by_hand);
    }

private:
    // Microseconds a pass of what `launch` runs; `seen` gives the number of passes that were made.
    template <class Launch, class Seen>
    double time(Launch launch, Seen seen) {
        for (auto* memory : {&xs, &passed, &sum}) memory->zero();
        const double cost = lowering::duration(g, launch) / iterations;
        bench::expect(seen() == iterations, "number of iterations");
        return cost;
    }
    template <class Launch>
    double time(Launch launch) {
        return time(launch, [&] { return std::max(passed.first(), sum.first() / n); });
    }
    double time_of(while_by_hand& hand) {
        return lowering::medians(repetitions, [&] { return time([&] { hand.launch(g.stream); }); })[0];
    }

    template <class E, class... B>
    costs measure(const E& e, while_by_hand& hand, B... bindings) {
        auto plain = instantiate(as_nodes(e), bindings...);
        auto lowered = instantiate(e, bindings...);
        const auto run = [&](auto& graph) { return time([&] { graph.launch(g.stream); }); };
        return lowering::compare(repetitions, run, hand, plain, lowered);
    }
    template <class E, class... B>
    costs measure_bumps(const E& e, while_by_hand& hand, B... more) {
        return measure(e, hand, x(xs.data, n), passes(passed.data), limit(iterations), more...);
    }

    const bench::gpu& g;
    int n;
    by_hand::shape grid;
    bench::device_array<int> xs{static_cast<std::size_t>(n)}, ys{static_cast<std::size_t>(n)},
        zs{static_cast<std::size_t>(n)}, ws{static_cast<std::size_t>(n)}, partials{256}, passed{1}, sum{1};
    bench::device_array<unsigned> ticket{1};
};

// All rows; gives the cost of a barrier.
inline void measure(const bench::gpu& g) {
    loops whole(g, whole_grid), cluster(g, one_cluster), block(g, one_block);
    whole.measure_one_node("whole grid", 1.0, 1.0);
    whole.measure_unrolled();
    cluster.measure_one_node("one cluster", 0.5, 0.5);
    block.measure_one_node("one block", 0.3, 0.3);
    const double barrier = whole.measure_barrier();
    whole.measure_neighbours(barrier);
    whole.measure_branches("whole grid", 0.1, 1.1);
    cluster.measure_branches("one cluster", 0.1, 0.5);
    block.measure_branches("one block", 0.1, 0.5);
    whole.measure_nested(1.2, 1.2);
    whole.measure_opaque(1.02);
}

}  // namespace tiny
