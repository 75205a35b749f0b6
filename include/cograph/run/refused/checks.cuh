// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/refused/without_cuda.hpp>
#include <cograph/plan/refused/run.hpp>
#include <cograph/run/memory/memory.cuh>

namespace cograph::core {

// Refused calls of check_finite, check_no_nan and check_captures.

template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto check_finite(cudaStream_t, E const&, B...) -> decltype(mistake_of<struct check_finite_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <class... A>
auto check_finite(any_stream, A const&...) -> mistake<arguments_are_not_those_of<struct check_finite_call, A...>, struct write_check_finite_stream_expression_bindings>;
template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto check_no_nan(cudaStream_t, E const&, B...) -> decltype(mistake_of<struct check_no_nan_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <class... A>
auto check_no_nan(any_stream, A const&...) -> mistake<arguments_are_not_those_of<struct check_no_nan_call, A...>, struct write_check_no_nan_stream_expression_bindings>;

template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto check_captures(cudaStream_t, E const&, B...) -> decltype(mistake_of<struct check_captures_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <class... A>
auto check_captures(any_stream, A const&...) -> mistake<arguments_are_not_those_of<struct check_captures_call, A...>, struct write_check_captures_stream_expression_bindings>;

}  // namespace cograph::core
