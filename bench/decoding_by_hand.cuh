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

// One kernel for all tokens: 128 blocks, of which 32 in turn have a layer's attention. Blocks tell each other words with the number of the pass that
// made them, and wait for those that they read: no barrier. Keys and contents stay in the shared memory of the blocks that read them.
constexpr int blocks = 128, threads = 512, block_warps = threads / 32;
constexpr int rows_of_heads = 3 * width / blocks, rows_of_hidden = hidden / blocks, rows_of_state = width / blocks, sharers = 8;
constexpr int key_pitch = 80;  // from key to key in shared memory: no bank is met twice
static_assert(rows_of_heads == 6 && rows_of_hidden == 8 && rows_of_state == 2 && blocks == layers * heads * sharers && head_width == 64 && heads == 4);

struct model_weights {
    const float *embedding, *position_code, *to_heads, *from_heads, *to_hidden, *from_hidden, *to_tokens;
};
struct block_memory {
    float x[width], q[head_width], found[block_warps][head_width], most[block_warps], sum[block_warps], part[2 * block_warps], best[block_warps];
    int best_row[block_warps], token;
    alignas(16) float keys[most_positions * key_pitch];
    float contents[most_positions * head_width];
};

// Words that carry a number in their upper half.
struct message {
    unsigned long long* words;
    __device__ void put(int i, float value, unsigned pass) const {
        const unsigned long long word = static_cast<unsigned long long>(pass) << 32 | __float_as_uint(value);
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words + i), "l"(word) : "memory");
    }
    __device__ float get(int i, unsigned pass) const {
        unsigned long long word;
        do asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(words + i) : "memory");
        while (static_cast<unsigned>(word >> 32) != pass);
        return __uint_as_float(static_cast<unsigned>(word));
    }
    __device__ float2 get_two(int i, unsigned pass) const {  // i is even
        unsigned long long a, b;
        do asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(words + i) : "memory");
        while (static_cast<unsigned>(a >> 32) != pass || static_cast<unsigned>(b >> 32) != pass);
        return {__uint_as_float(static_cast<unsigned>(a)), __uint_as_float(static_cast<unsigned>(b))};
    }
};
constexpr int message_words = 3 * width + heads * width + hidden + width + 2 * blocks;

__device__ inline float4 four_of(const float* at) { return __ldcg(reinterpret_cast<const float4*>(at)); }
__device__ inline float2 two_of(const float* at) { return __ldcg(reinterpret_cast<const float2*>(at)); }
__device__ inline float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline bool is_better(float value, int row, float best, int best_row) { return value > best || (value == best && row < best_row); }
__device__ inline void find_best_of(float& best, int& row, int lanes) {
    for (int offset = lanes / 2; offset > 0; offset /= 2) {
        const float other = __shfl_xor_sync(~0u, best, offset);
        const int other_row = __shfl_xor_sync(~0u, row, offset);
        if (is_better(other, other_row, best, row)) best = other, row = other_row;
    }
}

