// SPDX-License-Identifier: Apache-2.0
#pragma once

// A linear program by primal-dual hybrid gradients: reflected steps drawn to the point where they began (Halpern), which are begun again
// when they have come near enough. Each step is judged. That takes no further products with the matrix, since products are linear: the next
// step's tells what the last one came to. So an iteration is a pass over the columns and one over the rows, and has two barriers. Rows leave what
// they add to the sums, and the next pass over the columns adds up all: one reduction an iteration. All of it is one kernel, and its state one struct.

#include "mps.hpp"

#include <cograph/launch_shape.hpp>

#include <cmath>

namespace lp {

using cograph::index_t;

/// Where the entries of a line are, which is a row or a column.
struct range {
    int begin, end;
};
/// Half of a sparse matrix: by rows, or by columns.
struct lines {
    const int* indices;
    const double* values;

    /// With Together entries on their way at once.
    template <int Together>
    COGRAPH_HD double times(range of, const double* x) const {
        double sum = 0;
        for (int k = of.begin; k < of.end; k += Together) {
            int at[Together], all = 0;
            double terms[Together], numbers[Together];
            for (int i = 0; i < Together; ++i) {
                at[i] = k + i < of.end ? indices[k + i] : 0;
                terms[i] = k + i < of.end ? values[k + i] : 0;
                all |= at[i];
            }
            if (all < 0) break;  // none is. Without this, nvcc asks for two or three of x, waits for them, and asks for the next ones.
            for (int i = 0; i < Together; ++i) numbers[i] = k + i < of.end ? x[at[i]] : 0;
            for (int i = 0; i < Together; ++i) sum += terms[i] * numbers[i];
        }
        return sum;
    }
};

/// What the solver knows of itself.
struct progress {
    double weight = 1, primal_size = 0.998, dual_size = 0.998, inverse_dual_size = 1 / 0.998;  // of the primal steps against the dual ones
    double part = 0.5, last_part = 1, stretch = 1;  // of the start in what is drawn, 1 / (since + 2); the last one, and 1 / (1 - it)
    double error = 1e300, objective = 0;
    double movement_at_start = -1, last_movement = 0;  // of one step, squared: what comes near zero
    int since_start = 0, iterations = 0, starts = 0;
    int begins_again = 0;
};
/// What a step is judged by. Movements are weighted, and violations parts of the largest number.
struct sums {
    double objective, dual, movement, violation;
};
struct add_sums {
    template <class T>
    COGRAPH_HD static constexpr T identity() {
        return {0, 0, 0, 0};
    }
    COGRAPH_HD sums operator()(const sums& a, const sums& b) const {
        return {a.objective + b.objective, a.dual + b.dual, a.movement + b.movement, a.violation < b.violation ? b.violation : a.violation};
    }
};

inline constexpr struct by_rows : cograph::view<by_rows, lines> {} by_rows;
inline constexpr struct by_columns : cograph::view<by_columns, lines> {} by_columns;
inline constexpr struct row_range : cograph::buffer<row_range, range> {} row_range;
inline constexpr struct column_range : cograph::buffer<column_range, range> {} column_range;
inline constexpr struct x : cograph::buffer<x, double> {} x;
inline constexpr struct x_start : cograph::temp<x_start, double, struct x> {} x_start;
inline constexpr struct x_next : cograph::buffer<x_next, double> {} x_next;  // what is judged
inline constexpr struct x_step : cograph::temp<x_step, double, struct x> {} x_step;
inline constexpr struct reflected : cograph::temp<reflected, double, struct x> {} reflected;
inline constexpr struct product : cograph::temp<product, double, struct x> {} product;  // of the columns with y
inline constexpr struct product_at_start : cograph::temp<product_at_start, double, struct x> {} product_at_start;
inline constexpr struct cost : cograph::buffer<cost, double> {} cost;
inline constexpr struct bounds : cograph::buffer<bounds, interval> {} bounds;
inline constexpr struct inverse_column_scale : cograph::buffer<inverse_column_scale, double> {} inverse_column_scale;
inline constexpr struct y : cograph::buffer<y, double> {} y;
inline constexpr struct y_start : cograph::temp<y_start, double, struct y> {} y_start;
inline constexpr struct y_next : cograph::buffer<y_next, double> {} y_next;
inline constexpr struct y_way : cograph::temp<y_way, double, struct y> {} y_way;
inline constexpr struct reflected_activity : cograph::temp<reflected_activity, double, struct y> {} reflected_activity;  // of the rows
inline constexpr struct activity : cograph::temp<activity, double, struct y> {} activity;
inline constexpr struct next_activity : cograph::temp<next_activity, double, struct y> {} next_activity;
inline constexpr struct activity_at_start : cograph::temp<activity_at_start, double, struct y> {} activity_at_start;
inline constexpr struct sides : cograph::buffer<sides, interval> {} sides;
inline constexpr struct inverse_row_scale : cograph::buffer<inverse_row_scale, double> {} inverse_row_scale;
inline constexpr struct state : cograph::scalar<state, progress> {} state;
inline constexpr struct of_rows : cograph::temp<of_rows, sums, struct y> {} of_rows;
inline constexpr struct of_all : cograph::scalar<of_all, sums> {} of_all;
inline constexpr struct way_of_columns : cograph::scalar<way_of_columns, double> {} way_of_columns;
inline constexpr struct way_of_rows : cograph::scalar<way_of_rows, double> {} way_of_rows;
inline constexpr struct tolerance : cograph::value<tolerance, double> {} tolerance;
inline constexpr struct most_iterations : cograph::value<most_iterations, int> {} most_iterations;
inline constexpr struct cost_factor : cograph::value<cost_factor, double> {} cost_factor;  // 1 / (1 + the largest)
inline constexpr struct side_factor : cograph::value<side_factor, double> {} side_factor;

COGRAPH_HD inline double within(const interval& of, double number) {
    return number < of.lower ? of.lower : number > of.upper ? of.upper : number;
}
constexpr double step_size = 0.998;

/// From twice the step, towards the start: less and less of it.
COGRAPH_HD inline double drawn(double twice, double start, double part) { return (1 - part) * twice + part * start; }
/// Backwards: what was drawn with the last part.
COGRAPH_HD inline double twice_of(double drawn, double start, const progress& now) { return (drawn - now.last_part * start) * now.stretch; }

/// The product of a column with the dual variables. It tells the sums of the last step, whose dual variables are halfway between the last ones and those they
/// were drawn from; of the column and its share of the rows.
struct multiply_column {
    COGRAPH_HD sums operator()(index_t j, double& pull, double at_start, double next, double beyond, double costs, const interval& allowed, double inverse_scale,
                               const range& of, const lines& matrix, const double* duals, const sums* from_rows, index_t rows, index_t columns, const progress& now, double for_costs) const {
        sums found = j < rows ? from_rows[j] : sums{0, 0, 0, 0};  // on its way beside the product
        const double last = pull;
        pull = matrix.times<8>(of, duals);
        if (now.since_start == 0) return {0, 0, 0, 0};
        for (index_t i = j + columns; i < rows; i += columns) found = add_sums{}(found, from_rows[i]);
        const double slope = costs + 0.5 * (twice_of(pull, at_start, now) + last), bound = slope > 0 ? allowed.lower : allowed.upper;
        const bool is_bounded = bound > -1e300 && bound < 1e300;
        return add_sums{}(found, {costs * next, is_bounded ? slope * bound : 0, now.weight * ((beyond - next) * (beyond - next)),
                                  is_bounded ? 0 : fabs(slope) * inverse_scale * for_costs});
    }
};
struct step_columns {
    COGRAPH_HD void operator()(index_t, double& at, double& step, double& next, double& beyond, double start, double pull, double& at_start, double costs,
                               const interval& allowed, const progress& now) const {
        if (now.since_start == 0) at_start = pull;
        next = step;
        step = within(allowed, at - now.primal_size * (costs + pull));
        beyond = 2 * step - at;
        at = drawn(beyond, start, now.part);
    }
};
template <int Together>
struct multiply_row {
    COGRAPH_HD void operator()(index_t, double at, double& next, double& pull, double row_sum, double& next_sum, const interval& allowed, const range& of, const lines& matrix,
                               const double* beyond, const progress& now) const {
        pull = matrix.times<Together>(of, beyond);
        const double moved = at + now.dual_size * pull, wanted = moved * now.inverse_dual_size, inside = within(allowed, wanted);
        next = inside == wanted ? 0 : moved - now.dual_size * inside;  // exactly zero, since sides may be infinite
        next_sum = 0.5 * (pull + row_sum);
    }
};
struct sums_of_row {
    COGRAPH_HD void operator()(index_t, double at, double next, double next_sum, const interval& allowed, double inverse_scale, sums& found, const progress& now,
                               double for_sides) const {
        found = {0, next == 0 ? 0 : -next * (next > 0 ? allowed.upper : allowed.lower), step_size * now.inverse_dual_size * ((at - next) * (at - next)),
                 fabs(next_sum - within(allowed, next_sum)) * inverse_scale * for_sides};
    }
};
struct step_rows {
    COGRAPH_HD void operator()(index_t, double& at, double next, double start, double pull, double& row_sum, double at_start, const progress& now) const {
        at = drawn(2 * next - at, start, now.part);
        row_sum = drawn(pull, at_start, now.part);
    }
};
struct judge {
    COGRAPH_HD void operator()(progress& now, const sums& found) const {
        now.begins_again = 0;
        if (now.since_start == 0) return;
        const double objective = found.objective, dual = found.dual, movement = found.movement;
        const bool is_bounded = dual > -1e300 && dual < 1e300;  // else the gap would be no number, and fmax would leave it out
        const double gap = is_bounded ? fabs(objective - dual) / (1 + fabs(objective) + fabs(dual)) : 1e300;
        now.objective = objective;
        now.error = fmax(gap, found.violation);
        if (now.movement_at_start < 0) now.movement_at_start = movement;
        const bool is_near = movement <= 0.04 * now.movement_at_start;
        const bool is_near_and_turns = movement <= 0.64 * now.movement_at_start && movement > now.last_movement;
        now.begins_again = is_near || is_near_and_turns || now.since_start >= 0.36 * now.iterations;
        now.last_movement = movement;
    }
};
struct count_step {
    COGRAPH_HD void operator()(progress& now) const {
        ++now.since_start;
        ++now.iterations;
        now.stretch = 1 + now.last_part;
        now.last_part = now.part;
        now.part = 1.0 / (now.since_start + 2);
    }
};
/// From what was judged.
struct start_columns {
    COGRAPH_HD void operator()(index_t, double& at, double& start, double next, double& way) const {
        way = next - start;
        at = start = next;
    }
};
struct start_rows {
    COGRAPH_HD void operator()(index_t, double& at, double& start, double next, double& way, double& row_sum, double& at_start, double next_sum) const {
        way = next - start;
        at = start = next;
        row_sum = at_start = next_sum;
    }
};
struct first_activity {
    COGRAPH_HD void operator()(index_t, double& row_sum, double& at_start, const range& of, const lines& matrix, const double* primals) const {
        row_sum = at_start = matrix.times<24>(of, primals);
    }
};
/// The ways of both sides since the start balance them.
struct begin_again {
    COGRAPH_HD void operator()(progress& now, double primal_way, double dual_way) const {
        if (primal_way > 1e-20 && dual_way > 1e-20) now.weight = exp(0.25 * log(dual_way / primal_way) + 0.5 * log(now.weight));
        now.primal_size = step_size / now.weight;
        now.dual_size = step_size * now.weight;
        now.inverse_dual_size = 1 / now.dual_size;
        now.part = 0.5;
        now.last_part = 1;
        now.movement_at_start = -1;
        now.since_start = 0;
        ++now.starts;
    }
};

constexpr auto make_solver() {
    using namespace cograph;
    constexpr auto columns = seq(
        label("columns", transform_reduce(over(x), multiply_column{}, add_sums{})(out(of_all), inout(product[each]), in(product_at_start[each]), in(x_step[each]),
                                                                                  in(reflected[each]), in(cost[each]), in(bounds[each]), in(inverse_column_scale[each]),
                                                                                  in(column_range[each]), in(by_columns), in(y), in(of_rows), extent(y), extent(x), in(state), cost_factor)),
        label("primal step", for_each(over(x), step_columns{})(inout(x[each]), inout(x_step[each]), out(x_next[each]), out(reflected[each]), in(x_start[each]),
                                                               in(product[each]), inout(product_at_start[each]), in(cost[each]), in(bounds[each]), in(state))));
    constexpr auto rows = seq(
        label("rows", for_each(over(y), multiply_row<24>{})(in(y[each]), out(y_next[each]), out(reflected_activity[each]), in(activity[each]), out(next_activity[each]),
                                                        in(sides[each]), in(row_range[each]), in(by_rows), in(reflected), in(state))),
        label("judge rows", for_each(over(y), sums_of_row{})(in(y[each]), in(y_next[each]), in(next_activity[each]), in(sides[each]), in(inverse_row_scale[each]),
                                                             out(of_rows[each]), in(state), side_factor)),
        label("dual step", for_each(over(y), step_rows{})(inout(y[each]), in(y_next[each]), in(y_start[each]), in(reflected_activity[each]), out(activity[each]),
                                                          in(activity_at_start[each]), in(state))),
        single_task(count_step{})(inout(state)));
    constexpr auto again = seq(
        label("start columns", for_each(over(x), start_columns{})(out(x[each]), inout(x_start[each]), in(x_next[each]), out(reflected[each]))),
        dot(out(way_of_columns), in(reflected), in(reflected)),
        label("start rows", for_each(over(y), start_rows{})(out(y[each]), inout(y_start[each]), in(y_next[each]), out(y_way[each]), out(activity[each]),
                                                            out(activity_at_start[each]), in(next_activity[each]))),
        dot(out(way_of_rows), in(y_way), in(y_way)), single_task(begin_again{})(inout(state), in(way_of_columns), in(way_of_rows)));
    return seq(copy(in(x), out(x_start)), copy(in(x), out(x_step)), copy(in(y), out(y_start)), copy(in(y), out(y_next)), fill(out(product), 0.0), fill(out(reflected), 0.0),
               fill(out(product_at_start), 0.0), fill(out(next_activity), 0.0),
               label("first activity", for_each(over(y), first_activity{})(out(activity[each]), out(activity_at_start[each]), in(row_range[each]), in(by_rows), in(x))), fill(out(of_rows), sums{0, 0, 0, 0}),
               label("solve", loop_while(member<&progress::error>(state) > tolerance && member<&progress::iterations>(state) < most_iterations,
                                         seq(columns, label("judge", single_task(judge{})(inout(state), in(of_all))),
                                             when(member<&progress::begins_again>(state) != 0, again, otherwise(rows))),
                                         block_of<256>)));  // threads of larger blocks have too few registers for the state
}
inline constexpr auto solve = make_solver();

}  // namespace lp
