// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_order.hpp>
#include <cograph/plan/phases/phase_cost.hpp>
#include <cograph/run/persistent/group/group_elements.cuh>
#include <cograph/run/persistent/group/sending_member.cuh>

namespace cograph::core {

// Nodes of which the first block may have several chunks.
template <class Stage>
inline constexpr bool is_narrow_stage = requires { typename Stage::narrow; };

// Nodes over one domain in one loop. If some reduce, a barrier follows, and every thread gets the results.
template <class... Steps>
struct element_group {
    using of_thread = group_elements<Steps...>;
    using leader = typename of_thread::leader;
    using numbers = typename of_thread::numbers;
    template <class Step, int I>
    using member = typename of_thread::template member<Step, I>;
    template <class Step, int I>
    using sender = sending_member<Step, of_thread::reductions_before(I)>;
    static constexpr int reductions = of_thread::reductions, together = of_thread::together;
    // If threads have an element together, at most that many tiles of a block have barriers for their groups; of tiles that have a group together, there are
    // whole groups.
    static constexpr int tiles_of_group = tiles_in_a_row<together>;
    static constexpr int most_tiles_together = (together > warp_lanes ? 15 * together : persistent_threads) / reduce_layout::lanes;
    static constexpr bool takes_all_tiles = tiles_of_group == 1 && most_tiles_together >= persistent_threads / reduce_layout::lanes;

    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        if constexpr (requires { pack.tiles; }) {
            pack.template run<Steps...>(context);  // run/tiles
        } else {
            bool in_first_block = false;
            if constexpr (reductions == 0 && leader::before > barrier::grid) in_first_block = is_in_first_block(context, pack);
            keep_order<leader::before>(context, in_first_block);
            run(context, pack, numbers{});
        }
    }
    // Reads the copies of a thread's one element; of kept ones, brings all from memory or there.
    template <class Pack, bool Leaves>
    __device__ static void fill(auto const& context, pack_of_kept<Pack, Leaves> const& kept) {
        if constexpr (kept_group<Steps...>::template has<Pack>()) {
            const auto order = order_of(context, kept);
            const int n = static_cast<int>(order.is_cut() ? order.positions() : static_cast<index_t>(parameter<leader::first>(kept)));
            if constexpr (!Leaves) context.whole = kept_group<Steps...>::find_whole(n, kept);  // all such nodes run over one domain
            kept_group<Steps...>::move(order, of_thread::own_element(context), n, context.whole, kept);
        }
    }
    template <class Pack>
    __device__ static void fill(auto const& context, pack_that_leaves<Pack> const& leaving) {
        kept_group<Steps...>::leave_only(of_thread::own_element(context), static_cast<index_t>(parameter<leader::first>(leaving)), leaving.of);
    }
    template <class Pack>
    __device__ static void fill(auto const& context, Pack const& pack) {
        const int i = of_thread::own_element(context);
        if (i < static_cast<index_t>(parameter<leader::first>(pack))) of_thread::template fill<true>(i, pack);
    }

    // The only node of a group, behind its barrier.
    template <class Pack>
    __device__ static void run_alone(auto const& context, Pack const& pack) {
        run(context, pack, numbers{});
    }
    template <class Pack>
    __device__ static bool is_in_first_block(auto const& context, Pack const& pack) {
        return is_in_first_block<Pack>(elements(context, pack));
    }

private:
    // The first chunk, or as many elements as the first block runs in less time than all.
    template <class Pack>
    __device__ static bool is_in_first_block(index_t n) {
        if constexpr (is_narrow<Pack>) {
            static_assert(elements_alone == 1);  // its tiles take no second chunk
            return n <= static_cast<int>(blockDim.x);
        } else {
            return n <= reduce_layout::lanes;
        }
    }
    template <class Pack>
    static constexpr bool is_narrow = reductions == 0 && is_narrow_stage<typename leader::stage> && !has_one_element<Pack> && !keeps_elements<Pack>;
    template <class Pack>
    __device__ static int first_tile(auto const& context, index_t n) {
        if constexpr (is_narrow<Pack>)
            if (is_in_first_block<Pack>(n)) return blockIdx.x == 0 ? context.tile_of_block : reduce_layout::most_chunks;
        return context.tile;
    }
    template <class Pack>
    __device__ static index_t elements(auto const& context, Pack const& pack) {
        if constexpr (leader::stage::traits.has_length)
            return together * leader::stage::elements(context, parameter<leader::first>(pack), parameter<leader::first + 1>(pack), {}).count;
        else if constexpr (leader::stage::traits.every != 1)
            return leader::stage::elements_of_subset(static_cast<index_t>(parameter<leader::first>(pack)));
        else
            return together * static_cast<index_t>(parameter<leader::first>(pack));
    }

