// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/algorithm/copy.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// Next to no work for an element: of their own kernels a thread takes a few, stride apart, and reads all before it writes. On an
// H200, copying 64 million doubles takes 255 us so, and 282 with a thread for each element.
struct copy_elements : for_each_stage {
    static constexpr lazy_name name{"copy"};
    static constexpr node_traits traits = for_each_stage::traits.with_equal_extents();
    using threads = few_elements_a_thread;
    template <int... K, class N, class F, class From, class To>
    COGRAPH_HD static void at_few(std::integer_sequence<int, K...>, index_t i, index_t stride, N const&, F const& f, From const& from, To const& to) {
        const std::remove_cvref_t<decltype(at_element(from, i))> read[] = {at_element(from, i + K * stride)...};
        (unwrap(f)(i + K * stride, read[K], at_element(to, i + K * stride)), ...);
    }
};

// copy(in(from), out(to)): to = from, element by element; both must be of one length.
template <in_memory X, in_memory Y>
    requires is_fine<decltype(diagnose_copy_call(list<in_t<X>, out_t<Y>>{}))>
constexpr auto copy(in_t<X>, out_t<Y>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return element_stage<copy_elements, copy_element, over_t<X>, copy_element>{{nullptr, file, line, {}}, {}}(
        each_of<in_t<X>>{}, each_of<out_t<Y>>{});
}

}  // namespace cograph::core
