// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph.hpp>

#include <string_view>
#include <cograph/plan/lowering/lower.hpp>

using namespace cograph;

namespace lowering_test {

struct quad {
    double of[33];
};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct inner : temp<inner, double, elements<extent(x) - 1>> {} inner;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct wide : scalar<wide, quad> {} wide;
inline constexpr struct tol : value<tol, double> {} tol;

TEST_KERNEL void smooth(const double*, double*);

struct halve {
    COGRAPH_HD void operator()(index_t, double& value) const { value /= 2; }
};
struct set_inner {
    COGRAPH_HD void operator()(index_t at, double& value) const { value = static_cast<double>(at); }
};
struct count_up {
    COGRAPH_HD void operator()(index_t, int& counter) const { counter = 1; }
};
struct put {
    COGRAPH_HD void operator()(double* to) const { to[0] = 1; }
};
struct norm {
    COGRAPH_HD void operator()(double& to, const quad& from) const { to = from.of[0]; }
};

constexpr auto shrink = for_each(over(x), halve{})(inout(x[each]));
constexpr auto smooth_all = reduce(out(s), in(y));
constexpr auto smoothed = kernel<smooth>(over(x))(in(x), out(y));

// A loop of library nodes, with a nested one and a branch.
constexpr auto library =
    seq(shrink, loop_while(s > tol, seq(repeat(3, shrink), when(s < 1, fill(out(y), 0)), dot(out(s), in(x), in(y)))));
static_assert(is_persistent(library, at<1>) && is_persistent(library, at<2>) && is_persistent(library, at<3>));
static_assert(is_persistent(library, at<4>) && is_persistent(library, at<6>));
static_assert(!is_persistent(library, at<0>) && why_not_persistent(library, at<0>) == lowering_status::not_in_a_loop);

// Groups of threads take part, too; not in a branch whose nodes look for themselves whether it is their turn, nor in a fused kernel.
struct row_sum {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const double* from, double& to) const {
        to = group.transform_reduce(8, [=](int k) { return from[8 * row + k]; }, plus{});
    }
};
struct counts_by_group {
    COGRAPH_HD void operator()(thread_group<8> const&, index_t, int& counter) const { counter = 1; }
};
constexpr auto sum_rows = for_each(over(x).group<8>(), row_sum{})(in(y), out(x[each]));
static_assert(decltype(sum_rows)::tree.traits->threads_of_group == 8);
static_assert(is_persistent(repeat(3, seq(sum_rows, shrink, when(s < 1, sum_rows))), at<0>));
static_assert(why_not_persistent(repeat(3, for_each(over(x).group<8>(), counts_by_group{})(out(i))), at<0>) == lowering_status::element_node_writes_scalar);
static_assert(core::becomes_predicated(decltype(when(s < 1, shrink))::tree) && core::becomes_predicated(decltype(when(s < 1, sum_rows))::tree));
using two_groups = core::barrier_pass<16, 8>;
constexpr auto barriers_of(const core::node_spec& tree) {
    two_groups pass{};
    pass.pass(tree, 0);
    return pass;
}
constexpr auto group_barriers = barriers_of(decltype(repeat(3, seq(shrink, sum_rows, shrink)))::tree);
static_assert(group_barriers.before[2] == core::barrier::grid && group_barriers.before[3] == core::barrier::grid && group_barriers.splits[2] && group_barriers.splits[3],
              "a group's element is none of a thread's");

