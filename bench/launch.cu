// SPDX-License-Identifier: Apache-2.0
// What a launch costs the host and the device. Graphs with conditional nodes also take their turns, which nobody does by hand.
#include "graphs.cuh"

#include <string>

namespace {

using namespace graphs;

template <class Hand, class Library>
void measure(const bench::gpu& g, const char* name, const Hand& hand, Library& library, double target = 1.02) {
    const auto launch_hand = [&] { hand.launch(g.stream); };
    const auto launch_library = [&] { library.launch(g.stream); };
    const auto host = bench::compare(
        60, [&] { return bench::on_idle_stream(g, launch_hand); },
        [&] { return bench::on_idle_stream(g, launch_library); });
    bench::row((std::string(name) + ": host, one launch (us)").c_str(), host, target);
    const auto device = bench::compare(
        20, [&] { return bench::back_to_back(g, 20, launch_hand); },
        [&] { return bench::back_to_back(g, 20, launch_library); });
    bench::row((std::string(name) + ": device, back to back (us)").c_str(), device, target);
}

template <int N>
void measure_chain(const bench::gpu& g) {
    bench::device_array<int> hand_counter(1), library_counter(1);
    by_hand::graph hand;
    chain_by_hand(hand, N, hand_counter.data);
    hand.instantiate();
    auto library = cograph::instantiate(chain<N>(), tally(library_counter.data, 1));

    hand.launch(g.stream);
    library.launch(g.stream);
    g.wait();
    bench::expect(hand_counter.first() == library_counter.first(), "chain");
    measure(g, ("chain of " + std::to_string(N)).c_str(), hand, library);
}

void measure_lattice(const bench::gpu& g) {
    static_assert(cograph::node_count(lattice()) == lattice_nodes);
    static_assert(cograph::edge_count(lattice()) == lattice_edges);
    lattice_memory hand_memory, library_memory;
    by_hand::graph hand;
    lattice_by_hand(hand, hand_memory);
    hand.instantiate();
    auto library = instantiate_lattice(lattice(), library_memory);

    hand.launch(g.stream);
    library.launch(g.stream);
    g.wait();
    bench::expect(hand_memory.all.first() == library_memory.all.first(), "lattice");
    measure(g, "8-wide forks and joins, 100 nodes", hand, library);
}

inline constexpr struct counter : cograph::scalar<counter, int> {} counter;

__global__ void step_and_end(cudaGraphConditionalHandle condition, int* c) {
    *c += 1;
    cudaGraphSetConditional(condition, *c < 0);
}

// A loop of one pass over one kernel, which decides, too, by hand: faster, and at fault beside another graph of its kind
// (docs/known-issues.md).
void measure_loop(const bench::gpu& g) {
    bench::device_array<int> hand_counter(1), library_counter(1);
    by_hand::graph hand;
    const cudaGraphConditionalHandle condition = hand.condition(1);
    const by_hand::conditional loop = by_hand::add_conditional(hand.handle, {}, condition, cudaGraphCondTypeWhile);
    by_hand::add_kernel(loop.body, {}, step_and_end, {1, 1}, condition, hand_counter.data);
    hand.instantiate();
    const auto step_node = cograph::kernel<step<1>>(cograph::grid(1).block(1))(inout(counter));
    auto library = cograph::instantiate(cograph::do_while(step_node, counter < 0), counter(library_counter.data));

    for (const bool overlap : {true, false}) {
        cograph::allow_concurrent_graphs(overlap);
        hand_counter.zero();
        library_counter.zero();
        hand.launch(g.stream);
        library.launch(g.stream);
        g.wait();
        bench::expect(hand_counter.first() == library_counter.first(), "loop");
        measure(g, overlap ? "loop of one pass, let overlap" : "loop of one pass, in turns", hand, library, 0);
    }
}

}  // namespace

int main() {
    bench::gpu g;
    bench::title("launch");
    measure_chain<1>(g);
    measure_chain<100>(g);
    measure_chain<1000>(g);
    measure_lattice(g);
    measure_loop(g);
}
