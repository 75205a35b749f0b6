// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/algorithm/argument_rules.hpp>

#include <utility>

namespace cograph::core {

struct fill_element {
    template <class T, class U>
    COGRAPH_HD constexpr void operator()(index_t, T& to, U value) const { to = static_cast<T>(value); }
};
// Next to no work for an element: a thread takes a few, as copy does: 118 us for 64 million doubles on an H200, in place of 161.
struct fill_elements : for_each_stage {
    static constexpr lazy_name name{"fill"};
    using takes = list<written_array, value_of_its_elements>;
    using threads = few_elements_a_thread;
    template <int... K, class... P>
    COGRAPH_HD static void at_few(std::integer_sequence<int, K...>, index_t i, index_t stride, P const&... p) {
        (at(i + K * stride, p...), ...);
    }
};

// fill(out(x), value): x = value in every element; value is a literal, a value variable, a scalar, or a formula over extents and
// value variables.
template <class X, class T>
    requires takes<fill_elements, out_t<X>, T>
constexpr auto fill(out_t<X>, T with, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    if constexpr (variable<T>)
        return element_stage<fill_elements, fill_element, over_t<X>, fill_element>{{nullptr, file, line, {}}, {}}(
            each_of<out_t<X>>{}, in(with));
    else
        return element_stage<fill_elements, fill_element, over_t<X>, fill_element>{{nullptr, file, line, {}}, {}}(
            each_of<out_t<X>>{}, static_cast<typename X::element>(with));
}
template <class X, class Operation, class... T>
    requires takes<fill_elements, out_t<X>, formula<Operation, T...>>
constexpr auto fill(out_t<X>, formula<Operation, T...> with, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return element_stage<fill_elements, fill_element, over_t<X>, fill_element>{{nullptr, file, line, {}}, {}}(
        each_of<out_t<X>>{}, host_value_t<typename X::element, formula<Operation, T...>>(with));
}

// Refused calls.
advises<struct write_fill_out_x_value> how_to_call(fill_elements*);
template <class... A>
    requires refuses<fill_elements, A...>
auto fill(A const&...) -> decltype(mistake_of<struct fill_node_call, A...>(diagnose_node_call<fill_elements>(fill_elements::takes{}, list<A...>{})));
template <class... A>
auto fill(A const&...) -> mistake<arguments_are_not_those_of<fill_elements, A...>, struct write_fill_out_x_value>;

}  // namespace cograph::core

namespace cograph {

using core::fill;

}  // namespace cograph
