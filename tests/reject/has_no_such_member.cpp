// SPDX-License-Identifier: Apache-2.0
// reason: has_no_such_member
// expect: has_no_such_member<s>
// expect: write_member_of_a_pointer_to_a_member_of_the_struct
#include "names.hpp"

// [wrong]
struct settings {
    int limit;
};
const auto wrong = assign(u, member<&settings::limit>(s));  // here
// [/wrong]
