// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#include <cograph.cuh>
#else
#include <cograph.hpp>
#endif

#include <cmath>

// Code of docs/howto.md, docs/coming-from.md and docs/tutorial for both sides: recipes.cpp simulates it, guide.cu runs it on a GPU.
namespace recipes {

using namespace cograph;

// [recipe variables]
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct history : buffer<history, double> {} history;
inline constexpr struct norm : scalar<norm, double> {} norm;
inline constexpr struct steps : scalar<steps, int> {} steps;
inline constexpr struct limit : value<limit, double> {} limit;

struct halve {
    COGRAPH_HD void operator()(index_t, double& value) const { value /= 2; }
};
// [/recipe variables]

// [stop on NaN]
constexpr auto converge = seq(
    assign(steps, 0),
    do_while(seq(for_each(over(x), halve{})(inout(x[each])),
                 dot(out(norm), in(x), in(x)),  // NaN if an element is NaN
                 assign(steps, steps + 1)),
             norm > limit,                 // false for NaN: the loop ends
             at_most(1000)));
// [/stop on NaN]

// [history]
struct keep_entry {
    COGRAPH_HD void operator()(index_t i, double& entry, double value, int at) const {
        if (i == at) entry = value;
    }
};
constexpr auto with_history = seq(
    assign(steps, 0),
    do_while(seq(for_each(over(x), halve{})(inout(x[each])),
                 dot(out(norm), in(x), in(x)),
                 for_each(over(history), keep_entry{})(inout(history[each]), in(norm), in(steps)),
                 assign(steps, steps + 1)),
             norm > limit && steps < extent(history)));
static_assert(is_persistent(with_history, at<1>));  // a loop over elements, so the loop stays one kernel
// [/history]

// [host stops]
struct flag_of_host {
    const volatile int* at;  // in memory of cudaMallocHost, which the GPU reads, too
};
inline constexpr struct flag : view<flag, flag_of_host> {} flag;
inline constexpr struct stopped : scalar<stopped, int> {} stopped;

#ifdef __CUDACC__
__global__ void read_flag(flag_of_host from, int* to) { *to = *from.at; }
#else
void read_flag(flag_of_host, int*);  // only named
#endif
inline void read_flag_on_host(flag_of_host from, int* to) { *to = *from.at; }

constexpr auto until_told = seq(
    assign(steps, 0),
    do_while(seq(for_each(over(x), halve{})(inout(x[each])),
                 kernel<read_flag, read_flag_on_host>(grid(1).block(1))(in(flag), out(stopped)),
                 assign(steps, steps + 1)),
             stopped == 0 && steps < 100000));
// [/host stops]

// [as a kernel]
#ifdef __CUDACC__
__global__ void mean_of_neighbours(const double* from, double* to, index_t n) {
    const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    to[i] = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
}
#else
void mean_of_neighbours(const double*, double*, index_t);  // only named
#endif
constexpr auto of_a_kernel = repeat(100, seq(kernel<mean_of_neighbours>(over(x))(in(x), out(y), extent(x)), swap(x, y)));
static_assert(why_not_persistent(of_a_kernel, at<0>) == lowering_status::opaque_node);
// [/as a kernel]

// [as an element function]
struct mean_around {  // the kernel's body for element i: no index to compute, no thread beyond the end
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
    }
};
constexpr auto of_elements = repeat(100, seq(for_each(over(x), mean_around{})(in(x), out(y[each]), extent(x)), swap(x, y)));
static_assert(is_persistent(of_elements, at<0>));  // a hundred iterations are one kernel
// [/as an element function]

// [many sizes]
inline constexpr struct parts : value<parts, int> {} parts;
constexpr auto in_parts = repeat(parts, for_each(over(x), halve{})(inout(x[each])));
// [/many sizes]

}  // namespace recipes

