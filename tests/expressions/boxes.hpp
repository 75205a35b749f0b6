// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>

#include <cstdint>
#include <cstdlib>
#include <limits>

// Nodes over boxes, and nodes that see the elements around their own.
namespace expressions::boxes {

using namespace cograph;

using integer = std::int64_t;

inline constexpr struct x : buffer<x, integer> {} x;
inline constexpr struct y : buffer<y, integer> {} y;
inline constexpr struct weight : buffer<weight, integer> {} weight;
inline constexpr struct source : buffer<source, integer> {} source;
inline constexpr struct share : buffer<share, std::int16_t> {} share;
inline constexpr struct z : temp<z, integer, struct x> {} z;
inline constexpr struct change : scalar<change, integer> {} change;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct u : buffer<u, double> {} u;
inline constexpr struct v : buffer<v, double> {} v;
inline constexpr struct greatest : scalar<greatest, double> {} greatest;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct planes : value<planes, int> {} planes;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, index_t> {} columns;
inline constexpr struct passes : value<passes, int> {} passes;

constexpr integer prime = 1009;

// [nodes]
struct relax {
    COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 1> around, integer& to) const {
        if (around.inside(-1, 0) && around.inside(1, 0) && around.inside(0, -1) && around.inside(0, 1))
            to = (around.at(-1, 0) + around.at(1, 0) + around.at(0, -1) + around.at(0, 1) + row * 3 + column) % prime;
        else
            to = *around;  // an edge stays as it is
    }
};
struct difference {
    COGRAPH_HD integer operator()(index_t, index_t, integer a, integer b) const { return a < b ? b - a : a - b; }
};
// [/nodes]
struct take {
    COGRAPH_HD void operator()(index_t, index_t, const integer& from, integer& to) const { to = from; }
};
struct conduct {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<integer, 1, 1> around, integer part, integer more, integer& to) const {
        to = *around;
        if (around.inside(-1, 0) && around.inside(1, 0) && around.inside(0, -1) && around.inside(0, 1))
            to = (*around + part * ((around.at(-1, 0) + around.at(1, 0)) + (around.at(0, -1) + around.at(0, 1))) + more) % prime;
    }
};
struct relax_real {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const {
        const bool is_edge = !around.inside(-1, 0) || !around.inside(1, 0) || !around.inside(0, -1) || !around.inside(0, 1);
        to = is_edge ? *around : ((around.at(-1, 0) + around.at(1, 0)) + (around.at(0, -1) + around.at(0, 1))) / 4;
    }
};
struct change_of_real {
    COGRAPH_HD double operator()(index_t, index_t, double a, double b) const { return a < b ? b - a : a - b; }
};
struct take_real {
    COGRAPH_HD void operator()(index_t, index_t, double from, double& to) const { to = from; }
};
struct wide {
    template <class Near>
    COGRAPH_HD void operator()(index_t row, index_t column, Near const& around, const integer* weights, integer& to) const {
        integer all = *around;
        for (int up = -1; up <= 1; ++up)
            for (int left = -2; left <= 2; ++left) all += around.at_or(7, up, left) * (up * 5 + left + weights[column]);
        to = (all + row) % prime;
    }
};
struct far {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<integer, 2, 2> around, integer& to) const {
        to = (around.at_or(3, -2, 2) + 2 * around.at_or(4, 2, -1) + 5 * around.at_or(1, 0, 2) + around.at_or(8, 1, -2) + *around) % prime;
    }
};
struct corners {
    COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 2> around, integer& to) const {
        to = (around.at_or(1, -1, -2) + 3 * around.at_or(2, 1, 2) + 7 * around.at_or(5, -1, 2) + row * column) % prime;
    }
};
struct add {
    COGRAPH_HD void operator()(index_t, index_t, const integer& more, integer& to) const { to = (to + more) % prime; }
};
struct blur {
    COGRAPH_HD void operator()(index_t at, neighbours<integer, 2> around, integer& to) const {
        to = (*around + (around.inside(-2) ? around[-2] : 1) + around.at_or(at, 2) + around.at_or(3, -1)) % prime;
    }
};
struct rough {
    COGRAPH_HD integer operator()(index_t, neighbours<integer, 1> around) const { return around.inside(1) ? *around - around[1] : 0; }
};
struct larger_of_two {  // as maximum, and one of a user's own
    static constexpr bool in_any_order = true;
    COGRAPH_HD integer operator()(integer a, integer b) const { return a < b ? b : a; }
};
struct cube {
    COGRAPH_HD void operator()(index_t plane, index_t row, index_t column, neighbours<integer, 1, 1, 1> around, integer& to) const {
        to = (around.at_or(1, -1, 0, 0) + around.at_or(2, 1, 0, 0) + around.at_or(3, 0, -1, 0) + around.at_or(4, 0, 1, 0) + around.at_or(5, 0, 0, -1) + around.at_or(6, 0, 0, 1) +
             around.at_or(7, 1, 1, 1) + plane * 100 + row * 10 + column) %
            prime;
    }
};
struct number {
    COGRAPH_HD void operator()(index_t plane, index_t row, index_t column, integer& to) const { to = to + plane * 10000 + row * 100 + column; }
};

