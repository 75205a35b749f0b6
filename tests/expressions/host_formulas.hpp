// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

// Formulas over extents and values as arguments of nodes of every kind, in loops and branches however they are lowered.
namespace expressions::host_formulas {

using namespace cograph;

inline constexpr struct x : buffer<x, std::int64_t> {} x;
inline constexpr struct y : buffer<y, std::int64_t> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct t : temp<t, std::int64_t, elements<2 * extent(x)>> {} t;
inline constexpr struct inner : temp<inner, std::int64_t, elements<extent(x) - 1>> {} inner;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct sum : scalar<sum, std::int64_t> {} sum;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct part : value<part, double> {} part;

constexpr std::int64_t modulus = 1009;

// The next element, and of the last the first.
struct turn {
    COGRAPH_HD void operator()(index_t at, const std::int64_t* from, std::int64_t& to, int last) const { to = from[at < last ? at + 1 : 0]; }
};
struct mix {
    COGRAPH_HD void operator()(index_t at, std::int64_t& value, auto by, bool twice) const {
        value = (3 * value + at + static_cast<std::int64_t>(by) * (twice ? 2 : 1)) % modulus;
    }
};
struct note {
    COGRAPH_HD void operator()(std::int64_t* log, const std::int64_t& what, unsigned char at, std::int64_t by) const {
        log[at] = (5 * log[at] + what + by) % modulus;
    }
};
struct add_to {
    COGRAPH_HD void operator()(std::int64_t& to, std::int64_t by) const { to = (to + by) % modulus; }
};
struct weigh {
    COGRAPH_HD std::int64_t operator()(index_t, const std::int64_t& value, const short& by) const { return value * by; }
};
struct is_below {
    COGRAPH_HD bool operator()(const std::int64_t& value, std::uint64_t limit) const { return value < static_cast<std::int64_t>(limit); }
};

struct sum_up_to {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const std::int64_t* from, std::int64_t& to, auto last) const {
        to = group.transform_reduce(last - row, [&](index_t k) { return from[row + k]; }, plus{}, std::int64_t{0});
    }
};
struct is_before {
    COGRAPH_HD bool operator()(const int& pass, signed char limit) const { return pass < limit; }
};

template <class T>
DEFINE_TEST_KERNEL void add_up(const T* from, double* to, int count, float by, const bool from_first, std::uint8_t more) {
    const index_t at = thread_number();
    if (at < count) to[at] += static_cast<double>(from[from_first ? 0 : at]) * by + more;
}
template <class T>
void add_up_on_host(const T* from, double* to, int count, float by, const bool from_first, std::uint8_t more) {
    for (int at = 0; at < count; ++at) to[at] += static_cast<double>(from[from_first ? 0 : at]) * by + more;
}

struct every_node {
    std::vector<std::int64_t> x_ = {1, 2, 3, 4, 5, 6, 7}, y_ = {8, 9, 10, 11};
    std::vector<double> z_ = std::vector<double>(7);
    std::int64_t sum_ = 0;
    int j_ = 0;

