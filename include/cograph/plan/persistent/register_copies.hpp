// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/persistent/loop/parameters.hpp>
#include <cograph/plan/phases/rolled_nodes.hpp>

#include <cstddef>

namespace cograph::core {

// Elements of which a thread of a persistent kernel keeps copies in registers: those of variables in memory that
// nodes use as their own, x[each], and that no node writes in another way. Results go to memory, too, because others
// read them there.
constexpr unsigned most_register_copy_bytes = 16;  // at most

// The access of the first node that uses a variable, in program order.
enum class first_use : unsigned char { none, overwrites, reads };
constexpr first_use first_use_of(const variable_info* v, const node_spec& tree, bool always) {
    first_use own = first_use::none;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (a.variable != v || a.access == access_mode::none) continue;
        own = always && a.each && !reads(a.access) && !touches_partly(tree, a) && own != first_use::reads ? first_use::overwrites : first_use::reads;
    }
    for (int i = 0; i < tree.child_count && own == first_use::none; ++i)
        own = first_use_of(v, *tree.children[i], always && is_group(tree));
    return own;
}

// Whether copies have to be read from memory before a loop begins. Of a temp that a node of the loop's own sequence overwrites first
// they need not be: nothing was there, perhaps.
constexpr bool needs_filling(const variable_info* v, const node_spec& loop) {
    if (v->kind != variable_kind::temp) return true;
    const node_spec& body = *loop.children[0];
    return first_use_of(v, body, true) != first_use::overwrites;
}

// The target of a persistent kernel's parameter, as a number: a scalar, the copy of an element, or nothing that is
// copied; or a buffer of a set of buffers that are exchanged.
constexpr int nothing_copied = -1;
// Kept: threads that have several elements keep those.
constexpr int number_of_copy(int copy, bool filled, bool kept) { return nothing_copied - 1 - 4 * copy - 2 * kept - !filled; }
constexpr int first_exchanged = -(1 << 20), most_in_set = 255;
COGRAPH_HD constexpr int number_of_exchanged(int set, int member) { return first_exchanged - set * (most_in_set + 1) - member; }
COGRAPH_HD constexpr int number_of_extent(int set) { return number_of_exchanged(set, most_in_set); }  // of all in the set
COGRAPH_HD constexpr int copy_numbered(int number) {
    return number < nothing_copied && number > first_exchanged ? (nothing_copied - 1 - number) / 4 : -1;
}
COGRAPH_HD constexpr bool is_kept(int number) { return copy_numbered(number) >= 0 && (nothing_copied - 1 - number) / 2 % 2 == 1; }
COGRAPH_HD constexpr bool is_filled(int number) { return number % 2 == 0; }

// Whether a parameter is an element that a thread has alone.
constexpr bool is_own_element(const argument& a, const lowered_argument& of) { return a.each && of.traits->threads_of_group == 0 && of.traits->every == 1; }

// Whether elements of a variable are small, and no parameter writes them but as a node's own; nor is it swapped with another.
constexpr bool fits_register_copies(const variable_info* v, const argument* parameters, const lowered_argument* lowered, int count) {
    if (v->size > most_register_copy_bytes) return false;
    for (int i = 0; i < count; ++i)
        if (parameters[i].variable == v && writes(parameters[i].access) && (!is_own_element(parameters[i], lowered[i]) || lowered[i].traits->exchanges)) return false;
    return true;
}

// The blocks of a kernel whose threads keep several elements: each tile of as many has one of all chunks, which lie side by side.
constexpr int blocks_that_keep = reduce_layout::most_chunks / (persistent_threads / reduce_layout::lanes);

// The variables whose elements threads keep if they have several: nodes use them as their own alone, and all of these nodes run over one domain, so that
// nobody else reads them while the loop runs. Those that are used most are kept first; of the last ones, as many elements as there is room for.
struct kept_elements {
    static constexpr unsigned most_bytes = 24;  // of an element of all of them
    const variable_info* variables[most_bytes]{};
    int variable_count = 0;
    const variable_info* domain = nullptr;
    int counted = 0;     // the parameter that counts it
    unsigned bytes = 0;  // of an element of each of them
    bool in_box_order = false;  // perhaps in the order of a box, at as many positions as its patches have

