// SPDX-License-Identifier: Apache-2.0
// What it costs to make an executable: time for each node, host memory; and that launching it takes nothing from the heap.
#include "graphs.cuh"
#include "heap.cuh"

#include <optional>
#include <string>

using namespace graphs;

void print_heap(const char* what, double by_hand, double library, const char* target) {
    std::printf("%-52s %11.1f %11.1f %7s %7s\n", what, by_hand, library, "", target);
}

// `hand(graph)` adds the nodes to an empty graph; `library()` returns an executable of the same graph.
template <class Hand, class Library>
void measure(const bench::gpu& g, const std::string& name, int nodes, Hand hand, Library library) {
    const int times = std::max(1, 1000 / nodes);
    const auto each = [&](auto make) {
        double sum = 0;
        for (int i = 0; i < times; ++i) sum += make();
        return sum / times / nodes;
    };
    const auto time_hand = [&] {
        const double begin = bench::now();
        by_hand::graph built;
        hand(built);
        built.instantiate();
        return bench::now() - begin;
    };
    const auto time_library = [&] {
        const double begin = bench::now();
        auto built = library();
        return bench::now() - begin;
    };
    const auto cost = bench::compare(40, [&] { return each(time_hand); }, [&] { return each(time_library); });
    bench::row((name + ": build + instantiate, a node (us)").c_str(), cost, 1.1);

    using executable = decltype(library());
    constexpr int held = 8;
    std::optional<by_hand::graph> graphs_by_hand[held];
    std::optional<executable> executables[held];
    double bytes_by_hand = 0, bytes = 0;
    for (int i = 0; i < held; ++i) {
        const auto before = heap::now;
        hand(graphs_by_hand[i].emplace());
        graphs_by_hand[i]->instantiate();
        const auto between = heap::now;
        executables[i].emplace(library());
        bytes_by_hand += double((between - before).live) / held / nodes;
        bytes += double((heap::now - between).live) / held / nodes;
    }
    print_heap((name + ": heap kept, driver included, a node (bytes)").c_str(), bytes_by_hand, bytes, "same");
    print_heap((name + ": the object itself (bytes)").c_str(), sizeof(by_hand::graph), sizeof(executable), "");

    constexpr int launches = 100;
    const auto launch = [&](auto& built) {
        built.launch(g.stream);
        g.wait();
        const auto before = heap::now;
        for (int i = 0; i < launches; ++i) built.launch(g.stream);
        return heap::now - before;
    };
    const auto launched_by_hand = launch(*graphs_by_hand[0]);
    const auto launched = launch(*executables[0]);
    g.wait();
    print_heap((name + ": operator new in a launch").c_str(), double(launched_by_hand.news) / launches,
               double(launched.news) / launches, "0");
    print_heap((name + ": malloc in a launch, driver included").c_str(), double(launched_by_hand.calls) / launches,
               double(launched.calls) / launches, "same");
}

template <int N>
void measure_chain(const bench::gpu& g) {
    bench::device_array<int> count(1);
    measure(
        g, "chain of " + std::to_string(N), N, [&](auto& hand) { chain_by_hand(hand, N, count.data); },
        [&] { return cograph::instantiate(chain<N>(), tally(count.data, 1)); });
}

int main() {
    bench::gpu g;
    bench::title("build");
    measure_chain<10>(g);
    measure_chain<100>(g);
    measure_chain<1000>(g);
    lattice_memory memory;
    measure(
        g, "lattice of 100", lattice_nodes, [&](auto& hand) { lattice_by_hand(hand, memory); },
        [&] { return instantiate_lattice(lattice(), memory); });
}
