// SPDX-License-Identifier: Apache-2.0
// What one iteration of a device-side loop costs.
#include "bench.cuh"

#include <cograph/decided_by.cuh>

#include <list>
#include <string>
#include <vector>

namespace {

using by_hand::add_conditional;
using by_hand::add_kernel;
using by_hand::shape;

__global__ void work(int* c) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *c += 1;
}
__global__ void nop(int*) {}

// What the one who writes by hand adds.
__global__ void set_if_less(cudaGraphConditionalHandle h, const int* c, int limit) {
    cudaGraphSetConditional(h, *c < limit);
}
__global__ void set_if_not_multiple(cudaGraphConditionalHandle h, const int* c, int of) {
    cudaGraphSetConditional(h, *c % of != 0);
}
__global__ void set(cudaGraphConditionalHandle h, unsigned value) {
    cudaGraphSetConditional(h, value);
}
__global__ void work_and_set(cudaGraphConditionalHandle h, int* c, int limit) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        const int v = *c + 1;
        *c = v;
        cudaGraphSetConditional(h, v < limit);
    }
}

inline constexpr struct count : cograph::scalar<count, int> {} count;
inline constexpr struct limit : cograph::value<limit, int> {} limit;
inline constexpr struct sum : cograph::scalar<sum, int> {} sum;
inline constexpr struct x : cograph::buffer<x, int> {} x;

struct is_negative {
    COGRAPH_HD bool operator()(int element) const { return element < 0; }
};

constexpr int iterations = 10'000, inner_iterations = 10;
constexpr shape small{1, 32}, whole{132, 256};
constexpr shape one{1, 1};

template <auto Kernel>
constexpr auto node(unsigned grid, unsigned block) {
    return cograph::kernel<Kernel>(cograph::grid(grid).block(block))(count);
}

constexpr auto loop_decided(unsigned grid, unsigned block) {
    return cograph::do_while(node<nop>(grid, block), cograph::decided_by<work_and_set>(cograph::grid(grid).block(block))(cograph::conditional_handle, count, limit));
}
constexpr auto loop_over(auto body) {
    return cograph::loop_while(count < limit, body);
}

// A graph by hand that is one WHILE; `fill(graph, body, outer handle)` adds its nodes.
template <class Fill>
void build(by_hand::graph& g, Fill fill) {
    const auto handle = g.condition(1);
    const auto loop = add_conditional(g.handle, {}, handle, cudaGraphCondTypeWhile);
    fill(g, loop.body, handle);
    g.instantiate();
}

struct bench_loop {
    const bench::gpu& g;
    bench::device_array<int> counter{1};

    // Microseconds an iteration.
    template <class Launch>
    double time(Launch launch) {
        counter.zero();
        const double begin = bench::now();
        launch();
        g.wait();
        const double end = bench::now();
        bench::expect(counter.first() == iterations, "count of iterations");
        return (end - begin) / iterations;
    }

    // Where the driver puts a graph changes its passes by some per cent, so both are built several times, and stay.
    template <class Fill, class Expression>
    void measure(const char* what, Fill fill, Expression e, double target = 1.02) {
        const auto instantiate = [&] { return cograph::instantiate(e, count(counter.data), limit(iterations)); };
        std::list<by_hand::graph> hand;
        std::list<decltype(instantiate())> library;
        std::vector<bench::timing> built;
        for (int i = 0; i < 4; ++i) {
            if (i % 2 == 0) build(hand.emplace_back(), fill);
            library.push_back(instantiate());
            if (i % 2 != 0) build(hand.emplace_back(), fill);
            built.push_back(bench::compare(
                3, [&] { return time([&] { hand.back().launch(g.stream); }); },
                [&] { return time([&] { library.back().launch(g.stream); }); }));
        }
        bench::row(what, bench::medians(built), target);
    }

    // Two ways of the library, both with the same by hand's place in the table: node by node, and with kernels that also decide.
    template <class Expression>
    void decide(const char* what, Expression e) {
        bench::device_array<int> elements{132 * 256};
        elements.zero();
        const auto run = [&](auto make) {
            return make(count(counter.data), limit(iterations), x(elements.data, 132 * 256));
        };
        auto apart = run([&](auto... b) { return cograph::instantiate(cograph::as_nodes(e), b...); });
        auto fused = run([&](auto... b) { return cograph::instantiate(e, b...); });
        bench::row(what, bench::compare(
                             7, [&] { return time([&] { apart.launch(g.stream); }); },
                             [&] { return time([&] { fused.launch(g.stream); }); }));
    }

    // Kernels and then the predicate, in one pass.
    auto unrolled(shape s, int copies) {
        return [this, s, copies](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            auto last = add_kernel(body, {}, work, s, counter.data);
            for (int i = 1; i < copies; ++i) last = add_kernel(body, last, work, s, counter.data);
            add_kernel(body, last, set_if_less, one, h, counter.data, iterations);
        };
    }

    // work, then a number of further kernels, then the predicate.
    auto chain(shape s, int further) {
        return [this, s, further](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            auto last = add_kernel(body, {}, work, s, counter.data);
            for (int i = 0; i < further; ++i) last = add_kernel(body, last, nop, s, counter.data);
            add_kernel(body, last, set_if_less, one, h, counter.data, iterations);
        };
    }

