// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/variable.hpp>
#include <cograph/host/refused/check.hpp>

#include <vector>

namespace cograph::core {

// Options of a check, after its bindings.

// Looks at the first of every n runs of a node.
struct check_interval {
    index_t every;
};
inline check_interval check_every_nth(index_t n) { return {n < 1 ? 1 : n}; }

// States that nodes change a variable by atomic operations. Several elements may then change one place; the check is
// whether the results depend on their order. Floating-point sums do so by rounding: results may differ by `tolerance`
// times the largest of them.
struct atomic_variable {
    const variable_info* variable;
    double tolerance;
};
template <class V>
    requires is_fine<decltype(diagnose_atomic<V>())>
constexpr atomic_variable atomic(V, double tolerance = 1e-5) {
    return {&info_of<typename V::tag>, tolerance};
}

// Says that the order of a variable's elements means nothing, as in a list that elements append to.
struct unordered_variable {
    const variable_info* variable;
};
template <class V>
    requires is_fine<decltype(diagnose_atomic<V>())>
constexpr unordered_variable unordered(V) {
    return {&info_of<typename V::tag>};
}

// The start of the random orders of elements.
struct order_seed {
    unsigned long long number;
};
constexpr order_seed check_seed(unsigned long long number) { return {number}; }

// The tolerance of results on a GPU, relative to the largest number in their variable.
struct result_tolerance {
    double relative;
};
constexpr result_tolerance check_tolerance(double relative) { return {relative}; }

// Leaves out hints, and the runs that find them: those have other values in variables than the expression would have.
struct no_hints {};
inline constexpr no_hints without_hints{};

// Runs nodes in further orders, one for each bit of an element's number, so that any two elements are in different halves of one.
struct every_pair {};
inline constexpr every_pair check_all_pairs{};

template <>
inline constexpr bool is_check_option<check_interval> = true;
template <>
inline constexpr bool is_check_option<atomic_variable> = true;
template <>
inline constexpr bool is_check_option<unordered_variable> = true;
template <>
inline constexpr bool is_check_option<order_seed> = true;
template <>
inline constexpr bool is_check_option<no_hints> = true;
template <>
inline constexpr bool is_check_option<result_tolerance> = true;
template <>
inline constexpr bool is_check_option<every_pair> = true;

// All of them.
struct check_options {
    index_t every = 1;
    unsigned long long seed = 1;
    bool hints = true, all_pairs = false;
    double tolerance = 1e-6;
    std::vector<atomic_variable> atomics;
    std::vector<unordered_variable> lists;

    void add(check_interval o) { every = o.every; }
    void add(order_seed o) { seed = o.number; }
    void add(no_hints) { hints = false; }
    void add(every_pair) { all_pairs = true; }
    void add(result_tolerance o) { tolerance = o.relative; }
    void add(atomic_variable o) { atomics.push_back(o); }
    void add(unordered_variable o) { lists.push_back(o); }
    template <class Binding>
    void add(Binding const&) {}

    // The tolerance of a variable; negative if none is given.
    double tolerance_of(const variable_info* v) const {
        for (const atomic_variable& a : atomics)
            if (a.variable == v) return a.tolerance;
        return -1;
    }
    bool is_unordered(const variable_info* v) const {
        for (const unordered_variable& u : lists)
            if (u.variable == v) return true;
        return false;
    }
};

// Calls `run` with the bindings among the arguments of a check.
template <class Run>
auto with_bindings(Run const& run) {
    return run();
}
template <class Run, class First, class... Rest>
auto with_bindings(Run const& run, First const& first, Rest const&... rest) {
    if constexpr (is_check_option<First>)
        return with_bindings(run, rest...);
    else
        return with_bindings([&](auto const&... more) { return run(first, more...); }, rest...);
}

}  // namespace cograph::core
