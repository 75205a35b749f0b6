// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/iteration/group_memory.hpp>
#include <cograph/expr/scan/kept_numbers.hpp>
#include <cograph/plan/persistent/barriers.hpp>
#include <cograph/plan/persistent/loop/results.hpp>
#include <cograph/run/kernel/grid_reduce.cuh>
#include <cograph/run/persistent/grid_barrier.cuh>
#include <cograph/run/tiles/exchange/exchanged.cuh>

namespace cograph::core {

// A value that the compiler keeps, not finds again: reading a thread's number takes as long as ten additions.
__device__ inline int keep(int value) {
    asm volatile("" : "+r"(value));
    return value;
}

// A part of a persistent kernel as an execution context. Tiles of 256 threads take the chunks of a domain in turn, so
// that one thread handles the same elements in every stage over the same extent. Work of one thread is done by every
// thread for itself.
template <bool IsTight = false>
struct persistent_context {
    kernel_barrier<IsTight>& barrier_all;
    char* memory;     // for the chunks' results
    unsigned& round;  // of groups that reduce
    bool& overflows;  // in a loop with lengths: whether one was beyond its capacity
    kept_numbers* kept[most_kept_numbers];

    const int thread = keep(threadIdx.x);
    // As one lane tells it: then the compiler knows that threads of a warp take the same branch, and exchange values behind it without a test.
    const int warp_of_block = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / warp_lanes, 0);
    const int tiles_of_block = blockDim.x / reduce_layout::lanes;
    const int tile_of_block = warp_of_block / (reduce_layout::lanes / warp_lanes);
    const int tiles = keep(tiles_of_block * gridDim.x);
    const int tile = keep(tile_of_block * gridDim.x + blockIdx.x);
    const unsigned sent_bytes = 0;  // of `memory`, for results that blocks send to each other
    const bool in_order = false;    // of a box, in which its threads have all elements
    mutable int whole = 0;          // of the elements that a thread keeps, those of every variable

    // After reductions whose results blocks sent to each other. After very many of these, numbers begin again in clean memory: no old result has the number of a new one.
    __device__ void count_sent() const {
        if (++round >> 31 == 0) return;
        barrier_all.wait();
        for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < sent_bytes / sizeof(uint4); at += gridDim.x * blockDim.x) reinterpret_cast<uint4*>(memory)[at] = uint4{0, 0, 0, 0};
        barrier_all.wait();
        round = 0;
    }

    // One thread of all, which keeps the states of loops.
    __device__ bool leads() const { return blockIdx.x == 0 && thread == 0; }

    __device__ int lane_of_tile() const { return thread % reduce_layout::lanes; }
    __device__ int warp() const { return warp_of_block; }
    __device__ int lane() const { return thread % warp_lanes; }

    template <class F>
    __device__ void once(F f) const {
        f();
    }

    // All threads of all blocks, which then see what the others wrote.
    __device__ void meet() const { barrier_all.wait(); }

    // Groups of threads, dealt over all blocks in turn. Those of a block are no more than have a barrier.
    template <int Size, class F>
    __device__ void each_of_groups(thread_group<Size> const& group, index_t n, F const& f) const {
        constexpr int most = groups_of_threads<Size>::most_in_block;
        const int of_block = blockDim.x / Size, groups = of_block < most ? of_block : most;
        const int own = thread / Size;
        if (own >= groups) return;
        for (index_t i = index_t{own} * gridDim.x + blockIdx.x; i < n; i += index_t{groups} * gridDim.x) f(i);
        group.sync();  // a group of the next node exchanges warps' values in the same memory
    }
    // The same if each of them has shared memory, of this many bytes.
    template <int Size, class F>
    __device__ void each_of_groups(thread_group<Size> const& group, index_t n, F const& f, unsigned bytes) const {
        constexpr int most = groups_of_threads<Size>::most_in_block;
        const int of_block = static_cast<int>(groups_with_memory(blockDim.x / Size, bytes)), groups = of_block < most ? of_block : most;
        const int own = thread / Size;
        __syncthreads();  // other groups have had the same memory
        if (own >= groups) return;
        for (index_t i = index_t{own} * gridDim.x + blockIdx.x; i < n; i += index_t{groups} * gridDim.x) {
            f(i);
            group.sync();
        }
    }
};

