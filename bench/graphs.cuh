// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench.cuh"

#include <cograph.cuh>

// Two graphs without control flow, as expressions and by hand: a chain, and a lattice of forks and joins.
namespace graphs {

inline constexpr unsigned threads = 32;
inline constexpr int width = 8, rounds = 10;
inline constexpr int lattice_nodes = rounds * (width + 2);
inline constexpr int lattice_edges = rounds * (width + 1) + (rounds - 1) * (width + 1);

inline constexpr struct tally : cograph::buffer<tally, int> {} tally;
inline constexpr struct state : cograph::buffer<state, int> {} state;
inline constexpr struct saved : cograph::buffer<saved, int> {} saved;
template <int I>
struct lane : cograph::buffer<lane<I>, int> {};

template <int I>
__global__ void step(int* c) {
    if (threadIdx.x == 0) *c += I;
}

template <int I>
__global__ void spread(const int* from, int* to) {
    to[threadIdx.x] = from[threadIdx.x] + I;
}

static __global__ void gather(int* to, const int* a, const int* b, const int* c, const int* d, const int* e,
                       const int* f, const int* g, const int* h) {
    const unsigned i = threadIdx.x;
    to[i] = (a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]) / 8;
}

static __global__ void keep(const int* from, int* to) {
    to[threadIdx.x] = from[threadIdx.x];
}

template <int I>
constexpr auto step_node() {
    return cograph::kernel<step<I>>(cograph::grid(1).block(threads))(tally);
}

constexpr auto ten(auto e) {
    return cograph::seq(e, e, e, e, e, e, e, e, e, e);
}

template <int N>
constexpr auto chain() {
    if constexpr (N == 1) return step_node<1>();
    else if constexpr (N == 10)
        return cograph::seq(step_node<1>(), step_node<2>(), step_node<3>(), step_node<4>(), step_node<1>(),
                            step_node<2>(), step_node<3>(), step_node<4>(), step_node<1>(), step_node<2>());
    else return ten(chain<N / 10>());
}

template <int I>
constexpr auto spread_node() {
    return cograph::kernel<spread<I>>(cograph::grid(1).block(threads))(state, lane<I>{});
}

constexpr auto lattice() {
    using namespace cograph;
    return ten(seq(par(spread_node<0>(), spread_node<1>(), spread_node<2>(), spread_node<3>(), spread_node<4>(),
                       spread_node<5>(), spread_node<6>(), spread_node<7>()),
                   kernel<gather>(grid(1).block(threads))(state, lane<0>{}, lane<1>{}, lane<2>{}, lane<3>{},
                                                          lane<4>{}, lane<5>{}, lane<6>{}, lane<7>{}),
                   kernel<keep>(grid(1).block(threads))(state, saved)));
}

// Device memory for one lattice.
struct lattice_memory {
    bench::device_array<int> all{(width + 2) * threads};
    int* state = all.data;
    int* saved = all.data + threads;
    int* lane(int i) const { return all.data + (2 + i) * threads; }
};

inline void chain_by_hand(const by_hand::graph& g, int length, int* c) {
    constexpr void (*steps[])(int*) = {step<1>, step<2>, step<3>, step<4>};
    using by_hand::nodes;
    cudaGraphNode_t previous;
    for (int i = 0; i < length; ++i) {
        const auto kernel = steps[i % 10 % 4];
        previous = by_hand::add_kernel(g.handle, i == 0 ? nodes() : nodes(previous), kernel, {1, threads}, c);
    }
}

inline void lattice_by_hand(const by_hand::graph& g, const lattice_memory& m) {
    constexpr void (*spreads[])(const int*, int*) = {spread<0>, spread<1>, spread<2>, spread<3>,
                                                     spread<4>, spread<5>, spread<6>, spread<7>};
    using by_hand::nodes;
    cudaGraphNode_t join, before_join[width + 1];
    cudaGraphNode_t& save = before_join[width];
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < width; ++i)
            before_join[i] = by_hand::add_kernel(g.handle, round == 0 ? nodes() : nodes(join), spreads[i],
                                                 {1, threads}, m.state, m.lane(i));
        join = by_hand::add_kernel(g.handle, nodes(before_join, round == 0 ? width : width + 1), gather, {1, threads},
                                   m.state, m.lane(0), m.lane(1), m.lane(2), m.lane(3), m.lane(4), m.lane(5),
                                   m.lane(6), m.lane(7));
        save = by_hand::add_kernel(g.handle, join, keep, {1, threads}, m.state, m.saved);
    }
}

auto instantiate_lattice(auto e, const lattice_memory& m) {
    return cograph::instantiate(e, state(m.state, threads), saved(m.saved, threads), lane<0>{}(m.lane(0), threads),
                                lane<1>{}(m.lane(1), threads), lane<2>{}(m.lane(2), threads),
                                lane<3>{}(m.lane(3), threads), lane<4>{}(m.lane(4), threads),
                                lane<5>{}(m.lane(5), threads), lane<6>{}(m.lane(6), threads),
                                lane<7>{}(m.lane(7), threads));
}

}  // namespace graphs
