// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/plan/refused/selector.hpp>

namespace cograph::core {

// Whether a selector names a loop of E.
template <class S>
constexpr auto selects_no_loop(word<S>) {
    return selector_names_no_loop<S>{};
}
template <class E, class S>
constexpr auto diagnose_loop_selector() {
    if constexpr (is_text<S>)
        return text_of_a_label_is_no_const_char_pointer<S>{};
    else if constexpr (!is_fine<decltype(diagnose_selectors<E>(S{}))>)
        return diagnose_selectors<E>(S{});
    else if constexpr (!is_loop(plan_of<E>::view.nodes[select<E, S>().node].from->kind))
        return selects_no_loop(selector_word(S{}));
    else
        return fine{};
}
template <class Kernel>
constexpr auto counts_no_iterations(word<Kernel>) {
    return kernel_counts_no_iterations<Kernel>{};
}
// Whether it also counts its iterations.
template <class E, class S>
constexpr auto diagnose_counted_loop() {
    if constexpr (!is_fine<decltype(diagnose_loop_selector<E, S>())>) {
        return diagnose_loop_selector<E, S>();
    } else {
        constexpr const plan_node& loop = plan_of<E>::view.nodes[select<E, S>().node];
        if constexpr (loop.from->decided)
            return counts_no_iterations(name_of(node_at<loop.leaf + 1>(word<E>{})));
        else
            return fine{};
    }
}

}  // namespace cograph::core
