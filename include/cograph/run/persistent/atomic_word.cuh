// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/word_join.hpp>

namespace cograph::core {

// A result as such a word, which of none is zero.
template <class Op, class T>
struct joined_word {
    static constexpr word_join how = how_to_join<Op, T>();
    static constexpr bool always_tells = how == word_join::sum || !std::is_floating_point_v<T>;

    __device__ static unsigned long long of(T value) {
        if constexpr (how == word_join::sum)
            return static_cast<unsigned long long>(value);
        else if constexpr (std::is_floating_point_v<T>)
            return value == value ? turned(ordered(value)) : not_a_number;
        else
            return turned(ordered(value));
    }

    // The result of all, if the joined word determines it. It does not tell which zero is meant or which of several
    // NaN; nor which denormal number, because comparisons may treat these as zero.
    __device__ static bool tells(unsigned long long word, T& value) {
        if constexpr (how == word_join::sum) {
            value = static_cast<T>(word);
        } else if constexpr (std::is_floating_point_v<T>) {
            if (word == not_a_number) return false;
            value = from_ordered(turned(static_cast<bits>(word)));
            return value >= least_normal || value <= -least_normal;
        } else {
            value = from_ordered(turned(static_cast<bits>(word)));
        }
        return true;
    }

private:
    using bits = choose<sizeof(T) <= sizeof(unsigned), unsigned, unsigned long long>;
    static constexpr bits sign = std::is_signed_v<T> ? bits(1) << (8 * sizeof(bits) - 1) : bits(0);
    static constexpr unsigned long long not_a_number = ~0ull;
    static constexpr T least_normal = std::numeric_limits<T>::min();

    // The least has the largest word.
    __device__ static bits turned(bits word) {
        return std::is_same_v<Op, minimum> || std::is_same_v<Op, minimum_or_nan> || std::is_same_v<Op, both_hold> ? ~word : word;
    }
    // Numbers in their order.
    __device__ static bits ordered(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            bits word;
            memcpy(&word, &value, sizeof word);
            return word & sign ? ~word : word | sign;
        } else {
            return static_cast<bits>(value) ^ sign;
        }
    }
    __device__ static T from_ordered(bits word) {
        if constexpr (std::is_floating_point_v<T>) {
            word = word & sign ? word ^ sign : ~word;
            T value;
            memcpy(&value, &word, sizeof value);
            return value;
        } else {
            return static_cast<T>(word ^ sign);
        }
    }
};

}  // namespace cograph::core
