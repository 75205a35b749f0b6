// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_shape.hpp>
#include <cograph/expr/formula/host_value.hpp>
#include <cograph/expr/iteration/group_memory.hpp>
#include <cograph/expr/node/computed_count.hpp>

namespace cograph::core {

// The variables of an expression as a batch of problems has them, with their types.

// The arguments of all nodes below E, in the order of the parameters of its program.
template <class E>
struct arguments_below {
    template <class... A, class... Child>
    static constexpr auto join(list<A...> own, list<Child...>) {
        return (own + ... + decltype(arguments_below<Child>::find()){});
    }
    static constexpr auto find() {
        if constexpr (requires { typename E::arguments; })
            return join(typename E::arguments{}, typename E::children{});
        else
            return join(list<>{}, typename E::children{});
    }
};

// A variable, and those whose extents it takes.
template <class V>
constexpr auto with_sources(word<V>);
template <int Parts, class... V>
constexpr auto all_with_sources(const size_formula<Parts, V...>*) {
    return (list<>{} + ... + decltype(with_sources(word<V>{})){});
}
// The sides of a box that are variables.
template <index_t Size>
constexpr list<> with_sources(word<constant_side<Size>>) {
    return {};
}
constexpr list<> with_sources(word<patch_mark>) { return {}; }
template <class V>
constexpr list<> sides_behind(const V*) {
    return {};
}
template <class... Side>
constexpr auto sides_behind(const box_count<Side...>*) {
    return (list<>{} + ... + decltype(with_sources(word<Side>{})){});
}
template <class V>
constexpr auto with_sources(word<V>) {
    using like = typename V::like;
    if constexpr (std::is_void_v<like>)
        return list<V>{} + decltype(sides_behind(static_cast<const V*>(nullptr))){};
    else if constexpr (rule_of<like> != nullptr)
        return list<V>{} + decltype(all_with_sources(&like::size)){};
    else
        return list<V>{} + decltype(with_sources(word<like>{})){};
}

// The variables of an argument.
template <class P, class F, class... V>
constexpr auto variables_behind(const host_value<P, F, V...>*) {
    return (list<>{} + ... + decltype(with_sources(decltype(counted_by(static_cast<const V*>(nullptr))){})){});
}
template <class A>
constexpr auto variables_behind(const A*) {
    if constexpr (requires { typename A::variable; })
        return decltype(with_sources(word<typename A::variable::tag>{})){};
    else
        return list<>{};
}
template <int Size, class T, class N>
constexpr auto variables_behind(const group_memory_argument<Size, T, N>*) {
    return variables_behind(static_cast<const N*>(nullptr));
}

// Each type of a list once.
template <class... V>
struct once_each {
    struct positions {
        int at[sizeof...(V) + 1]{};
        int count = 0;
    };
    static constexpr positions find() {
        constexpr const variable_info* all[] = {&info_of<V>..., nullptr};
        positions found;
        for (int i = 0; i < static_cast<int>(sizeof...(V)); ++i) {
            int same = 0;
            while (all[same] != all[i]) ++same;
            if (same == i) found.at[found.count++] = i;
        }
        return found;
    }
    static constexpr positions first = find();
    template <int... I>
    static auto pick(std::integer_sequence<int, I...>) -> decltype((list<>{} + ... + word_at<first.at[I]>(list<V...>{})));
    using type = decltype(pick(std::make_integer_sequence<int, first.count>{}));
};
template <class... A>
constexpr auto variables_among(list<A...>) {
    return (list<>{} + ... + decltype(variables_behind(static_cast<const A*>(nullptr))){});
}
template <class... V>
typename once_each<V...>::type once(list<V...>);
template <class E>
using variables_below = decltype(once(variables_among(arguments_below<E>::find())));

}  // namespace cograph::core
