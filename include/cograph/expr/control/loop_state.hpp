// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// How a loop ended when it ran last.
enum class ending : unsigned {
    none,       // it was not met
    predicate,  // its predicate did not hold
    limit,      // at_most stopped it while its predicate held
    overflow,   // a length in its body, first(n), was beyond the capacity
    kernel      // a kernel of the user's decided so, and nobody counted iterations
};
// As a loop's test answers: 0 no, 1 go on, 2 the limit, 3 an overflow.
constexpr unsigned overflow_answer = 3;
COGRAPH_HD constexpr ending ending_for(unsigned answer) {
    return answer == 0 ? ending::predicate : answer == overflow_answer ? ending::overflow : ending::limit;
}

// The state of a loop in the last run.
struct loop_state {
    index_t iterations = 0;            // of its body, in all
    index_t entries = 0;           // how often it was met
    index_t iteration = 0;             // iterations since it was met, of loops that count them to decide
    ending ended = ending::none;
    unsigned over_from = 0;        // of loops that are unrolled: the first of the iterations since the last decision that is not to run;
                                   // of loops with lengths, which are not: whether one was beyond its capacity since the last test
};

// How a condition reaches the state of its loop. States of inner loops follow it, in program order; the first
// condition of a loop or branch outside of all others clears that many of them. In a further iteration of an unrolled
// loop, the number of the iteration is there.
struct loop_counter {
    loop_state* at;
    std::size_t resets;

    COGRAPH_HD void clear() const {
        for (std::size_t i = 0; i < resets; ++i) at[i] = loop_state{};
    }
    COGRAPH_HD void enter() const {
        clear();
        add(at->entries, 1);
    }
    COGRAPH_HD void leave(index_t iterations, unsigned answer) const {
        add(at->iterations, iterations);
        at->ended = ending_for(answer);
    }
    // On a device without waiting for the sum.
    COGRAPH_HD static void add(index_t& to, index_t count) {
#if defined(__CUDA_ARCH__)
        atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(count));
#else
        to += count;
#endif
    }
};

// How a node with a length leads to the loop around it.
struct enclosing_loop {
    loop_state* at;

    // On a device, the thread of element 0 reports it.
    COGRAPH_HD void overflows() const {
#if defined(__CUDA_ARCH__)
        if (blockIdx.x != 0 || threadIdx.x != 0) return;
#endif
        if (at) at->over_from = 1;
    }
};

}  // namespace cograph::core
