// SPDX-License-Identifier: Apache-2.0
#pragma once

// A linear program by primal-dual hybrid gradients: reflected steps drawn to the point where they began (Halpern), which are begun again
// when they have come near enough. All of it is one kernel, and its state one struct.

#include "mps.hpp"

#include <cmath>

namespace lp {

using cograph::index_t;

/// Half of a sparse matrix: by rows, or by columns.
struct lines {
    const int* offsets;
    const int* indices;
    const double* values;

    COGRAPH_HD double times(index_t line, const double* x) const {
        double sum = 0;
        const int end = offsets[line + 1];
        int k = offsets[line];
        for (; k + 4 <= end; k += 4) {  // loads of four that do not wait for each other
            const double of[] = {x[indices[k]], x[indices[k + 1]], x[indices[k + 2]], x[indices[k + 3]]};
            for (int i = 0; i < 4; ++i) sum += values[k + i] * of[i];
        }
        for (; k < end; ++k) sum += values[k] * x[indices[k]];
        return sum;
    }
};

/// What the solver knows of itself.
struct progress {
    double weight = 1;  // of the primal steps against the dual ones
    double error = 1e300, objective = 0;
    double movement_at_start = -1, last_movement = 0;  // of one step: what comes near zero
    int since_start = 0, iterations = 0, starts = 0;
    int begins_again = 0;
};
/// What one pass over columns or rows adds up.
struct sums {
    double objective, dual, movement, way, violation;
};
struct add_sums {
    template <class T>
    COGRAPH_HD static constexpr T identity() {
        return {0, 0, 0, 0, 0};
    }
    COGRAPH_HD sums operator()(const sums& a, const sums& b) const {
        return {a.objective + b.objective, a.dual + b.dual, a.movement + b.movement, a.way + b.way, a.violation < b.violation ? b.violation : a.violation};
    }
};

inline constexpr struct by_rows : cograph::view<by_rows, lines> {} by_rows;
inline constexpr struct by_columns : cograph::view<by_columns, lines> {} by_columns;
inline constexpr struct x : cograph::buffer<x, double> {} x;
inline constexpr struct x_start : cograph::temp<x_start, double, struct x> {} x_start;
inline constexpr struct x_next : cograph::buffer<x_next, double> {} x_next;
inline constexpr struct reflected : cograph::temp<reflected, double, struct x> {} reflected;
inline constexpr struct cost : cograph::buffer<cost, double> {} cost;
inline constexpr struct bounds : cograph::buffer<bounds, interval> {} bounds;
inline constexpr struct column_scale : cograph::buffer<column_scale, double> {} column_scale;
inline constexpr struct y : cograph::buffer<y, double> {} y;
inline constexpr struct y_start : cograph::temp<y_start, double, struct y> {} y_start;
inline constexpr struct y_next : cograph::buffer<y_next, double> {} y_next;
inline constexpr struct sides : cograph::buffer<sides, interval> {} sides;
inline constexpr struct row_scale : cograph::buffer<row_scale, double> {} row_scale;
inline constexpr struct state : cograph::scalar<state, progress> {} state;
inline constexpr struct of_columns : cograph::scalar<of_columns, sums> {} of_columns;
inline constexpr struct of_rows : cograph::scalar<of_rows, sums> {} of_rows;
inline constexpr struct tolerance : cograph::value<tolerance, double> {} tolerance;
inline constexpr struct most_iterations : cograph::value<most_iterations, int> {} most_iterations;
inline constexpr struct largest_cost : cograph::value<largest_cost, double> {} largest_cost;
inline constexpr struct largest_side : cograph::value<largest_side, double> {} largest_side;

COGRAPH_HD inline double within(const interval& of, double number) {
    return number < of.lower ? of.lower : number > of.upper ? of.upper : number;
}
constexpr double step_size = 0.998;

COGRAPH_HD inline double primal_step(index_t column, double at, double costs, const interval& allowed, const lines& matrix, const double* duals, double weight) {
    return within(allowed, at - step_size / weight * (costs + matrix.times(column, duals)));
}
COGRAPH_HD inline double dual_step(index_t row, double at, const interval& allowed, const lines& matrix, const double* beyond, double weight) {
    const double size = step_size * weight, moved = at + size * matrix.times(row, beyond);
    return moved - size * within(allowed, moved / size);
}
/// From twice the step, towards the start.
COGRAPH_HD inline double drawn(double twice, double start, int since_start) {
    const double part = 1.0 / (since_start + 2);
    return (1 - part) * twice + part * start;
}

struct step_columns {
    COGRAPH_HD void operator()(index_t j, double& at, double& beyond, double start, double costs, const interval& allowed, const lines& matrix, const double* duals,
                               const progress& now) const {
        beyond = 2 * primal_step(j, at, costs, allowed, matrix, duals, now.weight) - at;
        at = drawn(beyond, start, now.since_start);
    }
};
struct step_rows {
    COGRAPH_HD void operator()(index_t i, double& at, double start, const interval& allowed, const lines& matrix, const double* beyond, const progress& now) const {
        at = drawn(2 * dual_step(i, at, allowed, matrix, beyond, now.weight) - at, start, now.since_start);
    }
};

/// The same step without going there, to see how far it would be.
struct look_at_columns {
    COGRAPH_HD void operator()(index_t j, double at, double& next, double& beyond, double costs, const interval& allowed, const lines& matrix, const double* duals,
                               const progress& now) const {
        next = primal_step(j, at, costs, allowed, matrix, duals, now.weight);
        beyond = 2 * next - at;
    }
};
struct look_at_rows {
    COGRAPH_HD void operator()(index_t i, double at, double& next, const interval& allowed, const lines& matrix, const double* beyond, const progress& now) const {
        next = dual_step(i, at, allowed, matrix, beyond, now.weight);
    }
};
struct sums_of_column {
    COGRAPH_HD sums operator()(index_t j, double at, double next, double start, double costs, const interval& allowed, double scale, const lines& matrix,
                               const double* duals) const {
        const double slope = costs + matrix.times(j, duals), bound = slope > 0 ? allowed.lower : allowed.upper;
        const bool is_bounded = bound > -1e300 && bound < 1e300;
        return {costs * next, is_bounded ? slope * bound : 0, (at - next) * (at - next), (next - start) * (next - start), is_bounded ? 0 : fabs(slope) / scale};
    }
};
struct sums_of_row {
    COGRAPH_HD sums operator()(index_t i, double at, double next, double start, const interval& allowed, double scale, const lines& matrix, const double* primals) const {
        const double activity = matrix.times(i, primals);
        return {0, next == 0 ? 0 : -next * (next > 0 ? allowed.upper : allowed.lower), (at - next) * (at - next), (next - start) * (next - start),
                fabs(activity - within(allowed, activity)) / scale};
    }
};
struct judge {
    COGRAPH_HD void operator()(progress& now, const sums& columns, const sums& rows, double most_cost, double most_side) const {
        const double dual = columns.dual + rows.dual;
        const double gap = fabs(columns.objective - dual) / (1 + fabs(columns.objective) + fabs(dual));
        const double violation = rows.violation / (1 + most_side), slope = columns.violation / (1 + most_cost);
        now.objective = columns.objective;
        now.error = fmax(gap, fmax(violation, slope));
        const double movement = sqrt(now.weight * columns.movement + rows.movement / now.weight);
        if (now.movement_at_start < 0) now.movement_at_start = movement;
        const bool is_near = movement <= 0.2 * now.movement_at_start;
        const bool is_near_and_turns = movement <= 0.8 * now.movement_at_start && movement > now.last_movement;
        now.begins_again = is_near || is_near_and_turns || now.since_start >= 0.36 * now.iterations;
        now.last_movement = movement;
    }
};
/// The ways of both sides since the start balance them.
struct begin_again {
    COGRAPH_HD void operator()(progress& now, const sums& columns, const sums& rows) const {
        if (columns.way > 1e-20 && rows.way > 1e-20) now.weight = exp(0.25 * log(rows.way / columns.way) + 0.5 * log(now.weight));
        now.movement_at_start = -1;
        now.since_start = 0;
        ++now.starts;
    }
};

/// As many iterations between two looks.
template <int Between>
constexpr auto solve_by_steps() {
    using namespace cograph;
    constexpr auto since = member<&progress::since_start>(state);
    constexpr auto step = seq(
        label("primal step", for_each(over(x), step_columns{})(inout(x[each]), out(reflected[each]), in(x_start[each]), in(cost[each]), in(bounds[each]), in(by_columns),
                                                               in(y), state)),
        label("dual step", for_each(over(y), step_rows{})(inout(y[each]), in(y_start[each]), in(sides[each]), in(by_rows), in(reflected), state)),
        assign(since, since + 1));
    constexpr auto look = seq(
        label("look at columns", for_each(over(x), look_at_columns{})(in(x[each]), out(x_next[each]), out(reflected[each]), in(cost[each]), in(bounds[each]),
                                                                      in(by_columns), in(y), state)),
        label("look at rows", for_each(over(y), look_at_rows{})(in(y[each]), out(y_next[each]), in(sides[each]), in(by_rows), in(reflected), state)),
        label("rows", transform_reduce(over(y), sums_of_row{}, add_sums{})(out(of_rows), in(y[each]), in(y_next[each]), in(y_start[each]), in(sides[each]), in(row_scale[each]),
                                                                           in(by_rows), in(x_next))),
        label("columns", transform_reduce(over(x), sums_of_column{}, add_sums{})(out(of_columns), in(x[each]), in(x_next[each]), in(x_start[each]), in(cost[each]),
                                                                                 in(bounds[each]), in(column_scale[each]), in(by_columns), in(y_next))),
        assign(member<&progress::iterations>(state), member<&progress::iterations>(state) + Between),
        label("judge", single_task(judge{})(inout(state), in(of_columns), in(of_rows), largest_cost, largest_side)));
    constexpr auto again = seq(copy(in(x_next), out(x)), copy(in(x_next), out(x_start)), copy(in(y_next), out(y)), copy(in(y_next), out(y_start)),
                               single_task(begin_again{})(inout(state), in(of_columns), in(of_rows)));
    return seq(copy(in(x), out(x_start)), copy(in(y), out(y_start)),
               label("solve", loop_while(member<&progress::error>(state) > tolerance && member<&progress::iterations>(state) < most_iterations,
                                         seq(repeat<Between>(step), look, when(member<&progress::begins_again>(state) != 0, again)))));
}
inline constexpr auto solve = solve_by_steps<40>();

}  // namespace lp
