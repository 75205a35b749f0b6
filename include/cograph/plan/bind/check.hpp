// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/check_copies.hpp>
#include <cograph/plan/bind/frame.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tables/measure.hpp>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace cograph::core {

// Checks of bindings and shapes that only a run can make, before anything is launched or allocated. The format is one
// of std::printf; an ellipsis, because a template would be compiled again for every list of types.
[[noreturn, gnu::format(printf, 2, 3)]] inline void refuse(place at, const char* format, ...) {
    char text[512];
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    throw error(at, text);
}

inline place place_of(const variable_info& v) { return {v.name.read()}; }

// Memory: there, aligned, and no more of it than there can be.
inline void check_memory(const variable_info& v, const slot& s) {
    if (s.object || v.kind == variable_kind::count) return;
    if (s.count > static_cast<std::size_t>(PTRDIFF_MAX) / v.size)
        refuse(place_of(v), "is bound with %lld elements: %s", static_cast<long long>(s.count),
               s.count > static_cast<std::size_t>(PTRDIFF_MAX) ? "a count cannot be negative" : "more than memory can hold");
    if (!s.bound || s.count == 0) return;
    if (!s.pointer) refuse(place_of(v), "is bound to a null pointer: bind memory that exists");
    const std::size_t off = reinterpret_cast<std::uintptr_t>(s.pointer) % v.alignment;
    if (off != 0)
        refuse(place_of(v), "is bound to %p, which is not aligned to %u bytes, as its elements must be", s.pointer, v.alignment);
}

// Two names of one memory: the plan orders nodes by names, so neither of them may be written. Sorted by address, each piece is
// compared with the one before it that reaches furthest, and with the one that does of those that are written.
struct bound_memory {
    const char* begin;
    const char* end;
    int variable;
};
inline int compare_addresses(const void* a, const void* b) {
    const bound_memory& x = *static_cast<const bound_memory*>(a);
    const bound_memory& y = *static_cast<const bound_memory*>(b);
    if (x.begin != y.begin) return x.begin < y.begin ? -1 : 1;
    return x.variable < y.variable ? -1 : 1;
}
[[noreturn]] inline void refuse_overlap(const frame& f, int v, int w) {
    const name_view name = f.plan.variables[v < w ? w : v].info->name.read();
    refuse(place_of(*f.plan.variables[v < w ? v : w].info), "shares memory with '%.*s', and the expression writes to it: use one variable for both",
           static_cast<int>(name.size), name.data);
}
// One pair of them, if one of the two is rebound.
inline void check_overlap(const frame& f, int v, int w) {
    const slot& a = f.slots[v];
    const slot& b = f.slots[w];
    if (!a.bound || !b.bound || a.object || b.object || a.count == 0 || b.count == 0) return;
    if (!f.plan.variables[v].written && !f.plan.variables[w].written) return;
    const char* const from = static_cast<const char*>(a.pointer);
    const char* const other = static_cast<const char*>(b.pointer);
    if (from < other + b.count * f.plan.variables[w].info->size && other < from + a.count * f.plan.variables[v].info->size) refuse_overlap(f, v, w);
}
// All of them.
inline void check_overlap(const frame& f) {
    const heap_memory memory(f.plan.count.named, sizeof(bound_memory));
    bound_memory* const pieces = static_cast<bound_memory*>(memory.get());
    int count = 0;
    for (int v = 0; v < f.plan.count.named; ++v) {
        const slot& s = f.slots[v];
        if (!s.bound || s.object || s.count == 0) continue;
        const char* const begin = static_cast<const char*>(s.pointer);
        pieces[count++] = {begin, begin + s.count * f.plan.variables[v].info->size, v};
    }
    if (count < 2) return;
    std::qsort(pieces, static_cast<std::size_t>(count), sizeof(bound_memory), &compare_addresses);
    bound_memory furthest{}, furthest_written{};
    for (int i = 0; i < count; ++i) {
        const bound_memory& here = pieces[i];
        const bool written = f.plan.variables[here.variable].written;
        if (here.begin < furthest_written.end) refuse_overlap(f, furthest_written.variable, here.variable);
        if (written && here.begin < furthest.end) refuse_overlap(f, furthest.variable, here.variable);
        if (here.end > furthest.end) furthest = here;
        if (written && here.end > furthest_written.end) furthest_written = here;
    }
}

// A node, whose name is read only for a message.
struct node_part {
    const frame& f;
    const plan_node& r;
    int part;
    operator place() const { return place_of(f, r, part); }
};

// Launch shapes, as every GPU has them.
inline void check_cluster(const node_part& at, const shape_values& s, bool has_grid) {
    const unsigned sides[] = {s.cluster & 255, s.cluster >> 8 & 255, s.cluster >> 16 & 255};
    const unsigned blocks = sides[0] * sides[1] * sides[2];
    if (blocks == 0 || blocks > most_blocks_in_cluster)
        refuse(at, "asks for a cluster that has no blocks, or more than %d", static_cast<int>(most_blocks_in_cluster));
    for (int i = 0; i < 3; ++i)
        if (has_grid ? s.grid[i] % sides[i] != 0 : i > 0 && sides[i] > 1)
            refuse(at, "asks for a grid in clusters of %u x %u x %u blocks: a grid consists of whole clusters", sides[0], sides[1], sides[2]);
}

