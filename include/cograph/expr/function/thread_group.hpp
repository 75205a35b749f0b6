// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/found_element.hpp>
#include <cograph/expr/function/group_scan.hpp>
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

// What the threads of a group keep of Count elements: each those that an algorithm over all of them gives it.
template <int Size, int Count, class T>
struct collected {
#ifdef __CUDA_ARCH__
    T of[(Count + Size - 1) / Size];
#else
    T of[Count];
#endif
    COGRAPH_EXEC_CHECK_OFF
    template <class F>
    COGRAPH_HD void fill([[maybe_unused]] int rank, F const& f) {
#ifdef __CUDA_ARCH__
#pragma unroll
        for (int own = 0; own < (Count + Size - 1) / Size; ++own)
            if (rank + own * Size < Count) of[own] = f(rank + own * Size);
#else
        for (int k = 0; k < Count; ++k) of[k] = f(k);
#endif
    }
    COGRAPH_HD T const& operator()(int k) const {
#ifdef __CUDA_ARCH__
        return of[k / Size];
#else
        return of[k];
#endif
    }
};

}  // namespace cograph::core

namespace cograph {

// The threads that work on one element together: the first argument of the function object of
// for_each(over(x).group<Size>(), f). All threads of the group call its algorithms with the same range. Each call
// ends when all of them have done their part, and earlier writes are visible after it. Algorithms take indices 0 to n
// - 1, of the type of n, and combine in an order that follows from Size alone, so every way to run gives the same
// bits. On the host one thread is the whole group, and keeps the same order.
template <int Size>
class thread_group : public core::scanning_group<Size> {
public:
    thread_group() = default;
    thread_group(thread_group const&) = delete;  // take it by reference: its threads count their common calls
    thread_group& operator=(thread_group const&) = delete;

    using core::group_threads<Size>::rank, core::group_threads<Size>::size, core::group_threads<Size>::sync;

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

    // f(k) for k from 0 to Count - 1, kept by the threads in whose order algorithms take these k: a function of k.
    template <int Count, class F>
    COGRAPH_HD auto collect(F const& f) const {
        core::collected<Size, Count, std::remove_cvref_t<decltype(f(0))>> all;
        all.fill(rank(), f);
        return all;
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
        return this->join(joined, identity, op);
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
        return this->template scan<true>(n, f, op, put, identity);
    }
    template <class N, class F, class Op, class Put>
    COGRAPH_HD auto inclusive_scan(N n, F const& f, Op const& op, Put const& put) const {
        return this->template scan<true>(n, f, op, put, core::own_identity<std::remove_cvref_t<decltype(f(n))>, Op>());
    }
    // The same of f(0) to f(k - 1).
    COGRAPH_EXEC_CHECK_OFF
    template <class N, class F, class Op, class Put, class T>
    COGRAPH_HD T exclusive_scan(N n, F const& f, Op const& op, Put const& put, T identity) const {
        return this->template scan<false>(n, f, op, put, identity);
    }
    template <class N, class F, class Op, class Put>
    COGRAPH_HD auto exclusive_scan(N n, F const& f, Op const& op, Put const& put) const {
        return this->template scan<false>(n, f, op, put, core::own_identity<std::remove_cvref_t<decltype(f(n))>, Op>());
    }

private:
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
#endif
};

}  // namespace cograph
