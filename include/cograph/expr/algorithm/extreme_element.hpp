// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/transform_reduce.hpp>
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
// The larger or smaller of two, of equals the one that comes first; none has the number -1. Any number comes before a NaN.
template <bool Largest>
struct extreme_of_two : light_function {
    template <class T>
    COGRAPH_HD constexpr found_element<T> operator()(found_element<T> const& a, found_element<T> const& b) const {
        if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
        const bool b_wins = is_before(b.value, a.value), a_wins = is_before(a.value, b.value);
        return b_wins || (!a_wins && b.index < a.index) ? b : a;
    }

private:
    template <class T>
    COGRAPH_HD static constexpr bool is_before(T const& a, T const& b) {
        if constexpr (std::is_floating_point_v<T>)
            if (is_nan(a) || is_nan(b)) return !is_nan(a) && is_nan(b);
        return Largest ? b < a : a < b;
    }
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
