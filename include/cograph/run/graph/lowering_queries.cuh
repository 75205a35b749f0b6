// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/kernel_queries.hpp>
#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/lowering/tile_queries.hpp>
#include <cograph/run/cuda/device_scope.cuh>
#include <cograph/run/graph/executable.cuh>
#include <cograph/run/launch/persistent_shape.cuh>
#include <cograph/run/refused/lowering_queries.hpp>

namespace cograph::core {

// The same questions as of an expression, with the extents of instantiate: a loop that runs over too many elements is no kernel.

struct made_frame {
    template <class E>
    static const frame& of(const executable<E>& exec) {
        return exec.state().f;
    }
    template <class E>
    static int device_of(const executable<E>& exec) {
        return exec.state().device;
    }
};

template <class E, class S>
    requires(label_text<S> || selectable<E, S>)
lowering_status why_not_persistent(const executable<E>& exec, S asked) {
    const frame& made = made_frame::of(exec);
    return status_in(made.plan, plan_of<E>::view, asked_node<E>(made.records, asked));
}

template <class E, class S>
    requires(label_text<S> || selectable<E, S>)
bool is_persistent(const executable<E>& exec, S asked) {
    return why_not_persistent(exec, asked) == lowering_status::persistent;
}

// Also throws cuda_error, for it asks the device how large tiles may be.
template <class E, class S>
    requires(label_text<S> || selectable<E, S>)
tile_status why_no_tiles(const executable<E>& exec, S asked) {
    const frame& made = made_frame::of(exec);
    const plan_view& p = plan_of<E>::view;
    const int loop = persistent_loop(p, asked_node<E>(made.records, asked));
    const tile_status why = status_of_tiles<E>(loop);
    if (why != tile_status::tiles) return why;
    const int kernel = kernel_of_loop(made.plan, p.variables[p.nodes[loop].condition].state);
    if (kernel < 0) return tile_status::is_not_one_kernel;
    const device_scope on(made_frame::device_of(exec), {"why_no_tiles"});
    return persistent_shape(made, made.plan.nodes[kernel], most_tiles, false).elements_a_thread != 0 ? tile_status::tiles : tile_status::box_does_not_fit;
}

template <class E, class A, class B>
    requires selectable<E, A, B>
bool share_kernel(const executable<E>& exec, A, B) {
    const plan_view& made = made_frame::of(exec).plan;
    group_view groups = groups_of<E>::view;
    const bool is_first = made.nodes == plan_of<lowered<E>>::view.nodes;
    if constexpr (has_persistent(E::tree) && !persists_always(E::tree)) {
        const auto look_for = [&]<graph_for Graph>() {
            if (made.nodes == plan_of<lowered<E, Graph>>::view.nodes) groups = groups_of<E, Graph>::view;
        };
        look_for.template operator()<graph_of_many<E>>();
        if constexpr (has_passes(E::tree)) look_for.template operator()<graph_in_caches<E>>();
        if constexpr (asks_for_equal_boxes(E::tree)) look_for.template operator()<graph_of_unequal<E>>();
    }
    return are_one_kernel(plan_of<E>::view, groups, is_first, select<E, A>().node, select<E, B>().node);
}

}  // namespace cograph::core
