// SPDX-License-Identifier: Apache-2.0
#include "../graph_by_hand.hpp"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

// Graphs with IF and WHILE nodes around a few kernels, in plain CUDA: what a tool must be able to run before its word on bodies
// of conditional nodes counts (sanitize.sh). Says what is wrong first, and fails, or how many graphs were right.
//   conditional_by_hand [ROUNDS]
namespace {

constexpr int threads = 64, warps = threads / 32, until = 5;

char graph_now[80] = "before the first graph";

void must(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    std::printf("%s: %s: %s\n", graph_now, what, cudaGetErrorName(code));
    std::exit(1);
}

__global__ void add_one(int* x, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] += 1;
}
__global__ void add_two(int* x, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] += 2;
}

// The sum over a block, in its first thread.
__device__ int sum_of_block(int value) {
    __shared__ int of_warp[warps];
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < warps; ++w) sum += of_warp[w];
    return sum;
}
__global__ void sum_blocks(const int* x, int n, int* sums) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int sum = sum_of_block(i < n ? x[i] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
__global__ void sum_sums(const int* sums, int blocks, int* total) {
    const int sum = sum_of_block(static_cast<int>(threadIdx.x) < blocks ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) *total = sum;
}
// The same in one kernel, launched cooperatively.
__global__ void sum_grid(const int* x, int n, int* sums, int* total) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int sum = sum_of_block(i < n ? x[i] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    cooperative_groups::this_grid().sync();
    if (i != 0) return;
    *total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) *total += sums[block];
}
__global__ void decide(const int* x, cudaGraphConditionalHandle handle) {
    if (threadIdx.x == 0) cudaGraphSetConditional(handle, x[0] < until);
}

// What a body holds between the first kernel, which adds, and the last, which decides.
enum class content { nothing, kernel, shared_memory, cooperative };
constexpr content contents[] = {content::nothing, content::kernel, content::shared_memory,
                                content::cooperative};
constexpr const char* names[] = {"two kernels", "three kernels", "kernels with shared memory",
                                 "a cooperative kernel"};

// A chain of kernels as the body of a conditional node.
class chain {
public:
    explicit chain(cudaGraph_t graph) : graph_(graph) {}

    void add(const void* function, int blocks, void** arguments, bool cooperative = false) {
        cudaKernelNodeParams params{};
        params.func = const_cast<void*>(function);
        params.gridDim = dim3(static_cast<unsigned>(blocks));
        params.blockDim = dim3(threads);
        params.kernelParams = arguments;
        cudaGraphNode_t node = nullptr;
        must(cudaGraphAddKernelNode(&node, graph_, last_ ? &last_ : nullptr, last_ ? 1 : 0, &params),
             "cudaGraphAddKernelNode");
        last_ = node;
        if (!cooperative) return;
        cudaLaunchAttributeValue value{};
        value.cooperative = 1;
        must(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value),
             "cudaGraphKernelNodeSetAttribute");
    }

private:
    cudaGraph_t graph_;
    cudaGraphNode_t last_ = nullptr;
};

cudaGraph_t add_conditional(cudaGraph_t graph, cudaGraphConditionalNodeType type,
                            cudaGraphConditionalHandle handle) {
    cudaGraphNodeParams params = graph_by_hand::conditional(type, handle);
    cudaGraphNode_t node = nullptr;
    must(graph_by_hand::add_node(&node, graph, {}, params), "cudaGraphAddNode");
    return params.conditional.phGraph_out[0];
}

