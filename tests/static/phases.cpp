// SPDX-License-Identifier: Apache-2.0
#include "../expressions/phases.hpp"

#include <cograph/plan/persistent/program.hpp>
#include <cograph/plan/phases/phase_cost.hpp>

using namespace cograph;
using namespace expressions::phases;
using core::barrier;

namespace phases_test {

// Where the barriers of a loop may be of a phase.
template <class E>
constexpr auto steps_of(const E&) {
    return core::persistent_plan<E>::with_phases;
}
struct take_some {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer* to, index_t n) const { to[at % n] = from[at % n]; }
};
constexpr auto in_turn = repeat(3, seq(few_from_few, for_each(over(a), ring{})(in(b), out(a[each]), extent(b)), for_each(over(x), take{})(in(b), inout(x[each]), extent(b))));
constexpr auto found = steps_of(in_turn);
static_assert(found.before[1] == barrier::of_phase && found.before[2] == barrier::of_phase, "nodes over elements wait for each other");
static_assert(found.before[3] == barrier::behind_phase, "b is there, if the first block has not met alone");
static_assert(found.before[0] == barrier::none && found.again[0] == barrier::none, "a loop that counts touches no memory");
static_assert(core::persistent_plan<decltype(in_turn)>::barriers.before[2] == barrier::grid, "the barriers themselves are those of any loop");

constexpr auto one_barrier = steps_of(repeat(3, seq(few_from_few, reduce(out(sum), in(b)), for_each(over(a), ring{})(in(b), out(a[each]), extent(b)))));
static_assert(one_barrier.before[1] == barrier::grid && one_barrier.before[3] == barrier::none, "where only one barrier is left to such nodes there are no phases");
constexpr auto reduces = steps_of(repeat(3, seq(few_from_few, few_again, reduce(out(sum), in(a)))));
static_assert(reduces.before[1] == barrier::none && reduces.before[2] == barrier::grid, "a sum joins the second node, and all blocks meet behind it");

constexpr auto of_buffers = steps_of(repeat(3, seq(for_each(over(y), ring{})(in(x), out(y[each]), extent(x)), for_each(over(x), ring{})(in(y), out(x[each]), extent(y)))));
static_assert(of_buffers.before[1] == barrier::grid && of_buffers.before[2] == barrier::grid, "buffers are likely to be of one length");
constexpr auto of_a_constant = steps_of(repeat(3, seq(for_each(over(y), ring{})(in(x), out(y[each]), extent(x)), for_each(over<8>(), take_some{})(in(y), inout(x), extent(y)))));
static_assert(of_a_constant.before[1] == barrier::of_phase && of_a_constant.before[2] == barrier::of_phase);

// What is told of it.
constexpr auto pair = seq(few_from_few, few_again);
constexpr auto of_each_kind = seq(for_each(over(x), bump{})(inout(x[each])), repeat(3, seq(pair, for_each(over(x), bump{})(inout(x[each])), reduce(out(sum), in(x)), few_from_few, few_again,
                                                                                           for_each(over(y), take{})(in(b), inout(y[each]), extent(b)), inclusive_scan(in(x), out(y), plus{}), assign(i, i + 1))));
constexpr phase_status told(auto node) { return why_no_phase(of_each_kind, node); }
static_assert(told(at<0>) == phase_status::is_not_one_kernel && told(at<1>) == phase_status::not_over_elements && told(at<10>) == phase_status::not_over_elements);
static_assert(told(at<2>) == phase_status::phase && told(at<3>) == phase_status::phase && told(at<7>) == phase_status::phase && told(at<8>) == phase_status::phase);
static_assert(told(at<4>) == phase_status::beside_a_reduction && told(at<5>) == phase_status::reduces && told(at<9>) == phase_status::groups_of_threads);
static_assert(why_no_phase(repeat(3, seq(pair, pair, for_each(over(x), take{})(in(b), inout(x[each]), extent(b)), inclusive_scan(in(x), out(y), plus{}), reduce(out(sum), in(a)))), at<2>) == phase_status::small_phase, "the sum has the elements of a in other threads");
static_assert(why_no_phase(repeat(3, seq(few_from_few, reduce(out(sum), in(a)))), at<1>) == phase_status::too_few_barriers);
static_assert(why_no_phase(repeat(3, seq(for_each(over(y), ring{})(in(x), out(y[each]), extent(x)), for_each(over(x), ring{})(in(y), out(x[each]), extent(y)))), at<1>) == phase_status::no_computed_extent);
static_assert(why_no_phase(wide_behind::expression(), at<8>) == phase_status::phase, "a node of the sweeps");

// A phase goes on while the first block has all elements, and ends at the next node of more.
constexpr bool ends_at_more_elements() {
    core::phase_state state;
    const bool first = state.meets_grid(barrier::of_phase, true), second = state.meets_grid(barrier::of_phase, true), beside = state.meets_grid(barrier::behind_phase, true);
    const bool behind = state.meets_grid(barrier::behind_phase, false), next = state.meets_grid(barrier::of_phase, true);
    return !first && !second && !beside && behind && next;
}
static_assert(ends_at_more_elements());
constexpr bool begins_behind_a_barrier() {
    core::phase_state state;
    const bool wide = state.meets_grid(barrier::of_phase, false), first = state.meets_grid(barrier::of_phase, true), second = state.meets_grid(barrier::of_phase, true);
    return wide && first && !second && !state.ran_in_others && state.met_in_block;
}
static_assert(begins_behind_a_barrier());
constexpr bool stays_if_none_was_of_the_block() {
    core::phase_state state;
    const bool first = state.meets_grid(barrier::grid, true), behind = state.meets_grid(barrier::behind_phase, false);
    return first && !behind && state.ran_in_others;
}
static_assert(stays_if_none_was_of_the_block());

