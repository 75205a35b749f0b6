// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/frame.hpp>

namespace cograph::core {

// The bytes that the run must own for a variable: temps, unbound scalars, hidden memory.
inline std::size_t owned_bytes(const frame& f, int v) {
    const planned_variable& planned = f.plan.variables[v];
    if (!planned.info) return f.is_condition(v) ? 0 : f.slots[v].count;
    if (f.slots[v].bound) return 0;
    const bool owned = planned.info->kind == variable_kind::temp || planned.info->kind == variable_kind::scalar;
    return owned ? f.slots[v].count * planned.info->size : 0;
}

// Scalars with an initial value in their declaration, which the expression reads before it writes them. If they are not
// bound, each run begins with that value.
constexpr bool begins_with_initial(const planned_variable& v) {
    return v.info && v.info->kind == variable_kind::scalar && v.info->initial && v.read_first;
}
// Whether there may be some; of the expression, since nvcc's pass for the device needs no plan.
constexpr bool has_initial_scalars(const node_spec& tree) {
    for (int i = 0; i < tree.argument_count; ++i) {
        const variable_info* const v = tree.arguments[i].variable;
        if (v && v->kind == variable_kind::scalar && v->initial) return true;
    }
    for (int i = 0; i < tree.child_count; ++i)
        if (has_initial_scalars(*tree.children[i])) return true;
    return false;
}
// Calls visit(variable_info, memory) for each.
template <class Visit>
void each_initial_scalar(const frame& f, Visit visit) {
    for (int v = 0; v < f.plan.count.named; ++v)
        if (begins_with_initial(f.plan.variables[v]) && !f.slots[v].bound) visit(*f.plan.variables[v].info, f.slots[v].pointer);
}

// The largest item that a run owns, for errors: of scalars, which are kept from launch to launch, or of temps.
inline place largest_owned(const frame& f, bool of_scalars) {
    std::size_t most = 0;
    place largest{"the graph"};
    for (int v = 0; v < f.plan.count.named; ++v) {
        if ((f.plan.variables[v].info->kind == variable_kind::scalar) != of_scalars || owned_bytes(f, v) <= most) continue;
        most = owned_bytes(f, v);
        largest = {f.plan.variables[v].info->name.read()};
    }
    return largest;
}

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + arena_alignment - 1) / arena_alignment * arena_alignment; }

// The layout of the memory that a run owns, in two parts. The first keeps its contents from launch to launch (the
// states of loops, in program order, then scalars and tickets), zero at first. The second has temps and workspaces,
// which share memory if their lifetimes allow it.
struct arena_layout {
    heap_memory memory;        // of the offsets
    std::size_t kept = 0;      // bytes of the first part
    std::size_t shared = 0;    // bytes of the second
    std::size_t without_aliasing = 0;  // the size of the second if nothing shared

    explicit arena_layout(int variables) : memory(variables, sizeof(std::size_t)) {}
    std::size_t* offsets() const { return static_cast<std::size_t*>(memory.get()); }  // by variable
    std::size_t bytes() const { return kept + shared; }
};

// Places the items of a lifetime, the largest first, each at the lowest offset that no conflicting one covers or, if
// they do not share, that no other covers. Returns the bytes of all. Cost: the square of the number of items.
inline std::size_t place_items(const lifetime_view& items, const std::size_t* sizes, std::size_t* offsets, bool share = true) {
    const heap_memory memory(2 * index_t{items.count}, sizeof(int));
    int* const order = static_cast<int*>(memory.get());
    int* const placed = order + items.count;
    for (int i = 0; i < items.count; ++i) {
        int j = i;
        for (; j > 0 && sizes[order[j - 1]] < sizes[i]; --j) order[j] = order[j - 1];
        order[j] = i;
    }
    std::size_t end = 0;
    for (int i = 0; i < items.count && sizes[order[i]] > 0; ++i) {
        const int item = order[i];
        std::size_t at = 0;
        for (int j = 0; j < i; ++j) {  // by offset
            const int other = placed[j];
            if (share && !items.conflict(item, other)) continue;
            if (at + sizes[item] <= offsets[other]) break;
            if (at < offsets[other] + sizes[other]) at = offsets[other] + sizes[other];
        }
        int j = i;
        for (; j > 0 && offsets[placed[j - 1]] > at; --j) placed[j] = placed[j - 1];
        placed[j] = item;
        offsets[item] = at;
        if (end < at + sizes[item]) end = at + sizes[item];
    }
    return end;
}

// Throws if the items that a run owns would exceed memory: sums of sizes never wrap around.
inline void check_total(const frame& f) {
    constexpr std::size_t most = static_cast<std::size_t>(PTRDIFF_MAX) / arena_alignment * arena_alignment;
    std::size_t sum = 0;
    for (int v = 0; v < f.plan.count.variables; ++v) {
        if (owned_bytes(f, v) > most || aligned(owned_bytes(f, v)) > most - sum)
            throw error(largest_owned(f, false), "and the other memory that the run owns are more than memory can hold");
        sum += aligned(owned_bytes(f, v));
    }
}

