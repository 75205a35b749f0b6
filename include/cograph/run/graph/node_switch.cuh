// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/run/graph/materialize.cuh>
#include <cograph/run/refused/node_switch.hpp>

#include <cstring>

namespace cograph::core {

template <class E, class S>
const plan_node& selected_node() {
    return plan_to_run<E>().plan.nodes[select<E, S>().node];
}

// Which nodes are meant: all of a label, or the one that is a node in some plan of the expression.
struct node_choice {
    const char* label;
    const plan_node* node = nullptr;
};

// The nodes of one executable graph, to leave some of them out of its launches. A kernel over no elements is always left out;
// a body that is there several times, for a loop that tests after some iterations only, has several kernels for one node.
class node_switches {
public:
    node_switches(int nodes, int leaves) : states_(static_cast<std::size_t>(nodes), sizeof(state)), records_(static_cast<std::size_t>(leaves), sizeof(record)) {}

    // Disables the nodes of a graph, by node of its plan. Nodes that were disabled stay disabled.
    void take(const frame& f, const merged_tables& merged) {
        plan_ = &f.plan;
        for (int leaf = 0; leaf < f.plan.count.leaves; ++leaf) where(leaf) = f.records[leaf];
        for (int r = 0; r < f.plan.count.nodes; ++r) at(r).merged = merged.is_part(r);
    }

    bool is_off(int r) const { return at(r).off; }

    // Whether the first of the chosen is in launches.
    bool is_on(node_choice chosen) const { return !at(check(chosen)).off; }

    // Disables or enables all of the chosen nodes by leave_out(node, off); changes nothing if it throws, unless CUDA
    // refuses to undo the change.
    template <class LeaveOut>
    void turn(node_choice chosen, bool on, LeaveOut leave_out, bool& is_half_changed) {
        check(chosen);
        int r = 0;
        try {
            for (; r < plan_->count.nodes; ++r)
                if (is_chosen(r, chosen)) leave_out(r, !on);
        } catch (...) {
            is_half_changed |= !undo(r, chosen, leave_out);
            throw;
        }
        for (r = 0; r < plan_->count.nodes; ++r)
            if (is_chosen(r, chosen)) at(r).off = !on;
    }

private:
    struct state {
        bool off;
        bool merged;  // its kernel runs other nodes, too
    };
    state& at(int r) const { return static_cast<state*>(states_.get())[r]; }
    record& where(int leaf) const { return static_cast<record*>(records_.get())[leaf]; }

    bool is_meant(int leaf, node_choice chosen) const {
        if (chosen.node) return leaf == chosen.node->leaf;
        return where(leaf).label && std::strcmp(where(leaf).label, chosen.label) == 0;
    }
    // Only kernels of their own are chosen; they have one number.
    bool is_chosen(int r, node_choice chosen) const { return plan_->nodes[r].kind == plan_node_kind::work && is_meant(plan_->nodes[r].leaf, chosen); }

    // The first node that is chosen. Throws when there is none, or a node among them is no kernel of its own in the graph.
    int check(node_choice chosen) const {
        if (!chosen.node && !chosen.label) throw error({}, "A null pointer is the label of no node.");
        int first = -1;
        for (int r = 0; r < plan_->count.nodes; ++r) {
            const plan_node& here = plan_->nodes[r];
            if (here.kind == plan_node_kind::condition) continue;
            for (int leaf = here.leaf; leaf < here.leaf + here.from->leaves; ++leaf) {
                if (!is_meant(leaf, chosen)) continue;
                const place at = place_of(where(leaf), chosen.node ? *chosen.node->from : *here.from);
                if (here.from->traits->persistent)
                    throw error(at, "is part of a persistent kernel: make the graph of as_nodes(expression), in which it is a node");
                if (here.kind == plan_node_kind::conditional || lowering_of(*here.from).answers) throw error(at, "is a loop or branch: CUDA can leave out kernels only");
                if (this->at(r).merged || lowering_of(*here.from).parts)
                    throw error(at, "shares a kernel with other nodes: make the graph of as_nodes(expression), in which it has a kernel of its own");
                if (!is_switched(*here.from)) throw error(at, "is no kernel: CUDA can leave out kernels only");
                if (first < 0) first = r;
            }
        }
        if (first < 0) throw error({chosen.label}, "is the label of no node");
        return first;
    }

    template <class LeaveOut>
    bool undo(int last, node_choice chosen, LeaveOut leave_out) const noexcept {
        bool is_undone = true;
        for (int r = 0; r < last; ++r) {
            if (!is_chosen(r, chosen)) continue;
            try {
                leave_out(r, at(r).off);
            } catch (...) {
                is_undone = false;
            }
        }
        return is_undone;
    }

    const plan_view* plan_ = nullptr;
    heap_memory states_;   // by node
    heap_memory records_;  // by number of a node
};

}  // namespace cograph::core
