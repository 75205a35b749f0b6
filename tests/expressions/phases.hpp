// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cograph/batch.hpp>
#include <cograph/launch_shape.hpp>

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
inline constexpr struct line : temp<line, integer, elements<64>> {} line;
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

struct guess {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer& to, index_t n) const { to = from[at % n] + at; }
};
// Gauss and Seidel: the even elements, then the odd ones.
struct relax {
    int first;
    COGRAPH_HD void operator()(index_t at, integer* of) const {
        const index_t own = 2 * at + first;
        of[own] = (of[(own + 63) % 64] * 3 + of[(own + 1) % 64] + own) % 1021;
    }
};
// [sweeps]
// Twenty sweeps over 64 elements.
constexpr auto sweeps = repeat(20, seq(for_each(over<32>(), relax{0})(inout(line)), for_each(over<32>(), relax{1})(inout(line))));
// [/sweeps]

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
constexpr auto line_from_few = for_each(over(line), guess{})(in(a), out(line[each]), extent(a));
constexpr auto few_from_few = for_each(over(b), ring{})(in(a), out(b[each]), extent(a));
constexpr auto few_again = for_each(over(a), ring{})(in(b), out(a[each]), extent(b));

// What a wide node reads was written by the first block alone, before and after its threads met, and in a loop.
struct wide_behind : numbers {
    using numbers::numbers;
    wide_behind() : numbers(1'500, 200) {}
    static constexpr auto expression() {
        return with_few(loop_while(i < passes, seq(few_from_few, few_again, for_each(over(x), take{})(in(b), inout(x[each]), extent(b)), line_from_few, sweeps, few_from_few, for_each(over(a), take{})(in(line), inout(a[each]), extent(line)), few_from_few, for_each(over(y), take{})(in(x), inout(y[each]), extent(x)),
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
            std::vector<integer> of_line(64);
            call(guess{}, first, of_line);
            for (int k = 0; k < 40; ++k)
                for (index_t at = 0; at < 32; ++at) relax{k % 2}(at, of_line.data());
            call(ring{}, first, second);
            call(take{}, of_line, first);
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
        return with_few(do_while(seq(for_each(over(x), take{})(in(a), inout(x[each]), extent(a)), inner, for_each(over(a), bump{})(inout(a[each])), copy(in(a), out(b)), for_each(over(b), bump{})(inout(b[each])), few_again, for_each(over(y), take{})(in(a), inout(y[each]), extent(a)),
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
            second = first;
            for (std::size_t at = 0; at < second.size(); ++at) bump{}(static_cast<index_t>(at), second[at]);
            call(ring{}, second, first);
            call(take{}, first, y_);
            sum_ = 0;
            for (const integer one : x_) sum_ += one;
            call(ring{}, first, second);
            call(ring{}, second, first);
            ++i_;
        } while (i_ < passes_);
    }
};

// Grids, each a third as long as the one before, whose nodes share their code.
constexpr int grids = 6;
template <int Level>
inline constexpr auto length_of = extent(x);
template <int Level>
    requires(Level > 0)
inline constexpr auto length_of<Level> = length_of<Level - 1> / 3 + 1;
template <int Level>
struct f_of : temp<f_of<Level>, integer, elements<length_of<Level>>> {};
template <int Level>
struct v_of : temp<v_of<Level>, integer, elements<length_of<Level>>> {};
template <int Level>
inline constexpr auto f = f_of<Level>{};
template <int Level>
inline constexpr auto v = v_of<Level>{};

// Both rows have state, and follow one another.
template <class Factor>
struct add_up {
    Factor by;
    COGRAPH_HD void operator()(index_t at, const integer* fine, integer& to, integer& start, index_t n) const {
        to = 0;
        for (index_t k = by * at; k < by * at + by && k < n; ++k) to += fine[k];
        to %= 1021;
        start = to / 2;
    }
};
template <class Factor>
struct blend {
    Factor by;
    COGRAPH_HD void operator()(index_t at, const integer* coarse, const integer& more, integer& own) const { own = (own * by + coarse[at / 3] + more) % 1031; }
};
template <int Level, class Factor>
constexpr auto correct() {
    constexpr int below = Level + 1;
    const auto down = for_each(over(v<below>), add_up<Factor>{3})(in(f<Level>), out(f<below>[each]), out(v<below>[each]), extent(f<Level>));
    const auto up = for_each(over(v<Level>), blend<Factor>{Level % 3 + 3})(in(v<below>), in(f<Level>[each]), inout(v<Level>[each]));
    if constexpr (below + 1 < grids)
        return seq(down, correct<below, Factor>(), up);
    else
        return seq(down, up);
}
template <class Loop, class Factor = int>
struct levels : numbers {
    levels() : levels(1'500, 1) {}
    using numbers::numbers;
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(phases::x(at(x_)), phases::y(at(y_)), phases::sum(at(sum_)), phases::i(at(i_)), phases::passes(passes_));
    }
    static constexpr auto expression() {
        return Loop::of(i < passes, seq(for_each(over(x), start_of{})(in(x[each]), in(y[each]), out(f<0>[each]), out(v<0>[each])), correct<0, Factor>(),
                                        for_each(over(x), keep{})(in(v<0>[each]), inout(x[each]), inout(y[each])), reduce(out(sum), in(x)), assign(i, i + 1)));
    }
    struct start_of {
        COGRAPH_HD void operator()(index_t at, const integer& more, const integer& first, integer& to, integer& own) const { to = more + at % 5, own = first; }
    };
    struct keep {
        COGRAPH_HD void operator()(index_t, const integer& found, integer& to, integer& other) const { to = found, other = (other + found) % 1033; }
    };
    void compute() {
        for (; i_ < passes_; ++i_) {
            std::vector<integer> fs[grids], vs[grids];
            for (std::size_t n = x_.size(), level = 0; level < grids; ++level, n = n / 3 + 1) fs[level].resize(n), vs[level].resize(n);
            for (std::size_t at = 0; at < x_.size(); ++at) start_of{}(static_cast<index_t>(at), x_[at], y_[at], fs[0][at], vs[0][at]);
            for (int level = 0; level + 1 < grids; ++level)
                for (std::size_t at = 0; at < fs[level + 1].size(); ++at)
                    add_up<Factor>{3}(static_cast<index_t>(at), fs[level].data(), fs[level + 1][at], vs[level + 1][at], static_cast<index_t>(fs[level].size()));
            for (int level = grids - 2; level >= 0; --level)
                for (std::size_t at = 0; at < vs[level].size(); ++at) blend<Factor>{level % 3 + 3}(static_cast<index_t>(at), vs[level + 1].data(), fs[level][at], vs[level][at]);
            for (std::size_t at = 0; at < x_.size(); ++at) keep{}(static_cast<index_t>(at), vs[0][at], x_[at], y_[at]);
            sum_ = 0;
            for (const integer one : x_) sum_ += one;
        }
    }
};
struct of_no_shape {
    static constexpr auto of(auto predicate, auto body) { return loop_while(predicate, body); }
};
struct of_a_block {
    static constexpr auto of(auto predicate, auto body) { return loop_while(predicate, body, block_of<512>); }
};
struct of_a_shape {
    static constexpr auto of(auto predicate, auto body) { return loop_while(predicate, body, grid_of<whole_device>, block_of<256>); }
};

// The same as problems of a batch, whose nodes are rolled nowhere.
inline constexpr struct problems : value<problems, int> {} problems;
struct levels_of_each {
    using one = levels<of_no_shape>;
    std::vector<integer> x_, y_, sum_;
    std::vector<int> i_;
    int passes_ = 3;
    levels_of_each() : levels_of_each(5, 100) {}
    levels_of_each(std::size_t count, std::size_t n) : x_(count * n), y_(count * n), sum_(count), i_(count) {
        for (std::size_t at = 0; at < x_.size(); ++at) x_[at] = static_cast<integer>(at * 17 % 101);
    }
    static constexpr auto expression() { return batch(over(problems).group<64>(), one::expression())(of_each(x), of_each(y), of_each(sum), of_each(i)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(x)(at(x_)), of_each(y)(at(y_)), of_each(sum)(at(sum_)), of_each(i)(at(i_)), passes(passes_), problems(static_cast<int>(i_.size())));
    }
    void compute() {
        const std::size_t n = x_.size() / i_.size();
        for (std::size_t q = 0; q < i_.size(); ++q) {
            one problem(n, 1);
            const auto from = static_cast<std::ptrdiff_t>(q * n), to = static_cast<std::ptrdiff_t>((q + 1) * n);
            std::copy(x_.begin() + from, x_.begin() + to, problem.x_.begin());
            std::copy(y_.begin() + from, y_.begin() + to, problem.y_.begin());
            problem.i_ = i_[q], problem.sum_ = sum_[q], problem.passes_ = passes_;
            problem.compute();
            std::copy(problem.x_.begin(), problem.x_.end(), x_.begin() + from);
            std::copy(problem.y_.begin(), problem.y_.end(), y_.begin() + from);
            i_[q] = problem.i_, sum_[q] = problem.sum_;
        }
    }
    bool operator==(const levels_of_each&) const = default;
};
using cases = std::tuple<wide_behind, inner_loop, levels<of_no_shape>, levels<of_a_block>, levels<of_a_shape>, levels<of_a_block, const int>>;  // the last in no loop over nodes: what is constant cannot be replaced

}  // namespace expressions::phases
