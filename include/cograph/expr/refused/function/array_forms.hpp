// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/lists.hpp>
#include <cograph/expr/reasons/box_reasons.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/refused/naming.hpp>
#include <cograph/expr/variable/narrow_extent.hpp>

#include <type_traits>
#include <utility>

namespace cograph {
template <class T, int... Radius>
class neighbours;
}

namespace cograph::core {

// Whether a call that fails would do with some of its arrays in another form: x, x[each] or x[near<...>].

template <class F, class... T>
inline constexpr bool takes_values = requires(const F& f) { f(std::declval<T>()...); };
template <class F, class... T>
constexpr bool takes_words(word<T>...) {
    return takes_values<F, T...>;
}

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
inline constexpr bool is_array_argument = false;
template <access_argument A>
inline constexpr bool is_array_argument<A> = in_memory<typename A::variable> && A::variable::kind != variable_kind::scalar;
template <class A>
constexpr auto word_of_array() {
    return decltype(variable_of(static_cast<const A*>(nullptr))){};
}

// The radius of x[near<...>] for a parameter that is elements around one of an array; else nothing.
template <class V, class P>
constexpr word<void> radius_for(word<V>, word<P>) {
    return {};
}
template <class V, class T, int... Radius>
    requires std::is_same_v<T, typename V::element>
constexpr word<near_t<Radius...>> radius_for(word<V>, word<neighbours<T, Radius...>>) {
    return {};
}
template <int Position, class A, class... P>
constexpr auto radius_at(list<P...>) {
    if constexpr (is_array_argument<A> && Position < static_cast<int>(sizeof...(P)))
        return radius_for(word_of_array<A>(), decltype(word_at<Position>(list<std::remove_cvref_t<P>...>{})){});
    else
        return word<void>{};
}
// That of argument A of F.
template <class F, int Position, class A>
using radius_word = decltype(radius_at<Position, A>(known_parameters<F>()));

// How an argument arrives with its variable in another form.
template <class T, int... Radius>
constexpr word<neighbours<T, Radius...>> near_arrival(word<T>, word<near_t<Radius...>>) {
    return {};
}
template <class F, int Position, bool Other, class A>
constexpr auto other_arrival(const A* a) {
    constexpr arrives_as other = A::describe.each ? arrives_as::pointer : arrives_as::reference;
    if constexpr (!std::is_same_v<radius_word<F, Position, A>, word<void>>)
        return near_arrival(element_word(word_of_array<A>()), radius_word<F, Position, A>{});
    else if constexpr (Other)
        return arrival_of<other, false>(element_word(word_of_array<A>()));
    else
        return writable_word(decltype(arrival(a)){});
}
template <class F, int Position, class A>
inline constexpr bool lacks_near = !std::is_same_v<radius_word<F, Position, A>, word<void>> &&
                                   !std::is_same_v<decltype(other_arrival<F, Position, false>(static_cast<const A*>(nullptr))), decltype(arrival(static_cast<const A*>(nullptr)))>;

// Sets of arrays are numbers: each array has a bit, and those after the fifth have one together.
inline constexpr int bits_of_arrays = 6;
template <class... A>
constexpr int bit_of_array(int argument) {
    constexpr bool are_arrays[] = {is_array_argument<A>..., false};
    int before = 0;
    for (int i = 0; i < argument; ++i) before += are_arrays[i];
    return !are_arrays[argument] ? 0 : 1 << (before < bits_of_arrays ? before : bits_of_arrays - 1);
}
template <class... A>
constexpr int count_of_sets() {
    int all = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(A)); ++i) all |= bit_of_array<A...>(i);
    return all + 1;
}

// A call of F with leading values before its arguments.
template <class F, class Leading, class Numbers, class... A>
struct call_in_other_forms;
template <class F, class... Leading, int... I, class... A>
struct call_in_other_forms<F, list<Leading...>, std::integer_sequence<int, I...>, A...> {
    static constexpr int lead = sizeof...(Leading);
    static constexpr int without_near = first_true<lacks_near<F, lead + I, A>...>();
    static constexpr bool lacks_any_near = without_near < static_cast<int>(sizeof...(A));

    // Whether F can be called with another form of the arrays in a set.
    template <int Set>
    static constexpr bool takes() {
        return takes_words<F>(word<Leading>{}..., other_arrival<F, lead + I, (bit_of_array<A...>(I) & Set) != 0>(static_cast<const A*>(nullptr))...);
    }
    // The first such set, or -1.
    template <int... Set>
    static constexpr int first_of(std::integer_sequence<int, Set...>) {
        int first = -1;
        ((first < 0 && (Set > 0 || lacks_any_near) && takes<Set>() ? void(first = Set) : void()), ...);
        return first;
    }
    static constexpr int set = first_of(std::make_integer_sequence<int, count_of_sets<A...>()>{});
    static constexpr bool has_form = set >= 0;
};

// The names of some arguments' variables.
template <bool Is, class A>
struct if_named {};
template <class... V, bool Is, class A>
constexpr auto operator+(list<V...> names, if_named<Is, A>) {
    if constexpr (Is)
        return names + word_of_array<A>();
    else
        return names;
}
template <class F, class... V>
constexpr each_is_missing<F, V...> without_each(list<V...>) {
    return {};
}
template <class F, class... V>
constexpr function_takes_all_elements<F, V...> with_each(list<V...>) {
    return {};
}
template <class F, class V, class Near>
constexpr function_takes_neighbours<F, V, Near> neighbours_of(word<V>, word<Near>) {
    return {};
}
template <class F, int Position, class A>
constexpr auto without_near(word<A>) {
    return neighbours_of<F>(word_of_array<A>(), radius_word<F, Position, A>{});
}

// The mistake of a call that would do in other forms.
template <class F, class Leading, class... A, int... I>
constexpr auto diagnose_forms(list<A...> arguments, std::integer_sequence<int, I...>) {
    using call = call_in_other_forms<F, Leading, std::integer_sequence<int, I...>, A...>;
    if constexpr (call::lacks_any_near)
        return without_near<F, call::lead + call::without_near>(word_at<call::without_near>(arguments));
    else if constexpr ((((bit_of_array<A...>(I) & call::set) != 0 && !A::describe.each) || ...))
        return without_each<F>((list<>{} + ... + if_named<(bit_of_array<A...>(I) & call::set) != 0 && !A::describe.each, A>{}));
    else
        return with_each<F>((list<>{} + ... + if_named<(bit_of_array<A...>(I) & call::set) != 0, A>{}));
}

}  // namespace cograph::core
