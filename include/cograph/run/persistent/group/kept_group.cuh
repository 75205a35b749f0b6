// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/group/kept_elements.cuh>

#include <utility>

namespace cograph::core {

// A group of nodes on elements that are kept: of a thread, every one so many elements apart.
constexpr int apart_if_kept = reduce_layout::lanes * reduce_layout::most_chunks;
template <class... Steps>
struct kept_group {
    template <class Pack>
    COGRAPH_HD static constexpr bool has() {
        return has<Pack>(read_arguments<Pack, Steps...>{});
    }
    __device__ static int rows_of(int n) { return (n + (apart_if_kept - 1)) / apart_if_kept; }
    __device__ static place_of_kept<false> any_place(int number, int n, int whole) { return {number, whole, rows_of(n), bytes_for_kept()}; }
    // How many elements threads keep of every variable.
    template <class Pack, bool Leaves>
    __device__ static int find_whole(int n, pack_of_kept<Pack, Leaves> const&) {
        return kept_places<Pack>::find_whole(rows_of(n), bytes_for_kept());
    }
    // Order gives the element at a position, or -1.
    template <class Order, class Pack, bool Leaves>
    __device__ static void move([[maybe_unused]] Order const& order, [[maybe_unused]] int i, [[maybe_unused]] int n, [[maybe_unused]] int whole, pack_of_kept<Pack, Leaves> const& kept) {
        if constexpr (leads<Pack>(copied<Pack>{})) {
            if (bytes_for_kept() == 0) return;
#pragma unroll 1
            for (int number = 0; i < n; i += apart_if_kept, ++number)
                if (const index_t at = order.element(i); at >= 0) move(at, any_place(number, n, whole), kept, copied<Pack>{});
        }
    }
    // Of a thread with one element: what others may read, after each group of nodes, and the rest at the end.
    template <class Pack>
    __device__ static void write_back(index_t i, pack_of_element<Pack> const& from) {
        write_back(i, from, written_arguments<Pack, Steps...>{});
    }
    template <class Pack>
    __device__ static void leave_only(index_t i, index_t n, pack_of_element<Pack> const& from) {
        if (i < n) leave_only(i, from, copied<Pack>{});
    }
    // From element i on, in the order of a box, one at a time.
    template <class Pack, class Order, class Run>
    __device__ static void run_in_order(Order const& order, int i, int n, int whole, pack_of_kept<Pack> const& kept, Run const& run_element) {
        int number = 0;
#pragma unroll 1
        for (; i < n && number < whole; i += apart_if_kept, ++number) run_at(order.element(i), place_of_kept<true>{number}, kept, run_element);
#pragma unroll 1
        for (; i < n; i += apart_if_kept, ++number) run_at(order.element(i), any_place(number, n, whole), kept, run_element);
    }
    // Two elements at a time, so that their loads overlap. Backwards: those in memory before those that are kept, the last ones first: these are still in the cache.
    template <bool Backwards, class Pack, class Run>
    __device__ static void run(int i, int n, int whole, pack_of_kept<Pack> const& kept, Run const& run_element) {
        const int count = i < n ? (n - 1 - i) / apart_if_kept + 1 : 0, first = whole < count ? whole : count & ~1;
        const auto run_rest = [&](int number) {
            const place_of_kept<false> place = any_place(number, n, whole);
            if (number + 1 < count)
                run_pair(i + number * apart_if_kept, place, kept, run_element);
            else
                run_at(i + number * apart_if_kept, place, kept, run_element);
        };
        if constexpr (Backwards) {
#pragma unroll 1
            for (int number = (count - 1) & ~1; number >= first; number -= 2) run_rest(number);
        }
#pragma unroll 1
        for (int number = 0; number < first; number += 2) run_pair(i + number * apart_if_kept, place_of_kept<true>{number}, kept, run_element);
        if constexpr (!Backwards) {
#pragma unroll 1
            for (int number = first; number < count; number += 2) run_rest(number);
        }
    }

private:
    template <class Pack>
    using copied = copied_arguments<Pack, Steps...>;
    template <class Pack, int... I>
    COGRAPH_HD static constexpr bool has(std::integer_sequence<int, I...>) {
        return (false || ... || kept_places<Pack>::template keeps<I>);
    }
    template <class Pack, int... I>
    COGRAPH_HD static constexpr bool leads(std::integer_sequence<int, I...>) {
        return (false || ... || kept_places<Pack>::template leads<I>);
    }
    template <class Pack, bool IsWhole, class Run>
    __device__ static void run_at(index_t i, place_of_kept<IsWhole> const& place, pack_of_kept<Pack> const& kept, Run const& run_element) {
        if (i < 0) return;
        element_copies<Pack> copies;
        const pack_of_element<Pack> only{kept.pack, copies};
        take(i, place, only, read_arguments<Pack, Steps...>{});
        run_element(i, only);
        leave(i, place, only, written_arguments<Pack, Steps...>{});
    }
    template <class Pack, bool IsWhole, class Run>
    __device__ static void run_pair(int i, place_of_kept<IsWhole> const& place, pack_of_kept<Pack> const& kept, Run const& run_element) {
        const int j = i + apart_if_kept;
        place_of_kept<IsWhole> behind = place;
        ++behind.number;
        element_copies<Pack> copies[2];
        const pack_of_element<Pack> first{kept.pack, copies[0]}, second{kept.pack, copies[1]};
        take(i, place, first, read_arguments<Pack, Steps...>{});
        take(j, behind, second, read_arguments<Pack, Steps...>{});
        run_element(i, first);
        run_element(j, second);
        leave(i, place, first, written_arguments<Pack, Steps...>{});
        leave(j, behind, second, written_arguments<Pack, Steps...>{});
    }
    template <class Pack, bool IsWhole, int... I>
    __device__ static void take(index_t i, place_of_kept<IsWhole> const& place, pack_of_element<Pack> const& to, std::integer_sequence<int, I...>) {
        (kept_places<Pack>::template take<I>(i, place, to), ...);
    }
    template <class Pack, bool IsWhole, int... I>
    __device__ static void leave(index_t i, place_of_kept<IsWhole> const& place, pack_of_element<Pack> const& from, std::integer_sequence<int, I...>) {
        (kept_places<Pack>::template leave<I>(i, place, from), ...);
    }
    template <class Pack, bool Leaves, int... I>
    __device__ static void move(index_t i, place_of_kept<false> const& place, pack_of_kept<Pack, Leaves> const& kept, std::integer_sequence<int, I...>) {
        (kept_places<Pack>::template move<I, Leaves>(i, place, kept.pack), ...);
    }
    template <class Pack, int... I>
    __device__ static void leave_only(index_t i, pack_of_element<Pack> const& from, std::integer_sequence<int, I...>) {
        (kept_places<Pack>::template leave_only<I>(i, from), ...);
    }
    template <class Pack, int... I>
    __device__ static void write_back(index_t i, pack_of_element<Pack> const& from, std::integer_sequence<int, I...>) {
        ((is_kept(Pack::slot_of(I)) ? void() : from.template write_back<I>(i)), ...);
    }
};

}  // namespace cograph::core
