// SPDX-License-Identifier: Apache-2.0
#include "../expressions/phases.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("loops over few elements and many: simulation gives what plain C++ gives", "[simulate]", expressions::phases::cases) { check_simulation<TestType>(); }
TEST_CASE("rolled nodes in problems of a batch: simulation gives what plain C++ gives", "[simulate][batch]") { check_simulation<expressions::phases::levels_of_each>(); }
