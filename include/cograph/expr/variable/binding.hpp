// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/core/reason.hpp>
#include <cograph/expr/variable/variable_info.hpp>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <utility>

namespace cograph::core {

// The meaning of a variable in one run. Bindings borrow: the memory must outlive the executable.
struct bound_range {
    const void* pointer;
    std::size_t count;
};
template <class Tag, class T>
struct range_binding : bound_range {
    using tag = Tag;
    using element = T;  // const if the memory may only be read
};

template <class Tag, class T>
struct value_binding {
    using tag = Tag;
    using element = T;
    T value;
};

struct bound_extent {
    std::size_t count;
};
template <class Tag>
struct extent_binding : bound_extent {
    using tag = Tag;
    using element = void;
};

// Memory that executable::update will replace often.
template <class B>
struct device_updatable_binding : B {};
template <class Tag, class T>
constexpr device_updatable_binding<range_binding<Tag, T>> device_updatable(const range_binding<Tag, T>& memory) {
    return {memory};
}

template <class B>
inline constexpr bool is_device_updatable = false;
template <class B>
inline constexpr bool is_device_updatable<device_updatable_binding<B>> = true;

template <class R>
concept contiguous = requires(R& range) {
    { range.data() } -> std::convertible_to<const volatile void*>;
    { range.size() } -> std::convertible_to<std::size_t>;
};

// A view that says how far its elements are apart: it may leave some out.
template <class R>
concept has_strides = requires(R& range) { range.stride(0); } || requires(R& range) { range.stride(); } || requires(R& range) { range.strides(); };

// How arrays of others are bound that are no contiguous ranges; cograph/join/arrays.hpp has some.
template <class R>
struct array_of_others {
    static constexpr bool is_known = false;
};

// The type of something without its reference and const.
template <class T>
word<T> bare_type(const T&);
template <class T>
using bare = decltype(bare_type(std::declval<T>()));

// The contents of memory: CUDA copies it as bytes.
template <class T>
inline constexpr bool is_element = std::is_trivially_copyable_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>;

template <class T>
constexpr bool is_negative(T number) {
    if constexpr (std::is_signed_v<T>)
        return number < 0;
    else
        return false;
}
// Whether a T is that very number; a floating-point type may round.
template <class T, class U>
constexpr bool holds(U number) {
    constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    if constexpr (std::is_floating_point_v<T>)
        return true;
    else if constexpr (std::is_floating_point_v<U>)  // most + 1 is a power of two, which a U has exactly
        return number >= static_cast<U>(least) && number < static_cast<U>(most / 2 + 1) * 2 && static_cast<U>(static_cast<T>(number)) == number;
    else
        return static_cast<U>(static_cast<T>(number)) == number && is_negative(static_cast<T>(number)) == is_negative(number);
}

// No constant can be made of such a binding.
template <class U>
[[noreturn]] void refuse_number(const variable_info& v, U number) {
    char text[128], digits[48];
    if constexpr (std::is_floating_point_v<U>)
        std::snprintf(digits, sizeof digits, "%.10Lg", static_cast<long double>(number));
    else if constexpr (std::is_signed_v<U>)
        std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(number));
    else
        std::snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(number));
    const name_view type = v.element.read();
    std::snprintf(text, sizeof text, "is bound to %s, which its type %.*s cannot hold", digits, static_cast<int>(type.size), type.data);
    throw error({v.name.read()}, text);
}
template <class Tag, class T, class U>
constexpr T exact_value(U number) {
    if (!holds<T>(number)) refuse_number(info_of<Tag>, number);
    return static_cast<T>(number);
}

template <class Tag, class T, std::size_t N>
constexpr range_binding<Tag, T> bind_range(T (&array)[N]) {
    return {{array, N}};
}
template <class Tag, contiguous Range>
constexpr auto bind_range(Range& range) {
    return range_binding<Tag, std::remove_pointer_t<decltype(range.data())>>{{range.data(), static_cast<std::size_t>(range.size())}};
}
template <class Tag, class R>
    requires(!contiguous<R> && array_of_others<std::remove_const_t<R>>::is_known)
constexpr auto bind_range(R& array) {
    return array_of_others<std::remove_const_t<R>>::template bind<Tag>(array);
}

}  // namespace cograph::core
