// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/replay/disturbed_elements.hpp>
#include <cograph/host/replay/element_types.hpp>
#include <cograph/plan/analysis/arena.hpp>
#include <cograph/plan/bind/frame.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

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
    unsigned char guard = 0xa5;  // the byte around variables; of 0xa5, each has another
    int guarded = all;           // or around one of them; the others have 0xa5
    int disturbed = nothing;     // a variable whose first elements hold other values
    index_t disturbed_count = 0;
    int unset = nothing;         // or one some of whose elements hold that byte
    const std::vector<index_t>* unset_elements = nullptr;
    unsigned char unset_byte = 0;
};

inline bool holds_byte(const char* memory, std::size_t bytes, unsigned char byte) {
    return bytes == 0 || (static_cast<unsigned char>(*memory) == byte && std::memcmp(memory, memory + 1, bytes - 1) == 0);
}

// Asks for large pages: the first use of each small one of fresh memory costs more than a node's run over it.
inline void prefer_large_pages([[maybe_unused]] char* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::size_t large = std::size_t{2} << 20;
    const std::size_t before = (large - reinterpret_cast<std::uintptr_t>(memory) % large) % large;
    if (bytes >= before + large) madvise(memory + before, (bytes - before) / large * large, MADV_HUGEPAGE);  // if it cannot, no matter
#endif
}

// Copies of the memory that a node accesses, with guards around each variable: the memory of its first run, with the results of
// written variables, and of its further runs. The state of written variables in the middle of a run is copied, too.
class checked_memory {
public:
    explicit checked_memory(const frame& f) : f_(f), copies_(f.plan.count.named + 1) {
        for (int v = 0; v < f.plan.count.named; ++v) {
            if (!is_memory(v)) continue;
            const std::size_t few = 16 * f.plan.variables[v].info->size;
            copy& c = copies_[v];
            c.guard = aligned(few < 512 ? 512 : few);
            c.work = work_bytes_ + c.guard;
            work_bytes_ = c.work + aligned(bytes(v)) + c.guard;
            c.result = result_bytes_ + c.guard;
            if (is_written(v)) result_bytes_ = c.result + aligned(bytes(v)) + c.guard;
        }
    }

    bool is_memory(int v) const {
        const slot& s = f_.slots[v];
        return !s.object && s.count > 0 && (s.pointer || copies_[v].master);
    }
    const variable_info& info(int v) const { return *f_.plan.variables[v].info; }
    index_t count(int v) const { return static_cast<index_t>(f_.slots[v].count); }
    std::size_t bytes(int v) const { return f_.slots[v].count * info(v).size; }

    // Whether elements of a variable can be given other values; and those.
    bool can_be_disturbed(int v) const { return how_to_disturb(v) != disturbance::none; }
    void disturb(int v, char* at, index_t elements) const { disturb_elements(how_to_disturb(v), info(v).size, at, elements); }

    // The variable's memory for nodes.
    char* present(int v) const { return static_cast<char*>(f_.slots[v].pointer); }
    char* work(int v) const { return work_ + copies_[v].work; }
    // Copies of variables that nodes write.
    char* first(int v) const { return first_ + copies_[v].result; }
    char* middle(int v) const { return middle_ + copies_[v].result; }
    // The contents of the variable before the node, restored after the check.
    char* master(int v) const { return copies_[v].master; }

    // From here to `leave`, nodes find the copies: those of the first run, then `go_on`.
    void enter(const std::vector<touched_variable>& touched) {
        if (!work_) allocate();
        for (const touched_variable& t : touched) {
            const int v = t.variable;
            copies_[v].master = present(v);
            char* const to = writes(t.how) ? first(v) : work(v);
            std::memcpy(to, master(v), bytes(v));
            if (writes(t.how))
                surround(v, to, first_guard);  // again: an earlier node may have written beyond its own
            else
                surround(v, first_guard);
            f_.slots[v].pointer = to;
        }
    }
    void go_on(const std::vector<touched_variable>& touched) const {
        for (const touched_variable& t : touched) f_.slots[t.variable].pointer = work(t.variable);
    }
    // The results of the first run are the node's results.
    void leave(const std::vector<touched_variable>& touched) {
        for (const touched_variable& t : touched) {
            if (writes(t.how)) std::memcpy(master(t.variable), first(t.variable), bytes(t.variable));
            f_.slots[t.variable].pointer = master(t.variable);
            copies_[t.variable].master = nullptr;
        }
    }

