// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/variable.hpp>
#include <cograph/run/launch/preflight.cuh>
#include <cograph/run/memory/handle.cuh>
#include <cograph/run/memory/pool.cuh>

#include <vector>

namespace cograph::core {

// Called with the reason before a callable runs without its graph: each reason once. An exception from it propagates,
// in place of the run. Prints a line to stderr unless set.
struct log_hook {
    void (*say)(const char* why, void* context) = [](const char* why, void*) { std::fprintf(stderr, "%s\n", why); };
    void* context = nullptr;
};

// How a callable treats its arguments.
struct callable_options {
    bool aliases_inputs = false;  // inputs stay at their sample arguments, which then must outlive the callable
    bool copies = true;           // else a call with an argument at another address runs without the graph
    bool warm_up = true;          // a stream function is called before it is captured
    int warm_ups = 1;             // so often
    log_hook log = {};
    memory_choice memory = {};            // of the graph's temps: use(pool) if callables never run at the same time
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
    // The memory of a variable: that of the sample argument if it stays there, else memory of this.
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

}  // namespace cograph::core