// Each reason.
constexpr auto opaque = repeat(3, seq(shrink, smoothed));
static_assert(why_not_persistent(opaque, at<0>) == lowering_status::opaque_node);
static_assert(why_not_persistent(opaque, calls<halve>) == lowering_status::opaque_node, "the loop around it");
constexpr auto large = repeat(3, single_task(norm{})(out(s), in(wide)));
static_assert(why_not_persistent(large, at<0>) == lowering_status::scalar_is_large);
template <int Bytes>
struct bytes {
    char of[Bytes];
    COGRAPH_HD bytes operator+(const bytes&) const { return {}; }
};
template <int Bytes>
struct some_bytes : scalar<some_bytes<Bytes>, bytes<Bytes>> {};
template <int Bytes>
struct many_bytes : buffer<many_bytes<Bytes>, bytes<Bytes>> {};
struct take_bytes {
    template <class T>
    COGRAPH_HD void operator()(T& value) const {
        value.of[0] = 1;
    }
};
template <int Bytes>
struct wrap {
    COGRAPH_HD bytes<Bytes> operator()(index_t, double) const { return {}; }
};
template <int Bytes>
constexpr auto sum_bytes = reduce(out(some_bytes<Bytes>{}), in(many_bytes<Bytes>{}));
static_assert(is_persistent(repeat(3, single_task(take_bytes{})(inout(some_bytes<256>{}))), at<0>));
static_assert(why_not_persistent(repeat(3, single_task(take_bytes{})(inout(some_bytes<257>{}))), at<0>) == lowering_status::scalar_is_large);
static_assert(is_persistent(repeat(3, sum_bytes<64>), at<0>) && why_not_persistent(repeat(3, sum_bytes<65>), at<0>) == lowering_status::scalar_is_large);
constexpr auto joined_results =
    barriers_of(decltype(repeat(3, seq(transform_reduce(over(x), wrap<64>{}, plus{})(out(some_bytes<64>{}), in(x[each])), dot(out(s), in(x), in(x)),
                                       transform_reduce(over(x), wrap<24>{}, plus{})(out(some_bytes<24>{}), in(x[each])))))::tree);
static_assert(!joined_results.splits[2] && joined_results.splits[3] && joined_results.most_reductions == 2, "of two large results, one shares a barrier");
inline constexpr struct sum : scalar<sum, double> {} sum;
struct times_last {
    COGRAPH_HD double operator()(index_t, double own, double last) const { return own * last; }
};
constexpr auto sum_by_last = transform_reduce(over(x), times_last{}, plus{})(out(sum), in(x[each]), in(s));
constexpr auto reads_before = barriers_of(decltype(repeat(3, seq(sum_by_last, dot(out(s), in(x), in(x)))))::tree);
static_assert(!reads_before.splits[2] && reads_before.most_reductions == 2, "what the group before reads is written behind all of its elements");
constexpr auto reads_behind = barriers_of(decltype(repeat(3, seq(dot(out(s), in(x), in(x)), sum_by_last)))::tree);
static_assert(reads_behind.splits[2] && reads_behind.most_reductions == 1);
constexpr auto writes_twice = barriers_of(decltype(repeat(3, seq(dot(out(s), in(x), in(x)), dot(out(s), in(x), in(x)))))::tree);
static_assert(writes_twice.splits[2]);
constexpr auto writing_task = repeat(3, single_task(put{})(out(x)));
static_assert(why_not_persistent(writing_task, at<0>) == lowering_status::single_task_writes_memory);
constexpr auto many_writers = repeat(3, for_each(over(x), count_up{})(out(i)));
static_assert(why_not_persistent(many_writers, at<0>) == lowering_status::element_node_writes_scalar);
constexpr auto ten = seq(shrink, shrink, shrink, shrink, shrink, shrink, shrink, shrink, shrink, shrink);
constexpr auto many_nodes = seq(ten, ten, ten, ten, ten, ten, ten, ten, ten, ten, ten, ten, ten);
static_assert(is_persistent(repeat(3, many_nodes), at<0>) && core::parameters_once(decltype(repeat(3, many_nodes))::tree).count == 4, "a variable counts once");
struct shrink_by {
    double factor;
    COGRAPH_HD void operator()(index_t, double& value) const { value *= factor; }
};
constexpr auto with_state = for_each(over(x), shrink_by{0.5})(inout(x[each]));
constexpr auto five = seq(with_state, with_state, with_state, with_state, with_state);
constexpr auto fifty = seq(five, five, five, five, five, five, five, five, five, five);
constexpr auto most = seq(fifty, fifty, fifty, fifty, fifty);
static_assert(is_persistent(repeat(3, seq(fifty, fifty, fifty, fifty)), at<0>));
static_assert(is_persistent(repeat(3, ten), at<0>));
// Of nodes that count by one formula; a temp of that size is written wholly by them.
constexpr auto inner_elements = seq(for_each(over<extent(x) - 1>(), set_inner{})(out(inner[each])), for_each(over<extent(x) - 1>(), set_inner{})(inout(x[each])), reduce(out(s), in(inner)));
static_assert(is_persistent(repeat(3, inner_elements), at<0>) && is_persistent(repeat(3, inner_elements), at<1>));
static_assert(core::plan_of<core::lowered<decltype(inner_elements)::self>>::view.count.nodes == 2, "fused, and a reduction");
static_assert(core::lifetimes_of<decltype(inner_elements)::self>::items == 1 && !core::needs_binding(core::plan_of<decltype(inner_elements)::self>::view.variables[0]));
static_assert(core::plan_of<decltype(inner_elements)::self>::view.variables[0].info->kind == core::variable_kind::count);
static_assert(!core::plan_of<decltype(inner_elements)::self>::view.accesses[0].partly);
static_assert(why_not_persistent(repeat(3, most), at<0>) == lowering_status::too_many_parameters);

