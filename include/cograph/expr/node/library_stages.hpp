// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// The stages of the library's own nodes.

struct reduce_elements : reduce_stage {
    static constexpr lazy_name name{"reduce"};
};
struct dot_product : reduce_stage {
    static constexpr lazy_name name{"dot"};
    static constexpr node_traits traits = reduce_stage::traits.with_equal_extents();
};
// Next to no work for an element: of their own kernels a thread takes a few, stride apart, and reads all before it writes. On an
// H200, fill over 64 million doubles takes 118 us so, and 161 with a thread for each element; copy 255 and 282.
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
struct fill_elements : for_each_stage {
    static constexpr lazy_name name{"fill"};
    using threads = few_elements_a_thread;
    template <int... K, class... P>
    COGRAPH_HD static void at_few(std::integer_sequence<int, K...>, index_t i, index_t stride, P const&... p) {
        (at(i + K * stride, p...), ...);
    }
};
struct assign_formula : single_task_stage {
    static constexpr lazy_name name{"assign"};
    static constexpr node_traits traits = single_task_stage::traits.brief();
};

}  // namespace cograph::core
