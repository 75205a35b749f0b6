// SPDX-License-Identifier: Apache-2.0
// reason: member_is_const
// expect: member_is_const<tuned>
// expect: assign_to_members_that_are_not_const
#include "names.hpp"

// [wrong]
struct settings {
    int limit;
    const int version;
};
inline constexpr struct tuned : scalar<tuned, settings> {} tuned;
const auto wrong = assign(member<&settings::version>(tuned), 2);  // here
// [/wrong]