    static constexpr auto expression() {
        return seq(fill(out(t), n - 7 * extent(y)), for_each(over(x), turn{})(in(x), inout(t[each]), extent(x) - 1), fill(out(z), 0.75 * n),
                   for_each(over(x), turn{})(in(t), out(x[each]), extent(x) - 3), for_each(over(x), mix{})(inout(x[each]), extent(t) % 5, n > 2),
                   for_each(over(y), mix{})(inout(y[each]), part * extent(y), n > 3 || extent(x) < extent(y)),
                   kernel<add_up<std::int64_t>, add_up_on_host<std::int64_t>>(over(y))(in(y), inout(z), extent(y) - 1, part / 2.0, n == 3, n * extent(x)),
                   kernel<add_up<std::int64_t>, add_up_on_host<std::int64_t>>(over(x))(in(x), inout(z), min(extent(x), extent(y)) + 1, sqrt(n + 6.0), n != 3,
                                                                                      ceil_div(extent(x), n)),
                   transform_reduce(over(x), weigh{}, plus{})(out(sum), in(x[each]), n - extent(x)), single_task(add_to{})(inout(sum), n * extent(x)),
                   single_task(add_to{})(inout(sum), -abs(n - extent(x) * extent(y))), single_task(note{})(inout(y), in(sum), extent(y) - 2, 1 << n),
                   assign(j, 0), when(predicate(is_below{})(in(sum), modulus - extent(x)), assign(j, j + 1)),
                   when(count_if(x, is_below{}, n * 100) > 2, assign(j, j + 2)), when(all_of(x, is_below{}, extent(x) * 1000), assign(j, j + 4)),
                   for_each(over(y).group<32>(), sum_up_to{})(in(x), out(y[each]), extent(x) - 1));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), z(at(z_)), sum(at(sum_)), j(at(j_)), n(3), part(0.5));
    }
    void compute() {
        std::vector<std::int64_t> between(14, 3 - 7 * 4);
        for (int at = 0; at < 7; ++at) turn{}(at, x_.data(), between[at], 6);
        for (double& element : z_) element = 2.25;
        for (int at = 0; at < 7; ++at) turn{}(at, between.data(), x_[at], 4);
        for (int at = 0; at < 7; ++at) mix{}(at, x_[at], index_t{4}, true);
        for (int at = 0; at < 4; ++at) mix{}(at, y_[at], 2.0, false);
        add_up_on_host(y_.data(), z_.data(), 3, 0.25f, true, 21);
        add_up_on_host(x_.data(), z_.data(), 5, 3, false, 3);
        sum_ = 0;
        for (const std::int64_t value : x_) sum_ += value * (3 - 7);
        add_to{}(sum_, 21);
        add_to{}(sum_, -25);
        note{}(y_.data(), sum_, 2, 8);
        j_ = is_below{}(sum_, modulus - 7);
        j_ += 2 * (std::count_if(x_.begin(), x_.end(), [](std::int64_t value) { return value < 300; }) > 2);
        j_ += 4;
        for (int row = 0; row < 4; ++row) y_[row] = std::accumulate(x_.begin() + row, x_.begin() + 6, std::int64_t{0});
    }
    bool operator==(const every_node&) const = default;
};

// Formulas also of one type whose constants differ, in loops that are one kernel, that are unrolled and that test now and then, and in small
// branches; each met twice.
template <int N>
struct in_loops {
    std::vector<std::int64_t> x_, y_ = {1, 2, 3};
    int i_ = 0, j_ = 0;
    std::int64_t sum_ = 0;

    in_loops() : x_(N * 500 + 2) {
        for (std::size_t at = 0; at < x_.size(); ++at) x_[at] = static_cast<std::int64_t>(at % 31);
    }
    static constexpr auto expression() {
        return seq(repeat(2, seq(assign(i, 0),
                                 loop_while(predicate(is_before{})(in(i), n + 1),
                                            seq(for_each(over(x), mix{})(inout(x[each]), n * extent(y), extent(x) > 600), reduce(out(sum), in(x)),
                                                assign(i, i + 1))),
                                 assign(j, 0), loop_while(j < n, seq(single_task(note{})(inout(y), in(sum), extent(y) - 1, n - extent(x)), assign(j, j + 1))),
                                 when(sum % 2 == 0, for_each(over(y), mix{})(inout(y[each]), extent(x) / 2, n < 2),
                                      otherwise(seq(for_each(over(y), mix{})(inout(y[each]), extent(x) / 3, n < 3),
                                                    for_each(over(y), mix{})(inout(y[each]), extent(x) / 5, n < 4)))))),
                   do_while(seq(for_each(over(x), mix{})(inout(x[each]), n + extent(y), n > 100), single_task(add_to{})(inout(sum), n - 2 * extent(y)),
                                assign(j, j + 1)),
                            j < 3 * n, check_every<3>));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), i(at(i_)), j(at(j_)), sum(at(sum_)), n(N));
    }
    template <class... By>
    static void mix_all(std::vector<std::int64_t>& values, By... by) {
        for (std::size_t at = 0; at < values.size(); ++at) mix{}(static_cast<index_t>(at), values[at], by...);
    }
    void compute() {
        const index_t count = static_cast<index_t>(x_.size());
        for (int time = 0; time < 2; ++time) {
            for (i_ = 0; i_ < N + 1; ++i_) {
                mix_all(x_, N * 3, count > 600);
                sum_ = 0;
                for (const std::int64_t value : x_) sum_ += value;
            }
            for (j_ = 0; j_ < N; ++j_) note{}(y_.data(), sum_, 2, N - count);
            if (sum_ % 2 == 0) {
                mix_all(y_, count / 2, N < 2);
            } else {
                mix_all(y_, count / 3, N < 3);
                mix_all(y_, count / 5, N < 4);
            }
        }
        do {
            for (int k = 0; k < 3; ++k) {
                mix_all(x_, N + 3, false);
                add_to{}(sum_, N - 6);
                ++j_;
            }
        } while (j_ < 3 * N);
    }
    bool operator==(const in_loops&) const = default;
};

