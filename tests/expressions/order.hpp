// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>
#include <utility>

// Order: what must wait for what.
namespace expressions::order {

using namespace cograph;
using number = std::int64_t;

inline constexpr struct a : buffer<a, number> {} a;
inline constexpr struct b : buffer<b, number> {} b;
inline constexpr struct c : buffer<c, number> {} c;
inline constexpr struct d : buffer<d, number> {} d;
inline constexpr struct e : buffer<e, number> {} e;
inline constexpr struct f : buffer<f, number> {} f;
inline constexpr struct s : scalar<s, int> {} s;

struct add {
    int more;
    COGRAPH_HD void operator()(index_t i, const number* from, number* to) const { to[i] = from[i] + more; }
};
struct sum_of {
    COGRAPH_HD void operator()(index_t i, const number* left, const number* right, number* to) const {
        to[i] = left[i] + 3 * right[i];
    }
};
struct multiply {
    int by;
    COGRAPH_HD void operator()(index_t i, number* to) const { to[i] *= by; }
};
struct grow {
    COGRAPH_HD void operator()(int& value) const { value += 2; }
};
inline constexpr struct t : temp<t, number, struct a> {} t;
struct look {
    COGRAPH_HD void operator()(const number*) const {}
};

template <class From, class To>
constexpr auto add_to(int more, From from, To to) {
    return for_each(over(from), add{more})(in(from), out(to));
}
template <class V>
constexpr auto times(int by, V v) {
    return for_each(over(v), multiply{by})(inout(v));
}

// Two readers, then a writer: it waits for both.
struct two_readers_then_writer {
    std::vector<number> a_ = std::vector<number>(50'000, 1), b_ = std::vector<number>(50'000),
                     c_ = std::vector<number>(50'000);

    static constexpr auto expression() { return seq(add_to(1, a, b), add_to(2, a, c), times(7, a)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), c(at(c_)));
    }
    void compute() {
        for (std::size_t i = 0; i < a_.size(); ++i) {
            b_[i] = a_[i] + 1;
            c_[i] = a_[i] + 2;
            a_[i] *= 7;
        }
    }
    bool operator==(const two_readers_then_writer&) const = default;
};

// Apart and together again, par within seq within par.
struct diamonds {
    std::vector<number> a_ = {1, 2, 3, 4, 5, 6, 7}, b_ = std::vector<number>(7), c_ = b_, d_ = b_, e_ = b_, f_ = b_;

    static constexpr auto expression() {
        return seq(
            times(2, a),
            par(add_to(1, a, b), seq(add_to(2, a, c), par(times(3, c), add_to(5, a, e))), add_to(4, a, d)),
            for_each(over(a), sum_of{})(in(b), in(c), out(f)),
            par(seq(), for_each(over(a), sum_of{})(in(d), in(e), out(a))),
            for_each(over(a), sum_of{})(in(f), in(a), out(b)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), c(at(c_)), d(at(d_)), e(at(e_)), f(at(f_)));
    }
    void compute() {
        for (std::size_t i = 0; i < 7; ++i) {
            const number two = 2 * a_[i];
            c_[i] = (two + 2) * 3;
            d_[i] = two + 4;
            e_[i] = two + 5;
            f_[i] = two + 1 + 3 * c_[i];
            a_[i] = d_[i] + 3 * e_[i];
            b_[i] = f_[i] + 3 * a_[i];
        }
    }
    bool operator==(const diamonds&) const = default;
};

// One expression in several places, from a function, and as a struct of its own name.
constexpr auto step() { return seq(add_to(3, a, b), for_each(over(a), sum_of{})(in(a), in(b), inout(a))); }
struct named_step : decltype(step()) {};
inline constexpr named_step by_name{step()};

struct reused {
    std::vector<number> a_ = {1, -2, 3}, b_ = {0, 0, 0};
    int s_ = 0;

    static constexpr auto expression() {
        constexpr auto twice = seq(by_name, by_name);
        return seq(step(), repeat(2, twice), assign(s, 1), when(s > 0, by_name, otherwise(twice)),
                   par(by_name, assign(s, s + 1)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), s(at(s_)));
    }
    void compute() {
        for (int times = 0; times < 1 + 4 + 1 + 1; ++times)
            for (std::size_t i = 0; i < 3; ++i) {
                b_[i] = a_[i] + 3;
                a_[i] += 3 * b_[i];
            }
        s_ = 2;
    }
    bool operator==(const reused&) const = default;
};

// A long chain of nodes with state: every one keeps its own.
template <int... I>
constexpr auto chain_of(std::integer_sequence<int, I...>) {
    return seq(seq(times(2, b), for_each(over(a), add{I})(in(a), inout(a)), times(I % 3 - 1, a))...);
}
struct long_chain {
    std::vector<number> a_ = {5, 6}, b_ = {1};

