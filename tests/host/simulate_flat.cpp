// SPDX-License-Identifier: Apache-2.0
#include "../expressions/nodes.hpp"
#include "../expressions/order.hpp"
#include "../expressions/reductions.hpp"
#include "../expressions/storage.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("nodes: simulation gives what plain C++ gives", "[simulate]",
                        expressions::nodes::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("order: simulation gives what plain C++ gives", "[simulate]",
                        expressions::order::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("reductions: simulation gives what plain C++ gives", "[simulate]",
                        expressions::reductions::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("storage: simulation gives what plain C++ gives", "[simulate]",
                        expressions::storage::cases) {
    check_simulation<TestType>();
}