struct far_in_space {
    COGRAPH_HD void operator()(index_t plane, index_t row, index_t column, neighbours<integer, 2, 1, 2> around, integer& to) const {
        to = (around.at_or(1, -2, 0, 0) + 2 * around.at_or(2, 2, 1, -2) + 3 * around.at_or(3, 0, -1, 2) + 5 * around.at_or(4, -1, 1, 1) + 7 * around.at_or(5, 1, 0, -1) + *around + plane + row +
              column) %
             prime;
    }
};
struct difference_in_space {
    COGRAPH_HD integer operator()(index_t, index_t, index_t, integer a, integer b) const { return a < b ? b - a : a - b; }
};
struct take_in_space {
    COGRAPH_HD void operator()(index_t, index_t, index_t, const integer& from, integer& to) const { to = from; }
};
struct add_in_space {
    COGRAPH_HD void operator()(index_t, index_t, index_t, const integer& more, integer& to) const { to = (to + more) % prime; }
};

inline std::vector<integer> some_numbers(std::size_t n) {
    std::vector<integer> all(n);
    for (std::size_t at = 0; at < n; ++at) all[at] = static_cast<integer>(at * at % 983);
    return all;
}
inline integer value_at(const std::vector<integer>& of, index_t of_rows, index_t of_columns, index_t row, index_t column, integer otherwise) {
    return row < 0 || row >= of_rows || column < 0 || column >= of_columns ? otherwise : of[static_cast<std::size_t>(row * of_columns + column)];
}
inline std::vector<integer> relaxed(const std::vector<integer>& from, index_t height, index_t width) {
    std::vector<integer> to = from;
    for (index_t r = 1; r + 1 < height; ++r)
        for (index_t c = 1; c + 1 < width; ++c)
            to[static_cast<std::size_t>(r * width + c)] = (value_at(from, height, width, r - 1, c, 0) + value_at(from, height, width, r + 1, c, 0) +
                                                            value_at(from, height, width, r, c - 1, 0) + value_at(from, height, width, r, c + 1, 0) + r * 3 + c) %
                                                           prime;
    return to;
}
inline integer largest_change(const std::vector<integer>& a, const std::vector<integer>& b) {
    integer most = std::numeric_limits<integer>::lowest();
    for (std::size_t at = 0; at < a.size(); ++at) most = std::max(most, std::abs(a[at] - b[at]));
    return most;
}

// What all of them have in common.
struct box_case {
    index_t rows_, columns_;
    std::vector<integer> x_, y_;
    integer change_ = 0;
    int i_ = 0, passes_ = 5;

    box_case(index_t height, index_t width)
        : rows_(height), columns_(width), x_(some_numbers(static_cast<std::size_t>(height * width))), y_(x_.size()) {}
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), change(at(change_)), i(at(i_)), rows(static_cast<int>(rows_)), columns(columns_), passes(passes_));
    }
    bool operator==(const box_case&) const = default;
};

// The largest change decides, then the new values take the old ones' place.
struct jacobi : box_case {
    jacobi() : box_case(37, 53) {}
    jacobi(index_t height, index_t width) : box_case(height, width) {}
    static constexpr auto expression() {
        // [expression]
        constexpr auto all = over(rows, columns);
        constexpr auto iteration = seq(for_each(all, relax{})(in(x[near<1, 1>]), out(y[each])),
                                       transform_reduce(all, difference{}, maximum{})(out(change), in(x[each]), in(y[each])),
                                       for_each(all, take{})(in(y[each]), out(x[each])), assign(i, i + 1));
        // [/expression]
        return seq(assign(i, 0), do_while(iteration, i < passes && change > 0));
    }
    void compute() {
        i_ = 0;
        do {
            y_ = relaxed(x_, rows_, columns_);
            change_ = largest_change(x_, y_);
            x_ = y_;
            ++i_;
        } while (i_ < passes_ && change_ > 0);
    }
};

