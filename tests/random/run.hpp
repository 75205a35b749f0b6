// SPDX-License-Identifier: Apache-2.0
#pragma once

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

template <class Program>
memory start() {
    memory m;
    m.a.resize(Program::n);
    m.b.resize(Program::n);
    m.c.resize(64);
    m.d.resize(Program::m);
    m.e.resize(Program::m);
    integer x = 1;
    for (auto* integers : {&m.a, &m.b, &m.c})
        for (auto& element : *integers) element = x = wrap(x * 31 + 7);
    for (auto* reals : {&m.d, &m.e})
        for (auto& element : *reals) element = static_cast<double>(x = wrap(x * 31 + 7));
    return m;
}

inline bool same(const char* title, const char* way, const memory& found, const memory& expected) {
    if (found == expected) return true;
    std::printf("%s: %s differs from the plain form\n", title, way);
    return false;
}

// How many of its ways go wrong. The title says how to make it again.
template <class Program>
int check(const char* title) try {
    if (only >= 0 && std::atoi(std::strrchr(title, ' ') + 1) != only) return 0;
    [[maybe_unused]] static constexpr auto e = Program::expression();
    memory once = start<Program>();
    inner_memory inner(once);
    Program::compute(once, inner);
    memory twice = once;
    Program::compute(twice, inner);

    int wrong = 0;
    memory m = start<Program>();
    host_place at;
    const auto simulate_it = [&](auto... bindings) { simulate(e, bindings...); };
    Program::with_bindings(m, at, simulate_it);
    wrong += !same(title, "simulate", m, once);
    Program::with_bindings(m, at, simulate_it);
    wrong += !same(title, "simulate, a second time", m, twice);
#ifdef __CUDACC__
    wrong += check_on_device<Program>(title, e, start<Program>(), once, twice);
#endif
    return wrong;
} catch (const std::exception& error) {
    std::printf("%s: %s\n", title, error.what());
    return 1;
}

}  // namespace random_programs
