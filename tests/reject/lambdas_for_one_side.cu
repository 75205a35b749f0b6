// SPDX-License-Identifier: Apache-2.0
// reason: lambda_is_for_one_side_only
// row: `lambda_is_for_one_side_only` (with --extended-lambda)
// flags: --extended-lambda
// errors: 7
// expect: lambda_is_for_one_side_only<lambda [](index_t, float &)->void>
// expect: lambda_is_for_one_side_only<lambda [](index_t, float)->float>
// expect: lambda_is_for_one_side_only<lambda [](float, float)->float>
// expect: lambda_is_for_one_side_only<lambda [](float &)->void>
// expect: lambda_is_for_one_side_only<lambda [](float)->bool>
#include "names.hpp"

#include <cograph.cuh>

void run() {
    const float by = 2;
    for_each(over(x), [by](index_t, float& element) { element *= by; })(inout(x[each]));                        // here
    for_each(over(x), [by] __device__(index_t, float& element) { element *= by; })(inout(x[each]));             // here
    transform_reduce(over(x), [] __device__(index_t, float element) { return element; }, plus{})(out(s), in(x[each]));  // here
    reduce(out(s), in(x), [](float a, float b) { return a + b; }, 0.0f);                                        // here
    single_task([](float& number) { number = 1; })(out(s));                                                            // here
    predicate([] __device__(float number) -> bool { return number > 0; })(s);                                        // here
    any_of(x, [](float element) -> bool { return element > 0; });                                               // here
}
