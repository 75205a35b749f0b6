// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/argument.hpp>

#include <limits>
#include <type_traits>
#include <utility>

namespace cograph::core {

// Extents that arrive as integers of fewer bytes, int n in place of index_t n: a run checks whether these hold them.
// Formulas are treated in the same way, because the host computes them in the type in which they arrive.

// The greatest extent that a parameter holds, if there is a limit.
template <class P>
inline constexpr unsigned most_extent = 0;
template <class P>
    requires(std::is_integral_v<P> && !std::is_same_v<P, bool> && sizeof(P) < sizeof(index_t))
inline constexpr unsigned most_extent<P> = std::numeric_limits<P>::max();

// Arguments A... of a kernel with parameters P...
template <class P, class A>
inline constexpr argument argument_as = A::describe;
template <class P, class V>
inline constexpr argument argument_as<P, extent_t<V>> = {argument_form::extent, access_mode::none, &info_of<typename V::tag>, most_extent<P>};
template <class Parameters, class... A>
inline constexpr argument arguments_as[1] = {};
template <class... P, class... A>
inline constexpr argument arguments_as<list<P...>, A...>[sizeof...(A) + 1] = {argument_as<P, A>..., {argument_form::kept_value}};

// The parameters of a function, or of a function object with one call operator; of templates they are not known.
template <class R, class F, class... P>
list<P...> call_parameters(R (F::*)(P...) const);
template <class R, class... P>
list<P...> call_parameters(R (*)(P...));
template <class F>
constexpr auto known_parameters() {
    if constexpr (requires { call_parameters(&F::operator()); })
        return decltype(call_parameters(&F::operator())){};
    else if constexpr (requires(F f) { call_parameters(f); })
        return decltype(call_parameters(std::declval<F>())){};
    else
        return list<>{};
}

template <class... P>
constexpr unsigned most_extent_at(int position, list<P...>) {
    constexpr unsigned most[] = {most_extent<std::remove_cvref_t<P>>..., 0};
    return position < static_cast<int>(sizeof...(P)) ? most[position] : 0;
}

// An argument of a node in a form that its parameter determines: an extent if the parameter is small, and a formula
// if its type is known.
enum class narrowing : unsigned char { none, extent, formula };
template <class A>
inline constexpr narrowing narrowing_of = narrowing::none;
template <class V>
inline constexpr narrowing narrowing_of<extent_t<V>> = narrowing::extent;

// Whether F, called with a number of values and then with A..., takes such arguments.
template <class... A, class... P>
constexpr bool has_small_extents(int first, list<P...> parameters) {
    constexpr narrowing are[] = {narrowing_of<A>...};
    bool has = false;
    for (int i = 0; i < static_cast<int>(sizeof...(A)); ++i) {
        has |= are[i] == narrowing::extent && most_extent_at(first + i, parameters) != 0;
        has |= are[i] == narrowing::formula && first + i < static_cast<int>(sizeof...(P));
    }
    return has;
}
template <class F, int First, class... A>
inline constexpr bool takes_small_extents = false;
template <class F, int First, class... A>
    requires((narrowing_of<A> != narrowing::none) || ...)
inline constexpr bool takes_small_extents<F, First, A...> = has_small_extents<A...>(First, known_parameters<F>());

template <unsigned Most, class A>
constexpr A as_small(A const& argument) {
    return argument;
}
template <unsigned Most, class V>
constexpr choose<Most == 0, extent_t<V>, small_extent<V, Most>> as_small(extent_t<V> const&) {
    return {};
}
// Argument A of F as it arrives at a parameter; formulas have another one (expr/formula/host_value.hpp).
template <class F, int Position, class A>
constexpr auto as_taken(A const& argument) {
    return as_small<most_extent_at(Position, known_parameters<F>())>(argument);
}
// Makes a node of such arguments.
template <class F, int First, class Make, class... A>
constexpr auto with_small_extents(Make const& make, A const&... arguments) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        if constexpr (((narrowing_of<A> == narrowing::formula) || ...))
            return make(as_taken<F, First + I>(arguments)...);
        else
            return make(as_small<most_extent_at(First + I, known_parameters<F>())>(arguments)...);
    }(std::make_integer_sequence<int, sizeof...(A)>{});
}

}  // namespace cograph::core
