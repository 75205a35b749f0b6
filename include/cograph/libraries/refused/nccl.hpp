// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::nccl {

// Refused calls.
template <class... A>
auto to(A const&...) -> mistake<reason::arguments_are_not_those_of<struct to_call, A...>, struct write_to_in_x_rank>;
template <class... A>
auto from(A const&...) -> mistake<reason::arguments_are_not_those_of<struct from_call, A...>, struct write_from_inout_x_rank>;

}  // namespace cograph::nccl
