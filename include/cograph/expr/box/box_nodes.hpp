// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/transform_reduce.hpp>
#include <cograph/expr/box/box_shape.hpp>
#include <cograph/expr/box/box_stages.hpp>
#include <cograph/expr/refused/box/box_nodes.hpp>

namespace cograph::core {

// Nodes over boxes, and nodes over one dimension that see neighbours.

// Whether F takes extents or formulas among A..., after Rank indices, in the form of its parameters.
template <class F, int Rank, class... A>
inline constexpr bool takes_narrow = ((narrowing_of<A> != narrowing::none) || ...) && has_small_extents<A...>(Rank, known_parameters<F>());

template <class Shape>
struct box_parts {
    static constexpr int rank = 1;
    using sides = list<>;
};
template <class Domain, class... Side>
struct box_parts<box_shape<Domain, Side...>> {
    static constexpr int rank = sizeof...(Side);
    using sides = list<typename side_argument<Side>::type...>;
};

// A node over a box that waits for its arguments.
template <class Stage, class Key, class Domain, class... Side, class... A, class F, class... Given>
constexpr auto make_box_node(list<Side...>, list<A...>, record where, const index_t* sides, F const& function, Given const&... arguments) {
    const auto with_sides = [&]<int... D>(std::integer_sequence<int, D...>) {
        if constexpr (is_stateless<F>)
            return make_stage<stateless<Stage, F>, Key, Domain>(list<Domain, Side..., A...>{}, where, 0, sides[D]..., arguments...);
        else
            return make_stage<Stage, Key, Domain>(list<Domain, given<F>, Side..., A...>{}, where, 0, function, sides[D]..., arguments...);
    };
    return with_sides(std::make_integer_sequence<int, sizeof...(Side)>{});
}

template <class Shape, class F>
struct box_builder {
    using parts = box_parts<Shape>;
    static constexpr int rank = parts::rank;
    record where;
    F function;
    index_t sides[3] = {};

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        if constexpr (takes_narrow<F, rank, A...>)
            return with_small_extents<F, rank>(*this, arguments...);
        else
            return make_box_node<box_stage<rank, in_patches<typename Shape::domain>>, F, typename Shape::domain>(typename parts::sides{}, list<as_argument_t<A>...>{}, where, sides, function, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_box_call<box_parts<Shape>::rank, F, as_argument_t<A>...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct box_node, Shape, F, A...>(diagnose_box_call<box_parts<Shape>::rank, F, as_argument_t<A>...>()));
};

// f(i, j, arguments...) for every element of a box of rows and columns, and f(i, j, k, arguments...) of a box of planes.
// For example: for_each(over(rows, columns), f)(in(x[near<1, 1>]), out(y[each])).
template <class Domain, class... Side, class F>
constexpr box_builder<box_shape<Domain, Side...>, F> for_each(box_shape<Domain, Side...> shape, F f, const char* file = __builtin_FILE(),
                                                             unsigned line = __builtin_LINE()) {
    box_builder<box_shape<Domain, Side...>, F> made{{nullptr, file, line, shape.values}, f};
    for (int d = 0; d < shape.rank; ++d) made.sides[d] = shape.sides[d];
    return made;
}

// Nodes of one dimension that see neighbours. Domain keeps clang++ 14 from reading on if Shape has none.
template <class Key, class Shape, class F, class... A, class Domain = typename Shape::domain>
constexpr auto with_neighbours(element_stage<for_each_stage, Key, Shape, F> const& given, A... arguments)
    -> decltype(box_builder<Shape, F>{given.where, given.function}(arguments...)) {
    return box_builder<Shape, F>{given.where, given.function}(arguments...);
}

template <class Shape, class F, class Op, class T>
struct box_reduce_builder {
    using parts = box_parts<Shape>;
    static constexpr int rank = parts::rank;
    record where;
    F function;
    Op op;
    T identity;
    index_t sides[3] = {};

    template <class Out, class... A>
    constexpr auto operator()(Out result, A... arguments) const {
        if constexpr (takes_narrow<F, rank, A...>)
            return with_small_extents<F, rank>([&](auto... small) { return (*this)(result, small...); }, arguments...);
        else
            return make(typename parts::sides{}, std::make_integer_sequence<int, std::is_same_v<typename parts::sides, list<>> ? 0 : rank>{}, result, arguments...);
    }

    // Refused calls.
    template <class Out, class... A>
        requires(!is_fine<decltype(diagnose_box_reduce<box_parts<Shape>::rank, F, Op, T, Out, as_argument_t<A>...>())>)
    auto operator()(Out, A...) const -> decltype(mistake_of<struct box_reduce_node, Shape, F, Op, T, Out, A...>(diagnose_box_reduce<box_parts<Shape>::rank, F, Op, T, Out, as_argument_t<A>...>()));
    template <class... A>
    auto operator()(A const&...) const -> mistake<result_is_not_marked_out<A...>, struct begin_the_arguments_with_out_of_a_scalar>;

private:
    template <class... Side, int... D, class Out, class... A>
    constexpr auto make(list<Side...>, std::integer_sequence<int, D...>, Out result, A... arguments) const {
        using element = typename Out::element;
        using domain = typename Shape::domain;
        return make_stage<box_reduce_stage<rank, in_patches<domain>>, F, domain>(
            list<domain, given<F>, given<Op>, given<element>, scratch<reduce_scratch<element>>, reference_to<Out>, Side..., as_argument_t<A>...>{},
            where, 0, function, op, identity_of<element>(op, identity), 0, result, sides[D]..., arguments...);
    }
};

template <class Domain, class... Side, class F, class Op, class T = take_identity>
constexpr box_reduce_builder<box_shape<Domain, Side...>, F, Op, T> transform_reduce(box_shape<Domain, Side...> shape, F f, Op op, T identity = {},
                                                                                   const char* file = __builtin_FILE(),
                                                                                   unsigned line = __builtin_LINE()) {
    box_reduce_builder<box_shape<Domain, Side...>, F, Op, T> made{{nullptr, file, line, shape.values}, f, op, identity};
    for (int d = 0; d < shape.rank; ++d) made.sides[d] = shape.sides[d];
    return made;
}
template <class Shape, class F, class Op, class T, class... A>
constexpr auto with_neighbours(reduce_builder<reduce_stage, Shape, F, Op, T> const& given, A... arguments)
    -> decltype(box_reduce_builder<Shape, F, Op, T>{given.where, given.function, given.op, given.identity}(arguments...)) {
    return box_reduce_builder<Shape, F, Op, T>{given.where, given.function, given.op, given.identity}(arguments...);
}

}  // namespace cograph::core
