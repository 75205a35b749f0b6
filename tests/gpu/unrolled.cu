// SPDX-License-Identifier: Apache-2.0
#include "../expressions/unrolled.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("unrolled: every way gives what plain C++ gives", "[gpu][unrolled]", expressions::unrolled::cases) {
    ways::check_all_ways<TestType>();
}