// Whether the nodes of a stage have their work in two parts, for parameters P.
template <class Stage, class... P>
auto find_parts(P const&...) {
    if constexpr (requires { requires !Stage::traits.has_length && Stage::template has_parts<P...>; })
        return std::true_type{};
    else
        return std::false_type{};
}

// The same before the barrier in front of a node whose work has two parts.
template <class Context>
struct context_before_barrier {
    static constexpr bool before_barrier = true;
    Context const& context;

    // Each group prepares its first element before it waits. Until all threads of its block have arrived, others may have the same memory.
    template <int Size, class Prepare, class Finish>
    __device__ void each_of_groups(thread_group<Size> const& group, index_t n, unsigned bytes, Prepare const& prepare, Finish const& finish) const {
        constexpr int most = groups_of_threads<Size>::most_in_block;
        const int of_block = blockDim.x / Size, with_memory = bytes > 0 ? static_cast<int>(groups_with_memory(of_block, bytes)) : of_block;
        const int groups = with_memory < most ? with_memory : most, own = context.thread / Size;
        index_t i = index_t{own} * gridDim.x + blockIdx.x;
        const bool has_first = own < groups && i < n;
        using result = decltype(prepare(i));
        result prepared;
        context.barrier_all.wait_after([&] {
            if (has_first)
                prepared = prepare(i);
            else
                prepared = result{};  // otherwise the compiler keeps that of the iteration before, in registers that others need
        });
        if (own >= groups) return;
        if (has_first) finish(i, prepared);
        for (i += index_t{groups} * gridDim.x; i < n; i += index_t{groups} * gridDim.x) {
            if (bytes > 0) group.sync();
            finish(i, prepare(i));
        }
        group.sync();  // a group of the next node exchanges warps' values in the same memory
    }
};

// The tiles of a block that have a group of so many threads together.
template <int Together>
inline constexpr int tiles_in_a_row = Together > reduce_layout::lanes ? Together / reduce_layout::lanes : 1;
// The number of a block's tile among all tiles: blocks take tiles, or those of a group, in turn.
template <int Together>
__device__ int tile_of_grid(int tile) {
    constexpr int row = tiles_in_a_row<Together>;
    if constexpr (row == 1)
        return tile * gridDim.x + blockIdx.x;
    else
        return (tile / row * gridDim.x + blockIdx.x) * row + tile % row;
}

// The same if the tiles of a block follow one another.
__device__ inline int tile_in_a_row(int tile) { return blockIdx.x * (blockDim.x / reduce_layout::lanes) + tile; }

template <barrier B>
__device__ void keep_order(auto const& context, bool in_first_block = false) {
    if constexpr (B >= barrier::grid) context.barrier_all.wait_before(B, in_first_block);
}

constexpr int most_shared_chunks = 256;    // of a kernel whose blocks reach each other's shared memory
constexpr int most_shared_reductions = 2;  // of a group; others go through memory

// Shared memory for results of the J-th reductions of all groups. Types whose results take the same power of two in bytes have one room,
// so that any number of types fit. All threads meet between two groups that use the same part of it. Of chunks, which other blocks write,
// that is the barrier of the group between the two, which uses the other half; so halves lie at the same places for all types.
// A group has one large result at most, whatever its number, and its chunks go through memory.
enum class room { of_warps, of_tile, of_chunks };
template <class T>
inline constexpr bool is_small_result = sizeof(T) <= small_result_bytes;
template <class T>
constexpr unsigned find_bytes_in_room() {
    unsigned bytes = 1;
    while (bytes < sizeof(T)) bytes *= 2;
    return bytes;
}
template <class T>
inline constexpr unsigned bytes_in_room = find_bytes_in_room<T>();
template <unsigned Bytes>
struct alignas(Bytes) result_in_room {
    char bytes[Bytes];
};
template <room Of, int J, unsigned Bytes, int Results>
__device__ result_in_room<Bytes>* room_of() {
    __shared__ result_in_room<Bytes> results[Results];
    return results;
}
template <room Of, int J, class T, int Results>
__device__ T* results_in(int first = 0) {
    return reinterpret_cast<T*>(room_of<Of, is_small_result<T> ? J : 0, bytes_in_room<T>, Results>() + first);
}
static_assert(((2 * most_warps + warps_of_tile) * most_joined_reductions + 2 * most_shared_chunks * most_shared_reductions) * (1 + 2 + 4 + 8 + 16) +
                      (2 * most_warps + warps_of_tile) * (32 + 64) < 47 * 1024 && small_result_bytes == 16 && persistent_result_bytes == 64,
              "all rooms fit the 48 kB of a block, with some bytes for barriers");

