// SPDX-License-Identifier: Apache-2.0
#include "plain_graph.cuh"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// The graphs of load.cu in plain CUDA, with the same nodes and edges: many threads make, launch, update and destroy them, in turns
// as cograph launches them. So a failure of load is one of the driver if it happens here, too. Kernels are simple ones, and
// every sum must be right.
namespace {

using namespace plain_graph;

constexpr const char* usage =
    R"(usage: load_by_hand KIND,KIND... [--at-once 1] [--threads N] [--again N] [--seconds S]
  of the graphs that each thread makes, launches, updates and destroys:
    library   a kernel has the loop
    nodes     the loop is a conditional node, and its last kernel waits for two
    kernels   its body is two kernels in a row and a branch with a third
    captured  its body is a child graph and two kernels in a row
    one       its body is one kernel, which cograph never makes
  --at-once 1  launches take no turns; --threads N, default 64; --seconds S, default 2
  --again N    launches of each graph before it is updated, default 2
)";

constexpr const char* kinds[] = {"library", "nodes", "kernels", "captured", "one"};

struct options {
    std::vector<std::string> kinds;
    int at_once = 0, threads = 64, again = 2;
    double seconds = 2;
};

std::atomic<long> graphs = 0, iterations = 0;

// What all kernels are given.
struct values {
    int *x = nullptr, *t = nullptr, *rounds = nullptr;
    long long* sum = nullptr;
    int count = 0, most = 0;
    cudaGraphConditionalHandle again{}, branch{};
};

__device__ int element() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void begin(values v) { *v.rounds = 0; }
__global__ void test(values v) { cudaGraphSetConditional(v.again, *v.rounds < v.most); }
__global__ void begin_and_test(values v) {
    *v.rounds = 0;
    cudaGraphSetConditional(v.again, 0 < v.most);
}
__global__ void next(values v) { ++*v.rounds; }
__global__ void next_and_test(values v) { cudaGraphSetConditional(v.again, ++*v.rounds < v.most); }
__global__ void branch_next_and_test(values v) {
    cudaGraphSetConditional(v.branch, *v.rounds >= 0);
    cudaGraphSetConditional(v.again, ++*v.rounds < v.most);
}
__global__ void copy_in(values v) {
    if (element() < v.count) v.t[element()] = v.x[element()];
}
__global__ void copy_out(values v) {
    if (element() < v.count) v.x[element()] = v.t[element()];
}
__global__ void add_two(values v) {
    if (element() < v.count) v.t[element()] += 2;
}
__global__ void add_one(values v) {
    if (element() < v.count) ++v.x[element()];
}
// The next three have one block.
__global__ void add_two_next_and_test(values v) {
    for (int i = element(); i < v.count; i += static_cast<int>(blockDim.x)) v.x[i] += 2;
    if (threadIdx.x == 0) cudaGraphSetConditional(v.again, ++*v.rounds < v.most);
}
__global__ void loop(values v) {
    for (int round = 0; round < v.most; ++round) {
        for (int i = element(); i < v.count; i += static_cast<int>(blockDim.x)) v.t[i] += 2;
        __syncthreads();
        if (threadIdx.x == 0) ++*v.rounds;
    }
}
__global__ void add_up(values v) {
    __shared__ unsigned long long sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (int i = element(); i < v.count; i += static_cast<int>(blockDim.x)) atomicAdd(&sum, static_cast<unsigned long long>(v.x[i]));
    __syncthreads();
    if (threadIdx.x == 0) *v.sum = static_cast<long long>(sum);
}

