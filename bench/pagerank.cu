// SPDX-License-Identifier: Apache-2.0
// PageRank of examples/pagerank over a graph of 2^17 vertices and 2^21 edges: microseconds a pass, by a host loop by hand that copies the change
// back after each pass, as one kernel by hand, and by the library, node by node and as one kernel.
#include "lowering.cuh"
#include "ranks_by_hand.cuh"

#include "../examples/pagerank/graph.hpp"
#include "../examples/pagerank/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cograph;
namespace pr = pagerank;
namespace hand = ranks_by_hand;
using bench::check;

constexpr double follows = 0.85, small_change = 1e-10;
constexpr int limit = 200;

template <class T>
void upload(const bench::device_array<T>& to, const std::vector<T>& from) {
    check(cudaMemcpy(to.data, from.data(), to.count * sizeof(T), cudaMemcpyHostToDevice));
}

// The same graph whose vertices have numbers that say nothing.
pr::graph with_shuffled_vertices(const pr::graph& g) {
    std::vector<int> number(g.per_edge.size());
    std::iota(number.begin(), number.end(), 0);
    std::shuffle(number.begin(), number.end(), std::mt19937_64(3));
    std::vector<std::pair<int, int>> edges;
    for (std::size_t v = 0; v + 1 < g.first.size(); ++v)
        for (int e = g.first[v]; e < g.first[v + 1]; ++e) edges.emplace_back(number[static_cast<std::size_t>(g.from[static_cast<std::size_t>(e)])], number[v]);
    std::sort(edges.begin(), edges.end());
    return pr::graph_of(g.vertices(), edges);
}

struct problem {
    pr::graph g;
    int n = g.vertices();
    std::vector<double> expected;
    int expected_passes = pr::plain_ranks(g, follows, small_change, limit, expected);
    bench::device_array<int> first{g.first.size()}, from{g.from.size()}, passes{1};
    bench::device_array<double> per_edge{g.per_edge.size()}, ranks{g.per_edge.size()}, change{1};

    explicit problem(pr::graph given) : g(std::move(given)) {
        upload(first, g.first);
        upload(from, g.from);
        upload(per_edge, g.per_edge);
    }
    void expect_right(const char* who) {
        std::vector<double> found(expected.size());
        check(cudaMemcpy(found.data(), ranks.data, found.size() * sizeof(double), cudaMemcpyDeviceToHost));
        double apart = 0;
        for (std::size_t v = 0; v < found.size(); ++v) apart += std::fabs(found[v] - expected[v]);
        bench::expect(apart < 20 * small_change, who);
        ranks.zero();
    }
};

class host_loop {
public:
    host_loop(const bench::gpu& g, problem& p) : g_(g), p_(p), share_(2 * p.ranks.count), sums_(2 * (limit + 1)) { check(cudaMallocHost(&change_, sizeof(double))); }
    ~host_loop() { cudaFreeHost(change_); }
    host_loop(const host_loop&) = delete;

    int run() {
        const auto blocks = static_cast<unsigned>((p_.n + 255) / 256);
        check(cudaMemsetAsync(sums_.data, 0, sums_.count * sizeof(double), g_.stream));
        hand::start<<<blocks, 256, 0, g_.stream>>>(p_.n, p_.per_edge.data, p_.ranks.data, share_.data, sums_.data);
        for (int pass = 0;;) {
            hand::pass<<<132 * 8, 256, 0, g_.stream>>>(p_.n, p_.first.data, p_.from.data, p_.per_edge.data, share_.data + (pass % 2) * p_.n, p_.ranks.data,
                                                       share_.data + ((pass + 1) % 2) * p_.n, sums_.data + 2 * pass, sums_.data + 2 * pass + 2, follows);
            ++pass;
            check(cudaMemcpyAsync(change_, sums_.data + 2 * pass, sizeof(double), cudaMemcpyDeviceToHost, g_.stream));
            g_.wait();
            if (!(*change_ > small_change && pass < limit)) return pass;
        }
    }

private:
    const bench::gpu& g_;
    problem& p_;
    bench::device_array<double> share_, sums_;
    double* change_;
};

