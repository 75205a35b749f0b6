// SPDX-License-Identifier: Apache-2.0
#include "../expressions/several_results.hpp"
#include "simulation.hpp"

using expressions::several_results::all_of_them;
using expressions::several_results::of_own_length;

TEST_CASE("reductions to several scalars: simulation gives what plain C++ gives, with the bits of single ones", "[simulate]") {
    for (const int n : {0, 1, 255, 2048, 200'001})
        for (const int first : {-3, 0, n / 3, n})
            if (n <= most_elements) check_simulation(all_of_them(static_cast<std::size_t>(n), first));
}

// The two reductions share a loop and a barrier: leaves 1 and 2 of the whole.
using of_own_length_in_a_loop = decltype(cograph::repeat(3, of_own_length::body()));
static_assert(!cograph::core::persistent_plan<of_own_length_in_a_loop>::barriers.splits[2]);

TEST_CASE("reductions of the first elements, of which one gives how many: simulation gives what plain C++ gives", "[simulate]") {
    for (const int n : {1, 255, 2048, 200'001})
        for (const int first : {0, n / 3, n})
            if (n <= most_elements) check_simulation(of_own_length(static_cast<std::size_t>(n), first));
}
