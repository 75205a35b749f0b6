// SPDX-License-Identifier: Apache-2.0
// reason: collective_is_in_a_body
// expect: collective_is_in_a_body<nccl::all_reduce>
// expect: include_cograph_host_driven_or_bind_ranks_of_one_machine
#include "names.hpp"

#include <cograph/libraries/nccl.hpp>

inline constexpr struct far : value<far, nccl::network_communicator> {} far;
// [wrong]
const auto wrong = loop_while(u > tol, seq(reduce(out(s), in(x)), nccl::all_reduce(far, out(u), in(s))));  // here
// [/wrong]
