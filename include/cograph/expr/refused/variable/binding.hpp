// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/binding_reasons.hpp>
#include <cograph/expr/reasons/box_reasons.hpp>
#include <cograph/expr/variable/binding.hpp>

namespace cograph::core {

// Refused calls of bindings and indices of variables.

// Whether memory of T can hold the elements of a variable.
template <class Tag, class Element, class T>
constexpr auto diagnose_elements(word<T>) {
    if constexpr (!is_element<Element>)
        return elements_are_not_trivially_copyable<Tag, Element>{};
    else if constexpr (std::is_same_v<std::remove_const_t<T>, Element>)
        return fine{};
    else
        return elements_differ<Tag, holds_elements_of<Element>, bound_to<T>>{};
}
template <class T>
word<T> pointee_of(T*);

template <class Tag, class Element, class R>
constexpr auto diagnose_array(word<R>) {
    if constexpr (array_of_others<R>::is_known)
        return array_of_others<R>::template diagnose<Tag, Element>();
    else
        return not_contiguous_memory<Tag, R>{};
}

// A range: an array, or a view of contiguous memory.
template <class Tag, class Element, class R>
constexpr auto diagnose_range(word<R>) {
    if constexpr (std::is_array_v<R>)
        return diagnose_elements<Tag, Element>(decltype(pointee_of(std::declval<R&>())){});
    else if constexpr (std::is_pointer_v<R>)
        return count_is_missing<Tag, R>{};
    else if constexpr (!contiguous<R>)
        return diagnose_array<Tag, Element>(word<R>{});
    else if constexpr (has_strides<R>)
        return view_may_leave_elements_out<Tag, R>{};
    else if constexpr (!std::is_trivially_copyable_v<R>)
        return container_owns_memory<Tag, R>{};
    else
        return diagnose_elements<Tag, Element>(decltype(pointee_of(std::declval<R&>().data())){});
}

// The address of one element.
template <class Tag, class Element, class P>
constexpr auto diagnose_address(word<P>) {
    if constexpr (std::is_pointer_v<P>)
        return diagnose_elements<Tag, Element>(decltype(pointee_of(std::declval<P>())){});
    else
        return scalar_needs_a_pointer<Tag, P>{};
}

// A value or view object.
template <class Tag, class T, class Given>
constexpr auto diagnose_value(word<Given>) {
    if constexpr (!std::is_trivially_copyable_v<T>)
        return not_trivially_copyable<Tag, T>{};
    else if constexpr (!std::is_convertible_v<Given, T>)
        return value_does_not_convert<Tag, is_of_type<T>, bound_to<Given>>{};
    else
        return fine{};
}

template <class Tag, class Given>
constexpr auto diagnose_count(word<Given>) {
    return temp_takes_a_count<Tag, Given>{};
}

template <class B>
    requires(!requires(B b) { b.pointer; })
auto device_updatable(B const&) -> decltype(mistake_of(only_memory_is_device_updatable<B>{}));

// How far x[near<...>] may reach, along one to three dimensions.
constexpr int most_radius = 8;
template <class... N>
constexpr bool is_radius(N... along) {
    return sizeof...(N) >= 1 && sizeof...(N) <= 3 && ((along >= 0 && along <= most_radius) && ...) && (along + ... + 0) > 0;
}
template <int... Radius>
struct near_t;
template <class Index>
inline constexpr bool is_near = false;
template <int... Radius>
inline constexpr bool is_near<near_t<Radius...>> = true;

// Why a variable cannot be followed by [Index].
template <class Tag, class T, variable_kind Kind, class Index>
constexpr auto diagnose_index() {
    if constexpr (Kind != variable_kind::buffer && Kind != variable_kind::temp)
        return has_no_elements<Tag>{};
    else if constexpr (!is_element<T>)
        return elements_are_not_trivially_copyable<Tag, T>{};
    else if constexpr (is_near<Index>)
        return radius_is_out_of_range<Tag, Index>{};
    else
        return elements_are_not_indexed<Tag, Index>{};
}

}  // namespace cograph::core
