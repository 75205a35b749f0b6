// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>
#include <cograph/launch_shape.hpp>

#include <cstdint>
#include <type_traits>

using namespace cograph;
using namespace cograph::core;

namespace control_test {

inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct tol : value<tol, double> {} tol;
inline constexpr struct rounds : value<rounds, std::uint64_t> {} rounds;
inline constexpr struct x : buffer<x, double> {} x;

struct any_negative {
    COGRAPH_HD bool operator()(const double* values, index_t count) const {
        for (index_t k = 0; k < count; ++k)
            if (values[k] < 0) return true;
        return false;
    }
};

constexpr auto next = assign(i, i + 1);
constexpr auto down = assign(rr, rr / 2);
constexpr auto other = assign(j, 1);

// A loop is the test on arrival, the loop itself, and in its body the test behind each pass.
constexpr auto loop = loop_while(i < 3, next);
static_assert(loop.tree.kind == spec_kind::loop_while && loop.tree.child_count == 1);
static_assert(node_count(loop) == 4 && region_count(loop) == 2 && nesting_depth(loop) == 1 &&
              edge_count(loop) == 2);
static_assert(graph_depth(loop) == 2 && graph_depth(loop, 1) == 2 && graph_width(loop) == 1 && graph_width(loop, 1) == 1);
static_assert(reads(loop, i) && writes(loop, i) && is_mutated(loop, i));

constexpr auto until = do_while(next, i < 3);
static_assert(until.tree.kind == spec_kind::do_while && node_count(until) == 4 && region_count(until) == 2);

constexpr auto thrice = repeat(3, other);
static_assert(thrice.tree.kind == spec_kind::repeat && node_count(thrice) == 4 && !is_input(thrice, i));
static_assert(reads(repeat(rounds, other), rounds) && reads(repeat(i, other), i) &&
              is_input(repeat(i, other), i));

// A branch is the test and the branch; its bodies may be empty.
constexpr auto one_way = when(rr > tol, down);
static_assert(one_way.tree.kind == spec_kind::when && node_count(one_way) == 3 && region_count(one_way) == 2);
constexpr auto two_ways = when(rr > tol && i != 0, down, otherwise(seq(next, other)));
static_assert(node_count(two_ways) == 5 && region_count(two_ways) == 3 && two_ways.tree.child_count == 2);
static_assert(graph_depth(two_ways, 1) == 1 && graph_width(two_ways, 2) == 2);
static_assert(node_count(when(rr > tol, seq())) == 2 &&
              region_count(when(rr > tol, seq(), otherwise(down))) == 3);
constexpr auto cases = switch_on(i + 1, next, seq(), down, other);
static_assert(cases.tree.kind == spec_kind::switch_on && node_count(cases) == 5 && region_count(cases) == 5);

// Nested: levels add up, and what is inside is seen outside.
constexpr auto nested = loop_while(rr > tol, seq(down, when(i < 5, repeat(2, next), otherwise(other))));
static_assert(nesting_depth(nested) == 3 && region_count(nested) == 5 && node_count(nested) == 11);
static_assert(reads(nested, rr, tol, i) && writes(nested, rr, i, j) && !reads(nested, j) &&
              !is_output(nested, tol));

// A body that is used twice makes two regions of its own.
static_assert(region_count(seq(loop, loop)) == 3 && node_count(seq(loop, loop)) == 8);

// Predicates: whatever is bool or an integer, from formulas, bare variables and function objects.
static_assert(predicate_like<decltype(i < 3)> && predicate_like<struct i> &&
              predicate_like<decltype(predicate(any_negative{})(in(x), extent(x)))>);
static_assert(!predicate_like<struct x> && !predicate_like<decltype(next)>);
static_assert(std::is_same_v<decltype(predicate_result(condition_of<decltype(i < 3)>)), word<bool>>);
static_assert(std::is_same_v<decltype(predicate_result(condition_of<decltype(i & 4)>)), word<int>>);
static_assert(node_count(when(i, next)) == 3 && node_count(when(i & 1, next)) == 3);
constexpr auto while_negative = loop_while(predicate(any_negative{})(in(x), extent(x)), fill(out(x), 1.0));
static_assert(reads(while_negative, x) && writes(while_negative, x) && is_input(while_negative, x));

// Attributes: a limit is a record's number or an argument; passes without a test are rows of their own, of the same nodes.
constexpr auto limited = loop_while(i < 3, next, at_most(10));
static_assert(limited.records[0].shape.count == 10 && node_count(limited) == 4 && limited.tree.argument_count == 4);
static_assert(reads(loop_while(i < 3, next, at_most(rounds)), rounds) && !reads(limited, rounds));
constexpr auto seldom = loop_while(i < 3, seq(next, other), check_every<4>, at_most<7>());
static_assert(seldom.tree.every == 4 && node_count(seldom) == 3 + 4 * 2 && seldom.leaves == 3);
static_assert(graph_depth(seldom, 1) == 5 && graph_width(seldom, 1) == 2);  // each pass waits for what it needs of the last
static_assert(node_count(do_while(when(i < 2, next), i < 3, check_every<2>)) == 3 + 2 * 3);
static_assert(loop_report<decltype(seq(limited, when(i < 3, repeat(2, until))))>::count == 3);
static_assert(diagnose<decltype(loop_while(i < 3, next, at_most(1), at_most(2)))> == loop_option_is_repeated<while_loop>{});
static_assert(diagnose<decltype(loop_while(i < 3, next, at_most(1), check_every<2>, check_every<3>))> == loop_option_is_repeated<while_loop>{});
static_assert(diagnose<decltype(do_while(next, i < 3, at_most(1), check_every<2>, at_most(2)))> == loop_option_is_repeated<core::do_loop>{});
static_assert(diagnose<decltype(repeat(3, next, at_most(1), at_most(2)))> == loop_option_is_repeated<core::counted_loop>{});
static_assert(diagnose<decltype(do_while(next, i < 3, check_every<-1>))> == tests_need_an_iteration_between_them<-1>{});
static_assert(diagnose<decltype(repeat(3, next, 5))> == not_a_loop_option<int>{});
// A given shape: two options, or four in any order; repeated and wrong ones are refused.
constexpr auto shaped = loop_while(i < 3, seq(next, other), check_every<4>, block_of<512>, at_most(7), grid_of<whole_device>);
static_assert(shaped.tree.every == 4 && shaped.records[0].shape.count == 7 && shaped.tree.block == 512 && shaped.tree.grid == whole_device && shaped.leaves == 3);
static_assert(core::has_given_shape(shaped.tree) && core::persists_always(seq(shaped, next, seldom).tree));
// The number of elements is constant: no other kernels than so many need, and none of the nodes alone.
struct set_to {
    COGRAPH_HD void operator()(index_t at, double& to) const { to = static_cast<double>(at); }
};
inline constexpr struct of_hundred : temp<of_hundred, double, cograph::elements<100>> {} of_hundred;
template <class Shape, class... Options>
constexpr auto over_constant(Shape shape, Options... options) { return loop_while(i < 3, seq(for_each(shape, set_to{})(out(x[each])), assign(i, i + 1)), options...); }
constexpr auto few = over_constant(over<400>());
constexpr auto more = over_constant(over<1000>());
constexpr auto many = over_constant(over<5000>());
constexpr auto too_many = over_constant(over<(1 << 22) + 1>());
constexpr auto unknown = over_constant(over(400));
static_assert(core::known_extent(few.tree) == 400 && core::known_extent(over_constant(over(of_hundred)).tree) == 100 && core::known_extent(unknown.tree) == -1);
static_assert(core::known_extent(loop_while(i < 3, seq(few, for_each(over(x), set_to{})(out(x[each])))).tree) == -1 && core::known_extent(loop_while(i < 3, assign(i, i + 1)).tree) == 0);
static_assert(core::known_extent(over_constant(over<1000>().every<2>()).tree) == 1000 && core::known_extent(seq(few, more).tree) == 1000);
static_assert(core::persists_always(few.tree) && core::persists_always(seq(many, next).tree) && !core::persists_always(too_many.tree) && !core::persists_always(seq(shaped, unknown).tree));
static_assert(core::threads_of_few(few.tree, false) == 512 && core::threads_of_few(more.tree, false) == 1024 && core::threads_of_few(more.tree, true) == 0 && core::threads_of_few(many.tree, false) == 0);
static_assert(core::threads_of_few(over_constant(over<400>(), block_of<256>).tree, false) == 0 && core::threads_of_few(over_constant(over<400>(), block_of<768>).tree, false) == 768);
static_assert(core::threads_of_few(over_constant(over<400>(), grid_of<2>).tree, false) == 0 && core::threads_of_few(unknown.tree, false) == 0);
static_assert(do_while(next, i < 3, grid_of<2>).tree.grid == 2 && do_while(next, i < 3, grid_of<2>).tree.block == 0);
static_assert(repeat(3, next, block_of<256>, at_most(2), grid_of<1>).tree.grid == 1 && !core::has_given_shape(repeat(3, next, block_of<256>).tree));
static_assert(repeat<3>(next, block_of<256>).tree.block == 256 && limited.tree.block == 0);
static_assert(diagnose<decltype(loop_while(i < 3, next, grid_of<2>, grid_of<2>))> == loop_option_is_repeated<while_loop>{});
static_assert(diagnose<decltype(loop_while(i < 3, next, at_most(2), block_of<100>))> == block_is_not_made_of_tiles<100>{});
static_assert(diagnose<decltype(do_while(next, i < 3, grid_of<0>, block_of<256>))> == grid_has_no_blocks<0>{});
static_assert(at_most(~0ull).most == PTRDIFF_MAX && at_most(7u).most == 7);
static_assert(diagnose<decltype(at_most(1.5))> == limit_is_not_an_integer<double>{});
static_assert(diagnose<decltype(at_most())> == arguments_are_not_those_of<core::at_most_call>{});
static_assert(diagnose<decltype(at_most(1, 2))> == arguments_are_not_those_of<core::at_most_call, int, int>{});

// Passes over arrays count as no nodes of the user's.
struct is_large {
    COGRAPH_HD bool operator()(double value) const { return value > 9; }
};
constexpr auto settle = loop_while(!any_of(x, is_large{}) || max_abs(x) < 3, fill(out(x), 1.0));
static_assert(node_count(settle) == 4 + 2 * 2 && settle.leaves == 2 * 2 + 2);
static_assert(reads(settle, x) && is_mutated(settle, x) && ordered(seq(next, settle), at<0>, at<1>) == false);
static_assert(loop_report<decltype(settle)>::count == 1);
static_assert(name_view(label("settle", settle).records[2].label) == "settle");
static_assert(node_count(loop_while(max_abs(x) < 3, fill(out(x), 1.0), check_every<5>)) == 3 + 5 + 2);
static_assert(node_count(loop_while(max_abs(x) < 3, fill(out(x), 1.0), check_every<5>, at_most(10), grid_of<2>, block_of<256>)) == 3 + 5 + 2);
static_assert(diagnose<decltype(all_of(tol, is_large{}))> == not_an_array<struct tol>{});
static_assert(diagnose<decltype(all(rr > tol))> == formula_has_no_elements<formula_over<struct rr, struct tol>>{});

// Places are those of the user's line.
constexpr unsigned line_here = __LINE__ + 1;
constexpr auto placed = when(i == 0, next);
static_assert(placed.records[0].line == line_here &&
              name_view(placed.records[0].file) == name_view(__FILE__));
static_assert(loop.records[0].line > 0 && until.records[0].line > 0 && thrice.records[0].line > 0);
static_assert(name_view(label("solve", loop).records[0].label) == "solve");
static_assert(decltype(loop)::tree.name.read() == "while" && decltype(cases)::tree.name.read() == "switch");

}  // namespace control_test