constexpr auto kept = as_nodes(repeat(3, seq(shrink, repeat(2, shrink))));
static_assert(why_not_persistent(kept, at<0>) == lowering_status::lowering_disabled && !is_persistent(kept, at<2>));
constexpr auto kept_inside = repeat(3, seq(shrink, as_nodes(repeat(2, shrink)), repeat(4, shrink)));
static_assert(why_not_persistent(kept_inside, at<0>) == lowering_status::lowering_disabled && !is_persistent(kept_inside, at<2>));
static_assert(is_persistent(kept_inside, at<4>), "beside the part that is kept");

// Loops by their labels, as reports take them.
constexpr auto labelled = seq(label("first", shrink), label("alone", repeat(2, label("inner", repeat(3, shrink)))),
                              label("both", loop_while(s > tol, seq(label("opaque", repeat(3, smoothed)), label("branch", when(s < 1, label("within", repeat(4, shrink)))), smooth_all), check_every<2>)));
static_assert(is_persistent(labelled, "alone") && is_persistent(labelled, "inner") && is_persistent(labelled, "within"));
static_assert(!is_persistent(labelled, "both") && why_not_persistent(labelled, "both") == lowering_status::opaque_node);
static_assert(why_not_persistent(labelled, "opaque") == lowering_status::opaque_node && why_not_persistent(labelled, "within") == lowering_status::persistent);
static_assert(why_not_persistent(as_nodes(labelled), "alone") == lowering_status::lowering_disabled);
constexpr const char* name_of_a_loop = "inner";
static_assert(is_persistent(labelled, name_of_a_loop));
static_assert(diagnose<decltype(is_persistent(labelled, std::string_view("alone")))> == reason::text_of_a_label_is_no_const_char_pointer<std::string_view>{});
static_assert(diagnose<decltype(why_not_persistent(labelled, 3.5))> == reason::not_a_selector<double>{});

// Temps that take their extents from each other are as long as the first: no barrier, and one loop over the elements.
struct plus_one {
    COGRAPH_HD void operator()(index_t, const double& from, double& to) const { to = from + 1; }
};
inline constexpr struct like_x : temp<like_x, double, struct x> {} like_x;
inline constexpr struct like_that : temp<like_that, double, struct like_x> {} like_that;
constexpr auto chain = repeat(3, seq(for_each(over(x), plus_one{})(in(x[each]), out(like_x[each])),
                                     for_each(over(like_x), plus_one{})(in(like_x[each]), out(like_that[each])),
                                     for_each(over(like_that), plus_one{})(in(like_that[each]), out(x[each]))));
constexpr auto chained = core::persistent_plan<decltype(chain)::self>::barriers;
static_assert(!chained.splits[2] && !chained.splits[3]);
static_assert(chained.before[2] == core::barrier::none && chained.before[3] == core::barrier::none && chained.again[0] == core::barrier::none);

// Of which variables threads keep copies, and which have to be read before the loop.
enum class copied { not_at_all, filled_later, filled_first };
template <class E, class V>
constexpr copied copies_of(const E&, V) {
    constexpr const auto& parts = core::persistent_plan<typename E::self>::parts;
    for (int at = 0; at < core::persistent_plan<typename E::self>::parameters; ++at) {
        if (parts.arguments[at + 1].variable != &core::info_of<V> || core::copy_numbered(parts.slot[parts.place[at]]) < 0) continue;
        return core::is_filled(parts.slot[parts.place[at]]) ? copied::filled_first : copied::filled_later;
    }
    return copied::not_at_all;
}
static_assert(copies_of(chain, x) == copied::filled_first && copies_of(chain, like_x) == copied::filled_later);
constexpr auto sometimes_first = repeat(3, seq(when(s < 1, for_each(over(x), plus_one{})(in(x[each]), out(like_x[each]))),
                                               for_each(over(x), plus_one{})(in(like_x[each]), out(x[each]))));
