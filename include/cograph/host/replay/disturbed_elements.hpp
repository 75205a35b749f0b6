// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>
#include <cograph/expr/variable/variable_info.hpp>
#include <cograph/plan/bind/number_format.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace cograph::core {

// Whether elements are integers, by the name of their type.
inline bool is_integer(const variable_info& v) {
    const name_view element = v.element.read();
    for (const char* name : {"bool", "char", "signed char", "unsigned char", "short", "unsigned short", "short int", "short unsigned int", "int",
                             "unsigned int", "unsigned", "long", "unsigned long", "long int", "long unsigned int", "long long", "unsigned long long",
                             "long long int", "long long unsigned int"})
        if (element == name) return true;
    return false;
}

template <class T>
void halve(char* at, index_t words) {
    for (index_t i = 0; i < words; ++i, at += sizeof(T)) {
        T number;
        std::memcpy(&number, at, sizeof(T));
        number = number / 2 + static_cast<T>(number == 0);
        std::memcpy(at, &number, sizeof(T));
    }
}
template <class Word>
void negate(char* at, index_t words) {
    for (index_t i = 0; i < words; ++i, at += sizeof(Word)) {
        Word number;
        std::memcpy(&number, at, sizeof(Word));
        number = number == 0;
        std::memcpy(at, &number, sizeof(Word));
    }
}
// What gives elements other values, as harmless ones as possible: integers become zero, zero becomes one, and floating-point numbers
// half of themselves.
enum class disturbance : unsigned char { not_looked_up, none, halves_doubles, halves_floats, negates };
inline disturbance disturbance_of(const variable_info& v) {
    const number_format format = format_of(v);
    if (format.words > 0 && format.bytes == 8) return disturbance::halves_doubles;
    if (format.words > 0) return v.element.read() == "float" ? disturbance::halves_floats : disturbance::none;
    return is_integer(v) ? disturbance::negates : disturbance::none;
}
inline void disturb_elements(disturbance how, std::size_t size, char* at, index_t count) {
    if (how == disturbance::halves_doubles) return halve<double>(at, count * static_cast<index_t>(size / sizeof(double)));
    if (how == disturbance::halves_floats) return halve<float>(at, count);
    if (how != disturbance::negates) return;
    switch (size) {
        case 1: return negate<std::uint8_t>(at, count);
        case 2: return negate<std::uint16_t>(at, count);
        case 4: return negate<std::uint32_t>(at, count);
        default: return negate<std::uint64_t>(at, count);
    }
}

}  // namespace cograph::core
