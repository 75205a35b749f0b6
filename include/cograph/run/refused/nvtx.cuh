// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/refused/without_cuda.hpp>
#include <cograph/plan/refused/run.hpp>
#include <cograph/run/memory/memory.cuh>

namespace cograph::nvtx {

// Refused calls of run_on and instantiate here.

template <core::expression E, class... B>
    requires(!core::can_run<typename E::self, B...>)
auto run_on(cudaStream_t, E const&, B...) -> decltype(core::mistake_of<struct nvtx_run_on_call, E, B...>(core::diagnose_run<typename E::self, B...>()));
// The messages of cograph.cuh's calls for other arguments.
template <class E, class... B>
auto run_on(core::any_stream, E const&, B...)
    -> decltype(core::mistake_of<struct nvtx_run_on_call, core::word<E>, B...>(core::diagnose_without_cuda<core::for_run_on, E>()));
template <core::expression E, class... A>
auto run_on(E const&, A const&...)
    -> decltype(core::mistake_of<struct nvtx_run_on_call, core::list<E>, A...>(reason::stream_is_missing<core::for_run_on>{}));
template <class... A>
auto run_on(core::any_stream, A const&...)
    -> mistake<reason::arguments_are_not_those_of<core::for_run_on, A...>, struct core::write_run_on_stream_expression_bindings>;

template <core::expression E, class... B>
    requires(!core::can_run<typename E::self, B...>)
auto instantiate(E const&, core::memory_choice, B...)
    -> decltype(core::mistake_of<struct nvtx_instantiate_call, E, B...>(core::diagnose_run<typename E::self, B...>()));
template <core::expression E, class... B>
    requires(!core::can_run<typename E::self, B...>)
auto instantiate(E const&, B...)
    -> decltype(core::mistake_of<struct nvtx_instantiate_call, E, B...>(core::diagnose_run<typename E::self, B...>()));
template <class E, class... B>
auto instantiate(E const&, B...)
    -> decltype(core::mistake_of<struct nvtx_instantiate_call, core::word<E>, B...>(core::diagnose_without_cuda<core::for_instantiate, E>()));
template <class... A>
auto instantiate(A const&...)
    -> mistake<reason::arguments_are_not_those_of<core::for_instantiate, A...>, struct core::write_instantiate_expression_bindings>;

}  // namespace cograph::nvtx
