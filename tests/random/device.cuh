// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../device_memory.cuh"
#include "../device_place.cuh"
#include "hunt.hpp"
#include "vocabulary.hpp"

#include <cograph.cuh>

#include <cstdio>

// The ways that need a GPU.
namespace random_programs {

using device_memory::device_place;
using device_memory::must;

bool same(const char* title, const char* way, const memory& found, const memory& expected);

template <class Program>
struct example;

// A graph launched twice from two streams; then bound to other memory of another length, while it runs.
template <class Program, class Make>
int check_graph(const char* title, const char* way, const example<Program>& given, const example<Program>& other, Make make) {
    const device_memory::stream first, second;
    int wrong = 0;
    device_place at, at_other;
    memory m = given.start, m_other = other.start;
    Program::with_bindings(m, at, [&](auto... bindings) {
        auto exec = make(bindings...);
        exec.launch(first);
        first.wait();
        at.bring_back();
        wrong += !same(title, way, m, given.once);
        Program::with_bindings(m_other, at_other, [&](auto... others) {
            exec.launch(second);
            if constexpr (sizeof...(others) > 0) exec.update(others...);
            exec.launch(first);
            first.wait();
            second.wait();
            at.bring_back();
            at_other.bring_back();
            wrong += !same(title, way, m, given.twice);
            if constexpr (sizeof...(others) > 0) wrong += !same(title, way, m_other, other.once);
        });
        for (int i = 0; i < more_launches; ++i) {
            exec.launch(first);
            first.wait();
        }
    });
    return wrong;
}

// Runs once on a stream.
template <class Program, class E>
int check_stream(const char* title, const char* way, const E& expression, const example<Program>& given) {
    int wrong = 0;
    device_place at;
    memory m = given.start;
    Program::with_bindings(m, at, [&](auto... bindings) {
        run_on(cudaStreamPerThread, expression, bindings...);
        must(cudaStreamSynchronize(cudaStreamPerThread));
        at.bring_back();
        wrong += !same(title, way, m, given.once);
    });
    return wrong;
}

// A way that ends with an exception has gone wrong, and says so.
template <class Check>
int named(const char* title, const char* way, Check check) try {
    return check(way);
} catch (const std::exception& error) {
    std::printf("%s: %s: %s\n", title, way, error.what());
    return 1;
}

template <class Program, class E>
int check_on_device(const char* title, const E& expression, const example<Program>& given, const example<Program>& other) {
    const auto graph = [&](const char* way) {
        return check_graph(title, way, given, other, [&](auto... bindings) {
            if constexpr (Program::in_a_pool)
                return instantiate(expression, use(pool()), bindings...);
            else
                return instantiate(expression, bindings...);
        });
    };
    const auto nodes = [&](const char* way) {
        return check_graph(title, way, given, other, [&](auto... bindings) { return instantiate(as_nodes(expression), bindings...); });
    };
    const auto stream = [&](const char* way) { return check_stream(title, way, expression, given); };
    return named(title, "the graph", graph) + named(title, "the graph, node by node", nodes) + named(title, "the stream", stream);
}

}  // namespace random_programs