// Code of docs/boxes.md.
namespace jacobi_in_boxes {

using namespace cograph;

// [box variables]
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct steps : scalar<steps, int> {} steps;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;
inline constexpr struct limit : value<limit, double> {} limit;
inline constexpr struct most : value<most, int> {} most;
// [/box variables]

// [box nodes]
struct relax {  // writes to, returns the change
    COGRAPH_HD double operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const {
        to = *around;  // an edge stays as it is
        if (around.inside(-1, 0) && around.inside(1, 0) && around.inside(0, -1) && around.inside(0, 1))
            to = (around.at(-1, 0) + around.at(1, 0) + around.at(0, -1) + around.at(0, 1)) / 4;
        return *around < to ? to - *around : *around - to;
    }
};
// [/box nodes]

// [box loop]
constexpr auto box_of_all = over(rows, columns);
constexpr auto smooth = seq(
    assign(steps, 0),
    do_while(seq(transform_reduce(box_of_all, relax{}, maximum_or_nan{})(out(change), in(x[near<1, 1>]), out(y[each])),
                 copy(in(y), out(x)),
                 assign(steps, steps + 1)),
             change > limit && steps < most));  // false for NaN: the loop ends
// [/box loop]

// [box on chip]
static_assert(why_no_tiles(smooth, calls<relax>) == tile_status::tiles);
static_assert(where_on_chip(smooth, calls<relax>, x) == on_chip::shared_memory);
static_assert(where_on_chip(smooth, calls<relax>, y) == on_chip::registers);
// [/box on chip]

struct mean_of_four {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const { relax{}(0, 0, around, to); }
};
struct difference {
    COGRAPH_HD double operator()(index_t, index_t, double a, double b) const { return a < b ? b - a : a - b; }
};
struct squared_change {
    COGRAPH_HD double operator()(index_t, index_t, double a, double b) const { return (a - b) * (a - b); }
};
// [box in patches]
constexpr auto large_box = over(rows, columns).in_patches();
constexpr auto smooth_large = do_while(seq(for_each(large_box, mean_of_four{})(in(x[near<1, 1>]), out(y[each])),
                                           transform_reduce(large_box, squared_change{}, plus{})(out(change), in(x[each]), in(y[each])),
                                           copy(in(y), out(x))),
                                       change > limit);
// [/box in patches]
// [by turns]
constexpr auto there = for_each(box_of_all, mean_of_four{})(in(x[near<1, 1>]), out(y[each]));
constexpr auto back = for_each(box_of_all, mean_of_four{})(in(y[near<1, 1>]), out(x[each]));
constexpr auto change_of_last = transform_reduce(box_of_all, difference{}, maximum{})(out(change), in(x[each]), in(y[each]));
constexpr auto by_turns = repeat(most, seq(there, back));
constexpr auto with_a_copy = repeat(most, seq(there, copy(in(y), out(x))));
constexpr auto until_settled = loop_while(change > limit, seq(there, back, change_of_last), check_every<4>);
// [/by turns]
static_assert(is_persistent(by_turns, at<0>) && is_persistent(with_a_copy, at<0>) && is_persistent(until_settled, at<0>));

// [torus]
struct mean_on_torus {
    COGRAPH_HD void operator()(index_t row, index_t column, const double* from, double& to, index_t of_rows, index_t of_columns) const {
        const index_t above = (row > 0 ? row : of_rows) - 1, below = row + 1 < of_rows ? row + 1 : 0;
        const index_t left = (column > 0 ? column : of_columns) - 1, right = column + 1 < of_columns ? column + 1 : 0;
        to = (from[above * of_columns + column] + from[below * of_columns + column] + from[row * of_columns + left] + from[row * of_columns + right]) / 4;
    }
};
constexpr auto around_and_around = repeat(most, seq(for_each(box_of_all, mean_on_torus{})(in(x), out(y[each]), rows, columns), swap(x, y)));
static_assert(is_persistent(around_and_around, at<0>));
// [/torus]

}  // namespace jacobi_in_boxes

// The first step of the tutorial: a loop in plain C++, and the same as an expression.
namespace tutorial {

using namespace cograph;

// [serial]
inline int smooth_serially(double* rod, double* next, int n, double limit, int most) {
    int sweeps = 0;
    double change = 0;
    do {
        change = 0;
        for (int i = 0; i < n; ++i) {
            next[i] = i == 0 || i == n - 1 ? rod[i] : (rod[i - 1] + rod[i + 1]) / 2;
            const double moved = next[i] < rod[i] ? rod[i] - next[i] : next[i] - rod[i];
            if (moved > change || std::isnan(moved)) change = moved;
        }
        for (int i = 0; i < n; ++i) rod[i] = next[i];
        ++sweeps;
    } while (change > limit && sweeps < most);
    return sweeps;
}
// [/serial]

// [variables]
inline constexpr struct rod : buffer<rod, double> {} rod;             // double* rod, with its length
inline constexpr struct next : temp<next, double, struct rod> {} next;  // scratch memory as long as rod
inline constexpr struct change : scalar<change, double> {} change;    // a number that the GPU computes
inline constexpr struct sweeps : scalar<sweeps, int> {} sweeps;
inline constexpr struct limit : value<limit, double> {} limit;        // numbers that the host gives
inline constexpr struct most : value<most, int> {} most;
// [/variables]

// [sweep]
struct relax {  // the body of the first inner loop: writes to, returns the change
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
        return to < from[i] ? from[i] - to : to - from[i];
    }
};
constexpr auto sweep = seq(
    transform_reduce(over(rod), relax{}, maximum_or_nan{})(out(change), in(rod), out(next[each]), extent(rod)),
    copy(in(next), out(rod)),
    assign(sweeps, sweeps + 1));
// [/sweep]

// [loop]
constexpr auto smooth = seq(assign(sweeps, 0), label("smooth", do_while(sweep, change > limit && sweeps < most)));

static_assert(is_mutated(smooth, rod) && !is_input(smooth, sweeps));
static_assert(is_persistent(smooth, "smooth"));
// [/loop]

// [two sweeps]
template <class From, class To>
constexpr auto from_to(From from, To to) {
    return seq(transform_reduce(over(from), relax{}, maximum_or_nan{})(out(change), in(from), out(to[each]), extent(from)),
               assign(sweeps, sweeps + 1));
}
constexpr auto without_copy = seq(
    assign(sweeps, 0),
    do_while(seq(from_to(rod, next), from_to(next, rod)), change > limit && sweeps < most));
// [/two sweeps]

}  // namespace tutorial
