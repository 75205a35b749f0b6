// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace expressions::boxes;
using cograph::core::tile_kind;
using emulated::check, emulated::check_launches, emulated::check_updates, emulated::last;

TEST_CASE("kernels on the CPU: a box in a cluster, with a sum in every second iteration") {
    check(branching(41, 67), 9, {tile_kind::plain, 4, 8, 256, 8});
}

TEST_CASE("kernels on the CPU: tiles that overlap and run ahead of the test, which is in every fourth step") {
    check(fourth(49, 83), 9, {tile_kind::overlapping, 4, 8, 288});
    check(fourth(90, 91), 4, {tile_kind::overlapping, 8, 4, 512});
}

TEST_CASE("kernels on the CPU: three dimensions") {
    check(room(7, 20, 40), 9, {tile_kind::plain, 4, 8, 512, 8});
    check(room(9, 40, 70), 9, {tile_kind::plain, 32, 9, 512});
}

// A row of x for each element of y. Groups are parts of a warp, warps, and parts of a block.
struct rows_by_groups {
    static constexpr index_t row = 45;
    std::vector<integer> x_ = some_numbers(static_cast<std::size_t>(19 * row)), y_ = std::vector<integer>(19);

    struct join {
        template <class Group>
        COGRAPH_HD void operator()(Group const& group, index_t at, const integer* rows_of_all, integer& to) const {
            const auto number_in_row = [&](int k) { return rows_of_all[at * row + k]; };
            const integer all = group.transform_reduce(static_cast<int>(row), number_in_row, plus{});
            const auto largest = group.max_element(static_cast<int>(row), number_in_row);
            if (group.rank() == 0) to = 2 * to + all + largest.index;
        }
    };
    static constexpr auto expression() {
        return repeat(2, seq(for_each(over(y).group<8>(), join{})(in(x), inout(y[each])), for_each(over(y).group<32>(), join{})(in(x), inout(y[each])),
                             for_each(over(y).group<64>(), join{})(in(x), inout(y[each]))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)));
    }
    void compute() {
        for (int pass = 0; pass < 6; ++pass)
            for (std::size_t at = 0; at < y_.size(); ++at) {
                const auto begin = x_.begin() + static_cast<std::ptrdiff_t>(at) * row, end = begin + row;
                y_[at] = 2 * y_[at] + std::accumulate(begin, end, integer{0}) + (std::max_element(begin, end) - begin);
            }
    }
    bool operator==(const rows_by_groups&) const = default;
};
TEST_CASE("kernels on the CPU: groups of threads") {
    check_launches(rows_by_groups(), 9, 227, [] { CHECK(last.blocks > 1); });
}

TEST_CASE("kernels on the CPU: one dimension") { check(line(20'000), 9, {tile_kind::plain, 16, 9, 256}); }

// As in loops over very many elements.
struct instantiates_for_many {
    template <class E, class... B>
    auto operator()(E const& e, B... bindings) const {
        using self = typename E::self;
        return cograph::core::executable<self>::template make<cograph::core::lowered<self, cograph::core::graph_for::many_elements>>({}, true, e, bindings...);
    }
};
// Four steps over a box of three dimensions in two passes, and the largest change.
struct two_steps_in_a_pass {
    int planes_, rows_, columns_;
    std::vector<integer> x_, y_;
    integer change_ = 0;

    two_steps_in_a_pass(int planes, int rows, int columns)
        : planes_(planes), rows_(rows), columns_(columns), x_(some_numbers(static_cast<std::size_t>(planes) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))), y_(x_.size()) {}

    struct add_around {
        COGRAPH_HD void operator()(index_t, index_t row, index_t, neighbours<integer, 1, 1, 1> around, integer& to) const {
            to = *around + row;
            for (int k = 0; k < 27; ++k) to += (2 * k - 25) * around.at_or(k, k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1);
            to %= 1000003;
        }
    };
    struct change_of {
        COGRAPH_HD integer operator()(index_t, index_t, index_t, integer a, integer b) const { return a - b; }
    };
    static constexpr auto expression() {
        constexpr auto box = over(planes, rows, columns);
        constexpr auto there = for_each(box, add_around{})(in(x[near<1, 1, 1>]), out(y[each]));
        constexpr auto back = for_each(box, add_around{})(in(y[near<1, 1, 1>]), out(x[each]));
        return seq(there, back, there, back, transform_reduce(box, change_of{}, maximum{})(out(change), in(x[each]), in(y[each])));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), planes(planes_), rows(rows_), columns(columns_), change(at(change_)));
    }
    void compute() {
        const auto step = [&](std::vector<integer> const& from, std::vector<integer>& to) {
            for (index_t i = 0; i < static_cast<index_t>(to.size()); ++i) {
                const cograph::core::box_place<3> place = cograph::core::place_of<3>(i, planes_, rows_, columns_);
                add_around{}(place.at[0], place.at[1], place.at[2], neighbours<integer, 1, 1, 1>{from.data() + i, place, index_t{rows_} * columns_, columns_}, to[static_cast<std::size_t>(i)]);
            }
        };
        for (int k = 0; k < 2; ++k) {
            step(x_, y_);
            step(y_, x_);
        }
        change_ = x_[0] - y_[0];
        for (std::size_t i = 0; i < x_.size(); ++i) change_ = std::max(change_, x_[i] - y_[i]);
    }
    bool operator==(const two_steps_in_a_pass&) const = default;
};
TEST_CASE("kernels on the CPU: two steps in a pass, over boxes that parts of blocks do not divide, and over thin ones") {
    for (const two_steps_in_a_pass& start : {two_steps_in_a_pass(7, 20, 40), two_steps_in_a_pass(37, 9, 33), two_steps_in_a_pass(2, 16, 66), two_steps_in_a_pass(1, 3, 8), two_steps_in_a_pass(5, 2, 40), two_steps_in_a_pass(40, 20, 7)})
        check_launches(start, 9, 227, [] { CHECK(last.kernel.find("steps_in_a_pass_kernel") != std::string::npos); }, instantiates_for_many());
}

