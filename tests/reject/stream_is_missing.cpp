// SPDX-License-Identifier: Apache-2.0
// reason: stream_is_missing
// expect: stream_is_missing<for_run_on>
// expect: write_run_on_stream_expression_bindings
#include "names.hpp"

void run() {
    // [wrong]
    run_on(copy(in(x), out(y)), x(memory), y(more_memory));  // here
    // [/wrong]
}
