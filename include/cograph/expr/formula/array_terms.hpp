// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/formula/array_pass.hpp>
#include <cograph/expr/refused/formula/array_terms.hpp>

namespace cograph::core {

// The terms of predicates that look at every element of an array. Each is one pass over it: all_of(x, f), any_of(x, f),
// none_of(x, f), count_if(x, f) and max_abs(x). So are all, any and none of a formula over elements, as in all(a == b).

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

// The question of a pass for each element: a function object, a formula, its size.
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
        return operand<0, F>::get()(elements...) ? true : false;
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
    return formula<pass>{{as_operand<0>(made)}};
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

// The largest |x[i]|, 0 if there are none; NaN if one element is NaN. For integers it is unsigned.
template <class V>
    requires is_fine<decltype(diagnose_size<V>())>
constexpr auto max_abs(V) {
    using T = decltype(absolute{}(0, typename V::element{}));
    return make_term<largest_element, extent_t<V>, T>(list<each_of<in_t<V>>>{}, absolute{}, maximum_or_nan{}, T(0), 0);
}

// The largest |size(x[i])|, for elements that are no numbers: max_abs(points, norm{}).
template <class F>
struct absolute_of : operand<0, F> {
    template <class T>
    COGRAPH_HD constexpr auto operator()(index_t i, T const& element) const {
        return absolute{}(i, operand<0, F>::get()(element));
    }
};
template <class V, class F>
    requires is_fine<decltype(diagnose_size_of<F, V>())>
constexpr auto max_abs(V, F size) {
    using T = decltype(absolute_of<F>{as_operand<0>(size)}(0, std::declval<const typename V::element&>()));
    return make_term<largest_element, extent_t<V>, T>(list<each_of<in_t<V>>>{}, absolute_of<F>{as_operand<0>(size)}, maximum_or_nan{}, T(0), 0);
}

// The same of a formula over elements.
template <class V>
struct element_argument : formula_argument<V> {};
template <in_elements V>
struct element_argument<V> {
    using type = each_of<in_t<V>>;
};

template <class Stage, class F, class... V, class Op>
constexpr auto formula_term_of(computation<F, V...> c, Op op, bool identity) {
    using first = typename pick_type<first_true<in_elements<V>...>(), V...>::type;
    return make_term<Stage, extent_t<first>, bool>(list<typename element_argument<V>::type...>{}, asks_formula<computed<F>>{as_operand<0>(computed<F>{as_operand<0>(c.function)})}, op,
                                                   identity, V{}...);
}

// Whether a formula holds for all elements of its buffers and temps, taken one by one: all(a == b), any(x < tol). They must be
// of one length; scalars and values are the same for all elements.
template <class T>
    requires is_fine<decltype(diagnose_element_formula<T>())>
constexpr auto all(T f) {
    return formula_term_of<all_elements>(computation_of(f), both_hold{}, true);
}
template <class T>
    requires is_fine<decltype(diagnose_element_formula<T>())>
constexpr auto any(T f) {
    return formula_term_of<any_elements>(computation_of(f), one_holds{}, false);
}
template <class T>
    requires is_fine<decltype(diagnose_element_formula<T>())>
constexpr auto none(T f) {
    return !any(f);
}

}  // namespace cograph::core
