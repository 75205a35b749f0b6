// SPDX-License-Identifier: Apache-2.0
#include "joined_ways.cuh"

#include <cooperative_groups.h>

#include <string>
#include <vector>

// What kernels can be asked for: clusters, cooperative grids, priorities, programmatic edges.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct z : buffer<z, int> {} z;

bool has_clusters() {
    int major = 0;
    must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9;
}

// Every block writes how large its cluster is along x, y and z, as digits.
__global__ void note_cluster(int* to) {
#if __CUDA_ARCH__ >= 900
    const dim3 sides = cooperative_groups::cluster_group::dim_blocks();
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    if (threadIdx.x == 0) to[block] = static_cast<int>(sides.x * 100 + sides.y * 10 + sides.z);
#else
    (void)to;
#endif
}
// Every block adds up what all blocks wrote.
__global__ void sum_over_grid(int* values, int* sums) {
    if (threadIdx.x == 0) values[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x > 0) return;
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += values[i];
    sums[blockIdx.x] = sum;
}
// Begins early, and lets what is behind it begin early; takes its time over the result.
__global__ void add_late(const int* from, int* to, int more) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
    for (int i = 0; i < 20; ++i) __nanosleep(1000);
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i] + more;
}

// A capture that a launch joined.
template <class E, class... B>
core::graph_owner captured_graph(const E& e, B... bindings) {
    const joined_ways::joining on_captures;
    const stream on;
    auto exec = instantiate(e, bindings...);
    core::graph_owner graph;
    must(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal));
    exec.launch(on);
    must(cudaStreamEndCapture(on, graph.put()));
    return graph;
}

enum class way { eagerly, as_graph, in_capture };
constexpr way every_way[] = {way::eagerly, way::as_graph, way::in_capture};
template <class E, class... B>
void run(way how, const E& e, B... bindings) {
    const stream on;
    if (how == way::as_graph) {
        auto exec = instantiate(e, bindings...);
        exec.launch(on);
        on.wait();
    } else if (how == way::in_capture) {
        const core::graph_owner graph = captured_graph(e, bindings...);
        core::exec_owner exec;
        must(cudaGraphInstantiate(exec.put(), graph.get(), cudaGraphInstantiateFlagUseNodePriority));
        must(cudaGraphLaunch(exec.get(), on));
        on.wait();
    } else {
        run_on(on, e, bindings...);
        on.wait();
    }
    CHECK(cudaGetLastError() == cudaSuccess);
}

// The edges of a graph: all of them, and those that are programmatic.
std::pair<int, int> edges_by_kind(cudaGraph_t graph) {
    std::size_t count = 0;
#if CUDART_VERSION >= 13000
    must(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
#else
    must(cudaGraphGetEdges_v2(graph, nullptr, nullptr, nullptr, &count));
#endif
    std::vector<cudaGraphNode_t> from(count), to(count);
    std::vector<cudaGraphEdgeData> kinds(count);
#if CUDART_VERSION >= 13000
    if (count > 0) must(cudaGraphGetEdges(graph, from.data(), to.data(), kinds.data(), &count));
#else
    if (count > 0) must(cudaGraphGetEdges_v2(graph, from.data(), to.data(), kinds.data(), &count));
#endif
    int programmatic = 0;
    for (const cudaGraphEdgeData& kind : kinds) programmatic += kind.type == cudaGraphDependencyTypeProgrammatic;
    return {static_cast<int>(count), programmatic};
}

}  // namespace

