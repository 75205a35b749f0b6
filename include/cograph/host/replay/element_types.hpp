// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/variable.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace cograph::core {

// Whether two elements that differ in their bytes are one value: of classes, padding is none. Null for other types.
using elements_alike = bool (*)(const void* a, const void* b);

// Whether a byte of an element is no padding: of a constant that is made of bytes, only members have values. No constructor is asked, which may leave
// members out. Of types of which no such constant can be made, no byte is known.
template <std::size_t Size>
struct bytes_of_element {
    unsigned char of[Size];
};
template <class T, std::size_t I>
inline constexpr bool holds_value = requires { typename std::integral_constant<int, __builtin_bit_cast(bytes_of_element<sizeof(T)>, __builtin_bit_cast(T, bytes_of_element<sizeof(T)>{})).of[I]>; };
template <class T>
inline constexpr bool may_know_padding = std::is_trivially_copyable_v<T> && sizeof(T) <= 128;

// Whether padding is known, and the other bytes are the same.
template <class T, std::size_t... I>
bool hold_the_same(const unsigned char* a, const unsigned char* b, std::index_sequence<I...>) {
    return (holds_value<T, I> || ...) && ((!holds_value<T, I> || a[I] == b[I]) && ...);
}

template <class T>
bool are_one_value(const void* a, const void* b) {
    if constexpr (may_know_padding<T>)
        if (hold_the_same<T>(static_cast<const unsigned char*>(a), static_cast<const unsigned char*>(b), std::make_index_sequence<sizeof(T)>{})) return true;
#if defined(__has_builtin) && !defined(__NVCC__)
#if __has_builtin(__builtin_clear_padding)
    alignas(T) unsigned char of_a[sizeof(T)];
    alignas(T) unsigned char of_b[sizeof(T)];
    std::memcpy(of_a, a, sizeof(T));
    std::memcpy(of_b, b, sizeof(T));
    __builtin_clear_padding(reinterpret_cast<T*>(of_a));
    __builtin_clear_padding(reinterpret_cast<T*>(of_b));
    if (std::memcmp(of_a, of_b, sizeof(T)) == 0) return true;
#endif
#endif
    if constexpr (requires(const T& x) { static_cast<bool>(x == x); })
        return *static_cast<const T*>(a) == *static_cast<const T*>(b);
    else
        return false;
}

struct element_type {
    const variable_info* variable;
    elements_alike alike;
};

// Those of all variables of an expression that are classes.
template <class A>
void collect_type(std::vector<element_type>& to) {
    if constexpr (requires { typename A::variable; typename A::element; })
        if constexpr (std::is_class_v<typename A::element> && A::variable::kind != variable_kind::view && A::variable::kind != variable_kind::value)
            to.push_back({&info_of<typename A::variable::tag>, &are_one_value<typename A::element>});
}
template <class... A>
void collect_types_of_arguments(list<A...>, std::vector<element_type>& to) {
    (collect_type<A>(to), ...);
}
template <class E>
void collect_types(std::vector<element_type>& to);
template <class... E>
void collect_types_of_children(list<E...>, std::vector<element_type>& to) {
    (collect_types<E>(to), ...);
}
template <class E>
void collect_types(std::vector<element_type>& to) {
    if constexpr (requires { typename E::arguments; }) collect_types_of_arguments(typename E::arguments{}, to);
    collect_types_of_children(typename E::children{}, to);
}

}  // namespace cograph::core
