// SPDX-License-Identifier: Apache-2.0
#include "plain_graph.cuh"

#include <chrono>
#include <random>
#include <string>
#include <thread>

// Which loops of many passes the driver brings to an end, in plain CUDA: bench/RESULTS.md has what it says of one driver. The body
// of a loop is kernels and conditional nodes that wait for each other at random, and a kernel behind all of them that decides. A loop
// that does not end ends the program.
namespace {

using namespace plain_graph;

constexpr const char* usage =
    R"(usage: long_loops [--apart 1] [--conditionals N] [--bodies N] [--passes N] [--seed S]
  --apart 1         conditional nodes wait for each other only by chance; otherwise each waits for the one before it
  --conditionals N  in a body, at most; default 4
  --bodies N        default 20; --passes N of each, twice, default 2000; --seed S, default 1
)";

struct options {
    int apart = 0, conditionals = 4, bodies = 20, passes = 2'000, seed = 1;
};

__global__ void begin(int* passes, cudaGraphConditionalHandle again) {
    *passes = 0;
    cudaGraphSetConditional(again, 1);
}
__global__ void work(int* to) { ++to[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void set(cudaGraphConditionalHandle condition, bool to) { cudaGraphSetConditional(condition, to); }
__global__ void decide(int* passes, int most, cudaGraphConditionalHandle again) { cudaGraphSetConditional(again, ++*passes < most); }

enum class kind { small_kernel, large_kernel, untaken, taken, loop };
constexpr const char* words[] = {"kernel", "large kernel", "branch not taken", "branch taken", "loop of one pass"};
struct node {
    kind what;
    std::vector<int> after;  // a conditional node waits for the kernel that sets it, and that for these
};

bool is_conditional(kind what) { return what >= kind::untaken; }

std::vector<node> random_body(const options& chosen, int number) {
    std::mt19937 random(static_cast<unsigned>(chosen.seed + number));
    std::vector<node> body(3 + random() % 7);
    int conditionals = 0, last = -1;
    for (int i = 0; i < static_cast<int>(body.size()); ++i) {
        node& made = body[static_cast<std::size_t>(i)];
        const bool conditional = conditionals < chosen.conditionals && random() % 2 == 0;
        made.what = static_cast<kind>(conditional ? 2 + random() % 3 : random() % 2);
        for (int other = 0; other < i; ++other)
            if (random() % 3 == 0 || (conditional && !chosen.apart && other == last)) made.after.push_back(other);
        if (!conditional) continue;
        ++conditionals;
        last = i;
    }
    return body;
}

std::string text_of(const std::vector<node>& body) {
    std::string text;
    for (std::size_t i = 0; i < body.size(); ++i) {
        text += "  " + std::to_string(i) + ": " + words[static_cast<int>(body[i].what)];
        for (const int other : body[i].after) text += (other == body[i].after[0] ? ", behind " : " ") + std::to_string(other);
        text += "\n";
    }
    return text;
}

constexpr shape small{1, 32}, large{132, 256}, one_thread;

void add_body(cudaGraph_t root, cudaGraph_t graph, const std::vector<node>& body, const options& chosen, int* memory, cudaGraphConditionalHandle again) {
    int *const passes = memory, *const others = memory + 1;
    std::vector<cudaGraphNode_t> nodes(body.size());
    for (std::size_t i = 0; i < body.size(); ++i) {
        const node& each = body[i];
        std::vector<cudaGraphNode_t> after;
        for (const int other : each.after) after.push_back(nodes[static_cast<std::size_t>(other)]);
        if (!is_conditional(each.what)) {
            nodes[i] = add_kernel(graph, after, each.what == kind::large_kernel ? large : small, work, others);
            continue;
        }
        const cudaGraphConditionalHandle handle = make_handle(root, 0, 0);
        after.push_back(add_kernel(graph, after, one_thread, set, handle, each.what != kind::untaken));
        const conditional made = add_conditional(graph, after, each.what == kind::loop ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf, handle);
        const cudaGraphNode_t first = add_kernel(made.body, {}, small, work, others);
        if (each.what == kind::loop) add_kernel(made.body, {first}, one_thread, set, handle, false);
        nodes[i] = made.node;
    }
    std::vector<cudaGraphNode_t> ends;
    for (std::size_t i = 0; i < body.size(); ++i) {
        bool is_awaited = false;
        for (const node& each : body)
            for (const int other : each.after) is_awaited |= other == static_cast<int>(i);
        if (!is_awaited) ends.push_back(nodes[i]);
    }
    add_kernel(graph, ends, one_thread, decide, passes, chosen.passes, again);
}

// Whether the stream's work ends in time.
bool ends(cudaStream_t stream, int passes) {
    using clock = std::chrono::steady_clock;
    const auto latest = clock::now() + std::chrono::seconds(2) + passes * std::chrono::microseconds(200);
    cudaError_t found = cudaErrorNotReady;
    while ((found = cudaStreamQuery(stream)) == cudaErrorNotReady && clock::now() < latest) std::this_thread::sleep_for(std::chrono::microseconds(100));
    if (found != cudaErrorNotReady) must(found, "cudaStreamQuery");
    return found == cudaSuccess;
}

void run(const options& chosen, int number, cudaStream_t stream, int* memory) {
    const std::vector<node> body = random_body(chosen, number);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    must(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
    const cudaGraphConditionalHandle again = make_handle(graph, 0, 0);
    const conditional loop = add_conditional(graph, {add_kernel(graph, {}, one_thread, begin, memory, again)}, cudaGraphCondTypeWhile, again);
    add_body(graph, loop.body, body, chosen, memory, again);
    must(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
    for (int launch = 0; launch < 2; ++launch, ++launches) {
        must(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
        if (!ends(stream, chosen.passes)) {
            std::printf("body %d of seed %d does not end:\n%s", number, chosen.seed, text_of(body).c_str());
            std::fflush(stdout);
            std::_Exit(1);
        }
        int passes = 0;
        must(cudaMemcpy(&passes, memory, sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
        if (passes == chosen.passes) continue;
        std::printf("body %d of seed %d made %d passes:\n%s", number, chosen.seed, passes, text_of(body).c_str());
        std::_Exit(1);
    }
    must(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
    must(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

}  // namespace

int main(int count, char** arguments) {
    options chosen;
    if (!read_numbers(count, arguments, 1, 2e9,
                      {{"--apart", &chosen.apart}, {"--conditionals", &chosen.conditionals}, {"--bodies", &chosen.bodies}, {"--passes", &chosen.passes},
                       {"--seed", &chosen.seed}})) {
        std::printf("%s", usage);
        return 2;
    }
    if (!has_gpu()) return 0;
    const cudaStream_t stream = make_stream();
    int* const memory = make_memory(1 + std::size_t{large.blocks} * large.threads);
    for (int number = 0; number < chosen.bodies; ++number) run(chosen, number, stream, memory);
    std::printf("all of %d bodies end\n", chosen.bodies);
    return 0;
}
