// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/copy.hpp>
#include <cograph/expr/stream/box.hpp>

namespace cograph::core {

// Refused calls of copies of host memory and of boxes.

template <class V>
concept holds_memory = in_memory<V> || in_host_memory<V>;

template <holds_memory X, holds_memory Y>
    requires(in_host_memory<X> || in_host_memory<Y>)
constexpr auto diagnose_copy_call(list<in_t<X>, out_t<Y>>) {
    return diagnose_copied<X, Y>();
}
template <holds_memory X, holds_memory Y, class B>
    requires is_box<B>
constexpr auto diagnose_copy_call(list<in_t<X>, out_t<Y>, B>) {
    return diagnose_copied<X, Y>();
}
template <holds_memory X, holds_memory Y, class B>
    requires is_box<B>
constexpr auto diagnose_copy_call(list<in_t<X>, inout_t<Y>, B>) {
    return diagnose_copied<X, Y>();
}

}  // namespace cograph::core
