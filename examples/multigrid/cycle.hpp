// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stages.hpp"

namespace multigrid {

/// Grids, the finest first. Each has half as many points on a side as the one before it.
inline constexpr int levels = 8;

// What the user binds.
inline constexpr struct solution : cograph::buffer<solution, double> {} solution;  // the first guess, then the solution
inline constexpr struct right_side : cograph::buffer<right_side, double> {} right_side;
inline constexpr struct size : cograph::value<size, int> {} size;  // points on a side, a power of two
inline constexpr struct tolerance : cograph::value<tolerance, double> {} tolerance;
inline constexpr struct most : cograph::value<most, int> {} most;

// What the graph owns: of every grid, the right side, and what is there before and after its correction.
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
constexpr auto f() {
    if constexpr (Level == 0)
        return right_side;
    else
        return f_of<Level>{};
}
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
    const auto down = for_each(over(u<below>), restrict_residual{})(in(u<Level>), in(f<Level>()), out(f_of<below>{}[each]), out(u<below>[each]),
                                                                    size / (1 << below));
    const auto up = [](auto correction) {
        return for_each(over(u<Level>), correct_and_smooth{})(in(u<Level>), in(correction), in(f<Level>()[each]), out(v<Level>()[each]), size / (1 << Level));
    };
    if constexpr (below < levels - 1) {
        return seq(down, correct<below>(), up(v<below>()));
    } else {  // the coarsest grid: pairs of sweeps, as many as it has points on a side
        const auto sweep = [](auto from, auto to) {
            return for_each(over(from), smooth_only{})(in(from), in(f<below>()), out(to[each]), size / (1 << below));
        };
        return seq(down, repeat(size / (1 << below), seq(sweep(u<below>, v<below>()), sweep(v<below>(), u<below>))), up(u<below>));
    }
}

/// V(1, 1) cycles until the residual is `tolerance` times the right side, at most `most`. The test is of the residual before the last cycle.
/// The loop goes on where a sum is NaN, and ends at `most`.
constexpr auto multigrid() {
    using namespace cograph;
    return seq(assign(cycles, 0),
               transform_reduce(over(right_side), square{}, plus{})(out(ff), in(right_side[each])),
               do_while(seq(transform_reduce(over(solution), smooth{}, plus{})(out(rr), in(solution), in(right_side), out(u<0>[each]), in(size)),
                            correct<0>(),
                            assign(cycles, cycles + 1)),
                        !(rr <= tolerance * tolerance * ff) && cycles < most));
}

inline constexpr auto solver = multigrid();
static_assert(cograph::is_persistent(solver, cograph::at<2>));

}  // namespace multigrid
