// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/refused/callable/call_reasons.hpp>

#include <span>
#include <type_traits>
#include <utility>

namespace cograph::core {

// Refused calls of output, and the names of a stream function's arguments in sentences.

template <class T>
std::true_type is_any_span(const std::span<T>&);
std::false_type is_any_span(...);
template <class... A>
    requires(sizeof...(A) != 1 || !(decltype(is_any_span(std::declval<const A&>()))::value && ...))
auto output(A const&...) -> mistake<arguments_are_not_those_of<struct output_call, A...>, struct write_output_of_a_std_span>;

template <int I, class T>
struct positional_buffer;
template <int I, class T>
struct positional_value;
template <int I, class T>
word<argument_number<I + 2>> name_of_argument(word<positional_buffer<I, T>>);
template <int I, class T>
word<argument_number<I + 2>> name_of_argument(word<positional_value<I, T>>);

}  // namespace cograph::core
