// SPDX-License-Identifier: Apache-2.0
#pragma once

// [headers]
#ifdef __CUDACC__
#include <cograph.cuh>
#include <cub/device/device_select.cuh>
#else
#include <cograph.hpp>
using cudaStream_t = struct CUstream_st*;  // for calls that are captured
#endif
// [/headers]

#include <limits>
#include <utility>

// Code of docs/howto.md, docs/ordering.md, docs/reductions.md and docs/libraries.md for both sides, between marks that docs/quote.py knows: guide.cpp simulates it, guide.cu
// runs it on a GPU.
namespace idioms {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : temp<z, double, struct x> {} z;
inline constexpr struct counts : buffer<counts, int> {} counts;
inline constexpr struct flags : temp<flags, char, struct x> {} flags;
inline constexpr struct norm : scalar<norm, double> {} norm;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct steps : scalar<steps, int> {} steps;
inline constexpr struct state : scalar<state, int> {} state;
inline constexpr struct limit : value<limit, double> {} limit;
inline constexpr struct most : value<most, int> {} most;

// [one node]
struct square {
    COGRAPH_HD double operator()(index_t, double value) const { return value * value; }
};
struct mean_of_neighbours {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
    }
};
struct count_in_bins {  // many elements may belong to one bin
    COGRAPH_HD void operator()(index_t, double value, int* bins) const {
        int* const bin = bins + static_cast<int>(value);
#ifdef __CUDA_ARCH__
        atomicAdd(bin, 1);
#else
        ++*bin;
#endif
    }
};

constexpr auto without_races = seq(
    transform_reduce(over(x), square{}, plus{})(out(norm), in(x[each])),      // a sum: no `+=` in for_each
    for_each(over(x), mean_of_neighbours{})(in(x), out(y[each]), extent(x)),  // neighbours: from one buffer into another
    fill(out(counts), 0),
    for_each(over(x), count_in_bins{})(in(x[each]), inout(counts)));          // one target for many: atomic operations
// [/one node]

// [nan]
constexpr auto largest = reduce(out(norm), in(x), maximum_or_nan{});  // NaN if an element is NaN
// [/nan]

// [in any order]
struct either_bit {
    static constexpr bool in_any_order = true;  // a result has the same bits in any order of its terms
    COGRAPH_HD int operator()(int a, int b) const { return a | b; }
};
constexpr auto bits_of_all = reduce(out(state), in(counts), either_bit{}, 0);
// [/in any order]

// [swap]
struct smooth_out {  // gives how much changed
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
        return to < from[i] ? from[i] - to : to - from[i];
    }
};

template <class From, class To>
constexpr auto step(From from, To to) {
    return seq(transform_reduce(over(x), smooth_out{}, maximum_or_nan{})(out(change), in(from), out(to[each]), extent(x)),
               assign(steps, steps + 1));
}
constexpr auto more = change > limit && steps < most;  // false for NaN: the loop ends
constexpr auto smoothed = seq(assign(steps, 0),
                              do_while(seq(step(x, z), when(more, step(z, x), otherwise(copy(in(z), out(x))))), more));
static_assert(is_persistent(smoothed, at<1>));
// [/swap]

// [colours]
template <int Colour>
struct relax_colour {  // elements of one colour read only those of the others
    COGRAPH_HD void operator()(index_t i, const double* all, double& value, index_t n) const {
        if (i % 3 == Colour && i > 0 && i < n - 1) value = (all[i - 1] + all[i + 1]) / 2;
    }
};
template <int... Colour>
constexpr auto one_after_another(std::integer_sequence<int, Colour...>) {
    return seq(for_each(over(x), relax_colour<Colour>{})(in(x), inout(x[each]), extent(x))...);
}
constexpr auto relaxed = one_after_another(std::make_integer_sequence<int, 3>{});
static_assert(node_count(relaxed) == 3 && has_edge(relaxed, calls<relax_colour<1>>, calls<relax_colour<2>>));
// [/colours]

// [no break]
struct halve {
    COGRAPH_HD void operator()(index_t, double& value) const { value /= 2; }
};
constexpr int running = 0, done = 1;

constexpr auto halved = seq(
    assign(state, running), assign(steps, 0),
    loop_while(state == running,
               seq(dot(out(norm), in(x), in(x)),
                   when(norm <= limit, assign(state, done), otherwise(   // the iteration ends here
                       seq(for_each(over(x), halve{})(inout(x[each])), assign(steps, steps + 1))))),
               at_most(most)));
// [/no break]

// [select]
struct select_flagged {
#ifdef __CUDACC__
    template <class... A>
    cudaError_t operator()(A... a) const { return cub::DeviceSelect::Flagged(a...); }
#else
    template <class... A>
    int operator()(A...) const;  // only named: simulate calls the other
#endif
};
struct select_flagged_on_host {
    void operator()(const double* from, const char* flag, double* to, int* count, index_t n) const {
        *count = 0;
        for (index_t i = 0; i < n; ++i)
            if (flag[i]) to[(*count)++] = from[i];
    }
};
// [/select]

struct is_large {
    COGRAPH_HD void operator()(index_t, double value, char& flag, double bound) const { flag = value > bound; }
};
constexpr auto selected = seq(
    for_each(over(x), is_large{})(in(x[each]), out(flags[each]), limit),
    cub_call(select_flagged{}, select_flagged_on_host{})(in(x), in(flags), out(y), out(steps), extent(x)));

}  // namespace idioms
