// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// row: `arguments_are_not_those_of` of a collective
// expect: arguments_are_not_those_of<nccl::all_reduce, n, out_t<u>, in_t<s>>
// expect: write_all_reduce_world_out_y_in_x
#include "names.hpp"

#include <cograph/libraries/nccl.hpp>

// [wrong]
const auto wrong = nccl::all_reduce(n, out(u), in(s));  // here
// [/wrong]
