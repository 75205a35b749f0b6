// SPDX-License-Identifier: Apache-2.0

// The time line of the distributed solver on the GPUs of a host, as CUPTI records it: how much of each exchange runs beside the interior.
// Ranks are threads. Usage: bench_overlap [GPUs] [width]

#define COGRAPH_WITH_NCCL
#include "../examples/distributed_poisson/planes.hpp"
#include "../examples/distributed_poisson/ranks.hpp"
#include "bench.cuh"
#include "rank_barrier.hpp"

#include <cupti.h>
#include <nccl.h>

#include <cstring>
#include <mutex>
#include <string>

namespace {

using namespace cograph;
using namespace distributed;

void check(CUptiResult status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (status == CUPTI_SUCCESS) return;
    const char* words = nullptr;
    cuptiGetResultString(status, &words);
    std::fprintf(stderr, "%s:%d: %s\n", file, line, words ? words : "CUPTI fails");
    std::exit(1);
}

// A kernel that ran, in microseconds.
struct kernel_run {
    enum class kind { halo, sum, interior, other };
    std::string name;
    unsigned device;
    double begin, end;
    kind is = kind::other;
};
std::mutex guard;
std::vector<kernel_run> recorded;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *size = std::size_t{8} << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
    *records = 0;
}
void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t used) {
    const std::lock_guard<std::mutex> lock(guard);
    for (CUpti_Activity* at = nullptr; cuptiActivityGetNextRecord(buffer, used, &at) == CUPTI_SUCCESS;) {
        if (at->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
        const auto& k = *reinterpret_cast<const CUpti_ActivityKernel10*>(at);
        kernel_run one{k.name ? k.name : "", k.deviceId, static_cast<double>(k.start) / 1e3, static_cast<double>(k.end) / 1e3};
        const auto has = [&](const char* word) { return one.name.find(word) != std::string::npos; };
        one.is = has("SendRecv") ? kernel_run::kind::halo : has("AllReduce") ? kernel_run::kind::sum : has("stencil") ? kernel_run::kind::interior : kernel_run::kind::other;
        recorded.push_back(one);
    }
    std::free(buffer);
}

double shared_time(const kernel_run& a, const kernel_run& b) { return std::max(0.0, std::min(a.end, b.end) - std::max(a.begin, b.begin)); }

// The records of one GPU, and a part of them as a time line.
void report(const char* what, unsigned device, bool draws) {
    std::vector<kernel_run> runs;
    for (const kernel_run& one : recorded)
        if (one.device == device) runs.push_back(one);
    std::sort(runs.begin(), runs.end(), [](const kernel_run& a, const kernel_run& b) { return a.begin < b.begin; });
    std::vector<double> halos, insides, beside;
    for (const kernel_run& one : runs) {
        if (one.is == kernel_run::kind::interior) insides.push_back(one.end - one.begin);
        if (one.is != kernel_run::kind::halo) continue;
        double together = 0;
        for (const kernel_run& other : runs)
            if (other.is == kernel_run::kind::interior) together += shared_time(one, other);
        halos.push_back(one.end - one.begin);
        beside.push_back(together);
    }
    if (halos.empty() || insides.empty()) {
        std::printf("%s: GPU %u: %zu kernels, %zu exchanges, %zu interiors\n", what, device, runs.size(), halos.size(), insides.size());
        return;
    }
    std::printf("%s: GPU %u: %zu exchanges, median %.1f us, of which %.1f us are beside the interior (median %.1f us)\n", what, device, halos.size(), bench::median(halos),
                bench::median(beside), bench::median(insides));
    if (!draws) return;
    std::size_t first = runs.size() / 2;
    while (first > 0 && runs[first].is != kernel_run::kind::interior) --first;
    first = first > 2 ? first - 2 : 0;
    for (std::size_t i = first; i < std::min(runs.size(), first + 18); ++i)
        std::printf("  %9.2f to %9.2f  %.70s\n", runs[i].begin - runs[first].begin, runs[i].end - runs[first].begin, runs[i].name.c_str());
}

struct problem {
    std::size_t n, plane;
    bench::device_array<double> solution, right, center, below, above;
    bench::device_array<int> count{1};
    problem(int width, int planes) : n(static_cast<std::size_t>(width) * static_cast<std::size_t>(planes)), plane(static_cast<std::size_t>(width)), solution(n), right(n), center(n), below(plane), above(plane) {
        std::vector<double> numbers(n);
        for (std::size_t i = 0; i < n; ++i) numbers[i] = 1 + static_cast<double>(i % 7);
        bench::check(cudaMemcpy(right.data, numbers.data(), n * sizeof(double), cudaMemcpyHostToDevice));
        for (std::size_t i = 0; i < n; ++i) numbers[i] = 4 + 0.02 * static_cast<double>(1 + i % 5);
        bench::check(cudaMemcpy(center.data, numbers.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    }
};

template <class E>
void trace(const char* what, E e, bench::rank_barrier& all, const nccl::communicator& own, problem& mine, int width) {
    cudaStream_t stream = nullptr;
    bench::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    all.wait();
    {
        auto exec = instantiate(e, world(own), x(mine.solution.data, mine.n), b(mine.right.data, mine.n), diagonal(mine.center.data, mine.n), first_plane(mine.plane),
                                below(mine.below.data, mine.plane), above(mine.above.data, mine.plane), lower(own.rank - 1), upper(own.rank + 1), side(width), tolerance(1e-16),
                                distributed::iterations(mine.count.data));
        all.wait();
        double best = 1e30;
        for (int again = 0; again < 6; ++again) {
            all.wait();
            const double begin = bench::now();
            exec.launch(stream);
            bench::check(cudaStreamSynchronize(stream));
            best = std::min(best, bench::now() - begin);
        }
        if (own.rank == 0) std::printf("%s, %d^2: %.2f us an iteration without the profiler, %d iterations\n", what, width, best / mine.count.first(), mine.count.first());
        all.wait();
        if (own.rank == 0) {
            recorded.clear();
            check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
        }
        all.wait();
        exec.launch(stream);
        bench::check(cudaStreamSynchronize(stream));
        all.wait();
        if (own.rank == 0) {
            check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
            check(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
            for (unsigned device = 0; device < static_cast<unsigned>(own.size); ++device) report(what, device, device == 0);
            std::fflush(stdout);
        }
        all.wait();
    }
    cudaStreamDestroy(stream);
}

}  // namespace

int main(int argc, char** argv) {
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess) gpus = 0;
    const int ranks = argc > 1 ? std::min(gpus, std::atoi(argv[1])) : gpus, width = argc > 2 ? std::atoi(argv[2]) : 4096;
    if (ranks < 2) {
        std::printf("SKIP: %d CUDA devices\n", gpus);
        return 0;
    }
    check(cuptiActivityRegisterCallbacks(&give_buffer, &take_buffer));
    const ncclUniqueId id = new_id();
    bench::rank_barrier all(ranks);
    nccl::run_ranks(ranks, [&](nccl::communicator rank) {
        bench::check(cudaSetDevice(rank.rank));
        const connection made(id, rank.rank, ranks);
        const nccl::communicator own = made.communicator();
        problem mine(width, width * (rank.rank + 1) / ranks - width * rank.rank / ranks);
        trace("as planned", solve(multiply_planes()), all, own, mine, width);
        all.wait();
    });
}
