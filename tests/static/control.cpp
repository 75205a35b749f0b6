// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

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
static_assert(loop.tree.kind == seed_kind::loop_while && loop.tree.child_count == 1);
static_assert(node_count(loop) == 4 && region_count(loop) == 2 && nesting(loop) == 1 &&
              edge_count(loop) == 2);
static_assert(depth(loop) == 2 && depth(loop, 1) == 2 && width(loop) == 1 && width(loop, 1) == 1);
static_assert(reads(loop, i) && writes(loop, i) && is_mutated(loop, i));

constexpr auto until = do_while(next, i < 3);
static_assert(until.tree.kind == seed_kind::do_while && node_count(until) == 4 && region_count(until) == 2);

constexpr auto thrice = repeat(3, other);
static_assert(thrice.tree.kind == seed_kind::repeat && node_count(thrice) == 4 && !is_input(thrice, i));
static_assert(reads(repeat(rounds, other), rounds) && reads(repeat(i, other), i) &&
              is_input(repeat(i, other), i));

// A branch is the test and the branch; its bodies may be empty.
constexpr auto one_way = when(rr > tol, down);
static_assert(one_way.tree.kind == seed_kind::when && node_count(one_way) == 3 && region_count(one_way) == 2);
constexpr auto two_ways = when(rr > tol && i != 0, down, otherwise(seq(next, other)));
static_assert(node_count(two_ways) == 5 && region_count(two_ways) == 3 && two_ways.tree.child_count == 2);
static_assert(depth(two_ways, 1) == 1 && width(two_ways, 2) == 2);
static_assert(node_count(when(rr > tol, seq())) == 2 &&
              region_count(when(rr > tol, seq(), otherwise(down))) == 3);
constexpr auto cases = switch_on(i + 1, next, seq(), down, other);
static_assert(cases.tree.kind == seed_kind::switch_on && node_count(cases) == 5 && region_count(cases) == 5);

// Nested: levels add up, and what is inside is seen outside.
constexpr auto nested = loop_while(rr > tol, seq(down, when(i < 5, repeat(2, next), otherwise(other))));
static_assert(nesting(nested) == 3 && region_count(nested) == 5 && node_count(nested) == 11);
static_assert(reads(nested, rr, tol, i) && writes(nested, rr, i, j) && !reads(nested, j) &&
              !is_output(nested, tol));

// A body that is used twice makes two regions of its own.
static_assert(region_count(seq(loop, loop)) == 3 && node_count(seq(loop, loop)) == 8);

// Predicates: whatever is bool or an integer, from formulas, bare variables and function objects.
static_assert(predicate_like<decltype(i < 3)> && predicate_like<struct i> &&
              predicate_like<decltype(test(any_negative{})(in(x), extent(x)))>);
static_assert(!predicate_like<struct x> && !predicate_like<decltype(next)>);
static_assert(std::is_same_v<decltype(predicate_result(condition_of<decltype(i < 3)>)), word<bool>>);
static_assert(std::is_same_v<decltype(predicate_result(condition_of<decltype(i & 4)>)), word<int>>);
static_assert(node_count(when(i, next)) == 3 && node_count(when(i & 1, next)) == 3);
constexpr auto while_negative = loop_while(test(any_negative{})(in(x), extent(x)), fill(out(x), 1.0));
static_assert(reads(while_negative, x) && writes(while_negative, x) && is_input(while_negative, x));

// Places are those of the user's line.
constexpr unsigned line_here = __LINE__ + 1;
constexpr auto placed = when(i == 0, next);
static_assert(placed.records[0].line == line_here &&
              name_view(placed.records[0].file) == name_view(__FILE__));
static_assert(loop.records[0].line > 0 && until.records[0].line > 0 && thrice.records[0].line > 0);
static_assert(name_view(label("solve", loop).records[0].label) == "solve");
static_assert(decltype(loop)::tree.name.read() == "while" && decltype(cases)::tree.name.read() == "switch");

}  // namespace control_test
