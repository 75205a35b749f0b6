// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/run/kernel/box/few_planes_kernel.cuh>
#include <cograph/run/kernel/box/pass_of_block.cuh>
#include <cograph/run/kernel/box/terms_of_pass.cuh>
#include <cograph/run/launch/kernel_table.cuh>

#include <utility>

namespace cograph::core {

// Four steps over a box of three dimensions as two kernels.

// Elements one by one, each with the first step of all around it: for boxes of which a part has few. It is no part of the kernel, whose threads would have
// fewer registers then. Static: with -rdc=true, ptxas refuses a call of a function with external linkage that has more registers than the kernel.
template <class First, class Second, class Result, bool Keeps, class U, class Given>
static __device__ __noinline__ void run_pass_by_elements(Given given) {
    using first_call = call_of_step<First>;
    using second_call = call_of_step<Second>;
    using arrays = arrays_of_pass<Keeps, U, Given, First, Second>;
    using T = typename arrays::T;
    const arrays of{given};
    const index_t planes = of.template side<0>(), rows = of.template side<1>(), columns = of.template side<2>(), count = static_cast<index_t>(parameter<0>(given));
    terms_of_pass<Result>::run(given, of.kept(), of.to(), [&](auto& terms) {
        for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += static_cast<index_t>(gridDim.x) * blockDim.x) {
            const box_place<3> own = place_of<3>(i, planes, rows, columns);
            U around[27];
#pragma unroll 1
            for (int k = 0; k < 27; ++k) {
                const index_t plane = own.at[0] + k / 9 - 1, row = own.at[1] + k / 3 % 3 - 1, column = own.at[2] + k % 3 - 1;
                if (plane < 0 || plane >= planes || row < 0 || row >= rows || column < 0 || column >= columns) continue;
                const box_place<3> place{(plane * rows + row) * columns + column, {plane, row, column}, {planes, rows, columns}};
                first_call::run(place, given, typename first_call::around_in_memory{of.from()}, around[k]);
            }
            if constexpr (Keeps) of.kept()[i] = around[13];
            T value;
            second_call::run(own, given, typename second_call::around{around + 13, own}, value);
            keep_apart(value);
            of.to()[i] = value;
            terms.join(i, terms.term(own, around[13], value));
        }
    });
}

// How many planes a part has: blocks are to have equally many parts, and a part takes a few planes more than it has.
__device__ inline int planes_of_parts(int planes, int tiles) {
    constexpr int most_parts_of_block = 8, more = 5;
    const int blocks = static_cast<int>(gridDim.x);
    int best = 0, least = 0;
    for (int parts = 1; parts <= most_parts_of_block; ++parts) {
        const int filling = parts * blocks / tiles, slabs = filling > 1 ? filling : 1, deep = (planes + slabs - 1) / slabs;
        const int rounds = (tiles * slabs + blocks - 1) / blocks * (deep + more);
        if (best != 0 && rounds >= least) continue;
        best = deep;
        least = rounds;
    }
    return best > 0 ? best : 1;
}

// Part by part: a block may take several.
template <class Part, class First, class Second, bool Keeps, class U, class Given, class Terms>
__device__ void run_parts_of_pass(Given const& given, Terms& terms) {
    using arrays = arrays_of_pass<Keeps, U, Given, First, Second>;
    using T = typename arrays::T;
    __shared__ T read[Part::planes_read * Part::read_plane + 1];
    __shared__ U between[4 * Part::plane];
    const arrays of{given};
    const int planes = static_cast<int>(of.template side<0>()), rows = static_cast<int>(of.template side<1>()), columns = static_cast<int>(of.template side<2>());
    const int across = (columns + Part::columns - 1) / Part::columns, down = (rows + Part::rows - 1) / Part::rows, tiles = across * down;
    const int deep = planes_of_parts(planes, tiles), parts = tiles * ((planes + deep - 1) / deep);
    for (int number = static_cast<int>(blockIdx.x); number < parts; number += static_cast<int>(gridDim.x)) {
        const bool backwards = Keeps && static_cast<index_t>(parameter<0>(given)) > most_in_one_order;  // begins where the first pass ended
        const int at = backwards ? parts - 1 - number : number, line = at / across, slab = line / down;
        const int begin = slab * deep, end = begin + deep;
        pass_of_block<Part, First, Second, Keeps, Given, U, Terms>(given, terms, of.from(), of.to(), of.kept(), {planes, rows, columns}, between, read,
                                                                   begin, end < planes ? end : planes, (line - slab * down) * Part::rows - 1, (at - line * across) * Part::columns - 1)
            .run();
        __syncthreads();
    }
}
// Whether parts of blocks have enough elements of a box, and 32 bits hold the places in a plane.
template <class Tile>
__device__ bool is_worth_parts(index_t planes, index_t rows, index_t columns) {
    return planes < index_t{1} << 24 && rows * columns < index_t{1} << 30 && rows >= Tile::rows / 4 && columns >= Tile::columns / 4;
}

template <class Tile, bool Keeps, class First, class Second, class Result, class U, class T, class N, class... P>
__global__ void __launch_bounds__(part_of_pass<Tile>::threads, Tile::blocks) steps_in_a_pass_kernel(N n, P... p) {
    using numbers = std::make_integer_sequence<int, 1 + sizeof...(P)>;
    using pack = parameter_pack<numbers, N, P...>;
    const pack given(n, p...);
    const arrays_of_pass<Keeps, U, pack, First, Second> of{given};
    if (!is_worth_parts<Tile>(of.template side<0>(), of.template side<1>(), of.template side<2>())) {
        run_pass_by_elements<First, Second, Result, Keeps, U>(pack(n, p...));
        return;
    }
    terms_of_pass<Result>::run(given, of.kept(), of.to(), [&](auto& terms) { run_parts_of_pass<part_of_pass<Tile>, First, Second, Keeps, U>(given, terms); });
}
template <bool Keeps, class First, class Second, class Result, class U, class T, class... P, class Target>
inline constexpr auto kernel_of<steps_in_a_pass_code<3, Keeps, list<First, Second>, Result, U, T, list<std::type_identity<P>...>>, Target> = &steps_in_a_pass_kernel<pass_tile, Keeps, First, Second, Result, U, T, plain<P>...>;

}  // namespace cograph::core
