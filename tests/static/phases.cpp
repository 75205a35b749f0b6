// SPDX-License-Identifier: Apache-2.0
#include "../expressions/phases.hpp"

#include <cograph/plan/persistent/persistent_plan.hpp>

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

// A phase goes on while nodes have one chunk, and ends at the next that has more.
constexpr bool ends_at_many_chunks() {
    core::phase_state state;
    const bool first = state.meets_grid(barrier::of_phase, true), second = state.meets_grid(barrier::of_phase, true), beside = state.meets_grid(barrier::behind_phase, true);
    const bool behind = state.meets_grid(barrier::behind_phase, false), next = state.meets_grid(barrier::of_phase, true);
    return !first && !second && !beside && behind && next;
}
static_assert(ends_at_many_chunks());
constexpr bool begins_behind_a_barrier() {
    core::phase_state state;
    const bool wide = state.meets_grid(barrier::of_phase, false), first = state.meets_grid(barrier::of_phase, true), second = state.meets_grid(barrier::of_phase, true);
    return wide && first && !second && !state.many_chunks && state.met_in_block;
}
static_assert(begins_behind_a_barrier());
constexpr bool stays_if_none_was_of_the_block() {
    core::phase_state state;
    const bool first = state.meets_grid(barrier::grid, true), behind = state.meets_grid(barrier::behind_phase, false);
    return first && !behind && state.many_chunks;
}
static_assert(stays_if_none_was_of_the_block());

}  // namespace phases_test
