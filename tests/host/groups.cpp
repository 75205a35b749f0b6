// SPDX-License-Identifier: Apache-2.0
#include "../expressions/groups.hpp"
#include "simulation.hpp"

#include <limits>

TEMPLATE_LIST_TEST_CASE("groups of threads: simulation gives what plain C++ gives", "[simulate]", expressions::groups::cases) {
    check_simulation<TestType>();
    check_simulation(TestType(1));
    check_simulation(TestType(0));
}

TEMPLATE_LIST_TEST_CASE("groups of threads with shared memory, and in branches: simulation gives what plain C++ gives", "[simulate]", expressions::groups::branches) {
    check_simulation<TestType>();
    check_simulation(TestType(5));
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
