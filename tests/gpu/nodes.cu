// SPDX-License-Identifier: Apache-2.0
#include "../expressions/nodes.hpp"
#include "../expressions/storage.hpp"
#include "joined_ways.cuh"
#include "ways.cuh"

TEMPLATE_LIST_TEST_CASE("nodes: every way gives what plain C++ gives", "[gpu][nodes]",
                        expressions::nodes::cases) {
    ways::check_all_ways<TestType>();
}
TEMPLATE_LIST_TEST_CASE("storage: every way gives what plain C++ gives", "[gpu][storage]",
                        expressions::storage::cases) {
    ways::check_all_ways<TestType>();
}
TEST_CASE("scalars with an initial value: what joins a capture gives what plain C++ gives", "[gpu][storage]") {
    joined_ways::check_joined<expressions::storage::initial_scalars>();
}
TEMPLATE_LIST_TEST_CASE("nodes: what joins a capture gives what plain C++ gives", "[gpu][nodes]", expressions::nodes::cases) {
    joined_ways::check_joined<TestType>();
}
