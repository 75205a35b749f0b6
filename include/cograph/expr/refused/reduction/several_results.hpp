// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/terms.hpp>
#include <cograph/expr/refused/iteration/first_nodes.hpp>

namespace cograph::core {

// Refused reductions to several scalars.

template <class Given>
inline constexpr int count_of_terms = -1;
template <class... T>
inline constexpr int count_of_terms<terms<T...>> = sizeof...(T);

template <int I, class F, class Op, class Identity, class Out, class Given>
constexpr auto diagnose_one_result() {
    if constexpr (!requires { requires access_argument<Out> && writes(Out::describe.access) && !reads(Out::describe.access) && receives<typename Out::variable>; })
        return diagnose_receiver<Out>();
    else
        return diagnose_join<F, Op, Identity, std::remove_cvref_t<decltype(term_of<I>(std::declval<Given const&>()))>>(element_word(word<typename Out::variable>{}));
}
template <class... Diagnosis>
constexpr auto first_mistake(Diagnosis...) {
    constexpr int first = first_true<!is_fine<Diagnosis>...>();
    if constexpr (first < static_cast<int>(sizeof...(Diagnosis)))
        return typename pick_type<first, Diagnosis...>::type{};
    else
        return fine{};
}

// After the results, the arguments of F.
template <class F, class Identity, class Operations, class Outs, class Rest>
struct several_results_call;
template <class F, class Identity, int... I, class... Op, class... Out, class... A>
struct several_results_call<F, Identity, joined_operations<std::integer_sequence<int, I...>, Op...>, list<Out...>, list<A...>> {
    static constexpr auto diagnose() {
        if constexpr (!is_fine<decltype(diagnose_element_call<F, A...>())>) {
            return diagnose_element_call<F, A...>();
        } else {
            using Given = std::remove_cvref_t<result_of<F, index_t, typename call_value<A>::type...>>;
            if constexpr (count_of_terms<Given> != static_cast<int>(sizeof...(Op)))
                return function_gives_no_such_terms<F, takes_terms<sizeof...(Op)>>{};
            else
                return first_mistake(diagnose_one_result<I, F, Op, Identity, Out, Given>()...);
        }
    }
};

template <int Count, class... Outs, class... A>
constexpr auto results_and_arguments(list<Outs...> outs, list<A...> rest) {
    if constexpr (static_cast<int>(sizeof...(Outs)) == Count || sizeof...(A) == 0)
        return list<list<Outs...>, list<A...>>{};
    else
        return next_result<Count>(outs, rest);
}
template <int Count, class... Outs, class First, class... A>
constexpr auto next_result(list<Outs...>, list<First, A...>) {
    return results_and_arguments<Count>(list<Outs..., First>{}, list<A...>{});
}

template <class F, class Operations, class Identity, class Outs, class Rest>
constexpr auto diagnose_several(list<Outs, Rest>) {
    return several_results_call<F, Identity, Operations, Outs, Rest>::diagnose();
}
template <class Shape, class F, class Operations, class Identity, class... A>
constexpr auto diagnose_several_results() {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (((A::describe.near != nullptr) || ...))
        return operations_are_for_all_elements<F>{};
    else if constexpr (sizeof...(A) < Operations::count)
        return arguments_are_not_those_of<struct reduce_node, A...>{};
    else
        return diagnose_several<F, Operations, Identity>(results_and_arguments<Operations::count>(list<>{}, list<A...>{}));
}

template <class Shape, class F, class Operations, class T>
struct several_results_builder;
template <class Shape, class F, class Operations, class T>
constexpr arguments_are_missing<F> why_no_expression(const several_results_builder<Shape, F, Operations, T>*) {
    return {};
}

template <class Domain, class... Side>
struct box_shape;
template <class Shape, int Size, class F, class Numbers, class... Op, class T = take_identity>
auto transform_reduce(group_shape<Shape, Size>, F, joined_operations<Numbers, Op...>, T = {})
    -> decltype(mistake_of<struct transform_reduce_call, Shape, F>(operations_are_for_all_elements<F>{}));
template <class Domain, class... Side, class F, class Numbers, class... Op, class T = take_identity>
auto transform_reduce(box_shape<Domain, Side...>, F, joined_operations<Numbers, Op...>, T = {})
    -> decltype(mistake_of<struct transform_reduce_call, Domain, F>(operations_are_for_all_elements<F>{}));
template <class Shape, class Subset, class F, class Numbers, class... Op, class T = take_identity>
auto transform_reduce(subset_shape<Shape, Subset>, F, joined_operations<Numbers, Op...>, T = {})
    -> decltype(mistake_of<struct transform_reduce_call, Shape, F>(operations_are_for_all_elements<F>{}));

}  // namespace cograph::core
