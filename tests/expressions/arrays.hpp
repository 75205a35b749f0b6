// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

// Predicates that look at every element of an array.
namespace expressions::arrays {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct whole : buffer<whole, int> {} whole;
inline constexpr struct none_at_all : buffer<none_at_all, float> {} none_at_all;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct hits : scalar<hits, int> {} hits;
inline constexpr struct tol : value<tol, double> {} tol;

struct above {
    double limit;
    COGRAPH_HD bool operator()(double element) const { return element > limit; }
};
struct is_below {
    COGRAPH_HD bool operator()(double element, double limit) const { return element < limit; }
};
struct is_negative {
    template <class T>
    COGRAPH_HD bool operator()(T element) const {
        return element < 0;
    }
};
struct halve {
    COGRAPH_HD void operator()(index_t, double& element) const { element /= 2; }
};
struct lower {
    COGRAPH_HD void operator()(index_t at, double& element) const { element -= at % 3 == 0 ? 1 : 2; }
};
constexpr auto halve_x = for_each(over(x), halve{})(inout(x[each]));
constexpr auto lower_x = for_each(over(x), lower{})(inout(x[each]));
template <int Weight>
constexpr auto hit = assign(hits, hits + Weight);

// Loops that end by their elements, alone and with scalars, of library nodes: one kernel.
struct end_loops {
    std::vector<double> x_, y_;
    int i_ = 0, j_ = 0;

    end_loops() : end_loops(700) {}
    explicit end_loops(std::size_t n) : x_(n), y_(n) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<double>(64 + at % 64);
    }
    static constexpr auto expression() {
        return seq(assign(i, 0), assign(j, 0), loop_while(max_abs(x) > 40 && i < 9, seq(halve_x, assign(i, i + 1))),
                   loop_while(count_if(x, above{10}) > 20 || count_if(x, above{12}) > 3,
                              seq(lower_x, assign(j, j + 1))),
                   do_while(seq(lower_x, assign(j, j + 1)), !all_of(x, is_below{}, tol)),
                   loop_while(none_of(x, is_negative{}), seq(lower_x, assign(j, j + 1)), check_every<3>),
                   copy(in(x), out(y)),
                   loop_while(any(x > -30) && !any(y - x > tol * 4.0), seq(lower_x, assign(j, j + 1)), at_most(9)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), i(at(i_)), j(at(j_)), tol(2.5));
    }
    template <class F>
    auto count(F f) const {
        return std::count_if(x_.begin(), x_.end(), f);
    }
    void compute() {
        const auto halved = [&] {
            for (double& element : x_) element /= 2;
        };
        const auto lowered = [&] {
            for (std::size_t at = 0; at < x_.size(); ++at) lower{}(static_cast<index_t>(at), x_[at]);
            ++j_;
        };
        i_ = j_ = 0;
        for (; count([](double e) { return (e < 0 ? -e : e) > 40; }) > 0 && i_ < 9; ++i_) halved();
        while (count([](double e) { return e > 10; }) > 20 || count([](double e) { return e > 12; }) > 3) lowered();
        do lowered();
        while (count([](double e) { return !(e < 2.5); }) > 0);
        while (count([](double e) { return e < 0; }) == 0)
            for (int copy = 0; copy < 3; ++copy) lowered();
        y_ = x_;
        for (int pass = 0; pass < 9; ++pass) {
            bool some = false, far = false;
            for (std::size_t at = 0; at < x_.size(); ++at) some |= x_[at] > -30, far |= y_[at] - x_[at] > 10;
            if (!some || far) break;
            lowered();
        }
    }
    bool operator==(const end_loops&) const = default;
};

DEFINE_TEST_KERNEL void add_one([[maybe_unused]] double* to, [[maybe_unused]] int n) {
#ifdef __CUDACC__
    const index_t at = thread_number();
    if (at < n) to[at] += 1;
#endif
}
inline void add_one_on_host(double* to, int n) {
    for (int at = 0; at < n; ++at) to[at] += 1;
}

// The same around a kernel of one's own, where loops and branches stay what they are; branches, cases, one predicate within
// another, and branches at once.
struct decide_graphs {
    std::vector<double> x_, y_;
    std::vector<int> whole_ = {5, -7, 3, -1, 2};
    std::vector<float> nothing_;
    int i_ = 0, j_ = 0, hits_ = 0;

    decide_graphs() : decide_graphs(300) {}
    explicit decide_graphs(std::size_t n) : x_(n), y_(n, 3) {}
    static constexpr auto expression() {
        constexpr auto grow = kernel<add_one, add_one_on_host>(over(x))(inout(x), extent(x));
        return seq(
            fill(out(x), 0), assign(i, 0), assign(hits, 0), label("grows", loop_while(!all(x == y), grow)),
            loop_while(count_if(x, above{7.5}) == 0 && i < 5, seq(grow, assign(i, i + 1)), check_every<2>),
            do_while(seq(grow, when(max_abs(x) > 9, hit<1>, otherwise(hit<10>)),
                         loop_while(any_of(x, is_negative{}), halve_x), when(all(x != y && x != tol), hit<100>)),
                     none_of(x, above{11})),
            switch_on(count_if(whole, is_negative{}), hit<1000>, hit<2000>, hit<3000>),
            switch_on(count_if(x, is_below{}, 1.0) - 1, hit<10000>),
            when(max_abs(whole) == 7u, hit<20000>), when(all_of(none_at_all, is_negative{}), hit<100000>),
            when(any_of(none_at_all, is_negative{}), hit<200000>), when(max_abs(none_at_all) > 0, hit<400000>),
            par(when(all(x > y), assign(i, i + 1)), when(all(x > y), assign(j, 1), otherwise(assign(j, 2)))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), whole(at(whole_)), none_at_all(at(nothing_)), i(at(i_)), j(at(j_)),
                          hits(at(hits_)), tol(10));
    }
    void compute() {
        i_ = 0;
        double value = 3;
        for (; !(value > 7.5) && i_ < 5; i_ += 2) value += 2;
        hits_ = 0;
        do {
            value += 1;
            hits_ += value > 9 ? 1 : 10;
            if (value != 3 && value != 10) hits_ += 100;
        } while (!(value > 11));
        hits_ += 3000 + 20000 + 100000;
        x_.assign(x_.size(), value);
        ++i_;
        j_ = 1;
    }
    bool operator==(const decide_graphs&) const = default;
};

using cases = std::tuple<end_loops, decide_graphs>;

}  // namespace expressions::arrays
