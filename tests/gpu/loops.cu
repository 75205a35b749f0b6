// SPDX-License-Identifier: Apache-2.0
#include "../expressions/loop_options.hpp"
#include "../expressions/loops.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("loops: every way gives what plain C++ gives", "[gpu][loops]", expressions::loops::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("loop options: every way gives what plain C++ gives", "[gpu][loops]", expressions::loop_options::cases) {
    ways::check_all_ways<TestType>();
}
