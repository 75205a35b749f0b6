// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/found_element.hpp>
#include <cograph/expr/function/lane_order.hpp>
#include <cograph/expr/function/operations.hpp>

#include <cstring>
#include <type_traits>

namespace cograph::core {

// Whether so many threads can be a group: lanes of one warp, or whole warps.
constexpr bool is_group_size(index_t size) { return size >= 1 && size <= 1024 && (size & (size - 1)) == 0; }

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
// A warp's exchange of any value that can be copied by its bytes, by words of 32 bits.
template <class T, class Exchange>
__device__ T exchange_words(T value, Exchange exchange) {
    unsigned words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
    for (unsigned& word : words) word = exchange(word);
    memcpy(&value, words, sizeof(T));
    return value;
}

// What the warps of groups give each other: two halves, used by turns.
template <class T>
__device__ T* results_of_group_warps() {
    __shared__ alignas(T) unsigned char room[2 * lanes_of_warp * sizeof(T)];
    return reinterpret_cast<T*>(room);
}
#endif

}  // namespace cograph::core

namespace cograph {

// The threads that work on one element together: what the function object of for_each(over(x).group<Size>(), f) is called with first.
// Its algorithms are called by all threads of the group, with the same range; each ends when all of them have done their part, and
// what was written before is seen behind it. They take indices 0 to n - 1, of the type of n, and join in an order that follows from
// Size alone, so every way to run gives the same bits. On the host one thread is the whole group, and runs the same order.
template <int Size>
class thread_group {
public:
    thread_group() = default;
    thread_group(thread_group const&) = delete;  // take it by reference: its threads count what they do together
    thread_group& operator=(thread_group const&) = delete;

