// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stages.hpp"

#include <cograph/launch_shape.hpp>

namespace multigrid {

/// Grids, the finest first. Each has half as many points on a side as the one before it.
inline constexpr int levels = 8;

// What the user binds.
inline constexpr struct solution : cograph::buffer<solution, double> {} solution;  // the first guess, then the solution
inline constexpr struct right_side : cograph::buffer<right_side, double> {} right_side;
inline constexpr struct log_size : cograph::value<log_size, int> {} log_size;  // of the points on a side, to base 2
inline constexpr struct coarse_pairs : cograph::value<coarse_pairs, int> {} coarse_pairs;  // of sweeps over the coarsest grid
inline constexpr struct tolerance : cograph::value<tolerance, double> {} tolerance;
inline constexpr struct most : cograph::value<most, int> {} most;

// What the graph owns: of every grid, the right side times h^2, and what is there before and after its correction.
template <int Level>
struct f_of : cograph::temp<f_of<Level>, double, cograph::elements<extent(solution) / (1 << 2 * Level)>> {};
template <int Level>
struct u_of : cograph::temp<u_of<Level>, double, cograph::elements<extent(solution) / (1 << 2 * Level)>> {};
template <int Level>
struct v_of : cograph::temp<v_of<Level>, double, cograph::elements<extent(solution) / (1 << 2 * Level)>> {};
inline constexpr struct rr : cograph::scalar<rr, double> {} rr;  // of the residual and the right side: the sums of squares
inline constexpr struct ff : cograph::scalar<ff, double> {} ff;
inline constexpr struct cycles : cograph::scalar<cycles, int> {} cycles;

template <int Level>
inline constexpr auto f = f_of<Level>{};
template <int Level>
constexpr auto v() {
    if constexpr (Level == 0)
        return solution;
    else
        return v_of<Level>{};
}
template <int Level>
inline constexpr auto u = u_of<Level>{};

/// From grid Level, whose residual is to be corrected, down to the coarsest grid and up again. Two nodes a grid, which wait for
/// each other.
template <int Level>
constexpr auto correct() {
    using namespace cograph;
    constexpr int below = Level + 1;
    const auto down = for_each(over(u<below>), restrict_residual{})(in(u<Level>), in(f<Level>), out(f<below>[each]), out(u<below>[each]),
                                                                    log_size - below);
    const auto up = [](auto correction) {
        return for_each(over(u<Level>), correct_and_smooth{})(in(u<Level>), in(correction), in(f<Level>[each]), out(v<Level>()[each]), log_size - Level);
    };
    if constexpr (below < levels - 1) {
        return seq(down, correct<below>(), up(v<below>()));
    } else {  // the coarsest grid: sweeps until little is left of the error
        const auto sweep = [](auto from, auto to) {
            return for_each(over(from), smooth_only{})(in(from), in(f<below>[each]), out(to[each]), log_size - below);
        };
        return seq(down, repeat(coarse_pairs, seq(sweep(u<below>, v<below>()), sweep(v<below>(), u<below>))), up(u<below>));
    }
}

/// V(1, 1) cycles until the residual is `tolerance` times the right side, at most `most`. The test is of the residual before the last cycle.
/// The loop goes on where a sum is NaN, and ends at `most`.
constexpr auto multigrid() {
    using namespace cograph;
    return seq(assign(cycles, 0),
               for_each(over(right_side), scale{})(in(right_side[each]), out(f<0>[each]), in(log_size)),
               transform_reduce(over(f<0>), square{}, plus{})(out(ff), in(f<0>[each])),
               label("cycles", do_while(seq(transform_reduce(over(solution), smooth{}, plus{})(out(rr), in(solution), in(f<0>[each]), out(u<0>[each]), in(log_size)),
                            correct<0>(),
                            assign(cycles, cycles + 1)),
                        !(rr <= tolerance * tolerance * ff) && cycles < most, block_of<512>)));  // threads of larger blocks have too few registers
}

inline constexpr auto solver = multigrid();
static_assert(cograph::is_persistent(solver, "cycles"));

}  // namespace multigrid
