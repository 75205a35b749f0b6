// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/lists.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/persistent/barriers.hpp>
#include <cograph/plan/persistent/exchanged_variables.hpp>
#include <cograph/plan/persistent/loop/parameters.hpp>
#include <cograph/plan/persistent/loop/results.hpp>
#include <cograph/plan/persistent/register_copies.hpp>
#include <cograph/plan/phases/phases.hpp>
#include <cograph/plan/phases/rolled_nodes.hpp>

#include <utility>

namespace cograph::core {

// The parameter types of all nodes below E, in order.
template <class E>
struct parameters_of {
    template <class... A, class... Child>
    static constexpr auto join(list<A...>, list<Child...>) {
        return (list<std::type_identity<typename A::parameter>...>{} + ... + decltype(parameters_of<Child>::find()){});
    }
    static constexpr auto find() {
        if constexpr (requires { typename E::arguments; })
            return join(typename E::arguments{}, typename E::children{});
        else
            return join(list<>{}, typename E::children{});
    }
};
template <class P>
P type_in(word<P>);
template <class P>
inline constexpr char parameter_id = 0;
template <class... P>
struct parameter_ids {
    const void* of[sizeof...(P) + 1] = {&parameter_id<plain<P>>..., nullptr};
};
template <class... P>
constexpr parameter_ids<P...> ids_of(list<std::type_identity<P>...>) {
    return {};
}

// The barriers of E, a loop, as one kernel.
template <class E>
struct persistent_plan {
    static constexpr int parameters = count_parameters(E::tree);
    static constexpr int leaves = E::leaves;

    static constexpr auto find_barriers() {
        barrier_pass<2 * parameters, leaves> pass{};
        pass.pass(E::tree, 0);
        return pass;
    }
    static constexpr auto barriers = find_barriers();
    // Those of its program, which has phases.
    static constexpr leaf_barriers<leaves> find_phases() {
        leaf_barriers<leaves> found = phase_search<leaves>(barriers, E::tree).found;
        rolled_search().find(E::tree, found.rolled);
        return found;
    }
    static constexpr leaf_barriers<leaves> with_phases = find_phases();

