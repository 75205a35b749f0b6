// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/core/lists.hpp>
#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/function/lost_write.hpp>
#include <cograph/expr/variable/argument.hpp>

#include <utility>

namespace cograph::core {

// How nodes call function objects, and whether they can.

// A marked variable whose memory arrives as a reference, whatever its kind.
template <access_argument M>
struct reference_to : M {
    using parameter = choose<by_value<typename M::variable>, typename M::element, reference<typename M::pointee>>;
};

// How a variable reaches the function object of a formula.
template <class V>
struct formula_argument {
    using type = reference_to<in_t<V>>;
};
template <class V>
struct formula_argument<extent_t<V>> {
    using type = extent_t<V>;
};
template <class V>
using formula_argument_t = typename formula_argument<V>::type;

// The type of one value in a call: an argument's parameter, or an index_t.
template <class A>
struct call_value {
    using type = decltype(unwrap(std::declval<typename A::parameter>()));
};
template <class M>
struct call_value<each_of<M>> {
    using type = typename M::pointee&;
};
template <>
struct call_value<index_t> {
    using type = index_t;
};

// Whether F can be called with these leading values and arguments.
template <class F, class... A>
concept callable_with = (is_for_the_device<A> && ...) && requires(const F& f, typename call_value<A>::type... value) {
    f(static_cast<typename call_value<A>::type&&>(value)...);
};

// Whether CUDA can copy an argument to a kernel.
template <class A>
inline constexpr bool is_copied = true;
template <class T>
inline constexpr bool is_copied<given<T>> = is_copied_to_kernels<T>;

// Whether CUDA can pass arguments to a kernel, after a function object of a number of bytes.
template <int FunctionBytes, class... A>
struct passing {
    static constexpr int bytes = FunctionBytes + parameter_size<typename A::parameter...>();
    static constexpr int first_uncopied = first_true<!is_copied<A>...>();
    static constexpr bool fits =
        sizeof...(A) <= most_arguments && bytes <= most_argument_bytes && first_uncopied == static_cast<int>(sizeof...(A));
};
template <class F, class... A>
using passing_to = passing<is_stateless<F> ? 0 : sizeof(F), A...>;
// A function's address means nothing on the other side.
template <class F>
inline constexpr bool is_function_object = is_copied_to_kernels<F> && !is_pointer<F> && !is_for_one_side<F>;

template <class... A>
constexpr bool visits_elements() {
    constexpr bool are[] = {is_by_element(A::describe)..., false};
    for (bool visits : are)
        if (visits) return true;
    return false;
}

// The result of a node's function is discarded, so a function that writes nothing has no effect. T...: the types of
// its arguments.
template <class F, class... T>
using result_of = decltype(std::declval<const F&>()(std::declval<T>()...));
template <class F, class... T>
concept returns_nothing = std::is_void_v<result_of<F, T...>>;

template <class... A>
inline constexpr bool writes_something = (writes(A::describe.access) || ...);

// Many calls at once would read and write one scalar.
constexpr bool is_shared_scalar(const argument& a) {
    return a.variable && a.variable->kind == variable_kind::scalar && a.access == access_mode::read_write;
}

// A node that calls F for each element, or once.
template <class F, class... A>
concept element_call = !((A::describe.near != nullptr) || ...) && callable_with<F, index_t, A...> && is_function_object<F> && passing_to<F, A...>::fits && first_lost_write<F, 1, A...> < 0 &&
                       !(is_shared_scalar(A::describe) || ...) && (writes_something<A...> || returns_nothing<F, index_t, typename call_value<A>::type...>);
template <class F, class... A>
concept single_call = callable_with<F, A...> && is_function_object<F> && passing_to<F, A...>::fits && !visits_elements<A...>() &&
                      first_lost_write<F, 0, A...> < 0 && (writes_something<A...> || returns_nothing<F, typename call_value<A>::type...>);

}  // namespace cograph::core
