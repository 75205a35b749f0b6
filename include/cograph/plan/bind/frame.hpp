// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/core/heap_array.hpp>
#include <cograph/expr/stream/capture_style.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tables/plan_hooks.hpp>

#include <cstdint>

namespace cograph::core {

// The memory or number of a variable in one run.
struct slot {
    void* pointer = nullptr;       // of memory
    std::size_t count = 0;         // its elements; of hidden memory, its bytes
    const void* object = nullptr;  // of values and views: the bound object
    bool bound = false;
    bool differs = false;  // a number that each problem of a batch has: the host does not know it
    alignas(most_number_bytes) unsigned char number[most_number_bytes] = {};  // that the host computed
};

// One run of a plan: everything that an executor needs of an expression, without its type.
struct frame : run_plan {
    const record* records;
    bool warms_up = true;   // captured calls that ask for it
    bool moves_children = false;  // whose calls allocate memory: into graphs that are never copied
    stream_handle captures_on = nullptr;  // captured calls; null: streams made for that
    heap_memory memory;     // of the following two
    slot* slots;            // by variable, hidden ones too
    const void** kept_values;  // by number of kept value

    frame(const run_plan& of, const record* with)
        : run_plan(of), records(with), memory(plan.count.variables + plan.count.kept_values, sizeof(slot)),
          slots(static_cast<slot*>(memory.get())), kept_values(reinterpret_cast<const void**>(slots + plan.count.variables)) {
        for (int v = plan.count.named; v < plan.count.variables; ++v)
            slots[v].count = is_condition(v) ? static_cast<unsigned>(plan.variables[v].resets) : plan.variables[v].bytes;
    }

    // Their slots are what conditions get as a loop_counter.
    bool is_condition(int v) const { return v >= plan.count.named && v < plan.count.named + plan.count.conditions; }

    void set(const variable_info* variable, slot const& to) {
        for (int v = 0; v < plan.count.named; ++v)
            if (plan.variables[v].info == variable) slots[v] = to;
    }
};

// The address of a parameter's bytes, as cudaLaunchKernel takes it. Little-endian: an extent serves as a 4-byte integer too.
inline const void* parameter_address(const frame& f, const plan_node& r, int argument) {
    static constexpr char empty = 0;
    static void* const nowhere = nullptr;
    const int at = f.plan.arguments[r.first_argument + argument];
    switch (r.from->arguments[argument].form) {
        case argument_form::object: return f.slots[at].object;
        case argument_form::extent: return &f.slots[at].count;
        case argument_form::kept_value: return f.kept_values[at];
        case argument_form::computed: return f.slots[at].number;
        case argument_form::stateless: return &empty;
        case argument_form::count: return &f.records[at].shape.count;
        case argument_form::workspace: return &f.slots[at];
        case argument_form::loop_around: return at < 0 ? &nowhere : &f.slots[at].pointer;
        default: return &f.slots[at].pointer;
    }
}

// Of an argument that the kernel has already, none. Handle: of a kernel that decides, in a graph.
inline void parameter_addresses(const frame& f, const plan_node& r, const void** to, const void* handle = nullptr) {
    const lowered_argument* const lowered = lowering_of(*r.from).arguments;
    for (int i = 0; i < r.argument_count; ++i)
        if (!lowered || !lowered[i].again) *to++ = r.from->arguments[i].form == argument_form::conditional_handle ? handle : parameter_address(f, r, i);
}

inline place place_of(const record& where, const node_spec& node) {
    return {where.label ? name_view(where.label) : node.name.read(), where.file, where.line};
}
// Part: of nodes that are fused into one kernel, which one.
inline place place_of(const frame& f, const plan_node& r, int part = 0) {
    const node_spec* const* const parts = r.from->lowered ? r.from->lowered->parts : nullptr;
    return parts ? place_of(f.records[r.leaf + part], *parts[part]) : place_of(f.records[r.leaf], *r.from);
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
inline index_t extent_of(const frame& f, argument_form form, int at) {
    if (form == argument_form::extent) return static_cast<index_t>(f.slots[at].count);
    if (form == argument_form::object) return integer_value(*f.plan.variables[at].info, f.slots[at].object);
    return f.records[at].shape.count;
}

// How many elements a node runs over.
inline index_t domain_size(const frame& f, const plan_node& r) { return extent_of(f, r.from->domain.form, r.domain); }

// The number of elements of a variable: a temp has those of the one whose extent it takes, or that its formula says.
std::size_t count_of(const frame& f, int v);

inline int number_of(const frame& f, const variable_info* variable) {
    int v = 0;
    while (f.plan.variables[v].info != variable) ++v;
    return v;
}
inline size_result extent_in(const void* run, const variable_info& variable) {
    const frame& f = *static_cast<const frame*>(run);
    const int v = number_of(f, &variable);
    const void* const object = f.slots[v].object;
    const std::int64_t count = object ? integer_value(variable, object) : static_cast<std::int64_t>(count_of(f, v));
    return {count, count < 0 && !(object && variable.is_signed) ? "has a size that wraps around in 64 bits" : nullptr};
}
[[noreturn]] inline void refuse_size(const variable_info& temp, size_result size) {
    char text[96];
    std::snprintf(text, sizeof text, "would have %s: %lld elements", size.value < 0 ? "a negative size" : "more elements than memory can hold",
                  static_cast<long long>(size.value));
    throw error({temp.name.read()}, size.fault ? size.fault : text);
}
inline std::size_t count_of(const frame& f, int v) {
    const variable_info& info = *f.plan.variables[v].info;
    if (!info.size_by) return info.like ? count_of(f, number_of(f, info.like)) : f.slots[v].count;
    const size_result size = info.size_by->compute(*info.size_by, &extent_in, &f);
    if (info.kind == variable_kind::count && !size.fault) return static_cast<std::size_t>(size.value);  // the node says what is wrong with it
    if (size.fault || size.value < 0 || size.value > PTRDIFF_MAX / static_cast<index_t>(info.size)) refuse_size(info, size);
    return static_cast<std::size_t>(size.value);
}

}  // namespace cograph::core
