// SPDX-License-Identifier: Apache-2.0
// reason: result_is_too_large
// expect: result_is_too_large<moments<200>, result_bytes<1600>, limit_is<1535>>
// expect: reduce_its_parts_by_nodes_of_their_own
#include "names.hpp"

// [wrong]
const auto wrong = transform_reduce(over(d), moments_of<200>{}, add_moments{}, moments<200>{})(out(many), in(d[each]));  // here
// [/wrong]