    // The state of a run after the first. With inputs: read-only variables are restored, too. Changed: a variable that has to be, in
    // its first elements.
    void start(const std::vector<touched_variable>& touched, const run_start& s, bool with_inputs, int changed, index_t changed_count) const {
        for (const touched_variable& t : touched) {
            const int v = t.variable;
            char* const memory = work(v);
            surround(v, s.guarded == run_start::all || s.guarded == v ? s.guard : first_guard);
            const bool poisoned = s.poison >= 0 && t.only_written() && (s.poisoned == run_start::all || s.poisoned == v);
            const std::size_t size = info(v).size;
            if (poisoned)
                std::memset(memory, s.poison, bytes(v));
            else if (writes(t.how) || with_inputs || s.unset == v)
                std::memcpy(memory, master(v), bytes(v));
            else if (changed == v)
                std::memcpy(memory, master(v), static_cast<std::size_t>(changed_count) * size);
            for (std::size_t i = 0; s.unset == v && i < s.unset_elements->size(); ++i)
                std::memset(memory + static_cast<std::size_t>((*s.unset_elements)[i]) * size, s.unset_byte, size);
            if (s.disturbed == v) disturb(v, memory, s.disturbed_count);
        }
    }

    void surround(int v, unsigned char guard) const { surround(v, work(v), guard); }
    // Whether the guards of a variable are unchanged.
    bool is_guarded(int v, unsigned char guard) const { return is_guarded(v, work(v), guard); }
    // The same of the first run.
    bool first_is_guarded(const touched_variable& t) const { return is_guarded(t.variable, writes(t.how) ? first(t.variable) : work(t.variable), first_guard); }
    static constexpr unsigned char first_guard = 0xa5;

    void keep_middle(const touched_variable& t) const { std::memcpy(middle(t.variable), work(t.variable), bytes(t.variable)); }

private:
    struct copy {
        std::size_t guard, work, result;  // bytes around it, and its places in the memory of runs and in that of results
        char* master;
        disturbance how;
    };
    disturbance how_to_disturb(int v) const {
        disturbance& how = copies_[v].how;
        if (how == disturbance::not_looked_up) how = disturbance_of(info(v));
        return how;
    }
    bool is_written(int v) const {
        for (int i = 0; i < f_.plan.count.nodes; ++i) {
            const plan_node& r = f_.plan.nodes[i];
            for (int a = 0; r.kind == plan_node_kind::work && a < r.argument_count; ++a)
                if (f_.plan.arguments[r.first_argument + a] == v && writes(r.from->arguments[a].access)) return true;
        }
        return false;
    }
    void allocate() {
        work_ = aligned_memory(of_work_, work_bytes_);
        first_ = aligned_memory(of_first_, result_bytes_);
        middle_ = aligned_memory(of_middle_, result_bytes_);
    }
    static char* aligned_memory(heap_memory& owner, std::size_t bytes) {
        owner = heap_memory::raw(bytes + arena_alignment);
        char* const begin = static_cast<char*>(owner.get());
        prefer_large_pages(begin, bytes);
        return begin + (arena_alignment - reinterpret_cast<std::uintptr_t>(begin) % arena_alignment);
    }
    // What is copied from beyond one variable to beyond another one shows.
    static unsigned char guard_of(int v, unsigned char guard) { return guard == first_guard ? static_cast<unsigned char>(first_guard ^ (v & 0x1f)) : guard; }
    void surround(int v, char* at, unsigned char guard) const {
        std::memset(at - copies_[v].guard, guard_of(v, guard), copies_[v].guard);
        std::memset(at + bytes(v), guard_of(v, guard), copies_[v].guard);
    }
    bool is_guarded(int v, const char* at, unsigned char guard) const {
        guard = guard_of(v, guard);
        return holds_byte(at - copies_[v].guard, copies_[v].guard, guard) && holds_byte(at + bytes(v), copies_[v].guard, guard);
    }

    const frame& f_;
    heap_array<copy> copies_;
    std::size_t work_bytes_ = 0, result_bytes_ = 0;
    heap_memory of_work_, of_first_, of_middle_;
    char *work_ = nullptr, *first_ = nullptr, *middle_ = nullptr;
};

}  // namespace cograph::core
