// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/text.hpp>

namespace cograph::core {

// Refused calls of write_html.

struct write_html_call;
advises<struct write_write_html_stream_expression> how_to_call(write_html_call*);

template <class Out, expression E, class... Times>
    requires(!text_stream<Out> && !expression<Out>)
auto write_html(Out const& out, E const&, Times const&...) -> decltype(mistake_of<write_html_call, Out, E>(wrong_stream(given_word(&out))));
template <class... A>
auto write_html(A const&...) -> decltype(mistake_of<write_html_call, A...>(wrong_arguments<write_html_call, A...>()));

}  // namespace cograph::core
