// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph.hpp>

#include <type_traits>

using namespace cograph;
using namespace cograph::core;

namespace query_test {

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct z : buffer<z, float> {} z;
inline constexpr struct s : scalar<s, float> {} s;
inline constexpr struct tol : value<tol, float> {} tol;
inline constexpr struct t : temp<t, float, struct x> {} t;

TEST_KERNEL void prepare(const float*, float*);
TEST_KERNEL void improve(const float*, float*);
TEST_KERNEL void unused(float*);

struct add {
    COGRAPH_HD void operator()(index_t i, const float* from, float* to) const { to[i] += from[i]; }
};
struct scale {
    float by;
    COGRAPH_HD void operator()(index_t i, float* to) const { to[i] *= by; }
};

constexpr auto solve =
    seq(kernel<prepare>(over(x))(in(x), out(t)), reduce(out(s), in(t)),
        loop_while(s > tol,
                   seq(kernel<improve>(over(x))(in(t), inout(y)), for_each(over(x), add{})(in(y), inout(t)),
                       when(s < 1, for_each(over(y), scale{0.5f})(inout(y))), reduce(out(s), in(t)))),
        for_each(over(z), scale{2})(inout(z)));

static_assert(node_count(solve) == 2 + 2 + (2 + 3 + 1 + 1) + 1);
static_assert(region_count(solve) == 3 && nesting_depth(solve) == 2);
static_assert(graph_depth(solve) == 4 && graph_width(solve) == 2 && graph_width(solve, 2) == 1);
static_assert(edge_count(solve) == 3 + 6 + 0);

// Which variables, all of those asked for.
static_assert(reads(solve, x) && reads(solve, x, y, z, t, s, tol));
static_assert(writes(solve, y, z, s, t) && !writes(solve, x) && !writes(solve, y, x));
static_assert(is_input(solve, x) && is_input(solve, y) && is_input(solve, tol) && !is_input(solve, s) &&
              !is_input(solve, t));
static_assert(is_output(solve, y) && is_output(solve, s) && !is_output(solve, t) && !is_output(solve, x));
static_assert(is_mutated(solve, y) && is_mutated(solve, z) && !is_mutated(solve, s));

// Nodes by position, by kernel, and by function object; loops and branches count, groups do not.
static_assert(has_edge(solve, at<0>, at<1>) && has_edge(solve, kernel<prepare>, at<1>));
static_assert(has_edge(solve, kernel<improve>, calls<add>) && !has_edge(solve, calls<add>, kernel<improve>));
static_assert(has_edge(solve, at<3>, at<4>), "the loop is node 2, its body begins with node 3");
static_assert(ordered(solve, at<0>, at<2>) && ordered(solve, kernel<prepare>, at<2>) &&
              !ordered(solve, at<2>, kernel<prepare>));
static_assert(ordered(solve, kernel<improve>, at<5>) && !ordered(solve, at<2>, at<8>));
static_assert(!ordered(solve, at<0>, at<0>) && !ordered(solve, kernel<prepare>, kernel<improve>),
              "order is asked within one region");

// What a selector finds.
using solve_type = std::remove_const_t<decltype(solve)>;
template <class S>
constexpr int row_of(S) {
    return select<solve_type, S>().node;
}
template <class S>
constexpr int count_of(S) {
    return select<solve_type, S>().count;
}
static_assert(row_of(at<0>) == row_of(kernel<prepare>) && row_of(at<3>) == row_of(kernel<improve>) &&
              row_of(at<4>) == row_of(calls<add>));
static_assert(count_of(at<0>) == 1 && count_of(kernel<improve>) == 1 && count_of(calls<add>) == 1);
static_assert(count_of(kernel<unused>) == 0 && count_of(at<99>) == 0 && count_of(calls<scale>) == 2);

// Levels of each region.
constexpr auto flat = seq(fill(out(x), 1), fill(out(y), 2), fill(out(z), 3),
                          kernel<prepare>(over(x))(in(x), inout(y)), reduce(out(s), in(y)));
static_assert(graph_width(flat) == 3 && graph_depth(flat) == 3 && edge_count(flat) == 3 && nesting_depth(flat) == 0);
static_assert(graph_width(seq()) == 0 && graph_depth(seq()) == 0 && nesting_depth(seq()) == 0);

}  // namespace query_test
