// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jacobi.cuh"

// That method in strips: by hand, node by node and as one kernel.
namespace jacobi {

using lowering::costs;
using lowering::none;

inline constexpr struct a : buffer<a, double> {
} a;
inline constexpr struct b : buffer<b, double> {
} b;
inline constexpr struct strips : temp<strips, double> {
} strips;

template <int Rows>
constexpr auto expression(int shift) {
    return loop_while(
        change > tolerance && it < max_it,
        seq(transform_reduce(over(strips), sweep<Rows>{shift}, maximum{})(out(change), it, inout(a), inout(b)),
            assign(it, it + 1)));
}

// Copies again and again, past the first-level caches: as fast as data of this size can be had.
static __global__ void __launch_bounds__(1024)
    copy_often(const double2* from, double2* to, int count, int times) {
    const int step = static_cast<int>(gridDim.x * blockDim.x);
    for (int round = 0; round < times; ++round)
#pragma unroll 8
        for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += step)
            __stcg(to + i, __ldcg(from + i));
}

class bench_jacobi {
public:
    bench_jacobi(const bench::gpu& on, int with_shift, int of_sweeps)
        : g(on), shift(with_shift), sweeps(of_sweeps) {}

    // Strips of so many elements, each way the one that is best for it.
    template <int RowsByHand, int Rows>
    void measure(double target, double target_share) {
        const std::string name = "Jacobi " + std::to_string(1 << shift) + "^2 doubles";
        const unsigned blocks =
            static_cast<unsigned>(std::min<std::size_t>((count / RowsByHand + 255) / 256, most_blocks));
        lowering::while_by_hand hand([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            by_hand::add_kernel(body, {}, sweep_kernel<RowsByHand>, {blocks, 256}, shift, from.data, to.data,
                                found.data, partials.data, ticket.data, 0.0, sweeps, h);
        });
        const auto e = expression<Rows>(shift);
        const auto bind = [&](const auto& what) {
            return instantiate(what, a(from.data, count), b(to.data, count), strips(count / Rows),
                               change(&found.data->change), it(&found.data->it), tolerance(0),
                               max_it(sweeps));
        };
        auto plain = bind(as_nodes(e));
        auto lowered = bind(e);

        const costs cost = lowering::compare(
            5, [&](auto& graph) { return time(graph); }, hand, plain, lowered);
        lowering::row(name, cost, target);
        if (target_share == 0) return;
        const double bytes = 16.0 * static_cast<double>(count);
        const auto rate = [&](double microseconds) { return bytes / microseconds / 1e3; };
        const double best = rate(time_of_copy());
        lowering::row("  GB/s; target: " + std::to_string(int(100 * target_share)) + "% of a copy's " +
                          std::to_string(int(best)),
                      {rate(cost.by_hand), rate(cost.as_nodes), rate(cost.lowered)}, target_share * best);
    }

private:
    static constexpr unsigned most_blocks = 132 * 32;

    template <class Graph>
    double time(Graph& graph) {
        heat_one_side<<<static_cast<unsigned>((count + 255) / 256), 256, 0, g.stream>>>(from.data, to.data,
                                                                                        1 << shift);
        const state start{1, 0};
        bench::check(cudaMemcpyAsync(found.data, &start, sizeof start, cudaMemcpyDefault, g.stream));
        const double cost = lowering::duration(g, [&] { graph.launch(g.stream); }) / sweeps;
        const state end = found.first();
        if (changed == none_yet) changed = end.change;
        bench::expect(end.it == sweeps && end.change == changed, "Jacobi's largest change");
        return cost;
    }

    double time_of_copy() {
        const int times = count < 1 << 22 ? 100 : 3;
        const auto launch = [&] {
            copy_often<<<264, 1024, 0, g.stream>>>(reinterpret_cast<const double2*>(from.data),
                                                   reinterpret_cast<double2*>(to.data),
                                                   static_cast<int>(count / 2), times);
            bench::check(cudaGetLastError());
        };
        return lowering::medians(5, [&] { return lowering::duration(g, launch) / times; })[0];
    }

    static constexpr double none_yet = -1;
    const bench::gpu& g;
    int shift, sweeps;
    double changed = none_yet;
    std::size_t count = std::size_t{1} << (2 * shift);
    bench::device_array<double> from{count}, to{count}, partials{most_blocks};
    bench::device_array<state> found{1};
    bench::device_array<unsigned> ticket{1};
};

inline void measure(const bench::gpu& g) {
    bench_jacobi(g, 8, 2000).measure<2, 2>(1.9, 0);
    bench_jacobi(g, 10, 1000).measure<8, 4>(5, 0.8);
    bench_jacobi(g, 14, 20).measure<4, 4>(none, 0.9);
}

}  // namespace jacobi
