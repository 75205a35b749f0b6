// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/persistent/loop/parameters.hpp>

namespace cograph::core {

// Rolled nodes: several that call one function object over different extents, which are computed, follow one another, as those of the grids of a
// multigrid solver do. A persistent kernel has their code once, in a loop over the nodes.
constexpr int least_rolled = 4, most_rolled = 32;
constexpr unsigned most_rolled_bytes = 128;  // of a node's parameters

constexpr bool may_be_rolled(const node_spec& node) {
    if (node.kind != spec_kind::work || node.traits != &for_each_stage::traits || own_parameter_bytes(node) > most_rolled_bytes || node.arguments[0].form != argument_form::extent || !extent_source(node.arguments[0].variable)->size_by) return false;
    for (int i = 0; i < node.argument_count; ++i)
        if (const variable_info* const v = node.arguments[i].variable; v && v->kind == variable_kind::scalar) return false;  // each node would have other copies
    return true;
}

class rolled_search {
public:
    // Whether a loop has some. Marks: by leaf, if they are wanted; others than those of the last ones of another function object.
    constexpr bool find(const node_spec& loop, unsigned char* marks = nullptr) {
        if (sees_neighbours(loop)) return false;
        marks_ = marks;
        look(loop, 0);
        finish();
        return some_;
    }

private:
    constexpr void look(const node_spec& tree, int leaf) {
        if (tree.kind == spec_kind::work) {
            add(tree, leaf);
            return;
        }
        if (!is_group(tree)) {
            finish();
            ++leaf;
        }
        for (int i = 0; i < tree.child_count; ++i) {
            look(*tree.children[i], leaf);
            leaf += count_leaves(*tree.children[i]);
            if (!is_group(tree)) finish();
        }
    }
    // Nodes over one extent may share a loop over the elements, and are not rolled.
    constexpr void add(const node_spec& node, int leaf) {
        const variable_info* const extent = node.traits->counts_elements ? extent_source(node.arguments[0].variable) : nullptr;
        const bool may_join = extent && extent == last_extent_;
        bool follows = may_be_rolled(node) && count_ > 0 && count_ < most_rolled && node.identity == identity_;
        for (int i = 0; i < count_ && follows; ++i) follows = !has_extent_of(extents_[i], extent);
        if (!follows) {
            if (may_join && count_ > 0) --count_;
            finish();
        }
        last_extent_ = extent;
        if (may_join || !may_be_rolled(node)) return;
        if (count_ == 0) {
            identity_ = node.identity;
            first_ = leaf;
        }
        extents_[count_++] = extent;
    }
    constexpr void finish() {
        if (count_ >= least_rolled) {
            some_ = true;
            if (marked_ != identity_) mark_ = mark_ == 255 ? 1 : static_cast<unsigned char>(mark_ + 1);
            marked_ = identity_;
            for (int i = 0; marks_ && i < count_; ++i) marks_[first_ + i] = mark_;
        }
        count_ = 0;
        last_extent_ = nullptr;
    }

    unsigned char *marks_ = nullptr, mark_ = 0;
    bool some_ = false;
    const char *identity_ = nullptr, *marked_ = nullptr;
    const variable_info *extents_[most_rolled]{}, *last_extent_ = nullptr;
    int first_ = 0, count_ = 0;
};

// Whether a loop has rolled nodes. Threads keep no elements from one iteration to the next then: of most extents, few threads have any.
constexpr bool has_rolled_nodes(const node_spec& loop) { return rolled_search().find(loop); }

}  // namespace cograph::core