    struct flat {
        argument arguments[parameters + 1]{};
        lowered_argument lowered[parameters + 1]{};
        int slot[parameters + 1]{};   // by parameter
        int place[parameters + 1]{};  // by argument
        int first[parameters + 1]{};  // by parameter, the argument that it is
        int source[parameters + 1]{};
        bool stored[parameters + 1]{};
        int scalars = 0, count = 0;
        bool small_blocks = false, needs_no_barrier = false;
        kept_elements kept;
    };
    // The kernel's own memory comes first: the place for its threads to meet, then of each reduction of a group the chunks' results,
    // twice; large results after all others that there could be.
    static constexpr unsigned result_bytes = 2 * reduce_layout::most_chunks * small_result_bytes;
    static constexpr unsigned all_result_bytes = has_large_results(E::tree)
                                                     ? most_joined_reductions * result_bytes + 2 * reduce_layout::most_chunks * persistent_result_bytes
                                                     : static_cast<unsigned>(barriers.most_reductions) * result_bytes;
    static constexpr flat flatten() {
        flat all{};
        all.arguments[0] = {argument_form::scratch, access_mode::none, nullptr, persistent_meeting_bytes + all_result_bytes};
        argument* to = all.arguments + 1;
        lowered_argument* of = all.lowered + 1;
        int leaf = 0;
        flatten_parameters(E::tree, to, of, leaf);
        const variable_info* known[parameters + 1]{};
        int copies = 0, slot_of[parameters + 1]{};  // of variables that are not kept
        if (E::tree.grid == 0 && E::tree.block == 0 && !has_rolled_nodes(E::tree)) all.kept = kept_elements(all.arguments + 1, all.lowered + 1, parameters);
        all.kept.in_box_order = has_box_order(E::tree);
        copies = all.kept.variable_count;
        const exchanged_variables<parameters> exchanged(all.arguments + 1, all.lowered + 1);
        for (int i = 0; i < parameters; ++i) {
            const argument& a = all.arguments[i + 1];
            slot_of[i] = exchanged.number_of(a, all.lowered[i + 1], all.arguments + i + 1);
            if (slot_of[i] != nothing_copied) continue;
            if (a.form != argument_form::pointer) continue;
            if (a.variable->kind != variable_kind::scalar) {
                if (!is_own_element(a, all.lowered[i + 1]) || !fits_register_copies(a.variable, all.arguments + 1, all.lowered + 1, parameters)) continue;
                int same = 0;
                while (!(all.arguments[same + 1].variable == a.variable && is_own_element(all.arguments[same + 1], all.lowered[same + 1]))) ++same;
                slot_of[i] = same < i ? slot_of[same] : number_of_copy(all.kept.has(a.variable) ? all.kept.number(a.variable) : copies++, needs_filling(a.variable, E::tree), all.kept.has(a.variable));
                continue;
            }
            int s = 0;
            while (s < all.scalars && known[s] != a.variable) ++s;
            if (s == all.scalars) {
                known[s] = a.variable;
                all.source[all.scalars++] = i;
            }
            slot_of[i] = s;
            all.stored[s] = all.stored[s] || writes(a.access);
        }
        all.small_blocks = fills_large_blocks(E::tree, all.arguments + 1, all.lowered + 1, parameters);
        place_parameters(all, slot_of);
        for (int s = 0; s < all.scalars; ++s) all.source[s] = all.place[all.source[s]];
        all.needs_no_barrier = can_do_without_barriers(all);
        if (all.needs_no_barrier) all.arguments[0].size = sent_results_at + sent_results_bytes;
        return all;
    }
    // A place in the kernel's own memory, for results that blocks send.
    static constexpr unsigned sent_results_at = (persistent_meeting_bytes + all_result_bytes + 127) / 128 * 128;
    static constexpr unsigned sent_results_bytes = static_cast<unsigned>(barriers.most_reductions) * sent_result_bytes;
    // Whether it has reductions, and no thread reads an element that another one writes: nodes write no memory but elements that threads keep, and threads have
    // their only element alone. Then blocks need no barrier: they send results to each other.
    static constexpr bool can_do_without_barriers(const flat& all) {
        bool can = barriers.most_reductions > 0 && barriers.most_reductions <= most_sent_results && !has_large_results(E::tree, 8);
        can = can && E::tree.grid == 0 && E::tree.block == 0 && !all.small_blocks && !has_rolled_nodes(E::tree) && !sees_neighbours(E::tree) && threads_of_few(E::tree, false) == 0;
        for (int i = 0; i < parameters; ++i) {
            const argument& a = all.arguments[i + 1];
            const lowered_argument& of = all.lowered[i + 1];
            can = can && !of.traits->exchanges && of.traits->threads_of_group == 0 && (!is_hidden_memory(a.form) || of.traits->reduces) &&
                  (!writes_memory(a) || (is_own_element(a, of) && all.kept.has(a.variable)));
        }
        return can;
    }
    // Arguments that are one parameter stand at the place of the first of them.
    static constexpr void place_parameters(flat& all, const int* slot_of) {
        const auto types = ids_of(decltype(parameters_of<E>::find()){});
        for (int i = 0; i < parameters; ++i) {
            int k = sees_neighbours(E::tree) ? all.count : 0;
            while (k < all.count && !(are_one_parameter(all.arguments[all.first[k] + 1], all.arguments[i + 1]) && types.of[all.first[k]] == types.of[i] &&
                                      slot_of[all.first[k]] == slot_of[i]))
                ++k;
            all.place[i] = k;
            all.lowered[i + 1].again = k < all.count;
            if (k < all.count) continue;
            all.slot[k] = slot_of[i];
            all.first[k] = i;
            ++all.count;
        }
    }
    static constexpr flat parts = flatten();
    static_assert(parts.count < most_parameters);

    // The numbers of a kernel's type. Not in one object with the rest, which nvcc would copy for each of them.
    struct numbers {
        int of[parameters + 1]{};
        constexpr explicit numbers(const int (&from)[parameters + 1]) {
            for (int i = 0; i < parameters; ++i) of[i] = from[i];
        }
    };
    static constexpr numbers slot{parts.slot}, place{parts.place}, first{parts.first}, source{parts.source};
};

}  // namespace cograph::core
