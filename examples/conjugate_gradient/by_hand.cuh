// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device.cuh"
#include "problem.hpp"
#include "steps.hpp"

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>

namespace sparse {

struct scalars {
    double rr = 0, pAp = 1;  // first and together, because the host looks at these two
    double rz = 0, rz_before = 0, alpha = 0, beta = 0;
};

/// The terms of a dot product.
struct product {
    const double* x;
    const double* y;
    __device__ double operator()(int i) const { return x[i] * y[i]; }
};

__device__ inline int this_row() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

static __global__ void multiply_rows(csr_view A, const double* p, double* Ap) {
    const int i = this_row();
    if (i < A.rows) spmv{}(i, A, p, Ap[i]);
}

static __global__ void subtract_rows(csr_view A, const double* x, const double* b, double* r) {
    const int i = this_row();
    if (i < A.rows) residual{}(i, A, x, b[i], r[i]);
}

static __global__ void invert_rows(csr_view A, double* inverse) {
    const int i = this_row();
    if (i < A.rows) invert_diagonal{}(i, A, inverse[i]);
}

static __global__ void precondition_rows(int rows, const double* inverse, const double* r, double* z) {
    const int i = this_row();
    if (i < rows) precondition{}(i, inverse[i], r[i], z[i]);
}

static __global__ void step_rows(int rows, const scalars* s, const double* p, const double* Ap, double* x, double* r) {
    const int i = this_row();
    if (i < rows) take_step{}(i, s->alpha, p[i], Ap[i], x[i], r[i]);
}

static __global__ void turn_rows(int rows, const scalars* s, const double* z, double* p) {
    const int i = this_row();
    if (i < rows) next_direction{}(i, s->beta, z[i], p[i]);
}

static __global__ void compute_alpha(scalars* s) {
    s->alpha = s->rz / s->pAp;
    s->rz_before = s->rz;
}

static __global__ void compute_beta(scalars* s) {
    s->beta = s->rz / s->rz_before;
}

/// The method as it is written without this library: kernels launched from a host loop, scalars on the
/// device, and one small copy back an iteration to decide how to go on. What the graph is measured against.
class gpu_solver_by_hand {
public:
    explicit gpu_solver_by_hand(const problem& given)
        : rows_(given.A.rows), bb_(dot_product(given.b, given.b)), A_(given.A), b_(given.b), x_(b_.size()),
          r_(b_.size()), z_(b_.size()), p_(b_.size()), Ap_(b_.size()), inverse_(b_.size()), scalars_(1),
          scratch_(scratch_bytes()) {
        check(cudaMallocHost(&seen_, sizeof(scalars)), "cudaMallocHost");
    }
    gpu_solver_by_hand(gpu_solver_by_hand&&) = delete;
    ~gpu_solver_by_hand() { cudaFreeHost(seen_); }

    solution solve(const limits& limit) {
        x_.set_to_zero();
        const stopwatch watch;
        const double enough = limit.tolerance * limit.tolerance * bb_;
        int iterations = 0;
        const auto unsolved = [&] {
            return seen_->rr > enough && iterations < limit.max_iterations && seen_->pAp > 0;
        };
        start();
        while (unsolved()) {
            choose_first_direction();
            while (unsolved()) {
                advance();
                if (++iterations % 50 == 0) compute_residual();
                choose_next_direction();
            }
            compute_residual();
        }
        stream_.wait();
        const double seconds = watch.seconds();
        return {x_.to_host(), iterations, seen_->rr, seen_->pAp, seconds};
    }

private:
    void start() {
        *seen_ = {};
        transfer(s(), seen_, sizeof(scalars));
        invert_rows<<<blocks(), 256, 0, stream_>>>(A_.view(), inverse_.data());
        compute_residual();
    }

    void choose_first_direction() {
        precondition_rows<<<blocks(), 256, 0, stream_>>>(rows_, inverse_.data(), r_.data(), z_.data());
        dot(r_, z_, &s()->rz);
        transfer(p_.data(), z_.data(), z_.size() * sizeof(double));
    }

    void advance() {
        multiply_rows<<<blocks(), 256, 0, stream_>>>(A_.view(), p_.data(), Ap_.data());
        dot(p_, Ap_, &s()->pAp);
        compute_alpha<<<1, 1, 0, stream_>>>(s());
        step_rows<<<blocks(), 256, 0, stream_>>>(rows_, s(), p_.data(), Ap_.data(), x_.data(), r_.data());
        dot(r_, r_, &s()->rr);
        look();
    }

    void choose_next_direction() {
        precondition_rows<<<blocks(), 256, 0, stream_>>>(rows_, inverse_.data(), r_.data(), z_.data());
        dot(r_, z_, &s()->rz);
        compute_beta<<<1, 1, 0, stream_>>>(s());
        turn_rows<<<blocks(), 256, 0, stream_>>>(rows_, s(), z_.data(), p_.data());
    }

    void compute_residual() {
        subtract_rows<<<blocks(), 256, 0, stream_>>>(A_.view(), x_.data(), b_.data(), r_.data());
        dot(r_, r_, &s()->rr);
        look();
    }

    /// Copies rr and pAp back.
    void look() {
        transfer(seen_, s(), 2 * sizeof(double));
        check(cudaGetLastError(), "kernel launch");
        stream_.wait();
    }

    void transfer(void* to, const void* from, std::size_t bytes) {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
    }

    void dot(const device_array<double>& x, const device_array<double>& y, double* result) {
        std::size_t size = scratch_.size();
        check(reduce(scratch_.data(), size, {x.data(), y.data()}, result), "cub::DeviceReduce");
    }

    cudaError_t reduce(void* scratch, std::size_t& size, product terms, double* result) {
        const thrust::counting_iterator<int> first(0);
        return cub::DeviceReduce::TransformReduce(scratch, size, first, result, rows_, cuda::std::plus<>{},
                                                  terms, 0.0, stream_);
    }

    std::size_t scratch_bytes() {
        std::size_t size = 0;
        check(reduce(nullptr, size, {}, nullptr), "cub::DeviceReduce");
        return size;
    }

    unsigned blocks() const { return (static_cast<unsigned>(rows_) + 255) / 256; }
    scalars* s() const { return scalars_.data(); }

    stream stream_;
    int rows_;
    double bb_;
    device_csr A_;
    device_array<double> b_, x_, r_, z_, p_, Ap_, inverse_;
    device_array<scalars> scalars_;
    device_array<char> scratch_;
    scalars* seen_ = nullptr;
};

}  // namespace sparse