    // A kernel, then another one that also decides.
    auto deciding(shape s) {
        return [this, s](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto first = add_kernel(body, {}, nop, s, counter.data);
            add_kernel(body, first, work_and_set, s, h, counter.data, iterations);
        };
    }

    // work, an IF around one kernel, then the predicate.
    auto branch(int threshold) {
        return [this, threshold](auto& graph, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto taken = graph.condition(0, 0);
            auto last = add_kernel(body, {}, work, whole, counter.data);
            last = add_kernel(body, last, set_if_less, one, taken, counter.data, threshold);
            const auto then = add_conditional(body, last, taken, cudaGraphCondTypeIf);
            add_kernel(then.body, {}, nop, whole, counter.data);
            add_kernel(body, then.node, set_if_less, one, h, counter.data, iterations);
        };
    }
};

void host_loop(const bench::gpu& g, bench_loop& loop) {
    int* seen;
    bench::check(cudaMallocHost(&seen, sizeof(int)));
    const auto hand = [&] {
        for (*seen = 0; *seen < iterations;) {
            work<<<1, 32, 0, g.stream>>>(loop.counter.data);
            bench::check(cudaGetLastError());
            bench::check(cudaMemcpyAsync(seen, loop.counter.data, sizeof(int), cudaMemcpyDeviceToHost, g.stream));
            g.wait();
        }
    };
    const auto library = [&] {
        cograph::run_on(g.stream, loop_over(node<work>(1, 32)), count(loop.counter.data), limit(iterations));
    };
    bench::row("host loop: kernel + copy back + wait; run_on",
               bench::compare(3, [&] { return loop.time(hand); }, [&] { return loop.time(library); }));
    bench::check(cudaFreeHost(seen));
}

}  // namespace

int main() {
    using namespace cograph;
    bench::gpu g;
    bench_loop loop{g};
    int* c = loop.counter.data;
    bench::title("loop (us an iteration, 10 000 iterations)");

    loop.measure("1 kernel + predicate, 1x32", loop.chain(small, 0), loop_over(node<work>(1, 32)));
    loop.measure("1 kernel + predicate, 132x256", loop.chain(whole, 0), loop_over(node<work>(132, 256)));
    loop.measure("2 kernels + predicate, 132x256", loop.chain(whole, 1),
                 loop_over(seq(node<work>(132, 256), node<nop>(132, 256))));
    loop.measure("4 kernels + predicate, 132x256", loop.chain(whole, 3),
                 loop_over(seq(node<work>(132, 256), node<nop>(132, 256), node<nop>(132, 256), node<nop>(132, 256))));
    loop.measure("1 kernel, when taken + predicate", loop.branch(iterations + 1),
                 loop_over(seq(node<work>(132, 256), when(count < limit + 1, node<nop>(132, 256)))));
    loop.measure("1 kernel, when not taken + predicate", loop.branch(0),
                 loop_over(seq(node<work>(132, 256), when(count < 0, node<nop>(132, 256)))));
    loop.measure(
        "nested, inner trip count 10, an inner iteration",
        [&](auto& graph, cudaGraph_t body, cudaGraphConditionalHandle h) {
            const auto again = graph.condition(1);
            const auto armed = add_kernel(body, {}, set, one, again, 1u);
            const auto inner = add_conditional(body, armed, again, cudaGraphCondTypeWhile);
            const auto worked = add_kernel(inner.body, {}, work, small, c);
            add_kernel(inner.body, worked, set_if_not_multiple, one, again, c, inner_iterations);
            add_kernel(body, inner.node, set_if_less, one, h, c, iterations);
        },
        loop_over(do_while(node<work>(1, 32), count % inner_iterations != 0)));
    loop.measure("2 kernels, the last decides, 1x32", loop.deciding(small), loop_decided(1, 32));
    loop.measure("2 kernels, the last decides, 132x256", loop.deciding(whole), loop_decided(132, 256));
    loop.measure(
        "information: predicate fused by hand, 1x32",
        [&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            add_kernel(body, {}, work_and_set, small, h, c, iterations);
        },
        loop_over(node<work>(1, 32)), 0);
    loop.measure("check_every<8>, 1 kernel, 1x32", loop.unrolled(small, 8), loop_while(count < limit, node<work>(1, 32), check_every<8>));
    loop.measure("check_every<8>, 1 kernel, 132x256", loop.unrolled(whole, 8),
                 loop_while(count < limit, node<work>(132, 256), check_every<8>));
    loop.decide("node by node; fused: kernel + assign that decides",
                loop_while(count < limit, seq(kernel<nop>(over(x))(inout(x)), assign(count, count + 1))));
    loop.decide("node by node; fused: kernel + sum + assign",
                seq(assign(sum, 0), loop_while(count < limit && sum == 0, seq(kernel<nop>(over(x))(inout(x)), reduce(out(sum), in(x)), assign(count, count + 1)))));
    loop.decide("node by node; fused: kernel, none_of 33 792",
                loop_while(count < limit && none_of(x, is_negative{}), seq(assign(count, count + 1), kernel<nop>(over(x))(inout(x)))));
    host_loop(g, loop);
}
