// SPDX-License-Identifier: Apache-2.0
// reason: predicate_only_reads
// expect: predicate_only_reads<advance, inout_t<i>>
// expect: mark_it_in_and_write_it_in_the_body
#include "names.hpp"

// [wrong]
const auto wrong = loop_while(predicate(advance{})(inout(i)), fill(out(x), 1));  // here
// [/wrong]
