// SPDX-License-Identifier: Apache-2.0
// Jacobi's method over a cube: a kernel each step and a kernel that keeps the cube on chip, both by hand; node by node, and in tiles.
// The largest change is found in no step or in every fourth one.
#include "box_variables.cuh"
#include "cubes_by_hand.cuh"

#include <cmath>

namespace cubes {

using namespace cograph;
using namespace box_variables;

inline constexpr struct rounds : value<rounds, int> {
} rounds;
inline constexpr struct change : scalar<change, double> {
} change;
inline constexpr struct it : scalar<it, int> {
} it;

struct relax {
    COGRAPH_HD void operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> around, double& to) const {
        const bool inner = around.inside(-1, 0, 0) && around.inside(1, 0, 0) && around.inside(0, -1, 0) && around.inside(0, 1, 0) && around.inside(0, 0, -1) && around.inside(0, 0, 1);
        to = inner ? (1.0 / 6) * (((around.at(-1, 0, 0) + around.at(1, 0, 0)) + (around.at(0, -1, 0) + around.at(0, 1, 0))) + (around.at(0, 0, -1) + around.at(0, 0, 1))) : *around;
    }
};
struct difference {
    COGRAPH_HD double operator()(index_t, index_t, index_t, double a, double b) const { return std::fabs(a - b); }
};
struct take {
    COGRAPH_HD void operator()(index_t, index_t, index_t, double from, double& to) const { to = from; }
};
constexpr auto cube = over(side, side, side);
// [by turns]
constexpr auto relaxing = for_each(cube, relax{})(in(x[near<1, 1, 1>]), out(y[each]));
constexpr auto back = for_each(cube, relax{})(in(y[near<1, 1, 1>]), out(x[each]));
constexpr auto largest_change = transform_reduce(cube, difference{}, maximum{})(out(change), in(x[each]), in(y[each]));
constexpr auto four_steps = seq(relaxing, back, relaxing, back, largest_change);
// [/by turns]
constexpr auto taking = for_each(cube, take{})(in(y[each]), out(x[each]));
constexpr auto untested = repeat(rounds, seq(relaxing, taking));
constexpr auto there_and_back = repeat(rounds, seq(relaxing, back));
constexpr auto tested(auto steps) { return seq(assign(it, 0), assign(change, 1.0), loop_while(change > -1.0 && it < rounds, seq(steps, assign(it, it + 1)))); }
constexpr auto fourth = tested(seq(repeat(3, seq(relaxing, taking)), relaxing, largest_change, taking));
constexpr auto fourth_by_turns = tested(four_steps);
static_assert(why_no_tiles(untested, calls<relax>) == tile_status::tiles && why_no_tiles(fourth, at<2>) == tile_status::tiles);

static __global__ void begin(double* a, double* b, int n) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < std::size_t(n) * n * n) a[i] = b[i] = i < std::size_t(n) * n ? 1 : static_cast<double>(i * i % 997) / 997;
}

class cube_of {
    template <class E, class... More>
    auto bind(const E& what, int times, More... more) {
        return instantiate(what, x(from.data, count), y(to.data, count), side(n), rounds(times), more...);
    }

public:
    cube_of(const bench::gpu& on, int of_side, int of_steps) : g(on), n(of_side), steps(of_steps) {}

    void measure() {
        std::printf("%4d^3", n);
        cubes_by_hand::nodes<8> nodes(n, steps, from.data, to.data);
        show(nodes, from.data);
        cubes_by_hand::nodes<8> nodes_tested(n, steps, from.data, to.data, largest.data);
        show(nodes_tested, from.data);
        if (n == 128) {
            cubes_by_hand::on_chip<16, 32> on_chip(n, steps, from.data, to.data);
            show(on_chip, to.data);
        } else
            std::printf(" %8s", "-");
        auto plain = bind(as_nodes(there_and_back), steps / 2);
        show(plain, from.data);
        auto lowered = bind(there_and_back, steps / 2);
        show(lowered, from.data);
        auto plain_fourth = bind(as_nodes(fourth_by_turns), steps / 4, change(found.data), it(done.data));
        show(plain_fourth, from.data);
        auto lowered_fourth = bind(fourth_by_turns, steps / 4, change(found.data), it(done.data));
        show(lowered_fourth, from.data);
        auto tiles = bind(untested, steps);
        show(tiles, from.data);
        auto tiles_fourth = bind(fourth, steps / 4, change(found.data), it(done.data));
        show(tiles_fourth, from.data);
        std::printf("\n");
    }

private:
    // Microseconds a step, the median of seven; all leave the same numbers.
    template <class Graph>
    void show(Graph& graph, const double* result) {
        std::vector<double> samples;
        for (int k = 0; k < 7; ++k) {
            begin<<<static_cast<unsigned>((count + 255) / 256), 256, 0, g.stream>>>(from.data, to.data, n);
            samples.push_back(lowering::duration(g, [&] { graph.launch(g.stream); }) / steps);
        }
        std::vector<double> here(count);
        bench::check(cudaMemcpy(here.data(), result, count * sizeof(double), cudaMemcpyDeviceToHost));
        if (expected.empty()) expected = here;
        bench::expect(here == expected, "Jacobi's method over a cube");
        std::printf(" %8.3f", bench::median(samples));
        std::fflush(stdout);
    }

    const bench::gpu& g;
    int n, steps;
    std::size_t count = std::size_t(n) * n * n;
    bench::device_array<double> from{count}, to{count}, found{1};
    bench::device_array<unsigned long long> largest{1};
    bench::device_array<int> done{1};
    std::vector<double> expected;
};

}  // namespace cubes

int main() {
    const bench::gpu g;
    std::printf("Jacobi over a cube of doubles (us a step)\n  by hand: nodes, the same tested every fourth step, on chip; there and back: node by node, as instantiate does it, the same two tested every fourth step; "
                "with a copy: not tested, tested every fourth step\n");
    cubes::cube_of(g, 64, 800).measure();
    cubes::cube_of(g, 128, 400).measure();
    cubes::cube_of(g, 192, 200).measure();
    cubes::cube_of(g, 256, 100).measure();
}
