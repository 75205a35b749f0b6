// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/transform_reduce.hpp>
#include <cograph/expr/refused/algorithm/reduce.hpp>

namespace cograph::core {

struct reduce_elements : reduce_stage {
    static constexpr lazy_name name{"reduce"};
};

// out = op over the elements of x.
template <class V, class W, class Op = plus, class T = take_identity>
    requires is_fine<decltype(diagnose_reduce_call(list<out_t<V>, in_t<W>, Op, T>{}))>
constexpr auto reduce(out_t<V> result, in_t<W>, Op op = {}, T identity = {}, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE()) {
    return reduce_builder<reduce_elements, over_t<W>, element_at, Op, T>{{nullptr, file, line, {}}, {}, op, identity}(result, each_of<in_t<W>>{});
}

}  // namespace cograph::core
