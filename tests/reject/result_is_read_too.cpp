// SPDX-License-Identifier: Apache-2.0
// reason: result_is_read_too
// expect: result_is_read_too<blas::gemv, y>
// expect: mark_it_inout
#include "names.hpp"

#include <cograph/libraries/blas/blas.hpp>

inline constexpr struct matrix : buffer<matrix, float> {} matrix;
// [wrong]
const auto wrong = blas::gemv(out(y), in(matrix), in(x), 1, tol);  // here
// [/wrong]