// The same in every fourth iteration.
struct fourth : box_case {
    fourth() : box_case(37, 53) {}
    fourth(index_t height, index_t width) : box_case(height, width) {}
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        constexpr auto relaxing = for_each(all, relax{})(in(x[near<1, 1>]), out(y[each]));
        constexpr auto taking = for_each(all, take{})(in(y[each]), out(x[each]));
        constexpr auto iteration = seq(repeat(3, seq(relaxing, taking)), relaxing,
                                       transform_reduce(all, difference{}, maximum{})(out(change), in(x[each]), in(y[each])), taking, assign(i, i + 1));
        return seq(assign(i, 0), do_while(iteration, i < passes && change > 0));
    }
    void compute() {
        i_ = 0;
        do {
            for (int pass = 0; pass < 3; ++pass) x_ = relaxed(x_, rows_, columns_);
            y_ = relaxed(x_, rows_, columns_);
            change_ = largest_change(x_, y_);
            x_ = y_;
            ++i_;
        } while (i_ < passes_ && change_ > 0);
    }
};

// With two arrays that are only read: more than have room on chip. Elements of the first are of another type than those that nodes write.
struct conducted : box_case {
    std::vector<std::int16_t> share_;
    std::vector<integer> source_;
    conducted() : conducted(37, 53) {}
    conducted(index_t height, index_t width) : box_case(height, width), source_(some_numbers(x_.size() + 5)) {
        for (const integer number : some_numbers(x_.size() + 3)) share_.push_back(static_cast<std::int16_t>(number));
        share_.erase(share_.begin(), share_.begin() + 3);
        source_.erase(source_.begin(), source_.begin() + 5);
    }
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        constexpr auto conducting = for_each(all, conduct{})(in(x[near<1, 1>]), in(share[each]), in(source[each]), out(y[each]));
        constexpr auto iteration = seq(repeat(3, seq(conducting, copy(in(y), out(x)))), conducting,
                                       transform_reduce(all, difference{}, maximum{})(out(change), in(x[each]), in(y[each])), copy(in(y), out(x)), assign(i, i + 1));
        return seq(assign(i, 0), do_while(iteration, i < passes && change > 0));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple_cat(box_case::bindings(at), std::tuple(share(at(share_)), source(at(source_))));
    }
    void compute() { compute(4); }
    bool operator==(const conducted&) const = default;

protected:
    // So many steps in an iteration.
    void compute(int steps) {
        i_ = 0;
        do {
            for (int step = 0; step < steps; ++step) {
                if (step > 0) x_ = y_;
                for (index_t r = 0; r < rows_; ++r)
                    for (index_t c = 0; c < columns_; ++c) {
                        const auto at = static_cast<std::size_t>(r * columns_ + c), below = static_cast<std::size_t>(columns_);
                        const bool is_edge = r == 0 || c == 0 || r == rows_ - 1 || c == columns_ - 1;
                        y_[at] = is_edge ? x_[at] : (x_[at] + share_[at] * (x_[at - below] + x_[at + below] + x_[at - 1] + x_[at + 1]) + source_[at]) % prime;
                    }
            }
            change_ = largest_change(x_, y_);
            x_ = y_;
            ++i_;
        } while (i_ < passes_ && change_ > 0);
    }
};
// One node reads neighbours: a part of a large box may be on chip.
struct conducted_step_by_step : conducted {
    using conducted::conducted;
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        constexpr auto step = seq(for_each(all, conduct{})(in(x[near<1, 1>]), in(share[each]), in(source[each]), out(y[each])),
                                  transform_reduce(all, difference{}, maximum{})(out(change), in(x[each]), in(y[each])), copy(in(y), out(x)), assign(i, i + 1));
        return seq(assign(i, 0), do_while(step, i < passes && change > 0));
    }
    void compute() { conducted::compute(1); }
    bool operator==(const conducted_step_by_step&) const = default;
};

// Of reals, which change wherever there is no edge. Those at an edge are smaller than most of the others.
struct box_of_reals {
    index_t rows_, columns_;
    std::vector<double> u_, v_;
    double greatest_ = 0;
    int i_ = 0, passes_ = 3;

