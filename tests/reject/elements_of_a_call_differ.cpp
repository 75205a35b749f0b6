// SPDX-License-Identifier: Apache-2.0
// reason: elements_of_a_call_differ
// expect: elements_of_a_call_differ<blas::gemv, y, d>
// expect: give_its_memory_elements_of_one_type
#include "names.hpp"

#include <cograph/libraries/blas/blas.hpp>

// [wrong]
const auto wrong = blas::gemv(out(y), in(d), in(x));  // here
// [/wrong]
