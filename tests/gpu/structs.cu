// SPDX-License-Identifier: Apache-2.0
#include "../expressions/structs.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("structs: every way gives what plain C++ gives", "[gpu][structs]", expressions::structs::cases) {
    ways::check_all_ways<TestType>();
}
