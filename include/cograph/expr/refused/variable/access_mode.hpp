// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/variable/variable.hpp>

namespace cograph::core {

// Refused calls of in, out, inout and extent.

// The type of a variable's elements.
template <class Tag, class T, variable_kind Kind, class Like>
constexpr auto diagnose_element_type(const variable_base<Tag, T, Kind, Like>*) {
    if constexpr (Kind == variable_kind::value || Kind == variable_kind::view)
        return not_trivially_copyable<Tag, T>{};
    else
        return elements_are_not_trivially_copyable<Tag, T>{};
}

template <class V, class Tag, class T, variable_kind Kind, class Like>
constexpr variable_has_the_tag_of_another<V, Tag> why_misnamed(const variable_base<Tag, T, Kind, Like>*) {
    return {};
}
template <misnamed V>
constexpr auto diagnose_tag() {
    return why_misnamed<V>(static_cast<const V*>(nullptr));
}

// Variables that a node can read and write: the memory of a view can be written, a value belongs to the host.
template <class V>
concept readable = variable<V> && is_element<typename V::element>;
template <class V>
concept writable = readable<V> && V::kind != variable_kind::value;

template <class V>
constexpr auto diagnose_read() {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else if constexpr (!variable<V>)
        return not_a_variable<V>{};
    else if constexpr (!readable<V>)
        return diagnose_element_type(static_cast<const V*>(nullptr));
    else
        return fine{};
}
template <class V>
constexpr auto diagnose_written() {
    if constexpr (!readable<V>)
        return diagnose_read<V>();
    else if constexpr (V::kind == variable_kind::value)
        return value_cannot_be_written<V>{};
    else
        return fine{};
}

template <class V>
    requires(!readable<V>)
auto in(V) -> decltype(mistake_of<struct in_call, V>(diagnose_read<V>()));
template <class V>
    requires(!writable<V>)
auto out(V) -> decltype(mistake_of<struct out_call, V>(diagnose_written<V>()));
template <class V>
    requires(!writable<V>)
auto inout(V) -> decltype(mistake_of<struct inout_call, V>(diagnose_written<V>()));
template <class... A>
auto in(A const&...) -> mistake<arguments_are_not_those_of<struct in_call, A...>, struct mark_one_variable_at_a_time>;
template <class... A>
auto out(A const&...) -> mistake<arguments_are_not_those_of<struct out_call, A...>, struct mark_one_variable_at_a_time>;
template <class... A>
auto inout(A const&...) -> mistake<arguments_are_not_those_of<struct inout_call, A...>, struct mark_one_variable_at_a_time>;
template <variable V>
    requires(!in_memory<V> && !in_host_memory<V>)
auto extent(V) -> decltype(mistake_of<struct extent_call, V>(has_no_extent<V>{}));
template <misnamed V>
auto extent(V) -> decltype(mistake_of<struct extent_call, V>(diagnose_tag<V>()));
template <class... A>
auto extent(A const&...) -> mistake<arguments_are_not_those_of<struct extent_call, A...>, struct take_the_extent_of_a_buffer_or_a_temp>;

}  // namespace cograph::core