    constexpr kept_elements() = default;
    constexpr kept_elements(const argument* parameters, const lowered_argument* lowered, int count) {
        use* const all = new use[static_cast<std::size_t>(count)];
        int used = 0, node = -1;  // which counts elements
        bool has_groups = false;  // they have elements in another order
        for (int i = 0; i < count; ++i) {
            has_groups = has_groups || lowered[i].traits->threads_of_group > 0;
            if (lowered[i].counts) node = i;
            const argument& a = parameters[i];
            if (!reaches_memory(a) || a.variable->kind == variable_kind::scalar) continue;
            int u = 0;
            while (u < used && all[u].variable != a.variable) ++u;
            if (u == used) all[used++].variable = a.variable;
            all[u].add(a, can_be_kept(a, lowered[i]) ? extent_source(parameters[node].variable) : nullptr, node);
        }
        for (int next = 0; !has_groups && next >= 0;) {
            next = -1;
            for (int u = 0; u < used; ++u)
                if (!has(all[u].variable) && all[u].domain && (!domain || all[u].domain == domain) && bytes + all[u].variable->size <= most_bytes && (next < 0 || all[u].count > all[next].count)) next = u;
            if (next < 0) break;
            domain = all[next].domain;
            counted = all[next].counted;
            bytes += all[next].variable->size;
            variables[variable_count++] = all[next].variable;
        }
        delete[] all;
    }
    constexpr bool has(const variable_info* v) const { return number(v) >= 0; }
    constexpr int number(const variable_info* v) const {
        for (int k = 0; k < variable_count; ++k)
            if (variables[k] == v) return k;
        return -1;
    }

    // Whether a parameter is an element of the thread's own in each run of the loop.
    static constexpr bool can_be_kept(const argument& a, const lowered_argument& of) {
        return a.form == argument_form::pointer && is_own_element(a, of) && !of.traits->has_length && !of.traits->exchanges;
    }

private:
    // The uses of a variable; domain: that of all nodes which use it, null if there are several or if one uses it in another way.
    struct use {
        const variable_info *variable = nullptr, *domain = nullptr;
        int counted = 0, count = 0;
        constexpr void add(const argument& a, const variable_info* of_node, int node) {
            domain = (count == 0 || domain == of_node) && a.variable->size <= most_register_copy_bytes ? of_node : nullptr;
            counted = node;
            count += reads(a.access) + writes(a.access);
        }
    };
};

// The parameters of a loop.
struct loop_parameters {
    int count;
    argument* arguments;
    lowered_argument* lowered;
    constexpr explicit loop_parameters(const node_spec& loop)
        : count(count_parameters(loop)), arguments(new argument[static_cast<std::size_t>(count)]), lowered(new lowered_argument[static_cast<std::size_t>(count)]) {
        argument* to = arguments;
        lowered_argument* of = lowered;
        int leaf = 0;
        flatten_parameters(loop, to, of, leaf);
    }
    constexpr ~loop_parameters() {
        delete[] arguments;
        delete[] lowered;
    }
    loop_parameters(const loop_parameters&) = delete;
    loop_parameters& operator=(const loop_parameters&) = delete;
};
// Whether blocks of more threads would be compiled in vain: the scalars that a loop changes take most of a thread's 64 registers there, so these kernels spill, and
// those of small blocks spill less. Groups of threads may need large blocks all the same.
constexpr unsigned most_changed_bytes = 160;
constexpr bool fills_large_blocks(const node_spec& loop, const argument* parameters, const lowered_argument* lowered, int count) {
    if (loop.block != 0 || sees_neighbours(loop)) return false;
    unsigned bytes = 0;
    const auto changes = [&](int k) { return parameters[k].form == argument_form::pointer && parameters[k].variable->kind == variable_kind::scalar && writes(parameters[k].access); };
    for (int i = 0; i < count; ++i) {
        if (lowered[i].traits->threads_of_group > 0) return false;
        if (!changes(i)) continue;
        int first = 0;
        while (!(changes(first) && parameters[first].variable == parameters[i].variable)) ++first;
        if (first == i) bytes += parameters[i].variable->size;
    }
    return bytes > most_changed_bytes;
}
// Those of a loop that is one kernel; of one with tiles, where these do not fit.
constexpr kept_elements kept_elements_of(const node_spec& loop, const loop_parameters& of) {
    if (loop.grid != 0 || loop.block != 0 || has_rolled_nodes(loop)) return {};
    const bool has_small_blocks = fills_large_blocks(loop, of.arguments, of.lowered, of.count);
    if (!sees_neighbours(loop) && (has_small_blocks || threads_of_few(loop, has_small_blocks) != 0)) return {};
    return {of.arguments, of.lowered, of.count};
}
constexpr kept_elements kept_elements_of(const node_spec& loop) { return kept_elements_of(loop, loop_parameters(loop)); }

}  // namespace cograph::core
