// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/expr/node/stage.hpp>

namespace cograph::core {

constexpr int warps_of_tile = reduce_layout::lanes / warp_lanes;
constexpr int most_warps = 1024 / warp_lanes;

// The join of every Width consecutive lanes of a warp, or of those Apart in them, valid in the first of each. All lanes call it.
template <int Width, int Apart = 1, class T, class Op>
__device__ T join_lanes(T value, Op const& op) {
    __syncwarp();
    for (int offset = Width / 2; offset >= Apart; offset /= 2)
        value = op(value, shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(~0u, word, offset); }));
    return value;
}

// Shared memory for one result of every warp of a block.
template <class T>
__device__ T* results_of_warps() {
    __shared__ alignas(T) char room[most_warps * sizeof(T)];
    return reinterpret_cast<T*>(room);
}

// The join of every tile of a block: that of tile t is valid in lane 8 t of the first warp. All threads of the block call it.
template <class T, class Op>
__device__ T join_tiles(T value, T identity, Op const& op) {
    T* const of_warp = results_of_warps<T>();
    value = join_lanes<warp_lanes>(value, op);
    if (threadIdx.x % warp_lanes == 0) of_warp[threadIdx.x / warp_lanes] = value;
    __syncthreads();
    if (threadIdx.x < warp_lanes)
        value = join_lanes<warps_of_tile>(threadIdx.x < blockDim.x / warp_lanes ? of_warp[threadIdx.x] : identity, op);
    return value;
}

// f(i) for i, i + stride, ... below n; InARow of them after one test, so that their loads overlap.
template <int InARow, class F>
__device__ void every(index_t i, index_t n, index_t stride, F const& f) {
    if constexpr (InARow == 4) {
#pragma unroll 1
        for (; i + 3 * stride < n; i += 4 * stride) {
            f(i);
            f(i + stride);
            f(i + 2 * stride);
            f(i + 3 * stride);
        }
    }
#pragma unroll 1
    for (; i < n; i += stride) f(i);
}

// A lane's value for the combination of the chunks' results.
template <class T, class Op>
__device__ T lane_of_chunks(int lane, const T* partials, int chunks, T identity, Op const& op) {
    static_assert(reduce_layout::most_chunks == 2 * reduce_layout::lanes);
    T sum = identity;
    if (lane < chunks) sum = op(sum, partials[lane]);
    if (lane + reduce_layout::lanes < chunks) sum = op(sum, partials[lane + reduce_layout::lanes]);
    return sum;
}

// All terms of a lane whose first one is given, n in all and `stride` apart.
template <int InARow, class T, class Op, class Term>
__device__ void add_terms(T& sum, Op const& op, Term const& term, index_t first, index_t n, index_t stride) {
    if constexpr (requires { term.add_lane(sum, op, first); }) {
        if (term.order.is_cut())
            term.add_lane(sum, op, first);
        else
            every<InARow>(first, n, stride, [&](index_t i) { term.add_element(sum, op, i); });
    } else {
        every<InARow>(first, n, stride, [&](index_t i) { add_term(sum, op, term, i); });
    }
}

// A lane's term, of a group of Size lanes that compute one together: the first lane gets it.
template <int Size, class T, class Term>
__device__ T term_of_lane(index_t lane, Term const& term, T const& identity) {
    const T found = term(lane / Size);
    if (lane % Size == 0) return found;
    return identity;
}

// A whole grid as an execution context: one thread, or one tile a chunk.
struct grid_context {
    template <class F>
    __device__ void once(F f) const {
        f();
    }

    // The block that finishes last combines the chunks' results: the classic threadFenceReduction of the CUDA
    // samples. True in the thread that has the result. Fewer: there may be more blocks than the chunks need. InARow:
    // the number of a lane's terms that follow one test.
    template <bool Fewer = false, int InARow = 4, class T, class Op, class Term>
    __device__ bool reduce(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        const reduce_layout layout(n);
        unsigned* const ticket = static_cast<unsigned*>(scratch);
        T* const partials = reinterpret_cast<T*>(static_cast<char*>(scratch) + reduce_partials<T>);
        const int tiles = blockDim.x / reduce_layout::lanes;
        const int chunk = blockIdx.x * tiles + threadIdx.x / reduce_layout::lanes;
        T sum = identity;
        if (chunk < layout.chunks) {
            const index_t first = layout.first(chunk) + threadIdx.x % reduce_layout::lanes;
            add_terms<InARow>(sum, op, term, first, n, layout.stride());
        }
        sum = join_tiles(sum, identity, op);
        if (layout.chunks > 1 || (Fewer && gridDim.x > 1)) {
            __shared__ bool is_last;
            const int joined = threadIdx.x / warps_of_tile;  // a tile
            if (threadIdx.x < warp_lanes) {
                if (threadIdx.x % warps_of_tile == 0 && joined < tiles && blockIdx.x * tiles + joined < layout.chunks) partials[blockIdx.x * tiles + joined] = sum;
                __syncwarp();
                if (threadIdx.x == 0) {  // for its block, whose threads have met, and meet again before they read
                    if (gridDim.x > 1) __threadfence();
                    is_last = gridDim.x == 1 || atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
                    if (gridDim.x > 1 && is_last) __threadfence();
                }
            }
            __syncthreads();
            if (!is_last) return false;
            if (Fewer && layout.chunks == 1) {
                if (threadIdx.x == 0) *out = partials[0];
                return threadIdx.x == 0;
            }
            sum = threadIdx.x < reduce_layout::lanes ? lane_of_chunks(static_cast<int>(threadIdx.x), partials, layout.chunks, identity, op) : identity;
            sum = join_tiles(sum, identity, op);
        }
        if (threadIdx.x == 0) *out = sum;
        return threadIdx.x == 0;
    }
    // The same for groups of lanes that compute a term together, which the group's first lane gets.
    template <int Size, bool Fewer = false, class T, class Op, class Term>
    __device__ bool reduce_groups(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        return reduce<Fewer, 1>(n * Size, identity, op, [&](index_t lane) -> T { return term_of_lane<Size>(lane, term, identity); }, scratch, out);
    }
};

// The same for a part of the elements that the grid was made for.
template <class Context>
struct part_of_grid : Context {
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        Context::template reduce<true>(n, identity, op, term, scratch, out);
    }
    template <int Size, class T, class Op, class Term>
    __device__ void reduce_groups(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        Context::template reduce_groups<Size, true>(n, identity, op, term, scratch, out);
    }
};
template <class Context>
    requires(std::is_base_of_v<grid_context, Context>)
__device__ part_of_grid<Context> for_a_part(Context const& context) {
    return {context};
}

// The same if one thread goes on after the stage: the one that has the result, or the only one.
struct last_block_context : grid_context {
    bool& goes_on;

    __device__ explicit last_block_context(bool& to) : goes_on(to) {}
    template <bool Fewer = false, int InARow = 4, class T, class Op, class Term>
    __device__ void reduce(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        goes_on = grid_context::reduce<Fewer, InARow>(n, identity, op, term, scratch, out);
    }
    template <int Size, bool Fewer = false, class T, class Op, class Term>
    __device__ void reduce_groups(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        goes_on = grid_context::reduce_groups<Size, Fewer>(n, identity, op, term, scratch, out);
    }
};

}  // namespace cograph::core
