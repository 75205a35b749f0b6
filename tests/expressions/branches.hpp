// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>

// Branches and selections, and what decides them.
namespace expressions::branches {

using namespace cograph;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct marks : buffer<marks, int> {} marks;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct wide : scalar<wide, std::int64_t> {} wide;
inline constexpr struct flag : scalar<flag, bool> {} flag;
inline constexpr struct a : scalar<a, int> {} a;
inline constexpr struct b : scalar<b, int> {} b;
inline constexpr struct c : value<c, int> {} c;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct t : temp<t, int, struct x> {} t;
inline constexpr struct u : temp<u, int, struct x> {} u;
inline constexpr struct sum : scalar<sum, int> {} sum;
inline constexpr struct most : scalar<most, int> {} most;
inline constexpr struct enabled : value<enabled, bool> {} enabled;

struct mark_at {
    int at;
    COGRAPH_HD void operator()(int* all) const { all[at] += 1; }
};
constexpr auto mark_place(int at) { return single_task(mark_at{at})(inout(marks)); }
struct set_flag {
    COGRAPH_HD void operator()(bool& to, int value) const { to = value != 0; }
};

// One way or none; conditions of bool and of integers of any width and sign.
struct one_way {
    std::vector<int> marks_ = std::vector<int>(12);
    int i_ = 0;
    std::int64_t wide_ = 0;
    bool flag_ = false;

