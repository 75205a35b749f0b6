// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/refused/check.hpp>
#include <cograph/host/refused/without_cuda.hpp>
#include <cograph/run/memory/memory.cuh>

namespace cograph::core {

// Refused calls of check_on.

template <class E, class Bindings>
inline constexpr bool can_check_on = false;
template <class E, class... B>
inline constexpr bool can_check_on<E, list<B...>> = can_run<E, B...>;
template <class E, class... B>
constexpr auto diagnose_check_on(list<B...>) {
    return diagnose_run<E, B...>();
}

template <expression E, class... T>
    requires(!can_check_on<typename E::self, bindings_among<T...>>)
auto check_on(cudaStream_t, E const&, T...) -> decltype(mistake_of<struct check_on_call, E, T...>(diagnose_check_on<typename E::self>(bindings_among<T...>{})));
template <class... A>
auto check_on(any_stream, A const&...) -> mistake<arguments_are_not_those_of<struct check_on_call, A...>, struct write_check_on_stream_expression_bindings>;

}  // namespace cograph::core
