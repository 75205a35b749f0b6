// SPDX-License-Identifier: Apache-2.0
// reason: no_size_of
// row: a temp whose size is wrong, where it is used
// errors: 2
// expect: no_size_of<i>
// expect: write_sizes_over_extents_integers_and_integer_values
// expect: not_a_variable<found>
// expect: mark_variables_only_and_mend_its_declaration_if_it_is_one
#include "names.hpp"

inline struct found : temp<found, float, elements<i + 1>> {} found;  // here
const auto wrong = fill(out(found), 1);
