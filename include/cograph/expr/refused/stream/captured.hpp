// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/function/calls.hpp>
#include <cograph/expr/refused/stream/host_arguments.hpp>
#include <cograph/expr/stream/capture_style.hpp>

namespace cograph::core {

// Refused calls of captured and cub_call.

// Why a style cannot call a function object.
template <class F, class... A>
constexpr auto explain_call(stream_first, list<A...> given) {
    return call_fails<F, stream_first::first>(given, word<stream_handle>{}, host_arrival_word<A>()...);
}
template <class F, class... A>
constexpr auto explain_call(stream_last, list<A...> given) {
    return call_fails<F, stream_last::first>(given, word<void*>{}, word<workspace_size>{}, host_arrival_word<A>()..., word<stream_handle>{});
}

// A view that a warm-up would write, whose memory is unknown.
template <class A>
inline constexpr bool is_written_view = false;
template <access_argument M>
inline constexpr bool is_written_view<M> = by_value<typename M::variable> && writes(M::describe.access);
template <class F, class V>
constexpr auto cannot_restore(word<V>) {
    return warm_up_cannot_restore<F, V>{};
}
template <class M>
constexpr auto accessed_variable(word<M>) {
    return decltype(variable_of(static_cast<const M*>(nullptr))){};
}

// The mistake in a captured call of arguments as nodes hold them.
template <class Style, bool WarmsUp, class F, class Host, class... A>
constexpr auto diagnose_capture(list<A...> all) {
    if constexpr (!Style::template takes<F, read_parameter_t<host_arrival_t<A>>...>)
        return explain_call<F>(Style{}, all);
    else if constexpr (first_lost_write<F, Style::first, A...> >= 0)
        return diagnose_lost_write<F, Style::first>(all);
    else if constexpr (!is_status<typename Style::template result<F, read_parameter_t<host_arrival_t<A>>...>>)
        return result_is_no_status<F, typename Style::template result<F, read_parameter_t<host_arrival_t<A>>...>>{};
    else if constexpr (WarmsUp && (is_written_view<A> || ...))
        return cannot_restore<F>(accessed_variable(word_at<first_true<is_written_view<A>...>()>(all)));
    else if constexpr (std::is_same_v<Host, no_host_implementation_t>)
        return fine{};
    else if constexpr (!host_callable<Host, read_parameter_t<host_arrival_t<A>>...>)
        return call_fails<Host, 0>(all, host_arrival_word<A>()...);
    else if constexpr (first_lost_write<Host, 0, A...> >= 0)
        return diagnose_lost_write<Host, 0>(all);
    else if constexpr (!is_status<host_result<Host, read_parameter_t<host_arrival_t<A>>...>>)
        return result_is_no_status<Host, host_result<Host, read_parameter_t<host_arrival_t<A>>...>>{};
    else
        return fine{};
}
template <class Style, class Options, class F, class Host, class... A>
struct captured_call;
template <class Style, capture_mode Mode, bool WarmsUp, class F, class Host, class... A>
struct captured_call<Style, capture_options<Mode, WarmsUp>, F, Host, A...> {
    static constexpr auto diagnose() {
        if constexpr (!is_fine<decltype(diagnose_host_arguments<F, A...>())>)
            return diagnose_host_arguments<F, A...>();
        else if constexpr (sizeof...(A) > most_arguments)
            return too_many_parameters<F, takes_parameters<sizeof...(A)>, limit_is<most_arguments>>{};
        else
            return diagnose_capture<Style, WarmsUp, F, Host>(list<as_argument_t<A>...>{});
    }
};

template <class Style, class Options, class F, class Host>
struct captured_t;
template <class Style, class Options, class F, class Host>
constexpr arguments_are_missing<F> why_no_expression(const captured_t<Style, Options, F, Host>*) {
    return {};
}

template <class... A>
auto captured(A const&...) -> mistake<arguments_are_not_those_of<struct captured_call_of, A...>, struct write_captured_function_and_then_the_arguments>;

template <class... A>
auto cub_call(A const&...) -> mistake<arguments_are_not_those_of<struct cub_call_of, A...>, struct write_cub_call_function_and_then_the_arguments>;

}  // namespace cograph::core
