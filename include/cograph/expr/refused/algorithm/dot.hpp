// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/library_calls.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// What dot refuses.

struct dot_product;
advises<struct write_dot_out_s_in_x_in_y> how_to_call(dot_product*);

template <class... A>
constexpr auto diagnose_dot_call(list<A...>) {
    return wrong_arguments<dot_product, A...>();
}
template <class V, in_memory X, in_memory Y>
constexpr auto diagnose_dot_call(list<out_t<V>, in_t<X>, in_t<Y>>) {
    return diagnose_reduce<over_t<X>, product_at<typename V::element>, plus, take_identity, out_t<V>, each_of<in_t<X>>, each_of<in_t<Y>>>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_dot_call(list<A...>{}))>)
auto dot(A const&...) -> decltype(mistake_of<struct dot_node_call, A...>(diagnose_dot_call(list<A...>{})));
template <class... A>
auto dot(A const&...) -> mistake<arguments_are_not_those_of<dot_product, A...>, struct write_dot_out_s_in_x_in_y>;

}  // namespace cograph::core