TEST_CASE("clusters", "[gpu][attributes]") {
    if (!has_clusters()) return;
    for (const way how : every_way) {
        // Ten blocks of elements, in whole clusters of four: twelve.
        device_array<int> zs(16, 0);
        run(how, kernel<note_cluster>(over(1280).block(128).cluster<4>())(out(y)), y(zs.all()));
        CHECK(zs.read()[11] == 411);
        CHECK(zs.read()[12] == 0);
        // More than eight blocks must be asked for, which is done.
        device_array<int> sixteen(16, 0);
        run(how, kernel<note_cluster>(grid(16).block(32).cluster(16))(out(y)), y(sixteen.all()));
        CHECK(sixteen.read() == std::vector<int>(16, 1611));
        device_array<int> ys(16, 0);
        run(how, repeat(2, kernel<note_cluster>(grid(4, 2).block(32).cluster(2, 2))(out(y))), y(ys.all()));
        CHECK(ys.read()[0] == 221);
        CHECK(ys.read()[7] == 221);
        CHECK(ys.read()[8] == 0);
    }
    device_array<int> ys(16, 0);
    CHECK_THROWS_AS(instantiate(kernel<note_cluster>(grid(5).cluster(2))(out(y)), y(ys.all())), error);
    CHECK_THROWS_AS(instantiate(kernel<note_cluster>(grid(64).cluster(32))(out(y)), y(ys.all())), error);
    CHECK_THROWS_AS(instantiate(kernel<note_cluster>(grid(64).cluster(0))(out(y)), y(ys.all())), error);
}

TEST_CASE("cooperative grids, in loops too", "[gpu][attributes]") {
    device_array<int> ys(64, 0), zs(64, 0);
    const auto sum = kernel<sum_over_grid>(grid(64).block(32).cooperative())(out(y), out(z));
    for (const way how : every_way) {
        zs.write(std::vector<int>(64, 0));
        run(how, sum, y(ys.all()), z(zs.all()));
        CHECK(zs.read() == std::vector<int>(64, 65 * 32));
        zs.write(std::vector<int>(64, 0));
        run(how, repeat(3, sum), y(ys.all()), z(zs.all()));
        CHECK(zs.read() == std::vector<int>(64, 65 * 32));
    }
    // More blocks than the device holds at once.
    CHECK_THROWS_AS(run(way::as_graph, kernel<sum_over_grid>(grid(1'000'000).block(32).cooperative())(out(y), out(z)), y(ys.all()), z(zs.all())), error);
    CHECK_THROWS_AS(run(way::eagerly, kernel<sum_over_grid>(grid(1'000'000).block(32).cooperative())(out(y), out(z)), y(ys.all()), z(zs.all())), error);
}

TEST_CASE("priorities of kernels", "[gpu][attributes]") {
    int least = 0, most = 0;
    must(cudaDeviceGetStreamPriorityRange(&least, &most));
    device_array<int> xs(64, 1), ys(64, 0);
    const auto e = kernel<add_late>(over(x).block(64).priority(most))(in(x), out(y), 4);
    auto exec = instantiate(e, x(xs.all()), y(ys.all()));
    const core::graph_owner joined = captured_graph(e, x(xs.all()), y(ys.all()));
    for (const cudaGraph_t graph : {exec.graph_ref(), joined.get()}) {
        std::size_t count = 1;
        cudaGraphNode_t node = nullptr;
        must(cudaGraphGetNodes(graph, &node, &count));
        cudaLaunchAttributeValue value{};
        must(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value));
        CHECK(value.priority == most);
    }
    for (const way how : every_way) {
        run(how, repeat(2, e), x(xs.all()), y(ys.all()));
        CHECK(ys.read() == std::vector<int>(64, 5));
    }
}

TEST_CASE("programmatic edges lead from one programmatic kernel to another", "[gpu][attributes]") {
    const auto early = [](auto from, auto to) { return kernel<add_late>(over(x).block(64).programmatic())(from, to, 1); };
    const auto usual = [](auto from, auto to) { return kernel<add_late>(over(x).block(64))(from, to, 1); };
    device_array<int> xs(4096), ys(4096), zs(4096);
    const auto edges = [&](const auto& e) {
        const auto exec = instantiate(e, x(xs.all()), y(ys.all()), z(zs.all()));
        CHECK(edges_by_kind(captured_graph(e, x(xs.all()), y(ys.all()), z(zs.all())).get()) == edges_by_kind(exec.graph_ref()));
        return edges_by_kind(exec.graph_ref());
    };
    CHECK(edges(seq(early(in(x), out(y)), early(in(y), out(z)))) == std::pair(1, 1));
    CHECK(edges(seq(early(in(x), out(y)), usual(in(y), out(z)))) == std::pair(1, 0));
    CHECK(edges(seq(usual(in(x), out(y)), early(in(y), out(z)))) == std::pair(1, 0));
    CHECK(edges(seq(early(in(x), out(y)), fill(out(z), 1), early(in(y), inout(z)))) == std::pair(2, 1));

    // Round and round: read after write, write after read, behind usual kernels and in loops.
    const auto around = seq(early(in(x), out(y)), early(in(y), out(z)), early(in(z), out(x)));
    const auto mixed = seq(around, usual(in(x), out(y)), early(in(y), out(z)), copy(in(z), out(x)), repeat(5, seq(around, around)), early(in(x), out(z)));
    for (const way how : every_way) {
        xs.write(std::vector<int>(4096, 0));
        run(how, mixed, x(xs.all()), y(ys.all()), z(zs.all()));
        CHECK(zs.read() == std::vector<int>(4096, 3 + 2 + 5 * 6 + 1));
        // No blocks at all in the middle of the chain.
        run(how, seq(early(in(x), out(y)), kernel<add_late>(over(0).block(64).programmatic())(in(y), out(z), 1), early(in(y), out(z))), x(xs.all()),
            y(ys.all()), z(zs.all()));
        CHECK(zs.read() == std::vector<int>(4096, 3 + 2 + 5 * 6 + 2));
    }
}

