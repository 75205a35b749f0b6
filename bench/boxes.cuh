// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "box_variables.cuh"
#include "jacobi.cuh"
#include "jacobi_on_chip.cuh"

#include <cmath>

// What the programs about Jacobi's method over a square share: its nodes, and a square that is computed in several ways. They are three programs, which compile
// at the same time.
namespace boxes {

using namespace cograph;
using namespace box_variables;

struct relax {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const {
        const bool inner = around.inside(-1, 0) && around.inside(1, 0) && around.inside(0, -1) && around.inside(0, 1);
        to = inner ? 0.25 * ((around.at(-1, 0) + around.at(1, 0)) + (around.at(0, -1) + around.at(0, 1))) : *around;
    }
};
struct difference {
    COGRAPH_HD double operator()(index_t, index_t, double a, double b) const { return std::fabs(a - b); }
};
constexpr auto square = over(side, side);
constexpr auto relaxing = for_each(square, relax{})(in(x[near<1, 1>]), out(y[each]));
constexpr auto largest_change = transform_reduce(square, difference{}, maximum{})(out(jacobi::change), in(x[each]), in(y[each]));
constexpr auto taking = copy(in(y), out(x));
constexpr auto until_settled(auto steps) {
    return loop_while(jacobi::change > jacobi::tolerance && jacobi::it < jacobi::max_it, seq(steps, assign(jacobi::it, jacobi::it + 1)));
}

struct square_of {
    const bench::gpu& g;
    int shift, steps, n = 1 << shift;
    std::size_t count = std::size_t{1} << (2 * shift);
    bench::device_array<double> from{count}, to{count};
    bench::device_array<jacobi::state> found{1};
    std::vector<double> expected = {};

    template <class E, class... More>
    auto bind(const E& what, int iterations, More... more) {
        return instantiate(what, x(from.data, count), y(to.data, count), side(n), jacobi::max_it(iterations), more...);
    }
    template <class E>
    auto bind_tested(const E& what, int iterations) {
        return bind(what, iterations, jacobi::change(&found.data->change), jacobi::it(&found.data->it), jacobi::tolerance(-1));
    }
    // Microseconds a step, the median of seven; all that have a result leave the same numbers.
    template <class Graph>
    double time(Graph& graph, const double* result) {
        std::vector<double> samples;
        for (int k = 0; k < 7; ++k) {
            jacobi::heat_one_side<<<static_cast<unsigned>((count + 255) / 256), 256, 0, g.stream>>>(from.data, to.data, n);
            const jacobi::state start{1, 0};
            bench::check(cudaMemcpyAsync(found.data, &start, sizeof start, cudaMemcpyDefault, g.stream));
            samples.push_back(lowering::duration(g, [&] { graph.launch(g.stream); }) / steps);
        }
        if (result) {
            std::vector<double> here(count);
            bench::check(cudaMemcpy(here.data(), result, count * sizeof(double), cudaMemcpyDeviceToHost));
            if (expected.empty()) expected = here;
            bench::expect(here == expected, "Jacobi's method over a box");
        }
        return bench::median(samples);
    }
};

}  // namespace boxes
