// SPDX-License-Identifier: Apache-2.0
#include "../expressions/groups.hpp"
#include "simulation.hpp"

#include <limits>
#include <string>

TEMPLATE_LIST_TEST_CASE("groups of threads: simulation gives what plain C++ gives", "[simulate]", expressions::groups::cases) {
    check_simulation<TestType>();
    check_simulation(TestType(1));
    check_simulation(TestType(0));
}

TEMPLATE_LIST_TEST_CASE("groups of threads with shared memory, and in branches: simulation gives what plain C++ gives", "[simulate]", expressions::groups::branches) {
    check_simulation<TestType>();
    check_simulation(TestType(5));
}

TEMPLATE_LIST_TEST_CASE("groups of threads whose work has two parts: simulation gives what plain C++ gives", "[simulate]", expressions::groups::in_two_parts) {
    check_simulation<TestType>();
    check_simulation(TestType(1));
    check_simulation(TestType(0));
}

TEMPLATE_LIST_TEST_CASE("largest and least results of groups that a given value bounds: simulation gives what plain C++ gives", "[simulate]", expressions::groups::bounded) {
    check_simulation<TestType>();
    check_simulation(TestType(1));
    check_simulation(TestType(0));
}

namespace {
using namespace cograph;
inline constexpr struct numbers : buffer<numbers, float> {} numbers;
inline constexpr struct best : buffer<best, found_element<float>> {} best;
struct find_extremes {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t i, const float* of, index_t count, found_element<float>& to) const {
        const auto number = [&](index_t k) { return of[k]; };
        to = i == 0 ? group.max_element(count, number) : i == 1 ? group.min_element(count, number) : group.max_element(index_t{0}, number);
    }
};
}  // namespace

TEST_CASE("groups of threads: extremes are those of the nodes: any number comes before a NaN, of equals the first", "[simulate]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> given = {nan, 2, 3, nan, 3};
    std::vector<found_element<float>> found(3);
    simulate(for_each(over(best).group<32>(), find_extremes{})(in(numbers), extent(numbers), out(best[each])), numbers(std::span(given)), best(std::span(found)));
    CHECK((found[0] == found_element<float>{3, 2}));
    CHECK((found[1] == found_element<float>{2, 1}));
    CHECK(found[2].index == -1);
}

namespace {
inline constexpr struct room_of_group : value<room_of_group, int> {} room_of_group;
struct leave_alone {
    template <class Group>
    COGRAPH_HD void operator()(Group const&, index_t, double*, found_element<float>&) const {}
};
}  // namespace

TEST_CASE("shared memory of groups: impossible amounts are refused, with the node") {
    std::vector<found_element<float>> found(3);
    const auto said = [&](int count) -> std::string {
        try {
            simulate(for_each(over(best).group<64>().shared<double>(room_of_group), leave_alone{})(inout(best[each])), best(std::span(found)), room_of_group(count));
            return "nothing";
        } catch (const error& refused) {
            return refused.what();
        }
    };
    CHECK(said(0) == "nothing");
    CHECK(said(29056) == "nothing");
    CHECK(said(-3).find("'leave_alone'") != std::string::npos);
    CHECK(said(-3).find("asks for a negative number of elements of shared memory for each group: -3") != std::string::npos);
    CHECK(said(29057).find("asks for 29057 elements of 8 bytes of shared memory for each group: no GPU gives a block more than 232448 bytes") != std::string::npos);
}
