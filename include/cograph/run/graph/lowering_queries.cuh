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
    bool has_persistent_loops = !has_persistent(E::tree);  // without loops that could be, nothing depends on extents
    for (int r = 0; r < made.count.nodes; ++r) has_persistent_loops = has_persistent_loops || made.nodes[r].from->traits->persistent;
    group_view groups = has_persistent_loops ? groups_of<E>::view : groups_if_too_many_elements<E>();
    if (!has_persistent_loops) {  // the number of nodes tells which graph it is
        if constexpr (has_passes(E::tree))
            if (made.count.nodes != plan_of<lowered<E, graph_for::many_elements>>::size.nodes) groups = groups_of<E, graph_in_caches<E>>::view;
        if constexpr (asks_for_equal_boxes(E::tree))
            if (made.count.nodes == plan_of<lowered<E, graph_of_unequal<E>>>::size.nodes) groups = groups_of<E, graph_of_unequal<E>>::view;
    }
    return are_one_kernel(plan_of<E>::view, groups, has_persistent_loops, select<E, A>().node, select<E, B>().node);
}

}  // namespace cograph::core