// Places the second part of a run's memory; sets layout.shared and without_aliasing.
inline void place_shared(const frame& f, arena_layout& layout, bool share) {
    const lifetime_view& items = f.lifetimes;
    const heap_memory memory(2 * index_t{items.count}, sizeof(std::size_t));
    std::size_t* const sizes = static_cast<std::size_t*>(memory.get());
    std::size_t* const offsets = sizes + items.count;
    for (int i = 0; i < items.count; ++i) {
        sizes[i] = aligned(owned_bytes(f, items.variables[i]));
        layout.without_aliasing += sizes[i];
    }
    layout.shared = place_items(items, sizes, offsets, share);
    for (int i = 0; i < items.count; ++i) layout.offsets()[items.variables[i]] = offsets[i];
}

inline arena_layout lay_out(const frame& f, bool share = true) {
    check_total(f);
    arena_layout layout(f.plan.count.variables);
    std::size_t* const offsets = layout.offsets();
    constexpr std::size_t elsewhere = ~std::size_t{0};
    for (int i = 0; i < f.lifetimes.count; ++i) offsets[f.lifetimes.variables[i]] = elsewhere;
    layout.kept = aligned(static_cast<std::size_t>(f.plan.count.loops) * sizeof(loop_state));
    for (int v = 0; v < f.plan.count.variables; ++v) {
        if (offsets[v] == elsewhere || f.is_condition(v)) continue;
        offsets[v] = layout.kept;
        layout.kept += aligned(owned_bytes(f, v));
    }
    if (f.place_temps) f.place_temps(f, layout, share);
    return layout;
}

// Points the slots of the run's own items into the two parts.
inline void point(frame& f, const arena_layout& layout, void* kept, void* shared) {
    const auto at = [&](int v, void* base) {
        if (owned_bytes(f, v) > 0) f.slots[v].pointer = static_cast<char*>(base) + layout.offsets()[v];
    };
    for (int v = f.plan.count.named; v < f.plan.count.named + f.plan.count.conditions; ++v)
        f.slots[v].pointer = static_cast<loop_state*>(kept) + f.plan.variables[v].state;
    for (int v = 0; v < f.plan.count.variables; ++v) at(v, kept);
    for (int i = 0; i < f.lifetimes.count; ++i) at(f.lifetimes.variables[i], shared);
}
inline void point(frame& f, const arena_layout& layout, void* base) { point(f, layout, base, static_cast<char*>(base) + layout.kept); }

// The states of the loops of a run, in program order.
inline loop_state* states_of_loops(const frame& f) { return static_cast<loop_state*>(f.slots[f.plan.count.named].pointer); }

// The memory that a run owns, in bytes.
struct memory_footprint {
    std::size_t bytes;             // of it all
    std::size_t without_aliasing;  // the same, if no temp shared its place with another
    std::size_t lower_bound;       // the most memory in use at one time: no layout takes less
};

// A set of items that are all in use at once, found from each one by adding the largest that fits: a lower bound.
inline std::size_t largest_at_once(const lifetime_view& items, const std::size_t* sizes) {
    const heap_memory memory(2 * index_t{items.count}, sizeof(int));
    int* const chosen = static_cast<int*>(memory.get());
    bool* const is_chosen = reinterpret_cast<bool*>(chosen + items.count);
    std::size_t most = 0;
    for (int first = 0; first < items.count; ++first) {
        int count = 0;
        std::size_t sum = 0;
        for (int i = 0; i < items.count; ++i) is_chosen[i] = false;
        for (int next = first; next >= 0;) {
            chosen[count++] = next;
            is_chosen[next] = true;
            sum += sizes[next];
            next = -1;
            for (int i = 0; i < items.count; ++i) {
                bool fits = !is_chosen[i] && (next < 0 || sizes[i] > sizes[next]);
                for (int j = 0; j < count && fits; ++j) fits = items.conflict(i, chosen[j]);
                if (fits) next = i;
            }
        }
        if (sum > most) most = sum;
    }
    return most;
}

inline memory_footprint use_of(const frame& f, const arena_layout& layout) {
    const heap_memory memory(f.lifetimes.count, sizeof(std::size_t));
    std::size_t* const sizes = static_cast<std::size_t*>(memory.get());
    for (int i = 0; i < f.lifetimes.count; ++i) sizes[i] = aligned(owned_bytes(f, f.lifetimes.variables[i]));
    return {layout.bytes(), layout.kept + layout.without_aliasing, layout.kept + largest_at_once(f.lifetimes, sizes)};
}

}  // namespace cograph::core
