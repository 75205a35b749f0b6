// SPDX-License-Identifier: Apache-2.0
#include "../expressions/groups.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("groups of threads: every way gives what plain C++ gives", "[gpu][loops]", expressions::groups::cases) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(3'000)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1)); }
}

TEMPLATE_LIST_TEST_CASE("groups of threads with shared memory, and in branches: every way gives what plain C++ gives", "[gpu][loops]", expressions::groups::branches) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(3'000)); }
}

TEMPLATE_LIST_TEST_CASE("groups of threads whose work has two parts: every way gives what plain C++ gives", "[gpu][loops]", expressions::groups::in_two_parts) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(3'000)); }
    SECTION("over five elements") { ways::check_all_ways(TestType(5)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1)); }
    SECTION("over no element") { ways::check_all_ways(TestType(0)); }
}

TEMPLATE_LIST_TEST_CASE("largest and least results of groups that a given value bounds: every way gives what plain C++ gives", "[gpu][loops]", expressions::groups::bounded) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(3'000)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1)); }
    SECTION("over no element") { ways::check_all_ways(TestType(0)); }
}
