// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>

// Loops of few nodes that cannot be one kernel, since a single_task in them writes memory: some of their iterations share a decision of the
// conditional node. They end at every pass between two decisions, and are met again.
namespace expressions::unrolled {

using namespace cograph;

inline constexpr struct x : buffer<x, std::int64_t> {} x;
inline constexpr struct y : buffer<y, std::int64_t> {} y;
inline constexpr struct t : temp<t, std::int64_t, struct x> {} t;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct sum : scalar<sum, std::int64_t> {} sum;
inline constexpr struct rounds : value<rounds, int> {} rounds;

constexpr std::int64_t modulus = 1009;

struct mix {
    COGRAPH_HD void operator()(index_t at, const std::int64_t& from, std::int64_t& to, const int& pass) const {
        to = (3 * from + at + pass) % modulus;
    }
};
struct note {
    COGRAPH_HD void operator()(std::int64_t* log, const std::int64_t& what, const int& pass) const {
        log[pass % 8] = (5 * log[pass % 8] + what + 1) % modulus;
    }
};
struct note_end {
    COGRAPH_HD void operator()(std::int64_t* log, std::int64_t& what) const { log[7] = what = (log[7] + 2 * what + 1) % modulus; }
};

template <int Rounds>
struct loops {
    std::vector<std::int64_t> x_ = std::vector<std::int64_t>(700, 3), y_ = std::vector<std::int64_t>(8);
    int i_ = 0, j_ = 0, rounds_ = Rounds;
    std::int64_t sum_ = 0;

    static constexpr auto expression() {
        return seq(repeat(2, seq(assign(i, 0), fill(out(t), 1),
                             loop_while(i < rounds, seq(for_each(over(x), mix{})(in(x[each]), out(t[each]), in(i)), reduce(out(sum), in(t)),
                                                        single_task(note{})(inout(y), in(sum), in(i)), assign(i, i + 1))),
                             assign(j, 0), copy(in(t), out(x)),
                             do_while(seq(single_task(note{})(inout(y), in(sum), in(j)), assign(j, j + 1)), j < rounds, at_most(6)),
                             repeat(rounds, single_task(note_end{})(inout(y), inout(sum))))),
                   do_while(seq(single_task(note{})(inout(y), in(sum), in(j)), assign(j, j + 1)), j < 2 * rounds));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), i(at(i_)), j(at(j_)), sum(at(sum_)), rounds(rounds_));
    }
    void compute() {
        for (int time = 0; time < 2; ++time) {
            std::vector<std::int64_t> between(x_.size(), 1);
            for (i_ = 0; i_ < rounds_; ++i_) {
                sum_ = 0;
                for (std::size_t at = 0; at < x_.size(); ++at) {
                    mix{}(static_cast<index_t>(at), x_[at], between[at], i_);
                    sum_ += between[at];
                }
                note{}(y_.data(), sum_, i_);
            }
            j_ = 0;
            x_ = between;
            do {
                note{}(y_.data(), sum_, j_);
                ++j_;
            } while (j_ < std::min(rounds_, 6));
            for (int round = 0; round < rounds_; ++round) note_end{}(y_.data(), sum_);
        }
        do note{}(y_.data(), sum_, j_++);
        while (j_ < 2 * rounds_);
    }
    bool operator==(const loops&) const = default;
};

using cases = std::tuple<loops<0>, loops<1>, loops<2>, loops<3>, loops<4>, loops<5>, loops<6>, loops<7>, loops<8>, loops<9>>;

}  // namespace expressions::unrolled
