// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/variable/binding.hpp>
#include <cograph/expr/variable/binding.hpp>
#include <cograph/expr/variable/variable_info.hpp>

#include <type_traits>

namespace cograph::core {

// In x[each], stands for the number of the element that a node is called for.
struct each_t {};
inline constexpr each_t each{};

// x[each]: of x, each call of a function object sees one element.
template <class V>
struct elements_of {};

// x[near<1>], of a box x[near<1, 1>]: of x, each call sees its own element and those that are no further away, along each dimension.
template <int... Radius>
struct near_t {};
template <int... Radius>
inline constexpr near_t<Radius...> near{};
template <class V, int... Radius>
struct near_elements_of {};

// Every variable derives from this; Tag is the user's own struct, T the type of one element.
template <class Tag, class T, variable_kind Kind, class Like = void>
struct variable_base {
    using tag = Tag;
    using element = T;
    using like = Like;
    static constexpr variable_kind kind = Kind;

    constexpr elements_of<Tag> operator[](each_t) const
        requires((Kind == variable_kind::buffer || Kind == variable_kind::temp) && is_element<T>)
    {
        return {};
    }
    template <int... Radius>
        requires((Kind == variable_kind::buffer || Kind == variable_kind::temp) && is_element<T> && is_radius(Radius...))
    constexpr near_elements_of<Tag, Radius...> operator[](near_t<Radius...>) const {
        return {};
    }

    // Refused calls.
    template <class Index>
    auto operator[](Index const&) const -> decltype(mistake_of<variable_base, Index>(diagnose_index<Tag, T, Kind, Index>()));
};

// Contiguous memory, bound later: x(span) or x(pointer, count)
template <class Tag, class T, variable_kind Kind>
struct range_variable : variable_base<Tag, T, Kind> {
    template <class U, std::integral Count>
        requires is_fine<decltype(diagnose_elements<Tag, T>(word<U>{}))>
    constexpr range_binding<Tag, U> operator()(U* pointer, Count count) const {
        return {{pointer, static_cast<std::size_t>(count)}};
    }
    template <class Range>
        requires is_fine<decltype(diagnose_range<Tag, T>(bare<Range>{}))>
    constexpr auto operator()(Range&& range) const {
        return bind_range<Tag>(range);
    }

    // Refused calls.
    template <class U, std::integral Count>
    auto operator()(U*, Count) const -> decltype(mistake_of<struct binding_of_memory, Tag, U, Count>(diagnose_elements<Tag, T>(word<U>{})));
    template <class Range>
    auto operator()(Range&&) const -> decltype(mistake_of<struct binding_of_range, Tag, Range>(diagnose_range<Tag, T>(bare<Range>{})));
    template <class... A>
        requires(sizeof...(A) != 1)
    auto operator()(A const&...) const -> mistake<not_bound_like_this<Tag, A...>, struct bind_a_span_or_a_pointer_and_a_count>;
};

// Memory of the device: inline constexpr struct x : buffer<x, float> {} x;
template <class Tag, class T>
struct buffer : range_variable<Tag, T, variable_kind::buffer> {};

// Memory of the host, which copies and host code use; only pinned memory (of cudaMallocHost, or registered) may be copied in
// a loop or branch.
template <class Tag, class T>
struct host_buffer : range_variable<Tag, T, variable_kind::host> {};
template <class Tag, class T>
struct pinned_buffer : range_variable<Tag, T, variable_kind::pinned> {};

// One value in device memory. Bound by pointer, or owned by the executable when nothing reads it before it is written.
template <class Tag, class T>
struct scalar : variable_base<Tag, T, variable_kind::scalar> {
    template <class U>
        requires is_fine<decltype(diagnose_elements<Tag, T>(word<U>{}))>
    constexpr range_binding<Tag, U> operator()(U* pointer) const {
        return {{pointer, 1}};
    }

