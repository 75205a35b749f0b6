// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/group_threads.hpp>
#include <cograph/expr/function/lane_order.hpp>

namespace cograph::core {

// The scans of a group.
template <int Size>
class scanning_group : public group_threads<Size> {
protected:
    using threads = group_threads<Size>;
    using threads::in_warp, threads::sync, threads::warps;
#ifdef __CUDACC__
    using threads::from_below, threads::from_lane, threads::lane, threads::of_warp, threads::scan_lanes, threads::warp;
#endif

    // The rows of a warp that are scanned before warps meet, if there are enough.
    static constexpr int most_rows = 8;

    COGRAPH_EXEC_CHECK_OFF
    template <bool Inclusive, class N, class F, class Op, class Put, class T>
    COGRAPH_HD T scan(N n, F const& f, Op const& op, Put const& put, T identity) const {
        T carry = identity;
        N first = 0;
        for (; n - first > 2 * Size; first = static_cast<N>(first + most_rows * Size)) carry = scan_tile<Inclusive, most_rows>(first, n, f, op, put, identity, carry);
        for (; first < n; first = static_cast<N>(first + Size)) carry = scan_tile<Inclusive, 1>(first, n, f, op, put, identity, carry);
        sync();
        return carry;
    }
    // Warp w has rows of its lanes' elements, one row after the other. Each row is scanned and combined with those
    // above it, then with the warps below and with everything before the tile. Returns the result up to the tile's
    // end.
    COGRAPH_EXEC_CHECK_OFF
    template <bool Inclusive, int Rows, class N, class F, class Op, class Put, class T>
    COGRAPH_HD T scan_tile(N first, N n, F const& f, Op const& op, Put const& put, T const& identity, T const& carry) const {
#ifdef __CUDA_ARCH__
        const N own = static_cast<N>(first + warp() * Rows * in_warp + lane());
        lane_values<Rows, T> values(identity);
#pragma unroll
        for (int row = 0; row < Rows; ++row)
            if (const N k = static_cast<N>(own + row * in_warp); k < n) values[row] = f(k);
        T last = identity;
#pragma unroll
        for (int row = 0; row < Rows; ++row) {
            values[row] = scan_lanes(values[row], in_warp, op);
            if (row > 0) values[row] = op(last, values[row]);
            last = from_lane(values[row], in_warp - 1);
        }
        T before = carry, all = last;
        if constexpr (warps > 1) {
            const T upto = scan_lanes(of_warp(last, identity), warps, op);
            const T below = from_lane(upto, warp() > 0 ? warp() - 1 : 0);
            if (warp() > 0) before = op(carry, below);
            all = from_lane(upto, warps - 1);
        }
#pragma unroll
        for (int row = 0; row < Rows; ++row) {
            T value = values[row];
            if constexpr (!Inclusive) {
                value = from_below(value, 1);
                if (row > 0) last = from_lane(values[row - 1], in_warp - 1);
                if (lane() == 0 && row > 0) value = last;
            }
            if (const N k = static_cast<N>(own + row * in_warp); k < n) put(k, !Inclusive && row == 0 && lane() == 0 ? before : op(before, value));
        }
        return op(carry, all);
#else
        lane_values<Rows * Size, T> values(identity);
        lane_values<warps, T> upto(identity);
        for (int w = 0; w < warps; ++w)
            for (int row = 0; row < Rows; ++row) {
                const int begin = (w * Rows + row) * in_warp;
                for (int at = begin; at < begin + in_warp && first + at < n; ++at) values[at] = f(static_cast<N>(first + at));
                scan_pairwise(values, begin, in_warp, op);
                for (int at = begin; row > 0 && at < begin + in_warp; ++at) values[at] = op(upto[w], values[at]);
                upto[w] = values[begin + in_warp - 1];
            }
        scan_pairwise(upto, 0, warps, op);
        for (int at = 0; at < Rows * Size && first + at < n; ++at) {
            const int w = at / (Rows * in_warp);
            const T before = w > 0 ? op(carry, upto[w - 1]) : carry;
            const bool is_first = at % (Rows * in_warp) == 0;
            put(static_cast<N>(first + at), Inclusive ? op(before, values[at]) : is_first ? before : op(before, values[at - 1]));
        }
        return op(carry, upto[warps - 1]);
#endif
    }
};

}  // namespace cograph::core
