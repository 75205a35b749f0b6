// SPDX-License-Identifier: Apache-2.0
#include "../expressions/boxes.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("boxes: every way gives what plain C++ gives", "[gpu][loops]", expressions::boxes::of_two_dimensions) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(135, 250)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1, 1)); }
    SECTION("over two columns") { ways::check_all_ways(TestType(700, 2)); }
}

TEST_CASE("neighbours in one dimension: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("as it is") { ways::check_all_ways<expressions::boxes::line>(); }
    SECTION("over many elements") { ways::check_all_ways(expressions::boxes::line(200'000)); }
    SECTION("over one element") { ways::check_all_ways(expressions::boxes::line(1)); }
}
