// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/refused/algorithm/function_nodes.hpp>

namespace cograph::core {

// Refused calls of transform_reduce and other reductions.

// The parameters of a reduction in a kernel, without its own few.
template <class F, class Op, class Element, class... A>
inline constexpr int bytes_of_reduction = passing_to<F, A...>::bytes + static_cast<int>(sizeof(Op) + sizeof(Element));

template <class Op, class Element>
concept joins = requires(Op& op, Element a) { static_cast<Element>(op(a, a)); };
template <class F, class Element, class Term>
constexpr term_is_cut_to_an_integer<F, Term, Element> term_is_cut(const Term&) {
    return {};
}
// Whether Op, with this identity, joins terms that F gives into an Element.
template <class F, class Op, class Identity, class Term, class Element>
constexpr auto diagnose_join(word<Element>) {
    if constexpr (!is_function_object<Op>)
        return diagnose_passing<Op>();
    else if constexpr (!joins<const Op, Element> && joins<Op, Element>)
        return call_operator_is_not_const<Op>{};
    else if constexpr (!joins<const Op, Element>)
        return operation_cannot_join<Op, Element>{};
    else if constexpr (requires { Op::in_any_order; } && !requires {
                           requires std::is_same_v<decltype(Op::in_any_order), const bool>;
                           typename std::bool_constant<Op::in_any_order>;
                       })
        return in_any_order_is_no_constant<Op>{};
    else if constexpr (!is_assigned<Element>)
        return elements_cannot_be_assigned<Element>{};
    else if constexpr (std::is_same_v<Identity, take_identity> && !requires { Op::template identity<Element>(); })
        return identity_is_missing<Op, Element>{};
    else if constexpr (!requires { static_cast<Element>(std::declval<Term>()); })
        return term_does_not_convert<F, Element>{};
    else if constexpr (std::is_integral_v<Element> && std::is_floating_point_v<std::remove_cvref_t<Term>>)
        return decltype(term_is_cut<F, Element>(std::declval<Term>())){};
    else if constexpr (sizeof(Element) > most_result_bytes)
        return result_is_too_large<Element, result_bytes<sizeof(Element)>, limit_is<most_result_bytes>>{};
    else
        return fine{};
}
template <class F, class Op, class Identity, class... A, class Element>
constexpr auto diagnose_reduction(word<Element> element) {
    if constexpr (!is_fine<decltype(diagnose_element_call<F, A...>())>)
        return diagnose_element_call<F, A...>();
    else if constexpr (!is_fine<decltype(diagnose_join<F, Op, Identity, result_of<F, index_t, typename call_value<A>::type...>>(element))>)
        return diagnose_join<F, Op, Identity, result_of<F, index_t, typename call_value<A>::type...>>(element);
    else if constexpr (bytes_of_reduction<F, Op, Element, A...> > most_argument_bytes)
        return parameters_are_too_large<F, parameter_bytes<bytes_of_reduction<F, Op, Element, A...>>, limit_is<most_argument_bytes>>{};
    else
        return fine{};
}
// A receiver of a result: one value in memory. For a temp it would be the first element, if there is one.
template <class V>
concept receives = variable<V> && V::kind == variable_kind::scalar;

template <class V>
constexpr auto no_receiver(word<V>) {
    return result_is_no_scalar<V>{};
}
template <class Out>
constexpr auto diagnose_receiver() {
    if constexpr (requires { requires access_argument<Out> && writes(Out::describe.access) && !Out::describe.each; })
        return no_receiver(decltype(variable_of(static_cast<const Out*>(nullptr))){});
    else
        return result_is_not_marked_out<Out>{};
}
template <class Shape, class F, class Op, class Identity, class Out, class... A>
constexpr auto diagnose_reduce() {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (requires { requires access_argument<Out> && writes(Out::describe.access) && receives<typename Out::variable>; })
        return diagnose_reduction<F, Op, Identity, A...>(element_word(decltype(variable_of(static_cast<const Out*>(nullptr))){}));
    else
        return diagnose_receiver<Out>();
}

// Of one that sees neighbours, in one dimension.
template <int Rank, class F, class Op, class Identity, class Out, class... A>
constexpr auto diagnose_box_reduce();

template <class Stage, class Shape, class F, class Op, class T>
struct reduce_builder;
template <class Stage, class Shape, class F, class Op, class T>
constexpr arguments_are_missing<F> why_no_expression(const reduce_builder<Stage, Shape, F, Op, T>*) {
    return {};
}

template <class Shape, class F, class Op, class T = take_identity>
    requires(!launch_shape_type<Shape>)
auto transform_reduce(Shape, F, Op, T = {}) -> decltype(mistake_of<struct transform_reduce_call, Shape, F, Op, T>(not_a_shape<Shape>{}));
template <class... A>
auto transform_reduce(A const&...)
    -> mistake<arguments_are_not_those_of<struct transform_reduce_call, A...>, struct write_transform_reduce_shape_function_operation>;

}  // namespace cograph::core