    static constexpr auto expression() {
        return seq(assign(i, 3), when(i > 2, mark_place(0)), when(i > 3, mark_place(1)),
                   when(i, mark_place(2)), assign(i, -1), when(i, mark_place(3)), assign(i, 0),
                   when(i, mark_place(4)), assign(wide, 4294967296), when(wide, mark_place(5)),
                   when(wide & 1, mark_place(6)), single_task(set_flag{})(out(flag), 2), when(flag, mark_place(7)),
                   when(!flag, mark_place(8)), when(enabled, mark_place(9)),
                   when(enabled && c > 5, mark_place(10)), when(!enabled || c == 7, mark_place(11)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(marks(at(marks_)), i(at(i_)), wide(at(wide_)), flag(at(flag_)), enabled(true),
                          c(5));
    }
    void compute() {
        for (std::size_t at : {0, 2, 3, 5, 7, 9}) marks_[at] += 1;
        wide_ = std::int64_t{1} << 32;
        flag_ = true;
    }
    bool operator==(const one_way&) const = default;
};

// Two ways, either of which may be empty, within each other.
struct two_ways {
    std::vector<int> marks_ = std::vector<int>(10);
    int i_ = 0, a_ = 0;

    static constexpr auto expression() {
        return seq(assign(i, 0),
                   repeat(4, seq(when(i < 2, mark_place(0), otherwise(mark_place(1))),
                                 when(i == 1, seq(), otherwise(mark_place(2))),
                                 when(i == 1, mark_place(3), otherwise(seq())),
                                 when(i > 100, seq(), otherwise(seq())), when(i > 0, seq()),
                                 when(i < 2, when(i < 1, mark_place(4), otherwise(mark_place(5))),
                                      otherwise(seq(mark_place(6),
                                                    when(i < 3, assign(a, i),
                                                         otherwise(seq(mark_place(7), assign(a, -i))))))),
                                 when(i < 2, seq(mark_place(8), assign(i, i + 1)),
                                      otherwise(seq(assign(i, i + 1), mark_place(9)))))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(marks(at(marks_)), i(at(i_)), a(at(a_)));
    }
    void compute() {
        const int times[10] = {2, 2, 3, 1, 1, 1, 2, 1, 2, 2};
        for (std::size_t at = 0; at < 10; ++at) marks_[at] += times[at];
        i_ = 4;
        a_ = -3;
    }
    bool operator==(const two_ways&) const = default;
};

// One of several; a selector below, above and far beyond the cases selects none.
struct selection {
    std::vector<int> marks_ = std::vector<int>(8);
    int i_ = 0, a_ = 0;
    std::int64_t wide_ = 0;
    bool flag_ = false;

    static constexpr auto expression() {
        return seq(assign(i, -2),
                   repeat(8, seq(switch_on(i, mark_place(0), seq(), mark_place(1),
                                           seq(mark_place(2), assign(a, a + i))),
                                 assign(i, i + 1))),
                   switch_on(i - 4, mark_place(3), assign(a, -1), mark_place(4)), assign(wide, 4294967296),
                   switch_on(wide, mark_place(5), mark_place(5)),
                   switch_on(-wide, mark_place(5), mark_place(5)),
                   switch_on(wide >> 32, mark_place(5), mark_place(6)), single_task(set_flag{})(out(flag), 1),
                   switch_on(flag, mark_place(5), mark_place(7)), switch_on(c, mark_place(7)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(marks(at(marks_)), i(at(i_)), a(at(a_)), wide(at(wide_)), flag(at(flag_)), c(0));
    }
    void compute() {
        marks_[0] += 1;
        marks_[1] += 1;
        marks_[2] += 1;
        a_ += 3;
        i_ = 6;
        marks_[4] += 1;
        wide_ = std::int64_t{1} << 32;
        marks_[6] += 1;
        flag_ = true;
        marks_[7] += 2;
    }
    bool operator==(const selection&) const = default;
};

// Device functions as predicates and selectors: over buffers, scalars, values, extents and literals.
struct any_above {
    COGRAPH_HD bool operator()(const int* all, index_t count, int bound) const {
        for (index_t at = 0; at < count; ++at)
            if (all[at] > bound) return true;
        return false;
    }
};
struct bits_of {
    int keep;
    COGRAPH_HD int operator()(const int& of, int also) const { return of & keep & also; }
};
struct decrease {
    COGRAPH_HD void operator()(index_t at, int* to) const { to[at] -= 3; }
};
struct functions {
    std::vector<int> x_ = {10, 40, 7}, marks_ = std::vector<int>(4);
    int i_ = 0;

    static constexpr auto expression() {
        return seq(loop_while(predicate(any_above{})(in(x), extent(x), 20),
                              seq(for_each(over(x), decrease{})(inout(x)), mark_place(0))),
                   do_while(for_each(over(x), decrease{})(inout(x)), predicate(any_above{})(in(x), extent(x), c)),
                   assign(i, 6), when(predicate(bits_of{4})(i, c), mark_place(1), otherwise(mark_place(2))),
                   switch_on(predicate(bits_of{3})(in(i), 3), mark_place(3), mark_place(3), mark_place(2)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), marks(at(marks_)), i(at(i_)), c(5));
    }
    void compute() {
        const auto above = [&](int bound) { return x_[0] > bound || x_[1] > bound || x_[2] > bound; };
        for (; above(20); ++marks_[0])
            for (int& value : x_) value -= 3;
        do
            for (int& value : x_) value -= 3;
        while (above(5));
        i_ = 6;
        ++marks_[1];
        ++marks_[2];
    }
    bool operator==(const functions&) const = default;
};

// Around a kernel of the user's: branches that stay nodes and others that are predicated, over more elements than a device has
// threads; counters and sums beside them; a temp that a branch may keep as it was, while another comes and goes.
DEFINE_TEST_KERNEL void step_first(int* all) {
    if (thread_number() == 0) all[0] += 3;
}
inline void step_first_on_host(int* all) { all[0] += 3; }
struct add_to {
    COGRAPH_HD void operator()(index_t, int& to, const int& more) const { to += more; }
};
struct mix_in {
    COGRAPH_HD void operator()(index_t at, int& to, const int& from) const { to = (to + from + static_cast<int>(at % 7)) % 1009; }
};
struct twice_plus {
    COGRAPH_HD void operator()(int& to, int more) const { to = 2 * to + more; }
};
struct around_a_kernel {
    std::vector<int> x_, y_;
    int i_ = 0, a_ = 0, b_ = 0, most_ = 0, sum_ = 0;

    around_a_kernel() : around_a_kernel(1'000) {}
    explicit around_a_kernel(std::size_t n) : x_(n, 1), y_(n, 2) {}

    static constexpr auto expression() {
        const auto step = kernel<step_first, step_first_on_host>(grid(1).block(32))(x);
        return seq(assign(i, 0), fill(out(t), 5), assign(a, 0),
                   loop_while(i < 9 && sum >= 0,
                              seq(step, reduce(out(sum), in(x), maximum{}), assign(b, (sum + i) % 3),
                                  when(b > 0, seq(for_each(over(x), add_to{})(inout(x[each]), b), reduce(out(most), in(x), maximum{})),
                                       otherwise(fill(out(y), i))),
                                  when(i % 4 == 2, step), when(b == 1, assign(a, a + i)),
                                  copy(in(x), out(u)), when(i % 3 == 0, copy(in(x), out(t))),
                                  for_each(over(x), mix_in{})(inout(y[each]), in(t[each])),
                                  for_each(over(x), mix_in{})(inout(y[each]), in(u[each])),
                                  switch_on(i % 5, seq(for_each(over(x), add_to{})(inout(y[each]), a), assign(a, a + 2)), seq(),
                                            seq(single_task(twice_plus{})(inout(a), 1), fill(out(t), a)), reduce(out(b), in(y), minimum{})),
                                  assign(i, i + 1))),
                   when(i == 9, fill(out(x), 4), otherwise(assign(a, 0))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), i(at(i_)), a(at(a_)), b(at(b_)), most(at(most_)), sum(at(sum_)));
    }
    void compute() {
        const auto largest = [](const std::vector<int>& all) { return *std::max_element(all.begin(), all.end()); };
        std::vector<int> kept(x_.size(), 5);
        a_ = 0;
        for (i_ = 0; i_ < 9 && sum_ >= 0; ++i_) {
            x_[0] += 3;
            sum_ = largest(x_);
            b_ = (sum_ + i_) % 3;
            if (b_ > 0) {
                for (int& value : x_) value += b_;
                most_ = largest(x_);
            } else {
                std::fill(y_.begin(), y_.end(), i_);
            }
            if (i_ % 4 == 2) x_[0] += 3;
            if (b_ == 1) a_ += i_;
            if (i_ % 3 == 0) kept = x_;
            for (std::size_t at = 0; at < x_.size(); ++at) mix_in{}(static_cast<index_t>(at), y_[at], kept[at]);
            for (std::size_t at = 0; at < x_.size(); ++at) mix_in{}(static_cast<index_t>(at), y_[at], x_[at]);
            if (i_ % 5 == 0) {
                for (int& value : y_) value += a_;
                a_ += 2;
            }
            if (i_ % 5 == 2) {
                a_ = 2 * a_ + 1;
                std::fill(kept.begin(), kept.end(), a_);
            }
            if (i_ % 5 == 3) b_ = *std::min_element(y_.begin(), y_.end());
        }
        std::fill(x_.begin(), x_.end(), 4);
    }
    bool operator==(const around_a_kernel&) const = default;
};

using cases = std::tuple<one_way, two_ways, selection, functions, around_a_kernel>;

}  // namespace expressions::branches
