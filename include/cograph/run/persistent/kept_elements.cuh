// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>

#include <utility>

namespace cograph::core {

extern __shared__ uint4 cograph_kept_elements[];

// The parameters if threads keep several elements of some variables. They are in shared memory: for each of a thread's elements those of all variables, one
// after another, of all threads of the block side by side. Leaves: they go to memory, at the end.
template <class Pack, bool Leaves = false>
struct pack_of_kept {
    Pack const& pack;

    // From memory before the loop, and back; each by the first argument that leads there.
    template <int Argument>
    __device__ void move(index_t i, int number) const {
        if constexpr (leads<Argument> && Leaves && is_written<Argument>)
            place<Argument>(number).write_back(const_cast<element<Argument>&>(parameter<Argument>(pack).at[i]));
        else if constexpr (leads<Argument> && !Leaves && is_filled(Pack::slot_of(Argument)))
            place<Argument>(number).fill(parameter<Argument>(pack).at[i]);
    }
    // To copies of a thread's number-th element, element i, before nodes use it; and back.
    template <int Argument>
    __device__ static void take(index_t i, int number, pack_of_element<Pack> const& to) {
        if constexpr (keeps<Argument>)
            own_parameter<copy<Argument>>(to.copies).fill(place<Argument>(number).value);
        else
            to.template fill<Argument, false>(i);
    }
    template <int Argument>
    __device__ static void leave(index_t i, int number, pack_of_element<Pack> const& from) {
        if constexpr (!keeps<Argument>)
            from.template write_back<Argument>(i);
        else if constexpr (writes<Argument>)
            own_parameter<copy<Argument>>(from.copies).write_back(place<Argument>(number).value);
    }
    // From the copy of a thread's only element.
    template <int Argument>
    __device__ static void leave_only(index_t i, pack_of_element<Pack> const& from) {
        if constexpr (leads<Argument> && is_written<Argument>)
            own_parameter<copy<Argument>>(from.copies).write_back(const_cast<element<Argument>&>(parameter<Argument>(from.pack).at[i]));
    }
    template <int Argument>
    static constexpr bool keeps = is_kept(Pack::slot_of(Argument));
    template <int Argument>
    static constexpr bool leads = keeps<Argument> && Pack::leads_to(copy_numbered(Pack::slot_of(Argument))) == Argument;

private:
    template <int Argument>
    static constexpr int copy = copy_numbered(Pack::slot_of(Argument));
    template <int Argument>
    static constexpr bool writes = written_by<parameter_type<Argument, Pack>, Pack::slot_of(Argument)> == written::copied;
    template <int Copy, int... Argument>
    static constexpr bool some_write(std::integer_sequence<int, Argument...>) {
        return (false || ... || (copy<Argument> == Copy && writes<Argument>));
    }
    template <int Argument>
    static constexpr bool is_written = some_write<copy<Argument>>(std::make_integer_sequence<int, static_cast<int>(sizeof(Pack::place) / sizeof(int)) - 1>{});
    template <int Argument>
    using element = std::remove_const_t<std::remove_pointer_t<decltype(parameter<Argument>(std::declval<Pack const&>()).at)>>;

