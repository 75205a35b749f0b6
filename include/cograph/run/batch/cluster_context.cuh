// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_groups.hpp>
#include <cograph/run/batch/one_element_context.cuh>

namespace cograph::core {

// The threads of a cluster that solve a problem, as an execution context. Work of one thread is done by every thread for itself.
template <int Size>
struct cluster_context {
    static constexpr int blocks = Size / most_threads, tiles = Size / reduce_layout::lanes;
    static constexpr bool has_one_tile = false, is_filled = false;
    const int block = block_in_cluster();
    mutable int half_of_warps = 0, half_of_tiles = 0;  // of the rooms for results
    mutable bool overflows = false;                    // in a loop with lengths: whether one was beyond its capacity

    __device__ cluster_context const& of_stages() const { return *this; }
    __device__ one_element_context<cluster_context> of_one_element() const { return {*this, overflows}; }
    __device__ int rank() const { return block * most_threads + static_cast<int>(threadIdx.x); }
    __device__ bool leads() const { return rank() == 0; }
    // All threads of the cluster, which then see what the others wrote, in shared memory too.
    __device__ void meet() const {
#if __CUDA_ARCH__ >= 900
        asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
#endif
    }
    // The same object in another block's shared memory.
    template <class T>
    __device__ static T* of_block(T* own, [[maybe_unused]] int other) {
#if __CUDA_ARCH__ >= 900
        asm("mapa.u64 %0, %0, %1;" : "+l"(own) : "r"(other));
#endif
        return own;
    }

    template <class F>
    __device__ void each(index_t n, F const& f) const {
        for (index_t i = rank(); i < n; i += Size) f(i);
    }
    template <class F>
    __device__ void once(F f) const {
        f();
    }
    // Groups of threads, dealt over all blocks in turn.
    template <int Group, class F>
    __device__ void each_of_groups(thread_group<Group> const& group, index_t n, F const& f) const {
        constexpr int most = groups_of_threads<Group>::most_in_block, threads_for = most_threads / Group;
        constexpr int groups = threads_for < most ? threads_for : most;
        const int own = static_cast<int>(threadIdx.x) / Group;
        if (own >= groups) return;
        for (index_t i = index_t{own} * blocks + block; i < n; i += index_t{groups} * blocks) f(i);
        group.sync();
    }
    // The same with bytes of shared memory for each group: as many groups as there is room for.
    template <int Group, class F>
    __device__ void each_of_groups(thread_group<Group> const& group, index_t n, F const& f, unsigned bytes) const {
        const unsigned groups = groups_with_room<Size, Group, most_threads>(bytes);
        const unsigned own = threadIdx.x / Group;
        __syncthreads();  // other groups have had the same memory
        if (own >= groups) return;
        for (index_t i = index_t{own} * blocks + block; i < n; i += index_t{groups} * blocks) {
            f(i);
            group.sync();
        }
    }

    // Every thread gets the result, and sees earlier writes of the others. A tile of 256 threads joins a chunk, and gives the result to all
    // blocks; the first tile of each block joins those of the chunks.
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T const& identity, Op const& op, Term const& term, void*, T* out) const {
        const reduce_layout layout(n);
        const int tile = rank() / reduce_layout::lanes, lane = rank() % reduce_layout::lanes;
        T of_chunks = identity;
#pragma unroll 1
        for (int first = 0; first < layout.chunks; first += tiles) {
            const int own = first + tile;
            const int lanes = own < layout.chunks ? lanes_before(n - layout.first(own)) : 0;
            T sum = identity;
            if (own < layout.chunks) every<4>(layout.first(own) + lane, n, layout.stride(), [&](index_t i) { add_term(sum, op, term, i); });
            const T* const warps = leave_warp(sum, lanes, op) + threadIdx.x / reduce_layout::lanes * warps_of_tile;
            T* const results = room_for_tiles<T>();
            if (own < layout.chunks && lane < blocks) *of_block(results + tile, lane) = join_warps(lanes, identity, op, [&](int w) -> T const& { return warps[w]; });
            meet();
            if (layout.chunks == 1) {
                *out = results[0];
                return;
            }
#pragma unroll 1
            for (int t = 0; t < tiles && first + t < layout.chunks; ++t)
                if ((first + t) % reduce_layout::lanes == lane) of_chunks = op(of_chunks, results[t]);
        }
        const int lanes = lanes_before(layout.chunks);
        const T* const warps = leave_warp(of_chunks, threadIdx.x < reduce_layout::lanes ? lanes : 0, op);
        *out = join_warps(lanes, identity, op, [&](int w) -> T const& { return warps[w]; });
    }
    // The same for groups of lanes that compute a term together, which the group's first lane gets.
    template <int Group, class T, class Op, class Term>
    __device__ void reduce_groups(index_t n, T const& identity, Op const& op, Term const& term, void* scratch, T* out) const {
        reduce(n * Group, identity, op, [&](index_t lane) -> T { return term_of_lane<Group>(lane, term, identity); }, scratch, out);
    }

private:
    __device__ static int block_in_cluster() {
        int found = 0;
#if __CUDA_ARCH__ >= 900
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(found));
#endif
        return found;
    }
    __device__ static int lanes_before(index_t n) { return n < reduce_layout::lanes ? static_cast<int>(n) : reduce_layout::lanes; }

    // Each warp joins its lanes, of which some may be without elements, and leaves the result for its block, in two rooms in turn, so that
    // one barrier is enough.
    template <class T, class Op>
    __device__ const T* leave_warp(T sum, int lanes, Op const& op) const {
        half_of_warps ^= 1;
        T* const results = room_for_warps<T>() + half_of_warps * most_warps;
        __syncwarp();
        if (lanes > static_cast<int>(threadIdx.x) % reduce_layout::lanes / warp_lanes * warp_lanes) sum = join_lanes<warp_lanes>(sum, op);
        if (threadIdx.x % warp_lanes == 0) results[threadIdx.x / warp_lanes] = sum;
        __syncthreads();
        return results;
    }
    // One room for each type, whatever joins them.
    template <class T>
    __device__ static T* room_for_warps() {
        __shared__ alignas(T) char room[2 * most_warps * sizeof(T)];
        return reinterpret_cast<T*>(room);
    }
    // The results of all tiles of the cluster, in the shared memory of each block. All have met between the reads of a room and its next use.
    template <class T>
    __device__ T* room_for_tiles() const {
        __shared__ alignas(T) char room[2 * tiles * sizeof(T)];
        half_of_tiles ^= 1;
        return reinterpret_cast<T*>(room) + half_of_tiles * tiles;
    }
};

}  // namespace cograph::core
