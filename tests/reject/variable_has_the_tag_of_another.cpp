// SPDX-License-Identifier: Apache-2.0
// reason: variable_has_the_tag_of_another
// expect: variable_has_the_tag_of_another<kept, z>
// expect: let_it_name_itself
#include "names.hpp"

// [wrong]
inline constexpr struct kept : temp<struct z, float, struct x> {} kept;
const auto wrong = copy(in(x), out(kept));  // here
// [/wrong]
