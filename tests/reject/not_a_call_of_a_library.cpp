// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// row: `arguments_are_not_those_of` of a library
// expect: arguments_are_not_those_of<sparse::spmv, out_t<y>, in_t<A>, in_t<x>>
// expect: write_spmv_inout_y_in_A_in_x_alpha_beta
#include "names.hpp"

#include <cograph/libraries/sparse.hpp>

// [wrong]
const auto wrong = sparse::spmv(out(y), in(A), in(x));  // here
// [/wrong]
