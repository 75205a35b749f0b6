// SPDX-License-Identifier: Apache-2.0
#include "../expressions/predicates.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("predicates: every way gives what plain C++ gives", "[gpu][predicates]", expressions::predicates::cases) {
    ways::check_all_ways<TestType>();
}
