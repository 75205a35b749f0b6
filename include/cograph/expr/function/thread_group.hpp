// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/found_element.hpp>
#include <cograph/expr/function/lane_order.hpp>
#include <cograph/expr/function/operations.hpp>
#include <cograph/expr/node/launch_limits.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// An operation's own identity, on both sides.
template <class Op, class T>
    requires std::is_arithmetic_v<T>
inline constexpr T identity_of_numbers = Op::template identity<T>();
template <class T, class Op>
COGRAPH_HD constexpr T own_identity() {
    if constexpr (std::is_arithmetic_v<T>)
        return identity_of_numbers<Op, T>;
    else
        return Op::template identity<T>();
}

#ifdef __CUDACC__
// The exchange of the warps of groups: two halves, used in turn.
template <class T>
__device__ T* results_of_group_warps() {
    __shared__ alignas(T) unsigned char room[2 * warp_lanes * sizeof(T)];
    return reinterpret_cast<T*>(room);
}
#endif

}  // namespace cograph::core

namespace cograph {

// The threads that work on one element together: the first argument of the function object of
// for_each(over(x).group<Size>(), f). All threads of the group call its algorithms with the same range. Each call
// ends when all of them have done their part, and earlier writes are visible after it. Algorithms take indices 0 to n
// - 1, of the type of n, and combine in an order that follows from Size alone, so every way to run gives the same
// bits. On the host one thread is the whole group, and keeps the same order.
template <int Size>
class thread_group {
public:
    thread_group() = default;
    thread_group(thread_group const&) = delete;  // take it by reference: its threads count their common calls
    thread_group& operator=(thread_group const&) = delete;

    // For code that distributes elements itself: the number of threads, and the number of this one. On the host 1 and
    // 0. Results that depend on them may differ between ways to run.
    COGRAPH_HD int size() const {
#ifdef __CUDA_ARCH__
        return Size;
#else
        return 1;
#endif
    }
    COGRAPH_HD int rank() const {
#ifdef __CUDA_ARCH__
        return static_cast<int>(threadIdx.x) % Size;
#else
        return 0;
#endif
    }
    // Waits for all threads of the group; their writes are then visible.
    COGRAPH_HD void sync() const {
#ifdef __CUDA_ARCH__
        if constexpr (Size > core::warp_lanes)
            asm volatile("bar.sync %0, %1;" ::"r"(1 + static_cast<int>(threadIdx.x) / Size), "n"(Size) : "memory");
        else if constexpr (Size > 1)
            __syncwarp(lanes());
#endif
    }

    // f(k) for each k, by any of the threads.
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F>
    COGRAPH_HD void for_each(N n, F const& f) const {
        for (N k = static_cast<N>(rank()); k < n; k = static_cast<N>(k + size())) f(k);
        sync();
    }
    // to[k] = from[k].
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class T, class U>
    COGRAPH_HD void copy(N n, T const* from, U* to) const {
        for_each(n, [&](N k) { to[k] = from[k]; });
    }

    // f(part, k) for each k, by one of the group's parts of Part threads, which is a group itself.
    template <int Part, class N, class F>
        requires(core::is_group_size(Part) && Part <= Size && Part <= core::warp_lanes)
    COGRAPH_HD void for_each_part(N n, F const& f) const {
        const thread_group<Part> part;
        for (N k = static_cast<N>(rank() / Part); k < n; k = static_cast<N>(k + (size() + Part - 1) / Part)) f(part, k);
        sync();
    }

