// SPDX-License-Identifier: Apache-2.0
// reason: access_mode_is_missing
// row: `access_mode_is_missing` of a function object
// expect: access_mode_is_missing<first_of, at_parameter<1, csr>, A>
// expect: mark_the_view_in_or_out_or_inout
#include "names.hpp"

const auto wrong = single_task(first_of{})(A, out(s));  // here
