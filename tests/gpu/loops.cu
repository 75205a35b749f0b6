// SPDX-License-Identifier: Apache-2.0
#include "../expressions/arrays.hpp"
#include "../expressions/attributes.hpp"
#include "../expressions/branches.hpp"
#include "../expressions/loops.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("loops: every way gives what plain C++ gives", "[gpu][loops]",
                        expressions::loops::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("branches: every way gives what plain C++ gives", "[gpu][branches]",
                        expressions::branches::cases) {
    ways::check_all_ways<TestType>();
}
TEST_CASE("branches over more elements than a device has threads", "[gpu][branches]") {
    ways::check_all_ways(expressions::branches::around_a_kernel(541'000));
}
TEMPLATE_LIST_TEST_CASE("attributes of loops: every way gives what plain C++ gives", "[gpu][loops]",
                        expressions::attributes::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("predicates over arrays: every way gives what plain C++ gives", "[gpu][loops]",
                        expressions::arrays::cases) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(20'000)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1)); }
}