static_assert(copies_of(sometimes_first, like_x) == copied::filled_first, "a pass may read what was there before");
struct put_first {
    COGRAPH_HD void operator()(index_t, double* all) const { all[0] = 1; }
};
constexpr auto written_elsewhere = repeat(3, seq(for_each(over(x), plus_one{})(in(x[each]), out(like_x[each])), for_each(over(x), put_first{})(inout(x))));
static_assert(copies_of(written_elsewhere, x) == copied::not_at_all && copies_of(written_elsewhere, like_x) == copied::filled_later);
struct large_element {
    double part[3];
};
inline constexpr struct large_elements : buffer<large_elements, large_element> {} large_elements;
struct add_part {
    COGRAPH_HD void operator()(index_t, large_element& at) const { at.part[0] += at.part[1]; }
};
static_assert(copies_of(repeat(3, for_each(over(large_elements), add_part{})(inout(large_elements[each]))), large_elements) == copied::not_at_all);

// In a loop that stays, inner loops are asked; the node at fault is named.
constexpr auto nested = repeat(2, seq(smoothed, repeat(3, shrink), when(s < 1, shrink), repeat(4, smoothed)));
static_assert(why_not_persistent(nested, at<0>) == lowering_status::opaque_node && !is_persistent(nested, at<1>));
static_assert(is_persistent(nested, at<2>) && is_persistent(nested, at<3>));
static_assert(!is_persistent(nested, at<4>) && !is_persistent(nested, at<5>) && !is_persistent(nested, at<6>));
template <class E>
constexpr int at_fault(const E&, int leaf) {
    const core::plan_view& p = core::plan_of<typename E::self>::view;
    return core::obstacle_of(p, core::node_of_leaf(p, leaf)).leaf;
}
static_assert(at_fault(nested, 0) == 1 && at_fault(nested, 6) == 7 && at_fault(opaque, 0) == 2 && at_fault(library, 1) == -1);
static_assert(at_fault(repeat(3, most), 0) == 0);

// The answers are those of the lowering itself.
template <class E>
constexpr int persistent_nodes(const E&) {
    const core::plan_view& p = core::plan_of<core::lowered<E>>::view;
    int found = 0;
    for (int r = 0; r < p.count.nodes; ++r) found += p.nodes[r].from->traits->persistent;
    return found;
}
static_assert(persistent_nodes(library) == 1 && persistent_nodes(nested) == 1 && persistent_nodes(opaque) == 0);

