// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "batched.hpp"
#include "hunt.hpp"
#include "vocabulary.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <span>

#ifdef __CUDACC__
#include "device.cuh"
#endif

// A random program in every way, against its plain form, which knows nothing of the library.
namespace random_programs {

struct host_place {
    template <class T>
    std::span<T> operator()(std::vector<T>& member) {
        return member;
    }
    template <class T>
    T* operator()(T& member) {
        return &member;
    }
};

inline memory start(index_t n, index_t m) {
    memory made;
    made.a.resize(static_cast<std::size_t>(n));
    made.b.resize(static_cast<std::size_t>(n));
    made.c.resize(64);
    made.d.resize(static_cast<std::size_t>(m));
    made.e.resize(static_cast<std::size_t>(m));
    integer x = 1;
    for (auto* integers : {&made.a, &made.b, &made.c})
        for (auto& element : *integers) element = x = wrap(x * 31 + 7);
    for (auto* reals : {&made.d, &made.e})
        for (auto& element : *reals) element = static_cast<double>(x = wrap(x * 31 + 7));
    return made;
}

// Some memory, and what one run and the next shall leave there.
template <class Program>
struct example {
    memory start, once, twice;
    explicit example(const memory& m) : start(m), once(m) {
        inner_memory inner(m);
        Program::compute(once, inner);
        twice = once;
        Program::compute(twice, inner);
    }
};

inline bool same(const char* title, const char* way, const memory& found, const memory& expected) {
    if (found == expected) return true;
    std::printf("%s: %s differs from the plain form\n", title, way);
    return false;
}

// Whether nodes become one kernel in the lowered form, which has no host implementation then.
constexpr bool joins_nodes(const core::node_spec& tree) {
    if (core::has_fused(tree, core::graph_for::many_elements)) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (joins_nodes(*tree.children[i])) return true;
    return false;
}

// Whether a loop's nodes over few elements wait for each other by themselves.
template <class E>
bool has_phases() {
    for (const phase_status one : core::phase_table<E>().of)
        if (core::is_in_phase(one)) return true;
    return false;
}

// How many of its ways go wrong. The title says how to make it again.
template <class Program>
int check(const char* title) try {
    if (only >= 0 && std::atoi(std::strrchr(title, ' ') + 1) != only) return 0;
    [[maybe_unused]] static constexpr auto expression = Program::expression();
    const example<Program> given(start(Program::n, Program::m));
    int wrong = 0;
    const auto compare = [&](const char* way, const char* again, auto run) {
        memory m = given.start;
        host_place at;
        Program::with_bindings(m, at, run);
        wrong += !same(title, way, m, given.once);
        Program::with_bindings(m, at, run);
        wrong += !same(title, again, m, given.twice);
    };
    compare("simulate", "simulate, a second time", [](auto... bindings) { simulate(expression, bindings...); });
    using E = std::remove_const_t<decltype(expression)>;
    with_phases += has_phases<E>();
    if constexpr (!joins_nodes(E::tree))
        compare("simulate, lowered", "simulate, lowered, a second time", [](auto... bindings) {
            loop_report<E> report;
            core::simulate_planned<core::lowered<E, core::graph_for::many_elements>>(report.loops, core::serial_context{}, expression, core::no_watch{}, bindings...);
        });
    wrong += wrong_in_a_batch<Program>(title, given.start);
#ifdef __CUDACC__
    memory other = start(Program::other_n, Program::other_m);
    other.k = 2;
    other.v = 5;
    other.limit = 200;
    other.wish = color::red;
    wrong += check_on_device(title, expression, given, example<Program>(other));
#endif
    return wrong;
} catch (const std::exception& error) {
    std::printf("%s: %s\n", title, error.what());
    return 1;
}

}  // namespace random_programs
