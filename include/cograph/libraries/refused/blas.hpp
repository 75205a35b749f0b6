// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::blas {

// Refused calls.
template <class... A>
auto transposed(A const&...) -> mistake<reason::arguments_are_not_those_of<struct transposed_call, A...>, struct write_transposed_in_A>;

}  // namespace cograph::blas
