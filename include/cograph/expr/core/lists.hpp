// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

#include <utility>

namespace cograph::core {

// Positions in lists.

template <std::size_t I, class T>
struct pack_entry {};
template <class Indices, class... T>
struct pack_entries;
template <std::size_t... I, class... T>
struct pack_entries<std::index_sequence<I...>, T...> : pack_entry<I, T>... {};
template <std::size_t I, class T>
constexpr word<T> find_entry(const pack_entry<I, T>*) {
    return {};
}

// A list with one more type.
template <class... A, class B>
constexpr list<A..., B> operator+(list<A...>, word<B>) {
    return {};
}

// The type at position I of a list.
template <std::size_t I, class... T>
constexpr auto word_at(list<T...>) {
    return find_entry<I>(static_cast<const pack_entries<std::index_sequence_for<T...>, T...>*>(nullptr));
}

// The position of the first that holds, or how many there are.
template <bool... Holds>
constexpr int first_true() {
    constexpr bool all[] = {Holds..., true};
    int i = 0;
    while (!all[i]) ++i;
    return i;
}

constexpr int sum_of(const int* counts, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += counts[i];
    return sum;
}

// Which child holds a leaf.
constexpr int child_with(int leaf, const int* leaves) {
    int child = 0;
    while (leaf >= leaves[child]) leaf -= leaves[child++];
    return child;
}

}  // namespace cograph::core
