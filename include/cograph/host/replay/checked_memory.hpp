// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/replay/element_types.hpp>
#include <cograph/plan/analysis/arena.hpp>
#include <cograph/plan/bind/frame.hpp>
#include <cograph/plan/bind/number_format.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cograph::core {

// The accesses of a node to one variable, over all its arguments.
struct touched_variable {
    int variable = 0;
    access_mode how = access_mode::none;
    bool whole = false;      // written by a pointer or a reference, not by element alone
    bool by_element = true;  // each element of the node gets its own element alone
    bool is_result = false;  // of a reduction: no element writes it
    double tolerance = -1;   // of one that is changed by atomic operations; else negative
    bool unordered = false;
    elements_alike alike = nullptr;
    bool may_be_read = false;  // a run with other values in it gave other results, or could not be made
    bool was_written = false;

    bool only_written() const { return how == access_mode::write; }
    // Whether several elements may write one place.
    bool is_shared() const { return tolerance >= 0 || unordered || is_result; }
};

// The initial state of a run of a node, in place of the contents of its variables.
struct run_start {
    static constexpr int nothing = -1, all = -1;
    int poison = nothing;   // the byte that variables hold that are only written
    int poisoned = all;     // or one of these
    unsigned char guard = 0xa5;  // the byte around variables
    int guarded = all;           // or one of them; the others have 0xa5
    int disturbed = nothing;     // a variable that holds other values
    int unset = nothing;         // or one some of whose elements hold that byte
    const std::vector<index_t>* unset_elements = nullptr;
    unsigned char unset_byte = 0;
};

inline bool holds_byte(const char* memory, std::size_t bytes, unsigned char byte) {
    for (std::size_t i = 0; i < bytes; ++i)
        if (static_cast<unsigned char>(memory[i]) != byte) return false;
    return true;
}

// Whether elements are integers, by the name of their type.
inline bool is_integer(const variable_info& v) {
    for (const char* name : {"bool", "char", "signed char", "unsigned char", "short", "unsigned short", "short int", "short unsigned int", "int",
                             "unsigned int", "unsigned", "long", "unsigned long", "long int", "long unsigned int", "long long", "unsigned long long",
                             "long long int", "long long unsigned int"})
        if (v.element.read() == name) return true;
    return false;
}

template <class T>
void halve(char* at, index_t words) {
    for (index_t i = 0; i < words; ++i, at += sizeof(T)) {
        T number;
        std::memcpy(&number, at, sizeof(T));
        number = number == 0 ? T(1) : number / 2;
        std::memcpy(at, &number, sizeof(T));
    }
}
// Gives elements other values; false if none are known. Integers become zero, zero becomes one, and floating-point
// numbers half of themselves, which is as harmless as possible.
inline bool disturb_elements(const variable_info& v, char* at, index_t count) {
    const number_format format = format_of(v);
    if (format.words > 0 && format.bytes == 8) return halve<double>(at, count * format.words), true;
    if (format.words > 0 && v.element.read() == "float") return halve<float>(at, count * format.words), true;
    if (format.words > 0 || !is_integer(v)) return false;
    for (char* const end = at + static_cast<std::size_t>(count) * v.size; at != end; at += v.size) {
        const bool is_zero = holds_byte(at, v.size, 0);
        std::memset(at, 0, v.size);
        at[0] = is_zero;
    }
    return true;
}

// Copies of the memory that a node accesses, with guards around each variable: the node's memory while it is checked,
// the results of its first run, and the state in the middle of a run.
class checked_memory {
public:
    explicit checked_memory(const frame& f) : f_(f), offsets_(f.plan.count.named + 1), guards_(f.plan.count.named + 1), masters_(f.plan.count.named + 1) {
        std::size_t at = 0;
        for (int v = 0; v < f.plan.count.named; ++v) {
            if (!is_memory(v)) continue;
            const std::size_t few = 16 * f.plan.variables[v].info->size;
            guards_[v] = aligned(few < 512 ? 512 : few);
            offsets_[v] = at + guards_[v];
            at = offsets_[v] + aligned(bytes(v)) + guards_[v];
        }
        size_ = at + arena_alignment;
    }