// What was measured on an H100: with blocks of 1 024, the first block runs the stencil faster alone up to four elements a thread, not with eight; nine points
// with one element a thread, not with two.
constexpr int of_stencil = core::phase_cost::elements_alone(core::phase_cost::cheap_element), of_nine = core::phase_cost::elements_alone(core::phase_cost::dear_element);
static_assert(of_stencil >= 4 && of_stencil < 8 && of_nine == 1 && core::elements_alone == of_nine);

// Rolled nodes.
template <class E>
constexpr int count_rolled(const E&) {
    int count = 0;
    for (const int one : core::persistent_plan<E>::with_phases.rolled) count += one != 0;
    return count;
}
template <int Level>
constexpr auto sum_at = for_each(over(v<Level>), add_up<int>{3})(in(f<Level - 1>), out(f<Level>[each]), out(v<Level>[each]), extent(f<Level - 1>));
constexpr auto four = repeat(3, seq(sum_at<1>, seq(sum_at<2>, sum_at<3>), sum_at<4>));
static_assert(core::has_rolled_nodes(decltype(four)::tree) && count_rolled(four) == 4);
static_assert(count_rolled(repeat(3, seq(sum_at<1>, sum_at<2>, sum_at<3>))) == 0, "too few");
static_assert(count_rolled(repeat(3, seq(sum_at<1>, sum_at<2>, assign(i, i + 1), sum_at<3>, sum_at<4>))) == 0, "another node is between them");
static_assert(count_rolled(repeat(3, seq(sum_at<1>, sum_at<2>, repeat(2, sum_at<3>), sum_at<4>))) == 0, "a loop is between them");
static_assert(count_rolled(repeat(3, seq(sum_at<1>, sum_at<2>, sum_at<1>, sum_at<2>))) == 0, "two extents");
static_assert(count_rolled(repeat(3, seq(for_each(over(v<1>), bump{})(inout(v<1>[each])), sum_at<1>, sum_at<2>, sum_at<3>, sum_at<4>))) == 0, "the first may join the node before it");
static_assert(count_rolled(repeat(3, seq(sum_at<1>, sum_at<2>, sum_at<3>, sum_at<4>, sum_at<5>, for_each(over(v<5>), bump{})(inout(v<5>[each]))))) == 4, "and the last the node behind it");
template <int Number>
struct given_at : buffer<given_at<Number>, integer> {};
template <int Number>
constexpr auto turn_at = for_each(over(given_at<Number>{}), ring{})(in(given_at<(Number + 1) % 4>{}), out(given_at<Number>{}[each]), extent(x));
static_assert(count_rolled(repeat(3, seq(turn_at<0>, turn_at<1>, turn_at<2>, turn_at<3>))) == 0, "buffers are likely to be of one length");
struct add_scalar {
    COGRAPH_HD void operator()(index_t, integer& own, const integer& more) const { own += more; }
};
template <int Level>
constexpr auto add_at = for_each(over(v<Level>), add_scalar{})(inout(v<Level>[each]), sum);
static_assert(count_rolled(repeat(3, seq(add_at<1>, add_at<2>, add_at<3>, add_at<4>))) == 0, "threads have scalars of their own");

// Function objects with state have one stage; each of two rows is a loop over nodes all the same.
template <class Step>
inline constexpr int rows_in = 0;
template <class... Step>
inline constexpr int rows_in<core::steps<Step...>> = (0 + ... + rows_in<Step>);
template <class Rule, int First, int Count, core::barrier Before, core::barrier Again, class... Body>
inline constexpr int rows_in<core::control_step<Rule, First, Count, Before, Again, Body...>> = (0 + ... + rows_in<Body>);
template <unsigned char Number, class... Group>
inline constexpr int rows_in<core::rolled_steps<Number, Group...>> = sizeof...(Group) >= core::least_rolled;
template <class E>
constexpr int count_rows(const E&) {
    return rows_in<typename core::program_of<E, E, 0, 0>::type>;
}
static_assert(count_rows(four) == 1 && count_rows(levels<of_no_shape>::expression()) == 2);

// A loop of rolled nodes has no kernel for threads that keep elements.
static_assert(std::is_same_v<core::persistent_node<decltype(levels<of_no_shape>::expression())>::codes, core::list<core::code_of_rolled<core::persistent_node<decltype(levels<of_no_shape>::expression())>::plain, 0>>>);
static_assert(std::is_same_v<core::persistent_node<decltype(levels<of_a_block>::expression())>::codes, core::list<core::code_of_rolled<core::persistent_node<decltype(levels<of_a_block>::expression())>::plain, 512>>>);
static_assert(std::is_same_v<core::persistent_node<decltype(levels<of_a_shape>::expression())>::codes, core::list<core::shaped_code<core::persistent_node<decltype(levels<of_a_shape>::expression())>::plain, 256, true>>>);
static_assert(where_on_chip(levels<of_no_shape>::expression(), at<0>, y) == on_chip::no_tiles);

}  // namespace phases_test
