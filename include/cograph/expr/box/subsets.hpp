// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_nodes.hpp>
#include <cograph/expr/box/subset_stages.hpp>
#include <cograph/expr/refused/box/subsets.hpp>

namespace cograph::core {

// A part of a shape's elements, which for_each and transform_reduce take.
template <class Shape, class Subset>
struct subset_shape {
    Shape whole;
};
template <int Stride, int Offset>
struct strided_subset {
    template <class Shape, int FirstSide>
    using of = every_nth<Stride, Offset>;
};
template <int Colour>
struct coloured_subset {
    template <class Shape, int FirstSide>
    using of = checkerboard_colour<box_parts<Shape>::rank, Colour, FirstSide>;
};

// A node over a shape as one over the subset: its first argument is the whole domain.
template <class Shape, class Subset, class Stage, class Key, class Domain, class... A>
constexpr auto over_part(stage_node<Stage, Key, Domain, A...> const& node) {
    using part = subset_stage<Stage, typename Subset::template of<Shape, Stage::traits.first_side>>;
    return stage_node<part, Key, Domain, A...>{{node.records[0]}, node.kept};
}
template <class Shape, class Subset, class Stage, class Key, class Domain, class... A>
    requires(Stage::traits.reduces)
constexpr auto over_part(stage_node<Stage, Key, Domain, A...> const& node) {
    using part = subset_reduce_stage<Stage, typename Subset::template of<Shape, Stage::traits.first_side>>;
    return stage_node<part, Key, Domain, A...>{{node.records[0]}, node.kept};
}

template <class Shape, class Subset, class F>
struct subset_builder {
    Shape whole;
    F function;
    const char* file;
    unsigned line;

    template <class... A>
        requires is_fine<decltype(diagnose_subset_call<Shape, F, as_argument_t<A>...>())>
    constexpr auto operator()(A... arguments) const {
        return over_part<Shape, Subset>(for_each(whole, function, file, line)(arguments...));
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_subset_call<Shape, F, as_argument_t<A>...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct subset_node, Shape, F, A...>(diagnose_subset_call<Shape, F, as_argument_t<A>...>()));
};
template <class Shape, class Subset, class F, class Op, class T>
struct subset_reduce_builder {
    Shape whole;
    F function;
    Op op;
    T identity;
    const char* file;
    unsigned line;

    template <class Out, class... A>
        requires is_fine<decltype(diagnose_subset_reduce<Shape, F, Op, T, Out, as_argument_t<A>...>())>
    constexpr auto operator()(Out result, A... arguments) const {
        return over_part<Shape, Subset>(transform_reduce(whole, function, op, identity, file, line)(result, arguments...));
    }

    // Refused calls.
    template <class Out, class... A>
        requires(!is_fine<decltype(diagnose_subset_reduce<Shape, F, Op, T, Out, as_argument_t<A>...>())>)
    auto operator()(Out, A...) const
        -> decltype(mistake_of<struct subset_reduce_node, Shape, F, Op, T, Out, A...>(diagnose_subset_reduce<Shape, F, Op, T, Out, as_argument_t<A>...>()));
};

// f(i, arguments...) for the elements of a part of a shape: for_each(over(x).every<2, 1>(), f)(inout(x[each])), for_each(over(rows,
// columns).checkerboard<0>(), f)(…). No thread is idle.
template <class Shape, class Subset, class F>
constexpr subset_builder<Shape, Subset, F> for_each(subset_shape<Shape, Subset> shape, F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {shape.whole, f, file, line};
}
template <class Shape, class Subset, class F, class Op, class T = take_identity>
constexpr subset_reduce_builder<Shape, Subset, F, Op, T> transform_reduce(subset_shape<Shape, Subset> shape, F f, Op op, T identity = {}, const char* file = __builtin_FILE(),
                                                                          unsigned line = __builtin_LINE()) {
    return {shape.whole, f, op, identity, file, line};
}

}  // namespace cograph::core
