// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

// Control flow within control flow. A loop in a loop must start anew whenever it is met.
namespace expressions::nested {

using namespace cograph;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct k : scalar<k, int> {} k;
inline constexpr struct n : scalar<n, std::int64_t> {} n;
inline constexpr struct best : scalar<best, std::int64_t> {} best;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct taken : scalar<taken, int> {} taken;
inline constexpr struct most : value<most, int> {} most;

constexpr auto count_pass = assign(passes, passes + 1);
template <class V>
constexpr auto increment(V v) {
    return assign(v, v + 1);
}

// Inner loops with another number of passes each time, none among them, entered again and again.
struct entered_again {
    int i_ = 0, j_ = 0, k_ = 0, passes_ = 0, taken_ = 0;

    static constexpr auto expression() {
        return seq(
            assign(i, 0),
            loop_while(i < 6, seq(assign(j, i), loop_while(j < 4, seq(increment(j), count_pass)),
                                  assign(k, 0), do_while(seq(increment(k), increment(taken)), k < i % 3),
                                  repeat(i, increment(taken)), increment(i))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), k(at(k_)), passes(at(passes_)), taken(at(taken_)));
    }
    void compute() {
        for (i_ = 0; i_ < 6; ++i_) {
            for (j_ = i_; j_ < 4; ++j_) ++passes_;
            k_ = 0;
            do {
                ++k_;
                ++taken_;
            } while (k_ < i_ % 3);
            taken_ += i_;
        }
    }
    bool operator==(const entered_again&) const = default;
};

// A loop in a branch in a loop, in both branches, beside a branch in a loop in a branch.
struct loop_in_branch_in_loop {
    int i_ = 0, j_ = 0, passes_ = 0, taken_ = 0;

    static constexpr auto expression() {
        return seq(
            assign(i, 0),
            loop_while(
                i < 7,
                seq(assign(j, 0),
                    when((i & 1) == 0, loop_while(j < i, seq(increment(j), count_pass)),
                         otherwise(do_while(
                             seq(increment(j), increment(taken), when(j == 2, assign(j, j + 10))), j < i))),
                    increment(i))),
            when(i == 7, repeat(3, when(taken > passes, increment(passes), otherwise(increment(taken))))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), passes(at(passes_)), taken(at(taken_)));
    }
    void compute() {
        for (i_ = 0; i_ < 7; ++i_) {
            j_ = 0;
            if (i_ % 2 == 0) {
                for (; j_ < i_; ++j_) ++passes_;
            } else {
                do {
                    ++j_;
                    ++taken_;
                    if (j_ == 2) j_ += 10;
                } while (j_ < i_);
            }
        }
        for (int pass = 0; pass < 3; ++pass) ++(taken_ > passes_ ? passes_ : taken_);
    }
    bool operator==(const loop_in_branch_in_loop&) const = default;
};

// Of all numbers up to 30, the one whose way to 1 is the longest (Collatz).
struct collatz {
    int i_ = 0, j_ = 0, k_ = 0;
    std::int64_t n_ = 0, best_ = 0;

    static constexpr auto expression() {
        return seq(assign(best, 0), assign(i, 1), assign(k, 0),
                   repeat(30, seq(assign(n, i), assign(j, 0),
                                  loop_while(n != 1, seq(when(n % 2 == 0, assign(n, n / 2),
                                                              otherwise(assign(n, 3 * n + 1))),
                                                         increment(j))),
                                  when(j > best, seq(assign(best, j), assign(k, i))), increment(i))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), k(at(k_)), n(at(n_)), best(at(best_)));
    }
    void compute() {
        best_ = 0;
        for (i_ = 1; i_ <= 30; ++i_) {
            j_ = 0;
            for (n_ = i_; n_ != 1; n_ = n_ % 2 == 0 ? n_ / 2 : 3 * n_ + 1) ++j_;
            if (j_ > best_) {
                best_ = j_;
                k_ = i_;
            }
        }
    }
    bool operator==(const collatz&) const = default;
};

// Sorting by swapping neighbours, until a pass swaps nothing: odd and even pairs at once.
struct swap_pair {
    int first;
    COGRAPH_HD int operator()(index_t at, int* all, index_t count) const {
        const index_t left = 2 * at + first;
        if (left + 1 >= count || all[left] <= all[left + 1]) return 0;
        const int was = all[left];
        all[left] = all[left + 1];
        all[left + 1] = was;
        return 1;
    }
};
struct sort {
    std::vector<int> x_ = {9, 4, 7, 1, 8, 2, 2, 6, 0, 3, 5};
    int k_ = 0, passes_ = 0;

