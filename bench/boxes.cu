// SPDX-License-Identifier: Apache-2.0
// Jacobi's method over a box, tested after each step: conditional nodes by hand, a kernel by hand that keeps the square on chip, node by node, and tiles.
// boxes_rarely.cu has the loops that test rarely or never.
#include "boxes.cuh"

namespace boxes {

constexpr auto tested = until_settled(seq(relaxing, largest_change, taking));
static_assert(why_no_tiles(tested, calls<relax>) == tile_status::tiles);

template <int RowsByHand, int Columns, int Rows, int RowsInMemory, int Warps>
void measure(square_of of) {
    bench::device_array<double> partials(132 * 32);
    bench::device_array<unsigned> ticket(1);
    const auto launch_blocks = static_cast<unsigned>(std::min<std::size_t>((of.count / RowsByHand + 255) / 256, partials.count));
    lowering::while_by_hand nodes([&](auto&, cudaGraph_t body, cudaGraphConditionalHandle h) {
        by_hand::add_kernel(body, {}, jacobi::sweep_kernel<RowsByHand>, {launch_blocks, 256}, of.shift, of.from.data, of.to.data, of.found.data, partials.data, ticket.data, -1.0, of.steps, h);
    });
    on_chip_by_hand::loop<Columns, Rows, RowsInMemory, Warps, 1> on_chip(of.n, of.steps, of.from.data, of.to.data);
    auto plain = of.bind_tested(as_nodes(tested), of.steps);
    auto tiles = of.bind_tested(tested, of.steps);
    const double by_nodes = of.time(nodes, nullptr);  // to and fro, and rounded otherwise
    std::printf("%5d^2 %8.3f %8.3f %8.3f %8.3f\n", of.n, by_nodes, of.time(on_chip, of.to.data), of.time(plain, of.from.data), of.time(tiles, of.from.data));
    std::fflush(stdout);
}

}  // namespace boxes

int main() {
    const bench::gpu g;
    std::printf("Jacobi over a box of doubles, tested (us a step): conditional nodes by hand, on chip by hand, node by node, tiles\n");
    boxes::measure<2, 1, 4, 0, 4>({g, 8, 2000});
    boxes::measure<4, 1, 4, 0, 16>({g, 9, 2000});
    boxes::measure<8, 2, 8, 0, 16>({g, 10, 1000});
    boxes::measure<8, 4, 7, 9, 16>({g, 11, 400});
}
