// SPDX-License-Identifier: Apache-2.0
#include "../expressions/nested.hpp"
#include "../expressions/predicates.hpp"
#include "../expressions/unrolled.hpp"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("nested: every way gives what plain C++ gives", "[gpu][nested]",
                        expressions::nested::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("predicates: every way gives what plain C++ gives", "[gpu][predicates]",
                        expressions::predicates::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("unrolled: every way gives what plain C++ gives", "[gpu][unrolled]", expressions::unrolled::cases) {
    ways::check_all_ways<TestType>();
}
