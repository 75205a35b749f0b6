// SPDX-License-Identifier: Apache-2.0
#include "../expressions/swaps.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("buffers that change places: simulation gives what plain C++ gives", "[simulate]", expressions::swaps::cases) { check_simulation<TestType>(); }
