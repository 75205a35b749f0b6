// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/lists.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/refused/naming.hpp>

#include <utility>

namespace cograph::core {

// Whether a call that fails would do with [each] after some of its arrays.

template <class F, class... T>
inline constexpr bool takes_values = requires(const F& f) { f(std::declval<T>()...); };

// A value that arrives, with or without the right to write it: the mark is another mistake.
template <class T>
struct without_const {
    using type = T;
};
template <class T>
struct without_const<const T&> {
    using type = T&;
};
template <class T>
struct without_const<const T*> {
    using type = T*;
};
template <class T>
constexpr word<typename without_const<T>::type> writable_word(word<T>) {
    return {};
}

template <class A>
inline constexpr bool is_whole_array = false;
template <access_argument A>
inline constexpr bool is_whole_array<A> = in_memory<typename A::variable> && A::variable::kind != variable_kind::scalar && !A::describe.each && !A::describe.near;

// Sets of arrays are numbers: each array has a bit, and those after the fifth have one together.
inline constexpr int bits_of_arrays = 6;
template <class... A>
constexpr int bit_of_array(int argument) {
    constexpr bool are_arrays[] = {is_whole_array<A>..., false};
    int before = 0;
    for (int i = 0; i < argument; ++i) before += are_arrays[i];
    return !are_arrays[argument] ? 0 : 1 << (before < bits_of_arrays ? before : bits_of_arrays - 1);
}
template <class... A>
constexpr int set_of_all_arrays() {
    int all = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(A)); ++i) all |= bit_of_array<A...>(i);
    return all;
}

template <bool Each, class A>
constexpr auto writable_arrival(const A* a) {
    if constexpr (Each)
        return arrival_of<arrives_as::reference, false>(element_word(decltype(variable_of(a)){}));
    else
        return writable_word(decltype(arrival(a)){});
}
template <class F, class... T>
constexpr bool takes_words(word<T>...) {
    return takes_values<F, T...>;
}
template <class F, int Set, class... A, int... I, class... T>
constexpr bool takes_elements_of(list<A...>, std::integer_sequence<int, I...>, word<T>... leading) {
    return takes_words<F>(leading..., writable_arrival<(bit_of_array<A...>(I) & Set) != 0>(static_cast<const A*>(nullptr))...);
}
template <class F, class Numbers, int... Set, class... A, class... T>
constexpr int first_set_of_arrays(std::integer_sequence<int, Set...>, list<A...>, word<T>...) {
    int first = 0;
    ((first == 0 && takes_elements_of<F, Set + 1>(list<A...>{}, Numbers{}, word<T>{}...) ? void(first = Set + 1) : void()), ...);
    return first;
}
// The first set of arrays with whose elements F can be called, or 0.
template <class F, class... A, class... T>
constexpr int arrays_without_each(list<A...> arguments, word<T>... leading) {
    using sets = std::make_integer_sequence<int, set_of_all_arrays<A...>()>;
    return first_set_of_arrays<F, std::make_integer_sequence<int, sizeof...(A)>>(sets{}, arguments, leading...);
}

// The names of the arrays in a set.
template <bool Is, class A>
struct if_in_set {};
template <class... V, bool Is, class A>
constexpr auto operator+(list<V...> names, if_in_set<Is, A>) {
    if constexpr (Is)
        return names + decltype(variable_of(static_cast<const A*>(nullptr))){};
    else
        return names;
}
template <class F, class... V>
constexpr each_is_missing<F, V...> without_each(list<V...>) {
    return {};
}
template <class F, int Set, class... A, int... I>
constexpr auto diagnose_missing_each(list<A...>, std::integer_sequence<int, I...>) {
    return without_each<F>((list<>{} + ... + if_in_set<(bit_of_array<A...>(I) & Set) != 0, A>{}));
}

}  // namespace cograph::core