// One graph over n numbers, 64 blocks at most, launched a few times, each time from zero.
bool is_right(cudaStream_t stream, cudaGraphConditionalNodeType type, content inside, int n) {
    int blocks = (n + threads - 1) / threads;
    int *x = nullptr, *sums = nullptr, *total = nullptr;
    must(cudaMalloc(&x, static_cast<std::size_t>(n) * sizeof(int)), "cudaMalloc");
    must(cudaMalloc(&sums, static_cast<std::size_t>(blocks) * sizeof(int)), "cudaMalloc");
    must(cudaMalloc(&total, sizeof(int)), "cudaMalloc");

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphConditionalHandle handle{};
    must(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
    must(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault),
         "cudaGraphConditionalHandleCreate");
    chain body(add_conditional(graph, type, handle));
    void* of_adding[] = {&x, &n};
    void* of_blocks[] = {&x, &n, &sums};
    void* of_sums[] = {&sums, &blocks, &total};
    void* of_grid[] = {&x, &n, &sums, &total};
    void* of_deciding[] = {&x, &handle};
    body.add(reinterpret_cast<const void*>(&add_one), blocks, of_adding);
    if (inside != content::nothing) body.add(reinterpret_cast<const void*>(&add_two), blocks, of_adding);
    if (inside == content::shared_memory) {
        body.add(reinterpret_cast<const void*>(&sum_blocks), blocks, of_blocks);
        body.add(reinterpret_cast<const void*>(&sum_sums), 1, of_sums);
    }
    if (inside == content::cooperative)
        body.add(reinterpret_cast<const void*>(&sum_grid), blocks, of_grid, true);
    body.add(reinterpret_cast<const void*>(&decide), 1, of_deciding);
    must(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");

    const int step = inside == content::nothing ? 1 : 3;
    const int wanted = type == cudaGraphCondTypeIf ? step : (until + step - 1) / step * step;
    bool right = true;
    for (int launch = 0; launch < 4 && right; ++launch) {
        std::vector<int> seen(static_cast<std::size_t>(n));
        int sum = n * wanted;
        must(cudaMemsetAsync(x, 0, seen.size() * sizeof(int), stream), "cudaMemsetAsync");
        must(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
        must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        must(cudaMemcpy(seen.data(), x, seen.size() * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
        if (inside == content::shared_memory || inside == content::cooperative)
            must(cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost), "cudaMemcpy");
        right = seen == std::vector<int>(seen.size(), wanted) && sum == n * wanted;
        if (!right)
            std::printf("%s: launch %d: x[0] is %d, wanted are %d; the sum is %d, wanted is %d\n", graph_now,
                        launch, seen[0], wanted, sum, n * wanted);
    }
    must(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
    must(cudaGraphDestroy(graph), "cudaGraphDestroy");
    for (int* memory : {x, sums, total}) must(cudaFree(memory), "cudaFree");
    return right;
}

// The kernels that add, by themselves.
void launch_outside_of_graphs(cudaStream_t stream) {
    int* x = nullptr;
    must(cudaMalloc(&x, threads * sizeof(int)), "cudaMalloc");
    must(cudaMemsetAsync(x, 0, threads * sizeof(int), stream), "cudaMemsetAsync");
    add_one<<<1, threads, 0, stream>>>(x, threads);
    add_two<<<1, threads, 0, stream>>>(x, threads);
    must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    must(cudaFree(x), "cudaFree");
}

}  // namespace

int main(int argc, char** argv) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("no GPU: GPU tests skipped");
        return 0;
    }
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
    cudaStream_t stream = nullptr;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    int graphs = 0;
    for (int round = 0; round < rounds; ++round) {
        // At first a tool has never seen the kernels outside of bodies, later it has.
        if (round == rounds / 2) launch_outside_of_graphs(stream);
        for (const cudaGraphConditionalNodeType type : {cudaGraphCondTypeIf, cudaGraphCondTypeWhile}) {
            for (const content inside : contents) {
                std::snprintf(graph_now, sizeof graph_now, "graph %d, %s around %s", graphs,
                              type == cudaGraphCondTypeIf ? "IF" : "WHILE", names[static_cast<int>(inside)]);
                if (!is_right(stream, type, inside, 64 + 600 * (round % 7))) return 1;
                ++graphs;
            }
        }
    }
    must(cudaStreamDestroy(stream), "cudaStreamDestroy");
    std::printf("%d graphs right\n", graphs);
    return 0;
}
