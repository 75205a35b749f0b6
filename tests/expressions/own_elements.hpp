// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>

// Loops in which nodes use their own elements, x[each]: of these a kernel that runs the whole loop may keep copies. Some are written
// by a few nodes only, or in a part of their elements; some are read by neighbours; some hold what was written before the loop.
namespace expressions::own_elements {

using namespace cograph;

using integer = std::int64_t;
// Too large to be kept.
struct triple {
    integer a = 1, b = 2, c = 3;
    bool operator==(const triple&) const = default;
};
// Made by no default, and not to be assigned.
struct fixed {
    const int number;
    COGRAPH_HD explicit constexpr fixed(int is) : number(is) {}
    bool operator==(const fixed&) const = default;
};

inline constexpr struct x : buffer<x, integer> {} x;
inline constexpr struct y : buffer<y, integer> {} y;
inline constexpr struct log : buffer<log, short> {} log;
inline constexpr struct wide : buffer<wide, triple> {} wide;
inline constexpr struct table : buffer<table, fixed> {} table;
inline constexpr struct replaced : temp<replaced, integer, struct x> {} replaced;
inline constexpr struct sometimes : temp<sometimes, integer, struct x> {} sometimes;
inline constexpr struct joined : temp<joined, integer, struct x> {} joined;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct passes : value<passes, int> {} passes;

struct replace {
    COGRAPH_HD void operator()(index_t, const integer& from, const int& pass, const fixed& by, integer& to) const {
        to = from * by.number + pass;
    }
};
struct note_pass {
    COGRAPH_HD void operator()(index_t at, const int& pass, short& to) const {
        if (at % 5 == pass) to = static_cast<short>(pass + 1);
    }
};
struct take {
    COGRAPH_HD void operator()(index_t at, const integer& from, integer& to) const { to = from + at; }
};
struct join {
    COGRAPH_HD void operator()(index_t at, const integer* beside, const integer& own, const integer& other, integer& to, index_t n) const {
        to = (beside[at == 0 ? n - 1 : at - 1] + 3 * beside[at == n - 1 ? 0 : at + 1] + own + other) % 1009;
    }
};
struct spread {
    COGRAPH_HD integer operator()(index_t at, const integer& from, integer& own, integer& to, triple& in_three) const {
        own = (own + from) % 1013;
        to = own + at;
        in_three.b += in_three.a;
        in_three.a = own;
        return own + in_three.b;
    }
};
struct end {
    COGRAPH_HD void operator()(index_t, const integer& a, const integer& b, integer& own) const { own = own * 7 + a * 3 + b; }
};

struct loop_over {
    std::vector<integer> x_, y_;
    std::vector<short> log_;
    std::vector<triple> wide_;
    std::vector<fixed> table_;
    integer sum_ = 5;
    int i_ = 0, passes_;

    loop_over(std::size_t n, int of_passes) : x_(n), y_(n), log_(n, -1), wide_(n), passes_(of_passes) {
        for (std::size_t at = 0; at < n; ++at) {
            x_[at] = static_cast<integer>(at * 17 % 101);
            y_[at] = static_cast<integer>(at * 19 % 103);
            table_.push_back(fixed(static_cast<int>(at % 3)));
        }
    }
    static constexpr auto expression() {
        return seq(
            fill(out(replaced), 7), fill(out(sometimes), 3), assign(i, 0),
            loop_while(
                i < passes,
                seq(for_each(over(x), replace{})(in(x[each]), i, in(table[each]), out(replaced[each])),
                    for_each(over(x), note_pass{})(i, out(log[each])),
                    when(i % 2 == 1, for_each(over(x), take{})(in(replaced[each]), out(sometimes[each]))),
                    for_each(over(x), join{})(in(y), in(replaced[each]), in(sometimes[each]), out(joined[each]), extent(y)),
                    transform_reduce(over(x), spread{}, plus{})(out(sum), in(joined[each]), inout(x[each]), out(y[each]), inout(wide[each])),
                    assign(i, i + 1))),
            for_each(over(x), end{})(in(replaced[each]), in(sometimes[each]), inout(x[each])));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), log(at(log_)), wide(at(wide_)), table(at(table_)), sum(at(sum_)), i(at(i_)), passes(passes_));
    }
    void compute() {
        const std::size_t n = x_.size();
        std::vector<integer> replaced_(n, 7), sometimes_(n, 3), joined_(n);
        for (i_ = 0; i_ < passes_; ++i_) {
            for (std::size_t at = 0; at < n; ++at) {
                replaced_[at] = x_[at] * table_[at].number + i_;
                if (static_cast<int>(at % 5) == i_) log_[at] = static_cast<short>(i_ + 1);
                if (i_ % 2 == 1) sometimes_[at] = replaced_[at] + static_cast<integer>(at);
            }
            for (std::size_t at = 0; at < n; ++at)
                joined_[at] = (y_[(at + n - 1) % n] + 3 * y_[(at + 1) % n] + replaced_[at] + sometimes_[at]) % 1009;
            sum_ = 0;
            for (std::size_t at = 0; at < n; ++at) {
                x_[at] = (x_[at] + joined_[at]) % 1013;
                y_[at] = x_[at] + static_cast<integer>(at);
                wide_[at].b += wide_[at].a;
                wide_[at].a = x_[at];
                sum_ += x_[at] + wide_[at].b;
            }
        }
        for (std::size_t at = 0; at < n; ++at) x_[at] = x_[at] * 7 + replaced_[at] * 3 + sometimes_[at];
    }
    bool operator==(const loop_over&) const = default;
};

// One block, a cluster and the whole device, of small and of large blocks; a thread has one element, two, or more.
inline constexpr int sizes[] = {1, 300, 1000, 3000, 8192, 8193, 70'000, 131'072, 131'073, 262'145, 400'000};

}  // namespace expressions::own_elements
