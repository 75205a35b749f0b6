// SPDX-License-Identifier: Apache-2.0
// reason: library_has_no_such_elements
// expect: library_has_no_such_elements<blas::nrm2, i>
// expect: use_elements_that_the_library_has
#include "names.hpp"

#include <cograph/libraries/blas/blas.hpp>

inline constexpr struct numbers : buffer<numbers, int> {} numbers;
// [wrong]
const auto wrong = blas::nrm2(out(i), in(numbers));  // here
// [/wrong]