    template <int Before, int... Copy>
    static constexpr int bytes_of(std::integer_sequence<int, Copy...>) {
        return (0 + ... + (Copy < Before && keeps<Pack::leads_to(Copy)> ? static_cast<int>(sizeof(element<Pack::leads_to(Copy)>)) : 0));
    }
    template <int Copy>
    static constexpr int bytes_before = bytes_of<Copy>(std::make_integer_sequence<int, Pack::copies()>{});
    static constexpr int bytes = bytes_before<Pack::copies()>;
    template <int Argument>
    __device__ static copy_of_element<element<Argument>>& place(int number) {
        constexpr int first = bytes_before<copy<Argument>> * persistent_threads, size = static_cast<int>(sizeof(element<Argument>));
        char* const all = reinterpret_cast<char*>(cograph_kept_elements);
        return *reinterpret_cast<copy_of_element<element<Argument>>*>(all + number * (bytes * persistent_threads) + first + static_cast<int>(threadIdx.x) * size);
    }
};
template <int I, class Pack, bool Leaves>
__device__ decltype(auto) parameter(pack_of_kept<Pack, Leaves> const& p) {
    return parameter<I>(p.pack);
}
// Those of a thread with one element, which goes to memory at the end.
template <class Pack>
struct pack_that_leaves {
    pack_of_element<Pack> const& of;
};
template <int I, class Pack>
__device__ decltype(auto) parameter(pack_that_leaves<Pack> const& p) {
    return parameter<I>(p.of.pack);
}
template <class Pack>
inline constexpr bool keeps_elements = false;
template <class Pack, bool Leaves>
inline constexpr bool keeps_elements<pack_of_kept<Pack, Leaves>> = true;

// A group of nodes on elements that are kept: of a thread, every one so many elements apart.
constexpr int apart_if_kept = reduce_layout::lanes * reduce_layout::most_chunks;
template <class... Steps>
struct kept_group {
    template <class Kept>
    COGRAPH_HD static constexpr bool has() {
        bool some = false;
        for_arguments([&]<int I>(std::integral_constant<int, I>) { some = some || Kept::template keeps<I>; });
        return some;
    }
    // Order gives the element at a position, or -1.
    template <class Order, class Pack, bool Leaves>
    __device__ static void move([[maybe_unused]] Order const& order, [[maybe_unused]] int i, [[maybe_unused]] int n, pack_of_kept<Pack, Leaves> const& kept) {
        if constexpr (leads<pack_of_kept<Pack>>()) {
            int number = 0;
#pragma unroll 1
            for (; i < n; i += apart_if_kept) {
                if (const index_t at = order.element(i); at >= 0) for_arguments([&]<int I>(std::integral_constant<int, I>) { kept.template move<I>(at, number); });
                ++number;
            }
        }
    }
    // Of a thread with one element: what others may read, after each group of nodes, and the rest at the end.
    template <class Pack>
    __device__ static void write_back(index_t i, pack_of_element<Pack> const& from) {
        for_arguments([&]<int I>(std::integral_constant<int, I>) {
            if constexpr (!is_kept(Pack::slot_of(I))) from.template write_back<I>(i);
        });
    }
    template <class Pack>
    __device__ static void leave_only(index_t i, index_t n, pack_of_element<Pack> const& from) {
        if (i < n) for_arguments([&]<int I>(std::integral_constant<int, I>) { pack_of_kept<Pack>::template leave_only<I>(i, from); });
    }
    // One element at a time, in the order of a box.
    template <class Pack, class Order, class Run>
    __device__ static void run_in_order(Order const& order, int i, int n, pack_of_kept<Pack> const& kept, Run const& run_element) {
#pragma unroll 1
        for (int number = 0; i < n; i += apart_if_kept, ++number) {
            const index_t at = order.element(i);
            if (at < 0) continue;
            element_copies<Pack> copies;
            const pack_of_element<Pack> only{kept.pack, copies};
            take(at, number, only);
            run_element(at, only);
            leave(at, number, only);
        }
    }
    // Two elements at a time, so that their loads overlap.
    template <class Pack, class Run>
    __device__ static void run(int i, int n, pack_of_kept<Pack> const& kept, Run const& run_element) {
        int number = 0;
#pragma unroll 1
        for (; i + apart_if_kept < n; i += 2 * apart_if_kept) {
            const int j = i + apart_if_kept;
            element_copies<Pack> copies[2];
            const pack_of_element<Pack> first{kept.pack, copies[0]}, second{kept.pack, copies[1]};
            take(i, number, first);
            take(j, number + 1, second);
            run_element(i, first);
            run_element(j, second);
            leave(i, number, first);
            leave(j, number + 1, second);
            number += 2;
        }
        if (i >= n) return;
        element_copies<Pack> copies;
        const pack_of_element<Pack> only{kept.pack, copies};
        take(i, number, only);
        run_element(i, only);
        leave(i, number, only);
    }

private:
    template <class Kept>
    COGRAPH_HD static constexpr bool leads() {
        bool some = false;
        for_arguments([&]<int I>(std::integral_constant<int, I>) { some = some || Kept::template leads<I>; });
        return some;
    }
    template <class Pack>
    __device__ static void take(index_t i, int number, pack_of_element<Pack> const& to) {
        for_arguments([&]<int I>(std::integral_constant<int, I>) { pack_of_kept<Pack>::template take<I>(i, number, to); });
    }
    template <class Pack>
    __device__ static void leave(index_t i, int number, pack_of_element<Pack> const& from) {
        for_arguments([&]<int I>(std::integral_constant<int, I>) { pack_of_kept<Pack>::template leave<I>(i, number, from); });
    }
    template <class F>
    COGRAPH_HD static constexpr void for_arguments(F const& f) {
        (for_arguments<Steps::first>(f, std::make_integer_sequence<int, Steps::count>{}), ...);
    }
    template <int First, class F, int... I>
    COGRAPH_HD static constexpr void for_arguments(F const& f, std::integer_sequence<int, I...>) {
        (f(std::integral_constant<int, First + I>{}), ...);
    }
};

}  // namespace cograph::core
