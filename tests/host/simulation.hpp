// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../catch.hpp"
#include "../expressions/case.hpp"

#include <limits>

// Sanitizers see in loops of few elements what they see in loops of many, and take minutes for these.
#ifdef COGRAPH_TEST_FEWER_ELEMENTS
constexpr int most_elements = 50'000;
#else
constexpr int most_elements = std::numeric_limits<int>::max();
#endif

// Twice, so that what a run leaves behind is what the next one starts from.
template <class Case>
void check_simulation(const Case& start = {}) {
    Case expected = start, given = start;
    for (int run = 0; run < 2; ++run) {
        expected.compute();
        expressions::run_simulated(given);
        CHECK((given == expected));
    }
}
