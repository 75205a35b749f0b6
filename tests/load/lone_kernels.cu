// SPDX-License-Identifier: Apache-2.0
#include "plain_graph.cuh"

#include <cstring>
#include <thread>
#include <vector>

// Which loops of conditional nodes the driver survives beside others of their kind, in plain CUDA: bench/RESULTS.md has what it
// says of one driver. Each thread launches a graph of its own again and again, on a stream of its own, and waits.
namespace {

using namespace plain_graph;

constexpr const char* usage =
    R"(usage: lone_kernels BODY [--threads N] [--loops N] [--beside N] [--load N] [--seconds S]
  of the loop of each graph; its last kernel decides, and there are three passes:
    one             one kernel
    one_slow        one that takes ten microseconds
    empty_one       an empty node in front of it
    memset_one      a memset in front of it
    one_branch      a branch behind it that is not taken
    two             two kernels, one behind the other
    three           three of them
    two_apart       neither waits for the other
    two_disabled    the first is disabled
    three_join      the third waits for the others, which do not wait for each other
    three_fork      the others wait for the first, and not for each other
  --threads N  default 8; --loops N side by side in a graph, default 1; --seconds S, default 2
  --beside N   large kernels (586 blocks) beside the loops in each graph, default 0
  --load N     threads that launch such kernels and no graphs, default 0
)";

struct options {
    const char* body = "";
    int threads = 8, loops = 1, beside = 0, load = 0;
    double seconds = 2;
    bool is(const char* name) const { return std::strcmp(body, name) == 0; }
};


__global__ void begin(int* passes) { *passes = 0; }
__global__ void work(int* to) { ++*to; }
__global__ void fill(int* all) { all[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void decide(int* passes, cudaGraphConditionalHandle condition, int nanoseconds) {
    long long start = 0, now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
    cudaGraphSetConditional(condition, ++*passes < 3);
}

constexpr shape large{586, 256}, one_thread;

// Adds a loop; gives the node that is to be disabled, or null.
cudaGraphNode_t add_loop(const options& chosen, cudaGraph_t graph, int* memory) {
    int *const passes = memory, *const others = memory + 1;
    const cudaGraphConditionalHandle again = make_handle(graph, 1, cudaGraphCondAssignDefault);
    const conditional loop = add_conditional(graph, {add_kernel(graph, {}, one_thread, begin, passes)}, cudaGraphCondTypeWhile, again);
    const auto add_work = [&](const std::vector<cudaGraphNode_t>& after, int* to) { return add_kernel(loop.body, after, one_thread, work, to); };
    std::vector<cudaGraphNode_t> before;
    cudaGraphNode_t first = nullptr;
    if (chosen.is("empty_one")) {
        must(cudaGraphAddEmptyNode(&first, loop.body, nullptr, 0), "cudaGraphAddEmptyNode");
        before = {first};
    } else if (chosen.is("memset_one")) {
        cudaMemsetParams params{};
        params.dst = others;
        params.elementSize = sizeof(int);
        params.width = params.height = 1;
        must(cudaGraphAddMemsetNode(&first, loop.body, nullptr, 0, &params), "cudaGraphAddMemsetNode");
        before = {first};
    } else if (chosen.is("two") || chosen.is("two_disabled")) {
        before = {add_work({}, others)};
    } else if (chosen.is("three")) {
        before = {add_work({}, others)};
        before = {add_work(before, others + 1)};
    } else if (chosen.is("two_apart")) {
        add_work({}, others);
    } else if (chosen.is("three_fork")) {
        before = {add_work({}, others)};
        add_work(before, others + 1);
    } else if (chosen.is("three_join")) {
        before = {add_work({}, others), add_work({}, others + 1)};
    }
    const cudaGraphNode_t last = add_kernel(loop.body, before, one_thread, decide, passes, again, chosen.is("one_slow") ? 10'000 : 0);
    if (chosen.is("one_branch")) {
        const cudaGraphConditionalHandle never = make_handle(graph, 0, cudaGraphCondAssignDefault);
        add_kernel(add_conditional(loop.body, {last}, cudaGraphCondTypeIf, never).body, {}, one_thread, work, others);
    }
    return chosen.is("two_disabled") ? before[0] : nullptr;
}

int* memory_of_large() { return make_memory(std::size_t{large.blocks} * large.threads); }
void launch_large_ones() {
    const cudaStream_t stream = make_stream();
    int* const memory = memory_of_large();
    while (!threads_end) {
        for (int i = 0; i < 8; ++i) fill<<<large.blocks, large.threads, 0, stream>>>(memory);
        must(cudaStreamSynchronize(stream), "cudaStreamSynchronize, of a thread without graphs");
    }
}

void launch_again_and_again(const options& chosen) {
    constexpr int for_each_loop = 64;
    const cudaStream_t stream = make_stream();
    int* const memory = make_memory(static_cast<std::size_t>(chosen.loops) * for_each_loop);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    must(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
    std::vector<cudaGraphNode_t> disabled;
    for (int i = 0; i < chosen.loops; ++i)
        if (const cudaGraphNode_t node = add_loop(chosen, graph, memory + i * for_each_loop)) disabled.push_back(node);
    for (int i = 0; i < chosen.beside; ++i) add_kernel(graph, {}, large, fill, memory_of_large());
    must(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
    for (const cudaGraphNode_t node : disabled) must(cudaGraphNodeSetEnabled(exec, node, 0), "cudaGraphNodeSetEnabled");
    for (; !threads_end; ++launches) {
        must(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
        must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    }
}

bool parse(int count, char** arguments, options& chosen) {
    if (count < 2) return false;
    chosen.body = arguments[1];
    constexpr const char* bodies[] = {"one", "one_slow", "empty_one", "memset_one", "one_branch", "two", "three", "two_apart", "two_disabled", "three_join", "three_fork"};
    bool known = false;
    for (const char* const body : bodies) known |= chosen.is(body);
    return known && read_numbers(count, arguments, 2, 1e5,
                                 {{"--threads", &chosen.threads}, {"--loops", &chosen.loops}, {"--beside", &chosen.beside}, {"--load", &chosen.load},
                                  {"--seconds", nullptr, &chosen.seconds}});
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
    std::vector<std::thread> threads;
    for (int i = 0; i < chosen.threads; ++i) threads.emplace_back([&] { launch_again_and_again(chosen); });
    for (int i = 0; i < chosen.load; ++i) threads.emplace_back(launch_large_ones);
    join_after(chosen.seconds, threads);
    std::printf("%s: none of %ld launches failed\n", chosen.body, launches.load());
    return 0;
}
