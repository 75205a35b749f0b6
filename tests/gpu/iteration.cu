// SPDX-License-Identifier: Apache-2.0
#include "../expressions/lengths.hpp"
#include "../expressions/swaps.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("lengths on the device: every way gives what plain C++ gives", "[gpu][loops]", expressions::lengths::cases) {
    ways::check_all_ways<TestType>();
}

// Of more elements than threads keep, and of more than one block has.
TEMPLATE_TEST_CASE("lengths on the device: the same over many elements", "[gpu][loops]", expressions::lengths::in_a_loop<true>, expressions::lengths::in_a_loop<false>) {
    SECTION("a cluster") { ways::check_all_ways(TestType(5'000)); }
    SECTION("a grid") { ways::check_all_ways(TestType(40'000)); }
    SECTION("several elements a thread") { ways::check_all_ways(TestType(400'000)); }
}

TEMPLATE_LIST_TEST_CASE("swapped buffers: every way gives what plain C++ gives", "[gpu][loops]", expressions::swaps::cases) {
    ways::check_all_ways<TestType>();
}
TEST_CASE("swapped buffers: the same over many elements", "[gpu][loops]") {
    using expressions::swaps::steps;
    SECTION("an even number of times") { ways::check_all_ways(steps<true>(1'000, 4)); }
    SECTION("a cluster") { ways::check_all_ways(steps<true>(6'000, 3)); }
    SECTION("a grid") { ways::check_all_ways(steps<true>(60'000, 3)); }
    SECTION("several elements a thread") { ways::check_all_ways(steps<true>(400'000, 3)); }
    SECTION("three in turns") { ways::check_all_ways(expressions::swaps::turns(50'000)); }
}