// The same over a box of two dimensions, whose passes have two or four steps.
template <int Nodes>
struct steps_in_strips {
    int rows_, columns_;
    std::vector<integer> x_, y_, weight_;
    integer change_ = 0;

    steps_in_strips(int rows, int columns)
        : rows_(rows), columns_(columns), x_(some_numbers(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))), y_(x_.size()), weight_(x_) {}

    struct add_around {
        COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 1> around, integer more, integer& to) const {
            (*this)(row, column, around, to);
            to += more;
        }
        COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 1> around, integer& to) const {
            to = *around + 5 * row + column;
            for (int k = 0; k < 9; ++k) to += (2 * k - 7) * around.at_or(k, k / 3 - 1, k % 3 - 1);
            to %= 1000003;
        }
    };
    struct change_of {
        COGRAPH_HD integer operator()(index_t row, index_t, integer a, integer b) const { return a - b + row; }
    };
    static constexpr auto expression() {
        constexpr auto box = over(rows, columns);
        constexpr auto there = for_each(box, add_around{})(in(x[near<1, 1>]), in(weight[each]), out(y[each]));
        constexpr auto on = for_each(box, add_around{})(in(x[near<1, 1>]), out(y[each]));
        constexpr auto back = for_each(box, add_around{})(in(y[near<1, 1>]), out(x[each]));
        constexpr auto result = transform_reduce(box, change_of{}, maximum{})(out(change), in(x[each]), in(y[each]));
        if constexpr (Nodes == 4)
            return seq(there, back, on, back, result);
        else
            return seq(there, back, there, back, on, back, on, back, result);
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), weight(at(weight_)), rows(rows_), columns(columns_), change(at(change_)));
    }
    void step(std::vector<integer> const& from, std::vector<integer>& to, bool has_weights) {
        for (index_t i = 0; i < static_cast<index_t>(to.size()); ++i) {
            const cograph::core::box_place<2> place = cograph::core::place_of<2>(i, rows_, columns_);
            const auto at = static_cast<std::size_t>(i);
            add_around{}(place.at[0], place.at[1], neighbours<integer, 1, 1>{from.data() + i, place, columns_}, to[at]);
            if (has_weights) to[at] += weight_[at];
        }
    }
    void find_change() {
        change_ = x_[0] - y_[0];
        for (std::size_t i = 0; i < x_.size(); ++i) change_ = std::max(change_, x_[i] - y_[i] + static_cast<integer>(i) / columns_);
    }
    void compute() {
        for (int k = 0; k < Nodes / 2; ++k) {
            step(x_, y_, k < Nodes / 4);
            step(y_, x_, false);
        }
        find_change();
    }
    bool operator==(const steps_in_strips&) const = default;
};
template <int Nodes>
void check_strips(std::initializer_list<std::array<int, 2>> sides) {
    for (const auto& [height, width] : sides)
        check_launches(steps_in_strips<Nodes>(height, width), 2, 227, [] { CHECK(last.kernel.find("steps_in_strips_kernel") != std::string::npos); }, instantiates_for_many());
}
TEST_CASE("kernels on the CPU: two and four steps in a pass over boxes of two dimensions, also thin ones") {
    check_strips<4>({{150, 122}, {41, 59}, {1, 70}, {70, 1}});
    check_strips<8>({{150, 170}, {41, 57}, {300, 112}, {1, 1}, {2, 130}, {130, 3}, {12, 2001}});
}

// Several iterations of two steps, or of a step and a copy, are two passes; those that are left over have a kernel for each node.
inline constexpr struct times : value<times, int> {
} times;
enum class iteration { two_steps, tested, step_and_copy, copy_tested, counted, copy_counted };
template <iteration Kind>
struct iterations_in_strips : steps_in_strips<4> {
    static constexpr bool is_tested = Kind == iteration::tested || Kind == iteration::copy_tested || Kind == iteration::counted, is_counted = Kind == iteration::counted || Kind == iteration::copy_counted;
    int times_;

    iterations_in_strips(int rows, int columns, int iterations) : steps_in_strips<4>(rows, columns), times_(iterations) {}

