// SPDX-License-Identifier: Apache-2.0
#include <cograph/decided_by.cuh>

#include "../expressions/decided.hpp"
#include "joined_ways.cuh"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("kernels that decide: every way gives what plain C++ gives", "[gpu][decided]", expressions::decided::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("kernels that decide: what joins a capture gives what plain C++ gives", "[gpu][decided]", expressions::decided::cases) {
    joined_ways::check_joined<TestType>();
}
