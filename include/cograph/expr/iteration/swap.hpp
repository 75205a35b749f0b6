// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/iteration/swap.hpp>

#include <utility>

namespace cograph::core {

// Exchanges two buffers. A separate kernel exchanges their elements, a few in each thread. In a persistent kernel all
// threads use the other address from then on, and exchange elements when the kernel ends, if anything is not in its
// place by then.
struct swap_elements : for_each_stage {
    static constexpr lazy_name name{"swap"};
    static constexpr node_traits traits = for_each_stage::traits.with_equal_extents().that_exchanges();
    using threads = few_elements_a_thread;
    template <int... K, class N, class F, class X, class Y>
    COGRAPH_HD static void at_few(std::integer_sequence<int, K...>, index_t i, index_t stride, N const&, F const&, X const& x, Y const& y) {
        using T = std::remove_cvref_t<decltype(at_element(x, i))>;
        const T of_x[] = {at_element(x, i + K * stride)...}, of_y[] = {at_element(y, i + K * stride)...};
        ((at_element(x, i + K * stride) = of_y[K], at_element(y, i + K * stride) = of_x[K]), ...);
    }
};

// swap(x, y): exchanges the contents of x and y, which are of one type and length.
template <in_memory X, in_memory Y>
    requires is_fine<decltype(diagnose_swap<X, Y>())>
constexpr auto swap(X, Y, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return element_stage<swap_elements, swap_element, over_t<X>, swap_element>{{nullptr, file, line, {}}, {}}(each_of<inout_t<X>>{}, each_of<inout_t<Y>>{});
}

}  // namespace cograph::core
