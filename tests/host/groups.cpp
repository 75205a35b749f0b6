// SPDX-License-Identifier: Apache-2.0
#include "../expressions/groups.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("groups of threads: simulation gives what plain C++ gives", "[simulate]", expressions::groups::cases) {
    check_simulation<TestType>();
    check_simulation(TestType(1));
    check_simulation(TestType(0));
}
