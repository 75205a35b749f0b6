// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

// Threads exchange a number through shared memory, with __syncthreads between writes and reads and two rooms in turn, in plain CUDA. Before each
// exchange a part of them meets at a named barrier, some times. There is no race; racecheck says there is one if the warps of a block have
// met at different numbers of barriers (docs/reliability.md). Fails if a sum is wrong.
//   barriers_by_hand [TIMES]
namespace {

constexpr int threads = 1024, group = 256, passes = 6;

__global__ void exchange(int* sums, int times) {
    __shared__ int rooms[2][threads / 32];
    int sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        if (threadIdx.x < group)
            for (int k = 0; k < times; ++k) asm volatile("bar.sync 1, %0;" ::"n"(group) : "memory");
        int* const room = rooms[pass % 2];
        if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = pass + static_cast<int>(threadIdx.x);
        __syncthreads();
        sum += room[0];
    }
    sums[threadIdx.x] = sum;
}
void must(cudaError_t code) {
    if (code == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorName(code));
    std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("no GPU: GPU tests skipped\n");
        return 0;
    }
    int* sums = nullptr;
    must(cudaMalloc(&sums, threads * sizeof(int)));
    exchange<<<1, dim3(threads)>>>(sums, argc > 1 ? std::atoi(argv[1]) : 3);
    must(cudaGetLastError());
    std::vector<int> found(threads);
    must(cudaMemcpy(found.data(), sums, threads * sizeof(int), cudaMemcpyDeviceToHost));
    must(cudaFree(sums));
    for (const int sum : found)
        if (sum != passes * (passes - 1) / 2) {
            std::printf("a sum is %d\n", sum);
            return 1;
        }
    std::printf("all sums are right\n");
    return 0;
}
