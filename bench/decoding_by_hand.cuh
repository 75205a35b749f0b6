// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench.cuh"

#include "../examples/decoding/transformer.hpp"

// The kernels of examples/decoding as one would write them for a loop on the host: a warp for each row, and a block for the best token.
namespace decoding_by_hand {

using namespace decoding;

__device__ inline float warp_sum(float value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
    return value;
}
__device__ inline int row_of_warp() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32; }
__device__ inline float normed_row(const float* row, const float* x) {
    float sum = 0, square = 0;
#pragma unroll
    for (int k = static_cast<int>(threadIdx.x) % 32; k < width; k += 32) {
        sum += row[k] * x[k];
        square += x[k] * x[k];
    }
    return warp_sum(sum) / sqrtf(warp_sum(square) / width + 1e-5f);
}

__global__ void embed(const float* embedding, const float* position_code, int token, int at, float* x) {
    x[threadIdx.x] = embedding[token * width + static_cast<int>(threadIdx.x)] + position_code[at * width + static_cast<int>(threadIdx.x)];
}
__global__ void project(const float* x, const float* weights, int layer, int at, float* q, float* k, float* v) {
    const int row = row_of_warp(), column = row % width, place = (layer * most_positions + at) * width + column;
    const float value = normed_row(weights + (layer * 3 * width + row) * width, x);
    if (threadIdx.x % 32 == 0) (row < width ? q[column] : row < 2 * width ? k[place] : v[place]) = value;
}
// A block for each head, a thread for each position, then for each column.
__global__ void attend(const float* q, const float* k, const float* v, int layer, int at, float* to) {
    __shared__ float weight[most_positions], of_warps[2][4];
    const int t = static_cast<int>(threadIdx.x), head = static_cast<int>(blockIdx.x) * head_width;
    float score = -INFINITY;
    if (t <= at) {
        score = 0;
        for (int c = 0; c < head_width; ++c) score += q[head + c] * k[(layer * most_positions + t) * width + head + c];
        score /= sqrtf(static_cast<float>(head_width));
    }
    float most = score;
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, offset));
    if (t % 32 == 0) of_warps[0][t / 32] = most;
    __syncthreads();
    most = fmaxf(fmaxf(of_warps[0][0], of_warps[0][1]), fmaxf(of_warps[0][2], of_warps[0][3]));
    const float own = t <= at ? expf(score - most) : 0;
    weight[t] = own;
    const float sum = warp_sum(own);
    if (t % 32 == 0) of_warps[1][t / 32] = sum;
    __syncthreads();
    if (t >= head_width) return;
    float found = 0;
    for (int other = 0; other <= at; ++other) found += weight[other] * v[(layer * most_positions + other) * width + head + t];
    to[head + t] = found / (of_warps[1][0] + of_warps[1][1] + of_warps[1][2] + of_warps[1][3]);
}
__global__ void add_product(const float* from, const float* weights, int layer, int columns, float* x) {
    const int row = row_of_warp();
    const float* const own = weights + (layer * width + row) * columns;
    float sum = 0;
#pragma unroll 8
    for (int k = static_cast<int>(threadIdx.x) % 32; k < columns; k += 32) sum += own[k] * from[k];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) x[row] += sum;
}
__global__ void activate(const float* x, const float* weights, int layer, float* to) {
    const int row = row_of_warp();
    const float value = normed_row(weights + (layer * hidden + row) * width, x);
    if (threadIdx.x % 32 == 0) to[row] = value / (1 + expf(-value));
}
__global__ void find_logits(const float* x, const float* weights, float* logits) {
    const int row = row_of_warp();
    const float value = normed_row(weights + row * width, x);
    if (threadIdx.x % 32 == 0) logits[row] = value;
}
__global__ void find_best(const float* logits, int count, int* token) {
    __shared__ float best_of[1024];
    __shared__ int index_of[1024];
    const int t = static_cast<int>(threadIdx.x);
    float best = -INFINITY;
    int index = count;
    for (int k = t; k < count; k += 1024)
        if (logits[k] > best) best = logits[k], index = k;
    best_of[t] = best;
    index_of[t] = index;
    for (int offset = 512; offset > 0; offset /= 2) {
        __syncthreads();
        if (t < offset && (best_of[t + offset] > best_of[t] || (best_of[t + offset] == best_of[t] && index_of[t + offset] < index_of[t])))
            best_of[t] = best_of[t + offset], index_of[t] = index_of[t + offset];
    }
    if (t == 0) *token = index_of[0];
}

}  // namespace decoding_by_hand
