// SPDX-License-Identifier: Apache-2.0
#include "../expressions/arrays.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("predicates over arrays: every way gives what plain C++ gives", "[gpu][loops]", expressions::arrays::cases) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(20'000)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1)); }
}
