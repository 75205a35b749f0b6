// SPDX-License-Identifier: Apache-2.0
// reason: too_many_parameters
// row: `too_many_parameters` of a formula
// expect: too_many_parameters<assign_formula, takes_parameters<249>, limit_is<248>>
// expect: pass_several_in_one_struct
#include "names.hpp"

template <int Count, class V>
constexpr auto sum_of(V variable) {
    if constexpr (Count == 2)
        return variable + variable;
    else if constexpr (Count == 3)
        return sum_of<2>(variable) + variable;
    else
        return sum_of<Count / 2>(variable) + sum_of<Count - Count / 2>(variable);
}

// [wrong]
const auto wrong = assign(s, sum_of<249>(u));  // here
// [/wrong]
