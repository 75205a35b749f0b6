// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/core/naming.hpp>
#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/node/closure_kind.hpp>
#include <cograph/expr/node/lost_write.hpp>

#include <limits>
#include <utility>

namespace cograph::core {

// Whether a reduction takes few registers for a parameter: numbers are light, and the library's own function objects.
struct light_function {};
template <class P>
inline constexpr bool is_light = is_number<P> || __is_base_of(light_function, P);
template <class T>
inline constexpr bool is_light<T*> = true;
template <class T>
inline constexpr bool is_light<reference<T>> = is_number<T>;
template <class T>
inline constexpr bool is_light<element_pointer<T>> = is_number<T>;
template <class F>
inline constexpr bool is_light<made_on_use<F>> = is_light<F>;

// Operations for reductions. identity<T>() is the value that changes nothing.
struct plus : light_function {
    template <class T>
        requires requires(T a, T b) { static_cast<T>(a + b); }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a + b; }
    template <class T>
    static constexpr T identity() {
        if constexpr (std::is_aggregate_v<T>)
            return T{};
        else
            return T(0);
    }
};
struct multiplies : light_function {
    template <class T>
        requires requires(T a, T b) { static_cast<T>(a * b); }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a * b; }
    template <class T>
        requires(!std::is_aggregate_v<T>)
    static constexpr T identity() { return T(1); }
};
// Of what is no number to std::numeric_limits, the least and the greatest are not known.
struct minimum : light_function {
    template <class T>
        requires requires(T a, T b) { a < b; }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return b < a ? b : a; }
    template <class T>
        requires std::numeric_limits<T>::is_specialized
    static constexpr T identity() {
        return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    }
};
struct maximum : light_function {
    template <class T>
        requires requires(T a, T b) { a < b; }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a < b ? b : a; }
    template <class T>
        requires std::numeric_limits<T>::is_specialized
    static constexpr T identity() {
        return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    }
};

// Asks for the operation's own identity.
struct take_identity {};

// The function objects of the library's own nodes.
struct element_at : light_function {
    template <class T>
    COGRAPH_HD constexpr T operator()(index_t, T x) const { return x; }
};
// Of numbers in the type that holds both and the result: the product of two of a short type does not fit that type.
template <class Result>
struct product_at : light_function {
    template <class T, class U>
        requires requires(T x, U y) { x * y; }
    COGRAPH_HD constexpr auto operator()(index_t, T x, U y) const {
        if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<U> && std::is_arithmetic_v<Result>) {
            using type = std::common_type_t<T, U, Result>;
            return static_cast<type>(x) * static_cast<type>(y);
        } else {
            return x * y;
        }
    }
};
struct copy_element {
    template <class T>
    COGRAPH_HD constexpr void operator()(index_t, const T& from, T& to) const { to = from; }
};
struct fill_element {
    template <class T, class U>
    COGRAPH_HD constexpr void operator()(index_t, T& to, U value) const { to = static_cast<T>(value); }
};
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

template <class M>
constexpr auto arrival(const reference_to<M>*) {
    constexpr arrives_as form = by_value<typename M::variable> ? arrives_as::value : arrives_as::reference;
    return arrival_of<form, !writes(M::describe.access)>(element_word(decltype(variable_of(static_cast<const M*>(nullptr))){}));
}

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

template <class F, int Position, class V, access_mode Access>
constexpr auto not_for_the_device(const accessed<V, Access>*) {
    return device_code_takes_host_memory<F, V>{};
}
template <class F, int Position, class V, class T>
constexpr auto lacks_access_mode(word<T>) {
    return access_mode_is_missing<F, at_parameter<Position, T>, V>{};
}
template <class F, int Position, class V>
constexpr auto not_for_the_device(const unmarked<V>*) {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else
        return lacks_access_mode<F, Position, V>(element_word(word<V>{}));
}
// The first argument that code of the device may not be given; A arrives at parameter Position of F.
template <class F, int Position, class A, class... Rest>
constexpr auto first_on_the_host() {
    if constexpr (is_for_the_device<A>)
        return first_on_the_host<F, Position + 1, Rest...>();
    else
        return not_for_the_device<F, Position>(static_cast<const A*>(nullptr));
}
// Where a call fails because what is only read arrives const: the first argument that is to be marked as written, or -1. In front
// of the arguments arrive Lead values.
template <class T>
struct without_const {
    using type = T;
};
template <class T>
struct without_const<const T&> {
    using type = T&;
};
template <class T>
struct without_const<const T*> {
    using type = T*;
};
template <class F, class... T>
inline constexpr bool takes_values = requires(const F& f) { f(std::declval<T>()...); };
template <class F, int But, class Numbers, class... T>
inline constexpr bool takes_all_but = false;
template <class F, int But, int... I, class... T>
inline constexpr bool takes_all_but<F, But, std::integer_sequence<int, I...>, T...> =
    takes_values<F, std::conditional_t<I == But, T, typename without_const<T>::type>...>;
