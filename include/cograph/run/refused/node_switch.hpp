// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/plan/refused/selector.hpp>

#include <type_traits>

namespace cograph::core {

// Which nodes cannot be left out of launches.

// Whether a node can be left out of launches: CUDA can leave out kernels and copies.
constexpr bool is_switched(const node_spec& node) {
    return node.kind == spec_kind::work && node.traits->can_be_disabled;
}

template <class E, class S>
constexpr bool can_switch() {
    return is_switched(*plan_of<E>::view.nodes[select<E, S>().node].from);
}
template <class Node>
constexpr auto cannot_switch(word<Node>) {
    return cannot_be_left_out<Node>{};
}
template <class E, class S>
constexpr auto diagnose_switch() {
    if constexpr (is_text<S>)
        return text_of_a_label_is_no_const_char_pointer<S>{};
    else if constexpr (!selectable<E, S>)
        return diagnose_selectors<E>(S{});
    else if constexpr (!can_switch<E, S>())
        return cannot_switch(name_of(node_at<plan_of<E>::view.nodes[select<E, S>().node].leaf>(word<E>{})));
    else
        return fine{};
}
template <class S>
concept no_label = !std::is_convertible_v<S, const char*>;
template <class S, class E>
concept switchable_in = no_label<S> && is_fine<decltype(diagnose_switch<E, S>())>;

}  // namespace cograph::core
