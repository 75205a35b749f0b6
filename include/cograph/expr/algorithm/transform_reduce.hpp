// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// The identity that was given, or the operation's own.
template <class Element, class Op, class T>
constexpr Element identity_of(Op const&, T const& given) {
    if constexpr (std::is_same_v<T, take_identity>)
        return Op::template identity<Element>();
    else
        return static_cast<Element>(given);
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
            return make_stage<Stage, F, domain>(forms{}, where, 0, function, op, identity_of<element>(op, identity), 0, result, arguments...);
    }
    template <class Out, class... A>
        requires(element_shape_type<Shape> && ((as_argument_t<A>::describe.near != nullptr) || ...) && is_fine<decltype(diagnose_box_reduce<1, F, Op, T, Out, as_argument_t<A>...>())>)
    constexpr auto operator()(Out result, A... arguments) const -> decltype(with_neighbours(*this, result, arguments...)) {
        return with_neighbours(*this, result, arguments...);
    }

    // Refused calls.
    template <class Out, class... A>
        requires(!(element_shape_type<Shape> && ((as_argument_t<A>::describe.near != nullptr) || ...)) && !is_fine<decltype(diagnose_reduce<Shape, F, Op, T, Out, as_argument_t<A>...>())>)
    auto operator()(Out, A...) const -> decltype(mistake_of<struct reduce_node, Stage, Shape, F, Op, T, Out, A...>(diagnose_reduce<Shape, F, Op, T, Out, as_argument_t<A>...>()));
    template <class Out, class... A>
        requires(element_shape_type<Shape> && ((as_argument_t<A>::describe.near != nullptr) || ...) && !is_fine<decltype(diagnose_box_reduce<1, F, Op, T, Out, as_argument_t<A>...>())>)
    auto operator()(Out, A...) const -> decltype(mistake_of<struct reduce_node, Stage, Shape, F, Op, T, Out, A...>(diagnose_box_reduce<1, F, Op, T, Out, as_argument_t<A>...>()));
    template <class... A>
    auto operator()(A const&...) const -> mistake<result_is_not_marked_out<A...>, struct begin_the_arguments_with_out_of_a_scalar>;
};

// out = op over f(i, arguments...): transform_reduce(over(x), f, maximum{})(out(m), in(x), in(y)). The first argument is a
// scalar that receives the result. op must be associative and commutative. The order of its calls depends on the extent
// alone, so results are the same in every way to run. An operation without an identity of its own needs one.
template <launch_shape_type Shape, class F, class Op, class T = take_identity>
constexpr reduce_builder<reduce_stage, Shape, F, Op, T> transform_reduce(Shape shape, F f, Op op, T identity = {},
                                                                         const char* file = __builtin_FILE(),
                                                                         unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, shape.values}, f, op, identity};
}

}  // namespace cograph::core