template <class F, int Lead, class... T, int... I>
constexpr int first_only_read(std::integer_sequence<int, I...>) {
    using numbers = std::integer_sequence<int, I...>;
    if (!takes_all_but<F, -1, numbers, T...>) return -1;
    int first = -1;
    ((first < 0 && I >= Lead && !takes_all_but<F, I, numbers, T...> ? void(first = I - Lead) : void()), ...);
    return first;
}
template <class F, class V>
constexpr auto only_read(word<V>) {
    return argument_is_only_read<F, V>{};
}
template <class F, class M>
constexpr auto mark_is_in(word<M>) {
    return only_read<F>(decltype(variable_of(static_cast<const M*>(nullptr))){});
}
// Lead -1: the call is one of a predicate, which may write nothing.
template <class F, int Lead, class... A, class... T>
constexpr auto call_fails(list<A...> arguments, word<T>...) {
    if constexpr ((is_given_formula<A> || ...))
        return given_formula(word<F>{}, word_at<first_true<is_given_formula<A>...>()>(arguments));
    else if constexpr ((is_given_expression<A> || ...))
        return given_expression(word<F>{}, word_at<first_true<is_given_expression<A>...>()>(arguments));
    else if constexpr (requires(F& f) { f(std::declval<T>()...); })
        return call_operator_is_not_const<F>{};
    else if constexpr (Lead >= 0 && first_only_read<F, Lead, T...>(std::make_integer_sequence<int, sizeof...(T)>{}) >= 0)
        return mark_is_in<F>(word_at<first_only_read<F, Lead, T...>(std::make_integer_sequence<int, sizeof...(T)>{})>(arguments));
    else
        return function_cannot_be_called<F, called_with<A...>, arriving_as<T...>>{};
}
// Whether CUDA can copy an argument to a kernel.
template <class A>
inline constexpr bool is_copied = true;
template <class T>
inline constexpr bool is_copied<given<T>> = is_copied_to_kernels<T>;
template <class F, class T>
constexpr auto not_copied(word<F>, const given<T>*) {
    return argument_is_not_trivially_copyable<F, T>{};
}
template <class F, class A>
constexpr auto not_copied(word<F> f, word<A>) {
    return not_copied(f, static_cast<const A*>(nullptr));
}
// Whether CUDA can pass arguments to a kernel, behind a function object of so many bytes.
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

template <class F, class... A>
constexpr auto diagnose_passing() {
    if constexpr (is_pointer<F>)
        return not_a_function_object<F>{};
    else if constexpr (is_for_one_side<F>)
        return lambda_is_for_one_side_alone<F>{};
    else if constexpr (!is_function_object<F>)
        return argument_is_not_trivially_copyable<F, F>{};
    else if constexpr (passing_to<F, A...>::first_uncopied < static_cast<int>(sizeof...(A)))
        return not_copied(word<F>{}, word_at<passing_to<F, A...>::first_uncopied>(list<A...>{}));
    else if constexpr (sizeof...(A) > most_arguments)
        return too_many_parameters<F, takes_parameters<sizeof...(A)>, limit_is<most_arguments>>{};
    else if constexpr (!passing_to<F, A...>::fits)
        return parameters_are_too_large<F, parameter_bytes<passing_to<F, A...>::bytes>, limit_is<most_argument_bytes>>{};
    else
        return fine{};
}

template <class... A>
constexpr bool visits_elements() {
    constexpr bool are[] = {A::describe.each..., false};
    for (bool visits : are)
        if (visits) return true;
    return false;
}

// What a node's function returns nobody takes, so one that writes nothing gives nothing. T...: what it is called with.
template <class F, class... T>
using result_of = decltype(std::declval<const F&>()(std::declval<T>()...));
template <class F, class... T>
concept returns_nothing = std::is_void_v<result_of<F, T...>>;
template <class F, class Result>
constexpr auto loses_result(word<Result>) {
    return result_is_lost<F, Result>{};
}
template <class... A>
inline constexpr bool writes_something = (writes(A::describe.access) || ...);

// A node that calls F for each element, or once.
template <class F, class... A>
concept element_call = callable_with<F, index_t, A...> && is_function_object<F> && passing_to<F, A...>::fits && first_lost_write<F, 1, A...> < 0 &&
                       (writes_something<A...> || returns_nothing<F, index_t, typename call_value<A>::type...>);
template <class F, class... A>
concept single_call = callable_with<F, A...> && is_function_object<F> && passing_to<F, A...>::fits && !visits_elements<A...>() &&
                      first_lost_write<F, 0, A...> < 0 && (writes_something<A...> || returns_nothing<F, typename call_value<A>::type...>);

template <class F, class... A>
constexpr auto diagnose_element_call() {
    if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, 2, A...>();
    else if constexpr (callable_with<F, index_t, A...> && first_lost_write<F, 1, A...> >= 0)
        return diagnose_lost_write<F, 1>(list<A...>{});
    else if constexpr (callable_with<F, index_t, A...>)
        return diagnose_passing<F, A...>();
    else
        return call_fails<F, 1>(list<A...>{}, word<index_t>{}, arrival(static_cast<const A*>(nullptr))...);
}
template <class F, int Lead, class... A>
constexpr auto diagnose_one_call() {
    if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, 1, A...>();
    else if constexpr (visits_elements<A...>())
        return each_without_elements<F>{};
    else if constexpr (Lead >= 0 && callable_with<F, A...> && first_lost_write<F, Lead, A...> >= 0)
        return diagnose_lost_write<F, Lead>(list<A...>{});
    else if constexpr (callable_with<F, A...>)
        return diagnose_passing<F, A...>();
    else
        return call_fails<F, Lead>(list<A...>{}, arrival(static_cast<const A*>(nullptr))...);
}
template <class F, class... A>
constexpr auto diagnose_single_call() {
    if constexpr (!is_fine<decltype(diagnose_one_call<F, 0, A...>())> || writes_something<A...>)
        return diagnose_one_call<F, 0, A...>();
    else
        return loses_result<F>(word<result_of<F, typename call_value<A>::type...>>{});
}

}  // namespace cograph::core