// A launch waits for the one before, on whatever stream, as in cograph/run/graph/launch_order.cuh.
class turns {
public:
    turns() { must(cudaEventCreateWithFlags(&over_, cudaEventDisableTiming), "cudaEventCreateWithFlags"); }
    void launch(cudaGraphExec_t exec, cudaStream_t stream) {
        const std::lock_guard hold(guard_);
        must(cudaStreamWaitEvent(stream, over_, 0), "cudaStreamWaitEvent");
        must(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
        must(cudaEventRecord(over_, stream), "cudaEventRecord");
    }

private:
    std::mutex guard_;
    cudaEvent_t over_ = nullptr;
};

// A graph and its executable, of one kind.
class graph_of_load {
public:
    graph_of_load(const std::string& kind, const values& given) : v_(given), has_conditional_nodes_(kind != "library") {
        must(cudaGraphCreate(&graph_, 0), "cudaGraphCreate");
        if (has_conditional_nodes_) v_.again = make_handle(graph_, 0, 0);
        if (kind == "kernels") v_.branch = make_handle(graph_, 0, 0);
        cudaGraphNode_t last = nullptr;
        if (kind == "library") {
            last = add(graph_, {add(graph_, {}, begin), add(graph_, {}, copy_in, elements)}, loop, block);
            last = add(graph_, {last}, copy_out, elements);
        } else if (kind == "nodes") {
            const cudaGraphNode_t copied = add(graph_, {}, copy_in, elements);
            const conditional made = add_loop({add(graph_, {add(graph_, {}, begin)}, test), copied});
            const cudaGraphNode_t added = add(made.body, {}, add_two, elements);
            add(made.body, {added, add(made.body, {}, next)}, test);
            last = add(graph_, {made.node}, copy_out, elements);
        } else {
            const conditional made = add_loop({add(graph_, {}, begin_and_test)});
            last = made.node;
            if (kind == "one") {
                add(made.body, {}, add_two_next_and_test, block);
            } else if (kind == "kernels") {
                const cudaGraphNode_t added = add(made.body, {}, add_one, elements);
                const cudaGraphNode_t tested = add(made.body, {added}, branch_next_and_test);
                add(add_conditional(made.body, {added, tested}, cudaGraphCondTypeIf, v_.branch).body, {}, add_one, elements);
            } else {
                const cudaGraphNode_t added = add(made.body, {add_child(made.body)}, add_one, elements);
                add(made.body, {added}, next_and_test);
            }
        }
        add(graph_, {last}, add_up, block);
        must(cudaGraphInstantiate(&exec_, graph_, 0), "cudaGraphInstantiate");
    }
    ~graph_of_load() {
        must(cudaGraphExecDestroy(exec_), "cudaGraphExecDestroy");
        must(cudaGraphDestroy(graph_), "cudaGraphDestroy");
    }
    graph_of_load(const graph_of_load&) = delete;
    graph_of_load& operator=(const graph_of_load&) = delete;

    void update(const values& given) {
        const values before = std::exchange(v_, given);
        v_.again = before.again;
        v_.branch = before.branch;
        for (const kernel_node& each : kernels_) {
            void* arguments[] = {&v_};
            cudaKernelNodeParams params{};
            params.func = reinterpret_cast<void*>(each.function);
            params.gridDim = dim3(shape_of(each.threads).blocks);
            params.blockDim = dim3(shape_of(each.threads).threads);
            params.kernelParams = arguments;
            must(cudaGraphExecKernelNodeSetParams(exec_, each.node, &params), "cudaGraphExecKernelNodeSetParams");
        }
    }
    void launch(cudaStream_t stream, turns& in_turns, bool at_once) {
        if (at_once || !has_conditional_nodes_)
            must(cudaGraphLaunch(exec_, stream), "cudaGraphLaunch");
        else
            in_turns.launch(exec_, stream);
        ++launches;
        iterations += v_.most;
    }

private:
    enum class extent { one_thread, block, elements };
    static constexpr extent one_thread = extent::one_thread, block = extent::block, elements = extent::elements;
    struct kernel_node {
        cudaGraphNode_t node;
        void (*function)(values);
        extent threads;
    };
    shape shape_of(extent threads) const {
        if (threads == one_thread) return {};
        return {threads == block ? 1 : static_cast<unsigned>(v_.count + 255) / 256, 256};
    }
    cudaGraphNode_t add(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, void (*function)(values), extent threads = one_thread) {
        const cudaGraphNode_t node = add_kernel(graph, after, shape_of(threads), function, v_);
        kernels_.push_back({node, function, threads});
        return node;
    }
    conditional add_loop(const std::vector<cudaGraphNode_t>& after) { return add_conditional(graph_, after, cudaGraphCondTypeWhile, v_.again); }
    cudaGraphNode_t add_child(cudaGraph_t graph) const {
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeGraph;
        must(cudaGraphCreate(&params.graph.graph, 0), "cudaGraphCreate");
        add_kernel(params.graph.graph, {}, shape_of(elements), add_one, v_);
        const cudaGraphNode_t node = plain_graph::add(graph, {}, params);
        must(cudaGraphDestroy(params.graph.graph), "cudaGraphDestroy");
        return node;
    }

