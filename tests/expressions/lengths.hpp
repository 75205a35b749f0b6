// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>
#include <limits>

// Nodes over the first elements alone, as many as a scalar says that the device computes.
namespace expressions::lengths {

using namespace cograph;

using integer = std::int64_t;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, integer> {} y;
inline constexpr struct trace : buffer<trace, integer> {} trace;
inline constexpr struct copied : temp<copied, int, struct x> {} copied;
inline constexpr struct n : scalar<n, int> {} n;
inline constexpr struct inner_n : scalar<inner_n, unsigned> {} inner_n;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct k : scalar<k, integer> {} k;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct by_groups : scalar<by_groups, integer> {} by_groups;
inline constexpr struct largest : scalar<largest, int> {} largest;
inline constexpr struct passes : value<passes, int> {} passes;

struct shift {
    COGRAPH_HD void operator()(index_t at, int& to, int by) const { to = (to * 3 + static_cast<int>(at % 17) + by) % 10'007; }
};
struct copy_it {
    COGRAPH_HD void operator()(index_t, const int& from, int& to) const { to = from; }
};
struct spread {
    COGRAPH_HD void operator()(index_t at, const int& from, integer& to) const { to = to % 1'000'003 + from * (at % 5); }
};
struct by_group {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t at, const int* from, integer& to) const {
        const integer of_all = group.transform_reduce(40, [&](index_t j) { return from[at] % 101 * j; }, plus{});
        if (group.rank() == 0) to = (to + of_all) % 1'000'003;
    }
};
struct weighed {
    COGRAPH_HD integer operator()(index_t at, const int& of) const { return of * (at % 7 + 1); }
};
struct weighed_together {
    template <class Group>
    COGRAPH_HD integer operator()(Group const& group, index_t at, const int* of) const {
        return group.transform_reduce(70, [&](index_t j) { return of[at] % 103 * (j + at % 3); }, plus{});
    }
};
struct value_of {
    COGRAPH_HD int operator()(index_t, const int& of) const { return of; }
};
// The length of pass i, among them none and all.
COGRAPH_HD constexpr int length_of(int pass, int capacity) {
    switch (pass % 9) {
        case 0: return -5;
        case 1: return 1;
        case 2: return 255;
        case 3: return 256;
        case 4: return 257;
        case 5: return 0;
        case 6: return capacity / 2;
        case 7: return capacity - 1;
        default: return capacity;
    }
}
struct next_length {
    COGRAPH_HD void operator()(int& pass, int& to, int capacity) const { to = length_of(++pass, capacity); }
};
struct take_down {
    COGRAPH_HD void operator()(integer* to, int pass, integer found, int high) const { to[pass] = found + high; }
};

// What runs over so many elements, and what is known of them.
struct numbers {
    std::vector<int> x_;
    std::vector<integer> y_;
    int n_ = 7, i_ = 0, largest_ = 0;
    integer sum_ = 0, by_groups_ = 0;

    explicit numbers(std::size_t count) : x_(count), y_(count) {
        for (std::size_t at = 0; at < count; ++at) x_[at] = static_cast<int>(at * 37 % 983), y_[at] = static_cast<integer>(at);
    }
    int capacity() const { return static_cast<int>(x_.size()); }
    std::size_t running() const { return static_cast<std::size_t>(n_ < 0 ? 0 : n_ > capacity() ? capacity() : n_); }

    template <int Size>
    static constexpr auto once() {
        constexpr auto some = over(x).first(n);
        return seq(for_each(some, shift{})(inout(x[each]), 5), for_each(some, spread{})(in(x[each]), inout(y[each])), for_each(over(x), shift{})(inout(x[each]), 1),
                   for_each(some.template group<32>(), by_group{})(in(x), inout(y[each])), transform_reduce(some, weighed{}, plus{})(out(sum), in(x[each])),
                   transform_reduce(over(x).first(n), value_of{}, maximum{})(out(largest), in(x[each])),
                   transform_reduce(some.template group<Size>(), weighed_together{}, plus{})(out(by_groups), in(x)));
    }
    void compute_once() {
        for (std::size_t at = 0; at < running(); ++at) shift{}(static_cast<index_t>(at), x_[at], 5), spread{}(static_cast<index_t>(at), x_[at], y_[at]);
        for (std::size_t at = 0; at < x_.size(); ++at) shift{}(static_cast<index_t>(at), x_[at], 1);
        sum_ = by_groups_ = 0;
        largest_ = std::numeric_limits<int>::min();
        for (std::size_t at = 0; at < running(); ++at) {
            y_[at] = (y_[at] + x_[at] % 101 * (39 * 40 / 2)) % 1'000'003;
            sum_ += weighed{}(static_cast<index_t>(at), x_[at]);
            if (x_[at] > largest_) largest_ = x_[at];
            by_groups_ += x_[at] % 103 * (69 * 70 / 2 + 70 * static_cast<integer>(at % 3));
        }
    }
    template <class Place>
    auto bindings_of_numbers(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), n(at(n_)), largest(at(largest_)), sum(at(sum_)), by_groups(at(by_groups_)));
    }
    bool operator==(const numbers&) const = default;
};

// Outside of loops nobody is told of a length beyond the capacity.
struct alone : numbers {
    alone() : alone(700, 300) {}
    alone(std::size_t count, int length) : numbers(count) { n_ = length; }
    static constexpr auto expression() { return once<32>(); }
    template <class Place>
    auto bindings(Place& at) {
        return bindings_of_numbers(at);
    }
    void compute() { compute_once(); }
    bool operator==(const alone&) const = default;
};