    static constexpr auto expression() {
        constexpr auto box = over(rows, columns);
        constexpr auto there = for_each(box, add_around{})(in(x[near<1, 1>]), in(weight[each]), out(y[each]));
        constexpr auto back = for_each(box, add_around{})(in(y[near<1, 1>]), out(x[each]));
        constexpr auto result = transform_reduce(box, change_of{}, maximum{})(out(change), in(x[each]), in(y[each]));
        constexpr auto taking = copy(in(y), out(x));
        if constexpr (Kind == iteration::tested)
            return loop_while(change != -1, seq(there, back, result), at_most(times), check_every<9>);
        else if constexpr (Kind == iteration::copy_tested)
            return loop_while(change != -1, seq(there, result, taking), at_most(times), check_every<10>);  // eight steps in passes, and two by turns
        else if constexpr (Kind == iteration::counted)
            return seq(assign(change, 0), loop_while(change < times, seq(there, back, assign(change, change + 1)), check_every<9>));
        else if constexpr (Kind == iteration::copy_counted)
            return seq(assign(change, 0), repeat(times, seq(there, taking, assign(change, 2 * change + 1))));
        else if constexpr (Kind == iteration::step_and_copy)
            return seq(repeat<2>(repeat(times, seq(there, taking))), result);
        else
            return seq(repeat<2>(repeat(times, seq(there, back))), result);
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), weight(at(weight_)), rows(rows_), columns(columns_), change(at(change_)), times(times_));
    }
    void compute() {
        constexpr int every = Kind == iteration::copy_tested ? 10 : 9;
        const int all = is_tested ? (times_ + every - 1) / every * every : Kind == iteration::copy_counted ? times_ : 2 * times_;
        if (is_counted) change_ = 0;
        for (int k = 0; k < all; ++k) {
            step(x_, y_, true);
            if (Kind == iteration::copy_tested) find_change();
            if (is_counted) change_ = Kind == iteration::counted ? change_ + 1 : 2 * change_ + 1;
            if (Kind == iteration::two_steps || Kind == iteration::tested || Kind == iteration::counted)
                step(y_, x_, false);
            else
                x_ = y_;
        }
        if (Kind != iteration::copy_tested && !is_counted && (!is_tested || all > 0)) find_change();
    }
};
template <iteration Kind>
void check_iterations(int height, int width, std::initializer_list<int> all) {
    using self = typename decltype(iterations_in_strips<Kind>::expression())::self;
    static_assert(!std::is_same_v<self, cograph::core::lowered<self, cograph::core::graph_for::many_elements>>);
    for (const int iterations : all)
        check_launches(iterations_in_strips<Kind>(height, width, iterations), 2, 227, [] {}, instantiates_for_many());
}
TEST_CASE("kernels on the CPU: iterations of two steps in passes over a box of two dimensions, and those that are left over") {
    check_iterations<iteration::two_steps>(41, 59, {0, 3, 4, 9});
    check_iterations<iteration::tested>(30, 70, {0, 1, 10});
    check_iterations<iteration::step_and_copy>(41, 59, {0, 1, 5, 8, 14});
    check_iterations<iteration::copy_tested>(30, 70, {0, 1, 11});
    check_iterations<iteration::counted>(41, 59, {0, 3, 10});
    check_iterations<iteration::copy_counted>(30, 70, {0, 1, 5, 8, 14});
}
// Whether a loop of a step and a copy over a large box is one kernel, which keeps a part of it on chip.
template <int Every>
bool keeps_part(int side) {
    constexpr auto box = over(rows, columns);
    constexpr auto on = for_each(box, steps_in_strips<4>::add_around{})(in(x[near<1, 1>]), out(y[each]));
    std::vector<integer> of_x(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)), of_y(of_x.size());
    device_memory::device_place place;
    integer found = 0;
    const auto made = cograph::instantiate(loop_while(change < times, seq(on, copy(in(y), out(x)), assign(change, change + 1)), check_every<Every>), x(place(of_x)), y(place(of_y)), rows(side), columns(side), change(place(found)), times(9));
    return is_persistent(made, cograph::at<0>);
}
TEST_CASE("kernels on the CPU: loops that copy have passes only where no part stays on chip, or for eight iterations") {
    emulated::multiprocessors = 132;
    emulated::shared_kib = 227;
    CHECK((keeps_part<7>(2712) && !keeps_part<8>(2712) && keeps_part<8>(2704)));
}
TEST_CASE("kernels on the CPU: steps in passes whose boxes change") {
    check_updates<two_steps_in_a_pass>({{2, 3, 8}, {37, 9, 33}, {5, 2, 40}, {7, 20, 40}}, 9, instantiates_for_many());
    check_updates<steps_in_strips<8>>({{2, 3}, {150, 170}, {1, 1}, {41, 57}}, 2, instantiates_for_many());
    check_updates<iterations_in_strips<iteration::two_steps>>({{2, 3, 5}, {41, 59, 9}, {41, 59, 3}, {70, 10, 4}}, 2, instantiates_for_many());
    check_updates<iterations_in_strips<iteration::step_and_copy>>({{2, 3, 5}, {41, 59, 9}, {41, 59, 1}, {70, 10, 4}}, 2, instantiates_for_many());
}