// Nodes over as many elements as a formula says, alone, beside each other and in loops.
template <int N>
struct counted {
    std::vector<std::int64_t> x_, y_ = {1, 2, 3, 4};
    std::vector<double> z_ = std::vector<double>(4);
    int i_ = 0;
    std::int64_t sum_ = 0;

    counted() : x_(N * 300 + 1) {
        for (std::size_t at = 0; at < x_.size(); ++at) x_[at] = static_cast<std::int64_t>(at % 37);
    }
    static constexpr auto expression() {
        return seq(for_each(over<extent(x) - 1>(), turn{})(in(x), out(inner[each]), extent(x)), for_each(over<extent(x) - 1>(), mix{})(inout(inner[each]), n, n > 2),
                   reduce(out(sum), in(inner)), transform_reduce(over<extent(x) - n>(), weigh{}, plus{})(out(sum), in(x[each]), n + 1),
                   kernel<add_up<std::int64_t>, add_up_on_host<std::int64_t>>(over<min(extent(y), n)>().block(2))(in(y), inout(z), min(extent(y), n), 2, n > 1, 0),
                   for_each(over<extent(y) / 2>().group<32>(), sum_up_to{})(in(x), out(y[each]), n * 10), assign(i, 0),
                   loop_while(i < n, seq(for_each(over<extent(x) - 1>(), mix{})(inout(inner[each]), sum, n == 2),
                                         for_each(over<ceil_div(extent(x), 2)>(), mix{})(inout(x[each]), sum, n == 3), reduce(out(sum), in(inner)), assign(i, i + 1))),
                   assign(i, 0), loop_while(i < n, seq(for_each(over<n - 1>(), mix{})(inout(y[each]), n, false), single_task(note{})(inout(y), in(sum), 3, n),
                                                       assign(i, i + 1))),
                   when(sum % 2 == n % 2, for_each(over<n % 4>(), mix{})(inout(y[each]), n, true)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), z(at(z_)), i(at(i_)), sum(at(sum_)), n(N));
    }
    template <class... By>
    static void mix_some(std::vector<std::int64_t>& values, std::size_t count, By... by) {
        for (std::size_t at = 0; at < count; ++at) mix{}(static_cast<index_t>(at), values[at], by...);
    }
    static std::int64_t sum_of(const std::vector<std::int64_t>& values) { return std::accumulate(values.begin(), values.end(), std::int64_t{0}); }
    void compute() {
        const std::size_t count = x_.size();
        std::vector<std::int64_t> between(count - 1);
        for (std::size_t at = 0; at + 1 < count; ++at) turn{}(static_cast<index_t>(at), x_.data(), between[at], static_cast<int>(count));
        mix_some(between, count - 1, N, N > 2);
        sum_ = 0;
        for (std::size_t at = 0; at + N < count; ++at) sum_ += weigh{}(0, x_[at], N + 1);
        add_up_on_host(y_.data(), z_.data(), std::min(4, N), 2, N > 1, 0);
        for (int row = 0; row < 2; ++row) y_[static_cast<std::size_t>(row)] = std::accumulate(x_.begin() + row, x_.begin() + N * 10, std::int64_t{0});
        for (i_ = 0; i_ < N; ++i_) {
            mix_some(between, count - 1, sum_, N == 2);
            mix_some(x_, (count + 1) / 2, sum_, N == 3);
            sum_ = sum_of(between);
        }
        for (i_ = 0; i_ < N; ++i_) {
            mix_some(y_, N - 1, N, false);
            note{}(y_.data(), sum_, 3, N);
        }
        if (sum_ % 2 == N % 2) mix_some(y_, N % 4, N, true);
    }
    bool operator==(const counted&) const = default;
};

using loops = std::tuple<in_loops<1>, in_loops<2>, in_loops<3>, in_loops<5>>;
using cases = std::tuple<every_node, in_loops<1>, in_loops<2>, in_loops<3>, in_loops<5>, counted<1>, counted<2>, counted<3>, counted<5>>;

}  // namespace expressions::host_formulas
