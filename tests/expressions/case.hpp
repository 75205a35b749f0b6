// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

// Begins a kernel that a header defines; in C++ it is never called, so it need not do anything.
#ifdef __CUDACC__
#define DEFINE_TEST_KERNEL static __global__
#else
#define DEFINE_TEST_KERNEL inline
#endif

// A test expression is a struct that holds the memory of its variables and offers
//   expression()     the expression
//   bindings(place)  its bindings; place(member) gives the memory that stands for a member in one run
//   compute()        what one run does to the members, in plain C++ that knows nothing of the library
//   ==               compares the members
// All numbers are such that every operation on them is exact: results must agree bit for bit, however they
// are computed.
namespace expressions {

using cograph::index_t;

// A case's expression, once: gcc stores what a function returns number by number wherever it is called, and takes minutes where there
// are thousands.
template <class Case>
inline constexpr auto expression_of = Case::expression();

// The members themselves.
struct host_place {
    template <class T>
    std::span<T> operator()(std::vector<T>& member) {
        return member;
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    T* operator()(T& member) {
        return &member;
    }
};

template <class Case, class Place, class Run>
decltype(auto) with_bindings(Case& c, Place& place, Run run) {
    return std::apply([&](auto... bindings) { return run(bindings...); }, c.bindings(place));
}

template <class Case>
auto run_simulated(Case& c) {
    host_place place;
    return with_bindings(c, place,
                         [](auto... bindings) { return cograph::simulate(expression_of<Case>, bindings...); });
}

// What the loops of a run did, without the type of its expression.
using loop_states = std::vector<cograph::core::loop_state>;
template <class E>
loop_states states_of(const cograph::loop_report<E>& report) {
    return loop_states(report.loops, report.loops + report.count);
}
inline bool same_loops(const loop_states& a, const loop_states& b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i)
        same = a[i].iterations == b[i].iterations && a[i].entries == b[i].entries && a[i].ended == b[i].ended;
    return same;
}

// The number of a kernel's thread; where kernels are only named, there is none.
#ifdef __CUDACC__
__device__ inline index_t thread_number() {
    return static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
#else
inline index_t thread_number() { return 0; }
#endif

}  // namespace expressions