    static constexpr auto expression() {
        return seq(chain_of(std::make_integer_sequence<int, 21>{}), times(-1, b));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)));
    }
    void compute() {
        for (int i = 0; i < 21; ++i) {
            for (number& value : a_) value = (value + i) * (i % 3 - 1);
            b_[0] *= 2;
        }
        b_[0] = -b_[0];
    }
    bool operator==(const long_chain&) const = default;
};

// A node that waits for a hundred others, and a node that says nothing of what it touches, between them and
// what follows.
DEFINE_TEST_KERNEL void touches_nothing() {}
inline void touches_nothing_on_host() {}
template <int... I>
constexpr auto readers(std::integer_sequence<int, I...>) {
    return seq((static_cast<void>(I), single_task(look{})(in(a)))...);
}
struct many_waits {
    std::vector<number> a_ = {4, 5}, b_ = {0, 0};

    static constexpr auto expression() {
        constexpr auto hundred = readers(std::make_integer_sequence<int, 100>{});
        return seq(hundred, times(3, a), hundred, kernel<touches_nothing, touches_nothing_on_host>(grid(2))(),
                   add_to(1, a, b));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)));
    }
    void compute() {
        for (std::size_t i = 0; i < 2; ++i) b_[i] = (a_[i] *= 3) + 1;
    }
    bool operator==(const many_waits&) const = default;
};

// Neighbours over the same elements, which may be one kernel; some read what lies beside their element.
struct mix_own {
    number by;
    COGRAPH_HD void operator()(index_t, number& to, const number& from) const { to = by * to + from; }
};
struct add_left {
    COGRAPH_HD void operator()(index_t i, const number* from, number& to, const int& more) const { to += from[i > 0 ? i - 1 : 0] + more; }
};
struct neighbours {
    std::vector<number> a_, b_, c_;
    int s_ = 4;

    neighbours() : a_(700, 1), b_(700, 2) {
        for (number i = 0; i < 700; ++i) c_.push_back(i % 11);
    }
    static constexpr auto expression() {
        return seq(fill(out(t), 3), for_each(over(a).block(96), mix_own{2})(inout(a[each]), in(t[each])), copy(in(a), out(b)),
                   for_each(over(t), add_left{})(in(c), inout(b[each]), s), for_each(over(a).block(64), add_left{})(in(a), inout(t[each]), 5),
                   fill(out(a), s), for_each(over(a), mix_own{3})(inout(a[each]), in(t[each])), single_task(grow{})(inout(s)),
                   repeat(3, seq(kernel<touches_nothing, touches_nothing_on_host>(grid(2))(),
                                 for_each(over(a), mix_own{-1})(inout(a[each]), in(b[each])),
                                 for_each(over(a), mix_own{1})(inout(b[each]), in(a[each])),
                                 for_each(over(a), add_left{})(in(b), inout(c[each]), s),
                                 for_each(over(a), mix_own{2})(inout(c[each]), in(a[each])))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), c(at(c_)), s(at(s_)));
    }
    void compute() {
        std::vector<number> of_t(a_.size(), 3);
        const auto left = [](const std::vector<number>& from, std::size_t i) { return from[i > 0 ? i - 1 : 0]; };
        for (std::size_t i = 0; i < a_.size(); ++i) {
            a_[i] = 2 * a_[i] + 3;
            b_[i] = a_[i] + left(c_, i) + s_;
        }
        for (std::size_t i = 0; i < a_.size(); ++i) of_t[i] += left(a_, i) + 5;
        for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = 3 * s_ + of_t[i];
        s_ += 2;
        for (int round = 0; round < 3; ++round) {
            for (std::size_t i = 0; i < a_.size(); ++i) {
                a_[i] = b_[i] - a_[i];
                b_[i] += a_[i];
            }
            for (std::size_t i = 0; i < a_.size(); ++i) c_[i] = 2 * (c_[i] + left(b_, i) + s_) + a_[i];
        }
    }
    bool operator==(const neighbours&) const = default;
};

// Nothing at all.
struct nothing_to_do {
    static constexpr auto expression() { return seq(seq(), par(seq(), seq())); }
    template <class Place>
    auto bindings(Place&) {
        return std::tuple();
    }
    void compute() {}
    bool operator==(const nothing_to_do&) const = default;
};

using cases = std::tuple<two_readers_then_writer, diamonds, reused, long_chain, many_waits, neighbours, nothing_to_do>;

}  // namespace expressions::order
