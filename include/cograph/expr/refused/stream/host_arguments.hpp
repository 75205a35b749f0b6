// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/host_code_reasons.hpp>
#include <cograph/expr/refused/node/kernel_arguments.hpp>
#include <cograph/expr/stream/host_arguments.hpp>

namespace cograph::core {

// Why host code cannot be given an argument.

template <class F, class A>
constexpr auto host_argument_reason(word<A>) {
    if constexpr (host_argument_fault<A> == host_fault::no_access_mode)
        return access_is_not_declared<F, A>{};
    else
        return host_code_takes_all_elements<F, A>{};
}
template <class F, class... A>
constexpr auto diagnose_host_arguments() {
    constexpr int at = first_true<(host_argument_fault<A> != host_fault::none)...>();
    if constexpr (at < static_cast<int>(sizeof...(A)))
        return host_argument_reason<F>(word_at<at>(list<A...>{}));
    else
        return fine{};
}

// How arguments as nodes hold them are spoken of.
template <class A>
constexpr auto host_arrival_word() {
    return kernel_arrival(static_cast<const A*>(nullptr));
}

}  // namespace cograph::core