__global__ void __launch_bounds__(threads, 1) generate(model_weights w, unsigned long long* words, int vocabulary, int first, int last, int most, int* tokens) {
    extern __shared__ __align__(128) unsigned char memory[];
    block_memory& s = *reinterpret_cast<block_memory*>(memory);
    const int block = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
    const int own_layer = block / (heads * sharers), head = block / sharers % heads, part = block % sharers;
    const message of_heads{words}, attended{of_heads.words + 3 * width}, activated{attended.words + heads * width}, added{activated.words + hidden}, chosen{added.words + width};
    const float4* const x4 = reinterpret_cast<const float4*>(s.x);
    const auto normed_dot = [&](float4 a, float4 b) {
        const float4 u = x4[lane], v = x4[lane + 32];
        float sum = dot(a, u) + dot(b, v), square = dot(u, u) + dot(v, v);
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_xor_sync(~0u, sum, offset);
            square += __shfl_xor_sync(~0u, square, offset);
        }
        return sum / sqrtf(square / width + 1e-5f);
    };
    int token = first;
    for (int at = 0;; ++at) {
        float own = 0;  // thread k has x[k], in all blocks the same
        if (t < width) s.x[t] = own = __ldg(w.embedding + token * width + t) + __ldg(w.position_code + at * width + t);
        __syncthreads();
#pragma unroll 1
        for (int layer = 0; layer < layers; ++layer) {
            const unsigned pass = static_cast<unsigned>(at * layers + layer + 1);
            float4 a{}, b{};
            if (warp < rows_of_heads) {
                const float* const row = w.to_heads + (layer * 3 * width + block * rows_of_heads + warp) * width;
                a = four_of(row + 4 * lane);
                b = four_of(row + 4 * lane + 128);
            }
            if (layer > 0) {
                if (t < width) s.x[t] = own += added.get(t, pass - 1);
                __syncthreads();
            }
            if (warp < rows_of_heads) {
                const float value = normed_dot(a, b);
                if (lane == 0) of_heads.put(block * rows_of_heads + warp, value, pass);
            }
            if (own_layer == layer) {
                float2 rows[2];
                for (int r = 0; r < 2; ++r) rows[r] = two_of(w.from_heads + (layer * width + part * 32 + warp * 2 + r) * width + head * head_width + 2 * lane);
                if (t < 3 * head_width) {
                    const int which = t / head_width, k = t % head_width, slot = at % 16 * 8 + at / 16;
                    const float value = of_heads.get(which * width + head * head_width + k, pass);
                    (which == 0 ? s.q[k] : which == 1 ? s.keys[slot * key_pitch + k] : s.contents[slot * head_width + k]) = value;
                }
                __syncthreads();
                // A warp has every sixteenth position, four lanes each.
                float score = 0;
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    score += dot(reinterpret_cast<const float4*>(s.keys)[(warp * 8 + lane / 4) * (key_pitch / 4) + j * 4 + lane % 4], reinterpret_cast<const float4*>(s.q)[j * 4 + lane % 4]);
                score += __shfl_xor_sync(~0u, score, 1);
                score += __shfl_xor_sync(~0u, score, 2);
                const bool is_there = lane / 4 * 16 + warp <= at;
                const float mine = is_there ? score / 8 : -INFINITY;
                float greatest = mine;
                for (int offset = 4; offset < 32; offset *= 2) greatest = fmaxf(greatest, __shfl_xor_sync(~0u, greatest, offset));
                const float weight = is_there ? __expf(mine - greatest) : 0;
                float sum = weight;
                for (int offset = 4; offset < 32; offset *= 2) sum += __shfl_xor_sync(~0u, sum, offset);
                float2 found{0, 0};
#pragma unroll
                for (int i = 0; i < 8; ++i) {
                    const float of_position = __shfl_sync(~0u, weight, i * 4);
                    if (i * 16 + warp > at) continue;
                    const float2 v = reinterpret_cast<const float2*>(s.contents)[(warp * 8 + i) * 32 + lane];
                    found.x += of_position * v.x;
                    found.y += of_position * v.y;
                }
                reinterpret_cast<float2*>(s.found[warp])[lane] = found;
                if (lane == 0) s.most[warp] = greatest, s.sum[warp] = sum;
                __syncthreads();
                const float of_warp = s.most[lane % 16];
                float of_all = of_warp;
                for (int offset = 8; offset > 0; offset /= 2) of_all = fmaxf(of_all, __shfl_xor_sync(~0u, of_all, offset));
                const float factor = __expf(of_warp - of_all);
                float whole = factor * s.sum[lane % 16];
                for (int offset = 8; offset > 0; offset /= 2) whole += __shfl_xor_sync(~0u, whole, offset);
                const float share = factor / whole;
                float2 seen{0, 0};
#pragma unroll
                for (int j = 0; j < block_warps; ++j) {
                    const float f = __shfl_sync(~0u, share, j);
                    const float2 v = reinterpret_cast<const float2*>(s.found[j])[lane];
                    seen.x += f * v.x;
                    seen.y += f * v.y;
                }
                const float first_row = warp_sum(rows[0].x * seen.x + rows[0].y * seen.y), second_row = warp_sum(rows[1].x * seen.x + rows[1].y * seen.y);
                if (lane < 2) attended.put((part * 32 + warp * 2 + lane) * heads + head, lane ? second_row : first_row, pass);
            }
            if (warp < rows_of_hidden) {
                const float* const row = w.to_hidden + (layer * hidden + block * rows_of_hidden + warp) * width;
                a = four_of(row + 4 * lane);
                b = four_of(row + 4 * lane + 128);
            }
            if (t < width) {
                const float2 u = attended.get_two(t * heads, pass), v = attended.get_two(t * heads + 2, pass);
                s.x[t] = own += (u.x + u.y) + (v.x + v.y);
            }
            __syncthreads();
            if (warp < rows_of_hidden) {
                const float value = normed_dot(a, b);
                if (lane == 0) activated.put(block * rows_of_hidden + warp, value / (1 + __expf(-value)), pass);
            }
            float2 rows[2];
            for (int r = 0; r < 2; ++r) rows[r] = two_of(w.from_hidden + (layer * width + block * rows_of_state + r) * hidden + 2 * t);
            const float2 inner = activated.get_two(2 * t, pass);
            const float sums[] = {warp_sum(rows[0].x * inner.x + rows[0].y * inner.y), warp_sum(rows[1].x * inner.x + rows[1].y * inner.y)};
            if (lane < 2) s.part[lane * block_warps + warp] = lane ? sums[1] : sums[0];
            __syncthreads();
            if (warp == 0) {
                float value = s.part[lane];
                for (int offset = 8; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
                if (lane % 16 == 0) added.put(block * rows_of_state + lane / 16, value, pass);
            }
        }
        const int rows_of_block = vocabulary / blocks, first_row = block * rows_of_block + warp * (rows_of_block / block_warps);
        float best = -INFINITY;
        int best_row = vocabulary;
        float4 row[4][2];
#pragma unroll
        for (int r = 0; r < 4; ++r)
#pragma unroll
            for (int k = 0; k < 2; ++k) row[r][k] = four_of(w.to_tokens + (first_row + r) * width + (lane + 32 * k) * 4);
        if (t < width) s.x[t] = own += added.get(t, static_cast<unsigned>(at * layers + layers));
        __syncthreads();
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            const float logit = normed_dot(row[r][0], row[r][1]);
            if (is_better(logit, first_row + r, best, best_row)) best = logit, best_row = first_row + r;
        }
        if (lane == 0) s.best[warp] = best, s.best_row[warp] = best_row;
        __syncthreads();
        if (warp == 0) {
            best = s.best[lane % 16];
            best_row = s.best_row[lane % 16];
            find_best_of(best, best_row, 16);
            if (lane < 2) chosen.put(2 * block + lane, lane ? __int_as_float(best_row) : best, static_cast<unsigned>(at + 1));
            best = -INFINITY;
            best_row = vocabulary;
#pragma unroll
            for (int j = 0; j < blocks / 32; ++j) {
                const float2 of_block = chosen.get_two(2 * (lane + 32 * j), static_cast<unsigned>(at + 1));
                if (is_better(of_block.x, __float_as_int(of_block.y), best, best_row)) best = of_block.x, best_row = __float_as_int(of_block.y);
            }
            find_best_of(best, best_row, 32);
            if (lane == 0) s.token = best_row;
        }
        __syncthreads();
        token = s.token;
        if (block == 0 && t == 0) tokens[at] = token;
        if (token == last || at + 1 >= most) break;
    }
}

}  // namespace decoding_by_hand
