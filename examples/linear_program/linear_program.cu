// SPDX-License-Identifier: Apache-2.0

// Linear programs, read from an MPS file or made, by primal-dual hybrid gradients. The solver's state is one struct, whose members the loop's
// predicate reads; one pass over the rows and one over the columns give all that it is judged by; and all of it is one kernel.

#include "../anywhere.hpp"
#include "../command_line.hpp"
#include "problem.hpp"
#include "steps.hpp"

#include <cstdio>

namespace lp {

struct options {
    const char* file = nullptr;
    int rows = 300, columns = 400, in_each_column = 6, most = 200'000;
    double tolerance = 1e-6;
};

constexpr const char* usage =
    R"(usage: linear_program [--file NAME] [--rows N] [--columns N] [--entries N] [--tolerance T] [--most N]
  --file NAME    an MPS file (free format); without one, a problem is made:
  --rows N       with so many constraints, 1 to 1e6 (default 300)
  --columns N    variables, 1 to 1e6 (default 400)
  --entries N    and entries in each column, 1 to 100 (default 6)
  --tolerance T  the relative error at which it ends, 1e-12 to 1 (default 1e-6)
  --most N       iterations at most (default 200000)
)";

options parse(int argc, char** argv) {
    options chosen;
    command_line::read(argc, argv,
                       {{"--file", chosen.file}, {"--rows", 1, 1e6, chosen.rows}, {"--columns", 1, 1e6, chosen.columns},
                        {"--entries", 1, 100, chosen.in_each_column}, {"--tolerance", 1e-12, 1, chosen.tolerance}, {"--most", 1, 1e9, chosen.most}});
    return chosen;
}

struct device_lines {
    anywhere::array<range> ranges;
    anywhere::array<int> indices;
    anywhere::array<double> values;

    device_lines(const problem& p, bool columns)
        : ranges(columns ? p.cost.size() : p.rows.size()), indices(p.entries.size()), values(p.entries.size()) {
        fill_lines(p, columns, ranges, indices, values);
    }
    lines view() const { return {indices.data(), values.data()}; }
};
template <class T>
anywhere::array<T> array_of(const std::vector<T>& numbers) {
    anywhere::array<T> made(numbers.size());
    std::copy(numbers.begin(), numbers.end(), made.data());
    return made;
}
anywhere::array<double> inverses_of(const std::vector<double>& numbers) {
    anywhere::array<double> made(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) made[i] = 1 / numbers[i];
    return made;
}
template <class T, class F>
double largest(const std::vector<T>& of, F size) {
    double most = 0;
    for (const T& one : of)
        if (std::isfinite(size(one))) most = std::max(most, std::fabs(size(one)));
    return most;
}

int run(const options& chosen) {
    made_problem made{{}, 0};
    if (chosen.file) {
        std::ifstream in(chosen.file);
        if (!in || in.peek() == std::ifstream::traits_type::eof())
            throw command_line::usage_error("cannot read " + std::string(chosen.file).substr(0, 80));
        made.of = mps_reader(chosen.file).read(in);
    } else {
        made = make_problem(chosen.rows, chosen.columns, chosen.in_each_column);
    }
    const problem& p = made.of;
    const double most_side = std::max(largest(p.rows, [](const interval& of) { return of.lower; }), largest(p.rows, [](const interval& of) { return of.upper; }));
    const double most_cost = largest(p.cost, [](double of) { return of; });
    const scaled_problem scaled = scale(p);
    const device_lines rows(scaled.of, false), columns(scaled.of, true);
    const anywhere::array<double> costs = array_of(scaled.of.cost), primal(costs.size()), next(costs.size()), column_scales = inverses_of(scaled.column_scale);
    const anywhere::array<double> dual(p.rows.size()), next_dual(p.rows.size()), row_scales = inverses_of(scaled.row_scale);
    const anywhere::array<interval> box = array_of(scaled.of.columns), allowed = array_of(scaled.of.rows);
    const anywhere::array<progress> now(1);
    now[0] = {};
    for (std::size_t j = 0; j < primal.size(); ++j) primal[j] = within(box[j], 0);

    anywhere::run(solve, by_rows(rows.view()), row_range(rows.ranges.span()), by_columns(columns.view()), column_range(columns.ranges.span()), x(primal.span()), x_next(next.span()), cost(costs.span()), bounds(box.span()),
                  inverse_column_scale(column_scales.span()), y(dual.span()), y_next(next_dual.span()), sides(allowed.span()), inverse_row_scale(row_scales.span()), state(now.data()),
                  tolerance(chosen.tolerance), most_iterations(chosen.most), cost_factor(1 / (1 + most_cost)), side_factor(1 / (1 + most_side)));

    const progress& end = now[0];
    const double objective = (p.maximizes ? -1 : 1) * (end.objective + p.constant);
    std::printf("%zu rows, %zu columns, %zu entries (%s)\n", p.rows.size(), p.cost.size(), p.entries.size(), anywhere::way_to_run());
    std::printf("objective %.8g after %d iterations and %d starts, error %.2g\n", objective, end.iterations, end.starts, end.error);
    if (!(end.error <= chosen.tolerance)) throw std::runtime_error("found no solution in as many iterations");
    if (!chosen.file && !(std::fabs(end.objective - made.best) <= 10 * chosen.tolerance * (1 + std::fabs(made.best))))
        throw std::runtime_error("the objective is not the best one");
    return 0;
}

}  // namespace lp

int main(int argc, char** argv) {
    return command_line::run("linear_program", lp::usage, [&] { return lp::run(lp::parse(argc, argv)); });
}
