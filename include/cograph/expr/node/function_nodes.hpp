// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/callable_checks.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

namespace cograph::core {

template <class Stage, class Key, class Domain, class... A, class... V>
constexpr stage_node<Stage, Key, Domain, A...> make_stage(list<A...>, record where, V const&... values) {
    return {{where}, keep_pieces(keep_part<A>(values)...)};
}

template <class Shape, class F>
constexpr auto diagnose_shape() {
    if constexpr (element_shape_type<Shape>)
        return fine{};
    else if constexpr (!std::is_same_v<Shape, bare_shape_t<Shape>>)
        return attributes_are_for_kernels<F>{};
    else if constexpr (launch_shape_type<Shape>)
        return grid_counts_no_elements<F>{};
    else
        return not_a_shape<Shape>{};
}
template <class Shape, class F, class... A>
constexpr auto diagnose_shaped_call() {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (!is_fine<decltype(diagnose_element_call<F, A...>())> || writes_something<A...>)
        return diagnose_element_call<F, A...>();
    else
        return loses_result<F>(word<result_of<F, index_t, typename call_value<A>::type...>>{});
}

// A stage that waits for its arguments; Lead... are the forms of the parameters in front of them.
template <class Stage, class Key, class Shape, class F>
struct element_stage {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using domain = typename Shape::domain;
        if constexpr (takes_small_extents<F, 1, A...>)
            return with_small_extents<F, 1>(*this, arguments...);
        else if constexpr (is_stateless<F>)  // as make_stage does, without one function for each node
            return stage_node<stateless<Stage, F>, Key, domain, domain, as_argument_t<A>...>{
                {where}, keep_pieces(keep_part<domain>(0), keep_part<as_argument_t<A>>(arguments)...)};
        else
            return make_stage<Stage, Key, domain>(list<domain, given<F>, as_argument_t<A>...>{}, where, 0, function, arguments...);
    }
    template <class... A>
        requires(!(element_shape_type<Shape> && element_call<F, as_argument_t<A>...>))
    auto operator()(A...) const -> decltype(mistake_of<struct element_node, Stage, Key, Shape, F, A...>(diagnose_shaped_call<Shape, F, as_argument_t<A>...>()));
};
template <class Stage, class Key, class Shape, class F>
constexpr arguments_are_missing<F> why_no_expression(const element_stage<Stage, Key, Shape, F>*) {
    return {};
}

// f(i, arguments...) for every i in the shape: for_each(over(x), f)(in(p), in(x[each]), out(y[each])). Buffers arrive as
// pointers, x[each] as a reference to element i, scalars as references, values and views by value. Elements may run in any order and at once.
template <class Shape, class F>
constexpr element_stage<for_each_stage, F, Shape, F> for_each(Shape shape, F f, const char* file = __builtin_FILE(),
                                                              unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f};
}
template <class... A>
auto for_each(A const&...) -> mistake<arguments_are_not_those_of<struct for_each_call, A...>, struct write_for_each_shape_function_and_then_the_arguments>;

template <class F>
struct single_task_builder {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        if constexpr (takes_small_extents<F, 0, A...>)
            return with_small_extents<F, 0>(*this, arguments...);
        else
            return make_stage<single_task_stage, F, grid_t::domain>(list<given<F>, as_argument_t<A>...>{}, where, function, arguments...);
    }
    template <class... A>
        requires(!single_call<F, as_argument_t<A>...>)
    auto operator()(A...) const -> decltype(mistake_of<struct single_task_node, F, A...>(diagnose_single_call<F, as_argument_t<A>...>()));
};
template <class F>
constexpr arguments_are_missing<F> why_no_expression(const single_task_builder<F>*) {
    return {};
}

// f(arguments...) in one thread: for the arithmetic between kernels.
template <class F>
constexpr single_task_builder<F> single_task(F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, grid(1).block(1).values}, f};
}
template <class... A>
auto single_task(A const&...) -> mistake<arguments_are_not_those_of<struct single_task_call, A...>, struct write_single_task_function_and_then_the_arguments>;

// What a reduction takes among a kernel's parameters, its own few aside.
template <class F, class Op, class Element, class... A>
inline constexpr int bytes_of_reduction = passing_to<F, A...>::bytes + static_cast<int>(sizeof(Op) + sizeof(Element));

