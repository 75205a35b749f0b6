// SPDX-License-Identifier: Apache-2.0
#include "plain_graph.cuh"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

// Captures beside threads that use the default stream, in plain CUDA: bench/RESULTS.md has what one driver says. Four threads
// capture one launch each, again and again, on streams of their own; four others fill memory.
namespace {

using plain_graph::must;

constexpr const char* usage =
    R"(usage: default_stream KIND [--seconds S]
  of the streams that are captured:
    blocking   those of cudaStreamCreate, on which the default stream waits
    apart      those of cudaStreamNonBlocking
  --seconds S  default 2
)";

std::atomic<long> captures = 0, fills = 0, refused = 0;

__global__ void work(int* to) { ++*to; }

void count(cudaError_t code, std::atomic<long>& of) {
    ++(code == cudaSuccess ? of : refused);
    cudaGetLastError();
}

void capture(unsigned kind, int* memory) {
    cudaStream_t on = nullptr;
    must(cudaStreamCreateWithFlags(&on, kind), "cudaStreamCreateWithFlags");
    while (!plain_graph::threads_end) {
        cudaGraph_t graph = nullptr;
        must(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        work<<<1, 1, 0, on>>>(memory);
        count(cudaStreamEndCapture(on, &graph), captures);
        if (graph) must(cudaGraphDestroy(graph), "cudaGraphDestroy");
    }
    must(cudaStreamDestroy(on), "cudaStreamDestroy");
}
void fill(int* memory) {
    while (!plain_graph::threads_end) count(cudaMemset(memory, 0, sizeof *memory), fills);
}

}  // namespace

int main(int argument_count, char** arguments) {
    double seconds = 2;
    const char* const kind = argument_count < 2 ? "" : arguments[1];
    const bool blocks = std::strcmp(kind, "blocking") == 0;
    if ((!blocks && std::strcmp(kind, "apart") != 0) || !plain_graph::read_numbers(argument_count, arguments, 2, 1e5, {{"--seconds", nullptr, &seconds}})) {
        std::printf("%s", usage);
        return 2;
    }
    if (!plain_graph::has_gpu()) return 0;
    int* const memory = plain_graph::make_memory(1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(capture, blocks ? cudaStreamDefault : cudaStreamNonBlocking, memory);
    for (int i = 0; i < 4; ++i) threads.emplace_back(fill, memory);
    plain_graph::join_after(seconds, threads);
    std::printf("%s: %ld captures and %ld fills, %ld calls refused\n", kind, captures.load(), fills.load(), refused.load());
    return refused > 0;
}
