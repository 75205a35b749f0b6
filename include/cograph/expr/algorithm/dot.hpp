// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/transform_reduce.hpp>
#include <cograph/expr/refused/algorithm/dot.hpp>

namespace cograph::core {

struct dot_product : reduce_stage {
    static constexpr lazy_name name{"dot"};
    static constexpr node_traits traits = reduce_stage::traits.with_equal_extents();
};

// out = the sum of x[i] * y[i]; x and y must be of one length.
template <class V, class X, class Y>
    requires is_fine<decltype(diagnose_dot_call(list<out_t<V>, in_t<X>, in_t<Y>>{}))>
constexpr auto dot(out_t<V> result, in_t<X>, in_t<Y>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return reduce_builder<dot_product, over_t<X>, product_at<typename V::element>, plus, take_identity>{{nullptr, file, line, {}}, {}, {}, {}}(
        result, each_of<in_t<X>>{}, each_of<in_t<Y>>{});
}

// out = sum over product(x[i], y[i]), for elements of any types: dot(out(s), in(x), in(y), multiply{}, add{}). A sum without an identity of its
// own needs one.
template <class V, class X, class Y, class Product, class Sum, class T = take_identity>
    requires is_fine<decltype(diagnose_dot_call(list<out_t<V>, in_t<X>, in_t<Y>, Product, Sum, T>{}))>
constexpr auto dot(out_t<V> result, in_t<X>, in_t<Y>, Product product, Sum sum, T identity = {}, const char* file = __builtin_FILE(),
                   unsigned line = __builtin_LINE()) {
    return reduce_builder<dot_product, over_t<X>, called_with_elements<Product>, Sum, T>{
        {nullptr, file, line, {}}, {as_operand<0>(product)}, sum, identity}(result, each_of<in_t<X>>{}, each_of<in_t<Y>>{});
}

}  // namespace cograph::core
