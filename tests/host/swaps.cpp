// SPDX-License-Identifier: Apache-2.0
#include "../expressions/swaps.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("swapped buffers: simulation gives what plain C++ gives", "[simulate]", expressions::swaps::cases) { check_simulation<TestType>(); }
