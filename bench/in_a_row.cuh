// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench.cuh"

#include <cograph.cuh>

// One launch of a graph makes this many results, one after the other: what an algorithm costs inside a program.
constexpr int in_a_row = 10;

constexpr auto repeated(auto e) {
    return cograph::seq(e, e, e, e, e, e, e, e, e, e);
}

template <class Call>
void capture(const bench::gpu& g, by_hand::graph& into, Call call) {
    bench::check(cudaGraphDestroy(into.handle));
    bench::check(cudaStreamBeginCapture(g.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < in_a_row; ++i) call();
    bench::check(cudaStreamEndCapture(g.stream, &into.handle));
    into.instantiate();
}
