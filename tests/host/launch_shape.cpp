// SPDX-License-Identifier: Apache-2.0
#include "../expressions/launch_shape.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("loops whose kernel has a given shape: simulation gives what plain C++ gives", "[simulate]", expressions::launch_shape::all) { check_simulation<TestType>(); }
TEMPLATE_LIST_TEST_CASE("loops over a constant number of elements: simulation gives what plain C++ gives", "[simulate]", expressions::launch_shape::constants) { check_simulation<TestType>(); }
