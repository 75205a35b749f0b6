// SPDX-License-Identifier: Apache-2.0
// Shortest paths of examples/shortest_paths over a graph of 2^17 vertices and 2^21 edges: microseconds a pass, by a host loop by hand that
// copies the number of vertices back after each pass, as one kernel by hand, and by the library, node by node and as one kernel.
// bench_shortest_paths [scale]
#include "lowering.cuh"
#include "paths_by_hand.cuh"

namespace {

using namespace cograph;
namespace sp = shortest_paths;
namespace hand = paths_by_hand;
using bench::check;

template <class T>
void upload(const bench::device_array<T>& to, const void* from) {
    check(cudaMemcpy(to.data, from, to.count * sizeof(T), cudaMemcpyHostToDevice));
}

struct problem {
    sp::graph g;
    int n, source;
    std::vector<unsigned> expected;
    bench::device_array<int> row;
    bench::device_array<sp::edge> edges;
    bench::device_array<unsigned> near;
    bench::device_array<int> passes{1};

    explicit problem(int scale)
        : g(sp::random_graph(scale, 16)), n(g.vertices()), source(sp::vertex_of_most_edges(g)), expected(sp::plain_distances(g, source)), row(g.first.size()),
          edges(g.all.size()), near(static_cast<std::size_t>(n)) {
        upload(row, g.first.data());
        upload(edges, g.all.data());
    }
    void expect_right(const char* who) {
        std::vector<unsigned> found(expected.size());
        check(cudaMemcpy(found.data(), near.data, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        bench::expect(found == expected, who);
        near.zero();
    }
};

class host_loop {
public:
    host_loop(const bench::gpu& g, problem& p) : g_(g), p_(p), seen_(p.near.count), of_blocks_(blocks()), list_(p.near.count), total_(1) { check(cudaMallocHost(&found_, sizeof(int))); }
    ~host_loop() { cudaFreeHost(found_); }
    host_loop(const host_loop&) = delete;

    int search() {
        const auto grid = static_cast<unsigned>(blocks());
        const int2* const edges = reinterpret_cast<const int2*>(p_.edges.data);
        hand::begin_at<<<grid, hand::small, 0, g_.stream>>>(p_.n, p_.near.data, seen_.data, p_.source);
        for (int pass = 0;; ++pass) {
            hand::count<<<grid, hand::small, 0, g_.stream>>>(p_.n, p_.row.data, p_.near.data, seen_.data, of_blocks_.data);
            hand::add_up<<<1, hand::threads, 0, g_.stream>>>(static_cast<int>(blocks()), of_blocks_.data, total_.data);
            check(cudaMemcpyAsync(found_, total_.data, sizeof(int), cudaMemcpyDeviceToHost, g_.stream));
            hand::write<<<grid, hand::small, 0, g_.stream>>>(p_.n, p_.row.data, p_.near.data, seen_.data, of_blocks_.data, list_.data);
            g_.wait();
            if (*found_ == 0) return pass;
            hand::relax<<<static_cast<unsigned>((*found_ + 7) / 8), hand::small, 0, g_.stream>>>(list_.data, *found_, p_.row.data, edges, p_.near.data, seen_.data);
        }
    }

private:
    std::size_t blocks() const { return (p_.near.count + hand::small - 1) / hand::small; }
    const bench::gpu& g_;
    problem& p_;
    bench::device_array<unsigned> seen_;
    bench::device_array<int> of_blocks_, list_, total_;
    int* found_;
};

class one_kernel {
public:
    one_kernel(const bench::gpu& g, problem& p) : g_(g), p_(p), list_(3 * p.near.count), counts_(hand::most_blocks), arrived_(1) {
        int device = 0;
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&blocks_, cudaDevAttrMultiProcessorCount, device));
        own_ = (p.n + blocks_ - 1) / blocks_;
        bytes_ = sizeof(hand::shared_memory) + sizeof(unsigned) * static_cast<std::size_t>(own_);
        check(cudaFuncSetAttribute(hand::persistent<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes_)));
    }
    void enqueue() {
        check(cudaMemsetAsync(arrived_.data, 0, sizeof(unsigned), g_.stream));
        hand::arguments a{p_.n, p_.row.data, reinterpret_cast<const int2*>(p_.edges.data), p_.near.data, list_.data, counts_.data, arrived_.data, p_.passes.data, p_.source, own_};
        void* parameters[] = {&a};
        check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(hand::persistent<1>), dim3(static_cast<unsigned>(blocks_)), dim3(hand::threads), parameters, bytes_, g_.stream));
    }

private:
    const bench::gpu& g_;
    problem& p_;
    bench::device_array<int4> list_;
    bench::device_array<hand::word> counts_;
    bench::device_array<unsigned> arrived_;
    int blocks_ = 0, own_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::gpu g;
    problem p(argc > 1 && std::atoi(argv[1]) > 3 ? std::atoi(argv[1]) : 17);

    host_loop loop(g, p);
    const int passes = loop.search();
    p.expect_right("the host loop");
    one_kernel best(g, p);
    best.enqueue();
    g.wait();
    p.expect_right("one kernel by hand");
    const auto make = [&](const auto& e) {
        return instantiate(e, sp::first_edge(p.row.data, p.row.count), sp::edges(p.edges.data, p.edges.count), sp::distance(p.near.data, p.near.count), sp::source(p.source), sp::iterations(p.passes.data));
    };
    auto nodes = make(as_nodes(sp::whole_search));
    auto lowered = make(sp::whole_search);
    const auto try_out = [&](auto& graph) {
        graph.launch(g.stream);
        g.wait();
        p.expect_right("the library");
        bench::expect(p.passes.first() == passes, "passes");
    };
    try_out(nodes);
    try_out(lowered);
    std::printf("%d vertices, %zu edges, %d passes\n", p.n, p.edges.count, passes);
    lowering::whole_loop(g, "shortest paths", 28, passes, [&] { loop.search(); }, [&] { best.enqueue(); }, nodes, lowered);
}
