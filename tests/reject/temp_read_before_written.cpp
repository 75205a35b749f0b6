// SPDX-License-Identifier: Apache-2.0
// reason: temp_read_before_written
// expect: temp_read_before_written<z, copy_elements>
// expect: write_it_first_since_loops_may_run_zero_times_and_branches_not_at_all
#include "names.hpp"

void run() {
    // [wrong]
    simulate(seq(loop_while(i < n, seq(fill(out(z), 1), assign(i, i + 1))), copy(in(z), out(x))), x(memory), n(3), i(&count));  // here
    // [/wrong]
}
