// SPDX-License-Identifier: Apache-2.0
// Jacobi's method over a box, tested after every fourth step or never: kernels by hand that keep the square on chip, step by step and four steps at a time, and
// tiles. boxes.cu has the loop that tests after each step.
#include "boxes.cuh"
#include "jacobi_in_fours.cuh"

namespace boxes {

constexpr auto untested = repeat(jacobi::max_it, seq(relaxing, taking));
constexpr auto fourth = until_settled(seq(repeat(3, seq(relaxing, taking)), relaxing, largest_change, taking));
static_assert(why_no_tiles(untested, calls<relax>) == tile_status::tiles && why_no_tiles(fourth, at<0>) == tile_status::tiles);

// Fours: a kernel by hand for four steps at a time.
template <int Columns, int Rows, int RowsInMemory, int Warps, template <bool> class Fours>
void measure(square_of of) {
    const auto in_fours = [&]<bool Tests>() {
        if constexpr (requires { typename Fours<Tests>::none; }) return lowering::none;
        else {
            Fours<Tests> fours(of.n, of.steps, of.from.data, of.to.data);
            return of.time(fours, of.to.data);
        }
    };
    const auto on_chip = [&]<int Every>() {
        on_chip_by_hand::loop<Columns, Rows, RowsInMemory, Warps, Every> sweeps(of.n, of.steps, of.from.data, of.to.data);
        return of.time(sweeps, of.to.data);
    };
    auto rarely = of.bind_tested(fourth, of.steps / 4);
    auto never = of.bind(untested, of.steps);
    std::printf("%5d^2 every 4th %8.3f %8.3f %8.3f\n", of.n, on_chip.template operator()<4>(), in_fours.template operator()<true>(), of.time(rarely, of.from.data));
    std::printf("%5d^2 untested  %8.3f %8.3f %8.3f\n", of.n, on_chip.template operator()<0>(), in_fours.template operator()<false>(), of.time(never, of.from.data));
    std::fflush(stdout);
}

}  // namespace boxes

template <bool Tests>
using fours_of_256 = on_chip_by_hand::loop_in_fours<1, 4, 0, 8, Tests>;
template <bool Tests>
using fours_of_512 = on_chip_by_hand::loop_in_fours<2, 3, 0, 16, Tests>;
template <bool Tests>
using fours_of_1024 = on_chip_by_hand::loop_in_fours<3, 6, 1, 16, Tests>;
template <bool>
struct no_fours {  // such a kernel takes longer there: it has not enough registers
    using none = void;
};

int main() {
    const bench::gpu g;
    std::printf("Jacobi over a box of doubles (us a step): on chip by hand, the same in fours, tiles\n");
    boxes::measure<1, 4, 0, 4, fours_of_256>({g, 8, 2000});
    boxes::measure<1, 4, 0, 16, fours_of_512>({g, 9, 2000});
    boxes::measure<2, 8, 0, 16, fours_of_1024>({g, 10, 1000});
    boxes::measure<4, 7, 9, 16, no_fours>({g, 11, 400});
}