    box_of_reals(index_t height, index_t width) : rows_(height), columns_(width), u_(static_cast<std::size_t>(height * width)), v_(u_.size()) {
        for (index_t r = 0; r < height; ++r)
            for (index_t c = 0; c < width; ++c) {
                const std::size_t at = static_cast<std::size_t>(r * width + c);
                u_[at] = is_edge(r, c) ? static_cast<double>(at % 7) / 8 : static_cast<double>(at * at % 983) / 280;
            }
    }
    bool is_edge(index_t r, index_t c) const { return r == 0 || c == 0 || r == rows_ - 1 || c == columns_ - 1; }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(u(at(u_)), v(at(v_)), greatest(at(greatest_)), i(at(i_)), rows(static_cast<int>(rows_)), columns(columns_), passes(passes_));
    }
    void relax_four_times() {
        for (int step = 0; step < 4; ++step) {
            v_ = u_;
            for (index_t r = 1; r + 1 < rows_; ++r)
                for (index_t c = 1; c + 1 < columns_; ++c) {
                    const double* const own = &u_[static_cast<std::size_t>(r * columns_ + c)];
                    v_[static_cast<std::size_t>(r * columns_ + c)] = ((own[-columns_] + own[columns_]) + (own[-1] + own[1])) / 4;
                }
            greatest_ = -std::numeric_limits<double>::infinity();
            for (std::size_t at = 0; at < u_.size(); ++at) greatest_ = std::max(greatest_, u_[at] < v_[at] ? v_[at] - u_[at] : u_[at] - v_[at]);
            u_ = v_;
        }
    }
    bool operator==(const box_of_reals&) const = default;
};
// Four steps at a time, of which the last one finds the greatest change.
constexpr auto settle(auto finding_greatest, int least) {
    const auto relaxing = for_each(over(rows, columns), relax_real{})(in(u[near<1, 1>]), out(v[each]));
    const auto taking = copy(in(v), out(u));  // large boxes have large tiles
    const auto iteration = seq(repeat(3, seq(relaxing, taking)), relaxing, finding_greatest(out(greatest), in(u[each]), in(v[each])), taking, assign(i, i + 1));
    return seq(assign(i, 0), do_while(iteration, i < passes && greatest >= least));
}
struct settled : box_of_reals {
    settled() : box_of_reals(37, 53) {}
    settled(index_t height, index_t width) : box_of_reals(height, width) {}
    static constexpr auto expression() { return settle(transform_reduce(over(rows, columns), change_of_real{}, maximum{}), 0); }
    void compute() {
        for (i_ = 0; i_ < passes_; ++i_) relax_four_times();
    }
};
// Words do not tell the result of a program's own operation.
struct larger_of_reals {
    static constexpr bool in_any_order = true;
    COGRAPH_HD double operator()(double a, double b) const { return a < b ? b : a; }
};
// Less than zero, so that a zero in place of a term is found.
struct change_below_zero {
    COGRAPH_HD double operator()(index_t row, index_t column, double a, double b) const { return change_of_real{}(row, column, a, b) - 100; }
};
struct settled_by_function : settled {
    using settled::settled;
    static constexpr auto expression() { return settle(transform_reduce(over(rows, columns), change_below_zero{}, larger_of_reals{}, -200.0), -100); }
    void compute() {
        settled::compute();
        greatest_ -= 100;
    }
};
// Some boxes reach the limit before the last pass.
struct tested_rarely : box_of_reals {
    static constexpr double limit = 2.1;
    tested_rarely() : tested_rarely(37, 53) {}
    tested_rarely(index_t height, index_t width) : box_of_reals(height, width) {}
    static constexpr auto expression() {
        constexpr auto relaxing = for_each(over(rows, columns), relax_real{})(in(u[near<1, 1>]), out(v[each]));
        return seq(assign(i, 0), assign(greatest, limit), do_while(seq(relaxing, copy(in(v), out(u)), assign(i, i + 1)), i < 3 * passes && max_abs(u) > greatest, check_every<4>));
    }
    void compute() {
        i_ = 0;
        do {
            relax_four_times();
            i_ += 4;
            greatest_ = limit;
        } while (i_ < 3 * passes_ && *std::max_element(u_.begin(), u_.end()) > limit);
    }
};

// There and back, without a decision on what is computed.
struct there_and_back : box_case {
    there_and_back() : box_case(130, 70) {}
    there_and_back(index_t height, index_t width) : box_case(height, width) {}
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        return seq(assign(i, 0), fill(out(change), integer{3}),
                   loop_while(i < passes, seq(for_each(all, relax{})(in(x[near<1, 1>]), out(y[each])), for_each(all, relax{})(in(y[near<1, 1>]), out(x[each])),
                                              assign(i, i + 1))));
    }
    void compute() {
        change_ = 3;
        for (i_ = 0; i_ < passes_; ++i_) {
            y_ = relaxed(x_, rows_, columns_);
            x_ = relaxed(y_, rows_, columns_);
        }
    }
};
// The second node tells how much it changes.
struct relax_and_tell {
    COGRAPH_HD integer operator()(index_t row, index_t column, neighbours<integer, 1, 1> around, integer& to) const {
        relax{}(row, column, around, to);
        return difference{}(row, column, *around, to);
    }
};
struct there_and_told : there_and_back {
    using there_and_back::there_and_back;
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        return seq(assign(i, 0), do_while(seq(for_each(all, relax{})(in(x[near<1, 1>]), out(y[each])),
                                              transform_reduce(all, relax_and_tell{}, maximum{})(out(change), in(y[near<1, 1>]), out(x[each])), assign(i, i + 1)),
                                          change > 0 && i < passes));
    }
    void compute() {
        i_ = 0;
        do {
            y_ = relaxed(x_, rows_, columns_);
            x_ = relaxed(y_, rows_, columns_);
            change_ = 0;
            for (std::size_t at = 0; at < x_.size(); ++at) change_ = std::max(change_, difference{}(0, 0, x_[at], y_[at]));
            ++i_;
        } while (change_ > 0 && i_ < passes_);
    }
};

