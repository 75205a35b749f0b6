// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/selector.hpp>
#include <cograph/run/materialize.cuh>

#include <cstring>

namespace cograph::core {

// Whether a node can be left out of launches: CUDA can leave out kernels and copies.
constexpr bool is_switched(const seed& node) {
    return node.kind == seed_kind::work && (node.form == node_form::kernel || node.form == node_form::memory_copy);
}
template <class E, class S>
constexpr bool can_switch() {
    return is_switched(*plan_of<E>::view.rows[select<E, S>().row].from);
}
template <class Node>
constexpr auto cannot_switch(word<Node>) {
    return cannot_be_left_out<Node>{};
}
template <class E, class S>
constexpr auto diagnose_switch() {
    if constexpr (!selectable<E, S>)
        return diagnose_selectors<E>(S{});
    else if constexpr (!can_switch<E, S>())
        return cannot_switch(name_of(node_at<plan_of<E>::view.rows[select<E, S>().row].leaf>(word<E>{})));
    else
        return fine{};
}
template <class S>
concept no_label = !std::is_convertible_v<S, const char*>;
template <class S, class E>
concept switchable_in = no_label<S> && is_fine<decltype(diagnose_switch<E, S>())>;

template <class E, class S>
const row& selected_row() {
    return plan_to_run<E>().plan.rows[select<E, S>().row];
}

// The nodes of one executable graph, to leave some of them out of its launches. A kernel over no elements is always left out.
class node_switches {
public:
    explicit node_switches(int count) : count_(count), nodes_(static_cast<std::size_t>(count), sizeof(node)) {}

    // Takes down the nodes of a graph, by row of its plan.
    void take(const frame& f, const cudaGraphNode_t* nodes) {
        for (int r = 0; r < f.plan.count.rows; ++r) {
            const row& here = f.plan.rows[r];
            if (here.kind == row_kind::condition) continue;
            for (int leaf = here.leaf; leaf < here.leaf + here.from->leaves; ++leaf) {
                const record& where = f.records[leaf];
                const bool over_elements = here.kind == row_kind::work && here.from->rule == launch_rule::per_element;
                at(leaf) = {here.from, nodes[r], where.label, where.file, where.line, false, over_elements && shape_of(f, here).empty};
            }
        }
    }

    // `named` is the row of the node in a plan that has it as a row.
    bool is_on(const row& named) const { return !check_kernel(named.leaf, named.from).off; }
    void turn(cudaGraphExec_t exec, const row& named, bool on) {
        driver_log log;
        set(exec, check_kernel(named.leaf, named.from), on, log);
        at(named.leaf).off = !on;
    }

    // All nodes of a label, or none.
    void turn(cudaGraphExec_t exec, const char* label, bool on) {
        int found = 0;
        for (int leaf = 0; leaf < count_; ++leaf)
            if (has_label(leaf, label)) check_kernel(leaf, at(leaf).from), ++found;
        if (found == 0) throw error({label}, "is the label of no node");
        driver_log log;
        int leaf = 0;
        try {
            for (; leaf < count_; ++leaf)
                if (has_label(leaf, label)) set(exec, at(leaf), on, log);
        } catch (...) {
            while (leaf-- > 0)
                if (has_label(leaf, label)) cudaGraphNodeSetEnabled(exec, at(leaf).handle, is_enabled(at(leaf), !at(leaf).off));
            throw;
        }
        for (leaf = 0; leaf < count_; ++leaf)
            if (has_label(leaf, label)) at(leaf).off = !on;
    }

private:
    struct node {
        const seed* from;
        cudaGraphNode_t handle;
        const char* label;
        const char* file;
        unsigned line;
        bool off, empty;
    };
    node& at(int leaf) const { return static_cast<node*>(nodes_.get())[leaf]; }
    bool has_label(int leaf, const char* label) const { return at(leaf).label && std::strcmp(at(leaf).label, label) == 0; }
    static place place_of_node(const node& n, const seed* named) { return {n.label ? name_view(n.label) : named->name.read(), n.file, n.line}; }
    static bool is_enabled(const node& n, bool on) { return on && !n.empty; }

    // Throws when a node is no kernel of its own in the graph.
    const node& check_kernel(int leaf, const seed* named) const {
        const node& n = at(leaf);
        if (n.from->rule == launch_rule::persistent)
            throw error(place_of_node(n, named), "is part of a persistent kernel: make the graph of node_by_node(expression), where it is a node");
        if (n.from->kind != seed_kind::work) throw error(place_of_node(n, named), "is a loop or branch: CUDA can leave out kernels only");
        if (!is_switched(*n.from)) throw error(place_of_node(n, named), "is no kernel: CUDA can leave out kernels only");
        return n;
    }

    static void set(cudaGraphExec_t exec, const node& n, bool on, driver_log& log) {
        const cudaError_t code = cudaGraphNodeSetEnabled(exec, n.handle, is_enabled(n, on));
        if (code != cudaSuccess) fail(code, "cudaGraphNodeSetEnabled", place_of_node(n, n.from), &log);
    }

    int count_;
    heap_memory nodes_;  // by number
};

}  // namespace cograph::core
