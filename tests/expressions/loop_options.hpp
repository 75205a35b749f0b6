// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>

// Loops with a limit, and loops that test now and then.
namespace expressions::loop_options {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct tt : temp<tt, double, struct y> {} tt;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct most : value<most, int> {} most;
inline constexpr struct few : value<few, std::uint16_t> {} few;

template <class V>
constexpr auto increment(V v) {
    return assign(v, v + 1);
}
constexpr auto pass = increment(passes);

// Every kind of loop, ended by its limit, by its predicate, and by both at once; limits of no pass.
struct limited {
    int i_ = 0, j_ = 0, passes_ = 0;

    static constexpr auto expression() {
        return seq(assign(i, 0), loop_while(i < 100, seq(increment(i), pass), at_most(7)),
                   loop_while(i < 9, seq(increment(i), pass), at_most(most)),
                   loop_while(i < 11, seq(increment(i), pass), at_most(2)),
                   loop_while(i < 100, seq(increment(i), pass), at_most(0)), do_while(seq(increment(i), pass), i < 100, at_most(3)),
                   do_while(seq(increment(i), pass), i > 0, at_most(0)), repeat(10, pass, at_most(few)), repeat(2, pass, at_most<3>()),
                   assign(j, 0),
                   repeat(3, seq(loop_while(j < 100, seq(increment(j), pass), at_most(4)), assign(j, j - 2)),
                          at_most(2)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), passes(at(passes_)), most(20), few(4));
    }
    void compute() {
        passes_ += 7 + 2 + 2 + 0 + 3 + 1 + 4 + 2 + 8;
        i_ = 7 + 2 + 2 + 3 + 1;
        j_ = 4 - 2 + 4 - 2;
    }
    bool operator==(const limited&) const = default;
};

// Passes beyond the end of the predicate; what a body holds is met again in each pass.
struct tested_now_and_then {
    int i_ = 0, j_ = 0, passes_ = 0;

    static constexpr auto expression() {
        return seq(assign(i, 0), loop_while(i < 10, seq(increment(i), pass), check_every<4>),
                   loop_while(i < 10, seq(increment(i), pass), check_every<4>),
                   do_while(seq(increment(i), pass), i < 10, check_every<3>),
                   loop_while(i < 100, seq(increment(i), pass), check_every<5>, at_most(7)),
                   loop_while(i < 100, seq(increment(i), pass), at_most(most), check_every<3>), assign(j, 0),
                   loop_while(j < 5,
                              seq(increment(j), repeat(j, pass), when(j % 2 == 0, repeat(2, pass), otherwise(pass)),
                                  loop_while(i % 3 != 0, seq(increment(i), pass), check_every<2>), increment(i)),
                              check_every<2>));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), passes(at(passes_)), most(2));
    }
    void compute() {
        const auto step = [&] { ++i_, ++passes_; };
        i_ = 0;
        for (int n = 0; n < 12; ++n) step();
        for (int n = 0; n < 3; ++n) step();
        for (int n = 0; n < 10; ++n) step();
        for (int n = 0; n < 3; ++n) step();
        for (j_ = 0; j_ < 5;) {
            for (int copy = 0; copy < 2; ++copy) {
                ++j_;
                passes_ += j_ + (j_ % 2 == 0 ? 2 : 1);
                while (i_ % 3 != 0) {
                    step();
                    step();
                }
                ++i_;
            }
        }
    }
    bool operator==(const tested_now_and_then&) const = default;
};

DEFINE_TEST_KERNEL void shift([[maybe_unused]] const double* from, [[maybe_unused]] double* to,
                              [[maybe_unused]] int n) {
#ifdef __CUDACC__
    const index_t at = thread_number();
    if (at < n) to[at] = from[at == 0 ? n - 1 : at - 1] + 1;
#endif
}
inline void shift_on_host(const double* from, double* to, int n) {
    for (int at = 0; at < n; ++at) to[at] = from[at == 0 ? n - 1 : at - 1] + 1;
}

// Arrays and reductions from pass to pass, in loops of library nodes and around a kernel of one's own: every pass
// needs all of the one before it.
struct passes_in_order {
    std::vector<double> x_ = std::vector<double>(1500), y_ = std::vector<double>(700);
    double rr_ = 0;
    int i_ = 0;

    passes_in_order() {
        for (std::size_t at = 0; at < x_.size(); ++at) x_[at] = static_cast<double>(at % 7);
        for (std::size_t at = 0; at < y_.size(); ++at) y_[at] = static_cast<double>(at % 5);
    }
    struct rotate {
        COGRAPH_HD void operator()(index_t at, const double* from, double* to, index_t n) const {
            to[at] = from[at == 0 ? n - 1 : at - 1] + (at % 2 == 0 ? 1 : -1);
        }
    };
    static constexpr auto expression() {
        return seq(assign(i, 0), assign(rr, 0),
                   loop_while(rr < 40'000, seq(for_each(over(x), rotate{})(in(x), out(t), extent(x)),
                                               for_each(over(x), rotate{})(in(t), out(x), extent(x)),
                                               reduce(out(rr), in(x), maximum{}), assign(rr, rr * 1000), increment(i)),
                              check_every<3>, at_most(most)),
                   assign(i, i + 100), assign(j, 0),
                   loop_while(j < 4, seq(copy(in(y), out(tt)), kernel<shift, shift_on_host>(over(y))(in(tt), out(y), extent(y)),
                                         when(j < 3, for_each(over(y), rotate{})(in(y), out(tt), extent(y)),
                                              otherwise(fill(out(tt), 3.0))),
                                         copy(in(tt), out(y)), repeat(2, increment(i)), increment(j)),
                              check_every<3>));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), rr(at(rr_)), i(at(i_)), most(8));
    }
    void compute() {
        const auto rotated = [](const std::vector<double>& from) {
            std::vector<double> to(from.size());
            for (std::size_t at = 0; at < from.size(); ++at)
                to[at] = from[at == 0 ? from.size() - 1 : at - 1] + (at % 2 == 0 ? 1 : -1);
            return to;
        };
        i_ = 0;
        rr_ = 0;
        do {
            for (int copy = 0; copy < 3; ++copy) {
                x_ = rotated(rotated(x_));
                rr_ = x_[0];
                for (const double value : x_)
                    if (value > rr_) rr_ = value;
                rr_ *= 1000;
                ++i_;
            }
        } while (rr_ < 40'000 && i_ < 8);
        i_ += 100;
        for (int n = 0; n < 6; ++n) {
            std::vector<double> shifted(y_.size());
            shift_on_host(y_.data(), shifted.data(), static_cast<int>(y_.size()));
            y_ = n < 3 ? rotated(shifted) : std::vector<double>(y_.size(), 3.0);
            i_ += 2;
        }
    }
    bool operator==(const passes_in_order&) const = default;
};

using cases = std::tuple<limited, tested_now_and_then, passes_in_order>;

}  // namespace expressions::loop_options
