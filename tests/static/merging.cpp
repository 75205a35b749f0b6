// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>
#include <cograph/plan/lowering/kernel_merging.hpp>

using namespace cograph;
using namespace cograph::core;

namespace merging_test {

inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct t : scalar<t, double> {} t;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;

struct doubles {
    COGRAPH_HD void operator()(index_t, double& element) const { element *= 2; }
};
struct twice {
    COGRAPH_HD void operator()(double& to) const { to *= 2; }
};
struct half {
    COGRAPH_HD void operator()(double from, double& to) const { to = from / 2; }
};
struct set_one {
    COGRAPH_HD void operator()(index_t, int& to) const { to = 1; }
};
struct first_is_small {
    COGRAPH_HD bool operator()(const double* all, int at) const { return all[at] < 9; }
};
#ifdef __CUDACC__
__global__
#endif
    void
    step(double*) {}
#ifdef __CUDACC__
__global__
#endif
    void
    count_up(int*) {}
constexpr auto grow = for_each(over(x), doubles{})(inout(x[each]));
constexpr auto next = assign(i, i + 1);

constexpr auto set = for_each(over(x), set_one{})(out(i));
constexpr auto opaque = kernel<step>(grid(1))(x);

// How many kernels of several nodes there are, and how many nodes the Nth of them has.
template <class E>
constexpr int merged(const E&) {
    return merged_of<typename E::self>::nodes.count;
}
template <class E>
constexpr int nodes_of(const E&, int n) {
    const auto& nodes = merged_of<typename E::self>::nodes;
    int count = 0;
    for (int r = nodes.heads[n]; r >= 0; r = nodes.next[r]) ++count;
    return count;
}
template <class E>
constexpr bool is_one_kernel(const E& e, int of_nodes) {
    return merged(e) == 1 && nodes_of(e, 0) == of_nodes;
}

// Nodes of one thread behind a reduction, and behind each other.
static_assert(is_one_kernel(seq(reduce(out(s), in(x)), assign(s, s * 2), assign(s, s + 1), grow), 3));
static_assert(is_one_kernel(seq(opaque, next, assign(s, s + i), grow), 2));
static_assert(merged(seq(grow, next)) == 0 && merged(seq(grow, reduce(out(s), in(x)), reduce(out(s), in(y)))) == 0);

// And conditions: before a loop, in it, before a branch.
static_assert(is_one_kernel(loop_while(i < 3, seq(opaque, next)), 2));
static_assert(is_one_kernel(loop_while(s < 100, seq(opaque, reduce(out(s), in(x)), assign(s, s * 2))), 3));
static_assert(is_one_kernel(seq(next, when(i < 3, opaque)), 2) && is_one_kernel(when(all(x == y), opaque), 2));
static_assert(merged(loop_while(max_abs(x) < 9, opaque)) == 2);

// The condition of a branch and of the loop around it; but no two of branches.
static_assert(is_one_kernel(repeat(3, seq(opaque, assign(s, s * 2), when(s > 4, opaque))), 3));
static_assert(merged(seq(when(i < 3, opaque), when(i > 4, grow))) == 0);
constexpr auto two_branches = repeat(3, seq(opaque, assign(s, s * 2), when(s > 4, opaque), when(s > 5, opaque)));
static_assert(merged(two_branches) == 2 && nodes_of(two_branches, 0) == 2 && nodes_of(two_branches, 1) == 2);

// A counter is free where what waits for it waits for the reduction too, or where nothing does.
static_assert(is_one_kernel(loop_while(i < 3 && s < 3, seq(opaque, reduce(out(s), in(x)), next)), 3));
static_assert(merged(seq(reduce(out(s), in(x)), next, when(i < 3, opaque))) == 1, "the counter and its condition");
static_assert(is_one_kernel(repeat(3, seq(opaque, next)), 2));

// Not behind nodes over elements or opaque ones, nor where what joins waits for more.
static_assert(merged(loop_while(i < 3, kernel<count_up>(grid(1))(i))) == 0 && merged(loop_while(i < 3, seq(opaque, set))) == 0);
static_assert(merged(when(all(x == y) || max_abs(x) < 9, opaque)) == 0, "waits for two passes");
constexpr auto reads_all = loop_while(predicate(first_is_small{})(in(x), in(i)), seq(next, opaque));
static_assert(merged(reads_all) == 0);

// A node of the user's may take long: it joins only what nothing else waits for.
constexpr auto doubled = single_task(twice{})(inout(s));
static_assert(is_one_kernel(seq(reduce(out(s), in(x)), doubled, fill(out(y), s)), 2));
static_assert(merged(seq(reduce(out(s), in(x)), fill(out(y), s), single_task(half{})(in(s), out(t)))) == 0, "fill would wait");
static_assert(is_one_kernel(seq(reduce(out(s), in(x)), fill(out(y), s), assign(t, s / 2)), 2));

// The condition behind a pass has a kernel of its own where the body would be one kernel, branches and loops in it aside.
static_assert(merged(repeat(3, when(s > 4, opaque))) == 0);
static_assert(is_one_kernel(repeat(3, seq(assign(i, 0), loop_while(i < 2, seq(opaque, opaque, set)))), 2));
static_assert(merged(repeat(3, doubled)) == 0 && is_one_kernel(repeat(3, seq(doubled, next)), 2));
static_assert(is_one_kernel(do_while(seq(reduce(out(s), in(x)), assign(s, s * 2)), s < 100), 2));

// A reduction of a loop that is too large to be persistent leads none, in loops inside of it neither.
constexpr auto with_sum = seq(grow, reduce(out(s), in(x)), assign(s, s * 2));
static_assert(is_one_kernel(loop_while(s < 100, with_sum), 2) && is_one_kernel(loop_while(s < 100, seq(opaque, with_sum)), 3));
static_assert(merged(loop_while(s < 100, repeat(3, with_sum))) == 1 && nodes_of(loop_while(s < 100, repeat(3, with_sum)), 0) == 2);

// With check_every, all passes of such nodes; as nodes, none; and no more than the limit.
static_assert(is_one_kernel(loop_while(i < 30, next, check_every<4>), 4));
static_assert(merged(as_nodes(loop_while(i < 30, next))) == 0);
static_assert(merged(loop_while(i < 30, next, check_every<24>)) == 2);

// Of all bytes of their parameters, too.
template <int Doubles>
struct table {
    double of[Doubles];
    COGRAPH_HD void operator()(double& to) const { to += of[0]; }
};
template <int Doubles>
constexpr auto looks_up = single_task(table<Doubles>{})(inout(s));
static_assert(is_one_kernel(seq(looks_up<255>, looks_up<255>), 2) && merged(seq(looks_up<255>, looks_up<256>)) == 0);
static_assert(merged(seq(looks_up<2500>, looks_up<2500>)) == 0 && is_one_kernel(seq(looks_up<2500>, doubled, next), 2));

// As a question about two nodes: of merged kernels, fused ones, and loops that are one kernel.
constexpr auto of_all_kinds = seq(opaque, next, assign(s, s + i), grow, copy(in(x), out(y)), repeat(3, seq(grow, next)), when(s > 4, opaque));
static_assert(share_kernel(of_all_kinds, at<1>, at<2>) && share_kernel(of_all_kinds, at<2>, at<1>) && !share_kernel(of_all_kinds, at<0>, at<1>) && !share_kernel(of_all_kinds, at<2>, at<3>));
static_assert(share_kernel(of_all_kinds, at<3>, at<4>) && !share_kernel(as_nodes(of_all_kinds), at<3>, at<4>));
static_assert(share_kernel(of_all_kinds, at<6>, at<7>) && share_kernel(of_all_kinds, at<5>, at<7>) && !share_kernel(of_all_kinds, at<3>, at<6>) && !share_kernel(as_nodes(of_all_kinds), at<5>, at<7>));
static_assert(!share_kernel(of_all_kinds, at<1>, at<1>) && !share_kernel(of_all_kinds, at<6>, at<6>) && !share_kernel(of_all_kinds, at<8>, at<9>));
static_assert(diagnose<decltype(share_kernel(of_all_kinds, at<1>, at<19>))> == selector_matches_nothing<at_t<19>, among_nodes<10>>{});
static_assert(diagnose<decltype(why_no_tiles(of_all_kinds, at<19>))> == selector_matches_nothing<at_t<19>, among_nodes<10>>{} &&
              diagnose<decltype(where_on_chip(of_all_kinds, at<19>, x))> == selector_matches_nothing<at_t<19>, among_nodes<10>>{});
static_assert(diagnose<decltype(is_persistent(of_all_kinds, at<0>, at<1>))> == arguments_are_not_those_of<core::loops_of_two_nodes, at_t<0>, at_t<1>>{});
static_assert(diagnose<decltype(share_kernel(of_all_kinds, calls<doubles>, at<1>))> == selector_matches_several<calls_t<doubles>, all_of_nodes<2>>{});

}  // namespace merging_test
