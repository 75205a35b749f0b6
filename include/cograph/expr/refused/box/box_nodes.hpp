// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// Refused calls of nodes over boxes.

// How neighbours arrive.
template <class M, int... Radius>
word<neighbours<typename M::element, Radius...>> arrival(const near_of<M, Radius...>*);

template <class F, class V, int Rank, int... Radius>
constexpr auto other_dimensions(word<F>, word<V>, std::integral_constant<int, Rank>, std::integer_sequence<int, Radius...>) {
    return radius_has_other_dimensions<F, V, near_t<Radius...>, dimensions<Rank>>{};
}
template <int Rank, class F, class A>
constexpr auto diagnose_rank(word<A>) {
    return fine{};
}
template <int Rank, class F, class M, int... Radius>
    requires(sizeof...(Radius) != Rank)
constexpr auto diagnose_rank(word<near_of<M, Radius...>>) {
    return other_dimensions(word<F>{}, decltype(variable_of(static_cast<const M*>(nullptr))){}, std::integral_constant<int, Rank>{},
                            std::integer_sequence<int, Radius...>{});
}
template <int Rank, class A>
inline constexpr bool has_rank = A::describe.near == nullptr || A::describe.near->rank == Rank;

template <class F, class... A, class... I>
constexpr auto diagnose_box_call(list<I...>) {
    if constexpr (!(has_rank<sizeof...(I), A> && ...))
        return diagnose_rank<sizeof...(I), F>(word_at<first_true<!has_rank<sizeof...(I), A>...>()>(list<A...>{}));
    else if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, sizeof...(I) + 1, A...>();
    else if constexpr (!callable_with<F, I..., A...>)
        return element_call_fails<F>(list<A...>{}, word<I>{}...);
    else if constexpr (first_lost_write<F, sizeof...(I), A...> >= 0)
        return diagnose_lost_write<F, sizeof...(I)>(list<A...>{});
    else if constexpr ((is_shared_scalar(A::describe) || ...))
        return diagnose_shared_scalar<F>(word_at<first_true<is_shared_scalar(A::describe)...>()>(list<A...>{}));
    else
        return diagnose_passing<F, A...>();
}
template <int Rank>
using box_indices = choose<Rank == 1, list<index_t>, choose<Rank == 2, list<index_t, index_t>, list<index_t, index_t, index_t>>>;

template <class F, class... A, class... I>
constexpr auto result_in_box(list<I...>) -> word<result_of<F, I..., typename call_value<A>::type...>> {
    return {};
}
template <int Rank, class F, class... A>
constexpr auto diagnose_box_call() {
    if constexpr (!is_fine<decltype(diagnose_box_call<F, A...>(box_indices<Rank>{}))> || writes_something<A...>)
        return diagnose_box_call<F, A...>(box_indices<Rank>{});
    else if constexpr (std::is_same_v<decltype(result_in_box<F, A...>(box_indices<Rank>{})), word<void>>)
        return fine{};
    else
        return loses_result<F>(result_in_box<F, A...>(box_indices<Rank>{}));
}

// As diagnose_reduction of one index, for a Term that F gives for several.
template <class F, class Op, class Identity, class Element, class... A, class Term>
constexpr auto diagnose_box_terms(word<Term>) {
    if constexpr (!is_fine<decltype(diagnose_join<F, Op, Identity, Term>(word<Element>{}))>)
        return diagnose_join<F, Op, Identity, Term>(word<Element>{});
    else if constexpr (bytes_of_reduction<F, Op, Element, A...> > most_argument_bytes)
        return parameters_are_too_large<F, parameter_bytes<bytes_of_reduction<F, Op, Element, A...>>, limit_is<most_argument_bytes>>{};
    else
        return fine{};
}
template <class F, class Op, class Identity, class... A, class Element, class... I>
constexpr auto diagnose_box_reduction(word<Element>, list<I...> indices) {
    if constexpr (!is_fine<decltype(diagnose_box_call<F, A...>(indices))>)
        return diagnose_box_call<F, A...>(indices);
    else
        return diagnose_box_terms<F, Op, Identity, Element, A...>(result_in_box<F, A...>(indices));
}
template <int Rank, class F, class Op, class Identity, class Out, class... A>
constexpr auto diagnose_box_reduce() {
    if constexpr (requires { requires access_argument<Out> && writes(Out::describe.access) && receives<typename Out::variable>; })
        return diagnose_box_reduction<F, Op, Identity, A...>(element_word(decltype(variable_of(static_cast<const Out*>(nullptr))){}), box_indices<Rank>{});
    else
        return diagnose_receiver<Out>();
}

template <class Shape, class F>
struct box_builder;
template <class Shape, class F>
constexpr arguments_are_missing<F> why_no_expression(const box_builder<Shape, F>*) {
    return {};
}
template <class Shape, class F, class Op, class T>
struct box_reduce_builder;
template <class Shape, class F, class Op, class T>
constexpr arguments_are_missing<F> why_no_expression(const box_reduce_builder<Shape, F, Op, T>*) {
    return {};
}

}  // namespace cograph::core
