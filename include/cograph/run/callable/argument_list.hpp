// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/argument.hpp>

#include <span>
#include <type_traits>

namespace cograph::core {

// The arguments of a call, and how it takes them.

// The variables of an expression that are the arguments of its call, in order: arguments(in(x), in(n), inout(y), out(z)).
template <class... M>
struct argument_list {};
template <class M>
inline constexpr bool is_call_argument = false;
template <access_argument M>
inline constexpr bool is_call_argument<M> = !is_by_element(M::describe) && M::variable::kind != variable_kind::view && M::variable::kind != variable_kind::temp;

// A number in place of a value: as a binding takes it.
template <class V>
class given_number {
public:
    template <class T>
        requires std::is_convertible_v<T, typename V::element>
    given_number(const T& given) : value_(V{}(given).value) {}
    operator typename V::element() const { return value_; }

private:
    typename V::element value_;
};

// How a call takes an argument: memory as a span, a value as it is.
template <class M>
struct call_parameter {
    using type = std::span<typename M::pointee>;
};
template <class M>
    requires by_value<typename M::variable>
struct call_parameter<M> {
    using type = std::conditional_t<std::is_arithmetic_v<typename M::element>, given_number<typename M::variable>, typename M::element>;
};
template <class M>
using call_type = typename call_parameter<M>::type;

// Whether a binding is one of an argument.
template <class B, class... M>
inline constexpr bool is_argument_of = false;
template <class B, class... M>
    requires requires { typename B::tag; }
inline constexpr bool is_argument_of<B, M...> = (std::is_same_v<typename M::tag, typename B::tag> || ...);

// Whether V is an argument for which a call has memory of its own.
template <class V, class... M>
inline constexpr bool has_static_memory = false;
template <in_memory V, class... M>
inline constexpr bool has_static_memory<V, M...> = (std::is_same_v<typename M::tag, V> || ...);

}  // namespace cograph::core
