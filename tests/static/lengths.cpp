// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

// Nodes over the first elements, in plans.

// Not in an unnamed namespace, where nvcc warns of a function that nothing calls.
namespace lengths {

struct by_group {
    template <class Group>
    COGRAPH_HD void operator()(Group const&, cograph::index_t, float& to) const {
        to = 2;
    }
};

}  // namespace lengths

namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct list : temp<list, int, struct x> {} list;
inline constexpr struct found : scalar<found, int> {} found;
inline constexpr struct other : scalar<other, index_t> {} other;
inline constexpr struct sum : scalar<sum, float> {} sum;
using lengths::by_group;
inline constexpr struct i : scalar<i, int> {} i;

struct set {
    COGRAPH_HD void operator()(index_t, float& to) const { to = 1; }
};
struct add {
    COGRAPH_HD void operator()(index_t, const float& from, float& to) const { to += from; }
};
struct value_of {
    COGRAPH_HD float operator()(index_t, const float& of) const { return of; }
};

// [halved]
struct fewer {
    COGRAPH_HD void operator()(int& length) const { length /= 2; }
};
constexpr auto halved = repeat(5, seq(for_each(over(x).first(found), add{})(in(x[each]), inout(y[each])),
                                      transform_reduce(over(x).first(found), value_of{}, plus{})(out(sum), in(x[each])),
                                      single_task(fewer{})(inout(found))));
// [/halved]
static_assert(is_persistent(halved, at<0>));

// The length is one of the node's reads.
constexpr auto told = seq(assign(found, 3), for_each(over(x).first(found), set{})(inout(x[each])), single_task(fewer{})(inout(found)));
static_assert(reads(told, found) && edge_count(told) == 2 && ordered(told, at<0>, at<1>) && ordered(told, at<1>, at<2>));
static_assert(node_count(told) == 3);

// What is marked out may stay as it was behind the length, of a temp too.
constexpr auto some = seq(assign(found, 3), for_each(over(list).first(found), set{})(out(x[each])));
static_assert(writes(some, x) && core::touches_partly(*decltype(some)::self::tree.children[1], decltype(some)::self::tree.children[1]->arguments[3]));

// A loop with lengths is one kernel; its test waits for all nodes that may find that there are more elements than fit.
constexpr auto pass = seq(for_each(over(x).first(found), set{})(inout(x[each])), for_each(over(x).first(other).group<32>(), by_group{})(inout(y[each])), transform_reduce(over(x).first(found), value_of{}, plus{})(out(sum), in(x[each])), single_task(fewer{})(inout(found)), assign(i, i + 1));
constexpr auto loop = loop_while(i < 5, pass);
static_assert(is_persistent(loop, at<0>));

constexpr int edges_to_the_test() {
    constexpr auto& p = core::plan_of<decltype(loop)::self>::view;
    int test = -1;
    for (int r = 0; r < p.count.nodes; ++r)
        if (p.nodes[r].kind == core::plan_node_kind::condition && p.nodes[r].region > 0) test = r;
    return p.nodes[test].edge_count;
}
static_assert(edges_to_the_test() >= 2);

// A group for each term.
struct by_group_of {
    template <class Group>
    COGRAPH_HD float operator()(Group const& group, index_t at, const float* of) const {
        return group.transform_reduce(4, [&](index_t k) { return of[at] * static_cast<float>(k); }, plus{});
    }
};
constexpr auto terms_of_groups = transform_reduce(over(x).first(found).group<32>(), by_group_of{}, plus{})(out(sum), in(x));
static_assert(is_persistent(repeat(3, seq(for_each(over(x).first(found), set{})(inout(x[each])), terms_of_groups, assign(found, found + 1))), at<0>) && reads(terms_of_groups, found));
static_assert(diagnose<decltype(transform_reduce(over(x).first(found).group<32>(), by_group_of{}, plus{})(out(x), in(x)))> == reason::result_is_no_scalar<struct x>{} &&
              diagnose<decltype(transform_reduce(over(x).first(found).group<32>(), by_group_of{}, plus{})(out(sum), in(i)))> ==
                  diagnose<decltype(transform_reduce(over(x).group<32>(), by_group_of{}, plus{})(out(sum), in(i)))>);