// Two variables that change each other: neighbours of both decide on the first, the second needs elements of the first only. The largest change of the first ends it.
inline constexpr struct next_x : buffer<next_x, integer> {} next_x;
inline constexpr struct next_y : buffer<next_y, integer> {} next_y;
struct react {
    COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 1> first, neighbours<integer, 1, 1> second, integer& to) const {
        to = (5 * *first + first.at_or(7, -1, -1) + 2 * first.at_or(8, 0, 1) + 3 * second.at_or(9, 1, 1) + second.at_or(11, -1, 0) + row * 3 + column) % prime;
    }
};
struct react_alone {
    COGRAPH_HD void operator()(index_t row, index_t, integer first, neighbours<integer, 1, 1> second, integer& to) const {
        to = (first + 3 * *second + second.at_or(7, 0, -1) + 2 * second.at_or(8, 1, -1) + second.at_or(9, 1, 0) + row) % prime;
    }
};
struct reacting : box_case {
    std::vector<integer> next_x_, next_y_;
    reacting() : reacting(37, 53) {}
    reacting(index_t height, index_t width) : box_case(height, width), next_x_(x_.size()), next_y_(x_.size()) { y_ = some_numbers(x_.size()); }
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        constexpr auto step = seq(for_each(all, react{})(in(x[near<1, 1>]), in(y[near<1, 1>]), out(next_x[each])), for_each(all, react_alone{})(in(x[each]), in(y[near<1, 1>]), out(next_y[each])));
        return seq(assign(i, 0), do_while(seq(step, transform_reduce(all, difference{}, maximum{})(out(change), in(x[each]), in(next_x[each])), copy(in(next_y), out(y)), copy(in(next_x), out(x)),
                                              assign(i, i + 1)),
                                          i < passes && change > 0));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple_cat(box_case::bindings(at), std::tuple(next_x(at(next_x_)), next_y(at(next_y_))));
    }
    integer react_alone_at(index_t r, index_t c) const {
        const auto of_y = [&](index_t row, index_t column, integer otherwise) { return value_at(y_, rows_, columns_, row, column, otherwise); };
        const auto at = static_cast<std::size_t>(r * columns_ + c);
        return (x_[at] + 3 * y_[at] + of_y(r, c - 1, 7) + 2 * of_y(r + 1, c - 1, 8) + of_y(r + 1, c, 9) + r) % prime;
    }
    void compute() {
        i_ = 0;
        do {
            for (index_t r = 0; r < rows_; ++r)
                for (index_t c = 0; c < columns_; ++c) {
                    const auto at = static_cast<std::size_t>(r * columns_ + c);
                    const auto of = [&](const std::vector<integer>& all, index_t row, index_t column, integer otherwise) { return value_at(all, rows_, columns_, row, column, otherwise); };
                    next_x_[at] = (5 * x_[at] + of(x_, r - 1, c - 1, 7) + 2 * of(x_, r, c + 1, 8) + 3 * of(y_, r + 1, c + 1, 9) + of(y_, r - 1, c, 11) + r * 3 + c) % prime;
                    next_y_[at] = react_alone_at(r, c);
                }
            change_ = largest_change(x_, next_x_);
            x_ = next_x_;
            y_ = next_y_;
            ++i_;
        } while (i_ < passes_ && change_ > 0);
    }
    bool operator==(const reacting&) const = default;
};

// The same with neighbours that are up to two rows or columns away.
struct react_from_afar {
    COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 2, 1> first, neighbours<integer, 1, 2> second, integer& to) const {
        to = (2 * *first + first.at_or(7, -2, 1) + 3 * first.at_or(8, 2, -1) + first.at_or(9, 1, 0) + second.at_or(11, 1, 2) + 2 * second.at_or(12, -1, -2) + row + column * 5) % prime;
    }
};
struct reacting_from_afar : reacting {
    using reacting::reacting;
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        constexpr auto step = seq(for_each(all, react_from_afar{})(in(x[near<2, 1>]), in(y[near<1, 2>]), out(next_x[each])), for_each(all, react_alone{})(in(x[each]), in(y[near<1, 1>]), out(next_y[each])));
        return seq(fill(out(change), integer{0}), assign(i, 0), loop_while(i < passes, seq(step, copy(in(next_x), out(x)), copy(in(next_y), out(y)), assign(i, i + 1))));
    }
    void compute() {
        change_ = 0;
        for (i_ = 0; i_ < passes_; ++i_) {
            for (index_t r = 0; r < rows_; ++r)
                for (index_t c = 0; c < columns_; ++c) {
                    const auto at = static_cast<std::size_t>(r * columns_ + c);
                    const auto of = [&](const std::vector<integer>& all, index_t row, index_t column, integer otherwise) { return value_at(all, rows_, columns_, row, column, otherwise); };
                    next_x_[at] = (2 * x_[at] + of(x_, r - 2, c + 1, 7) + 3 * of(x_, r + 2, c - 1, 8) + of(x_, r + 1, c, 9) + of(y_, r + 1, c + 2, 11) + 2 * of(y_, r - 1, c - 2, 12) + r + c * 5) % prime;
                    next_y_[at] = react_alone_at(r, c);
                }
            x_ = next_x_;
            y_ = next_y_;
        }
    }
};

