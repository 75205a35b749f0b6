// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/plan/refused/plan_reasons.hpp>

struct CUstream_st;  // the target of a cudaStream_t

namespace cograph::core {

// instantiate and run_on come with cograph.cuh. If only cograph.hpp is included, or their argument is no expression,
// these are found instead.
struct for_instantiate {};
struct for_run_on {};

template <class Call, class E>
constexpr auto diagnose_without_cuda() {
    if constexpr (expression<E>)
        return cuda_is_missing<Call>{};
    else
        return decltype(why_no_expression(static_cast<const E*>(nullptr))){};
}

template <class E, class... B>
auto instantiate(E const&, B...) -> decltype(mistake_of<struct instantiate_call, word<E>, B...>(diagnose_without_cuda<for_instantiate, E>()));
template <class... A>
auto instantiate(A const&...) -> mistake<arguments_are_not_those_of<for_instantiate, A...>, struct write_instantiate_expression_bindings>;

// Takes an argument in place of a stream, by a conversion that ranks below a stream's own. Types that convert to a
// stream are left to that.
struct any_stream {
    template <class Stream>
        requires(!std::is_class_v<Stream> || !std::is_convertible_v<Stream const&, CUstream_st*>)
    any_stream(Stream const&) {}
};
template <class E, class... B>
auto run_on(any_stream, E const&, B...) -> decltype(mistake_of<struct run_on_call, word<E>, B...>(diagnose_without_cuda<for_run_on, E>()));
template <expression E, class... A>
auto run_on(E const&, A const&...) -> decltype(mistake_of<struct run_on_call, list<E>, A...>(stream_is_missing<for_run_on>{}));
template <class... A>
auto run_on(any_stream, A const&...) -> mistake<arguments_are_not_those_of<for_run_on, A...>, struct write_run_on_stream_expression_bindings>;

}  // namespace cograph::core
