// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_groups.hpp>
#include <cograph/run/batch/one_element_context.cuh>

namespace cograph::core {

// The threads that solve a problem as an execution context: one, a warp, or a block. Work of one thread is done by
// every thread for itself. IsFilled: of nodes with copies of elements, each thread has one; then nothing is asked, so
// that the compiler can begin the work after a sum before it.
template <int Size, bool IsFilled = false>
struct problem_context {
    static constexpr bool has_one_tile = Size <= reduce_layout::lanes, is_filled = IsFilled;
    using filled = problem_context<Size, true>;
    using asks_whether_filled = fills_context<Size>;
    static constexpr int tiles = Size > reduce_layout::lanes ? Size / reduce_layout::lanes : 1;
    static constexpr int parts = reduce_layout::lanes * tiles / Size;  // lanes of a tile that a thread stands for
    mutable int half = 0;                                              // of the room for results of warps
    mutable bool overflows = false;                                    // in a loop with lengths: whether one was beyond its capacity

    __device__ problem_context const& of_stages() const { return *this; }
    __device__ one_element_context<problem_context> of_one_element() const { return {*this, overflows}; }
    __device__ static int rank() { return static_cast<int>(threadIdx.x) % Size; }
    __device__ bool leads() const { return rank() == 0; }
    __device__ void meet() const {
        if constexpr (Size > warp_lanes)
            __syncthreads();
        else if constexpr (Size == warp_lanes)
            __syncwarp();
    }

    template <class F>
    __device__ void each(index_t n, F const& f) const {
        for (index_t i = rank(); i < n; i += Size) f(i);
    }
    template <class F>
    __device__ void once(F f) const {
        f();
    }
    template <int Group, class F>
    __device__ void each_of_groups(thread_group<Group> const& group, index_t n, F const& f) const {
        constexpr int most = groups_of_threads<Group>::most_in_block;
        constexpr int groups = Size / Group < most ? Size / Group : most;
        const int own = rank() / Group;
        if (own >= groups) return;
        for (index_t i = own; i < n; i += groups) f(i);
        group.sync();
    }
    // The same with bytes of shared memory for each group: as many groups as there is room for.
    template <int Group, class F>
    __device__ void each_of_groups(thread_group<Group> const& group, index_t n, F const& f, unsigned bytes) const {
        const unsigned groups = groups_with_room<Size, Group, Size>(bytes);
        const unsigned own = static_cast<unsigned>(rank()) / Group;
        meet();  // other groups have had the same memory
        if (own >= groups) return;
        for (index_t i = own; i < n; i += groups) {
            f(i);
            group.sync();
        }
    }

    // Every thread gets the result, and sees earlier writes of the others.
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T const& identity, Op const& op, Term const& term, void*, T* out) const {
        if (n <= few)
            reduce_few(static_cast<int>(n), identity, op, term, out);
        else
            reduce_chunks(n, identity, op, term, out);
    }
    // The same for groups of lanes that compute a term together, which the group's first lane gets.
    template <int Group, class T, class Op, class Term>
    __device__ void reduce_groups(index_t n, T const& identity, Op const& op, Term const& term, void* scratch, T* out) const {
        reduce(n * Group, identity, op, [&](index_t lane) -> T { return term_of_lane<Group>(lane, term, identity); }, scratch, out);
    }

    // One element a thread.
    static constexpr int few = Size < reduce_layout::lanes ? Size : reduce_layout::lanes;
    template <class T, class Op, class Term>
    __device__ void reduce_few(int n, T const& identity, Op const& op, Term const& term, T* out) const {
        T sum = identity;
        if (rank() < n) add_term(sum, op, term, rank());
        if (meet_warp(); tile() == 0 && n > rank() / warp_lanes * warp_lanes) sum = join_lanes<warp_lanes>(sum, op);
        if constexpr (Size > warp_lanes) {
            T* const results = room_for_warps<T>();
            if (rank() % warp_lanes == 0) results[rank() / warp_lanes] = sum;
            __syncthreads();
            *out = join_warps(n, identity, op, [&](int w) -> T const& { return results[w]; });
        } else {
            const T joined = join_warps(n, identity, op, [&](int) -> T const& { return sum; });
            *out = shuffle_words(joined, [](unsigned word) { return __shfl_sync(~0u, word, 0); });
        }
    }