// In a branch, too, which tells the loop around it; one in a loop of its own tells that alone.
constexpr auto in_a_branch = loop_while(i < 5, seq(assign(i, i + 1), when(i == 2, pass)));
constexpr auto in_a_loop = loop_while(i < 5, seq(assign(i, i + 1), repeat(3, pass)));
static_assert(core::has_lengths(*decltype(loop)::self::tree.children[0]) && core::has_lengths(*decltype(in_a_branch)::self::tree.children[0]) &&
              !core::has_lengths(*decltype(in_a_loop)::self::tree.children[0]) && !core::has_lengths(loop.tree));

// Nodes over one domain that read one length share a loop over elements, and a barrier; others with another length do not.
template <class Loop>
constexpr int joined() {
    constexpr auto& b = core::persistent_plan<typename Loop::self>::barriers;
    int count = 0;
    for (int leaf = 1; leaf < Loop::leaves; ++leaf) count += !b.splits[leaf];
    return count;
}
constexpr auto same = repeat(3, seq(for_each(over(x).first(found), set{})(inout(x[each])), for_each(over(x).first(found), add{})(in(x[each]), inout(y[each]))));
constexpr auto different = repeat(3, seq(for_each(over(x).first(found), set{})(inout(x[each])), for_each(over(x).first(other), add{})(in(x[each]), inout(y[each]))));
constexpr auto one_whole = repeat(3, seq(for_each(over(x), set{})(inout(x[each])), for_each(over(x).first(other), add{})(in(x[each]), inout(y[each]))));
static_assert(joined<decltype(same)>() == 1 && joined<decltype(different)>() == 0 && joined<decltype(one_whole)>() == 0);
// But no barrier either: one thread has an element, however many run.
static_assert([] {
    constexpr auto& b = core::persistent_plan<decltype(different)::self>::barriers;
    for (core::barrier one : b.before)
        if (one != core::barrier::none) return false;
    return true;
}());

// Swapped buffers touch no memory: a loop over two of them has one barrier, before neighbours are read.
// [steps]
struct mean {
    COGRAPH_HD void operator()(index_t at, const float* from, float& to, index_t n) const {
        to = (from[at > 0 ? at - 1 : 0] + from[at + 1 < n ? at + 1 : at]) / 2;
    }
};
constexpr auto steps = repeat(1000, seq(for_each(over(x), mean{})(in(x), out(y[each]), extent(x)), swap(x, y)));
// [/steps]
constexpr auto copied = repeat(1000, seq(for_each(over(x), mean{})(in(x), out(y[each]), extent(x)), copy(in(y), out(x))));
template <class Loop>
constexpr int barriers() {
    constexpr auto& b = core::persistent_plan<typename Loop::self>::barriers;
    int count = 0;
    for (core::barrier one : b.before) count += one != core::barrier::none;
    for (core::barrier one : b.again) count += one != core::barrier::none;
    return count;
}
static_assert(is_persistent(steps, at<0>) && barriers<decltype(steps)>() == 1 && barriers<decltype(copied)>() == 2);
static_assert(writes(steps, x) && reads(steps, y));

// A small loop with lengths is not unrolled.
struct write_down {
    COGRAPH_HD void operator()(float* to, int at) const { to[at] = 1; }
};
constexpr auto small = loop_while(i < 5, seq(for_each(over(x).first(found), set{})(inout(x[each])), single_task(write_down{})(inout(y), in(i)), assign(i, i + 1)));
static_assert(!core::becomes_unrolled(decltype(small)::self::tree));

}  // namespace
