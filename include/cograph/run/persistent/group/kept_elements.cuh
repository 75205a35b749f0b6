// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/persistent/loop/shape.hpp>
#include <cograph/plan/persistent/register_copies.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/persistent/chunk_exchange.cuh>

#include <utility>

namespace cograph::core {

extern __shared__ uint4 cograph_kept_elements[];

// The place of one of a thread's elements by its number among them. IsWhole: one of the first ones, of which there is room for every variable.
template <bool IsWhole>
struct place_of_kept {
    int number;
};
// Of any: how many the first ones are, how many elements threads have at most, and the shared memory of the block for all of them.
template <>
struct place_of_kept<false> {
    int number, whole, rows, room;
};
__device__ inline int bytes_for_kept() {
    int bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}
// The number of a block's tile among all tiles. Of a full grid the tiles of a block follow one another.
__device__ inline int tile_if_kept(int tile) { return gridDim.x == blocks_that_keep ? tile_in_a_row(tile) : tile * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x); }

// Where threads keep several elements of some variables: in shared memory, for each of the first elements those of all variables, one
// after another, of all threads of the block side by side. Behind these are the other elements, one variable after another; the last ones may not fit, and stay
// in memory.
template <class Pack>
struct kept_places {
    // From memory before the loop, and back; each by the first argument that leads there.
    template <int Argument, bool Leaves>
    __device__ static void move(index_t i, place_of_kept<false> const& at, Pack const& pack) {
        if constexpr (leads<Argument> && (Leaves ? is_written<Argument> : is_filled(Pack::slot_of(Argument)))) {
            if (!is_here<Argument>(at)) return;
            if constexpr (Leaves)
                place<Argument>(at).write_back(const_cast<element<Argument>&>(parameter<Argument>(pack).at[i]));
            else
                place<Argument>(at).fill(parameter<Argument>(pack).at[i]);
        }
    }
    // To copies of a thread's number-th element, element i, before nodes use it; and back.
    template <int Argument, bool IsWhole>
    __device__ static void take(index_t i, place_of_kept<IsWhole> const& at, pack_of_element<Pack> const& to) {
        if constexpr (keeps<Argument>) {
            if (is_here<Argument>(at)) {
                own_parameter<copy<Argument>>(to.copies).fill(place<Argument>(at).value);
                return;
            }
        }
        to.template fill<Argument, false>(i);
    }
    template <int Argument, bool IsWhole>
    __device__ static void leave(index_t i, place_of_kept<IsWhole> const& at, pack_of_element<Pack> const& from) {
        if constexpr (keeps<Argument> && writes<Argument>) {
            constexpr int first = Pack::leads_to(copy<Argument>);
            if (is_here<first>(at)) {
                own_parameter<copy<Argument>>(from.copies).write_back(place<first>(at).value);
                return;
            }
        }
        from.template write_back<Argument>(i);
    }
    // From the copy of a thread's only element.
    template <int Argument>
    __device__ static void leave_only(index_t i, pack_of_element<Pack> const& from) {
        if constexpr (leads<Argument> && is_written<Argument>)
            own_parameter<copy<Argument>>(from.copies).write_back(const_cast<element<Argument>&>(parameter<Argument>(from.pack).at[i]));
    }
    // How many elements there is room for in every variable, an even number. Variables that come first have all of theirs before others have any.
    __device__ static int find_whole(int rows, int room) {
        constexpr int of_last = size<Pack::leads_to(last_kept())>;
        const int of_thread = room / persistent_threads, others = (bytes - of_last) * rows, count = of_thread > others ? (of_thread - others) / of_last : 0;
        return (count < rows ? count : rows) & ~1;
    }
    template <int Argument>
    static constexpr bool keeps = is_kept(Pack::slot_of(Argument));
    template <int Argument>
    static constexpr bool leads = keeps<Argument> && Pack::leads_to(copy_numbered(Pack::slot_of(Argument))) == Argument;

private:
    // Kept ones have the first numbers.
    COGRAPH_HD static constexpr int last_kept() {
        int copy = 0;
        while (Pack::leads_to(copy + 1) >= 0 && is_kept(Pack::slot_of(Pack::leads_to(copy + 1)))) ++copy;
        return copy;
    }
    template <int Argument>
    static constexpr int copy = copy_numbered(Pack::slot_of(Argument));
    template <int Argument>
    static constexpr bool writes = written_by<parameter_type<Argument, Pack>, Pack::slot_of(Argument)> == written::copied;
    struct all_nodes {
        static constexpr int first = 0, count = static_cast<int>(sizeof(Pack::place) / sizeof(int)) - 1;
    };
    template <int Copy, int... Argument>
    static constexpr bool some_write(std::integer_sequence<int, Argument...>) {
        return (false || ... || (copy<Argument> == Copy && writes<Argument>));
    }
    // Whether some node writes the variable of one.
    template <int Argument>
    static constexpr bool is_written = some_write<copy<Argument>>(copied_arguments<Pack, all_nodes>{});
    template <int Argument>
    using element = std::remove_const_t<std::remove_pointer_t<decltype(parameter<Argument>(std::declval<Pack const&>()).at)>>;

