// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/function/calls.hpp>
#include <cograph/expr/refused/stream/host_arguments.hpp>

namespace cograph::core {

// Refused calls of host work.

template <class F, class... A>
constexpr auto diagnose_host_call(list<A...> all) {
    if constexpr (!host_callable<F, read_parameter_t<host_arrival_t<A>>...>)
        return call_fails<F, 0>(all, host_arrival_word<A>()...);
    else if constexpr (first_lost_write<F, 0, A...> >= 0)
        return diagnose_lost_write<F, 0>(all);
    else if constexpr (!std::is_void_v<host_result<F, read_parameter_t<host_arrival_t<A>>...>>)
        return host_work_returns_something<F, host_result<F, read_parameter_t<host_arrival_t<A>>...>>{};
    else
        return fine{};
}
template <class F, class... A>
constexpr auto diagnose_host_work() {
    if constexpr (!is_fine<decltype(diagnose_host_arguments<F, A...>())>)
        return diagnose_host_arguments<F, A...>();
    else if constexpr (sizeof...(A) > most_arguments)
        return too_many_parameters<F, takes_parameters<sizeof...(A)>, limit_is<most_arguments>>{};
    else
        return diagnose_host_call<F>(list<as_argument_t<A>...>{});
}

template <class F>
struct host_work_t;
template <class F>
constexpr arguments_are_missing<F> why_no_expression(const host_work_t<F>*) {
    return {};
}

template <class... A>
auto host(A const&...) -> mistake<arguments_are_not_those_of<struct host_call, A...>, struct write_host_function_and_then_the_arguments>;

}  // namespace cograph::core