// Branches of few library nodes become guarded nodes, wherever they are; or why not.
using core::predication;
template <class E>
constexpr predication first_branch(const E&) {
    const core::plan_view& p = core::plan_of<typename E::self>::view;
    for (int r = 0; r < p.count.nodes; ++r)
        if (core::is_branch(p.nodes[r].control)) return core::predication_of_node(p, r);
    return predication::no_nodes;
}
template <class E>
constexpr bool is_predicated(const E& e, int conditionals_left, int guarded_nodes) {
    const core::plan_view& p = core::plan_of<core::lowered<E>>::view;
    int conditionals = 0, nodes = 0;
    for (int r = 0; r < p.count.nodes; ++r) {
        conditionals += p.nodes[r].kind == core::plan_node_kind::conditional;
        nodes += core::lowering_of(*p.nodes[r].from).predicated;
    }
    return first_branch(e) == predication::predicated && conditionals == conditionals_left && nodes == guarded_nodes;
}
constexpr auto taken = when(s < 1, seq(fill(out(y), 0), par(shrink, assign(i, 2))));
static_assert(is_predicated(taken, 0, 3));
static_assert(is_predicated(repeat(2, seq(smoothed, when(s < 1, shrink, otherwise(dot(out(s), in(x), in(y)))))), 1, 2));
static_assert(is_predicated(switch_on(i, shrink, seq(), fill(out(y), s), seq(shrink, smooth_all, shrink)), 0, 5));
static_assert(is_predicated(repeat(2, seq(smoothed, when(s < 1, inclusive_scan(in(x), out(y)), otherwise(sum_rows)))), 1, 2));
static_assert(is_persistent(repeat(2, when(i < 1, seq(sum_rows, shrink), otherwise(shrink))), at<0>));
static_assert(first_branch(when(s < 1, seq())) == predication::no_nodes);
static_assert(first_branch(when(s < 1, shrink, otherwise(smoothed))) == predication::opaque_node);
static_assert(first_branch(when(s < 1, seq(shrink, repeat(2, shrink)))) == predication::holds_control);
static_assert(first_branch(when(s < 1, seq(shrink, shrink), otherwise(seq(shrink, shrink)))) == predication::too_many_nodes);
static_assert(first_branch(switch_on(i, seq(shrink, shrink), seq(shrink, shrink))) == predication::predicated);
static_assert(first_branch(as_nodes(taken)) == predication::lowering_disabled && first_branch(when(s < 1, as_nodes(shrink))) == predication::lowering_disabled);
// Its condition comes first and its nodes wait for it. What it writes keeps what was there, so it is a read as well.
constexpr const core::plan_view& p_taken = core::plan_of<core::lowered<decltype(taken)>>::view;
static_assert(p_taken.count.nodes == 4 && core::lowering_of(*p_taken.nodes[0].from).answers && p_taken.edges[p_taken.nodes[1].first_edge] == 0);
static_assert(p_taken.accesses[p_taken.nodes[1].first_access + 1].how == core::access_mode::read_write);
static_assert(p_taken.count.leaves == 4 && p_taken.nodes[3].leaf == 3);
constexpr auto copies_if = when(i < 2, copy(in(x), out(y)));
constexpr const core::plan_node& copied_if = core::plan_of<core::lowered<decltype(copies_if)>>::view.nodes[1];
static_assert(copied_if.from->lowered->predicated && copied_if.from->elements_a_thread == 1);

// Small loops that cannot be one kernel are unrolled: behind the first pass come three, each with a test in front.
template <class E>
constexpr bool is_unrolled_by_four(const E&) {
    const core::plan_view& p = core::plan_of<core::lowered<E>>::view;
    const core::plan_view& planned = core::plan_of<typename E::self>::view;
    int tests = 0, guarded = 0, loops = 0, nodes = 0;
    for (int r = 0; r < p.count.nodes; ++r) {
        tests += core::lowering_of(*p.nodes[r].from).answers;
        guarded += core::lowering_of(*p.nodes[r].from).predicated;
        loops += p.nodes[r].kind == core::plan_node_kind::conditional;
    }
    for (int r = 0; r < planned.count.nodes; ++r) nodes += planned.nodes[r].kind == core::plan_node_kind::work;
    return core::is_unrolled(planned, 1) && loops == 1 && tests == 3 && guarded == 3 * nodes && p.count.leaves == planned.count.leaves &&
           p.count.kept_values == planned.count.kept_values && p.count.loops == 1;
}
static_assert(is_unrolled_by_four(writing_task) && is_unrolled_by_four(large) && is_unrolled_by_four(many_writers));
constexpr auto put_one = single_task(put{})(out(x));
constexpr auto four_nodes = loop_while(s > tol, seq(shrink, put_one, par(smooth_all, assign(i, i + 1))));
static_assert(is_unrolled_by_four(four_nodes) && is_unrolled_by_four(loop_while(s > tol, seq(put_one, smooth_all), at_most(9))));
static_assert(is_unrolled_by_four(do_while(seq(put_one, smooth_all), s > tol)));
template <class E>
constexpr bool stays_rolled(const E&) {
    const core::plan_view& p = core::plan_of<core::lowered<E>>::view;
    for (int r = 0; r < p.count.nodes; ++r)
        if (core::lowering_of(*p.nodes[r].from).of_further_iteration) return false;
    return true;
}
static_assert(stays_rolled(library), "one kernel is better");
static_assert(stays_rolled(opaque) && stays_rolled(repeat(3, seq(put_one, when(i < 2, shrink)))) && stays_rolled(repeat(3, seq(put_one, repeat(2, shrink)))));
static_assert(stays_rolled(repeat(3, seq(put_one, shrink, shrink, shrink, shrink))), "five nodes");
static_assert(stays_rolled(as_nodes(writing_task)) && stays_rolled(repeat(3, as_nodes(put_one))));
static_assert(stays_rolled(loop_while(s > tol, seq(put_one, smooth_all), check_every<2>)));
struct is_large {
    COGRAPH_HD bool operator()(double value) const { return value > 1; }
};
static_assert(stays_rolled(loop_while(any_of(x, is_large{}), put_one)), "a pass over x would be made in vain behind the end");
// A test waits for what it reads and for the test before it, not for the nodes between; nodes wait for the test before them.
constexpr const core::plan_view& p_four = core::plan_of<core::lowered<decltype(four_nodes)>>::view;
constexpr bool waits_for(int row, int before) {
    for (int e = p_four.nodes[row].first_edge; e < p_four.nodes[row].first_edge + p_four.nodes[row].edge_count; ++e)
        if (p_four.edges[e] == before) return true;
    return false;
}
static_assert(core::lowering_of(*p_four.nodes[6].from).answers && waits_for(6, 4) && p_four.nodes[6].edge_count == 1 && waits_for(7, 6) && waits_for(7, 3));
static_assert(core::lowering_of(*p_four.nodes[11].from).answers && waits_for(11, 9) && p_four.nodes[11].edge_count == 1);
static_assert(p_four.nodes[21].kind == core::plan_node_kind::condition && p_four.nodes[21].leaf == 0 && p_four.nodes[20].leaf == 4 && p_four.nodes[20].copy == 3);

