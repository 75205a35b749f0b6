// SPDX-License-Identifier: Apache-2.0
#include "../expressions/nested.hpp"
#include "joined_ways.cuh"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("nested: every way gives what plain C++ gives", "[gpu][nested]", expressions::nested::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("nested: what joins a capture gives what plain C++ gives", "[gpu][nested]", expressions::nested::cases) {
    joined_ways::check_joined<TestType>();
}
