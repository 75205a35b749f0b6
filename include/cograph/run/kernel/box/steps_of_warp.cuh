// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/run/kernel/box/step_of_pass.cuh>
#include <cograph/run/kernel/box/strip_of_warp.cuh>

#include <utility>

namespace cograph::core {

// Steps over a box of two dimensions in a pass over memory. A warp marches through the rows of its part of the box, in registers alone: a lane has a few
// columns of the last three rows that each step reads, and lanes give each other the elements beside those. In a round, a row of the array arrives, and each
// step takes the row before the newest one that it can read. Each step has a column less on either side than the one before; the results are in the middle.

// The steps from number Step on, and the rows that the first of them reads.
template <int Step, class Strip, class... Call>
struct steps_of_warp {
    template <bool Inner, int K, class E>
    __device__ void take(Strip&, int, const E&) const {}
};
template <int Step, class Strip, class Call, class... More>
struct steps_of_warp<Step, Strip, Call, More...> {
    using E = typename Call::element;
    static constexpr int most = Strip::most, left = sizeof...(More);
    // Beside the results, elements whose neighbours are not known get others in their place, unless they could lead to other memory.
    static constexpr int least_in_strip = Call::may_look_up ? Step + 1 : 0;

    E own[3][most], beside[3][2];  // of three rows: the one that arrives in round K has number K
    steps_of_warp<Step + 1, Strip, More...> behind;

    // Inner: in these rounds, all that steps may read is in the box.
    template <bool Inner, int K>
    __device__ void take(Strip& strip, int newest, const E (&arrived)[most]) {
        constexpr int before = (K + 1) % 3, here = (K + 2) % 3;
        const int row = newest - 1;
#pragma unroll
        for (int j = 0; j < most; ++j) own[K][j] = arrived[j];
        beside[K][0] = shuffle_words(arrived[most - 1], [](unsigned word) { return __shfl_up_sync(~0u, word, 1); });
        beside[K][1] = shuffle_words(arrived[0], [](unsigned word) { return __shfl_down_sync(~0u, word, 1); });
        typename Strip::template written<Step> value[most];
        if (Inner || (row >= strip.top && row < strip.bottom && row >= -left && row < strip.height + left)) {
#pragma unroll
            for (int j = 0; j < most; ++j) {
                E around[9];
                read_around<Strip::backwards ? K : before, here, Strip::backwards ? before : K>(around, j);
                if ((Inner && least_in_strip == 0) || strip.in_strip[j] >= least_in_strip) Call::run(strip.place(row, j), strip.given, typename Call::around{around + 4, strip.template sides<Inner>(row, j)}, value[j]);
            }
#pragma unroll
            for (int j = 0; j < most; ++j) keep_apart(value[j]);
            if constexpr (left == 0) strip.end_row(row, own[here], value);
        }
        behind.template take<Inner, K>(strip, row, value);
    }

private:
    template <int Above, int Here, int Below>
    __device__ void read_around(E (&around)[9], int j) const {
        constexpr int row[] = {Above, Here, Below};
#pragma unroll
        for (int n = 0; n < 9; ++n) {
            const int column = j + n % 3 - 1;
            around[n] = column < 0 ? beside[row[n / 3]][0] : column >= most ? beside[row[n / 3]][1] : own[row[n / 3]][column < 0 || column >= most ? 0 : column];
        }
    }
};

template <bool Inner, int K, class Strip, class Steps, class T, int Columns>
__device__ void take_row(Strip& strip, Steps& steps, T (&coming)[Columns], int row) {
    T arrived[Columns];
#pragma unroll
    for (int j = 0; j < Columns; ++j) arrived[j] = coming[j];
    strip.template load<Inner>(row + Strip::ahead, coming);
    steps.template take<Inner, K % 3>(strip, row, arrived);
}
template <bool Inner, class Strip, class Steps, class T, int Rows, int Columns, int... K>
__device__ void take_rows(Strip& strip, Steps& steps, T (&coming)[Rows][Columns], int row, std::integer_sequence<int, K...>) {
    (take_row<Inner, K>(strip, steps, coming[K], row + K), ...);
}
// All rows of a warp's part.
template <class Strip, class... Call>
__device__ void march(Strip& strip) {
    using first = steps_of_warp<0, Strip, Call...>;
    constexpr int steps = sizeof...(Call), ahead = Strip::ahead;
    static_assert(ahead % 3 == 0, "as many rounds are one after another in the code, and a step has three rows");
    first all;
    typename first::E coming[ahead][Strip::most];
#pragma unroll
    for (int k = 0; k < ahead; ++k) strip.template load<false>(k - steps, coming[k]);
    for (int row = -steps; row < strip.height + steps; row += ahead) {
        strip.terms.tell_warp();
        if (strip.are_inner(row))
            take_rows<true>(strip, all, coming, row, std::make_integer_sequence<int, ahead>{});
        else
            take_rows<false>(strip, all, coming, row, std::make_integer_sequence<int, ahead>{});
    }
}

}  // namespace cograph::core
