// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/variable.hpp>
#include <cograph/run/launch/preflight.cuh>
#include <cograph/run/memory/handle.cuh>
#include <cograph/run/memory/pool.cuh>

#include <vector>

namespace cograph::core {

// Where a callable says why it is going to run without its graph: each reason once. What this throws passes through, in place of
// the run. Prints a line to stderr unless set.
struct log_hook {
    void (*say)(const char* why, void* context) = [](const char* why, void*) { std::fprintf(stderr, "%s\n", why); };
    void* context = nullptr;
};

// How a callable treats its arguments.
struct callable_options {
    bool aliases_inputs = false;  // inputs stay where their examples are, which then must outlive the callable
    bool copies = true;           // else a call with an argument at another address runs without the graph
    bool warm_up = true;          // a stream function is called once before it is captured
    log_hook log = {};
    memory_choice memory = {};            // of the graph's temps: use(pool) where callables never run at once
};

struct given_memory {
    void* memory;
    std::size_t bytes;
};

// Throws error when no memory is so large.
inline std::size_t bytes_of(const variable_info& variable, std::size_t count) {
    slot all{};
    all.count = count;
    check_memory(variable, all);
    return count * variable.size;
}

// Device memory that stands for variables in every run of one or two graphs: a piece for each.
class static_memory {
public:
    // The memory of a variable: where the example is if it stays there, else memory of this.
    void* place_of(const variable_info& variable, given_memory example, bool stays) {
        for (const piece& p : pieces_)
            if (p.variable == &variable) return p.place;
        piece made{&variable, example.memory, {}};
        if (!stays && example.bytes > 0) {
            check(cudaMalloc(made.owned.put(), example.bytes), "cudaMalloc", place{variable.name.read()});
            made.place = made.owned.get();
        }
        pieces_.push_back(static_cast<piece&&>(made));
        return pieces_.back().place;
    }

private:
    struct piece {
        const variable_info* variable;
        void* place;
        memory_owner owned;
    };
    std::vector<piece> pieces_;
};

// One argument of one call, and the static memory that stands for it; without a variable, a value.
struct call_memory {
    const variable_info* variable = nullptr;
    given_memory given = {}, at = {};
    bool in = false, out = false;
};

// What does not depend on types in a callable: moving arguments, and the reasons why a call is no launch.
class call_guard {
public:
    explicit call_guard(const callable_options& options) : options_(options), device_(check_gpu()) {
        if (options.memory.shared) options.memory.shared->check_device(device_, {});
    }

    // There is no graph.
    void tell_of_no_graph(const char* why) { refuse(0, why); }
    // There is one, and it could not be changed to what a call needs.
    void tell_of_graph_as_it_was(const char* why) { refuse(5, why); }

    // Whether a call can run on static memory; if not, says why.
    bool can_copy(const call_memory* arguments, int count) {
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        if (device != device_) return refuse(1, "another device is current than when it was made");
        for (const call_memory* a = arguments; a < arguments + count; ++a) {
            if (a->given.bytes != a->at.bytes) return refuse(2, "an argument has another number of elements than its example");
            if (!options_.copies && a->given.memory != a->at.memory)
                return refuse(3, "an argument is not in its static memory, and copies are switched off");
        }
        if (overwrites(arguments, count, true) || overwrites(arguments, count, false))
            return refuse(4, "an argument is in the static memory of another one, where a copy would overwrite it");
        return true;
    }

    // Copies inputs in, or outputs out, where the addresses differ.
    static void copy(const call_memory* arguments, int count, bool in, cudaStream_t stream) {
        for (const call_memory* a = arguments; a < arguments + count; ++a)
            if (is_copied(*a, in))
                check(cudaMemcpyAsync(to(*a, in), from(*a, in), a->at.bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync", place{a->variable->name.read()});
    }

private:
    static bool is_copied(const call_memory& a, bool in) { return (in ? a.in : a.out) && a.at.bytes > 0 && a.given.memory != a.at.memory; }
    static char* from(const call_memory& a, bool in) { return static_cast<char*>(in ? a.given.memory : a.at.memory); }
    static char* to(const call_memory& a, bool in) { return static_cast<char*>(in ? a.at.memory : a.given.memory); }

    // Whether one of the copies writes where it or a later one reads.
    static bool overwrites(const call_memory* arguments, int count, bool in) {
        for (int i = 0; i < count; ++i)
            for (int j = i; j < count; ++j) {
                const call_memory &a = arguments[i], &b = arguments[j];
                if (is_copied(a, in) && is_copied(b, in) && to(a, in) < from(b, in) + b.at.bytes && from(b, in) < to(a, in) + a.at.bytes) return true;
            }
        return false;
    }

    bool refuse(int reason, const char* why) {
        if (said_ >> reason & 1) return false;
        char text[1200];
        std::snprintf(text, sizeof text, "cograph: a callable runs without its graph: %s", why);
        options_.log.say(text, options_.log.context);
        said_ |= 1u << reason;  // not where it throws, which refuses every such call
        return false;
    }

    callable_options options_;
    int device_;
    unsigned said_ = 0;
};

}  // namespace cograph::core
