// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/program.hpp>
#include <cograph/run/barrier.cuh>
#include <cograph/run/grid.cuh>

namespace cograph::core {

constexpr int scalar_bytes = 16;  // of a scalar's copy in shared memory

// The parameters of a persistent kernel by number.
template <int I, class T>
struct numbered {
    T value;
};
template <class Numbers, class... T>
struct parameter_pack;
template <int... I, class... T>
struct parameter_pack<std::integer_sequence<int, I...>, T...> : numbered<I, T>... {
    __device__ explicit parameter_pack(T const&... values) : numbered<I, T>{values}... {}
};
template <int I, class T>
__device__ T const& parameter(numbered<I, T> const& p) {
    return p.value;
}

template <int I, class T>
__device__ T& own_parameter(numbered<I, T>& p) {
    return p.value;
}

// A part of a persistent kernel as an execution context: tiles of 256 threads take the chunks of a domain in turn, so that
// one thread meets the same elements in every stage over the same extent.
struct persistent_context {
    kernel_barrier& barrier_all;
    unsigned& round;  // of groups that reduce

    __device__ static int tile_in_block() { return threadIdx.x / reduce_layout::lanes; }
    __device__ static int tile() { return tile_in_block() * gridDim.x + blockIdx.x; }
    __device__ static int tiles() { return blockDim.x / reduce_layout::lanes * gridDim.x; }

    // One thread of all, which keeps the states of loops.
    __device__ static bool leads() { return blockIdx.x == 0 && threadIdx.x == 0; }

    template <class F>
    __device__ void once(F f) const {
        if (threadIdx.x == 0) f();
    }
};

template <barrier B>
__device__ void keep_order(persistent_context const& context) {
    if constexpr (B == barrier::block) __syncthreads();
    if constexpr (B == barrier::grid) context.barrier_all.wait();
}

// One node of a group over elements: what it does for an element, and of a reduction how its results are joined.
template <class Step, bool Reduces = (Step::stage::rule == launch_rule::per_chunk)>
struct group_member {
    struct sum {};  // a plain node keeps nothing

    template <class Pack>
    __device__ static sum start(Pack const&) {
        return {};
    }
    template <class Pack>
    __device__ static void element(index_t i, Pack const& pack, sum&) {
        call(i, pack, std::make_integer_sequence<int, Step::count>{});
    }
    template <class Pack>
    __device__ static void end_chunk(int, Pack const&, sum const&, unsigned) {}
    template <class Pack>
    __device__ static void finish(int, Pack const&, unsigned) {}

private:
    template <class Pack, int... I>
    __device__ static void call(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
        Step::stage::at(i, parameter<Step::first + I>(pack)...);
    }
};

// The parameters of a reduction start with its domain, term, operation, identity, scratch and result.
template <class Step>
struct group_member<Step, true> {
    template <class Pack>
    __device__ static auto start(Pack const& pack) {
        return parameter<Step::first + 3>(pack);
    }
    template <class Pack, class T>
    __device__ static void element(index_t i, Pack const& pack, T& sum) {
        sum = operation(pack)(sum, term<T>(i, pack, std::make_integer_sequence<int, Step::count>{}));
    }
    template <class Pack, class T>
    __device__ static void end_chunk(int chunk, Pack const& pack, T sum, unsigned round) {
        sum = join_lanes(sum, start(pack), operation(pack));
        if (threadIdx.x % reduce_layout::lanes == 0) partials<T>(pack, round)[chunk] = sum;
    }
    template <class Pack>
    __device__ static void finish(int chunks, Pack const& pack, unsigned round) {
        using T = decltype(start(pack));
        const T* const from = partials<T>(pack, round);
        const T identity = start(pack);
        const auto op = operation(pack);
        const T sum = chunks == 1 ? from[0]
                                  : join_lanes(lane_sum(0, chunks, identity, op, [&](index_t i) { return from[i]; }), identity, op);
        if (threadIdx.x % reduce_layout::lanes == 0) *parameter<Step::first + 5>(pack).at = sum;
    }

private:
    template <class Pack>
    __device__ static auto operation(Pack const& pack) {
        return unwrap(parameter<Step::first + 2>(pack));
    }
    template <class T, class Pack, int... I>
    __device__ static T term(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
        return Step::stage::term(i, parameter<Step::first + I>(pack)...);
    }
    // Two halves, since a block may still read those of one round while another writes those of the next.
    template <class T, class Pack>
    __device__ static T* partials(Pack const& pack, unsigned round) {
        return reinterpret_cast<T*>(static_cast<char*>(parameter<Step::first + 4>(pack)) + 16) + (round % 2) * reduce_layout::most_chunks;
    }
};

// Nodes over one domain in one loop. Where some reduce, a barrier follows, and every block joins the partial results for its
// own copies of the scalars.
template <class... Steps>
struct element_group {
    using leader = typename pick_type<0, Steps...>::type;
    using numbers = std::make_integer_sequence<int, sizeof...(Steps)>;
    COGRAPH_HD static constexpr int reductions_before(int member) {
        constexpr bool reduces[] = {Steps::stage::rule == launch_rule::per_chunk...};
        int count = 0;
        for (int i = 0; i < member; ++i) count += reduces[i];
        return count;
    }
    static constexpr int reductions = reductions_before(sizeof...(Steps));

    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        keep_order<leader::before>(context);
        const index_t n = static_cast<index_t>(parameter<leader::first>(pack));
        const reduce_layout layout(n);
        const unsigned round = context.round;
        for (int chunk = context.tile(); chunk < layout.chunks; chunk += context.tiles())
            run_chunk(chunk, chunk * layout.chunk, layout.end_of(chunk, n), round, pack, numbers{});
        if constexpr (reductions > 0) {
            ++context.round;
            context.barrier_all.wait();
            finish(layout.chunks, round, pack, numbers{});
        }
    }

private:
    template <class Pack, int... I>
    __device__ static void run_chunk(int chunk, index_t begin, index_t end, unsigned round, Pack const& pack, std::integer_sequence<int, I...>) {
        parameter_pack<numbers, decltype(group_member<Steps>::start(pack))...> sums(group_member<Steps>::start(pack)...);
#pragma unroll 4
        for (index_t i = begin + threadIdx.x % reduce_layout::lanes; i < end; i += reduce_layout::lanes)
            (group_member<Steps>::element(i, pack, own_parameter<I>(sums)), ...);
        (group_member<Steps>::end_chunk(chunk, pack, own_parameter<I>(sums), round), ...);
    }

    // Tiles share the reductions; the barrier gives the results to the first thread, which may go on with them alone.
    template <class Pack, int... I>
    __device__ static void finish(int chunks, unsigned round, Pack const& pack, std::integer_sequence<int, I...>) {
        (finish_one<Steps, reductions_before(I)>(chunks, round, pack), ...);
        if constexpr (reductions > 1) __syncthreads();
    }
    template <class Step, int Before, class Pack>
    __device__ static void finish_one(int chunks, unsigned round, Pack const& pack) {
        if constexpr (Step::stage::rule == launch_rule::per_chunk) {
            const int tiles = blockDim.x / reduce_layout::lanes;
            if (Before % tiles == persistent_context::tile_in_block()) group_member<Step>::finish(chunks, pack, round);
        }
    }
};

}  // namespace cograph::core
