// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/computation.hpp>
#include <cograph/expr/refused/algorithm/library_calls.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// Refused calls of dot.

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


// A function of elements alone.
template <class F>
struct called_with_elements : operand<0, F> {
    template <class... T>
        requires requires(const F& f, const T&... elements) { f(elements...); }
    COGRAPH_HD constexpr auto operator()(index_t, const T&... elements) const {
        return operand<0, F>::get()(elements...);
    }
};
template <class V, in_memory X, in_memory Y, class Product, class Sum, class... T>
    requires(sizeof...(T) < 2 && !is_of_variables<Product> && !is_of_variables<Sum>)
constexpr auto diagnose_dot_call(list<out_t<V>, in_t<X>, in_t<Y>, Product, Sum, T...>) {
    using identity = typename pick_type<0, T..., take_identity>::type;
    if constexpr (!is_function_object<Product>)
        return diagnose_passing<Product>();
    else if constexpr (!requires(const Product& of, const typename X::element& x, const typename Y::element& y) { of(x, y); })
        return call_fails<Product, -1>(list<X, Y>{}, arrival(static_cast<const each_of<in_t<X>>*>(nullptr)), arrival(static_cast<const each_of<in_t<Y>>*>(nullptr)));
    else
        return diagnose_reduce<over_t<X>, called_with_elements<Product>, Sum, identity, out_t<V>, each_of<in_t<X>>, each_of<in_t<Y>>>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_dot_call(list<A...>{}))>)
auto dot(A const&...) -> decltype(mistake_of<struct dot_node_call, A...>(diagnose_dot_call(list<A...>{})));
template <class... A>
auto dot(A const&...) -> mistake<arguments_are_not_those_of<dot_product, A...>, struct write_dot_out_s_in_x_in_y>;

}  // namespace cograph::core
