// SPDX-License-Identifier: Apache-2.0
// reason: reports_go_to_loop_outcomes
// row: summary of no reports
// expect: reports_go_to_loop_outcomes<y>
// expect: declare_it_as_a_buffer_of_loop_outcome
#include "names.hpp"

#include <cograph/batch.cuh>

void run(float* on_device) {
    constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
    auto exec = instantiate(step, tol(1.0f), x(on_device, 8), y(on_device + 8, 8));
    const auto all = summarize(exec, y);  // here
}
