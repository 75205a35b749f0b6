// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/scan/copy_if.hpp>

namespace cograph::core {

// Refused scans, compactions and partitions over a shape.

template <class V, class... A>
inline constexpr bool uses_variable = ((A::describe.variable == &info_of<typename V::tag>) || ...);

template <class Shape, class F, class Op, class Identity, class... A>
constexpr auto diagnose_transform_scan(list<A...>) {
    return arguments_are_not_those_of<struct transform_scan_node, A...>{};
}
template <class Shape, class F, class Op, class Identity, class Y, class... A>
    requires are_scanned<Y, Y>
constexpr auto diagnose_transform_scan(list<out_t<Y>, A...>) {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (uses_variable<Y, A...>)
        return scanned_in_place<Y>{};
    else if constexpr (writes_something<A...>)
        return terms_are_only_read<F>{};
    else
        return diagnose_reduction<F, Op, Identity, A...>(element_word(word<Y>{}));
}

// A shape over which elements are taken.
template <class Shape, class F, class... A>
constexpr auto diagnose_taken(list<A...>) {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else
        return diagnose_copy_if_call(list<A..., F>{});
}

template <class Shape, bool Inclusive, class F, class Op, class T>
struct transform_scan_builder;
template <class Shape, bool Inclusive, class F, class Op, class T>
constexpr arguments_are_missing<F> why_no_expression(const transform_scan_builder<Shape, Inclusive, F, Op, T>*) {
    return {};
}
template <class Shape, class F>
struct copy_if_builder;
template <class Shape, class F>
constexpr arguments_are_missing<F> why_no_expression(const copy_if_builder<Shape, F>*) {
    return {};
}

template <class... A>
auto transform_inclusive_scan(A const&...)
    -> mistake<arguments_are_not_those_of<struct transform_inclusive_scan_call, A...>, struct write_transform_inclusive_scan_shape_function_operation>;
template <class... A>
auto transform_exclusive_scan(A const&...)
    -> mistake<arguments_are_not_those_of<struct transform_exclusive_scan_call, A...>, struct write_transform_exclusive_scan_shape_function_operation>;

}  // namespace cograph::core
