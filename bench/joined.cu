// SPDX-License-Identifier: Apache-2.0
// A launch that joined a capture, replayed, against launches of the executable itself: microseconds on the stream, back to back.
#include "bench.cuh"

#include <cograph.cuh>
#include <cograph/join/capture.cuh>

#include <list>
#include <string>

namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : temp<y, double, struct x> {} y;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct sweeps : scalar<sweeps, int> {} sweeps;

template <int I>
__global__ void step(double* at, index_t n) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) at[i] = at[i] / 2 + I;
}
struct relax {
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
        return to < from[i] ? from[i] - to : to - from[i];
    }
};

template <int I>
constexpr auto one = kernel<step<I>>(over(x))(inout(x), extent(x));
constexpr auto six = seq(one<0>, one<1>, one<2>, one<3>, one<4>, one<5>);
template <int Times>
constexpr auto loop = seq(assign(sweeps, 0), loop_while(sweeps < Times && change >= 0,
                                                        seq(transform_reduce(over(x), relax{}, maximum_or_nan{})(out(change), in(x), out(y[each]), extent(x)),
                                                            copy(in(y), out(x)), assign(sweeps, sweeps + 1))));
template <int Times>
constexpr auto whole = seq(assign(change, 0.0), loop<Times>);

template <class E>
cudaGraphExec_t captured(const bench::gpu& g, executable<E>& exec) {
    cudaGraph_t graph;
    cudaGraphExec_t made;
    bench::check(cudaStreamBeginCapture(g.stream, cudaStreamCaptureModeGlobal));
    exec.launch(g.stream);
    bench::check(cudaStreamEndCapture(g.stream, &graph));
    bench::check(cudaGraphInstantiate(&made, graph, 0));
    bench::check(cudaGraphDestroy(graph));
    return made;
}

// Where the driver puts a graph moves its times, so there are several of each. What is launched by itself stands in the place of by hand.
template <class E>
void measure(const bench::gpu& g, const std::string& what, E e, std::size_t count, int launches) {
    bench::device_array<double> elements(count);
    std::list<decltype(instantiate(e, x(elements.data, count)))> execs;
    std::vector<cudaGraphExec_t> graphs;
    std::vector<bench::timing> owned, lent;
    for (int i = 0; i < 4; ++i) {
        auto& exec = execs.emplace_back(instantiate(e, x(elements.data, count)));
        cudaGraphExec_t replayed[2];
        for (const bool own : {true, false}) {
            let_graphs_own_memory(own);
            replayed[own] = captured(g, exec);
        }
        let_graphs_own_memory(true);
        const auto itself = [&] { return bench::back_to_back(g, launches, [&] { exec.launch(g.stream); }); };
        const auto replay = [&](bool own) { return bench::back_to_back(g, launches, [&] { bench::check(cudaGraphLaunch(replayed[own], g.stream)); }); };
        owned.push_back(bench::compare(15, itself, [&] { return replay(true); }));
        lent.push_back(bench::compare(15, itself, [&] { return replay(false); }));
        graphs.insert(graphs.end(), replayed, replayed + 2);
    }
    const std::string name = what + ", " + std::to_string(count);
    bench::row((name + ", the graph owns").c_str(), bench::medians(owned), 1.02);
    bench::row((name + ", let_graphs_own_memory(false)").c_str(), bench::medians(lent), 1.02);
    for (const cudaGraphExec_t one : graphs) bench::check(cudaGraphExecDestroy(one));
}

}  // namespace

int main() {
    const bench::gpu g;
    bench::title("joined and replayed (us a launch; by hand: the executable itself)");
    for (const std::size_t count : {1'000, 100'000}) measure(g, "six kernels", six, count, 50);
    for (const std::size_t count : {1'000, 100'000, 1'000'000}) measure(g, "50 passes, one kernel", whole<50>, count, 10);
    for (const std::size_t count : {1'000, 100'000}) measure(g, "500 passes, one kernel", whole<500>, count, 3);
    for (const std::size_t count : {1'000, 100'000}) measure(g, "50 passes, conditional nodes", as_nodes(whole<50>), count, 3);
}
