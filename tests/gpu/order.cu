// SPDX-License-Identifier: Apache-2.0
#include "../expressions/order.hpp"
#include "../expressions/reductions.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("order: every way gives what plain C++ gives", "[gpu][order]",
                        expressions::order::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("reductions: every way gives what plain C++ gives", "[gpu][reductions]",
                        expressions::reductions::cases) {
    ways::check_all_ways<TestType>();
}
