// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <vector>

using namespace expressions::boxes;
using cograph::core::tile_kind;
using emulated::check, emulated::check_launches, emulated::last;

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