// A wave: a step needs the one before it, too.
struct wave {
    COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 1> now, integer before, integer& to) const {
        to = (3 * *now + now.at_or(7, -1, 1) + now.at_or(8, 1, 0) + 2 * now.at_or(9, 0, -1) + 4 * before + row + column) % prime;
    }
};
struct waving : box_case {
    std::vector<integer> next_x_;
    waving() : waving(37, 53) {}
    waving(index_t height, index_t width) : box_case(height, width), next_x_(x_.size()) { y_ = some_numbers(x_.size()); }
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        return seq(assign(i, 0), loop_while(i < passes, seq(for_each(all, wave{})(in(x[near<1, 1>]), in(y[each]), out(next_x[each])), transform_reduce(all, difference{}, maximum{})(out(change), in(x[each]), in(next_x[each])),
                                                            copy(in(x), out(y)), copy(in(next_x), out(x)), assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple_cat(box_case::bindings(at), std::tuple(next_x(at(next_x_))));
    }
    void compute() {
        for (i_ = 0; i_ < passes_; ++i_) {
            for (index_t r = 0; r < rows_; ++r)
                for (index_t c = 0; c < columns_; ++c) {
                    const auto at = static_cast<std::size_t>(r * columns_ + c);
                    const auto of = [&](index_t row, index_t column, integer otherwise) { return value_at(x_, rows_, columns_, row, column, otherwise); };
                    next_x_[at] = (3 * x_[at] + of(r - 1, c + 1, 7) + of(r + 1, c, 8) + 2 * of(r, c - 1, 9) + 4 * y_[at] + r + c) % prime;
                }
            change_ = largest_change(x_, next_x_);
            y_ = x_;
            x_ = next_x_;
        }
    }
    bool operator==(const waving&) const = default;
};

// A branch, a temp, several reductions and memory that stays where it is, over a box whose sides are extents; with corners.
struct branching {
    index_t rows_, columns_;
    std::vector<integer> x_, weight_;
    integer change_ = 0, sum_ = 0, identity_ = 0;
    int i_ = 0, passes_ = 6;

    branching() : branching(41, 67) {}
    branching(index_t height, index_t width)
        : rows_(height), columns_(width), x_(some_numbers(static_cast<std::size_t>(height * width))), weight_(some_numbers(static_cast<std::size_t>(width))) {}
    static constexpr auto with_identity(integer identity) {
        constexpr auto all = over<extent(x) / max(extent(weight), 1), extent(weight)>();
        return seq(assign(i, 0), fill(out(sum), integer{0}),
                   repeat(passes, seq(for_each(all, wide{})(in(x[near<1, 2>]), in(weight), out(z[each])),
                                      when(i % 2 == 0, seq(transform_reduce(all, difference{}, plus{}, identity)(out(sum), in(x[each]), in(z[each])),
                                                           transform_reduce(all, difference{}, larger_of_two{}, integer{0})(out(change), in(x[each]), in(z[each])))),
                                      for_each(all, take{})(in(z[each]), out(x[each])), assign(i, i + 1))));
    }
    static constexpr auto expression() { return with_identity(0); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), weight(at(weight_)), change(at(change_)), sum(at(sum_)), i(at(i_)), passes(passes_));
    }
    void compute() {
        sum_ = 0;
        for (i_ = 0; i_ < passes_; ++i_) {
            std::vector<integer> next = x_;
            for (index_t r = 0; r < rows_; ++r)
                for (index_t c = 0; c < columns_; ++c) {
                    integer all = value_at(x_, rows_, columns_, r, c, 0);
                    for (int up = -1; up <= 1; ++up)
                        for (int left = -2; left <= 2; ++left)
                            all += value_at(x_, rows_, columns_, r + up, c + left, 7) * (up * 5 + left + weight_[static_cast<std::size_t>(c)]);
                    next[static_cast<std::size_t>(r * columns_ + c)] = (all + r) % prime;
                }
            if (i_ % 2 == 0) {
                const core::reduce_layout layout(static_cast<index_t>(x_.size()));
                sum_ = identity_ * layout.lanes * (layout.chunks > 1 ? layout.chunks + 1 : 1);  // joined by each thread of each chunk, and of the last step
                for (std::size_t at = 0; at < x_.size(); ++at) sum_ += std::abs(x_[at] - next[at]);
                change_ = largest_change(x_, next);
            }
            x_ = next;
        }
    }
    bool operator==(const branching&) const = default;
};
// The type of its expression is that of branching's. Such a loop keeps no tiles.
struct counting_the_identity : branching {
    counting_the_identity(index_t height, index_t width) : branching(height, width) { identity_ = 5; }
    counting_the_identity() : counting_the_identity(41, 67) {}
    static constexpr auto expression() { return with_identity(5); }
};