    // Of a box whose elements threads have in its order: `elements` counts positions then.
    static constexpr bool is_over_box = leader::stage::traits.box_rank == 2 && leader::stage::traits.every == 1;
    template <class Pack>
    __device__ static auto order_of([[maybe_unused]] auto const& context, [[maybe_unused]] Pack const& pack) {
        if constexpr (is_over_box) {
            constexpr int side = leader::first + leader::stage::traits.first_side;
            return context.in_order ? box_order(static_cast<index_t>(unwrap(parameter<side>(pack))), static_cast<index_t>(unwrap(parameter<side + 1>(pack))), leader::stage::traits.in_patches) : box_order(0, 0, false);
        } else {
            return order_of_numbers{};
        }
    }

    template <class Pack, int... I>
    __device__ static void run(auto const& context, Pack const& pack, std::integer_sequence<int, I...>) {
        [[maybe_unused]] const auto& plain = plain_pack(pack);  // for reductions, of which kernels have the same functions then
        const auto order = order_of(context, pack);
        const index_t n = order.is_cut() ? order.positions() : elements(context, pack);
        const reduce_layout layout(n);
        if constexpr (reductions == 0) {
            parameter_pack<numbers, decltype(member<Steps, I>::start(plain))...> nothing(member<Steps, I>::start(plain)...);
            if constexpr (has_one_element<Pack>)
                of_thread::run_own(context, n, pack, nothing);
            else
                for (int chunk = first_tile<Pack>(context, n); chunk < layout.chunks; chunk += context.tiles) of_thread::run_chunk(context, order, chunk, layout, n, pack, nothing);
        } else if constexpr (sends_results<Pack>) {
            parameter_pack<numbers, decltype(member<Steps, I>::start(plain))...> sums(member<Steps, I>::start(plain)...);
            of_thread::run_own(context, n, pack, sums);
            (member<Steps, I>::leave(context, 0, plain, own_parameter<I>(sums)), ...);
            __syncthreads();
            (sender<Steps, I>::send(context, layout.chunks, pack), ...);
            (sender<Steps, I>::receive(context, layout.chunks, pack), ...);
            __syncthreads();
            (sender<Steps, I>::finish_received(layout.chunks, pack), ...);
            context.count_sent();
        } else {
            // All tiles of a block pass the same barriers.
            int half = 0;
            const int tiles_of_block = (takes_all_tiles || context.tiles_of_block < most_tiles_together ? context.tiles_of_block : most_tiles_together) / tiles_of_group * tiles_of_group;
            const int tiles = takes_all_tiles ? context.tiles : tiles_of_block * static_cast<int>(gridDim.x);
            for (int first = 0; first < layout.chunks; first += tiles) {
                parameter_pack<numbers, decltype(member<Steps, I>::start(plain))...> sums(member<Steps, I>::start(plain)...);
                if constexpr (has_one_element<Pack> && together == 1)
                    of_thread::run_own(context, n, pack, sums);
                else if (const int own = tiles_of_group == 1 ? context.tile : tile_of_grid<together>(context.tile_of_block); first + own < layout.chunks && (takes_all_tiles || context.tile_of_block < tiles_of_block))
                    of_thread::run_chunk(context, order, first + own, layout, n, pack, sums);
                (member<Steps, I>::leave(context, half, plain, own_parameter<I>(sums)), ...);
                __syncthreads();
                (member<Steps, I>::template gather<reductions == 1, keeps_elements<Pack>>(context, half, first, layout.chunks, tiles_of_block, plain), ...);
                if constexpr (has_one_element<Pack> && together == 1) break;
                half ^= 1;
            }
            meet<of_thread::template finds_again<Pack>()>(context, layout.chunks, plain, numbers{});
        }
    }
    // The barrier, and the results behind it. Again: the number of chunks is found again there.
    template <bool Again, class Pack, int... I>
    __device__ static void meet(auto const& context, int known_chunks, Pack const& pack, std::integer_sequence<int, I...>) {
        bool known = false;
        if constexpr (reductions == 1)
            known = (member<Steps, I>::exchange(context, pack) || ...);
        else
            context.barrier_all.wait();
        if (!known) {
            const int chunks = Again ? keep(known_chunks) : known_chunks;
            (member<Steps, I>::join(context, chunks, pack), ...);
            if ((member<Steps, I>::joins_in_tile(chunks, pack) || ...)) __syncthreads();
            (member<Steps, I>::finish(context, chunks, pack), ...);
        }
        ++context.round;
    }
};

}  // namespace cograph::core
