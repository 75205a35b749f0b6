// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>

// Swapped buffers.
namespace expressions::swaps {

using namespace cograph;

using integer = std::int64_t;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct z : buffer<z, int> {} z;
inline constexpr struct u : buffer<u, double> {} u;
inline constexpr struct v : temp<v, double, struct u> {} v;
inline constexpr struct trace : buffer<trace, integer> {} trace;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct passes : value<passes, int> {} passes;

struct between {
    COGRAPH_HD void operator()(index_t at, const int* from, int& to, index_t n) const {
        to = (from[at > 0 ? at - 1 : n - 1] + 3 * from[at] + from[at + 1 < n ? at + 1 : 0]) % 10'007;
    }
};
struct grow {
    COGRAPH_HD void operator()(index_t at, int& of) const { of = (of * 2 + static_cast<int>(at % 13)) % 10'007; }
};
struct take {
    COGRAPH_HD void operator()(index_t, index_t column, neighbours<int, 1, 1> from, int& to) const {
        to = (to + *from + 2 * from.at_or(5, -1, 0) + 3 * from.at_or(7, 0, 1) + static_cast<int>(column % 3)) % 10'007;
    }
};
struct by_group {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t at, const int* from, int* to, index_t n) const {
        const int of_all = group.transform_reduce(20, [&](index_t k) { return from[(at + k) % n] % 100; }, plus{});
        if (group.rank() == 0) to[n - 1 - at] = (to[n - 1 - at] + of_all) % 10'007;
    }
};
struct weighed {
    COGRAPH_HD integer operator()(index_t at, const int& of) const { return of * (at % 7 + 1); }
};
struct quarter_of {
    COGRAPH_HD void operator()(index_t at, const int& from, const double& before, double& to) const { to = before / 2 + from % 64 + static_cast<double>(at % 2); }
};
struct write_down {
    COGRAPH_HD void operator()(integer* to, int at, integer found) const { to[at % 8] += found; }
};

struct numbers {
    std::vector<int> x_, y_, z_;
    std::vector<double> u_;
    std::vector<integer> trace_ = std::vector<integer>(8);
    integer sum_ = 0;
    int i_ = 0, passes_ = 5;

    explicit numbers(std::size_t n) : x_(n), y_(n), z_(n), u_(n) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<int>(at * 37 % 983), y_[at] = static_cast<int>(at % 77), z_[at] = static_cast<int>(at % 5), u_[at] = static_cast<double>(at % 32);
    }
    index_t count() const { return static_cast<index_t>(x_.size()); }
    void sum_up() {
        sum_ = 0;
        for (index_t at = 0; at < count(); ++at) sum_ += weighed{}(at, x_[static_cast<std::size_t>(at)]);
    }
    void step() {
        for (index_t at = 0; at < count(); ++at) between{}(at, x_.data(), y_[static_cast<std::size_t>(at)], count());
        x_.swap(y_);
    }
    bool operator==(const numbers&) const = default;
};

// A step from one buffer to another, again and again, and an odd or even number of times.
template <bool Persistent>
struct steps : numbers {
    steps() : steps(300, 5) {}
    explicit steps(std::size_t n, int count) : numbers(n) { passes_ = count; }
    static constexpr auto expression() {
        constexpr auto pass = seq(for_each(over(x), between{})(in(x), out(y[each]), extent(x)), swap(x, y), transform_reduce(over(x), weighed{}, plus{})(out(sum), in(x[each])), assign(i, i + 1));
        if constexpr (Persistent)
            return seq(assign(i, 0), loop_while(i < passes, pass), for_each(over(x), grow{})(inout(x[each])));
        else
            return seq(assign(i, 0), loop_while(i < passes, seq(pass, single_task(write_down{})(inout(trace), in(i), in(sum)))), for_each(over(x), grow{})(inout(x[each])));
    }
    template <class Place>
    auto bindings(Place& at) {
        const auto all = std::tuple(x(at(x_)), y(at(y_)), sum(at(sum_)), i(at(i_)), passes(passes_));
        if constexpr (Persistent)
            return all;
        else
            return std::tuple_cat(all, std::tuple(trace(at(trace_))));
    }
    void compute() {
        for (i_ = 0; i_ < passes_;) {
            step();
            sum_up();
            ++i_;
            if (!Persistent) trace_[static_cast<std::size_t>(i_ % 8)] += sum_;
        }
        for (index_t at = 0; at < count(); ++at) grow{}(at, x_[static_cast<std::size_t>(at)]);
    }
    bool operator==(const steps&) const = default;
};

// Three buffers in turns, now and then, in a loop in a loop, beside two of another type; nodes touch them in every way, as a box, too.
struct turns : numbers {
    static constexpr int columns = 10;
    turns() : turns(500) {}
    explicit turns(std::size_t n) : numbers(n) { passes_ = 7; }
    static constexpr auto expression() {
        constexpr auto inner = repeat(2, seq(for_each(over<extent(x) / columns, columns>(), take{})(in(x[near<1, 1>]), inout(y[each])), swap(y, z), for_each(over(y).group<32>(), by_group{})(in(y), inout(z), extent(y))));
        constexpr auto pass = seq(for_each(over(u), quarter_of{})(in(x[each]), in(u[each]), out(v[each])), swap(v, u), when(i % 3 == 1, swap(x, y), otherwise(for_each(over(z), grow{})(inout(z[each])))),
                                  inner, transform_reduce(over(x), weighed{}, plus{})(out(sum), in(x[each])), swap(z, x), assign(i, i + 1));
        return seq(swap(x, z), assign(i, 0), loop_while(i < passes, pass), for_each(over(x), grow{})(inout(x[each])));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), z(at(z_)), u(at(u_)), sum(at(sum_)), i(at(i_)), passes(passes_));
    }
    void compute() {
        const auto all = [&](auto f) {
            for (index_t at = 0; at < count(); ++at) f(at, static_cast<std::size_t>(at));
        };
        x_.swap(z_);
        for (i_ = 0; i_ < passes_; ++i_) {
            all([&](index_t at, std::size_t k) { quarter_of{}(at, x_[k], u_[k], u_[k]); });
            if (i_ % 3 == 1)
                x_.swap(y_);
            else
                all([&](index_t at, std::size_t k) { grow{}(at, z_[k]); });
            for (int inner = 0; inner < 2; ++inner) {
                all([&](index_t at, std::size_t k) {
                    const int above = at >= columns ? x_[k - columns] : 5, right = at % columns < columns - 1 ? x_[k + 1] : 7;
                    y_[k] = (y_[k] + x_[k] + 2 * above + 3 * right + static_cast<int>(at % columns % 3)) % 10'007;
                });
                y_.swap(z_);
                all([&](index_t at, std::size_t) {
                    int of_all = 0;
                    for (index_t k = 0; k < 20; ++k) of_all += y_[static_cast<std::size_t>((at + k) % count())] % 100;
                    int& to = z_[static_cast<std::size_t>(count() - 1 - at)];
                    to = (to + of_all) % 10'007;
                });
            }
            sum_up();
            z_.swap(x_);
        }
        all([&](index_t at, std::size_t k) { grow{}(at, x_[k]); });
    }
    bool operator==(const turns&) const = default;
};

using cases = std::tuple<steps<true>, steps<false>, turns>;

}  // namespace expressions::swaps
