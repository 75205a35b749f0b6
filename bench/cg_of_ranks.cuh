// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench.cuh"

#include <nccl.h>

// Conjugate gradients over planes of a box that ranks share, by hand: kernels of one's own and calls of NCCL, eight iterations captured into
// one graph that is replayed until a flag says that it is over. Terms and sums are those of examples/distributed_poisson, in their order.
namespace cg_of_ranks {

using bench::check;
inline void check(ncclResult_t status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (status == ncclSuccess || status == ncclInProgress) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, ncclGetErrorString(status), ncclGetLastError(nullptr));
    std::exit(1);
}

// Of one rank: n elements in rows of `width`.
struct problem {
    int n, width;
    double tolerance;
    const double *b, *diagonal, *below, *above;
    double *x, *r, *p, *Ap;
    double* partials;  // of the blocks
    double* sum;       // of this rank, then of all: p * Ap; and, twice, r * z
    unsigned* ticket;
    int* passes;
    volatile int* goes_on;  // in memory of the host
};
constexpr int threads = 256, most_blocks = 512, together = 8;
inline int blocks_of_sum(int n) { return std::min(most_blocks, (n + threads - 1) / threads); }

__device__ inline double sum_of_block(double value) {
    __shared__ double of_warps[threads / 32];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < threads / 32 ? of_warps[threadIdx.x] : 0;
    if (threadIdx.x < 32)
        for (int offset = threads / 64; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    return value;
}
// The sum of use(i, load(i)) over all i < n, of which four are loaded at once; the block that is last adds those of the blocks.
template <class Load, class Use>
__device__ void sum_of_grid(const problem& a, double* to, Load load, Use use) {
    __shared__ bool is_last;
    const int stride = static_cast<int>(gridDim.x) * threads;
    int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
    double sum = 0;
#pragma unroll 1
    for (; i + 3 * stride < a.n; i += 4 * stride) {
        const auto first = load(i), second = load(i + stride), third = load(i + 2 * stride), fourth = load(i + 3 * stride);
        sum += use(i, first);
        sum += use(i + stride, second);
        sum += use(i + 2 * stride, third);
        sum += use(i + 3 * stride, fourth);
    }
#pragma unroll 1
    for (; i < a.n; i += stride) sum += use(i, load(i));
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        a.partials[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(a.ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    sum = 0;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += threads) sum += a.partials[block];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) *to = sum;
}
struct two {
    double first, second;
};
struct five {
    double x, p, r, Ap, diagonal;
};

__device__ inline double product_with_row(const problem& a, int i) {
    double sum = a.diagonal[i] * a.p[i];
    if (i % a.width > 0) sum -= a.p[i - 1];
    if (i % a.width < a.width - 1) sum -= a.p[i + 1];
    if (i >= a.width) sum -= a.p[i - a.width];
    if (i + a.width < a.n) sum -= a.p[i + a.width];
    return sum;
}
__device__ inline double with_borders(const problem& a, int i, double product) {
    if (i < a.width) product -= a.below[i];
    if (i >= a.n - a.width) product -= a.above[i - (a.n - a.width)];
    return product;
}

static __global__ void __launch_bounds__(threads) begin(problem a) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *a.passes = 0;
    const auto load = [&](int i) { return two{a.b[i], a.diagonal[i]}; };
    sum_of_grid(a, a.sum + 1, load, [&](int i, two loaded) {
        const double z = loaded.first / loaded.second;
        a.x[i] = 0;
        a.r[i] = loaded.first;
        a.p[i] = z;
        return loaded.first * z;
    });
}
static __global__ void __launch_bounds__(threads) multiply_inside(problem a) {
    const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
    if (i < a.n) a.Ap[i] = product_with_row(a, i);
}
static __global__ void __launch_bounds__(threads) close_borders_and_sum(problem a) {
    const auto load = [&](int i) { return two{a.p[i], a.Ap[i]}; };
    sum_of_grid(a, a.sum, load, [&](int i, two loaded) {
        if (i < a.width || i >= a.n - a.width) a.Ap[i] = loaded.second = with_borders(a, i, loaded.second);
        return loaded.first * loaded.second;
    });
}
static __global__ void __launch_bounds__(threads) multiply_and_sum(problem a) {
    const auto load = [&](int i) { return two{a.p[i], product_with_row(a, i)}; };
    sum_of_grid(a, a.sum, load, [&](int i, two loaded) {
        const double product = with_borders(a, i, loaded.second);
        a.Ap[i] = product;
        return loaded.first * product;
    });
}
static __global__ void __launch_bounds__(threads) go_and_sum(problem a, int now) {
    const double step = a.sum[1 + now] / a.sum[0];
    const auto load = [&](int i) { return five{a.x[i], a.p[i], a.r[i], a.Ap[i], a.diagonal[i]}; };
    sum_of_grid(a, a.sum + 2 - now, load, [&](int i, five loaded) {
        const double residual = loaded.r - step * loaded.Ap;
        a.x[i] = loaded.x + step * loaded.p;
        a.r[i] = residual;
        return residual * (residual / loaded.diagonal);
    });
}
static __global__ void __launch_bounds__(threads) turn(problem a, int now, bool tells) {
    const double next = a.sum[2 - now], ratio = next / a.sum[1 + now];
    const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
    if (i < a.n) a.p[i] = a.r[i] / a.diagonal[i] + ratio * a.p[i];
    if (i > 0) return;
    const int passes = *a.passes += 1;
    if (tells) *a.goes_on = next > a.tolerance && passes < 10000;
}

