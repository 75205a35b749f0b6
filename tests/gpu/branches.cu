// SPDX-License-Identifier: Apache-2.0
#include "../expressions/branches.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("branches: every way gives what plain C++ gives", "[gpu][branches]", expressions::branches::cases) {
    ways::check_all_ways<TestType>();
}
TEST_CASE("branches over more elements than a device has threads", "[gpu][branches]") {
    ways::check_all_ways(expressions::branches::around_a_kernel(541'000));
}