// Written again before neighbours read it, and read up to two rows and columns away, some times only.
struct rewritten : box_case {
    rewritten() : box_case(71, 66) {}
    rewritten(index_t height, index_t width) : box_case(height, width) {}
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        return seq(assign(i, 0), fill(out(change), integer{4}),
                   repeat(passes, seq(for_each(all, far{})(in(x[near<2, 2>]), out(y[each])), for_each(all, take{})(in(y[each]), out(x[each])),
                                                    when(i % 2 == 1, for_each(all, corners{})(in(x[near<1, 2>]), out(y[each]))), for_each(all, add{})(in(y[each]), inout(x[each])),
                                                    assign(i, i + 1))));
    }
    void compute() {
        const auto of = [&](index_t r, index_t c, integer otherwise) { return value_at(x_, rows_, columns_, r, c, otherwise); };
        const auto for_all = [&](auto f) {
            std::vector<integer> to(x_.size());
            for (index_t r = 0; r < rows_; ++r)
                for (index_t c = 0; c < columns_; ++c) to[static_cast<std::size_t>(r * columns_ + c)] = f(r, c);
            return to;
        };
        change_ = 4;
        for (i_ = 0; i_ < passes_; ++i_) {
            y_ = for_all([&](index_t r, index_t c) { return (of(r - 2, c + 2, 3) + 2 * of(r + 2, c - 1, 4) + 5 * of(r, c + 2, 1) + of(r + 1, c - 2, 8) + of(r, c, 0)) % prime; });
            x_ = y_;
            if (i_ % 2 == 1) y_ = for_all([&](index_t r, index_t c) { return (of(r - 1, c - 2, 1) + 3 * of(r + 1, c + 2, 2) + 7 * of(r - 1, c + 2, 5) + r * c) % prime; });
            for (std::size_t at = 0; at < x_.size(); ++at) x_[at] = (x_[at] + y_[at]) % prime;
        }
    }
};

// One dimension.
struct line {
    std::vector<integer> x_, y_;
    integer change_ = 0;
    int passes_ = 4;

    line() : line(3'000) {}
    explicit line(std::size_t n) : x_(some_numbers(n)), y_(n) {}
    static constexpr auto expression() {
        return repeat(passes, seq(for_each(over(x), blur{})(in(x[near<2>]), out(y[each])), transform_reduce(over(x), rough{}, larger_of_two{}, std::numeric_limits<integer>::lowest())(out(change), x[near<1>]),
                                  copy(in(y), out(x))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), change(at(change_)), passes(passes_));
    }
    void compute() {
        const index_t n = static_cast<index_t>(x_.size());
        for (int pass = 0; pass < passes_; ++pass) {
            change_ = std::numeric_limits<integer>::lowest();
            for (index_t at = 0; at < n; ++at) {
                y_[static_cast<std::size_t>(at)] = (x_[static_cast<std::size_t>(at)] + value_at(x_, 1, n, 0, at - 2, 1) + value_at(x_, 1, n, 0, at + 2, at) +
                                                   value_at(x_, 1, n, 0, at - 1, 3)) %
                                                  prime;
                change_ = std::max(change_, at + 1 < n ? x_[static_cast<std::size_t>(at)] - x_[static_cast<std::size_t>(at + 1)] : 0);
            }
            x_ = y_;
        }
    }
    bool operator==(const line&) const = default;
};

// Three dimensions; sides that the compiler knows, and an index in place of neighbours.
struct space {
    int planes_ = 5;
    index_t rows_, columns_;
    std::vector<integer> x_, y_;
    std::vector<integer> weight_ = some_numbers(2 * 3 * 4);
    int passes_ = 3;

