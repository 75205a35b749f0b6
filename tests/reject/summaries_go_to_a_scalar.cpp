// SPDX-License-Identifier: Apache-2.0
// reason: summaries_go_to_a_scalar
// expect: summaries_go_to_a_scalar<s>
// expect: declare_it_as_a_scalar_of_outcome_summary
#include "names.hpp"

#include <cograph/batch.hpp>

inline constexpr struct ends : buffer<ends, loop_outcome> {} ends;
// [wrong]
const auto wrong = summarize(out(s), in(ends));  // here
// [/wrong]