    // op over f(k), for every thread: the identity if n is 0. Lane l of the group combines the terms of l, l + Size,
    // and so on; then the lanes are combined pairwise, the upper half of each warp with the lower one, then the
    // warps.
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F, class Op, class T>
    COGRAPH_HD T transform_reduce(N n, F const& f, Op const& op, T identity) const {
#ifdef __CUDA_ARCH__
        T joined = identity;
        N k = static_cast<N>(rank());
        if constexpr (sizeof(T) <= 8) {
#pragma unroll 1
            for (; k + 7 * Size < n; k += 8 * Size) joined = join_terms<8>(joined, k, f, op);
        }
#pragma unroll 1
        for (; k + 3 * Size < n; k += 4 * Size) joined = join_terms<4>(joined, k, f, op);
        if (k + Size < n) {
            joined = join_terms<2>(joined, k, f, op);
            k += 2 * Size;
        }
        if (k < n) joined = op(joined, static_cast<T>(f(k)));
        return join(joined, identity, op);
#else
        return core::join_in_lane_order<Size>(N(0), n, static_cast<N>(Size), identity, op, [&](N k) -> T { return f(k); });
#endif
    }
    template <class N, class F, class Op>
    COGRAPH_HD auto transform_reduce(N n, F const& f, Op const& op) const {
        return transform_reduce(n, f, op, core::own_identity<std::remove_cvref_t<decltype(f(n))>, Op>());
    }
    // Whether f(k) holds for one k, or for all.
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F>
    COGRAPH_HD bool any(N n, F const& f) const {
        return transform_reduce(n, [&](N k) -> bool { return f(k); }, one_of_two{}, false);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F>
    COGRAPH_HD bool all(N n, F const& f) const {
        return !any(n, [&](N k) -> bool { return !f(k); });
    }
    // The largest f(k), or the smallest, and the first k that has it; {T(), n} if n is 0.
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F>
    COGRAPH_HD auto max_element(N n, F const& f) const {
        return find_extreme<true>(n, f);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F>
    COGRAPH_HD auto min_element(N n, F const& f) const {
        return find_extreme<false>(n, f);
    }

    // put(k, op over f(0) to f(k)) for each k, and to each thread the join of all. Lanes look 1, 2, 4, … below them in their warp, rows of a
    // warp are joined in turn, and warps look below them as lanes do.
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F, class Op, class Put, class T>
    COGRAPH_HD T inclusive_scan(N n, F const& f, Op const& op, Put const& put, T identity) const {
        return scan<true>(n, f, op, put, identity);
    }
    template <class N, class F, class Op, class Put>
    COGRAPH_HD auto inclusive_scan(N n, F const& f, Op const& op, Put const& put) const {
        return scan<true>(n, f, op, put, core::own_identity<std::remove_cvref_t<decltype(f(n))>, Op>());
    }
    // The same of f(0) to f(k - 1).
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F, class Op, class Put, class T>
    COGRAPH_HD T exclusive_scan(N n, F const& f, Op const& op, Put const& put, T identity) const {
        return scan<false>(n, f, op, put, identity);
    }
    template <class N, class F, class Op, class Put>
    COGRAPH_HD auto exclusive_scan(N n, F const& f, Op const& op, Put const& put) const {
        return scan<false>(n, f, op, put, core::own_identity<std::remove_cvref_t<decltype(f(n))>, Op>());
    }

private:
    static_assert(core::is_group_size(Size));
    static constexpr int in_warp = Size < core::warp_lanes ? Size : core::warp_lanes;
    static constexpr int warps = Size / in_warp;
    mutable int half_ = 0;

    struct one_of_two : core::light_function {
        COGRAPH_HD constexpr bool operator()(bool a, bool b) const { return a || b; }
    };

    COGRAPH_EXEC_CHECK_OFF
    template <bool Largest, class N, class F>
    COGRAPH_HD auto find_extreme(N n, F const& f) const {
        using T = std::remove_cvref_t<decltype(f(n))>;
        using result = found_element<T>;
        return transform_reduce(
            n, [&](N k) { return result{f(k), static_cast<index_t>(k)}; }, core::extreme_of_two<Largest>{}, result{T(), -1});
    }

#ifdef __CUDACC__
    // Terms of one lane, in their order: their loads overlap.
    template <int Count, class N, class T, class F, class Op>
    __device__ static T join_terms(T joined, N k, F const& f, Op const& op) {
        lane_terms<Count, T> terms(f, k, std::make_integer_sequence<int, Count>{});
#pragma unroll
        for (int term = 0; term < Count; ++term) joined = op(joined, terms.of[term]);
        return joined;
    }
    template <int Count, class T>
    struct lane_terms {
        T of[Count];
        template <class N, class F, int... I>
        __device__ lane_terms(F const& f, N k, std::integer_sequence<int, I...>) : of{static_cast<T>(f(static_cast<N>(k + I * Size)))...} {}
    };
    __device__ static unsigned lanes() {
        if constexpr (in_warp == core::warp_lanes)
            return ~0u;
        else
            return ((1u << in_warp) - 1) << (threadIdx.x % core::warp_lanes / in_warp * in_warp);
    }
    __device__ static int lane() { return static_cast<int>(threadIdx.x) % in_warp; }
    __device__ static int warp() { return static_cast<int>(threadIdx.x) % Size / in_warp; }
    template <class T>
    __device__ static T from_lane(T value, int lane) {
        return core::shuffle_words(value, [&](unsigned word) { return __shfl_sync(lanes(), word, lane, in_warp); });
    }
    template <class T>
    __device__ static T from_above(T value, int offset) {
        return core::shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(lanes(), word, offset, in_warp); });
    }
    template <class T>
    __device__ static T from_below(T value, int offset) {
        return core::shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(lanes(), word, offset, in_warp); });
    }
    // The value of the first lane of each warp, for every lane that represents a warp.
    template <class T>
    __device__ T of_warp(T value, T const& identity) const {
        T* const room = core::results_of_group_warps<T>() + half_ * core::warp_lanes + threadIdx.x / Size * warps;
        half_ = 1 - half_;
        if (lane() == 0) room[warp()] = value;
        sync();
        return lane() < warps ? room[lane()] : identity;
    }
    template <class T, class Op>
    __device__ T join(T value, T const& identity, Op const& op) const {
#pragma unroll
        for (int offset = in_warp / 2; offset > 0; offset /= 2) value = op(value, from_above(value, offset));
        if constexpr (warps > 1) {
            value = of_warp(value, identity);
#pragma unroll
            for (int offset = warps / 2; offset > 0; offset /= 2) value = op(value, from_above(value, offset));
        }
        return from_lane(value, 0);
    }
    // Combines this lane's value with those of the given number of lanes below it.
    template <class T, class Op>
    __device__ static T scan_lanes(T value, int count, Op const& op) {
#pragma unroll
        for (int offset = 1; offset < count; offset *= 2) {
            const T below = from_below(value, offset);
            if (lane() >= offset) value = op(below, value);
        }
        return value;
    }
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
        core::lane_values<Rows, T> values(identity);
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
        core::lane_values<Rows * Size, T> values(identity);
        core::lane_values<warps, T> upto(identity);
        for (int warp = 0; warp < warps; ++warp)
            for (int row = 0; row < Rows; ++row) {
                const int begin = (warp * Rows + row) * in_warp;
                for (int at = begin; at < begin + in_warp && first + at < n; ++at) values[at] = f(static_cast<N>(first + at));
                core::scan_pairwise(values, begin, in_warp, op);
                for (int at = begin; row > 0 && at < begin + in_warp; ++at) values[at] = op(upto[warp], values[at]);
                upto[warp] = values[begin + in_warp - 1];
            }
        core::scan_pairwise(upto, 0, warps, op);
        for (int at = 0; at < Rows * Size && first + at < n; ++at) {
            const int warp = at / (Rows * in_warp);
            const T before = warp > 0 ? op(carry, upto[warp - 1]) : carry;
            const bool is_first = at % (Rows * in_warp) == 0;
            put(static_cast<N>(first + at), Inclusive ? op(before, values[at]) : is_first ? before : op(before, values[at - 1]));
        }
        return op(carry, upto[warps - 1]);
#endif
    }
};

}  // namespace cograph
