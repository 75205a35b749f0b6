// SPDX-License-Identifier: Apache-2.0
// reason: member_is_no_number
// expect: member_is_no_number<tuned, range>
// expect: name_a_number_in_it_or_compute_it_in_a_single_task
#include "names.hpp"

// [wrong]
struct range {
    float least, most;
};
struct settings {
    int limit;
    range steps;
    const int version;
};
inline constexpr struct tuned : scalar<tuned, settings> {} tuned;
const auto wrong = assign(u, member<&settings::steps>(tuned));  // here
// [/wrong]