inline void check_shape(const node_part& at, const shape_values& s, bool has_grid) {
    if (s.cluster != 0) check_cluster(at, s, has_grid);
    const unsigned* const b = s.block;
    if (b[0] == 0 || b[1] == 0 || b[2] == 0 || !block_fits(b[0], b[1], b[2]))
        refuse(at, "asks for blocks of %u x %u x %u threads: a block has 1 to %d threads, and at most %d along z", b[0], b[1], b[2],
               static_cast<int>(most_threads), static_cast<int>(most_threads_along_z));
    const unsigned* const g = s.grid;
    if (has_grid && (g[0] == 0 || g[1] == 0 || g[2] == 0 || !grid_fits(g[0], g[1], g[2])))
        refuse(at, "asks for a grid of %u x %u x %u blocks: each is 1 or more, at most %d x %d x %d", g[0], g[1], g[2],
               static_cast<int>(most_blocks), static_cast<int>(most_blocks_along_y_z), static_cast<int>(most_blocks_along_y_z));
    if (s.shared > most_shared_bytes)
        refuse(at, "asks for %u bytes of shared memory: no GPU gives a block more than %d", s.shared, static_cast<int>(most_shared_bytes));
}

// A thread for each element, in no more blocks than a grid has.
inline void check_grid(const frame& f, const plan_node& r, int part) {
    const index_t n = domain_size(f, r);
    const unsigned* const block = f.records[r.leaf + part].shape.block;
    const index_t threads = block[0];
    if (block[1] != 1 || block[2] != 1)
        refuse(place_of(f, r, part), "asks for blocks of %u x %u x %u threads over elements, which are counted along x: give block one number", block[0],
               block[1], block[2]);
    if (n < 0) refuse(place_of(f, r, part), "runs over a negative number of elements: %lld", static_cast<long long>(n));
    if (n > most_blocks * threads)
        refuse(place_of(f, r, part), "needs more blocks than a grid can have (%lld): use larger blocks", static_cast<long long>(most_blocks));
}

// The requirements of nodes and conditions on extents: extents fit into their parameters, and x[each] has as many
// elements as the node runs over and, if the node requires it, no more.
inline void check_extents(const frame& f, const plan_node& r) {
    const bool has_domain = r.kind == plan_node_kind::work && !r.from->traits->persistent;
    argument_form domain = has_domain ? r.from->domain.form : argument_form::kept_value;
    int domain_at = r.domain, part = -1;
    const lowered_argument* const lowered = r.from->lowered ? r.from->lowered->arguments : nullptr;
    for (int i = 0; i < r.argument_count; ++i) {
        const argument& asked = r.from->arguments[i];
        const lowered_argument of = lowered ? lowered[i] : lowered_argument{r.from->traits};
        const int at = f.plan.arguments[r.first_argument + i];  // NOLINT(clang-analyzer-core.NullDereference)
        if (of.counts) {
            domain = asked.form;
            domain_at = at;
            ++part;
        }
        if (asked.form == argument_form::extent && asked.size != 0 && f.slots[at].count > asked.size) {
            const name_view name = asked.variable->name.read();
            refuse(place_of(f, r, part), "takes extent(%.*s) as an integer that holds at most %u, and there are %lld elements: take index_t",
                   static_cast<int>(name.size), name.data, asked.size, static_cast<long long>(f.slots[at].count));
        }
        if (domain == argument_form::kept_value) continue;
        const index_t n = extent_of(f, domain, domain_at);
        if (n < 0) refuse(place_of(f, r, part), "runs over a negative number of elements: %lld", static_cast<long long>(n));
        if (!asked.each && !asked.near) continue;
        const index_t count = static_cast<index_t>(f.slots[at].count);
        const name_view name = asked.variable->name.read();
        if (count != n && of.traits->equal_extents)
            refuse(place_of(f, r, part), "needs extents that are equal: '%.*s' has %lld elements, and it runs over %lld", static_cast<int>(name.size),
                   name.data, static_cast<long long>(count), static_cast<long long>(n));
        if (count < n)
            refuse(place_of(f, r, part), "runs over %lld elements, more than there are in '%.*s': %lld", static_cast<long long>(n),
                   static_cast<int>(name.size), name.data, static_cast<long long>(count));
    }
}

// Limits of loops, also of those inside a node: the number after a loop's counter.
inline void check_limits(const frame& f, const plan_node& r) {
    for (int i = 1; i < r.argument_count; ++i) {
        const argument* const a = r.from->arguments + i;
        if (a->form != argument_form::count || a[-1].form != argument_form::counter) continue;
        const index_t limit = f.records[f.plan.arguments[r.first_argument + i]].shape.count;
        if (limit >= 0) continue;
        refuse(place_of(f, r), "has a negative limit of iterations: %lld", static_cast<long long>(limit));
    }
}

inline void check_run(const frame& f) {
    for (int v = 0; v < f.plan.count.named; ++v) check_memory(*f.plan.variables[v].info, f.slots[v]);
    check_overlap(f);
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        if (f.check_limits) f.check_limits(f, r);
        if (r.kind != plan_node_kind::work) {
            check_extents(f, r);
            continue;
        }
        const node_traits& traits = *r.from->traits;
        for (int part = 0; traits.takes_shape && part < r.from->leaves; ++part) {
            check_shape({f, r, part}, f.records[r.leaf + part].shape, !traits.size);
            if (traits.counts_elements) check_grid(f, r, part);
        }
        check_extents(f, r);
        if (f.shared_of_groups) f.shared_of_groups(f, r, 1, 0);
        if (f.check_copy && traits.copies_memory) f.check_copy(f, r);
    }
    if (f.check_assignment) f.check_assignment(f);
}

}  // namespace cograph::core
