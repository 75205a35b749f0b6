// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>

// Loops of every kind, with any number of passes, none included.
namespace expressions::loops {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, std::int64_t> {} j;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct more : scalar<more, int> {} more;
inline constexpr struct tol : value<tol, double> {} tol;
inline constexpr struct most : value<most, int> {} most;
inline constexpr struct rounds : value<rounds, std::uint16_t> {} rounds;
inline constexpr struct t : temp<t, double, struct x> {} t;

constexpr auto count_pass = assign(passes, passes + 1);

struct halve {
    COGRAPH_HD void operator()(index_t at, double* to) const { to[at] /= 2; }
};

// Tested first, with a compound predicate; ends by either part.
struct tested_first {
    std::vector<double> x_ = {1024, 512, 2048};
    double rr_ = 1e9;
    int passes_ = 0, i_ = 0;

    static constexpr auto expression() {
        return seq(
            loop_while(rr > tol && i < most, seq(for_each(over(x), halve{})(inout(x)), reduce(out(rr), in(x)),
                                                 assign(i, i + 1), count_pass)),
            assign(i, 0),
            loop_while(rr > 0.25 && i < 3, seq(assign(rr, rr / 2), assign(i, i + 1), count_pass)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), rr(at(rr_)), i(at(i_)), passes(at(passes_)), tol(10), most(20));
    }
    void compute() {
        while (rr_ > 10 && i_ < 20) {
            rr_ = 0;
            for (double& value : x_) rr_ += value /= 2;
            ++i_;
            ++passes_;
        }
        i_ = 0;
        while (rr_ > 0.25 && i_ < 3) {
            rr_ /= 2;
            ++i_;
            ++passes_;
        }
    }
    bool operator==(const tested_first&) const = default;
};

// No pass at all, alone, behind what it reads, and inside another loop; what follows runs.
struct zero_passes {
    std::vector<double> x_ = {1, 2};
    int passes_ = 0, i_ = 5;

    static constexpr auto expression() {
        return seq(loop_while(i < 5, seq(assign(i, i + 1), count_pass)), assign(i, 9),
                   loop_while(i < most, seq(assign(i, i + 1), count_pass)),
                   repeat(0, seq(fill(out(x), 0), count_pass)), repeat(-2, count_pass),
                   repeat(rounds, count_pass),
                   repeat(3, seq(repeat(0, count_pass), loop_while(i < 0, seq(assign(i, 1), count_pass)))),
                   for_each(over(x), halve{})(inout(x)), assign(i, 5));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), i(at(i_)), passes(at(passes_)), most(9), rounds(0));
    }
    void compute() {
        for (double& value : x_) value /= 2;
        i_ = 5;
    }
    bool operator==(const zero_passes&) const = default;
};

// Tested behind the body: once at least, many times, and nested.
struct tested_last {
    double rr_ = 4096;
    int passes_ = 0, i_ = 0;

    static constexpr auto expression() {
        return seq(
            do_while(seq(count_pass, assign(i, 100)), i < 0), assign(i, 0),
            do_while(seq(count_pass, assign(i, i + 1)), i < 7), assign(i, 0),
            do_while(seq(assign(i, i + 1), do_while(seq(assign(rr, rr / 2), count_pass), rr > 1000)), i < 3));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(rr(at(rr_)), i(at(i_)), passes(at(passes_)));
    }
    void compute() {
        passes_ += 1 + 7;
        i_ = 0;
        do {
            ++i_;
            do {
                rr_ /= 2;
                ++passes_;
            } while (rr_ > 1000);
        } while (i_ < 3);
    }
    bool operator==(const tested_last&) const = default;
};

// As often as a constant, a value or a scalar says; the scalar is read again before each pass.
struct counted {
    int passes_ = 0, i_ = 3, more_ = 0;
    std::int64_t j_ = 2;

    static constexpr auto expression() {
        return seq(repeat(4, count_pass), repeat(5u, count_pass), repeat(1LL, count_pass),
                   repeat(rounds, count_pass), repeat(i, count_pass),
                   repeat(j, seq(count_pass, when(j < 6, assign(j, j + 1)))),
                   repeat(j, seq(assign(more, more + 1), assign(j, j - 1))), repeat(most, when(j < 0, count_pass)),
                   repeat(2, repeat(3, repeat(rounds, count_pass))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), passes(at(passes_)), more(at(more_)), rounds(7), most(2));
    }
    void compute() {
        passes_ += 4 + 5 + 1 + 7 + i_;
        for (std::int64_t pass = 0; pass < j_; ++pass) {
            ++passes_;
            if (j_ < 6) ++j_;
        }
        for (std::int64_t pass = 0; pass < j_; ++pass) {
            ++more_;
            --j_;
        }
        passes_ += 2 * 3 * 7;
    }
    bool operator==(const counted&) const = default;
};

// A stencil until it changes little: temp, reduction and two predicates, as solvers have them.
struct average {
    COGRAPH_HD void operator()(index_t at, const double* from, double* to, index_t n) const {
        to[at] = at == 0 || at == n - 1 ? from[at] : (from[at - 1] + from[at + 1]) / 2;
    }
};
struct distance {
    COGRAPH_HD double operator()(index_t at, const double* a, const double* b) const {
        return a[at] > b[at] ? a[at] - b[at] : b[at] - a[at];
    }
};
struct jacobi {
    std::vector<double> x_ = std::vector<double>(300);
    double rr_ = 0;
    int i_ = 0;

    jacobi() { x_[0] = 1024; }
    static constexpr auto expression() {
        return seq(assign(i, 0),
                   do_while(seq(for_each(over(x), average{})(in(x), out(t), extent(x)),
                                transform_reduce(over(x), distance{}, maximum{})(out(rr), in(x), in(t)),
                                copy(in(t), out(x)), assign(i, i + 1)),
                            rr > tol && i < most));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), rr(at(rr_)), i(at(i_)), tol(40), most(30));
    }
    void compute() {
        i_ = 0;
        do {
            const std::vector<double> was = x_;
            rr_ = 0;
            for (std::size_t at = 1; at + 1 < x_.size(); ++at) {
                x_[at] = (was[at - 1] + was[at + 1]) / 2;
                const double changed = x_[at] > was[at] ? x_[at] - was[at] : was[at] - x_[at];
                if (changed > rr_) rr_ = changed;
            }
            ++i_;
        } while (rr_ > 40 && i_ < 30);
    }
    bool operator==(const jacobi&) const = default;
};

using cases = std::tuple<tested_first, zero_passes, tested_last, counted, jacobi>;

}  // namespace expressions::loops
