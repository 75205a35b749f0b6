// SPDX-License-Identifier: Apache-2.0
#pragma once

// Problems: made ones whose solution is known, and matrices in the order that the steps take.

#include "mps.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace lp {

/// So many rows and columns, and so many entries in each column, with a known best value.
struct made_problem {
    problem of;
    double best;
};
inline made_problem make_problem(int rows, int columns, int in_each_column) {
    std::mt19937_64 random(20);
    const auto number = [&](double from, double to) { return from + (to - from) * static_cast<double>(random() >> 11) * 0x1p-53; };
    made_problem made;
    problem& p = made.of;
    std::vector<double> x(static_cast<std::size_t>(columns)), activity(static_cast<std::size_t>(rows)), y(static_cast<std::size_t>(rows));
    for (int j = 0; j < columns; ++j) {
        x[static_cast<std::size_t>(j)] = j % 3 == 0 ? 0 : number(0.5, 2);
        for (int k = 0; k < in_each_column; ++k) {
            const int row = k == 0 ? j % rows : static_cast<int>(random() % static_cast<unsigned>(rows));
            p.entries.push_back({row, j, number(-1, 1)});
            activity[static_cast<std::size_t>(row)] += p.entries.back().value * x[static_cast<std::size_t>(j)];
        }
    }
    // A third of the rows are equations, a third hold with equality, and the rest leave room.
    for (int i = 0; i < rows; ++i) {
        const double at = activity[static_cast<std::size_t>(i)];
        const bool leaves_room = i % 3 == 2;
        y[static_cast<std::size_t>(i)] = leaves_room ? 0 : i % 3 == 1 ? number(-1, -0.1) : number(-1, 1);
        p.rows.push_back(i % 3 == 0 ? interval{at, at} : leaves_room ? interval{at - number(0.5, 1), infinity} : interval{at, infinity});
    }
    // The dual solution makes the cost: zero slopes where x is inside its bounds, positive ones where it is at the lower one.
    p.cost.resize(static_cast<std::size_t>(columns));
    p.columns.assign(static_cast<std::size_t>(columns), {0, 10});
    for (const entry& of : p.entries) p.cost[static_cast<std::size_t>(of.column)] -= of.value * y[static_cast<std::size_t>(of.row)];
    made.best = 0;
    for (int j = 0; j < columns; ++j) {
        if (j % 3 == 0) p.cost[static_cast<std::size_t>(j)] += number(0.1, 1);
        made.best += p.cost[static_cast<std::size_t>(j)] * x[static_cast<std::size_t>(j)];
    }
    return made;
}

/// A problem whose rows and columns are scaled so that no step is too long, and by what.
struct scaled_problem {
    problem of;
    std::vector<double> row_scale, column_scale;
};
inline scaled_problem scale(problem p) {
    const std::size_t rows = p.rows.size(), columns = p.cost.size();
    scaled_problem scaled{{}, std::vector<double>(rows, 1), std::vector<double>(columns, 1)};
    constexpr int rounds = 10;  // by the largest entries, and once more by sums, after which no singular value is above 1
    for (int round = 0; round <= rounds; ++round) {
        std::vector<double> of_rows(rows), of_columns(columns);
        for (const entry& e : p.entries) {
            double& of_row = of_rows[static_cast<std::size_t>(e.row)];
            double& of_column = of_columns[static_cast<std::size_t>(e.column)];
            const double size = std::fabs(e.value);
            of_row = round == rounds ? of_row + size : std::max(of_row, size);
            of_column = round == rounds ? of_column + size : std::max(of_column, size);
        }
        for (double& of : of_rows) of = of == 0 ? 1 : 1 / std::sqrt(of);
        for (double& of : of_columns) of = of == 0 ? 1 : 1 / std::sqrt(of);
        for (entry& e : p.entries) e.value *= of_rows[static_cast<std::size_t>(e.row)] * of_columns[static_cast<std::size_t>(e.column)];
        for (std::size_t i = 0; i < rows; ++i) scaled.row_scale[i] *= of_rows[i];
        for (std::size_t j = 0; j < columns; ++j) scaled.column_scale[j] *= of_columns[j];
    }
    for (std::size_t i = 0; i < rows; ++i) p.rows[i] = {p.rows[i].lower * scaled.row_scale[i], p.rows[i].upper * scaled.row_scale[i]};
    for (std::size_t j = 0; j < columns; ++j) {
        p.cost[j] *= scaled.column_scale[j];
        p.columns[j] = {p.columns[j].lower / scaled.column_scale[j], p.columns[j].upper / scaled.column_scale[j]};
    }
    scaled.of = std::move(p);
    return scaled;
}

/// Fills a matrix by rows, or by columns.
template <class Ranges, class Ints, class Reals>
void fill_lines(const problem& p, bool by_columns, Ranges& ranges, Ints& indices, Reals& values) {
    const std::size_t count = by_columns ? p.cost.size() : p.rows.size();
    const auto line_of = [&](const entry& e) { return static_cast<std::size_t>(by_columns ? e.column : e.row); };
    for (std::size_t i = 0; i < count; ++i) ranges[i].end = 0;
    for (const entry& e : p.entries) ++ranges[line_of(e)].end;
    int next = 0;
    for (std::size_t i = 0; i < count; ++i) {
        ranges[i].begin = next;
        next += ranges[i].end;
        ranges[i].end = ranges[i].begin;
    }
    for (const entry& e : p.entries) {
        const auto at = static_cast<std::size_t>(ranges[line_of(e)].end++);
        indices[at] = by_columns ? e.row : e.column;
        values[at] = e.value;
    }
}

}  // namespace lp