    bool is_memory(int v) const {
        const slot& s = f_.slots[v];
        return !s.object && s.count > 0 && (s.pointer || masters_[v]);
    }
    const variable_info& info(int v) const { return *f_.plan.variables[v].info; }
    index_t count(int v) const { return static_cast<index_t>(f_.slots[v].count); }
    std::size_t bytes(int v) const { return f_.slots[v].count * info(v).size; }

    // What nodes find as the variable's memory.
    char* present(int v) const { return static_cast<char*>(f_.slots[v].pointer); }
    char* work(int v) const { return of(work_, v); }
    char* first(int v) const { return of(first_, v); }
    char* middle(int v) const { return of(middle_, v); }
    // The contents of the variable before the node, restored after the check.
    char* master(int v) const { return static_cast<char*>(masters_[v]); }

    // From here to `leave`, nodes find the copies.
    void enter(const std::vector<touched_variable>& touched) {
        if (!work_.get()) {
            work_ = heap_memory::raw(size_);
            first_ = heap_memory::raw(size_);
            middle_ = heap_memory::raw(size_);
        }
        for (const touched_variable& t : touched) {
            masters_[t.variable] = f_.slots[t.variable].pointer;
            f_.slots[t.variable].pointer = work(t.variable);
        }
        start(touched, {}, true);
    }
    // The results of the first run are the node's results.
    void leave(const std::vector<touched_variable>& touched) {
        for (const touched_variable& t : touched) {
            if (writes(t.how)) std::memcpy(master(t.variable), first(t.variable), bytes(t.variable));
            f_.slots[t.variable].pointer = masters_[t.variable];
            masters_[t.variable] = nullptr;
        }
    }

    // With inputs: read-only variables are restored, too.
    void start(const std::vector<touched_variable>& touched, const run_start& s, bool with_inputs) const {
        for (const touched_variable& t : touched) {
            const int v = t.variable;
            char* const memory = work(v);
            surround(v, s.guarded == run_start::all || s.guarded == v ? s.guard : 0xa5);
            const bool poisoned = s.poison >= 0 && t.only_written() && (s.poisoned == run_start::all || s.poisoned == v);
            if (poisoned)
                std::memset(memory, s.poison, bytes(v));
            else if (writes(t.how) || with_inputs || s.disturbed == v || s.unset == v)
                std::memcpy(memory, master(v), bytes(v));
            const std::size_t size = info(v).size;
            for (std::size_t i = 0; s.unset == v && i < s.unset_elements->size(); ++i)
                std::memset(memory + static_cast<std::size_t>((*s.unset_elements)[i]) * size, s.unset_byte, size);
        }
    }
    bool disturb(int v) const { return disturb_elements(info(v), work(v), count(v)); }

    void surround(int v, unsigned char guard) const {
        std::memset(work(v) - guards_[v], guard, guards_[v]);
        std::memset(work(v) + bytes(v), guard, guards_[v]);
    }
    // Whether the guards of a variable are unchanged.
    bool is_guarded(int v, unsigned char guard) const {
        return holds_byte(work(v) - guards_[v], guards_[v], guard) && holds_byte(work(v) + bytes(v), guards_[v], guard);
    }

    void keep(const std::vector<touched_variable>& touched, bool in_middle) const {
        for (const touched_variable& t : touched)
            if (writes(t.how)) std::memcpy(in_middle ? middle(t.variable) : first(t.variable), work(t.variable), bytes(t.variable));
    }

private:
    char* of(const heap_memory& memory, int v) const {
        char* const begin = static_cast<char*>(memory.get());
        return begin + (arena_alignment - reinterpret_cast<std::uintptr_t>(begin) % arena_alignment) + offsets_[v];
    }
    const frame& f_;
    heap_array<std::size_t> offsets_, guards_;
    heap_array<void*> masters_;
    std::size_t size_ = 0;
    heap_memory work_, first_, middle_;
};

}  // namespace cograph::core
