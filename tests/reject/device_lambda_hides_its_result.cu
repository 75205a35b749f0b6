// SPDX-License-Identifier: Apache-2.0
// reason: device_lambda_hides_its_result
// expect: give_it_a_trailing_return_type_or_make_it_a_function_object
// flags: --extended-lambda
#include "names.hpp"

#include <cograph.cuh>

void run() {
    // [wrong]
    auto wrong = loop_while(test([] __device__(float number) { return number > 0; })(s), assign(s, s - 1));  // here
    // [/wrong]
}
