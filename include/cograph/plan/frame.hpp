// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/stage.hpp>
#include <cograph/heap_array.hpp>
#include <cograph/plan/diagnose.hpp>

#include <cstdint>

namespace cograph {

// What a variable stands for in one run.
struct slot {
    void* pointer = nullptr;       // of memory
    std::size_t count = 0;         // its elements
    const void* object = nullptr;  // of values and views: the bound object
    bool bound = false;
};

// One run of a plan: everything that an executor needs of an expression, without its type.
struct frame {
    const plan_view& plan;
    const record* records;
    heap_array<slot> slots;            // by variable, hidden ones too
    heap_array<const void*> payloads;  // by number of kept value

    frame(const plan_view& of, const record* with) : plan(of), records(with), slots(of.count.variables), payloads(of.count.payloads) {}

    void set(const variable_info* variable, slot to) {
        for (int v = 0; v < plan.count.named; ++v)
            if (plan.variables[v].info == variable) slots[v] = to;
    }
};

constexpr int most_parameters = 256;

// The address of a parameter's bytes, as cudaLaunchKernel takes it. Little-endian: an extent serves as a 4-byte integer too.
inline const void* parameter_address(const frame& f, const bound_argument& a) {
    static constexpr char empty = 0;
    switch (a.form) {
        case argument_form::object: return f.slots[a.at].object;
        case argument_form::extent: return &f.slots[a.at].count;
        case argument_form::payload: return f.payloads[a.at];
        case argument_form::stateless: return &empty;
        case argument_form::count: return &f.records[a.at].shape.count;
        default: return &f.slots[a.at].pointer;
    }
}

inline void parameter_addresses(const frame& f, const row& r, const void** to) {
    for (int i = 0; i < r.argument_count; ++i) to[i] = parameter_address(f, f.plan.arguments[r.first_argument + i]);
}

inline place place_of(const frame& f, const row& r) {
    const record& where = f.records[r.leaf];
    return {where.label ? name_view(where.label) : r.from->name.read(), where.file, where.line};
}

// The integer that a value variable holds.
inline std::int64_t integer_value(const variable_info& info, const void* object) {
    switch (info.size) {
        case 1: return info.is_signed ? *static_cast<const std::int8_t*>(object) : *static_cast<const std::uint8_t*>(object);
        case 2: return info.is_signed ? *static_cast<const std::int16_t*>(object) : *static_cast<const std::uint16_t*>(object);
        case 4: return info.is_signed ? std::int64_t{*static_cast<const std::int32_t*>(object)} : *static_cast<const std::uint32_t*>(object);
        default: return *static_cast<const std::int64_t*>(object);
    }
}

// How many elements a domain has: those of a variable, an integer value, or a constant.
inline index_t extent_of(const frame& f, const bound_argument& domain) {
    if (domain.form == argument_form::extent) return static_cast<index_t>(f.slots[domain.at].count);
    if (domain.form == argument_form::object) return integer_value(*f.plan.variables[domain.at].info, f.slots[domain.at].object);
    return f.records[domain.at].shape.count;
}

// How many elements a node runs over.
inline index_t domain_size(const frame& f, const row& r) { return extent_of(f, r.domain); }

template <class Tag, class T>
void bind(frame& f, const range_binding<Tag, T>& b) {
    f.set(&info_of<Tag>, slot{const_cast<std::remove_const_t<T>*>(b.pointer), b.count, nullptr, true});
}
template <class Tag, class T>
void bind(frame& f, const value_binding<Tag, T>& b) {
    f.set(&info_of<Tag>, slot{nullptr, 1, &b.value, true});
}
template <class Tag>
void bind(frame& f, const extent_binding<Tag>& b) {
    f.set(&info_of<Tag>, slot{nullptr, b.count, nullptr, false});
}

// The number of elements of a variable: a temp has those of the one whose extent it takes.
inline std::size_t count_of(const frame& f, int v) {
    const variable_info* like = f.plan.variables[v].info->like;
    for (int w = 0; like && w < f.plan.count.named; ++w)
        if (f.plan.variables[w].info == like) return count_of(f, w);
    return f.slots[v].count;
}

// What nodes need of extents: x[each] as many elements as the node runs over, and where the node says so no more.
inline void check_extents(const frame& f, const row& r) {
    const bound_argument* domain = r.from->rule == launch_rule::persistent ? nullptr : &r.domain;
    for (int i = 0; i < r.argument_count; ++i) {
        const argument& asked = r.from->arguments[i];
        const bound_argument& a = f.plan.arguments[r.first_argument + i];
        if (asked.counts) domain = &a;
        if (!domain || domain->form == argument_form::payload) continue;
        const index_t n = extent_of(f, *domain);
        if (n < 0) throw error(place_of(f, r), "runs over a negative number of elements");
        if (!asked.each) continue;
        const index_t count = static_cast<index_t>(f.slots[a.at].count);
        if (count != n && (asked.exact || r.from->equal_extents))
            throw error(place_of(f, r), "needs extents that are equal; one of them is that of", asked.variable->name.read());
        if (count < n) throw error(place_of(f, r), "runs over more elements than there are in", asked.variable->name.read());
    }
}

// The extents of temps and the sizes of owned memory follow from the bindings; checks what nodes need of both.
inline void complete_extents(frame& f) {
    for (int v = 0; v < f.plan.count.named; ++v) {
        if (f.plan.variables[v].info->kind == variable_kind::scalar) f.slots[v].count = 1;
        if (f.plan.variables[v].info->like) f.slots[v].count = count_of(f, v);
    }
    for (int v = 0; v < f.plan.count.named; ++v)
        if (f.slots[v].bound && !f.slots[v].pointer && !f.slots[v].object && f.slots[v].count > 0)
            throw error({f.plan.variables[v].info->name.read(), "", 0}, "is bound to a null pointer: bind memory that exists");
    for (int r = 0; r < f.plan.count.rows; ++r)
        if (f.plan.rows[r].kind == row_kind::work) check_extents(f, f.plan.rows[r]);
}

// The bytes that the run must own for a variable: temps, unbound scalars, hidden memory.
inline std::size_t owned_bytes(const frame& f, int v) {
    const planned_variable& planned = f.plan.variables[v];
    if (!planned.info) return planned.bytes;
    if (f.slots[v].bound) return 0;
    const bool owned = planned.info->kind == variable_kind::temp || planned.info->kind == variable_kind::scalar;
    return owned ? f.slots[v].count * planned.info->size : 0;
}

constexpr std::size_t arena_alignment = 256;

// The bytes of all owned memory; where `base` is given, points the slots into it.
inline std::size_t lay_out(frame& f, char* base) {
    std::size_t offset = 0;
    for (int v = 0; v < f.plan.count.variables; ++v) {
        const std::size_t bytes = owned_bytes(f, v);
        if (bytes == 0) continue;
        if (base) f.slots[v].pointer = base + offset;
        offset += (bytes + arena_alignment - 1) / arena_alignment * arena_alignment;
    }
    return offset;
}

// The values that an expression keeps and the bindings of one run, checked. Bindings must outlive the frame.
template <class E, class... B>
void fill_frame(frame& f, E const& e, B const&... bindings) {
#if !defined(__CUDA_ARCH__)
    require_runnable<typename E::self, B...>();
#endif
    (bind(f, bindings), ...);
    addresses(e.kept, f.payloads.begin());
    complete_extents(f);
}

}  // namespace cograph
