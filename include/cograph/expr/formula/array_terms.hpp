// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/formula/array_pass.hpp>

namespace cograph::core {

// The terms of predicates that look at every element of an array, each one pass over it: all_of(x, f), any_of(x, f),
// none_of(x, f), count_if(x, f), max_abs(x), and all, any and none of a formula over elements, as in all(a == b).

struct all_elements : reduce_stage {
    static constexpr lazy_name name{"all"};
    static constexpr node_traits traits = reduce_stage::traits.with_equal_extents();
};
struct any_elements : reduce_stage {
    static constexpr lazy_name name{"any"};
    static constexpr node_traits traits = reduce_stage::traits.with_equal_extents();
};
struct counted_elements : reduce_stage {
    static constexpr lazy_name name{"count"};
};
struct largest_element : reduce_stage {
    static constexpr lazy_name name{"max_abs"};
};

struct both_hold : light_function {
    COGRAPH_HD constexpr bool operator()(bool a, bool b) const { return a && b; }
};
struct one_holds : light_function {
    COGRAPH_HD constexpr bool operator()(bool a, bool b) const { return a || b; }
};
// A NaN is the largest of all.
struct larger : light_function {
    template <class T>
    COGRAPH_HD constexpr T operator()(T a, T b) const {
        return a < b || is_nan(b) ? b : a;
    }
};

// What a pass asks each element: a function object, a formula, its size.
template <class F>
struct asks_function : operand<0, F> {
    template <class T, class... A>
    COGRAPH_HD constexpr bool operator()(index_t, T const& element, A const&... more) const {
        return operand<0, F>::get()(element, more...) ? true : false;
    }
};
template <class F>
struct asks_formula;
template <class F>
inline constexpr bool is_light<asks_formula<F>> = true;
template <class F>
struct asks_formula : operand<0, F> {
    template <class... T>
    COGRAPH_HD constexpr bool operator()(index_t, T const&... elements) const {
        return operand<0, F>::get().template at<0>(elements...) ? true : false;
    }
};
struct absolute : light_function {
    template <class T>
    COGRAPH_HD constexpr auto operator()(index_t, T const& x) const {
        if constexpr (std::is_floating_point_v<T>) {
            return x < 0 ? -x : x;
        } else {
            using U = std::make_unsigned_t<T>;
            return static_cast<U>(x < 0 ? U(0) - static_cast<U>(x) : static_cast<U>(x));
        }
    }
};

template <class Stage, class Domain, class F, class Op, class T, class... A>
using pass_over = array_pass<Stage, F, T, list<Domain, given<F>, given<Op>, given<T>, scratch<reduce_scratch<T>>>, A...>;

template <class Stage, class Domain, class T, class F, class Op, class... A, class... V>
constexpr auto make_term(list<A...>, F f, Op op, T identity, V const&... values) {
    using pass = pass_over<Stage, Domain, F, Op, T, A...>;
    const pass made{keep_pieces(nothing{}, keep_part<given<F>>(f), keep_part<given<Op>>(op), keep_part<given<T>>(identity), nothing{},
                                nothing{}, keep_part<A>(values)...)};
    return formula<term_leaf<pass>, pending<pass>>{{as_operand<0>(made)}};
}

template <class V>
concept in_elements = variable<V> && (V::kind == variable_kind::buffer || V::kind == variable_kind::temp);

template <class F, class V, class... A>
constexpr auto diagnose_element_test() {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else if constexpr (!in_elements<V>)
        return not_an_array<V>{};
    else if constexpr (!(is_for_the_device<as_argument_t<A>> && ...))
        return first_on_the_host<F, 2, as_argument_t<A>...>();
    else if constexpr (!callable_with<F, each_of<in_t<V>>, as_argument_t<A>...>)
        return call_fails<F, -1>(list<V, A...>{}, arrival(static_cast<const each_of<in_t<V>>*>(nullptr)),
                                 arrival(static_cast<const as_argument_t<A>*>(nullptr))...);
    else if constexpr (!requires(const F& f, typename V::element const& x, typename call_value<as_argument_t<A>>::type... a) {
                           f(x, static_cast<typename call_value<as_argument_t<A>>::type&&>(a)...) ? true : false;
                       })
        return element_test_is_not_bool<F, V>{};
    else
        return diagnose_passing<F, as_argument_t<A>...>();
}

// Whether f(element, arguments...) holds for all elements of x, a buffer or a temp; yes when there are none.
template <class V, class F, class... A>
    requires is_fine<decltype(diagnose_element_test<F, V, A...>())>
constexpr auto all_of(V x, F f, A... arguments) {
    if constexpr (takes_small_extents<F, 1, A...>)
        return with_small_extents<F, 1>([&](auto... small) { return all_of(x, f, small...); }, arguments...);
    else
        return make_term<all_elements, extent_t<V>, bool>(list<each_of<in_t<V>>, as_argument_t<A>...>{}, asks_function<F>{as_operand<0>(f)},
                                                          both_hold{}, true, 0, arguments...);
}
// Whether it holds for one of them at least.
template <class V, class F, class... A>
    requires is_fine<decltype(diagnose_element_test<F, V, A...>())>
constexpr auto any_of(V x, F f, A... arguments) {
    if constexpr (takes_small_extents<F, 1, A...>)
        return with_small_extents<F, 1>([&](auto... small) { return any_of(x, f, small...); }, arguments...);
    else
        return make_term<any_elements, extent_t<V>, bool>(list<each_of<in_t<V>>, as_argument_t<A>...>{}, asks_function<F>{as_operand<0>(f)},
                                                          one_holds{}, false, 0, arguments...);
}
template <class V, class F, class... A>
    requires is_fine<decltype(diagnose_element_test<F, V, A...>())>
constexpr auto none_of(V x, F f, A... arguments) {
    return !any_of(x, f, arguments...);
}
// For how many it holds; an index_t.
template <class V, class F, class... A>
    requires is_fine<decltype(diagnose_element_test<F, V, A...>())>
constexpr auto count_if(V x, F f, A... arguments) {
    if constexpr (takes_small_extents<F, 1, A...>)
        return with_small_extents<F, 1>([&](auto... small) { return count_if(x, f, small...); }, arguments...);
    else
        return make_term<counted_elements, extent_t<V>, index_t>(list<each_of<in_t<V>>, as_argument_t<A>...>{},
                                                                 asks_function<F>{as_operand<0>(f)}, plus{}, index_t{0}, 0, arguments...);
}
template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto all_of(V, F, A...) -> decltype(mistake_of<struct all_of_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto any_of(V, F, A...) -> decltype(mistake_of<struct any_of_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto none_of(V, F, A...) -> decltype(mistake_of<struct none_of_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto count_if(V, F, A...) -> decltype(mistake_of<struct count_if_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class... A>
auto all_of(A const&...) -> mistake<arguments_are_not_those_of<struct all_of_call, A...>, struct write_all_of_variable_function_and_its_arguments>;
template <class... A>
auto any_of(A const&...) -> mistake<arguments_are_not_those_of<struct any_of_call, A...>, struct write_any_of_variable_function_and_its_arguments>;
template <class... A>
auto none_of(A const&...) -> mistake<arguments_are_not_those_of<struct none_of_call, A...>, struct write_none_of_variable_function_and_its_arguments>;
template <class... A>
auto count_if(A const&...) -> mistake<arguments_are_not_those_of<struct count_if_call, A...>, struct write_count_if_variable_function_and_its_arguments>;

template <class V>
constexpr auto diagnose_size() {
    if constexpr (!in_elements<V>)
        return not_an_array<V>{};
    else if constexpr (!std::is_arithmetic_v<typename V::element> || std::is_same_v<typename V::element, bool>)
        return not_an_array<V>{};
    else
        return fine{};
}

// The largest |x[i]|, 0 when there are none; NaN when one element is NaN. Of integers it is unsigned.
template <class V>
    requires is_fine<decltype(diagnose_size<V>())>
constexpr auto max_abs(V) {
    using T = decltype(absolute{}(0, typename V::element{}));
    return make_term<largest_element, extent_t<V>, T>(list<each_of<in_t<V>>>{}, absolute{}, larger{}, T(0), 0);
}
template <class V>
    requires variable<V> && (!is_fine<decltype(diagnose_size<V>())>)
auto max_abs(V) -> decltype(mistake_of<struct max_abs_call, V>(diagnose_size<V>()));
template <class... A>
auto max_abs(A const&...) -> mistake<arguments_are_not_those_of<struct max_abs_call, A...>, struct write_max_abs_of_a_buffer_or_temp>;

// The same of a formula over elements.
template <class V>
struct element_argument : formula_argument<V> {};
template <in_elements V>
struct element_argument<V> {
    using type = each_of<in_t<V>>;
};
template <class... V>
constexpr int first_in_elements() {
    constexpr bool have[] = {in_elements<V>..., true};
    int i = 0;
    while (!have[i]) ++i;
    return i;
}
template <class F, class... V>
constexpr auto diagnose_elements_of(word<formula<F, V...>>) {
    if constexpr (first_in_elements<V...>() == sizeof...(V) || (is_pass_result<V> || ...))
        return formula_has_no_elements<formula_over<V...>>{};
    else
        return fine{};
}
template <class T>
constexpr auto diagnose_element_formula() {
    if constexpr (is_any_formula<T>)
        return diagnose_elements_of(word<decltype(as_formula(std::declval<T>()))>{});
    else
        return formula_has_no_elements<T>{};
}
template <class Stage, class F, class... V, class Op>
constexpr auto formula_term_of(formula<F, V...> f, Op op, bool identity) {
    using first = typename pick_type<first_in_elements<V...>(), V...>::type;
    return make_term<Stage, extent_t<first>, bool>(list<typename element_argument<V>::type...>{}, asks_formula<F>{as_operand<0>(f.function)},
                                                   op, identity, V{}...);
}

// Whether a formula holds for all elements of its buffers and temps, taken one by one: all(a == b), any(x < tol). They must be
// of one length; scalars and values are the same for all elements.
template <class T>
    requires is_fine<decltype(diagnose_element_formula<T>())>
constexpr auto all(T f) {
    return formula_term_of<all_elements>(as_formula(f), both_hold{}, true);
}
template <class T>
    requires is_fine<decltype(diagnose_element_formula<T>())>
constexpr auto any(T f) {
    return formula_term_of<any_elements>(as_formula(f), one_holds{}, false);
}
template <class T>
    requires is_fine<decltype(diagnose_element_formula<T>())>
constexpr auto none(T f) {
    return !any(f);
}
template <class T>
    requires(!is_fine<decltype(diagnose_element_formula<T>())>)
auto all(T) -> decltype(mistake_of<struct all_call, T>(diagnose_element_formula<T>()));
template <class T>
    requires(!is_fine<decltype(diagnose_element_formula<T>())>)
auto any(T) -> decltype(mistake_of<struct any_call, T>(diagnose_element_formula<T>()));
template <class T>
    requires(!is_fine<decltype(diagnose_element_formula<T>())>)
auto none(T) -> decltype(mistake_of<struct none_call, T>(diagnose_element_formula<T>()));

}  // namespace cograph::core
