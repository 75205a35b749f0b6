// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/group/group_member.cuh>
#include <cograph/run/persistent/group/kept_group.cuh>

#include <utility>

namespace cograph::core {

// Whether a kernel runs over so few elements that a thread has one at most, whose copies it keeps.
template <class Pack>
inline constexpr bool has_one_element = false;
template <class Pack>
inline constexpr bool has_one_element<pack_of_element<Pack>> = true;

// Elements in the order of their numbers; others have that of a box.
struct order_of_numbers {
    __device__ static constexpr bool is_cut() { return false; }
    __device__ static constexpr index_t positions() { return 0; }
    __device__ static constexpr index_t element(index_t position) { return position; }
};
template <class Order>
inline constexpr bool can_be_cut = true;
template <>
inline constexpr bool can_be_cut<order_of_numbers> = false;

// What threads do with the elements of a group of nodes: all nodes for one element after another. If no node writes through a pointer, they work on copies of
// elements; some threads keep these from iteration to iteration.
template <class... Steps>
struct group_elements {
    using leader = typename pick_type<0, Steps...>::type;
    using numbers = std::make_integer_sequence<int, sizeof...(Steps)>;
    COGRAPH_HD static constexpr int reductions_before(int member) {
        constexpr bool reduces[] = {Steps::stage::traits.reduces...};
        int count = 0;
        for (int i = 0; i < member; ++i) count += reduces[i];
        return count;
    }
    static constexpr int reductions = reductions_before(sizeof...(Steps));
    // Threads that have an element together: those of a reduction by groups, which is alone in its loop.
    static constexpr int together = leader::stage::traits.threads_of_group > 0 ? leader::stage::traits.threads_of_group : 1;
    template <class Step, int I>
    using member = group_member<Step, reductions_before(I)>;

    __device__ static int own_element(auto const& context) { return reduce_layout::lanes * context.tile + context.lane_of_tile(); }
    // If nodes write through pointers, their results for the number are found again in every iteration. The compiler would keep them, and
    // order their loads one after another: on an H200, Jacobi's method over 256^2 in strips takes 2.14 us an iteration, and would take 2.29.
    template <class Pack, class Sums>
    __device__ static void run_own(auto const& context, index_t n, pack_of_element<Pack> const& pack, Sums& sums) {
        const int own = own_element(context);
        const auto i = static_cast<index_t>(static_cast<unsigned>(most_written<Pack>() == written::elsewhere ? keep(own) : own));  // a number of 64 bits in one register
        if (i >= n) return;
        run_element(i, pack, sums, numbers{});
        if constexpr (Pack::keeps)
            kept_group<Steps...>::write_back(i, pack);
        else
            write_back(i, pack);
    }

    template <bool OnlyFilled, class Pack>
    __device__ static void fill(index_t i, pack_of_element<Pack> const& to) {
        fill<OnlyFilled>(i, to, read_arguments<Pack, Steps...>{});
    }

    // In the same loops, what follows from the number of chunks would fill predicates for the whole loop.
    template <class Pack>
    COGRAPH_HD static constexpr bool finds_again() {
        if constexpr (has_one_element<Pack>)
            return most_written<std::remove_cvref_t<decltype(std::declval<Pack>().pack)>>() == written::elsewhere;
        else
            return false;
    }

