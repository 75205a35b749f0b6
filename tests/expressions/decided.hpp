// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cograph/decided_by.hpp>

#include <vector>

// Loops and branches that __global__ functions decide about.
namespace expressions::decided {

using namespace cograph;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct asked : scalar<asked, int> {} asked;
inline constexpr struct k : scalar<k, int> {} k;
inline constexpr struct most : value<most, int> {} most;

// Does a part of the work, and then says whether there is more.
#ifdef __CUDACC__
#define SET_CONDITION(handle, to) cudaGraphSetConditional(handle, to)
#else
#define SET_CONDITION(handle, to) static_cast<void>(handle), static_cast<void>(to)
#endif
DEFINE_TEST_KERNEL void add_to_each(int* values, index_t count, int what) {
    if (thread_number() < count) values[thread_number()] += what;
}
inline void add_to_each_on_host(int* values, index_t count, int what) {
    for (index_t at = 0; at < count; ++at) values[at] += what;
}
// [kernel]
DEFINE_TEST_KERNEL void ask(const int* values, int limit, int* times, unsigned long long handle) {
    if (thread_number() != 0) return;
    ++*times;
    SET_CONDITION(handle, values[0] < limit ? 2u : 0u);  // any number but zero goes on
}
inline int ask_on_host(const int* values, int limit, int* times) {
    ++*times;
    return values[0] < limit ? 2 : 0;
}
// [/kernel]
// Not at the end of its parameters, and nothing but the numbers of elements says how many there are.
DEFINE_TEST_KERNEL void ask_first(unsigned long long handle, index_t count, int* times) {
    if (thread_number() == 0) SET_CONDITION(handle, ++*times % 4 != 0 && count > 2);
}
inline bool ask_first_on_host(index_t count, int* times) { return ++*times % 4 != 0 && count > 2; }

constexpr auto add(int what) { return kernel<add_to_each, add_to_each_on_host>(over(x).block(64))(x, extent(x), what); }
// [decided]
constexpr auto below(int limit) { return decided_by<ask, ask_on_host>(grid(1).block(32))(in(x), limit, inout(asked), conditional_handle); }
// [/decided]
constexpr auto three_times = decided_by<ask_first, ask_first_on_host>(over(x).block(32))(conditional_handle, extent(x), inout(asked));

struct numbers {
    std::vector<int> x_ = std::vector<int>(100, 1);
    int asked_ = 0;

    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), asked(at(asked_)));
    }
    void add_to_all(int what) {
        for (int& number : x_) number += what;
    }
    bool is_below(int limit) { return ++asked_, x_[0] < limit; }
    bool operator==(const numbers&) const = default;
};

// Tested first: the second time it is met, it does not run.
struct tested_first : numbers {
    static constexpr auto expression() { return seq(loop_while(below(20), add(3)), add(1)); }
    void compute() {
        while (is_below(20)) add_to_all(3);
        add_to_all(1);
    }
};
// A body of two user kernels, of which the last decides.
struct tested_last : numbers {
    // [loop]
    static constexpr auto expression() { return do_while(seq(add(3), add(2)), below(20)); }
    // [/loop]
    void compute() {
        do {
            add_to_all(3);
            add_to_all(2);
        } while (is_below(20));
    }
};
struct branches : numbers {
    static constexpr auto expression() { return seq(when(below(5), add(10), otherwise(add(1))), when(below(1000), seq()), add(1)); }
    void compute() {
        add_to_all(is_below(5) ? 10 : 1);
        is_below(1000);
        add_to_all(1);
    }
};
// Decided loops and branches in each other and in loops of the library, which are one kernel there; each begins again
// whenever it is met.
struct in_each_other : numbers {
    int k_ = 0;
    static constexpr auto expression() {
        return repeat(3, seq(assign(asked, 0), do_while(seq(add(1), when(below(30), loop_while(k < 7, assign(k, k + 2)), otherwise(assign(k, 0)))), three_times), loop_while(below(40), add(9))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), asked(at(asked_)), k(at(k_)));
    }
    void compute() {
        for (int times = 0; times < 3; ++times) {
            asked_ = 0;
            do {
                add_to_all(1);
                if (is_below(30))
                    while (k_ < 7) k_ += 2;
                else
                    k_ = 0;
            } while (++asked_ % 4 != 0);
            while (is_below(40)) add_to_all(9);
        }
    }
    bool operator==(const in_each_other&) const = default;
};
// A kernel over no elements decides all the same.
struct over_nothing : numbers {
    over_nothing() { x_.clear(); }
    static constexpr auto expression() { return seq(do_while(seq(add(1), assign(asked, asked + 1)), three_times), assign(asked, asked + 1)); }
    void compute() { asked_ += 3; }
};

using cases = std::tuple<tested_first, tested_last, branches, in_each_other, over_nothing>;
#undef SET_CONDITION

}  // namespace expressions::decided