// Neighbours over one extent are one node, as long as each touches its own element alone of what another writes.
template <class E>
constexpr bool has_nodes(const E&, int nodes, int first_leaves) {
    const core::plan_view& p = core::plan_of<core::lowered<E>>::view;
    return p.count.nodes == nodes && p.nodes[0].from->leaves == first_leaves;
}
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct n : value<n, int> {} n;
struct add_left {
    COGRAPH_HD void operator()(index_t at, const double* from, double& to) const { to += from[at > 0 ? at - 1 : 0]; }
};
constexpr auto add = for_each(over(x), add_left{})(in(z), inout(x[each]));
constexpr auto add_own = for_each(over(x), add_left{})(in(x), inout(t[each]));
static_assert(has_nodes(seq(fill(out(t), 1), shrink, copy(in(t), out(x))), 1, 3));
static_assert(has_nodes(seq(shrink, add, add), 1, 3), "what none of them writes may be read anywhere");
static_assert(has_nodes(seq(fill(out(t), 1), shrink, add_own, shrink), 3, 2));
static_assert(has_nodes(seq(shrink, fill(out(y), 1)), 2, 1) && has_nodes(seq(shrink, assign(i, 2), shrink), 3, 1));
static_assert(has_nodes(seq(shrink, dot(out(s), in(x), in(y)), shrink), 3, 1) && has_nodes(seq(shrink, seq(shrink)), 2, 1));
static_assert(has_nodes(par(shrink, fill(out(t), 2)), 2, 1) && has_nodes(seq(shrink, smoothed, shrink), 3, 1));
static_assert(has_nodes(seq(for_each(over(4), halve{})(inout(x[each])), for_each(over(4), halve{})(inout(x[each]))), 2, 1));
static_assert(has_nodes(seq(for_each(over(n), halve{})(inout(x[each])), for_each(over(n), halve{})(inout(y[each]))), 1, 2));
inline constexpr struct t2 : temp<t2, double, struct x> {} t2;
inline constexpr struct t3 : temp<t3, double, struct x> {} t3;
static_assert(has_nodes(seq(copy(in(x), out(t)), copy(in(t), out(t2)), copy(in(t2), out(t3)), copy(in(t3), out(x))), 2, 2), "temps t and t3 share memory");
static_assert(has_nodes(as_nodes(seq(shrink, shrink)), 2, 1) && has_nodes(ten, 2, 8));
constexpr const core::plan_view& p_ten = core::plan_of<core::lowered<decltype(ten)>>::view;
static_assert(p_ten.nodes[1].leaf == 8 && p_ten.nodes[1].from->leaves == 2 && p_ten.count.leaves == 10);
static_assert(has_nodes(repeat(2, seq(smoothed, shrink, shrink)), 5, 1));