    space() : space(6, 7) {}
    space(index_t height, index_t width)
        : rows_(height), columns_(width), x_(some_numbers(static_cast<std::size_t>(5 * height * width))), y_(x_.size()) {}
    static constexpr auto expression() {
        constexpr auto all = over(planes, rows, columns);
        return repeat(passes, seq(for_each(all, cube{})(in(x[near<1, 1, 1>]), out(y[each])), for_each(all.block(20), cube{})(in(y[near<1, 1, 1>]), out(x[each])),
                                  for_each(over<2, 3, 4>().block(64), number{})(inout(weight[each]))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), weight(at(weight_)), planes(planes_), rows(static_cast<int>(rows_)), columns(columns_), passes(passes_));
    }
    integer at_or(const std::vector<integer>& of, integer otherwise, index_t p, index_t r, index_t c) const {
        return p < 0 || p >= planes_ ? otherwise : r < 0 || r >= rows_ ? otherwise : value_at(of, planes_ * rows_, columns_, p * rows_ + r, c, otherwise);
    }
    std::vector<integer> cubed(const std::vector<integer>& of) const {
        std::vector<integer> to = of;
        for (index_t p = 0; p < planes_; ++p)
            for (index_t r = 0; r < rows_; ++r)
                for (index_t c = 0; c < columns_; ++c)
                    to[static_cast<std::size_t>((p * rows_ + r) * columns_ + c)] =
                        (at_or(of, 1, p - 1, r, c) + at_or(of, 2, p + 1, r, c) + at_or(of, 3, p, r - 1, c) + at_or(of, 4, p, r + 1, c) + at_or(of, 5, p, r, c - 1) +
                         at_or(of, 6, p, r, c + 1) + at_or(of, 7, p + 1, r + 1, c + 1) + p * 100 + r * 10 + c) %
                        prime;
        return to;
    }
    void compute() {
        for (int pass = 0; pass < passes_; ++pass) {
            y_ = cubed(x_);
            x_ = cubed(y_);
            for (index_t p = 0; p < 2; ++p)
                for (index_t r = 0; r < 3; ++r)
                    for (index_t c = 0; c < 4; ++c) weight_[static_cast<std::size_t>((p * 3 + r) * 4 + c)] += p * 10000 + r * 100 + c;
        }
    }
    bool operator==(const space&) const = default;
};

// Three dimensions on chip: a maximum in each iteration, a branch with neighbours up to two planes and columns away, and a write after it.
struct room : space {
    integer change_ = 0;
    int i_ = 0;

    room() : room(6, 7) {}
    room(index_t height, index_t width) : room(5, height, width) {}
    room(int depth, index_t height, index_t width) : space(height, width) {
        planes_ = depth;
        x_ = some_numbers(static_cast<std::size_t>(depth * height * width));
        y_.assign(x_.size(), 0);
    }
    static constexpr auto expression() {
        constexpr auto all = over(planes, rows, columns);
        constexpr auto once = seq(for_each(all.block(100), cube{})(in(x[near<1, 1, 1>]), out(y[each])), transform_reduce(all, difference_in_space{}, maximum{})(out(change), in(x[each]), in(y[each])),
                                  for_each(all, take_in_space{})(in(y[each]), out(x[each])));
        constexpr auto sometimes = seq(for_each(all, far_in_space{})(in(x[near<2, 1, 2>]), out(y[each])), for_each(all, add_in_space{})(in(y[each]), inout(x[each])));
        return seq(assign(i, 0), do_while(seq(once, when(i % 2 == 1, sometimes), assign(i, i + 1)), i < passes && change > 0));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), change(at(change_)), i(at(i_)), planes(planes_), rows(static_cast<int>(rows_)), columns(columns_), passes(passes_));
    }
    void compute() {
        i_ = 0;
        do {
            y_ = cubed(x_);
            change_ = largest_change(x_, y_);
            x_ = y_;
            if (i_ % 2 == 1) {
                const auto of = [&](integer otherwise, index_t p, index_t r, index_t c) { return at_or(x_, otherwise, p, r, c); };
                for (index_t p = 0; p < planes_; ++p)
                    for (index_t r = 0; r < rows_; ++r)
                        for (index_t c = 0; c < columns_; ++c)
                            y_[static_cast<std::size_t>((p * rows_ + r) * columns_ + c)] = (of(1, p - 2, r, c) + 2 * of(2, p + 2, r + 1, c - 2) + 3 * of(3, p, r - 1, c + 2) + 5 * of(4, p - 1, r + 1, c + 1) +
                                                                                            7 * of(5, p + 1, r, c - 1) + of(0, p, r, c) + p + r + c) %
                                                                                           prime;
                for (std::size_t at = 0; at < x_.size(); ++at) x_[at] = (x_[at] + y_[at]) % prime;
            }
            ++i_;
        } while (i_ < passes_ && change_ > 0);
    }
    bool operator==(const room&) const = default;
};

using of_two_dimensions = std::tuple<jacobi, fourth, settled, tested_rarely, there_and_back, branching, rewritten, space, room>;

}  // namespace expressions::boxes
