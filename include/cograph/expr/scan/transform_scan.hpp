// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/iteration/first_nodes.hpp>
#include <cograph/expr/refused/scan/transform_scan.hpp>
#include <cograph/expr/scan/copy_if.hpp>
#include <cograph/expr/scan/scan.hpp>

namespace cograph::core {

// Scans of the results of a function, and scans over a shape.
template <bool Inclusive>
struct transform_scan_elements {
    static constexpr lazy_name name{Inclusive ? "transform_inclusive_scan" : "transform_exclusive_scan"};
    static constexpr bool equal_extents = false;
};

// Ordered chunks of the first elements alone.
template <class Node, class Key, class Shape, class Length, class F, class Joins, class... A, class... V>
constexpr auto first_chunks_node(word<first_shape<Shape, Length>>, word<Joins>, list<A...>, record where, F const& f, V const&... values) {
    return make_stage<first_of<ordered_chunk_stage<Node>>, Key, typename Shape::domain>(
        first_arguments<Shape, Length>{} + list<given<F>, out_t<Joins>, scratch<sizeof(chunk_order)>, A...>{}, where, 0, Length{}, 0, f, 0, 0, values...);
}
template <class Node, class Key, class Shape, class F, class Joins, class... A, class... V>
constexpr auto chunks_node_over(word<Shape>, word<Joins> joins, list<A...> arguments, record where, F const& f, V const&... values) {
    if constexpr (has_length<Shape>)
        return first_chunks_node<Node, Key>(word<Shape>{}, joins, arguments, where, f, values...);
    else
        return ordered_chunk_node<Node, Key, Shape>(joins, arguments, where, f, values...);
}

template <class Shape, bool Inclusive, class F, class Op, class T>
struct transform_scan_builder {
    record where;
    F function;
    Op op;
    T identity;

    template <class Y, class... A>
        requires is_fine<decltype(diagnose_transform_scan<whole_shape_t<Shape>, F, Op, T>(list<out_t<Y>, as_argument_t<A>...>{}))>
    constexpr auto operator()(out_t<Y> result, A... arguments) const {
        using element = typename Y::element;
        using Join = joins_from<Op, T>;
        using Node = transform_scan_elements<Inclusive>;
        using Pass = scan_pass<Inclusive, F, Join, element>;
        if constexpr (takes_small_extents<F, 1, A...>)
            return with_small_extents<F, 1>([&](auto... small) { return (*this)(result, small...); }, arguments...);
        else
            return chunks_node_over<Node, F>(word<Shape>{}, word<of_chunks<Node, Y, Y, element>>{}, list<each_of<out_t<Y>>, as_argument_t<A>...>{}, where,
                                             Pass{{as_operand<0>(op), as_operand<1>(identity)}, as_operand<2>(function)}, 0, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_transform_scan<whole_shape_t<Shape>, F, Op, T>(list<as_argument_t<A>...>{}))>)
    auto operator()(A const&...) const
        -> decltype(mistake_of<struct transform_scan_node, Shape, F, Op, T, A...>(diagnose_transform_scan<whole_shape_t<Shape>, F, Op, T>(list<as_argument_t<A>...>{})));
};

// y[i] = op over f(0, arguments...) to f(i, arguments...): transform_inclusive_scan(over(x), f, plus{})(out(y), in(x[each])). The order of the
// calls of op follows from the number of elements alone; f may be called twice for an element. An operation without an identity of its own
// needs one.
template <class Shape, class F, class Op, class T = take_identity>
    requires launch_shape_type<Shape>
constexpr transform_scan_builder<Shape, true, F, Op, T> transform_inclusive_scan(Shape shape, F f, Op op, T identity = {}, const char* file = __builtin_FILE(),
                                                                                 unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, op, identity};
}
// y[i] = op over f(0, arguments...) to f(i - 1, arguments...), the identity for the first.
template <class Shape, class F, class Op, class T = take_identity>
    requires launch_shape_type<Shape>
constexpr transform_scan_builder<Shape, false, F, Op, T> transform_exclusive_scan(Shape shape, F f, Op op, T identity = {}, const char* file = __builtin_FILE(),
                                                                                  unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, op, identity};
}

template <class Shape, class F>
struct copy_if_builder {
    record where;
    F function;

    template <class X, class Y, class C>
        requires is_fine<decltype(diagnose_taken<whole_shape_t<Shape>, F>(list<in_t<X>, out_t<Y>, out_t<C>>{}))>
    constexpr auto operator()(in_t<X>, out_t<Y>, out_t<C>) const {
        return chunks_node_over<copy_if_elements, F>(word<Shape>{}, word<of_chunks<copy_if_elements, Y, Y, index_t>>{},
                                                     list<each_of<in_t<X>>, each_of<out_t<Y>>, reference_to<out_t<C>>>{}, where,
                                                     copy_if_pass<F, typename X::element>{as_operand<0>(function)}, 0, 0, 0);
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_taken<whole_shape_t<Shape>, F>(list<A...>{}))>)
    auto operator()(A const&...) const -> decltype(mistake_of<struct copy_if_node_call, Shape, F, A...>(diagnose_taken<whole_shape_t<Shape>, F>(list<A...>{})));
};

// copy_if of the elements of a shape: copy_if(over(x).first(n), f)(in(x), out(y), out(count)).
template <class Shape, class F>
    requires launch_shape_type<Shape>
constexpr copy_if_builder<Shape, F> copy_if(Shape shape, F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f};
}

}  // namespace cograph::core
