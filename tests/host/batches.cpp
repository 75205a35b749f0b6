// SPDX-License-Identifier: Apache-2.0
#include "../expressions/batches.hpp"
#include "simulation.hpp"

using namespace expressions::batches;

TEST_CASE("batches: simulation gives what plain C++ gives", "[simulate][batch]") {
    check_simulation<relaxed<32>>();
    check_simulation(relaxed<1>(300, 3));
    check_simulation(relaxed<64>(1, 10));
    check_simulation(relaxed<64>(0, 4));
    check_simulation(summed<32>(700, 3));
    check_simulation<hailstones>();
    check_simulation<stepped<256>>();
    check_simulation(stepped<512>(1, 5));
}