// The solver of one rank. `overlaps`: the borders travel while the inside is multiplied; otherwise before the product, whose kernel adds
// up at once.
class solver {
public:
    solver(problem given, ncclComm_t comm, int rank, int ranks, bool overlaps)
        : a_(given), comm_(comm), rank_(rank), ranks_(ranks) {
        a_.partials = partials_.data;
        a_.sum = sums_.data;
        a_.ticket = ticket_.data;
        check(cudaHostAlloc(&answer_, sizeof(int), cudaHostAllocMapped));
        a_.goes_on = static_cast<volatile int*>(answer_);
        int least = 0, most = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &most));
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, least));
        check(cudaStreamCreateWithPriority(&borders_, cudaStreamNonBlocking, most));
        for (cudaEvent_t* event : {&forked_, &joined_}) check(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
        record(first_, [&] {
            begin<<<blocks_of_sum(a_.n), threads, 0, stream_>>>(a_);
            add_up(a_.sum + 1);
        });
        record(next_, [&] {
            for (int pass = 0; pass < together; ++pass) iterate(pass % 2, overlaps, pass == together - 1);
        });
    }
    ~solver() {
        for (cudaEvent_t event : {forked_, joined_}) cudaEventDestroy(event);
        for (cudaStream_t stream : {stream_, borders_}) cudaStreamDestroy(stream);
        cudaFreeHost(answer_);
    }
    solver(const solver&) = delete;

    void run(cudaStream_t on) const {
        first_.launch(on);
        do {
            next_.launch(on);
            check(cudaStreamSynchronize(on));
        } while (*a_.goes_on);
    }

private:
    struct replayed {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t made = nullptr;

        ~replayed() {
            cudaGraphExecDestroy(made);
            cudaGraphDestroy(graph);
        }
        void launch(cudaStream_t on) const { check(cudaGraphLaunch(made, on)); }
    };
    template <class Enqueue>
    void record(replayed& to, Enqueue enqueue) {
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        enqueue();
        check(cudaStreamEndCapture(stream_, &to.graph));
        check(cudaGraphInstantiate(&to.made, to.graph, cudaGraphInstantiateFlagUseNodePriority));
    }
    void add_up(double* sum) { check(ncclAllReduce(sum, sum, 1, ncclDouble, ncclSum, comm_, stream_)); }
    void exchange(cudaStream_t on) {
        const auto width = static_cast<std::size_t>(a_.width);
        check(ncclGroupStart());
        if (rank_ > 0) {
            check(ncclSend(a_.p, width, ncclDouble, rank_ - 1, comm_, on));
            check(ncclRecv(const_cast<double*>(a_.below), width, ncclDouble, rank_ - 1, comm_, on));
        }
        if (rank_ + 1 < ranks_) {
            check(ncclSend(a_.p + (a_.n - a_.width), width, ncclDouble, rank_ + 1, comm_, on));
            check(ncclRecv(const_cast<double*>(a_.above), width, ncclDouble, rank_ + 1, comm_, on));
        }
        check(ncclGroupEnd());
    }
    void iterate(int now, bool overlaps, bool tells) {
        const int blocks = (a_.n + threads - 1) / threads, blocks_of_sums = blocks_of_sum(a_.n);
        if (overlaps) {
            check(cudaEventRecord(forked_, stream_));
            check(cudaStreamWaitEvent(borders_, forked_, 0));
            exchange(borders_);
            check(cudaEventRecord(joined_, borders_));
            multiply_inside<<<blocks, threads, 0, stream_>>>(a_);
            check(cudaStreamWaitEvent(stream_, joined_, 0));
            close_borders_and_sum<<<blocks_of_sums, threads, 0, stream_>>>(a_);
        } else {
            exchange(stream_);
            multiply_and_sum<<<blocks_of_sums, threads, 0, stream_>>>(a_);
        }
        add_up(a_.sum);
        go_and_sum<<<blocks_of_sums, threads, 0, stream_>>>(a_, now);
        add_up(a_.sum + 2 - now);
        turn<<<blocks, threads, 0, stream_>>>(a_, now, tells);
    }

    problem a_;
    ncclComm_t comm_;
    int rank_, ranks_;
    bench::device_array<double> partials_{most_blocks}, sums_{3};
    bench::device_array<unsigned> ticket_{1};
    void* answer_ = nullptr;
    cudaStream_t stream_ = nullptr, borders_ = nullptr;
    cudaEvent_t forked_ = nullptr, joined_ = nullptr;
    replayed first_, next_;
};

}  // namespace cg_of_ranks
