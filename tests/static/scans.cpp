// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

// Scans, compaction, and reductions to several scalars, in plans. Not in an unnamed namespace, where nvcc warns of a function that nothing calls.

namespace scans_in_plans {

using namespace cograph;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct large : buffer<large, float> {} large;
inline constexpr struct small : buffer<small, float> {} small;
inline constexpr struct length : scalar<length, int> {} length;
inline constexpr struct count : scalar<count, int> {} count;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct most : scalar<most, float> {} most;
inline constexpr struct i : scalar<i, int> {} i;

struct at_least {
    float least;
    COGRAPH_HD bool operator()(float value) const { return value >= least; }
};
// [transform]
struct weight {
    COGRAPH_HD float operator()(index_t at, float value, int every) const { return at % every == 0 ? value * value : 0; }
};
constexpr auto weights = transform_inclusive_scan(over(x), weight{}, plus{})(out(y), in(x[each]), 3);
// [/transform]
// [first]
constexpr auto of_first = seq(transform_exclusive_scan(over(x).first(length), weight{}, maximum{}, 0)(out(y), in(x[each]), 3),
                              copy_if(over(x).first(length), at_least{3})(in(x), out(large), out(count)));
// [/first]
// [partition]
constexpr auto parts = partition_copy(in(x), out(large), out(small), out(count), at_least{3});
// [/partition]
// [several]
struct size_of {
    COGRAPH_HD auto operator()(index_t, float value) const { return terms{double{value} * value, value}; }
};
constexpr auto sizes = transform_reduce(over(x), size_of{}, operations(plus{}, maximum{}))(out(total), out(most), in(x[each]));
// [/several]

// One node each, and one kernel in a loop.
static_assert(node_count(weights) == 1 && node_count(parts) == 1 && node_count(of_first) == 2 && node_count(inclusive_scan(in(x), out(y))) == 1);
static_assert(reads(weights, x) && writes(weights, y) && !reads(weights, y) && reads(of_first, length) && writes(of_first, count) && writes(parts, large, small, count));
static_assert(reads(sizes, x) && writes(sizes, total, most) && node_count(sizes) == 2 && edge_count(sizes) == 1);

template <class E>
constexpr bool is_one_kernel(E const& body) {
    return is_persistent(seq(assign(i, 0), loop_while(i < 10, seq(body, assign(i, i + 1)))), at<1>);
}
static_assert(is_one_kernel(weights) && is_one_kernel(of_first) && is_one_kernel(parts) && is_one_kernel(sizes) && is_one_kernel(copy_if(in(x), out(y), out(count), at_least{3})));

// What nodes of a group that reduces write is known to all after its barrier.
struct neighbour {
    COGRAPH_HD void operator()(index_t at, const float* all, float& to, index_t n) const { to = all[at + 1 < n ? at + 1 : 0]; }
};
struct halve {
    COGRAPH_HD void operator()(index_t, float from, float& to) const { to = from / 2; }
};
struct value_of {
    COGRAPH_HD double operator()(index_t, float value) const { return value; }
};
constexpr auto step = repeat(9, seq(for_each(over(x), neighbour{})(in(x), out(y[each]), extent(x)), transform_reduce(over(x), value_of{}, plus{})(out(total), in(y[each])),
                                    for_each(over(x), halve{})(in(y[each]), out(large[each])), for_each(over(x), neighbour{})(in(large), out(small[each]), extent(x))));
constexpr int barriers() {
    constexpr auto& found = core::persistent_plan<decltype(step)::self>::barriers;
    int many = 0;
    for (int leaf = 0; leaf < decltype(step)::self::leaves; ++leaf) many += (found.before[leaf] == core::barrier::grid) + (found.again[leaf] == core::barrier::grid);
    return many;
}
static_assert(is_persistent(step, at<0>) && barriers() == 1);  // with that of the reduction two: `large` is written again

// Segments are looked up once in a kernel that leaves the offsets as they are, of two nodes at most.
inline constexpr struct offsets : buffer<offsets, int> {} offsets;
inline constexpr struct sums : buffer<sums, float> {} sums;
struct element_at {
    COGRAPH_HD float operator()(index_t, index_t at, const float* of) const { return of[at]; }
};
struct move_on {
    COGRAPH_HD void operator()(index_t, int& offset) const { ++offset; }
};
constexpr auto segments = segmented_reduce(over(x), element_at{}, plus{})(out(sums), in(offsets), in(x));
constexpr auto moving = for_each(over(offsets), move_on{})(inout(offsets[each]));
template <class Program>
inline constexpr int looked_up_once = 0;
template <class Stage, int Number, int First, int Count, core::barrier Before, bool Joins>
inline constexpr int looked_up_once<core::stage_step<core::keeping_stage<Stage, Number>, First, Count, Before, Joins>> = 1;
template <class... Steps>
inline constexpr int looked_up_once<core::steps<Steps...>> = (0 + ... + looked_up_once<Steps>);
template <class Rule, int First, int Count, core::barrier Before, core::barrier Again, class... Bodies>
inline constexpr int looked_up_once<core::control_step<Rule, First, Count, Before, Again, Bodies...>> = (0 + ... + looked_up_once<Bodies>);
template <class E>
constexpr int lookups_kept(E const&) {
    return looked_up_once<typename core::program_of<E, E, 0, 0>::type>;
}
static_assert(lookups_kept(repeat(9, segments)) == 1 && lookups_kept(repeat(9, seq(segments, moving))) == 0 && lookups_kept(repeat(9, seq(when(count > 1, moving), segments))) == 0);
static_assert(lookups_kept(repeat(9, seq(segments, repeat(3, segments), segments))) == 2 && lookups_kept(repeat(9, step)) == 0);

}  // namespace scans_in_plans
