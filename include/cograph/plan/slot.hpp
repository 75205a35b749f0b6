// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/stage.hpp>
#include <cograph/heap_array.hpp>
#include <cograph/plan/run_plan.hpp>

#include <cstdint>

namespace cograph::core {

// What a variable stands for in one run.
struct slot {
    void* pointer = nullptr;       // of memory
    std::size_t count = 0;         // its elements; of hidden memory, its bytes
    const void* object = nullptr;  // of values and views: the bound object
    bool bound = false;
};

// One run of a plan: everything that an executor needs of an expression, without its type.
struct frame {
    const plan_view& plan;
    const lifetime_view& lifetimes;
    void (*place_temps)(const frame&, arena_layout&, bool share);
    const record* records;
    bool warms_up = true;   // captured calls that ask for it
    heap_memory memory;     // of the two behind it
    slot* slots;            // by variable, hidden ones too
    const void** payloads;  // by number of kept value

    frame(const run_plan& of, const record* with)
        : plan(of.plan), lifetimes(of.lifetimes), place_temps(of.place_temps), records(with), memory(plan.count.variables + plan.count.payloads, sizeof(slot)),
          slots(static_cast<slot*>(memory.get())), payloads(reinterpret_cast<const void**>(slots + plan.count.variables)) {
        for (int v = plan.count.named; v < plan.count.variables; ++v)
            slots[v].count = is_condition(v) ? plan.variables[v].resets : plan.variables[v].bytes;
    }

    // Their slots are what conditions get as a tally.
    bool is_condition(int v) const { return v >= plan.count.named && v < plan.count.named + plan.count.conditions; }

    void set(const variable_info* variable, slot const& to) {
        for (int v = 0; v < plan.count.named; ++v)
            if (plan.variables[v].info == variable) slots[v] = to;
    }
};

// The address of a parameter's bytes, as cudaLaunchKernel takes it. Little-endian: an extent serves as a 4-byte integer too.
inline const void* parameter_address(const frame& f, const bound_argument& a) {
    static constexpr char empty = 0;
    switch (a.form) {
        case argument_form::object: return f.slots[a.at].object;
        case argument_form::extent: return &f.slots[a.at].count;
        case argument_form::payload: return f.payloads[a.at];
        case argument_form::stateless: return &empty;
        case argument_form::count: return &f.records[a.at].shape.count;
        case argument_form::workspace: return &f.slots[a.at];
        default: return &f.slots[a.at].pointer;
    }
}

inline void parameter_addresses(const frame& f, const row& r, const void** to) {
    for (int i = 0; i < r.argument_count; ++i) to[i] = parameter_address(f, f.plan.arguments[r.first_argument + i]);
}

inline place place_of(const record& where, const seed& node) {
    return {where.label ? name_view(where.label) : node.name.read(), where.file, where.line};
}
inline place place_of(const frame& f, const row& r) { return place_of(f.records[r.leaf], *r.from); }

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

// The number of elements of a variable: a temp has those of the one whose extent it takes.
inline std::size_t count_of(const frame& f, int v) {
    const variable_info* like = f.plan.variables[v].info->like;
    for (int w = 0; like && w < f.plan.count.named; ++w)
        if (f.plan.variables[w].info == like) return count_of(f, w);
    return f.slots[v].count;
}

}  // namespace cograph::core
