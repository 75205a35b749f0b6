// SPDX-License-Identifier: Apache-2.0
#include "../expressions/subsets.hpp"
#include "simulation.hpp"

#include <cograph/check.hpp>

#include <array>
#include <span>
#include <vector>

using expressions::subsets::all_of_them;

TEST_CASE("subsets of shapes: simulation gives what plain C++ gives", "[simulate]") {
    check_simulation<all_of_them>();
    for (const auto& [n, planes, rows, columns] : {std::array{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {4, 2, 3, 5}, {7, 3, 4, 5}, {8, 4, 5, 6}, {10, 2, 1, 7}, {0, 0, 0, 0}})
        check_simulation(all_of_them(static_cast<std::size_t>(n), planes, rows, columns));
}

TEST_CASE("check finds nothing in a sweep over both colours, and a race in one over all elements") {
    using namespace cograph;
    using namespace expressions::subsets;
    std::vector<integer> numbers(35, 7);
    const auto result = check(sweep, u(std::span(numbers)), rows(5), columns(7));
    INFO(result.text());
    CHECK(result.empty());
    CHECK(!check(for_each(over(rows, columns), relax{})(in(u[near<1, 1>]), out(u[each])), u(std::span(numbers)), rows(5), columns(7)).empty());
}