    static constexpr auto expression() {
        return seq(assign(passes, 0),
                   do_while(seq(transform_reduce(over(5), swap_pair{0}, maximum{})(out(k), inout(x), extent(x)),
                                transform_reduce(over(5), swap_pair{1}, maximum{})(out(j), inout(x), extent(x)), assign(k, max(k, j)), count_pass),
                            k != 0 && passes < most));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), k(at(k_)), passes(at(passes_)), most(100));
    }
    void compute() {
        passes_ = 0;
        do {
            k_ = 0;
            for (std::size_t first : {0, 1})
                for (std::size_t left = first; left + 1 < x_.size(); left += 2)
                    if (x_[left] > x_[left + 1]) {
                        std::swap(x_[left], x_[left + 1]);
                        k_ = 1;
                    }
            ++passes_;
        } while (k_ != 0);
    }
    bool operator==(const sort&) const = default;
};

// Every form of control within every other, six deep.
struct deep {
    int i_ = 0, j_ = 0, k_ = 0, passes_ = 0, taken_ = 0;

    static constexpr auto expression() {
        constexpr auto innermost = seq(count_pass, when(passes % 3 == 0, increment(taken)));
        constexpr auto selected = switch_on(passes % 4, innermost, repeat(2, innermost), count_pass);
        constexpr auto again = seq(
            assign(k, 0), do_while(seq(selected, increment(k), when(passes % 4 == 3, count_pass)), k < 3));
        constexpr auto branch = when(j == 1, again, otherwise(seq(again, repeat(2, selected))));
        return repeat(
            2, seq(assign(i, 0),
                   loop_while(i < 2, seq(assign(j, 0), repeat(3, seq(branch, increment(j))), increment(i)))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), k(at(k_)), passes(at(passes_)), taken(at(taken_)));
    }
    void innermost() {
        ++passes_;
        if (passes_ % 3 == 0) ++taken_;
    }
    void selected() {
        switch (passes_ % 4) {
            case 0: innermost(); break;
            case 1: innermost(), innermost(); break;
            case 2: ++passes_; break;
        }
    }
    void again() {
        k_ = 0;
        do {
            selected();
            ++k_;
            if (passes_ % 4 == 3) ++passes_;
        } while (k_ < 3);
    }
    void compute() {
        for (int whole = 0; whole < 2; ++whole)
            for (i_ = 0; i_ < 2; ++i_)
                for (j_ = 0; j_ < 3; ++j_) {
                    again();
                    if (j_ == 1) continue;
                    selected();
                    selected();
                }
    }
    bool operator==(const deep&) const = default;
};

// Loops side by side, which may run at once, and a loop in each branch of a par in a loop.
struct side_by_side {
    int i_ = 0, j_ = 0, k_ = 0, passes_ = 0;

    static constexpr auto expression() {
        return seq(
            par(assign(i, 0), assign(j, 100), assign(k, 0)), assign(passes, 0),
            loop_while(passes < 5, seq(par(loop_while(i % 7 != 6, increment(i)), repeat(3, assign(j, j - 2)),
                                           do_while(assign(k, k + 3), k % 5 != 0)),
                                       par(increment(i), increment(k)), count_pass)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(i(at(i_)), j(at(j_)), k(at(k_)), passes(at(passes_)));
    }
    void compute() {
        i_ = k_ = 0;
        j_ = 100;
        for (passes_ = 0; passes_ < 5; ++passes_) {
            while (i_ % 7 != 6) ++i_;
            j_ -= 6;
            do k_ += 3;
            while (k_ % 5 != 0);
            ++i_;
            ++k_;
        }
    }
    bool operator==(const side_by_side&) const = default;
};

using cases = std::tuple<entered_again, loop_in_branch_in_loop, collatz, sort, deep, side_by_side>;

}  // namespace expressions::nested
