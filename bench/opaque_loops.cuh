// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"

#include <memory>

// Loops that stay conditional nodes, around a kernel that the library knows nothing of or a single_task that writes memory: what the passes
// save that are left.
namespace opaque_loops {

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
inline constexpr struct passes : scalar<passes, int> {
} passes;
inline constexpr struct total : scalar<total, int> {
} total;
inline constexpr struct half : scalar<half, int> {
} half;
inline constexpr struct limit : value<limit, int> {
} limit;
inline constexpr struct threshold : value<threshold, int> {
} threshold;

constexpr int iterations = 5'000, repetitions = 7, blocks = 132, threads = 256;

struct bump {
    COGRAPH_HD void operator()(index_t, int& value) const { ++value; }
};
static __global__ void touch(int* all) {
    if (threadIdx.x == 0) ++all[blockIdx.x * blockDim.x];
}
static __global__ void bump_kernel(int* all, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) ++all[i];
}
static __global__ void count_and_choose(int* passes, int limit, int threshold, cudaGraphConditionalHandle again,
                                        cudaGraphConditionalHandle taken) {
    const int done = ++*passes;
    cudaGraphSetConditional(again, done < limit);
    cudaGraphSetConditional(taken, done <= threshold);
}
static __global__ void count_and_test(int* passes, int limit, cudaGraphConditionalHandle again) {
    cudaGraphSetConditional(again, ++*passes < limit);
}
static __global__ void choose(const int* passes, int threshold, cudaGraphConditionalHandle taken) {
    cudaGraphSetConditional(taken, *passes > threshold);
}
static __global__ void choose_both(const int* passes, int threshold, cudaGraphConditionalHandle first,
                                   cudaGraphConditionalHandle second) {
    cudaGraphSetConditional(first, *passes > threshold);
    cudaGraphSetConditional(second, *passes > threshold + 1);
}
static __global__ void predicated_bump(int* all, int n, const int* passes, int threshold) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (*passes <= threshold && i < n) ++all[i];
}
static __global__ void sum_and_test(const int* all, int n, int* partials, unsigned* ticket, int* total, int* half, int* passes, int limit,
                                    cudaGraphConditionalHandle again) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    lowering::reduce_grid(i < n ? all[i] : 0, partials, ticket, cograph::plus{}, [&](int sum) {
        *total = sum;
        *half = sum / 2;
        cudaGraphSetConditional(again, ++*passes < limit && *half >= 0);
    });
}

constexpr auto opaque = kernel<touch>(grid(blocks).block(threads))(inout(x));
constexpr auto count_pass = assign(passes, passes + 1);
template <class V>
constexpr auto bump_all(V v) {
    return for_each(over(v), bump{})(inout(v[each]));
}
constexpr auto one_kernel = loop_while(passes < limit, seq(opaque, count_pass));
constexpr auto branching = loop_while(passes < limit, seq(opaque, count_pass, when(passes <= threshold, bump_all(y))));
constexpr auto three_nodes =
    loop_while(passes < limit, seq(opaque, count_pass, when(passes <= threshold, seq(bump_all(y), bump_all(y)), otherwise(bump_all(y)))));
constexpr auto choosing = loop_while(passes < limit, seq(opaque, count_pass, switch_on(passes % 4, bump_all(y), bump_all(y), bump_all(y), bump_all(y))));
constexpr auto summing =
    loop_while(passes < limit && half >= 0, seq(opaque, reduce(out(total), in(x)), assign(half, total / 2), count_pass));
constexpr auto two_branches = loop_while(
    passes < limit, seq(opaque, count_pass, when(passes > threshold, kernel<touch>(grid(1).block(threads))(inout(y))),
                        when(passes > threshold + 1, kernel<touch>(grid(1).block(threads))(inout(x)))));

struct note {
    COGRAPH_HD void operator()(int* log) const { ++log[0]; }
};
constexpr auto noting = loop_while(passes < limit, seq(single_task(note{})(inout(x)), count_pass));
constexpr auto noting_beside = loop_while(passes < limit, seq(bump_all(y), single_task(note{})(inout(x)), count_pass));
static __global__ void note_and_test(int* log, int* all, int n, int* passes, int limit, cudaGraphConditionalHandle again) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) ++all[i];
    if (i != 0) return;
    ++log[0];
    cudaGraphSetConditional(again, ++*passes < limit);
}

