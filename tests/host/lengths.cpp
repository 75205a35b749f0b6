// SPDX-License-Identifier: Apache-2.0
#include "../expressions/lengths.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("lengths on the device: simulation gives what plain C++ gives", "[simulate]", expressions::lengths::cases) {
    check_simulation<TestType>();
}
