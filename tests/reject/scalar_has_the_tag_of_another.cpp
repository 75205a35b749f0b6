// SPDX-License-Identifier: Apache-2.0
// reason: variable_has_the_tag_of_another
// row: `variable_has_the_tag_of_another` in a formula
// expect: variable_has_the_tag_of_another<doubled, single>
// expect: let_it_name_itself
#include "names.hpp"

inline constexpr struct doubled : scalar<struct single, double> {} doubled;
const auto wrong = assign(s, doubled * 2);  // here
