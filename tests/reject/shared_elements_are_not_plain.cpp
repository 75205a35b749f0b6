// SPDX-License-Identifier: Apache-2.0
// reason: shared_elements_are_not_plain
// expect: shared_elements_are_not_plain<
// expect: give_a_trivially_copyable_type_aligned_to_16_bytes_at_most
#include "names.hpp"

struct turn {
    template <class Group, class T>
    COGRAPH_HD void operator()(Group const&, index_t, T*, float&) const {}
};
// [wrong]
const auto wrong = for_each(over(y).group<32>().shared<std::string>(8), turn{})(out(y[each]));  // here
// [/wrong]