// Four nodes over the same elements, and the same by hand.
struct add {
    COGRAPH_HD void operator()(index_t, const int& from, int& to) const { to += from; }
};
static __global__ void four_at_once(int* a, int* b, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const int first = a[i] + 1, second = b[i] + first + 1;
    b[i] = second;
    a[i] = first + second;
}
constexpr auto four = loop_while(passes < limit, seq(opaque, count_pass, for_each(over(y), bump{})(inout(y[each])),
                                                     for_each(over(y), add{})(in(y[each]), inout(z[each])),
                                                     for_each(over(y), bump{})(inout(z[each])),
                                                     for_each(over(y), add{})(in(z[each]), inout(y[each]))));

class loops {
    auto branch(int up_to) {
        return [this, up_to](auto& graph, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto taken = graph.condition(0, 0);
            const auto first = add_kernel(body, {}, touch, grid, xs.data);
            const auto counted = add_kernel(body, first, count_and_choose, {1, 1}, passed.data, iterations, up_to, h, taken);
            const auto then = add_conditional(body, counted, taken, cudaGraphCondTypeIf);
            add_kernel(then.body, {}, bump_kernel, grid, ys.data, n);
        };
    }

public:
    explicit loops(const bench::gpu& on) : g(on) {}

    void measure() {
        while_by_hand bare([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto first = add_kernel(body, {}, touch, grid, xs.data);
            add_kernel(body, first, count_and_test, {1, 1}, passed.data, iterations, h);
        });
        const costs without = compare(one_kernel, bare);
        lowering::row("a kernel and a counter", without);
        for (const int up_to : {0, iterations}) {
            const char* const how = up_to ? ", taken, adds" : ", not taken, adds";
            while_by_hand hand(branch(up_to));
            lowering::row(std::string("a branch of a node around a kernel") + how, compare(branching, hand, y(ys.data, n), threshold(up_to)) - without);
            while_by_hand predicated([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
                const auto first = add_kernel(body, {}, touch, grid, xs.data);
                const auto counted = add_kernel(body, first, count_and_test, {1, 1}, passed.data, iterations, h);
                add_kernel(body, counted, predicated_bump, grid, ys.data, n, passed.data, up_to);
            });
            lowering::row("  information: a predicated kernel by hand", {time_of(predicated) - without.by_hand, none, none});
            lowering::row(std::string("a branch of two nodes or one") + how, lowered_only(three_nodes, y(ys.data, n), threshold(up_to)) - without);
        }
        lowering::row("a switch of four nodes adds", lowered_only(choosing, y(ys.data, n)) - without);
        lowering::row("two branches of kernels, neither taken, add",
                      lowered_only(two_branches, y(ys.data, n), threshold(iterations)) - without);
        lowering::row("  information: by hand, a kernel for each condition", {time_of(*two_conditions(false)) - without.by_hand, none, none});
        lowering::row("  information: by hand, one kernel for both", {time_of(*two_conditions(true)) - without.by_hand, none, none});
        while_by_hand sums([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto first = add_kernel(body, {}, touch, grid, xs.data);
            add_kernel(body, first, sum_and_test, grid, xs.data, n, partials.data, ticket.data, sum.data, halved.data, passed.data, iterations, h);
        });
        lowering::row("a kernel, a sum, two counters, a test", compare(summing, sums, total(sum.data), half(halved.data)));
        const auto notes = [&](int elements) {
            return while_by_hand([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
                add_kernel(body, {}, note_and_test, elements ? grid : by_hand::shape{1, 1}, xs.data, ys.data, elements, passed.data, iterations, h);
            });
        };
        while_by_hand alone = notes(0), beside = notes(n);
        lowering::row("a single_task that writes memory, and a counter", compare(noting, alone));
        lowering::row("the same and a node over 33 792 elements", compare(noting_beside, beside, y(ys.data, n)));
        for (const int size : {n, 1 << 24}) {
            bench::device_array<int> first(static_cast<std::size_t>(size)), second(static_cast<std::size_t>(size));
            while_by_hand hand([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
                const auto touched = add_kernel(body, {}, touch, grid, xs.data);
                add_kernel(body, touched, count_and_test, {1, 1}, passed.data, iterations, h);
                add_kernel(body, {}, four_at_once, {static_cast<unsigned>((size + threads - 1) / threads), threads}, first.data, second.data, size);
            });
            lowering::row(size == n ? "four nodes over the same elements add" : "four nodes over 2^24 elements add",
                          compare(four, hand, y(first.data, size), z(second.data, size)) - without);
        }
        for (const int large : {1 << 20, 1 << 24}) {
            bench::device_array<int> many(static_cast<std::size_t>(large));
            for (const int up_to : {0, iterations})
                lowering::row("a branch over 2^" + std::string(large == 1 << 20 ? "20" : "24") + (up_to ? ", taken, adds" : ", not taken, adds"),
                              lowered_only(branching, y(many.data, large), threshold(up_to)) - without);
        }
    }

private:
    // Two branches that are not taken, decided by one kernel or two.
    std::unique_ptr<while_by_hand> two_conditions(bool together) {
        return std::make_unique<while_by_hand>([&](auto& graph, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto a = graph.condition(0, 0), b = graph.condition(0, 0);
            const auto first = add_kernel(body, {}, touch, grid, xs.data);
            const auto counted = add_kernel(body, first, count_and_test, {1, 1}, passed.data, iterations, h);
            const auto branch_of = [&](cudaGraphNode_t after, cudaGraphConditionalHandle taken, int* all) {
                add_kernel(add_conditional(body, after, taken, cudaGraphCondTypeIf).body, {}, touch, {1, threads}, all);
            };
            if (together) {
                const auto chosen = add_kernel(body, counted, choose_both, {1, 1}, passed.data, iterations, a, b);
                branch_of(chosen, a, ys.data);
                branch_of(chosen, b, xs.data);
            } else {
                branch_of(add_kernel(body, counted, choose, {1, 1}, passed.data, iterations, a), a, ys.data);
                branch_of(add_kernel(body, counted, choose, {1, 1}, passed.data, iterations + 1, b), b, xs.data);
            }
        });
    }