    template <class T, class Op, class Term>
    __device__ void reduce_filled(T const& identity, Op const& op, Term const& term, T* out) const {
        T sum = identity;
        add_term(sum, op, term, rank());
        sum = join_lanes<warp_lanes>(sum, op);
        if constexpr (Size > warp_lanes) {
            T* const results = room_for_warps<T>();
            if (rank() % warp_lanes == 0) results[rank() / warp_lanes] = sum;
            __syncthreads();
            *out = join_warps(true, Size, identity, op, [&](int w) -> T const& { return results[w]; });
        } else {
            *out = shuffle_words(sum, [](unsigned word) { return __shfl_sync(~0u, word, 0); });
        }
    }

private:
    __device__ static int tile() { return rank() / reduce_layout::lanes; }
    __device__ static int lane_of_tile() { return rank() % reduce_layout::lanes; }
    __device__ static int lanes_before(index_t n) { return n < reduce_layout::lanes ? static_cast<int>(n) : reduce_layout::lanes; }

    // Any number: a thread stands for some lanes of a tile, and the chunks follow each other.
    template <class T, class Op, class Term>
    __device__ void reduce_chunks(index_t n, T const& identity, Op const& op, Term const& term, T* out) const {
        const reduce_layout layout(n);
        lane_values<parts, T> of_chunks(identity);
#pragma unroll 1
        for (int first = 0; first < layout.chunks; first += tiles) {
            lane_values<parts, T> sums(identity);
            const int own = first + tile();
#pragma unroll 1
            for (int part = 0; part < parts && own < layout.chunks; ++part)
                every<parts == 1 ? 4 : 1>(layout.first(own) + lane_of_tile() + part * Size, n, layout.stride(),
                                          [&](index_t i) { add_term(sums[part], op, term, i); });
            const auto lanes_of = [&](int chunk) { return lanes_before(n - layout.first(chunk)); };
            const T* const results = leave_warps(sums, own < layout.chunks ? lanes_of(own) : 0, op);
#pragma unroll 1
            for (int t = 0; t < tiles && first + t < layout.chunks; ++t) {
                const int chunk = first + t;
                const T joined = join_of_tile(t, results, sums, lanes_of(chunk), identity, op);
                if (layout.chunks == 1) {
                    *out = joined;
                    return;
                }
                const int lane = chunk % reduce_layout::lanes - lane_of_tile();
                if (lane >= 0 && lane % Size == 0) of_chunks[lane / Size] = op(of_chunks[lane / Size], joined);
            }
        }
        const int lanes = lanes_before(layout.chunks);
        const T* const results = leave_warps(of_chunks, tile() == 0 ? lanes : 0, op);
        *out = join_of_tile(0, results, of_chunks, lanes, identity, op);
    }

    // Shared memory for the results of the warps of all tiles: two of them in turn, so that one barrier is enough.
    template <class T>
    __device__ T* room_for_warps() const {
        __shared__ alignas(T) char room[2 * tiles * warps_of_tile * sizeof(T)];
        half ^= 1;
        return reinterpret_cast<T*>(room) + half * tiles * warps_of_tile;
    }

    // Each warp joins its lanes, of which some may be without elements; larger groups give the results to all.
    template <int Parts, class T, class Op>
    __device__ const T* leave_warps(lane_values<Parts, T>& sums, int lanes, Op const& op) const {
        meet_warp();
#pragma unroll 1
        for (int part = 0; part < Parts; ++part)
            if (lanes > (lane_of_tile() + part * Size) / warp_lanes * warp_lanes) sums[part] = join_lanes<warp_lanes>(sums[part], op);
        if constexpr (Size > warp_lanes) {
            T* const results = room_for_warps<T>();
            if (rank() % warp_lanes == 0)
#pragma unroll 1
                for (int part = 0; part < Parts; ++part) results[(rank() + part * Size) / warp_lanes] = sums[part];
            __syncthreads();
            return results;
        } else {
            return nullptr;
        }
    }
    template <int Parts, class T, class Op>
    __device__ static T join_of_tile(int t, const T* results, lane_values<Parts, T>& sums, int lanes, T const& identity, Op const& op) {
        if constexpr (Size > warp_lanes) {
            return join_warps(lanes, identity, op, [&](int w) -> T const& { return results[t * warps_of_tile + w]; });
        } else {
            const T joined = join_warps(lanes, identity, op, [&](int w) -> T const& { return sums[Parts == 1 ? 0 : w]; });
            return shuffle_words(joined, [](unsigned word) { return __shfl_sync(~0u, word, 0); });
        }
    }
    __device__ static void meet_warp() {
        if constexpr (Size == warp_lanes) __syncwarp();
    }
};

}  // namespace cograph::core
