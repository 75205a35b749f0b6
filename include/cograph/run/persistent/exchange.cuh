// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/persistent/chunk_exchange.cuh>
#include <cograph/run/persistent/group/kept_elements.cuh>

namespace cograph::core {

// Swapped buffers: of a thread's parameters, those that lead to one lead to the other from then on. Pointers of
// all kinds do: to whole arrays, to elements, and to elements with those around them.
template <class T>
__device__ T* place_of_parameter(T* p) {
    return p;
}
template <class T>
__device__ T* place_of_parameter(element_pointer<T> p) {
    return p.at;
}
template <class T, int... Radius>
__device__ T* place_of_parameter(near_pointer<T, Radius...> p) {
    return p.at;
}
template <class T>
__device__ void move_parameter(T*& p, std::remove_const_t<T>* to) {
    p = to;
}
template <class T>
__device__ void move_parameter(element_pointer<T>& p, std::remove_const_t<T>* to) {
    p.at = to;
}
template <class T, int... Radius>
__device__ void move_parameter(near_pointer<T, Radius...>& p, std::remove_const_t<T>* to) {
    p.at = to;
}

template <class Pack>
__device__ Pack& whole_pack(Pack const& pack) {
    return const_cast<Pack&>(pack);  // run_program has it as a variable
}
template <class Pack>
__device__ Pack& whole_pack(pack_of_element<Pack> const& pack) {
    return const_cast<Pack&>(pack.pack);
}
template <class Pack>
__device__ Pack& whole_pack(pack_of_kept<Pack> const& pack) {
    return const_cast<Pack&>(pack.pack);
}

// Those with a number.
template <int Number, class Pack, class T, int... I>
__device__ void move_parameters(Pack& pack, T* to, std::integer_sequence<int, I...>) {
    const auto move = [&]<int J>(std::integral_constant<int, J>) {
        if constexpr (Pack::slot[J] == Number) move_parameter(own_parameter<J>(pack.all), to);
    };
    (move(std::integral_constant<int, I>{}), ...);
}
template <class Pack>
using numbers_of_parameters = std::make_integer_sequence<int, static_cast<int>(sizeof(Pack::slot) / sizeof(int)) - 1>;
template <int X, int Y, class Pack>
__device__ void exchange_places(Pack& pack) {
    auto* const x = place_of_parameter(parameter<X>(pack));
    auto* const y = place_of_parameter(parameter<Y>(pack));
    move_parameters<Pack::slot_of(X)>(pack, y, numbers_of_parameters<Pack>{});
    move_parameters<Pack::slot_of(Y)>(pack, x, numbers_of_parameters<Pack>{});
}

// Brings the elements of each buffer of a set to its memory. Threads exchange elements of two buffers at a time, each
// thread the same ones every time.
template <class Pack, class Given, int Set, int... M>
__device__ void put_back(auto const& context, Given const& given, Pack const& pack, std::integral_constant<int, Set>,
                         std::integer_sequence<int, M...>) {
    constexpr int count = sizeof...(M);
    const auto& all = pack.all;  // by parameter, not by argument
    constexpr int first = Pack::numbered_as(number_of_exchanged(Set, 0));
    using T = std::remove_const_t<std::remove_pointer_t<decltype(place_of_parameter(parameter<first>(all)))>>;
    T* const home[] = {const_cast<T*>(place_of_parameter(parameter<Pack::numbered_as(number_of_exchanged(Set, M))>(given)))...};
    T* now[] = {const_cast<T*>(place_of_parameter(parameter<Pack::numbered_as(number_of_exchanged(Set, M))>(all)))...};
    const index_t n = static_cast<index_t>(parameter<Pack::numbered_as(number_of_extent(Set))>(all));
    bool waited = false;
#pragma unroll
    for (int m = 0; m < count; ++m)
#pragma unroll
        for (int k = m + 1; k < count; ++k) {
            if (now[m] == home[m] || now[k] != home[m]) continue;
            if (!waited) context.barrier_all.wait();
            waited = true;
#pragma unroll 1
            for (index_t i = index_t{reduce_layout::lanes} * context.tile + context.lane_of_tile(); i < n; i += index_t{reduce_layout::lanes} * context.tiles) {
                const T of_one = now[m][i], of_other = now[k][i];
                now[m][i] = of_other;
                now[k][i] = of_one;
            }
            now[k] = now[m];
            now[m] = home[m];
        }
}
template <class Pack, class Given, int... Set>
__device__ void put_sets_back(auto const& context, Given const& given, Pack const& pack, std::integer_sequence<int, Set...>) {
    const auto one = [&]<int S>(std::integral_constant<int, S> set) {
        if constexpr (Pack::members(S) > 0) put_back(context, given, pack, set, std::make_integer_sequence<int, Pack::members(S)>{});
    };
    (one(std::integral_constant<int, Set>{}), ...);
}
// At the end of a kernel.
template <class Pack, class Given>
__device__ void put_all_back(auto const& context, Given const& given, Pack const& pack) {
    put_sets_back(context, given, pack, std::make_integer_sequence<int, Pack::sets()>{});
}

}  // namespace cograph::core