    template <class Launch>
    double time(Launch launch) {
        for (auto* memory : {&xs, &passed, &halved}) memory->zero();
        const double cost = lowering::duration(g, launch) / iterations;
        bench::expect(passed.first() == iterations && xs.first() >= iterations, "number of iterations");
        return cost;
    }
    double time_of(while_by_hand& hand) {
        return lowering::medians(repetitions, [&] { return time([&] { hand.launch(g.stream); }); })[0];
    }
    template <class E, class... B>
    costs compare(const E& e, while_by_hand& hand, B... bindings) {
        auto plain = instantiate(as_nodes(e), x(xs.data, n), passes(passed.data), limit(iterations), bindings...);
        auto lowered = instantiate(e, x(xs.data, n), passes(passed.data), limit(iterations), bindings...);
        const auto run = [&](auto& graph) { return time([&] { graph.launch(g.stream); }); };
        return lowering::compare(repetitions, run, hand, plain, lowered);
    }
    template <class E, class... B>
    costs lowered_only(const E& e, B... bindings) {
        auto plain = instantiate(as_nodes(e), x(xs.data, n), passes(passed.data), limit(iterations), bindings...);
        auto lowered = instantiate(e, x(xs.data, n), passes(passed.data), limit(iterations), bindings...);
        const auto run = [&](auto& graph) { return time([&] { graph.launch(g.stream); }); };
        const auto cost = lowering::medians(repetitions, [&] { return run(plain); }, [&] { return run(lowered); });
        return {none, cost[0], cost[1]};
    }

    const bench::gpu& g;
    static constexpr int n = blocks * threads;
    by_hand::shape grid{blocks, threads};
    bench::device_array<int> xs{n}, ys{n}, partials{256}, passed{1}, sum{1}, halved{1};
    bench::device_array<unsigned> ticket{1};
};

inline void measure(const bench::gpu& g) { loops(g).measure(); }

}  // namespace opaque_loops
