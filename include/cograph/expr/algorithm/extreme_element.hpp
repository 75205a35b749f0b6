// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/transform_reduce.hpp>
#include <cograph/expr/function/found_element.hpp>
#include <cograph/expr/refused/algorithm/extreme_element.hpp>

namespace cograph::core {

struct max_element_node : reduce_stage {
    static constexpr lazy_name name{"max_element"};
};
struct min_element_node : reduce_stage {
    static constexpr lazy_name name{"min_element"};
};

// An element with its number.
template <class T>
struct numbered_element : light_function {
    COGRAPH_HD constexpr found_element<T> operator()(index_t i, T const& x) const { return {x, i}; }
};
template <class Node, bool Largest, class V, class X>
constexpr auto extreme_element(record where) {
    using T = typename X::element;
    return reduce_builder<Node, over_t<X>, numbered_element<T>, extreme_of_two<Largest>, found_element<T>>{where, {}, {}, {T(), -1}}(out_t<V>{}, each_of<in_t<X>>{});
}

// best = the largest element of x and its number, the first of equals; the number is -1 if there is none. best is a
// scalar of found_element<T>, T the elements' type.
template <class V, class X>
    requires is_fine<decltype(diagnose_extreme_call<max_element_node>(list<out_t<V>, in_t<X>>{}))>
constexpr auto max_element(out_t<V>, in_t<X>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return extreme_element<max_element_node, true, V, X>({nullptr, file, line, {}});
}
// The smallest.
template <class V, class X>
    requires is_fine<decltype(diagnose_extreme_call<min_element_node>(list<out_t<V>, in_t<X>>{}))>
constexpr auto min_element(out_t<V>, in_t<X>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return extreme_element<min_element_node, false, V, X>({nullptr, file, line, {}});
}

}  // namespace cograph::core
