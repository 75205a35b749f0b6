// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

// Loops over few elements and over many: nodes of one chunk follow one another, are in inner loops and branches, beside reductions and wide nodes.
namespace expressions::phases {

using namespace cograph;
using integer = std::int64_t;

inline constexpr struct x : buffer<x, integer> {} x;  // many
inline constexpr struct y : buffer<y, integer> {} y;
inline constexpr struct few : buffer<few, integer> {} few;  // a, then b
inline constexpr struct a : temp<a, integer, elements<extent(few) / 2>> {} a;
inline constexpr struct b : temp<b, integer, elements<extent(few) / 2>> {} b;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct passes : value<passes, int> {} passes;

struct ring {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer& to, index_t n) const { to = (from[at + 1 == n ? 0 : at + 1] * 5 + at) % 1009; }
};
struct take {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer& to, index_t n) const { to = (to + from[at * 7 % n]) % 1013; }
};
struct bump {
    COGRAPH_HD void operator()(index_t at, integer& own) const { own = (own + at) % 1019; }
};

struct read_few {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer& first, integer& second, index_t n) const { first = from[at], second = from[n / 2 + at]; }
};
struct write_few {
    COGRAPH_HD void operator()(index_t at, integer first, integer second, integer* to, index_t n) const { to[at] = first, to[n / 2 + at] = second; }
};
constexpr auto with_few(auto loop) {
    return seq(for_each(over(a), read_few{})(in(few), out(a[each]), out(b[each]), extent(few)), loop, for_each(over(a), write_few{})(in(a[each]), in(b[each]), inout(few), extent(few)));
}

struct numbers {
    std::vector<integer> x_, y_, few_;
    integer sum_ = 0;
    int i_ = 0, passes_ = 5;

    numbers(std::size_t of_many, std::size_t of_few) : x_(of_many), y_(of_many), few_(2 * of_few) {
        for (std::size_t at = 0; at < of_many; ++at) x_[at] = static_cast<integer>(at * 17 % 101);
        for (std::size_t at = 0; at < of_few; ++at) few_[at] = static_cast<integer>(at * 13 % 97);
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), few(at(few_)), sum(at(sum_)), i(at(i_)), passes(passes_));
    }
    bool operator==(const numbers&) const = default;

    template <class F>
    void with(F f) {
        const auto half = few_.begin() + static_cast<std::ptrdiff_t>(few_.size() / 2);
        std::vector<integer> first(few_.begin(), half), second(half, few_.end());
        f(first, second);
        std::copy(second.begin(), second.end(), std::copy(first.begin(), first.end(), few_.begin()));
    }
    template <class F>
    static void call(F f, const std::vector<integer>& from, std::vector<integer>& to) {
        for (std::size_t at = 0; at < to.size(); ++at) f(static_cast<index_t>(at), from.data(), to[at], static_cast<index_t>(from.size()));
    }
};
constexpr auto few_from_few = for_each(over(b), ring{})(in(a), out(b[each]), extent(a));
constexpr auto few_again = for_each(over(a), ring{})(in(b), out(a[each]), extent(b));

// What a wide node reads was written by the first block alone, before and after its threads met.
struct wide_behind : numbers {
    using numbers::numbers;
    wide_behind() : numbers(1'500, 200) {}
    static constexpr auto expression() {
        return with_few(loop_while(i < passes, seq(few_from_few, few_again, for_each(over(x), take{})(in(b), inout(x[each]), extent(b)), few_from_few, for_each(over(y), take{})(in(x), inout(y[each]), extent(x)),
                                          for_each(over(a), take{})(in(y), inout(a[each]), extent(y)), reduce(out(sum), in(a)), assign(i, i + 1))));
    }
    void compute() {
        with([this](std::vector<integer>& first, std::vector<integer>& second) { compute(first, second); });
    }
    void compute(std::vector<integer>& first, std::vector<integer>& second) {
        for (; i_ < passes_; ++i_) {
            call(ring{}, first, second);
            call(ring{}, second, first);
            call(take{}, second, x_);
            call(ring{}, first, second);
            call(take{}, x_, y_);
            call(take{}, y_, first);
            sum_ = 0;
            for (const integer one : first) sum_ += one;
        }
    }
};
// [phases]
// An inner loop, a branch and swapped buffers, all over few elements; a sum over many.
constexpr auto inner = seq(repeat(3, seq(few_from_few, few_again)), when(i < 2, seq(few_from_few, swap(a, b))));
// [/phases]
struct inner_loop : numbers {
    using numbers::numbers;
    inner_loop() : numbers(1'500, 256) {}
    static constexpr auto expression() {
        return with_few(do_while(seq(for_each(over(x), take{})(in(a), inout(x[each]), extent(a)), inner, for_each(over(a), bump{})(inout(a[each])), for_each(over(y), take{})(in(a), inout(y[each]), extent(a)),
                            reduce(out(sum), in(x)), few_from_few, few_again, assign(i, i + 1)), i < passes));
    }
    void compute() {
        with([this](std::vector<integer>& first, std::vector<integer>& second) { compute(first, second); });
    }
    void compute(std::vector<integer>& first, std::vector<integer>& second) {
        do {
            call(take{}, first, x_);
            for (int k = 0; k < 3; ++k) {
                call(ring{}, first, second);
                call(ring{}, second, first);
            }
            if (i_ < 2) {
                call(ring{}, first, second);
                std::swap(first, second);
            }
            for (std::size_t at = 0; at < first.size(); ++at) bump{}(static_cast<index_t>(at), first[at]);
            call(take{}, first, y_);
            sum_ = 0;
            for (const integer one : x_) sum_ += one;
            call(ring{}, first, second);
            call(ring{}, second, first);
            ++i_;
        } while (i_ < passes_);
    }
};

using cases = std::tuple<wide_behind, inner_loop>;

}  // namespace expressions::phases
