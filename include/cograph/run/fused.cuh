// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/program.hpp>
#include <cograph/run/exchange.cuh>

namespace cograph::core {

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

// One node of a group over elements: what it does for an element. Of a plain one, nothing is left when a chunk ends.
template <class Step, int J, bool Reduces = (Step::stage::rule == launch_rule::per_chunk)>
struct group_member {
    struct sum {};

    template <class Pack>
    __device__ static sum start(Pack const&) {
        return {};
    }
    template <class Pack>
    __device__ static void element(index_t i, Pack const& pack, sum&) {
        call(i, pack, std::make_integer_sequence<int, Step::count>{});
    }
    template <class Pack>
    __device__ static void leave(persistent_context const&, int, Pack const&, sum) {}
    template <class Pack>
    __device__ static void gather(persistent_context const&, int, int, int, Pack const&) {}
    template <class Pack>
    __device__ static void join(persistent_context const&, int, Pack const&) {}
    template <class Pack>
    __device__ static void finish(persistent_context const&, int, Pack const&) {}

private:
    template <class Pack, int... I>
    __device__ static void call(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
        Step::stage::at(i, parameter<Step::first + I>(pack)...);
    }
};

// The J-th reduction of a group. Its parameters start with its domain, term, operation, identity, scratch and result.
template <class Step, int J>
struct group_member<Step, J, true> {
    template <class Pack>
    __device__ static auto start(Pack const& pack) {
        return parameter<Step::first + 3>(pack);
    }
    template <class Pack, class T>
    __device__ static void element(index_t i, Pack const& pack, T& sum) {
        sum = operation(pack)(sum, term<T>(i, pack, std::make_integer_sequence<int, Step::count>{}));
    }

    // Each warp leaves its part of a chunk.
    template <class Pack, class T>
    __device__ static void leave(persistent_context const& context, int half, Pack const& pack, T sum) {
        sum = join_lanes<warp_lanes>(sum, operation(pack));
        if (context.lane() == 0) results_of_warps<J, T>(half)[context.warp()] = sum;
    }

    // A warp of the block joins those of its tiles, whose chunks are `first` and every tile's number behind it.
    template <class Pack>
    __device__ static void gather(persistent_context const& context, int half, int first, int chunks, Pack const& pack) {
        using T = decltype(start(pack));
        if (context.warp() != J) return;
        const int lane = context.lane(), tile = lane / warps_of_tile;
        const int chunk = first + tile * gridDim.x + blockIdx.x;
        const bool valid = tile < context.tiles_of_block && chunk < chunks;
        const T sum = join_lanes<warps_of_tile>(valid ? results_of_warps<J, T>(half)[lane] : start(pack), operation(pack));
        chunk_results<J, T>(context).put(chunk, valid, sum);
    }

    // Behind the barrier a tile joins the chunks' results up to its warps.
    template <class Pack>
    __device__ static void join(persistent_context const& context, int chunks, Pack const& pack) {
        using T = decltype(start(pack));
        if (chunks == 1 || J % context.tiles_of_block != context.tile_of_block) return;
        const T* const from = chunk_results<J, T>(context).all();
        const T sum = join_lanes<warp_lanes>(lane_of_chunks(context.lane_of_tile(), from, chunks, start(pack), operation(pack)), operation(pack));
        if (context.lane() == 0) results_of_tile<J, T>()[context.warp() % warps_of_tile] = sum;
    }

    // And every thread joins those.
    template <class Pack>
    __device__ static void finish(persistent_context const& context, int chunks, Pack const& pack) {
        using T = decltype(start(pack));
        T* const result = parameter<Step::first + 5>(pack).at;
        if (chunks == 1) {
            *result = *chunk_results<J, T>(context).all();
            return;
        }
        const auto op = operation(pack);
        const T* const w = results_of_tile<J, T>();
        static_assert(warps_of_tile == 8);
        const T even = op(op(w[0], w[4]), op(w[2], w[6])), odd = op(op(w[1], w[5]), op(w[3], w[7]));
        *result = op(even, odd);
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
};

template <class P>
inline constexpr bool writes_elements = false;
template <class T>
inline constexpr bool writes_elements<T*> = !std::is_const_v<T> && !std::is_void_v<T>;
template <class T>
inline constexpr bool writes_elements<element_pointer<T>> = !std::is_const_v<T>;

// Nodes over one domain in one loop. Where some reduce, a barrier follows, and every thread gets the results.
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
        run(context, pack, numbers{});
    }

private:
    template <class Step, int I>
    using member = group_member<Step, reductions_before(I)>;

    template <class Pack, int... I>
    __device__ static void run(persistent_context const& context, Pack const& pack, std::integer_sequence<int, I...>) {
        const index_t n = static_cast<index_t>(parameter<leader::first>(pack));
        const reduce_layout layout(n);
        if constexpr (reductions == 0) {
            parameter_pack<numbers, decltype(member<Steps, I>::start(pack))...> nothing(member<Steps, I>::start(pack)...);
            for (int chunk = context.tile; chunk < layout.chunks; chunk += context.tiles)
                run_chunk(context, chunk, layout, n, pack, nothing, numbers{});
        } else {
            // All tiles of a block pass the same barriers.
            int half = 0;
            for (int first = 0; first < layout.chunks; first += context.tiles) {
                parameter_pack<numbers, decltype(member<Steps, I>::start(pack))...> sums(member<Steps, I>::start(pack)...);
                if (first + context.tile < layout.chunks) run_chunk(context, first + context.tile, layout, n, pack, sums, numbers{});
                (member<Steps, I>::leave(context, half, pack, own_parameter<I>(sums)), ...);
                __syncthreads();
                (member<Steps, I>::gather(context, half, first, layout.chunks, pack), ...);
                half ^= 1;
            }
            context.barrier_all.wait();
            (member<Steps, I>::join(context, layout.chunks, pack), ...);
            if (layout.chunks > 1) __syncthreads();
            (member<Steps, I>::finish(context, layout.chunks, pack), ...);
            ++context.round;
        }
    }

    template <class Pack, class Sums, int... I>
    __device__ static void run_chunk(persistent_context const& context, int chunk, reduce_layout layout, index_t n, Pack const& pack, Sums& sums,
                                     std::integer_sequence<int, I...>) {
        every<loads_alone<Pack> ? 4 : 1>(layout.first(chunk) + context.lane_of_tile(), n, layout.stride(),
                                         [&](index_t i) { (member<Steps, I>::element(i, pack, own_parameter<I>(sums)), ...); });
    }

    // Whether nothing is written before the sums: then the loads of several elements overlap.
    template <class Pack>
    static constexpr bool loads_alone = (member_loads_alone<Steps, Pack>(std::make_integer_sequence<int, Steps::count>{}) && ...);
    template <class Step, class Pack, int... I>
    COGRAPH_HD static constexpr bool member_loads_alone(std::integer_sequence<int, I...>) {
        return Step::stage::rule == launch_rule::per_chunk &&
               (!writes_elements<std::remove_cvref_t<decltype(parameter<Step::first + I>(std::declval<Pack const&>()))>> && ...);
    }
};

}  // namespace cograph::core