    // Refused calls.
    template <class P>
    auto operator()(P&&) const -> decltype(mistake_of<struct binding_of_address, Tag, P>(diagnose_address<Tag, T>(bare<P>{})));
    template <class... A>
        requires(sizeof...(A) != 1)
    auto operator()(A const&...) const -> mistake<not_bound_like_this<Tag, A...>, struct bind_the_address_of_one_element>;
};

// A host value, passed to kernels by value and fixed at launch.
template <class Tag, class T>
struct value : variable_base<Tag, T, variable_kind::value> {
    constexpr value_binding<Tag, T> operator()(T given) const
        requires std::is_trivially_copyable_v<T>
    {
        return {given};
    }
    // Throws error if T does not hold the number.
    template <class U>
        requires(std::is_arithmetic_v<U> && std::is_arithmetic_v<T>)
    constexpr value_binding<Tag, T> operator()(U given) const {
        return {exact_value<Tag, T>(given)};
    }

    // Refused calls.
    template <class U>
        requires(!is_fine<decltype(diagnose_value<Tag, T>(bare<U>{}))>)
    auto operator()(U&&) const -> decltype(mistake_of<struct binding_of_value, Tag, U>(diagnose_value<Tag, T>(bare<U>{})));
    template <class... A>
        requires(sizeof...(A) != 1)
    auto operator()(A const&...) const -> mistake<not_bound_like_this<Tag, A...>, struct bind_one_value>;
};

// Any trivially copyable view of device memory (a CSR matrix, an mdspan), passed to kernels by value.
template <class Tag, class V>
struct view : variable_base<Tag, V, variable_kind::view> {
    constexpr value_binding<Tag, V> operator()(V given) const
        requires std::is_trivially_copyable_v<V>
    {
        return {given};
    }

    // Refused calls.
    template <class U>
        requires(!is_fine<decltype(diagnose_value<Tag, V>(bare<U>{}))>)
    auto operator()(U&&) const -> decltype(mistake_of<struct binding_of_view, Tag, U>(diagnose_value<Tag, V>(bare<U>{})));
    template <class... A>
        requires(sizeof...(A) != 1)
    auto operator()(A const&...) const -> mistake<not_bound_like_this<Tag, A...>, struct bind_one_view>;
};

// Storage that the executable owns: as many elements as Like, as a formula elements<2 * extent(x) + 1>, or as the binding
// t(count) says.
template <class Tag, class T, class Like = void>
struct temp : variable_base<Tag, T, variable_kind::temp, Like> {
    // Refused calls.
    template <class Count>
    auto operator()(Count&&) const -> decltype(mistake_of<struct binding_of_temp, Tag, Count>(temp_has_an_extent_already<Tag, Like>{}));
};
template <auto Size, class What>
struct elements;
template <class Tag, class T, auto Size, class... What>
struct temp<Tag, T, elements<Size, mistake<What...>>>;  // the size is wrong
template <class Tag, class T>
struct temp<Tag, T, void> : variable_base<Tag, T, variable_kind::temp> {
    constexpr extent_binding<Tag> operator()(std::size_t count) const { return {{count}}; }

    // Refused calls.
    template <class Count>
        requires(!std::is_convertible_v<Count, std::size_t> || std::is_floating_point_v<std::remove_cvref_t<Count>>)
    auto operator()(Count&&) const -> decltype(mistake_of<struct binding_of_count, Tag, Count>(diagnose_count<Tag>(bare<Count>{})));
    template <class... A>
        requires(sizeof...(A) != 1)
    auto operator()(A const&...) const -> mistake<not_bound_like_this<Tag, A...>, struct bind_the_number_of_its_elements>;
};

template <class V>
concept has_tag = requires {
    typename V::tag;
    { V::kind } -> std::convertible_to<variable_kind>;
};
// With the tag of another variable it would be that one.
template <class V>
concept variable = has_tag<V> && std::is_same_v<const V, const typename V::tag>;
template <class V>
concept misnamed = has_tag<V> && !variable<V>;

template <class V>
concept in_memory = variable<V> && (V::kind == variable_kind::buffer || V::kind == variable_kind::scalar ||
                                    V::kind == variable_kind::temp);

template <class V>
concept in_host_memory = variable<V> && (V::kind == variable_kind::host || V::kind == variable_kind::pinned);

template <class V>
concept by_value = variable<V> && (V::kind == variable_kind::value || V::kind == variable_kind::view);

}  // namespace cograph::core