    template <int Argument>
    static constexpr int size = static_cast<int>(sizeof(element<Argument>));
    template <int Before, int... Copy>
    static constexpr int bytes_of(std::integer_sequence<int, Copy...>) {
        return (0 + ... + (Copy < Before && keeps<Pack::leads_to(Copy)> ? size<Pack::leads_to(Copy)> : 0));
    }
    template <int Copy>
    static constexpr int bytes_before = bytes_of<Copy>(std::make_integer_sequence<int, Pack::copies()>{});
    static constexpr int bytes = bytes_before<Pack::copies()>;
    // By how many of a thread's bytes an element of a variable begins.
    template <int Argument>
    __device__ static int begin(place_of_kept<true> const& at) {
        return at.number * bytes + bytes_before<copy<Argument>>;
    }
    template <int Argument>
    __device__ static int begin(place_of_kept<false> const& at) {
        if (at.number < at.whole) return begin<Argument>(place_of_kept<true>{at.number});
        return at.whole * bytes + bytes_before<copy<Argument>> * (at.rows - at.whole) + (at.number - at.whole) * size<Argument>;
    }
    template <int Argument, bool IsWhole>
    __device__ static bool is_here([[maybe_unused]] place_of_kept<IsWhole> const& at) {
        if constexpr (IsWhole)
            return true;
        else
            return (begin<Argument>(at) + size<Argument>) * persistent_threads <= at.room;
    }
    template <int Argument, bool IsWhole>
    __device__ static copy_of_element<element<Argument>>& place(place_of_kept<IsWhole> const& at) {
        char* const all = reinterpret_cast<char*>(cograph_kept_elements);
        return *reinterpret_cast<copy_of_element<element<Argument>>*>(all + begin<Argument>(at) * persistent_threads + static_cast<int>(threadIdx.x) * size<Argument>);
    }
};

// The parameters if threads keep several elements of some variables. Leaves: they go to memory, at the end.
template <class Pack, bool Leaves = false>
struct pack_of_kept {
    Pack const& pack;
};
template <int I, class Pack, bool Leaves>
__device__ decltype(auto) parameter(pack_of_kept<Pack, Leaves> const& p) {
    return parameter<I>(p.pack);
}
// All parameters, none of which leads to a copy.
template <class Pack>
__device__ Pack const& plain_pack(Pack const& p) {
    return p;
}
template <class Pack>
__device__ Pack const& plain_pack(pack_of_element<Pack> const& p) {
    return p.pack;
}
template <class Pack, bool Leaves>
__device__ Pack const& plain_pack(pack_of_kept<Pack, Leaves> const& p) {
    return p.pack;
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

}  // namespace cograph::core