// docs/lowering.md has these limits.
static_assert(core::persistent_scalar_bytes == 256 && core::persistent_result_bytes == 64 && core::small_result_bytes == 16 && core::most_persistent_parameters == 249 && core::most_persistent_parameter_bytes == 32508 && core::most_joined_reductions == 4);
static_assert(core::most_predicated_nodes(core::spec_kind::when) == 3 && core::most_predicated_nodes(core::spec_kind::switch_on) == 6);
static_assert(core::iterations_of_unrolled == 4 && core::most_unrolled_nodes == 4);
static_assert(core::most_merged_nodes == 16 && core::most_merged_arguments == 96);
static_assert(core::most_fused_nodes == 8 && core::most_fused_arguments == 96 && core::most_shared_parameter_bytes == 4096);
// And this way to count: one for the number of elements and for each argument; of a function object if it has state; of a
// reduction four more; of a condition its formula, its variables and the loop's count.
struct scale_by {
    double factor;
    COGRAPH_HD void operator()(index_t, double& value) const { value *= factor; }
};
struct square {
    COGRAPH_HD double operator()(index_t, double value) const { return value * value; }
};
constexpr auto scaled = for_each(over(x), scale_by{2})(inout(x[each]));
constexpr auto squares = transform_reduce(over(x), square{}, plus{})(out(s), in(x[each]));
static_assert(core::count_parameters(shrink.tree) == 2 && core::count_parameters(scaled.tree) == 3 && core::count_parameters(squares.tree) == 7);
static_assert(core::count_parameters(loop_while(s > tol, smooth_all).tree) == 4 + 7);
// Of by-value bytes, eight for each pointer and number of elements.
template <int Doubles>
struct many {
    double of[Doubles];
};
struct take_many {
    template <int Doubles>
    COGRAPH_HD void operator()(index_t, const many<Doubles>& given, double& value) const { value = given.of[0]; }
};
template <int Doubles>
constexpr auto takes = for_each(over(x), take_many{})(many<Doubles>{}, inout(x[each]));
static_assert(has_nodes(seq(takes<254>, takes<254>), 1, 2) && has_nodes(seq(takes<254>, takes<255>), 2, 1));
// Of a loop, whose state takes 16, the extent and the element count once.
constexpr auto most_bytes = repeat(3, seq(takes<2000>, takes<2058>));
constexpr auto more_bytes = repeat(3, seq(takes<2000>, takes<2059>));
static_assert(core::parameters_once(most_bytes.tree).bytes == 16 + 8 + 16 + 8 * 4058 && is_persistent(most_bytes, at<0>));
static_assert(core::parameters_once(most_bytes.tree).bytes + 4 == core::most_persistent_parameter_bytes);
static_assert(why_not_persistent(more_bytes, at<0>) == lowering_status::parameters_are_large && at_fault(more_bytes, 0) == 0);
// What is counted is no less than what a kernel takes, whatever the alignment.
struct alignas(64) far_apart {
    double of[8];
};
struct take_far_apart {
    template <class... T>
    COGRAPH_HD void operator()(index_t, double& value, T...) const { value = sizeof...(T); }
};
constexpr auto unaligned = for_each(over(x), take_far_apart{})(inout(x[each]), 'a', far_apart{}, 'b', tol, far_apart{}, 3, 'c');
template <class... P>
constexpr int size_of_all(core::list<std::type_identity<P>...>) {
    return core::parameter_size<P...>();
}
template <class E>
constexpr bool is_counted(const E&) {
    return size_of_all(core::parameters_of<typename E::self>::find()) <= static_cast<int>(core::parameter_bytes_of(E::tree));
}
static_assert(is_counted(unaligned) && is_counted(library) && is_counted(repeat(3, seq(unaligned, squares, unaligned))));
static_assert(is_counted(do_while(seq(switch_on(i, takes<3>, scaled), loop_while(any_of(x, is_large{}), shrink, at_most(3)), smooth_all), s > tol, at_most(4))));

// Selectors must name one node.
static_assert(diagnose<decltype(is_persistent(opaque, at<9>))> ==
              reason::selector_matches_nothing<core::at_t<9>, reason::among_nodes<3>>{});
static_assert(diagnose<decltype(why_not_persistent(ten, calls<halve>))> ==
              reason::selector_matches_several<core::calls_t<halve>, reason::all_of_nodes<10>>{});

}  // namespace lowering_test
