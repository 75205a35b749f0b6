// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph.hpp>

#include <utility>

using namespace cograph;

namespace hazard_test {

inline constexpr struct a : buffer<a, float> {} a;
inline constexpr struct b : buffer<b, float> {} b;
inline constexpr struct c : buffer<c, float> {} c;
inline constexpr struct d : buffer<d, float> {} d;
inline constexpr struct s : scalar<s, int> {} s;
inline constexpr struct t : scalar<t, int> {} t;
inline constexpr struct n : value<n, int> {} n;

TEST_KERNEL void map(const float*, float*);
TEST_KERNEL void join(const float*, const float*, float*);
TEST_KERNEL void change(float*);
TEST_KERNEL void look(const float*);
TEST_KERNEL void touches_nothing();
TEST_KERNEL void takes_a_number(int);

template <class From, class To>
constexpr auto make(From from, To to) {
    return kernel<map>(over(from))(in(from), out(to));
}
template <class V>
constexpr auto write(V v) {
    return fill(out(v), 0);
}
template <class V>
constexpr auto read(V v) {
    return kernel<look>(over(v))(in(v));
}

// Read after write, write after read, write after write; two reads need no order.
static_assert(edge_count(seq(write(a), read(a))) == 1 && has_edge(seq(write(a), read(a)), at<0>, at<1>));
static_assert(edge_count(seq(read(a), write(a))) == 1 && has_edge(seq(read(a), write(a)), at<0>, at<1>));
static_assert(edge_count(seq(write(a), write(a))) == 1 && has_edge(seq(write(a), write(a)), at<0>, at<1>));
static_assert(edge_count(seq(read(a), read(a))) == 0 && !has_edge(seq(read(a), read(a)), at<0>, at<1>));
static_assert(edge_count(seq(write(a), write(b), read(c))) == 0 &&
              graph_width(seq(write(a), write(b), read(c))) == 3);
static_assert(!has_edge(seq(write(a), read(a)), at<1>, at<0>));

// Write after read holds against every reader, not only the last.
constexpr auto two_readers = seq(make(a, b), make(a, c), write(a));
static_assert(edge_count(two_readers) == 2 && has_edge(two_readers, at<0>, at<2>) &&
              has_edge(two_readers, at<1>, at<2>));
template <int... I>
constexpr auto readers_then_writer(std::integer_sequence<int, I...>) {
    return seq((static_cast<void>(I), read(a))..., write(a));
}
constexpr auto many_readers = readers_then_writer(std::make_integer_sequence<int, 100>{});
static_assert(edge_count(many_readers) == 100 && graph_width(many_readers) == 100 && graph_depth(many_readers) == 2);
static_assert(has_edge(many_readers, at<0>, at<100>) && has_edge(many_readers, at<63>, at<100>) &&
              has_edge(many_readers, at<99>, at<100>));

// A writer ends the list of readers: what comes later waits for it alone.
constexpr auto again = seq(read(a), read(a), write(a), write(a), read(a));
static_assert(edge_count(again) == 4 && !has_edge(again, at<0>, at<3>) && has_edge(again, at<3>, at<4>));

// The reduction drops edges that follow from others.
constexpr auto chain = seq(write(a), make(a, b), kernel<join>(over(a))(in(a), in(b), out(c)));
static_assert(edge_count(chain) == 2 && !has_edge(chain, at<0>, at<2>) && ordered(chain, at<0>, at<2>));
constexpr auto diamond = seq(write(a), make(a, b), make(a, c), kernel<join>(over(a))(in(b), in(c), inout(a)));
static_assert(edge_count(diamond) == 4 && !has_edge(diamond, at<0>, at<3>) && ordered(diamond, at<0>, at<3>));
static_assert(!ordered(diamond, at<1>, at<2>) && graph_width(diamond) == 2 && graph_depth(diamond) == 3);
constexpr auto long_way =
    seq(write(a), make(a, b), make(b, c), make(c, d), kernel<join>(over(a))(in(a), in(d), out(b)));
static_assert(edge_count(long_way) == 4 && graph_depth(long_way) == 5);

// A node that uses a variable several times waits once.
static_assert(edge_count(seq(write(a), kernel<join>(over(a))(in(a), in(a), out(b)))) == 1);
static_assert(edge_count(seq(write(a), kernel<join>(over(a))(in(a), in(a), inout(a)), read(a))) == 2);
static_assert(edge_count(seq(kernel<join>(over(a))(in(a), in(a), out(b)), kernel<change>(over(a))(a))) == 1);

// Values never change, so they order nothing.
static_assert(edge_count(seq(assign(s, n), assign(t, n))) == 0);

// A node that says nothing of what it touches keeps its place among all of its region.
constexpr auto barrier = seq(write(a), write(b), kernel<touches_nothing>(grid(1))(), read(b), write(c));
static_assert(edge_count(barrier) == 4 && graph_depth(barrier) == 3 && graph_width(barrier) == 2);
static_assert(has_edge(barrier, at<0>, at<2>) && has_edge(barrier, at<1>, at<2>) &&
              has_edge(barrier, at<2>, at<3>));
static_assert(has_edge(barrier, at<2>, at<4>) && !has_edge(barrier, at<1>, at<3>));
static_assert(edge_count(seq(kernel<touches_nothing>(grid(1))(), kernel<takes_a_number>(grid(1))(7))) == 1);
static_assert(edge_count(seq(write(a), kernel<takes_a_number>(grid(1))(extent(b)))) == 1,
              "an extent is no access");
constexpr auto two_barriers = seq(read(a), read(a), kernel<touches_nothing>(grid(1))(), read(a),
                                  kernel<touches_nothing>(grid(1))(), write(a));
static_assert(edge_count(two_barriers) == 5 && graph_depth(two_barriers) == 5);
constexpr auto barrier_inside = seq(write(a), when(s > 0, kernel<touches_nothing>(grid(1))()), write(b));
static_assert(ordered(barrier_inside, at<0>, at<1>) && ordered(barrier_inside, at<1>, at<3>),
              "a body that may touch all makes its branch wait");

// Loops and branches stand for all that they touch.
constexpr auto loop =
    seq(write(a), write(b), loop_while(s < 3, seq(make(a, c), assign(s, s + 1))), read(c), write(d));
static_assert(has_edge(loop, at<0>, at<2>) && !ordered(loop, at<1>, at<2>) && has_edge(loop, at<2>, at<5>) &&
              !ordered(loop, at<2>, at<6>));
static_assert(ordered(seq(when(s > 0, read(a)), write(a)), at<0>, at<2>) &&
              ordered(seq(when(s > 0, read(a), otherwise(write(b))), read(b)), at<0>, at<3>));
static_assert(!ordered(seq(when(s > 0, read(a)), when(t > 0, read(a))), at<0>, at<2>));
static_assert(ordered(seq(loop_while(s < 3, loop_while(t < 3, seq(assign(t, t + 1), assign(s, s + 1)))),
                          read(a), assign(t, 0)),
                      at<0>, at<5>));

// A test waits only for what it reads, so it can run long before its branch.
constexpr auto early = seq(assign(s, 1), write(a), make(a, b), when(s > 0, write(b)));
static_assert(graph_depth(early) == 3 && edge_count(early) == 4);

// A body's own edges are like those of the whole, and bodies do not mix.
constexpr auto bodies =
    when(s > 0, seq(write(a), make(a, b), make(a, c)), otherwise(seq(write(a), write(b))));
static_assert(edge_count(bodies) == 1 + 2 && graph_width(bodies, 1) == 2 && graph_depth(bodies, 2) == 1);

// The test behind a pass waits for what it reads, and the next pass for the test.
constexpr auto pass = loop_while(s < 3, seq(assign(s, s + 1), write(a)));
static_assert(edge_count(pass) == 2 && graph_width(pass, 1) == 2);

}  // namespace hazard_test