    template <class Order, class Pack, class Sums>
    __device__ static void run_chunk(auto const& context, Order const& order, int chunk, reduce_layout layout, index_t n, pack_of_kept<Pack> const& kept, Sums& sums) {
        if constexpr (kept_group<Steps...>::template has<Pack>()) {
            const auto run = [&](index_t i, pack_of_element<Pack> const& of) { run_element(i, of, sums, numbers{}); };
            const int first = static_cast<int>(layout.first(chunk)) + context.lane_of_tile();
            if constexpr (can_be_cut<Order>)
                if (order.is_cut()) return kept_group<Steps...>::run_in_order(order, first, static_cast<int>(n), context.whole, kept, run);
            kept_group<Steps...>::template run<reductions == 0>(first, static_cast<int>(n), context.whole, kept, run);
        } else {
            run_chunk(context, order, chunk, layout, n, kept.pack, sums);
        }
    }
    template <class Order, class Pack, class Sums>
    __device__ static void run_chunk(auto const& context, Order const& order, int chunk, reduce_layout layout, index_t n, Pack const& pack, Sums& sums) {
        index_t i = layout.first(chunk) + context.lane_of_tile();
        const index_t stride = layout.stride();
        if constexpr (can_be_cut<Order>) {
            if (order.is_cut()) {
#pragma unroll 1
                for (; i < n; i += stride) {
                    const index_t at = order.element(i);
                    if (at < 0) continue;
                    if constexpr (most_written<Pack>() == written::copied)
                        run_copied(at, pack, sums);
                    else
                        run_element(at, pack, sums, numbers{});
                }
                return;
            }
        }
        if constexpr (together > 1) {  // not over a box
            every<1>(i, n, stride, [&](index_t lane) { run_element(lane, pack, sums, numbers{}); });
        } else {
            constexpr written most = most_written<Pack>();
            if constexpr (most == written::copied && is_compact<Pack>) {
#pragma unroll 1
                for (; i < n; i += 2 * stride) run_pair(i, i + stride, i + stride < n, pack, sums);
            } else if constexpr (most == written::copied) {
                if (layout.chunks == reduce_layout::most_chunks) {
#pragma unroll 1
                    for (; i + stride < n; i += 2 * stride) run_pair(i, i + stride, true, pack, sums);
                }
#pragma unroll 1
                for (; i < n; i += stride) run_copied(i, pack, sums);
            } else {
                every<most == written::nothing ? 4 : 1>(i, n, stride, [&](index_t at) { run_element(at, pack, sums, numbers{}); });
            }
        }
    }

private:
    // One element on a copy of it: all of its loads come before its stores.
    template <class Pack, class Sums>
    __device__ static void run_copied(index_t i, Pack const& pack, Sums& sums) {
        element_copies<Pack> copies;
        const pack_of_element<Pack> copied{pack, copies};
        fill<false>(i, copied);
        run_element(i, copied, sums, numbers{});
        write_back(i, copied);
    }
    // Two elements on copies of them, so that their loads overlap: the compiler could not tell that the second does not read what the
    // first has written. In compact code the second may not be there.
    template <class Pack, class Sums>
    __device__ static void run_pair(index_t i, index_t j, bool both, Pack const& pack, Sums& sums) {
        element_copies<Pack> copies[2];
        const pack_of_element<Pack> first{pack, copies[0]}, second{pack, copies[1]};
        fill<false>(i, first);
        if (both) fill<false>(j, second);
        run_element(i, first, sums, numbers{});
        if (both) run_element(j, second, sums, numbers{});
        write_back(i, first);
        if (both) write_back(j, second);
    }

    template <class Pack, class Sums, int... I>
    __device__ static void run_element(index_t i, Pack const& pack, Sums& sums, std::integer_sequence<int, I...>) {
        (member<Steps, I>::element(i, pack, own_parameter<I>(sums)), ...);
    }
    template <bool OnlyFilled, class Pack, int... I>
    __device__ static void fill(index_t i, pack_of_element<Pack> const& to, std::integer_sequence<int, I...>) {
        (to.template fill<I, OnlyFilled>(i), ...);
    }
    template <class Pack>
    __device__ static void write_back(index_t i, pack_of_element<Pack> const& from) {
        write_back(i, from, written_arguments<Pack, Steps...>{});
    }
    template <class Pack, int... I>
    __device__ static void write_back(index_t i, pack_of_element<Pack> const& from, std::integer_sequence<int, I...>) {
        (from.template write_back<I>(i), ...);
    }

    template <class Step, class Pack, int... I>
    COGRAPH_HD static constexpr written written_by_member(std::integer_sequence<int, I...>) {
        written most = written::nothing;
        for (written one : {written_by<parameter_type<Step::first + I, Pack>, Pack::slot_of(Step::first + I)>...})
            if (one > most) most = one;
        return most;
    }
    template <class Pack>
    COGRAPH_HD static constexpr written most_written() {
        written most = written::nothing;
        for (written one : {written_by_member<Steps, Pack>(std::make_integer_sequence<int, Steps::count>{})...})
            if (one > most) most = one;
        return most;
    }
};

}  // namespace cograph::core
