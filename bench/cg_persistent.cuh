// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cg_by_hand.cuh"

// Conjugate gradients as one persistent kernel by hand.
namespace solver::hand {

__device__ inline double sum_in_block(double value) {
    __shared__ double of_warp[32];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x % 32 < blockDim.x / 32 ? of_warp[threadIdx.x % 32] : 0;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
    return value;
}

// The sum over the whole grid, in every thread, behind a barrier.
__device__ inline double sum_in_grid(double value, double* partials, lowering::grid_barrier& all) {
    value = sum_in_block(value);
    if (threadIdx.x == 0) __stcg(partials + blockIdx.x, value);
    all.wait();
    double sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += __ldcg(partials + i);
    return sum_in_block(sum);
}

static __global__ void __launch_bounds__(1024)
    persistent_kernel(csr A, vectors v, scalars* s, double* partials, unsigned* arrived, limits until) {
    lowering::grid_barrier all{arrived};
    double rr = s->rr;
    int it = 0;
    while (rr > until.rr && it < until.it) {
        double share = 0;
        for (int i = thread_number(); i < A.rows; i += threads()) {
            double own[1], product[1];
            A.multiply(i, [&](int at) { return __ldcg(v.p + at); }, own, product);
            v.Ap[i] = product[0];
            share += own[0] * product[0];
        }
        const double alpha = rr / sum_in_grid(share, partials, all);
        share = 0;
        for (int i = thread_number(); i < A.rows; i += threads()) {
            v.x[i] += alpha * __ldcg(v.p + i);
            const double r = v.r[i] - alpha * v.Ap[i];
            v.r[i] = r;
            share += r * r;
        }
        const double rr_next = sum_in_grid(share, partials + gridDim.x, all);
        const double beta = rr_next / rr;
        rr = rr_next;
        for (int i = thread_number(); i < A.rows; i += threads())
            __stcg(v.p + i, v.r[i] + beta * __ldcg(v.p + i));
        ++it;
        all.wait();
    }
    if (thread_number() == 0) {
        s->rr = rr;
        s->it = it;
    }
}

class persistent_loop {
public:
    persistent_loop(csr of, vectors with, scalars* state, limits ends)
        : A(of), v(with), s(state), until(ends) {}

    struct shape {
        int blocks_per_multiprocessor, threads;
    };
    static constexpr shape shapes[] = {{1, 512}, {1, 1024}, {2, 512}, {2, 1024}};
    shape chosen = shapes[0];

    void launch(cudaStream_t on) {
        int device, multiprocessors;
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
        check(cudaMemsetAsync(arrived.data, 0, sizeof(unsigned), on));
        void* arguments[] = {&A, &v, &s, &partials.data, &arrived.data, &until};
        check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(persistent_kernel),
                                          multiprocessors * chosen.blocks_per_multiprocessor, chosen.threads,
                                          arguments, 0, on));
    }

private:
    csr A;
    vectors v;
    scalars* s;
    limits until;
    bench::device_array<double> partials{4096};
    bench::device_array<unsigned> arrived{1};
};

}  // namespace solver::hand
