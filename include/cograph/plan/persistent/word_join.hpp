// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/array_terms.hpp>

namespace cograph::core {

// How blocks combine results of an operation Op on T in one word of memory, if the order makes no difference: as a
// sum, or as the largest of numbers that represent them.
enum class word_join : unsigned char { none, sum, largest };

template <class Op, class T>
inline constexpr bool is_largest_or_least = (std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>) &&
                                            (std::is_same_v<Op, maximum> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum_or_nan> || std::is_same_v<Op, minimum_or_nan>);
template <class Op, class T>
constexpr word_join how_to_join() {
    if constexpr (sizeof(T) > sizeof(unsigned long long))
        return word_join::none;
    else if constexpr (std::is_same_v<T, bool>)
        return std::is_same_v<Op, both_hold> || std::is_same_v<Op, one_holds> ? word_join::largest : word_join::none;
    else if constexpr (std::is_integral_v<T> && std::is_same_v<Op, plus>)
        return word_join::sum;
    else
        return is_largest_or_least<Op, T> ? word_join::largest : word_join::none;
}

}  // namespace cograph::core