    // For code that deals elements itself: how many threads there are, and which of them this is. On the host one, number 0. What
    // depends on them may differ between ways to run.
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
    // Waits for all threads of the group, and sees what they have written.
    COGRAPH_HD void sync() const {
#ifdef __CUDA_ARCH__
        if constexpr (Size > core::lanes_of_warp)
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

    // op over f(k), for every thread: the identity where n is 0. Lane l of the group joins the terms of l, l + Size, and so on; then the
    // lanes join pairwise, the upper half of each warp to the lower one, then the warps.
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F, class Op, class T>
    COGRAPH_HD T transform_reduce(N n, F const& f, Op const& op, T identity) const {
#ifdef __CUDA_ARCH__
        T joined = identity;
        N k = static_cast<N>(rank());
#pragma unroll 1
        for (; k + 3 * Size < n; k += 4 * Size) {  // loads of four overlap
            const T first = f(k), second = f(static_cast<N>(k + Size)), third = f(static_cast<N>(k + 2 * Size)), fourth = f(static_cast<N>(k + 3 * Size));
            joined = op(op(op(op(joined, first), second), third), fourth);
        }
#pragma unroll 1
        for (; k < n; k += Size) joined = op(joined, static_cast<T>(f(k)));
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
    // The largest f(k), or the smallest, and the first k that has it; {T(), n} where n is 0.
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F>
    COGRAPH_HD auto max_element(N n, F const& f) const {
        return find_best(n, f, [](auto a, auto b) { return b < a; });
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F>
    COGRAPH_HD auto min_element(N n, F const& f) const {
        return find_best(n, f, [](auto a, auto b) { return a < b; });
    }

    // put(k, op over f(0) to f(k)) for each k, and to each thread the join of all. Every Size elements are scanned by lanes that look 1, 2,
    // 4, … below them in their warp, then by warps, and joined to what was before them.
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
    static constexpr int in_warp = Size < core::lanes_of_warp ? Size : core::lanes_of_warp;
    static constexpr int warps = Size / in_warp;
    mutable int half_ = 0;

    struct one_of_two : core::light_function {
        COGRAPH_HD constexpr bool operator()(bool a, bool b) const { return a || b; }
    };

    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F, class Before>
    COGRAPH_HD auto find_best(N n, F const& f, Before const& before) const {
        using T = std::remove_cvref_t<decltype(f(n))>;
        using result = found_element<T>;
        return transform_reduce(
            n, [&](N k) { return result{f(k), static_cast<index_t>(k)}; },
            [&](result a, result b) {
                if (a.index == static_cast<index_t>(n) || b.index == static_cast<index_t>(n)) return a.index == static_cast<index_t>(n) ? b : a;
                return before(b.value, a.value) || (b.index < a.index && !before(a.value, b.value)) ? b : a;
            },
            result{T(), static_cast<index_t>(n)});
    }

#ifdef __CUDACC__
    __device__ static unsigned lanes() {
        if constexpr (in_warp == core::lanes_of_warp)
            return ~0u;
        else
            return ((1u << in_warp) - 1) << (threadIdx.x % core::lanes_of_warp / in_warp * in_warp);
    }
    __device__ static int lane() { return static_cast<int>(threadIdx.x) % in_warp; }
    __device__ static int warp() { return static_cast<int>(threadIdx.x) % Size / in_warp; }
    template <class T>
    __device__ static T from_lane(T value, int lane) {
        return core::exchange_words(value, [&](unsigned word) { return __shfl_sync(lanes(), word, lane, in_warp); });
    }
    template <class T>
    __device__ static T from_above(T value, int offset) {
        return core::exchange_words(value, [&](unsigned word) { return __shfl_down_sync(lanes(), word, offset, in_warp); });
    }
    template <class T>
    __device__ static T from_below(T value, int offset) {
        return core::exchange_words(value, [&](unsigned word) { return __shfl_up_sync(lanes(), word, offset, in_warp); });
    }
    // What each warp gives, for every lane that stands for a warp.
    template <class T>
    __device__ T of_warp(T value, int giving_lane, T const& identity) const {
        T* const room = core::results_of_group_warps<T>() + half_ * core::lanes_of_warp + threadIdx.x / Size * warps;
        half_ = 1 - half_;
        if (lane() == giving_lane) room[warp()] = value;
        sync();
        return lane() < warps ? room[lane()] : identity;
    }
    template <class T, class Op>
    __device__ T join(T value, T const& identity, Op const& op) const {
#pragma unroll
        for (int offset = in_warp / 2; offset > 0; offset /= 2) value = op(value, from_above(value, offset));
        if constexpr (warps > 1) {
            value = of_warp(value, 0, identity);
#pragma unroll
            for (int offset = warps / 2; offset > 0; offset /= 2) value = op(value, from_above(value, offset));
        }
        return from_lane(value, 0);
    }
    // The join of this lane's value and those of the lanes below it, of so many lanes.
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

    COGRAPH_EXEC_CHECK_OFF
    template <bool Inclusive, class N, class F, class Op, class Put, class T>
    COGRAPH_HD T scan(N n, F const& f, Op const& op, Put const& put, T identity) const {
        T carry = identity;
#ifdef __CUDA_ARCH__
        for (N first = 0; first < n; first += Size) {
            const N k = static_cast<N>(first + rank());
            T value = scan_lanes(k < n ? static_cast<T>(f(k)) : identity, in_warp, op);
            T before = carry, all;
            if constexpr (warps > 1) {
                const T upto = scan_lanes(of_warp(value, in_warp - 1, identity), warps, op);
                const T below = from_lane(upto, warp() > 0 ? warp() - 1 : 0);
                if (warp() > 0) before = op(carry, below);
                all = from_lane(upto, warps - 1);
            } else {
                all = from_lane(value, in_warp - 1);
            }
            value = op(before, value);
            if constexpr (!Inclusive) {
                value = from_below(value, 1);
                if (lane() == 0) value = before;
            }
            if (k < n) put(k, value);
            carry = op(carry, all);
        }
        sync();
#else
        for (N first = 0; first < n; first = static_cast<N>(first + Size)) {
            core::lane_values<Size, T> values(identity);
            for (int lane = 0; lane < Size && first + lane < n; ++lane) values[lane] = f(static_cast<N>(first + lane));
            core::lane_values<warps, T> upto(identity);
            for (int warp = 0; warp < warps; ++warp) {
                core::scan_pairwise(values, warp * in_warp, in_warp, op);
                upto[warp] = values[warp * in_warp + in_warp - 1];
            }
            core::scan_pairwise(upto, 0, warps, op);
            for (int lane = 0; lane < Size && first + lane < n; ++lane) {
                const int warp = lane / in_warp;
                const T before = warp > 0 ? op(carry, upto[warp - 1]) : carry;
                const bool is_first = lane % in_warp == 0;
                put(static_cast<N>(first + lane), Inclusive ? op(before, values[lane]) : is_first ? before : op(before, values[lane - 1]));
            }
            carry = op(carry, upto[warps - 1]);
        }
#endif
        return carry;
    }
};

}  // namespace cograph
