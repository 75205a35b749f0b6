// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../catch.hpp"
#include "../expressions/case.hpp"

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
