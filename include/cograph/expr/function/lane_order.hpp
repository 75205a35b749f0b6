// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <cstring>
#include <new>

namespace cograph::core {

// One thread in place of many: runs the work of the lanes of a tile or of a group of threads in their order, so that
// results are bitwise those of a GPU. Lanes of a warp are combined pairwise, the upper half with the lower one; then
// the warps' results are.
constexpr int warp_lanes = 32;

#ifdef __CUDACC__
// A warp's shuffle for any trivially copyable type, by 32-bit words.
template <class T, class Shuffle>
__device__ T shuffle_words(T value, Shuffle shuffle) {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned bits[words] = {};
    memcpy(bits, &value, sizeof(T));
    for (unsigned& word : bits) word = shuffle(word);
    memcpy(&value, bits, sizeof(T));
    return value;
}
#endif

// A value for each lane. A value need not have a default constructor: each is made of another one.
template <int Lanes, class T>
struct lane_values {
    static_assert(__is_trivially_copyable(T), "lanes exchange values by their bytes");
    union {
        T lane[Lanes];
    };
    COGRAPH_HD explicit lane_values(T const& all) {
        for (T& one : lane) ::new (static_cast<void*>(&one)) T(all);
    }
    COGRAPH_HD T& operator[](int number) { return lane[number]; }
};

COGRAPH_EXEC_CHECK_OFF
template <class Values, class Op>
COGRAPH_HD void join_pairwise(Values& values, int first, int count, Op const& op) {
    for (int offset = count / 2; offset > 0; offset /= 2)
        for (int i = first; i < first + offset; ++i) values[i] = op(values[i], values[i + offset]);
}

// Joins the i-th term to a sum. A term with a function `add` does so itself: a product must meet the sum at once, because the compiler makes one instruction of both,
// which rounds once, in every way to run or in none.
COGRAPH_EXEC_CHECK_OFF
template <class T, class Op, class Term, class I>
COGRAPH_HD void add_term(T& sum, Op const& op, Term const& term, I i) {
    if constexpr (requires { term.add(sum, op, i); })
        term.add(sum, op, i);
    else
        sum = op(sum, static_cast<T>(term(i)));
}

// Lane l combines the terms of first + l and, in order, of every further stride below n; then the lanes are combined.
COGRAPH_EXEC_CHECK_OFF
template <int Lanes, class N, class T, class Op, class Term>
COGRAPH_HD T join_in_lane_order(N first, N n, N stride, T const& identity, Op const& op, Term const& term) {
    constexpr int of_warp = Lanes < warp_lanes ? Lanes : warp_lanes;
    lane_values<Lanes, T> lanes(identity);
    for (int lane = 0; lane < Lanes; ++lane)
        for (N i = static_cast<N>(first + lane); i < n; i += stride) add_term(lanes[lane], op, term, i);
    for (int warp = 0; warp < Lanes; warp += of_warp) join_pairwise(lanes, warp, of_warp, op);
    for (int warp = 1; warp < Lanes / of_warp; ++warp) lanes[warp] = lanes[warp * of_warp];
    join_pairwise(lanes, 0, Lanes / of_warp, op);
    return lanes[0];
}

// A warp of which eight lanes at most have a term, in calls, not in an array, which a GPU would not keep in registers. `two` is what two lanes
// without a term give.
constexpr int few_lanes = 8;
COGRAPH_EXEC_CHECK_OFF
template <bool IsNeutral, int Apart = 1, class T, class Op>
COGRAPH_HD T join_few_lanes(const T* terms, int count, T const& identity, T const& two, Op const& op, int lane = 0) {
    if constexpr (Apart < few_lanes) {
        return op(join_few_lanes<IsNeutral, 2 * Apart>(terms, count, identity, two, op, lane), join_few_lanes<IsNeutral, 2 * Apart>(terms, count, identity, two, op, lane + Apart));
    } else if constexpr (IsNeutral) {
        return lane < count ? terms[lane] : identity;
    } else {
        T value = identity;
        if (lane < count) value = op(value, terms[lane]);
        value = op(value, identity);  // with the lane 16 above
        return op(value, two);
    }
}
// What join_in_lane_order<Lanes> gives for so few terms. Each lane without a term has the identity, unless it is neutral, as the zero of a sum.
COGRAPH_EXEC_CHECK_OFF
template <int Lanes, bool IsNeutral, class T, class Op>
COGRAPH_HD T join_few_in_lane_order(const T* terms, int count, T const& identity, Op const& op) {
    if constexpr (IsNeutral) return op(join_few_lanes<true>(terms, count, identity, identity, op), identity);  // negative zeros and a zero give a zero
    T other = op(identity, identity);
    T value = join_few_lanes<false>(terms, count, identity, other, op);
    for (int lanes = 2; lanes < warp_lanes; lanes *= 2) other = op(other, other);
    for (int warps = Lanes / warp_lanes; warps > 1; warps /= 2) {
        value = op(value, other);
        other = op(other, other);
    }
    return value;
}

// Each of the first `count` values becomes the join of those up to it, as lanes do that look 1, 2, 4, … below them.
COGRAPH_EXEC_CHECK_OFF
template <class Values, class Op>
COGRAPH_HD void scan_pairwise(Values& values, int first, int count, Op const& op) {
    for (int offset = 1; offset < count; offset *= 2)
        for (int i = first + count - 1; i >= first + offset; --i) values[i] = op(values[i - offset], values[i]);
}

}  // namespace cograph::core