// A length that each iteration computes. Persistent, or of nodes, since one of them writes memory.
template <bool Persistent>
struct in_a_loop : numbers {
    std::vector<integer> trace_ = std::vector<integer>(16);
    int passes_ = 11;

    in_a_loop() : in_a_loop(700) {}
    explicit in_a_loop(std::size_t count) : numbers(count) {}
    static constexpr auto expression() {
        constexpr auto pass = seq(once<Persistent ? 64 : 8>(), single_task(next_length{})(inout(i), out(n), extent(x)));
        constexpr auto start = seq(assign(i, 0), single_task(next_length{})(inout(i), out(n), extent(x)));
        if constexpr (Persistent)
            return seq(start, loop_while(i < passes, pass));
        else
            return seq(start, loop_while(i < passes, seq(pass, single_task(take_down{})(inout(trace), in(i), in(sum), in(largest)))));
    }
    template <class Place>
    auto bindings(Place& at) {
        if constexpr (Persistent)
            return std::tuple_cat(bindings_of_numbers(at), std::tuple(i(at(i_)), passes(passes_)));
        else
            return std::tuple_cat(bindings_of_numbers(at), std::tuple(i(at(i_)), passes(passes_), trace(at(trace_))));
    }
    void compute() {
        i_ = 0;
        next_length{}(i_, n_, capacity());
        while (i_ < passes_) {
            compute_once();
            next_length{}(i_, n_, capacity());
            if (!Persistent) trace_[static_cast<std::size_t>(i_)] = sum_ + largest_;
        }
    }
    bool operator==(const in_a_loop&) const = default;
};

// Lengths grow beyond the capacity, in a loop, in a loop in there, in a branch; what a loop around them does is its own.
struct triple {
    COGRAPH_HD void operator()(unsigned& to) const { to = to * 3 + 1; }
};
struct outer_step {
    COGRAPH_HD void operator()(int& pass, unsigned& to, int& length) const {
        to = static_cast<unsigned>(++pass) * 5u;
        length += 4;
    }
};
template <bool Persistent, int Every>
struct beyond : numbers {
    std::vector<integer> trace_ = std::vector<integer>(64);
    unsigned inner_n_ = 3;
    integer k_ = 0;
    int passes_ = 40;

    beyond() : beyond(100) {}
    explicit beyond(std::size_t count) : numbers(count) {}
    static constexpr auto expression() {
        constexpr auto write_down = single_task(take_down{})(inout(trace), in(i), in(sum), in(n));
        constexpr auto body = seq(when(inner_n % 2 == 1, for_each(over(x).first(inner_n), shift{})(inout(x[each]), 2)),
                                  transform_reduce(over(x), weighed{}, plus{})(out(sum), in(x[each])), single_task(triple{})(inout(inner_n)), assign(k, k + 1));
        constexpr auto inner = [&] {
            if constexpr (Every == 1)
                return loop_while(k < 1000, body, at_most(30));
            else
                return loop_while(k < 1000, body, check_every<Every>);
        }();
        constexpr auto pass = seq(for_each(over(x).first(n), shift{})(inout(x[each]), 3), inner, single_task(outer_step{})(inout(i), out(inner_n), inout(n)));
        constexpr auto start = seq(assign(i, 0), assign(k, 0), assign(inner_n, 3u), assign(n, 1));
        if constexpr (Persistent)
            return seq(start, loop_while(i < passes, pass), for_each(over(x).first(n), shift{})(inout(x[each]), 1));
        else
            return seq(start, loop_while(i < passes, seq(pass, write_down)), for_each(over(x).first(n), shift{})(inout(x[each]), 1));
    }
    template <class Place>
    auto bindings(Place& at) {
        const auto all = std::tuple(x(at(x_)), n(at(n_)), sum(at(sum_)), inner_n(at(inner_n_)), k(at(k_)), i(at(i_)), passes(passes_));
        if constexpr (Persistent)
            return all;
        else
            return std::tuple_cat(all, std::tuple(trace(at(trace_))));
    }
    void compute() {
        i_ = 0, k_ = 0, inner_n_ = 3, n_ = 1;
        const auto first = [&](std::size_t count, int by) {
            for (std::size_t at = 0; at < count && at < x_.size(); ++at) shift{}(static_cast<index_t>(at), x_[at], by);
            return count > x_.size() && !x_.empty();
        };
        bool ended = false;
        while (!ended && i_ < passes_) {
            ended = first(running(), 3) || n_ > capacity();
            bool inner_ended = false;
            for (int done = 0; !inner_ended && k_ < 1000 && (Every > 1 || done < 30); done += Every)
                for (int copy = 0; copy < Every; ++copy) {
                    if (inner_n_ % 2 == 1) inner_ended = first(inner_n_, 2) || inner_ended;
                    sum_ = 0;
                    for (std::size_t at = 0; at < x_.size(); ++at) sum_ += weighed{}(static_cast<index_t>(at), x_[at]);
                    triple{}(inner_n_);
                    ++k_;
                }
            outer_step{}(i_, inner_n_, n_);
            if (!Persistent) trace_[static_cast<std::size_t>(i_)] = sum_ + n_;
        }
        first(running(), 1);
    }
    bool operator==(const beyond&) const = default;
};

using cases = std::tuple<alone, in_a_loop<true>, in_a_loop<false>, beyond<true, 1>, beyond<false, 1>, beyond<true, 3>, beyond<false, 2>>;

}  // namespace expressions::lengths
