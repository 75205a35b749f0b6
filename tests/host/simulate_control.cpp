// SPDX-License-Identifier: Apache-2.0
#include "../expressions/arrays.hpp"
#include "../expressions/loop_options.hpp"
#include "../expressions/branches.hpp"
#include "../expressions/loops.hpp"
#include "../expressions/nested.hpp"
#include "../expressions/orderless.hpp"
#include "../expressions/own_elements.hpp"
#include "../expressions/predicates.hpp"
#include "../expressions/sizes.hpp"
#include "../expressions/unrolled.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("loop options: simulation gives what plain C++ gives", "[simulate]",
                        expressions::loop_options::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("predicates over arrays: simulation gives what plain C++ gives", "[simulate]",
                        expressions::arrays::cases) {
    check_simulation<TestType>();
    check_simulation(TestType(20'000));
    check_simulation(TestType(1));
}
TEMPLATE_LIST_TEST_CASE("branches: simulation gives what plain C++ gives", "[simulate]",
                        expressions::branches::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("loops: simulation gives what plain C++ gives", "[simulate]",
                        expressions::loops::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("nested: simulation gives what plain C++ gives", "[simulate]",
                        expressions::nested::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("predicates: simulation gives what plain C++ gives", "[simulate]",
                        expressions::predicates::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("unrolled: simulation gives what plain C++ gives", "[simulate]", expressions::unrolled::cases) {
    check_simulation<TestType>();
}

TEST_CASE("sizes: simulation gives what plain C++ gives", "[simulate]") {
    for (const int n : expressions::sizes::of_loops) {
        if (n > most_elements) continue;
        CAPTURE(n);
        check_simulation(expressions::sizes::loop_over(static_cast<std::size_t>(n)));
    }
    check_simulation<expressions::sizes::two_domains>();
    for (const int n : expressions::sizes::of_copies) check_simulation(expressions::sizes::copied_and_filled(static_cast<std::size_t>(n)));
}
TEST_CASE("own elements: simulation gives what plain C++ gives", "[simulate]") {
    for (const int n : expressions::own_elements::sizes) {
        if (n > most_elements) continue;
        CAPTURE(n);
        for (const int passes : {0, 5}) check_simulation(expressions::own_elements::loop_over(static_cast<std::size_t>(n), passes));
    }
}
TEST_CASE("orderless: simulation gives what plain C++ gives", "[simulate]") {
    for (const int n : expressions::orderless::sizes) {
        if (n > most_elements) continue;
        CAPTURE(n);
        check_simulation(expressions::orderless::loop_over(static_cast<std::size_t>(n), 7));
    }
}
