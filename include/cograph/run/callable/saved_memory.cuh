// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/callable/call.cuh>

#include <tuple>
#include <type_traits>

namespace cograph::core {

// The shared memory of a pair of calls.

// Those of some bindings whose variables E uses.
template <class E, class... B>
auto used_by(const B&... bindings) {
    const auto one = []<class Binding>(const Binding& b) {
        if constexpr (knows_variable<E, typename Binding::tag>)
            return std::tuple<Binding>(b);
        else
            return std::tuple<>();
    };
    return std::tuple_cat(one(bindings)...);
}

// Memory that a forward graph leaves for its backward graph: saved(h, count) in place of a binding of h.
template <class Tag, class T>
struct saved_binding {
    using tag = Tag;
    using element = T;
    std::size_t count;
};
template <variable V>
    requires(V::kind == variable_kind::buffer)
saved_binding<V, typename V::element> saved(V, std::size_t count) {
    return {count};
}

template <class B, class... M>
inline constexpr bool is_saved_argument = false;
template <class Tag, class T, class... M>
inline constexpr bool is_saved_argument<saved_binding<Tag, T>, M...> = (std::is_same_v<typename M::tag, Tag> || ...);

template <class B>
B placed(const B& b, static_memory&) {
    return b;
}
template <class Tag, class T>
range_binding<Tag, T> placed(const saved_binding<Tag, T>& b, static_memory& memory) {
    return {{memory.place_of(info_of<Tag>, {nullptr, bytes_of(info_of<Tag>, b.count)}, false), b.count}};
}

// The outputs of the backward call do not overlap a forward input's sample argument, aliased or not.
template <class... M, class B>
void give_own_place(const B&, static_memory&) {}
template <class... M, class Tag, class T>
    requires((std::is_same_v<typename M::tag, Tag> && writes(M::describe.access)) || ...)
void give_own_place(const range_binding<Tag, T>& b, static_memory& memory) {
    const given_memory example = {const_cast<void*>(b.pointer), bytes_of(info_of<Tag>, b.count)};
    memory.place_of(info_of<Tag>, example, false);
}

}  // namespace cograph::core
