// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/tiles/near_views.cuh>

namespace cograph::core {

// The parameters as nodes get them for element R of a thread. Written: a bit for each variable that nodes of the phase write.
template <class Pack, class Tiles, int R, bool Inner, unsigned Written>
struct pack_of_tile {
    Pack const& pack;
    Tiles& tiles;
};
template <bool Inner, int R, class Memory, class T, int... Radius>
__device__ auto near_in(Memory const& memory, near_pointer<T, Radius...>) {
    return memory.template near<Inner, R, Radius...>();
}
template <bool IsNear, bool Inner, int R, bool Writes, class Tiles, class Memory, class P>
__device__ auto on_chip_parameter(Tiles& tiles, Memory& memory, P const& p) {
    if constexpr (IsNear)
        return near_in<Inner, R>(memory, p);
    else if constexpr (Writes)
        return memory.template element_to_write<R>();
    else
        return memory.template element_to_read<R>(tiles.tile);
}
template <int I, class Pack, class Tiles, int R, bool Inner, unsigned Written>
__device__ decltype(auto) parameter(pack_of_tile<Pack, Tiles, R, Inner, Written> const& p) {
    constexpr int k = Tiles::kept(I);
    if constexpr (k >= 0)
        return on_chip_parameter<Tiles::is_near(I), Inner, R, (Written >> (k < 0 ? 0 : k) & 1) != 0>(p.tiles, p.tiles.template memory<k>(), parameter<I>(p.pack));
    else
        return parameter<I>(p.pack);
}

// The parameters as nodes get them for a thread's element of the halo.
template <class Pack, class Tiles, unsigned Written>
struct pack_of_halo {
    Pack const& pack;
    Tiles& tiles;
};
template <bool Writes, class Memory>
__device__ auto halo_parameter(Memory& memory) {
    using T = typename Memory::element;
    return pointer_to_copy<choose<Writes, T, const T>>{&memory.halo_element.value};
}
template <int I, class Pack, class Tiles, unsigned Written>
__device__ decltype(auto) parameter(pack_of_halo<Pack, Tiles, Written> const& p) {
    constexpr int k = Tiles::kept(I);
    if constexpr (k >= 0)
        return halo_parameter<(Written >> (k < 0 ? 0 : k) & 1) != 0>(p.tiles.template memory<k>());
    else
        return parameter<I>(p.pack);
}

}  // namespace cograph::core
