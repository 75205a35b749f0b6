// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/batch/problem_context.cuh>

namespace cograph::core {

// One problem for each thread: it combines the values of all lanes, the upper half of each warp with the lower one,
// in their order.
template <bool IsFilled>
struct problem_context<1, IsFilled> {
    static constexpr bool has_one_tile = false, is_filled = false;
    mutable bool overflows = false;

    __device__ problem_context const& of_stages() const { return *this; }
    __device__ one_element_context<problem_context> of_one_element() const { return {*this, overflows}; }
    __device__ static int rank() { return 0; }
    __device__ bool leads() const { return true; }
    __device__ void meet() const {}

    template <class F>
    __device__ void each(index_t n, F const& f) const {
#pragma unroll 1
        for (index_t i = 0; i < n; ++i) f(i);
    }
    template <class F>
    __device__ void once(F f) const {
        f();
    }
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T const& identity, Op const& op, Term const& term, void*, T* out) const {
        const reduce_layout layout(n);
        const auto of_chunk = [&](int chunk) -> T {
            return join_tile(n - layout.first(chunk), identity, op, [&](int lane) -> T {
                T sum = identity;
#pragma unroll 1
                for (index_t i = layout.first(chunk) + lane; i < n; i += layout.stride()) add_term(sum, op, term, i);
                return sum;
            });
        };
        if (layout.chunks == 1)
            *out = of_chunk(0);
        else
            *out = join_tile(layout.chunks, identity, op, [&](int lane) -> T {
                T sum = identity;
#pragma unroll 1
                for (int chunk = lane; chunk < layout.chunks; chunk += reduce_layout::lanes) sum = op(sum, of_chunk(chunk));
                return sum;
            });
    }

    template <int Group, class T, class Op, class Term>
        requires(Group == 1)
    __device__ void reduce_groups(index_t n, T const& identity, Op const& op, Term const& term, void* scratch, T* out) const {
        reduce(n, identity, op, term, scratch, out);
    }

private:
    template <class T, class Op, class Lane>
    __device__ static T join_tile(index_t n, T const& identity, Op const& op, Lane const& lane) {
        const int lanes = n < reduce_layout::lanes ? static_cast<int>(n) : reduce_layout::lanes;
        return join_warps(lanes, identity, op, [&](int w) -> T { return join_warp(lanes - warp_lanes * w, identity, op, [&](int l) { return lane(warp_lanes * w + l); }); });
    }
    // Lanes in the order in which pairs meet; a value that waits for its pair is kept.
    template <class T, class Op, class Lane>
    __device__ static T join_warp(int lanes, T const& identity, Op const& op, Lane const& lane) {
        const bool skips = joins_nothing<Op>(identity);
        lane_values<6, T> waiting(identity);
        int count = 0;
#pragma unroll 1
        for (unsigned turn = 0; turn < warp_lanes; ++turn) {
            int first = static_cast<int>(__brev(turn) >> 27);  // of the lanes in the value
            T value = first < lanes ? static_cast<T>(lane(first)) : identity;
            for (int pair = warp_lanes / 2; first >= pair && (first & pair) != 0; pair /= 2) {
                --count;
                value = skips && first >= lanes ? waiting[count] : op(waiting[count], value);
                first -= pair;
            }
            waiting[count++] = value;
        }
        return waiting[0];
    }
};

}  // namespace cograph::core
