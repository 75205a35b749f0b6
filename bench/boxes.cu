// SPDX-License-Identifier: Apache-2.0
// Jacobi's method over a box: conditional nodes by hand, kernels by hand that keep the square on chip, step by step and four steps at a time, node by node,
// and tiles.
#include "box_variables.cuh"
#include "jacobi.cuh"
#include "jacobi_in_fours.cuh"
#include "jacobi_on_chip.cuh"

#include <cmath>

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
constexpr auto tested = loop_while(jacobi::change > jacobi::tolerance && jacobi::it < jacobi::max_it,
                                   seq(for_each(square, relax{})(in(x[near<1, 1>]), out(y[each])),
                                       transform_reduce(square, difference{}, maximum{})(out(jacobi::change), in(x[each]), in(y[each])),
                                       copy(in(y), out(x)), assign(jacobi::it, jacobi::it + 1)));
constexpr auto untested = repeat(jacobi::max_it, seq(for_each(square, relax{})(in(x[near<1, 1>]), out(y[each])), copy(in(y), out(x))));
constexpr auto relaxing = for_each(square, relax{})(in(x[near<1, 1>]), out(y[each]));
constexpr auto taking = copy(in(y), out(x));
constexpr auto fourth = loop_while(jacobi::change > jacobi::tolerance && jacobi::it < jacobi::max_it,
                                   seq(repeat(3, seq(relaxing, taking)), relaxing,
                                       transform_reduce(square, difference{}, maximum{})(out(jacobi::change), in(x[each]), in(y[each])), taking, assign(jacobi::it, jacobi::it + 1)));
static_assert(why_no_tiles(fourth, at<0>) == tile_status::tiles);
static_assert(why_no_tiles(tested, calls<relax>) == tile_status::tiles && why_no_tiles(untested, calls<relax>) == tile_status::tiles);

template <bool>
struct no_fours {  // such a kernel takes longer there: it has not enough registers
    no_fours(int, int, const double*, double*) {}
};

class square_of {
public:
    square_of(const bench::gpu& on, int of_shift, int of_steps) : g(on), shift(of_shift), steps(of_steps) {}

    // Fours: a kernel by hand for four steps at a time.
    template <int RowsByHand, int Columns, int Rows, int RowsInMemory, int Warps, template <bool> class Fours>
    void measure() {
        const int n = 1 << shift;
        const auto launch_blocks = static_cast<unsigned>(std::min<std::size_t>((count / RowsByHand + 255) / 256, 132 * 32));
        lowering::while_by_hand nodes([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
            by_hand::add_kernel(body, {}, jacobi::sweep_kernel<RowsByHand>, {launch_blocks, 256}, shift, from.data, to.data, found.data, partials.data, ticket.data, -1.0, steps, h);
        });
        on_chip_by_hand::loop<Columns, Rows, RowsInMemory, Warps, 1> tested_by_hand(n, steps, from.data, to.data);
        on_chip_by_hand::loop<Columns, Rows, RowsInMemory, Warps, 0> untested_by_hand(n, steps, from.data, to.data);
        on_chip_by_hand::loop<Columns, Rows, RowsInMemory, Warps, 4> rarely_by_hand(n, steps, from.data, to.data);
        Fours<true> tested_in_fours(n, steps, from.data, to.data);
        Fours<false> untested_in_fours(n, steps, from.data, to.data);
        const auto bind = [&](const auto& what, int iterations) {
            return instantiate(what, x(from.data, count), y(to.data, count), side(n), jacobi::change(&found.data->change), jacobi::it(&found.data->it), jacobi::tolerance(-1),
                               jacobi::max_it(iterations));
        };
        auto plain = bind(as_nodes(tested), steps);
        auto tiles = bind(tested, steps);
        auto rarely = bind(fourth, steps / 4);
        auto repeated = instantiate(untested, x(from.data, count), y(to.data, count), side(n), jacobi::max_it(steps));
        std::printf("%5d^2 tested   %8.3f %8.3f        - %8.3f %8.3f\n", n, time(nodes, nullptr), time(tested_by_hand, to.data), time(plain, from.data), time(tiles, from.data));
        std::printf("%5d^2 every 4th        - %8.3f %8.3f        - %8.3f\n", n, time(rarely_by_hand, to.data), time(tested_in_fours, to.data), time(rarely, from.data));
        std::printf("%5d^2 untested         - %8.3f %8.3f        - %8.3f\n", n, time(untested_by_hand, to.data), time(untested_in_fours, to.data), time(repeated, from.data));
        std::fflush(stdout);
    }

private:
    template <bool Tests>
    double time(no_fours<Tests>&, const double*) {
        return lowering::none;
    }
    // Microseconds a step, the median of seven; all leave the same numbers. Conditional nodes by hand go to and fro, and round otherwise.
    template <class Graph>
    double time(Graph& graph, const double* result) {
        std::vector<double> samples;
        for (int k = 0; k < 7; ++k) {
            jacobi::heat_one_side<<<static_cast<unsigned>((count + 255) / 256), 256, 0, g.stream>>>(from.data, to.data, 1 << shift);
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

    const bench::gpu& g;
    int shift, steps;
    std::size_t count = std::size_t{1} << (2 * shift);
    bench::device_array<double> from{count}, to{count}, partials{132 * 32};
    bench::device_array<jacobi::state> found{1};
    bench::device_array<unsigned> ticket{1};
    std::vector<double> expected;
};

}  // namespace boxes

template <bool Tests>
using fours_of_256 = on_chip_by_hand::loop_in_fours<1, 4, 0, 8, Tests>;
template <bool Tests>
using fours_of_512 = on_chip_by_hand::loop_in_fours<2, 3, 0, 16, Tests>;
template <bool Tests>
using fours_of_1024 = on_chip_by_hand::loop_in_fours<3, 6, 1, 16, Tests>;
int main() {
    const bench::gpu g;
    std::printf("Jacobi over a box of doubles (us a step)   conditional nodes by hand, on chip by hand, the same in fours, node by node, tiles\n");
    boxes::square_of(g, 8, 2000).measure<2, 1, 4, 0, 4, fours_of_256>();
    boxes::square_of(g, 9, 2000).measure<4, 1, 4, 0, 16, fours_of_512>();
    boxes::square_of(g, 10, 1000).measure<8, 2, 8, 0, 16, fours_of_1024>();
    boxes::square_of(g, 11, 400).measure<8, 4, 7, 9, 16, boxes::no_fours>();
}
