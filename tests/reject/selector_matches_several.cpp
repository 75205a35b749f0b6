// SPDX-License-Identifier: Apache-2.0
// reason: selector_matches_several
// expect: selector_matches_several<calls_t<twice>, all_of_nodes<2>>
// expect: use_at_position
#include "names.hpp"

// [wrong]
const auto wrong = ordered(repeat(3, seq(for_each(over(x), twice{})(inout(x[each])), for_each(over(x), twice{})(inout(x[each])))), at<1>, calls<twice>);  // here
// [/wrong]
