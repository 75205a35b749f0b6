// SPDX-License-Identifier: Apache-2.0
#include "../expressions/boxes.hpp"
#include "../expressions/subsets.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("boxes: every way gives what plain C++ gives", "[gpu][loops]", expressions::boxes::of_two_dimensions) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(149, 251)); }
    SECTION("with many elements a thread") { ways::check_all_ways(TestType(402, 650)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1, 1)); }
    SECTION("over two columns") { ways::check_all_ways(TestType(700, 2)); }
    SECTION("over three columns") { ways::check_all_ways(TestType(700, 3)); }
}
TEST_CASE("boxes of three dimensions with many planes: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("a few elements a thread") { ways::check_all_ways(expressions::boxes::room(65, 70, 61)); }
    SECTION("many elements a thread") { ways::check_all_ways(expressions::boxes::room(70, 99, 100)); }
}

TEST_CASE("neighbours in one dimension: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("as it is") { ways::check_all_ways<expressions::boxes::line>(); }
    SECTION("over many elements") { ways::check_all_ways(expressions::boxes::line(200'000)); }
    SECTION("over one element") { ways::check_all_ways(expressions::boxes::line(1)); }
}

TEST_CASE("subsets of shapes: every way gives what plain C++ gives", "[gpu][loops]") {
    using subsets = expressions::subsets::all_of_them;
    SECTION("as it is") { ways::check_all_ways<subsets>(); }
    SECTION("sides of which all are odd, and even") {
        ways::check_all_ways(subsets(1, 3, 5, 7));
        ways::check_all_ways(subsets(300, 4, 6, 8));
    }
    SECTION("over many elements") { ways::check_all_ways(subsets(100'001, 3, 301, 400)); }
}
