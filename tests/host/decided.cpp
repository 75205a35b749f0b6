// SPDX-License-Identifier: Apache-2.0
#include "../expressions/decided.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("kernels that decide: simulation gives what plain C++ gives", "[simulate]", expressions::decided::cases) { check_simulation<TestType>(); }
