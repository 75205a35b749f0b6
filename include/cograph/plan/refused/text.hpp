// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/naming.hpp>
#include <cograph/plan/refused/plan_reasons.hpp>

namespace cograph::core {

// Refused calls of write_dot and write_json.

template <class Out>
concept text_stream = !expression<Out> && requires(Out& out, const char* text) { out << text; };
template <class Given>
constexpr not_a_stream<Given> wrong_stream(word<Given>) {
    return {};
}

struct write_dot_call;
advises<struct write_write_dot_stream_expression> how_to_call(write_dot_call*);

template <class Out, expression E>
    requires(!text_stream<Out> && !expression<Out>)
auto write_dot(Out const& out, E const&) -> decltype(mistake_of<write_dot_call, Out, E>(wrong_stream(given_word(&out))));
template <class... A>
auto write_dot(A const&...) -> decltype(mistake_of<write_dot_call, A...>(wrong_arguments<write_dot_call, A...>()));

struct write_json_call;
advises<struct write_write_json_stream_expression> how_to_call(write_json_call*);

template <class Out, expression E>
    requires(!text_stream<Out> && !expression<Out>)
auto write_json(Out const& out, E const&) -> decltype(mistake_of<write_json_call, Out, E>(wrong_stream(given_word(&out))));
template <class... A>
auto write_json(A const&...) -> decltype(mistake_of<write_json_call, A...>(wrong_arguments<write_json_call, A...>()));

}  // namespace cograph::core
