// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>
#include <utility>

// One loop of library nodes over buffers of many sizes: from less than a warp to more than a device runs at
// once.
namespace expressions::sizes {

using namespace cograph;

using integer = std::int64_t;
inline constexpr struct x : buffer<x, integer> {} x;
inline constexpr struct y : buffer<y, integer> {} y;
inline constexpr struct v : buffer<v, short> {} v;
inline constexpr struct w : buffer<w, short> {} w;
inline constexpr struct t : temp<t, integer, struct x> {} t;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct product : scalar<product, integer> {} product;
inline constexpr struct most : scalar<most, integer> {} most;
inline constexpr struct log : scalar<log, integer> {} log;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct passes : value<passes, int> {} passes;

struct of_neighbours {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer& to, index_t n) const {
        to = (from[at == 0 ? n - 1 : at - 1] + 3 * from[at == n - 1 ? 0 : at + 1]) % 1009;
    }
};
struct add_sum {
    COGRAPH_HD void operator()(index_t at, const integer& from, const integer& total, integer& to) const {
        to = (from + total + at) % 1013;
    }
};
struct mirror {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer* to, index_t n) const {
        to[at] = from[n - 1 - at];
    }
};
struct mix {
    COGRAPH_HD void operator()(index_t, integer& a, const integer& b) const { a = (5 * a + b) % 1019; }
};

// Neighbours, mirrors and own elements of what was just written; sums used at once; branches and a loop
// between them.
struct loop_over {
    std::vector<integer> x_, y_;
    integer sum_ = 0, product_ = 0, most_ = 0, log_ = 1;
    int i_ = 0;

    explicit loop_over(std::size_t n) : x_(n), y_(n) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<integer>(at * 17 % 101);
    }
    static constexpr auto expression() {
        return seq(
            assign(i, 0),
            loop_while(i < passes && log >= 0,
                       seq(for_each(over(x), of_neighbours{})(in(x), out(t[each]), extent(x)),
                           reduce(out(sum), in(t)),
                           when(sum % 2 == 0, for_each(over(x), add_sum{})(in(t[each]), sum, out(x[each])),
                                otherwise(copy(in(t), out(x)))),
                           for_each(over(x), mirror{})(in(x), out(y), extent(y)),
                           reduce(out(most), in(y), maximum{}),
                           repeat(2, seq(for_each(over(x), mix{})(inout(x[each]), in(y[each])),
                                         for_each(over(y), mirror{})(in(x), out(y), extent(x)))),
                           dot(out(product), in(x), in(t)),
                           assign(log, (log * 31 + product + sum + most) % 1'000'003), assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), sum(at(sum_)), product(at(product_)), most(at(most_)),
                          log(at(log_)), i(at(i_)), passes(4));
    }
    void compute() {
        const std::size_t n = x_.size();
        std::vector<integer> t_(n);
        for (i_ = 0; i_ < 4 && log_ >= 0; ++i_) {
            sum_ = most_ = product_ = 0;
            for (std::size_t at = 0; at < n; ++at)
                sum_ += t_[at] = (x_[(at + n - 1) % n] + 3 * x_[(at + 1) % n]) % 1009;
            for (std::size_t at = 0; at < n; ++at)
                x_[at] = sum_ % 2 == 0 ? (t_[at] + sum_ + static_cast<integer>(at)) % 1013 : t_[at];
            y_.assign(x_.rbegin(), x_.rend());
            for (integer value : y_) most_ = value > most_ ? value : most_;
            for (int twice = 0; twice < 2; ++twice) {
                for (std::size_t at = 0; at < n; ++at) x_[at] = (5 * x_[at] + y_[at]) % 1019;
                y_.assign(x_.rbegin(), x_.rend());
            }
            for (std::size_t at = 0; at < n; ++at) product_ += x_[at] * t_[at];
            log_ = (log_ * 31 + product_ + sum_ + most_) % 1'000'003;
        }
    }
    bool operator==(const loop_over&) const = default;
};

// The same twice beside each other over other domains, and a loop that ends at once.
struct two_domains {
    std::vector<integer> x_ = std::vector<integer>(5000, 3), y_ = std::vector<integer>(70, 2);
    integer sum_ = 0, product_ = 0;
    int i_ = 0;

    static constexpr auto expression() {
        return seq(
            assign(i, 0),
            repeat(3, par(seq(for_each(over(x), mix{})(inout(x[each]), in(x[each])), reduce(out(sum), in(x))),
                          seq(for_each(over(y), mix{})(inout(y[each]), in(y[each])),
                              reduce(out(product), in(y))),
                          assign(i, i + 2))),
            loop_while(i > 6, seq(fill(out(x), 0), assign(i, 0))), fill(out(t), i), copy(in(t), out(x)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), sum(at(sum_)), product(at(product_)), i(at(i_)));
    }
    void compute() {
        i_ = 0;
        for (int pass = 0; pass < 3; ++pass) {
            sum_ = product_ = 0;
            for (integer& value : x_) sum_ += value = (5 * value + value) % 1019;
            for (integer& value : y_) product_ += value = (5 * value + value) % 1019;
            i_ += 2;
        }
        for (integer& value : x_) value = i_;
    }
    bool operator==(const two_domains&) const = default;
};

// Nodes whose threads take a few elements: two of the large ones, four of the small ones.
struct copied_and_filled {
    std::vector<integer> x_, y_;
    std::vector<short> v_, w_;
    integer log_ = 7;

    explicit copied_and_filled(std::size_t n) : x_(n), y_(n), v_(n), w_(n) {
        for (std::size_t at = 0; at < n; ++at) {
            x_[at] = static_cast<integer>(at * 17 % 101);
            v_[at] = static_cast<short>(at % 10'007);
        }
    }
    static constexpr auto expression() {
        return seq(copy(in(x), out(y)), fill(out(x), log), copy(in(v), out(w)), fill(out(v), short{3}));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), v(at(v_)), w(at(w_)), log(at(log_)));
    }
    void compute() {
        y_ = x_;
        w_ = v_;
        for (integer& value : x_) value = log_;
        for (short& value : v_) value = 3;
    }
    bool operator==(const copied_and_filled&) const = default;
};

inline constexpr int of_copies[] = {1, 255, 256, 257, 511, 512, 513, 767, 768, 769, 1023, 1024, 1025, 100'001};
inline constexpr int of_loops[] = {1,    31,     256,    257,     1024,    1025,     8192,
                                   8193, 33'792, 33'793, 262'144, 262'145, 1'500'001};

}  // namespace expressions::sizes