// The result of each warp, in two halves used in turn.
template <int J, class T>
__device__ T* results_of_warps(int half) {
    return results_in<room::of_warps, J, T, 2 * most_warps>(half * most_warps);
}
// The combination of all chunks' results by the warps of a tile.
template <int J, class T>
__device__ T* results_of_tile() {
    return results_in<room::of_tile, J, T, warps_of_tile>();
}

// The results of all chunks for the J-th reduction of a group: in the shared memory of every block if blocks can
// access it and it has room, else in the kernel's memory. In two halves used in turn, because a block may still read those of one
// group while another writes the next.
template <int J, class T>
class chunk_results {
public:
    __device__ chunk_results(auto const& context, int chunks)
        : shared_(reaches_blocks && context.barrier_all.shares_memory() && chunks <= most_shared_chunks), lane_(context.lane()) {
        const unsigned half = context.round % 2;
        all_ = shared_ ? room_in(half) : reinterpret_cast<T*>(context.memory + in_memory(half));
    }

    __device__ const T* all() const { return all_; }

    // From every eighth lane of a warp, all of which call it, the result of a chunk, if it is valid.
    __device__ void put(int chunk, bool valid, T result) const {
        if (shared_ && gridDim.x > 1) {
            result =
                shuffle_words(result, [&](unsigned word) { return __shfl_sync(~0u, word, lane_ / 8 * 8); });
            if (valid) {
#pragma unroll 1
                for (unsigned block = lane_ % 8; block < gridDim.x; block += 8) *of_block(all_ + chunk, block) = result;
            }
        } else if (valid && lane_ % 8 == 0) {
            all_[chunk] = result;
        }
    }

private:
    static constexpr bool reaches_blocks = J < most_shared_reductions && is_small_result<T>;
    __device__ static constexpr unsigned in_memory(unsigned half) {
        constexpr unsigned of_small = reduce_layout::most_chunks * small_result_bytes;
        if constexpr (is_small_result<T>)
            return (2 * J + half) * of_small;
        else
            return 2 * most_joined_reductions * of_small + half * reduce_layout::most_chunks * persistent_result_bytes;
    }
    __device__ static T* room_in([[maybe_unused]] unsigned half) {
        if constexpr (reaches_blocks)
            return results_in<room::of_chunks, J, T, 2 * most_shared_chunks>(half * most_shared_chunks);
        else
            return nullptr;
    }
    __device__ static T* of_block(T* own, [[maybe_unused]] unsigned block) {
#if __CUDA_ARCH__ >= 900
        asm("mapa.u64 %0, %0, %1;" : "+l"(own) : "r"(block));
#endif
        return own;
    }

    bool shared_;
    unsigned lane_;
    T* all_;
};

// The result of a chunk for the J-th reduction of a group in a kernel whose blocks send results to each other. A block that has those of one meeting may send those
// of the next one, but not of the one after it, before all others have them: so there are two halves.
template <int J, class T>
__device__ exchanged<T>* sent_result(auto const& context, unsigned copy, int chunk) {
    static_assert(sizeof(exchanged<T>) <= 16);
    return reinterpret_cast<exchanged<T>*>(context.memory + (2 * copies_of_sent * J + context.round % 2 * copies_of_sent + copy) * (reduce_layout::most_chunks * 16)) + chunk;
}

}  // namespace cograph::core
