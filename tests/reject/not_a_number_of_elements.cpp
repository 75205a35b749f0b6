// SPDX-License-Identifier: Apache-2.0
// reason: not_a_number_of_elements
// expect: not_a_number_of_elements<
// expect: give_an_integer_an_extent_an_integer_value_or_a_formula_of_them
#include "names.hpp"

struct turn {
    template <class Group>
    COGRAPH_HD void operator()(Group const&, index_t, float*, float&) const {}
};
// [wrong]
const auto wrong = for_each(over(y).group<32>().shared<float>(i), turn{})(out(y[each]));  // here
// [/wrong]