    values v_;
    bool has_conditional_nodes_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::vector<kernel_node> kernels_;
};

constexpr int short_count = 1000, long_count = 1333;

void must_be(long long sum, long long expected) {
    if (sum == expected) return;
    std::printf("a sum is %lld, not %lld, after %ld launches\n", sum, expected, launches.load());
    std::fflush(stdout);
    std::_Exit(1);
}

// Launches, one of another number of iterations, and one over longer memory, as each executable in load.cu has.
void work(const options& chosen, int number, turns& in_turns) {
    const cudaStream_t stream = make_stream();
    int *const shorter = make_memory(short_count), *const longer = make_memory(long_count);
    long long* sum = nullptr;
    must(cudaMalloc(&sum, sizeof *sum), "cudaMalloc");
    must(cudaMemsetAsync(shorter, 0, short_count * sizeof(int), stream), "cudaMemsetAsync");
    must(cudaMemsetAsync(longer, 0, long_count * sizeof(int), stream), "cudaMemsetAsync");
    long long in_shorter = 0, in_longer = 0;
    const auto fetch = [&] {
        long long result = 0;
        must(cudaMemcpyAsync(&result, sum, sizeof result, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
        must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        return result;
    };
    for (long made = 0; !threads_end; ++made)
        for (const std::string& kind : chosen.kinds) {
            int* const own = make_memory(long_count + 1);
            values given;
            given.x = shorter;
            given.t = own + 1;
            given.rounds = own;
            given.sum = sum;
            given.count = short_count;
            given.most = 1 + static_cast<int>((number + made) % 7);
            {
                graph_of_load graph(kind, given);
                for (int again = 0; again < chosen.again; ++again) graph.launch(stream, in_turns, chosen.at_once);
                in_shorter += 2ll * chosen.again * given.most++;
                graph.update(given);
                graph.launch(stream, in_turns, chosen.at_once);
                in_shorter += 2 * given.most;
                must_be(fetch(), in_shorter * short_count);
                given.x = longer;
                given.count = long_count;
                in_longer += 2 * given.most;
                ++graphs;
                if (kind == "captured") {  // a child graph cannot be updated like kernels
                    graph_of_load other(kind, given);
                    other.launch(stream, in_turns, chosen.at_once);
                    must_be(fetch(), in_longer * long_count);
                } else {
                    graph.update(given);
                    graph.launch(stream, in_turns, chosen.at_once);
                    must_be(fetch(), in_longer * long_count);
                }
            }
            must(cudaFree(own), "cudaFree");
        }
}

bool parse(int count, char** arguments, options& chosen) {
    std::istringstream names(count < 2 ? "" : arguments[1]);
    for (std::string kind; std::getline(names, kind, ',');) {
        if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds)) return false;
        chosen.kinds.push_back(kind);
    }
    return !chosen.kinds.empty() && read_numbers(count, arguments, 2, 1e5,
                                                 {{"--at-once", &chosen.at_once}, {"--threads", &chosen.threads}, {"--again", &chosen.again}, {"--seconds", nullptr, &chosen.seconds}});
}

}  // namespace

int main(int count, char** arguments) {
    options chosen;
    if (!parse(count, arguments, chosen)) {
        std::printf("%s", usage);
        return 2;
    }
    if (!has_gpu()) return 0;
    must(cudaFree(nullptr), "cudaFree");
    turns in_turns;
    std::vector<std::thread> threads;
    for (int i = 0; i < chosen.threads; ++i) threads.emplace_back([&, i] { work(chosen, i, in_turns); });
    join_after(chosen.seconds, threads);
    std::printf("%s: none of %ld launches of %ld graphs failed, in %ld iterations\n", arguments[1], launches.load(), graphs.load(), iterations.load());
    return 0;
}
