// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/binding_reasons.hpp>
#include <cograph/run/memory/memory.cuh>

#include <type_traits>

namespace cograph::core {

// Refused calls of use, and wrong places of it.

class pool;

// In place of a binding.
template <class T>
    requires(std::is_same_v<T, memory_choice> || std::is_same_v<T, pool>)
constexpr memory_of_temps_is_no_binding why_no_binding(word<T>) {
    return {};
}

template <class... A>
inline constexpr bool are_source_functions = false;
template <class A, class B>
inline constexpr bool are_source_functions<A, B> = std::is_convertible_v<A, void* (*)(std::size_t)> && std::is_convertible_v<B, void (*)(void*)>;
template <class... A>
    requires(!are_source_functions<A...> && !(std::is_convertible_v<A const&, const pool&> || ...))
auto use(A const&...) -> mistake<arguments_are_not_those_of<struct use_call, A...>, struct write_use_of_a_named_resource_or_pool_or_of_two_functions>;

}  // namespace cograph::core