template <class Op, class Element>
concept joins = requires(Op& op, Element a) { static_cast<Element>(op(a, a)); };
template <class F, class Element, class Term>
constexpr term_is_cut_to_an_integer<F, Term, Element> term_is_cut(const Term&) {
    return {};
}
// Whether Op, with this identity, joins terms that F gives into an Element.
template <class F, class Op, class Identity, class... A, class Element>
constexpr auto diagnose_reduction(word<Element>) {
    if constexpr (!is_fine<decltype(diagnose_element_call<F, A...>())>)
        return diagnose_element_call<F, A...>();
    else if constexpr (!is_function_object<Op>)
        return diagnose_passing<Op>();
    else if constexpr (!joins<const Op, Element> && joins<Op, Element>)
        return call_operator_is_not_const<Op>{};
    else if constexpr (!joins<const Op, Element>)
        return operation_cannot_join<Op, Element>{};
    else if constexpr (std::is_same_v<Identity, take_identity> && !requires { Op::template identity<Element>(); })
        return identity_is_missing<Op, Element>{};
    else if constexpr (!requires(const F& f, typename call_value<A>::type... a) {
                           static_cast<Element>(f(index_t{}, static_cast<typename call_value<A>::type&&>(a)...));
                       })
        return term_does_not_convert<F, Element>{};
    else if constexpr (std::is_integral_v<Element> && std::is_floating_point_v<std::remove_cvref_t<result_of<F, index_t, typename call_value<A>::type...>>>)
        return decltype(term_is_cut<F, Element>(std::declval<result_of<F, index_t, typename call_value<A>::type...>>())){};
    else if constexpr (sizeof(Element) > most_result_bytes)
        return result_is_too_large<Element, result_bytes<sizeof(Element)>, limit_is<most_result_bytes>>{};
    else if constexpr (bytes_of_reduction<F, Op, Element, A...> > most_argument_bytes)
        return parameters_are_too_large<F, parameter_bytes<bytes_of_reduction<F, Op, Element, A...>>, limit_is<most_argument_bytes>>{};
    else
        return fine{};
}
// What can receive a result: one value in memory. Of a temp it would be the first element, where there is one.
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

template <class Stage, class Shape, class F, class Op, class T>
struct reduce_builder {
    record where;
    F function;
    Op op;
    T identity;  // or take_identity, for the operations that have one of their own

    template <class Out, class... A>
    constexpr auto operator()(Out result, A... arguments) const {
        using element = typename Out::element;
        using domain = typename Shape::domain;
        using forms = list<domain, given<F>, given<Op>, given<element>, scratch<reduce_scratch<element>>, reference_to<Out>,
                           as_argument_t<A>...>;
        if constexpr (takes_small_extents<F, 1, A...>)
            return with_small_extents<F, 1>([&](auto... small) { return (*this)(result, small...); }, arguments...);
        else
            return make_stage<Stage, F, domain>(forms{}, where, 0, function, op, identity_for<element>(), 0, result, arguments...);
    }
    template <class Out, class... A>
        requires(!is_fine<decltype(diagnose_reduce<Shape, F, Op, T, Out, as_argument_t<A>...>())>)
    auto operator()(Out, A...) const -> decltype(mistake_of<struct reduce_node, Stage, Shape, F, Op, T, Out, A...>(diagnose_reduce<Shape, F, Op, T, Out, as_argument_t<A>...>()));
    template <class... A>
    auto operator()(A const&...) const -> mistake<result_is_not_marked_out<A...>, struct begin_the_arguments_with_out_of_a_scalar>;

private:
    template <class Element>
    constexpr Element identity_for() const {
        if constexpr (std::is_same_v<T, take_identity>)
            return Op::template identity<Element>();
        else
            return static_cast<Element>(identity);
    }
};
template <class Stage, class Shape, class F, class Op, class T>
constexpr arguments_are_missing<F> why_no_expression(const reduce_builder<Stage, Shape, F, Op, T>*) {
    return {};
}

// out = op over f(i, arguments...): transform_reduce(over(x), f, maximum{})(out(m), in(x), in(y)). The first argument is a
// scalar that receives the result. op must be associative and commutative; the order of its calls depends on the extent
// alone, so results are the same in every way to run. An operation without an identity of its own needs one.
template <launch_shape_type Shape, class F, class Op, class T = take_identity>
constexpr reduce_builder<reduce_stage, Shape, F, Op, T> transform_reduce(Shape shape, F f, Op op, T identity = {},
                                                                         const char* file = __builtin_FILE(),
                                                                         unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, shape.values}, f, op, identity};
}

template <class Shape, class F, class Op, class T = take_identity>
    requires(!launch_shape_type<Shape>)
auto transform_reduce(Shape, F, Op, T = {}) -> decltype(mistake_of<struct transform_reduce_call, Shape, F, Op, T>(not_a_shape<Shape>{}));
template <class... A>
auto transform_reduce(A const&...)
    -> mistake<arguments_are_not_those_of<struct transform_reduce_call, A...>, struct write_transform_reduce_shape_function_operation>;

}  // namespace cograph::core