// Lets what is behind it begin at once, and takes its time over the result.
__global__ void late_one(int* to) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    for (int i = 0; i < 5000; ++i) __nanosleep(1000);
    *to = 1;
}
__global__ void pass_on(const int* from, int* to) {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    if (blockIdx.x == 0 && threadIdx.x == 0) *to = *from;
}
__global__ void gather(const int* first, const int* second, int* to) {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    *to = *first + 10 * *second;
}
inline constexpr struct w : buffer<w, int> {} w;
inline constexpr struct flag : scalar<flag, int> {} flag;

TEST_CASE("a programmatic kernel that is left out lets nothing pass", "[gpu][attributes]") {
    const auto front = kernel<late_one>(grid(1).block(1).programmatic())(out(x));
    const auto middle = label("middle", kernel<pass_on>(over(y).block(64).programmatic())(in(x), inout(y)));
    const auto behind = kernel<gather>(grid(1).block(1).programmatic())(in(x), in(y), out(z));
    device_array<int> xs(1), ys(64), zs(1), ws(1), flags(1);
    const stream on;
    const auto check = [&](const auto& e, auto... more) {
        for (const bool by_update : {false, true}) {
            INFO((by_update ? "over no elements" : "disabled"));
            auto exec = instantiate(as_nodes(e), x(xs.all()), y(ys.all()), z(zs.all()), more...);
            if (by_update)
                exec.update(y(ys.all().first(0)));
            else
                exec.disable("middle");
            for (int i = 0; i < 5; ++i) {
                xs.write({0});
                zs.write({0});
                exec.launch(on);
                on.wait();
                CHECK(zs.read()[0] == 1);
            }
            if (by_update)
                exec.update(y(ys.all()));
            else
                exec.enable("middle");
            exec.launch(on);
            on.wait();
            CHECK(zs.read()[0] == 11);
            ys.write(std::vector<int>(64, 0));
        }
    };
    check(seq(front, middle, behind));
    check(seq(front, middle, behind, when(flag > 0, fill(out(w), 1))), w(ws.all()), flag(flags.data()));
}

TEST_CASE("a kernel in clusters of sixteen blocks is left out", "[gpu][attributes]") {
    if (!has_clusters()) return;
    const auto e = seq(label("k", kernel<note_cluster>(over(x).block(32).cluster(16))(out(y))), when(flag > 0, fill(out(w), 1)));
    device_array<int> xs(512), ys(16, 0), ws(1), flags(1);
    const stream on;
    auto exec = instantiate(as_nodes(e), x(xs.all()), y(ys.all()), w(ws.all()), flag(flags.data()));
    exec.disable("k");
    exec.launch(on);
    on.wait();
    CHECK(ys.read() == std::vector<int>(16, 0));
    exec.enable("k");
    exec.launch(on);
    on.wait();
    CHECK(ys.read() == std::vector<int>(16, 1611));
    auto empty = instantiate(as_nodes(e), x(xs.all().first(0)), y(ys.all()), w(ws.all()), flag(flags.data()));
    empty.launch(on);
    on.wait();
}
