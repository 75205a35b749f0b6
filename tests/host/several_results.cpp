// SPDX-License-Identifier: Apache-2.0
#include "../expressions/several_results.hpp"
#include "simulation.hpp"

using expressions::several_results::all_of_them;

TEST_CASE("reductions to several scalars: simulation gives what plain C++ gives, with the bits of single ones", "[simulate]") {
    for (const int n : {0, 1, 255, 2048, 200'001})
        for (const int first : {-3, 0, n / 3, n}) check_simulation(all_of_them(static_cast<std::size_t>(n), first));
}