class one_kernel {
public:
    one_kernel(const bench::gpu& g, problem& p) : g_(g), p_(p), share_(2 * p.ranks.count), carry_(hand::most_blocks), sums_(2 * hand::most_blocks), arrived_(32 + hand::most_blocks) {
        int device = 0;
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&blocks_, cudaDevAttrMultiProcessorCount, device));
        bench::expect(blocks_ <= hand::most_blocks, "more multiprocessors than the kernel by hand is made for");
        const int edges = ((static_cast<int>(p.from.count) + blocks_ - 1) / blocks_ + hand::of_thread - 1) / hand::of_thread * hand::of_thread;
        std::vector<int> rows(static_cast<std::size_t>(blocks_));
        for (std::size_t v = 0; v + 1 < p.g.first.size(); ++v)
            if (p.g.first[v + 1] > p.g.first[v]) ++rows[static_cast<std::size_t>((p.g.first[v + 1] - 1) / edges)];
        bench::expect(edges <= hand::threads * hand::of_thread && *std::max_element(rows.begin(), rows.end()) <= hand::most_rows,
                      "a block of the kernel by hand has no room for its edges");
        check(cudaFuncSetAttribute(hand::persistent, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof(hand::shared_memory))));
    }
    void enqueue() {
        check(cudaMemsetAsync(arrived_.data, 0, arrived_.count * sizeof(unsigned), g_.stream));
        hand::arguments a{p_.n, static_cast<int>(p_.from.count), (p_.n + blocks_ - 1) / blocks_, limit, p_.first.data, p_.from.data, p_.per_edge.data, p_.ranks.data,
                          share_.data, carry_.data, sums_.data, arrived_.data, p_.passes.data, follows, small_change};
        void* parameters[] = {&a};
        check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(hand::persistent), dim3(static_cast<unsigned>(blocks_)), dim3(hand::threads), parameters,
                                          sizeof(hand::shared_memory), g_.stream));
    }

private:
    const bench::gpu& g_;
    problem& p_;
    bench::device_array<double> share_, carry_;
    bench::device_array<double2> sums_;
    bench::device_array<unsigned> arrived_;
    int blocks_ = 0;
};

void measure(const bench::gpu& g, pr::graph graph, const std::string& name) {
    problem p(std::move(graph));

    host_loop loop(g, p);
    const int passes = loop.run();
    p.expect_right("the host loop");
    one_kernel best(g, p);
    best.enqueue();
    g.wait();
    p.expect_right("one kernel by hand");
    const auto make = [&](const auto& e) {
        return instantiate(e, pr::first_edge(p.first.data, p.first.count), pr::from(p.from.data, p.from.count), pr::per_edge(p.per_edge.data, p.per_edge.count),
                           pr::rank(p.ranks.data, p.ranks.count), pr::change(p.change.data), pr::iterations(p.passes.data), pr::damping(follows),
                           pr::tolerance(small_change), pr::most_iterations(limit));
    };
    auto nodes = make(as_nodes(pr::whole));
    auto lowered = make(pr::whole);
    const auto try_out = [&](auto& graph) {
        graph.launch(g.stream);
        g.wait();
        p.expect_right("the library");
        bench::expect(std::abs(p.passes.first() - passes) <= 1, "passes");
    };
    try_out(nodes);
    try_out(lowered);
    std::printf("%d vertices, %zu edges, at most %d at one, %d passes\n", p.n, p.from.count, p.g.most_edges(), passes);
    lowering::whole_loop(g, name, 24, passes, [&] { loop.run(); }, [&] { best.enqueue(); }, nodes, lowered);
}

}  // namespace

int main() {
    const bench::gpu g;
    pr::graph graph = pr::random_graph(17, 16);
    measure(g, with_shuffled_vertices(graph), "PageRank, shuffled vertices");
    measure(g, std::move(graph), "PageRank");
}
