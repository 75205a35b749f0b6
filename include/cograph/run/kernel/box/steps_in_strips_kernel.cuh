// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/run/kernel/box/steps_of_warp.cuh>
#include <cograph/run/kernel/box/strip_of_warp.cuh>
#include <cograph/run/kernel/box/terms_of_pass.cuh>
#include <cograph/run/launch/kernel_table.cuh>

#include <utility>

namespace cograph::core {

// Steps over a box of two dimensions as two kernels.

// How many rows a part has: warps are to have equally many parts, and a part takes more rounds than it has rows.
template <int Steps>
__device__ index_t rows_of_parts(index_t rows, index_t across, int warps) {
    constexpr int most_parts_of_warp = 8, more = 2 * Steps + 4;
    if (across >= warps * most_parts_of_warp || rows >= index_t{1} << 24) {
        const index_t slabs = (across < warps ? warps / across : 1) + (rows >> 24);
        return (rows + slabs - 1) / slabs;
    }
    const int height = static_cast<int>(rows), strips = static_cast<int>(across);
    int best = 0, least = 0;
    for (int parts = 1; parts <= most_parts_of_warp; ++parts) {
        const int filling = parts * warps / strips, slabs = filling > 1 ? filling : 1, high = (height + slabs - 1) / slabs;
        const int rounds = (strips * ((height + high - 1) / high) + warps - 1) / warps * (high + more);
        if (best != 0 && rounds >= least) continue;
        best = high;
        least = rounds;
    }
    return best;
}

// Strips one beside another, and how their rows are cut into parts. Warps that test for the sides of the box take longer: their parts have half as many rows.
struct parts_of_strips {
    index_t rows, across, high;

    struct part {
        index_t strip, begin, end;
    };
    __device__ index_t in_a_slab() const { return across + (across > 1 ? 2 : 1); }
    __device__ index_t count() const { return in_a_slab() * divide(rows + high - 1, high).quotient; }
    __device__ part numbered(index_t number) const {
        const quotient_and_rest at = divide(number, in_a_slab());
        const bool is_second = at.rest == 1 || at.rest == in_a_slab() - 1, is_half = at.rest < 2 || at.rest >= in_a_slab() - 2;
        const index_t first = at.quotient * high, middle = first + (high + 1) / 2, begin = is_second ? middle : first, end = is_half && !is_second ? middle : first + high;
        return {at.rest < 2 ? 0 : at.rest < across ? at.rest - 1 : across - 1, begin, end < rows ? end : rows};
    }
};

template <bool Keeps, class Result, class U, class T, class... Step, class N, class... P>
__device__ void run_strips(list<Step...>, N const& n, P const&... p) {
    using pack = parameter_pack<std::make_integer_sequence<int, 1 + sizeof...(P)>, N, P...>;
    const pack given(n, p...);
    const arrays_of_pass<Keeps, U, pack, Step...> of{given};
    terms_of_pass<Result>::run(given, of.kept(), of.to(), [&](auto& terms) {
        using strip = strip_of_warp<sizeof...(Step), Keeps, pack, U, T, std::remove_reference_t<decltype(terms)>>;
        const index_t rows = of.template side<0>(), columns = of.template side<1>();
        if (rows <= 0 || columns <= 0) return;
        const int warps_of_block = static_cast<int>(blockDim.x) / warp_lanes, warps = static_cast<int>(gridDim.x) * warps_of_block;
        parts_of_strips parts{rows, divide(columns + strip::results - 1, strip::results).quotient, 1};
        parts.high = rows_of_parts<sizeof...(Step)>(rows, parts.in_a_slab(), warps);
        const index_t count = parts.count();
        for (index_t number = static_cast<index_t>(blockIdx.x) * warps_of_block + threadIdx.x / warp_lanes; number < count; number += warps) {
            const auto [across, begin, end] = parts.numbered(Keeps ? count - 1 - number : number);
            if (begin >= end) continue;
            strip part(given, terms, of.from(), of.to(), of.kept(), rows, columns, begin, end, across * strip::results);
            march<strip, call_of_step<Step>...>(part);
        }
    });
}

template <int Threads, int Blocks, bool Keeps, class Steps, class Result, class U, class T, class N, class... P>
__global__ void __launch_bounds__(Threads, Blocks) steps_in_strips_kernel(N n, P... p) {
    run_strips<Keeps, Result, U, T>(Steps{}, n, p...);
}
template <bool Keeps, class... Step, class Result, class U, class T, class... P, class Target>
inline constexpr auto kernel_of<steps_in_a_pass_code<2, Keeps, list<Step...>, Result, U, T, list<std::type_identity<P>...>>, Target> =
    &steps_in_strips_kernel<pass_strip::threads, pass_strip::blocks(sizeof...(Step), sizeof(T)), Keeps, list<Step...>, Result, U, T, plain<P>...>;

}  // namespace cograph::core
