// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>
#include <cograph/plan/lowering/lower.hpp>
#include <cograph/plan/lowering/merged_kernels.hpp>

#include <type_traits>

// The largest or least term of a box of three dimensions is found in the kernel of the node before it, where no loop is one kernel.
namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct side : value<side, int> {} side;
inline constexpr struct other : value<other, int> {} other;
inline constexpr struct found : scalar<found, double> {} found;
inline constexpr struct whole : scalar<whole, int> {} whole;

struct relax {
    void operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> around, double& to) const { to = *around; }
};
struct spread {
    void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const { to = *around; }
};
struct larger {
    double operator()(index_t, index_t, index_t, double a, double b) const { return a < b ? b : a; }
    double operator()(index_t, index_t, double a, double b) const { return a < b ? b : a; }
};
struct round_down {
    int operator()(index_t, index_t, index_t, double a, double) const { return static_cast<int>(a); }
};
struct around {
    double operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> of, double) const { return *of; }
};
struct moving {
    double operator()(index_t, index_t, index_t, double a, double& to) const { return to = a; }
};
struct counting {
    double operator()(index_t, index_t, index_t, double a, double* bins) const { return bins[0] = a; }
};
struct set {
    void operator()(index_t, index_t, index_t, double& to) const { to = 1; }
};
constexpr auto cube = over(side, side, side);
constexpr auto step = for_each(cube, relax{})(in(y[near<1, 1, 1>]), out(x[each]));
constexpr auto back = for_each(cube, relax{})(in(x[near<1, 1, 1>]), out(y[each]));
constexpr auto largest_over(auto box, auto op) { return transform_reduce(box, larger{}, op)(out(found), in(x[each]), in(y[each])); }
constexpr auto largest = largest_over(cube, maximum{});

// How many kernels a sequence becomes.
constexpr int kernels(const core::node_spec& tree) {
    int count = tree.kind == core::spec_kind::work;
    if (core::lowering_of(tree).are_left_out) return 0;
    for (int i = 0; i < tree.child_count; ++i) count += kernels(*tree.children[i]);
    return count;
}
template <class E>
constexpr int kernels_of(const E&) {
    return kernels(core::lowered<typename E::self, core::graph_of_many<typename E::self>>::tree);
}
template <class E>
constexpr int kernels_in_other_boxes(const E&) {
    return kernels(core::lowered<typename E::self, core::graph_for::many_elements>::tree);
}

static_assert(kernels_of(seq(step, largest)) == 1 && kernels_of(seq(back, step, largest, back)) == 3);
static_assert(kernels_of(repeat(2, seq(step, largest, back))) == 2 && kernels_of(as_nodes(repeat(2, seq(step, largest, back)))) == 3);
static_assert(std::is_same_v<core::lowered<decltype(seq(step, largest))::self>, decltype(seq(step, largest))::self>, "elsewhere a reduction leads the kernel of those behind it");
static_assert(kernels_of(seq(step, largest_over(cube, minimum_or_nan{}))) == 1);
static_assert(kernels_of(seq(step, transform_reduce(cube, round_down{}, minimum{})(out(whole), in(x[each]), in(y[each])))) == 1);

static_assert(kernels_of(seq(step, largest_over(cube, plus{}))) == 2, "sums have an order");
static_assert(kernels_of(seq(step, transform_reduce(cube, round_down{}, plus{})(out(whole), in(x[each]), in(y[each])))) == 2, "their identity counts for each lane");
static_assert(kernels_of(seq(step, largest_over(over(side, side, other), maximum{}))) == 2, "another box");

// Boxes whose sides the types say, or not.
constexpr auto in_two_boxes(auto of_node, auto of_reduction) { return seq(for_each(of_node, relax{})(in(y[near<1, 1, 1>]), out(x[each])), largest_over(of_reduction, maximum{})); }
constexpr int over_two_boxes(auto of_node, auto of_reduction) { return kernels_of(in_two_boxes(of_node, of_reduction)); }
constexpr index_t beyond_32_bits = (index_t{1} << 32) + 8;
static_assert(over_two_boxes(over<200, 8, 300>(), over<200, 8, 300>()) == 1);
static_assert(over_two_boxes(over<200, 8, 300>(), over<200, 300, 8>()) == 2 && over_two_boxes(over<200, 8, 300>(), over<200, beyond_32_bits, 300>()) == 2, "another box");
static_assert(over_two_boxes(over<200, 8, 300>(), cube) == 2 && over_two_boxes(cube, over<200, 8, 300>()) == 2 && over_two_boxes(over<8, 8, side>(), over<8, 8, side>()) == 1);
static_assert(over_two_boxes(over(200, 8, 300), over(200, 8, 300)) == 1 && over_two_boxes(over<200, 8, 300>(), over(200, 8, 300)) == 1 && over_two_boxes(cube, over(200, 8, 300)) == 2);
static_assert(kernels_in_other_boxes(in_two_boxes(over(200, 8, 300), over(200, 8, 300))) == 2 && kernels_in_other_boxes(in_two_boxes(cube, cube)) == 1, "numbers may differ");
static_assert(core::asks_for_equal_boxes(repeat(2, in_two_boxes(over(2, 2, 2), over(2, 2, 2))).tree) && !core::asks_for_equal_boxes(as_nodes(in_two_boxes(over(2, 2, 2), over(2, 2, 2))).tree) &&
              !core::asks_for_equal_boxes(in_two_boxes(cube, cube).tree) && !core::asks_for_equal_boxes(in_two_boxes(over<2, 2, 2>(), over<2, 2, 3>()).tree));

static_assert(kernels_of(seq(step, largest_over(cube.checkerboard<0>(), maximum{}))) == 2, "a part of the box");
static_assert(kernels_of(seq(step, transform_reduce(cube, around{}, maximum{})(out(found), in(x[near<1, 1, 1>]), in(y[each])))) == 2);
static_assert(kernels_of(seq(step, transform_reduce(cube, around{}, maximum{})(out(found), in(y[near<1, 1, 1>]), in(x[each])))) == 2);
static_assert(kernels_of(seq(step, transform_reduce(cube, moving{}, maximum{})(out(found), in(x[each]), out(z[each])))) == 2, "its function writes");
static_assert(kernels_of(seq(step, transform_reduce(cube, counting{}, maximum{})(out(found), in(x[each]), inout(z)))) == 2, "its function writes");
static_assert(kernels_of(seq(largest, step)) == 2 && kernels_of(seq(step, largest, largest)) == 2);
static_assert(kernels_of(seq(for_each(cube, set{})(out(x[each])), largest)) == 2, "a thread has one element");
static_assert(kernels_of(seq(for_each(over(side, side), spread{})(in(y[near<1, 1>]), out(x[each])), largest_over(over(side, side), maximum{}))) == 2);

// What reports say of it: by node, the first one of its kernel if a loop has too many elements.
template <class E>
constexpr core::group_view reported(const E&) {
    return core::groups_if_too_many_elements<typename E::self>();
}
constexpr int node_of(auto const& e, auto selector) { return core::select<typename std::remove_cvref_t<decltype(e)>::self, decltype(selector)>().node; }
constexpr auto relaxing = repeat(2, seq(step, largest, back));
static_assert(reported(relaxing).first[node_of(relaxing, calls<larger>)] == node_of(relaxing, at<1>) && reported(relaxing).first[node_of(relaxing, at<3>)] == -1);
static_assert(share_kernel(relaxing, calls<larger>, at<3>) && !share_kernel(as_nodes(relaxing), calls<larger>, at<1>), "one kernel for all of the loop, extents aside");
constexpr auto summing = repeat(2, seq(step, largest_over(cube, plus{}), back));
static_assert(reported(summing).first[node_of(summing, calls<larger>)] == -1);
static_assert(reported(as_nodes(relaxing)).first == nullptr && reported(seq(step, largest)).first == nullptr, "no loop that may be one kernel");
inline constexpr struct hundred : temp<hundred, double, elements<100>> {} hundred;
static_assert(reported(repeat(2, seq(fill(out(hundred), 1), fill(out(hundred), 2)))).first == nullptr, "never too many");

// Temporal blocking: four steps there and back go over memory twice.
struct relax_by {
    void operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> around, neighbours<double, 2, 0, 1> other_around, double a, const double* all, double scale, double& to) const { to = *around + *other_around + a + *all * scale; }
};
struct relax_far {
    void operator()(index_t, index_t, index_t, neighbours<double, 1, 2, 1> around, double& to) const { to = *around; }
};
struct relax_also {
    void operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> around, double& to, double& also) const { also = to = *around; }
};
struct relax_and_read {
    void operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> around, double old, double& to) const { to = *around + old; }
};
struct relax_over_old {
    void operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> around, double& to) const { to = to + *around; }
};
struct pair {
    double a, b;
};
inline constexpr struct v : buffer<v, pair> {} v;
inline constexpr struct w : buffer<w, pair> {} w;
struct relax_pairs {
    void operator()(index_t, index_t, index_t, neighbours<pair, 1, 1, 1> around, pair& to) const { to = *around; }
};
struct small_pair {
    float a, b;
};
inline constexpr struct m : buffer<m, small_pair> {} m;
inline constexpr struct o : buffer<o, small_pair> {} o;
struct relax_small_pairs {
    void operator()(index_t, index_t, index_t, neighbours<small_pair, 1, 1, 1> around, small_pair& to) const { to = *around; }
};
struct larger_of_pairs {
    double operator()(index_t, index_t, index_t, small_pair a, small_pair b) const { return a.a < b.a ? b.a : a.a; }
};
inline constexpr struct factor : scalar<factor, double> {} factor;
constexpr auto around_x = in(x[near<1, 1, 1>]);
constexpr auto around_y = in(y[near<1, 1, 1>]);

static_assert(kernels_of(seq(step, back, step, back)) == 2 && kernels_of(seq(back, step, back, step)) == 2 && kernels_of(repeat(9, seq(back, step, back, step))) == 2);
static_assert(kernels_of(seq(step, back, step)) == 3 && kernels_of(seq(step, back, step, back, step)) == 3 && kernels_of(seq(step, back, step, back, step, back, step, back)) == 4);
static_assert(kernels_of(seq(step, back, step, back, largest)) == 2 && kernels_of(seq(step, back, step, back, largest_over(cube, plus{}))) == 3);
static_assert(kernels_of(seq(as_nodes(seq(step, back, step, back)))) == 4);
static_assert(std::is_same_v<core::lowered<decltype(seq(step, back, step, back))::self>, decltype(seq(step, back, step, back))::self>, "elsewhere boxes may be small");
constexpr auto by = for_each(cube, relax_by{})(around_y, in(z[near<2, 0, 1>]), in(z[each]), in(z), in(factor), out(x[each]));
static_assert(kernels_of(seq(by, back, by, back)) == 2 && kernels_of(seq(by, back, step, back)) == 2, "the other arguments are anything that none of them writes");
static_assert(kernels_of(seq(by, back, by, back, transform_reduce(cube, larger{}, maximum{})(out(factor), in(x[each]), in(y[each])))) == 3, "a step reads the result");

constexpr int four(auto a, auto b) { return kernels_of(seq(a, b, a, b)); }
static_assert(kernels_of(seq(step, back, largest, step, back)) == 4 && kernels_of(seq(step, largest, back, step, back)) == 4, "a reduction is between steps");
static_assert(four(step, for_each(over(side, side, other), relax{})(around_x, out(y[each]))) == 4, "another box");
static_assert(four(step, for_each(cube, relax_far{})(in(x[near<1, 2, 1>]), out(y[each]))) == 4, "it reads further");
static_assert(four(step, for_each(cube, relax_also{})(around_x, out(y[each]), out(z[each]))) == 4, "it writes more");
static_assert(four(step, for_each(cube, relax_and_read{})(around_x, in(y[each]), out(y[each]))) == 4 && four(step, for_each(cube, relax_over_old{})(around_x, inout(y[each]))) == 4, "it reads what it writes");
static_assert(four(step, for_each(cube, relax_and_read{})(around_x, in(x[each]), out(y[each]))) == 4, "it reads its own element twice");
static_assert(four(step, for_each(cube, relax{})(in(z[near<1, 1, 1>]), out(y[each]))) == 4, "it reads another variable");
static_assert(four(for_each(cube, relax_pairs{})(in(w[near<1, 1, 1>]), out(v[each])), for_each(cube, relax_pairs{})(in(v[near<1, 1, 1>]), out(w[each]))) == 4, "elements are no numbers");
constexpr auto pairs_there = for_each(cube, relax_small_pairs{})(in(m[near<1, 1, 1>]), out(o[each]));
constexpr auto pairs_back = for_each(cube, relax_small_pairs{})(in(o[near<1, 1, 1>]), out(m[each]));
constexpr auto largest_of_pairs = transform_reduce(cube, larger_of_pairs{}, maximum{})(out(factor), in(m[each]), in(o[each]));
static_assert(four(pairs_there, pairs_back) == 4 && kernels_of(seq(pairs_there, pairs_back, pairs_there, pairs_back, largest_of_pairs)) == 4, "the last node has its reduction, as elsewhere");

// Over a box of two dimensions, eight steps go over memory twice, too.
constexpr auto flat = over(side, other);
constexpr auto spread_there = for_each(flat, spread{})(in(y[near<1, 1>]), out(x[each]));
constexpr auto spread_back = for_each(flat, spread{})(in(x[near<1, 1>]), out(y[each]));
constexpr auto largest_of_flat = largest_over(flat, maximum{});
struct round_down_flat {
    int operator()(index_t, index_t, double a, double) const { return static_cast<int>(a); }
};
struct own_value {
    double operator()(index_t, double a) const { return a; }
};
struct spread_along {
    void operator()(index_t, index_t, neighbours<double, 0, 1> around, double to_add, double& to) const { to = *around + to_add; }
};
struct spread_far {
    void operator()(index_t, index_t, neighbours<double, 1, 2> around, double& to) const { to = *around; }
};
struct spread_pairs {
    void operator()(index_t, index_t, neighbours<small_pair, 1, 1> around, small_pair& to) const { to = *around; }
};
struct larger_of_flat_pairs {
    double operator()(index_t, index_t, small_pair a, small_pair b) const { return a.a < b.a ? b.a : a.a; }
};
constexpr auto four_of(auto a, auto b, auto... more) { return seq(a, b, a, b, more...); }
constexpr auto eight_of(auto a, auto b, auto... more) { return seq(a, b, a, b, a, b, a, b, more...); }
static_assert(kernels_of(four_of(spread_there, spread_back)) == 2 && kernels_of(eight_of(spread_there, spread_back)) == 2 && kernels_of(repeat(9, eight_of(spread_back, spread_there))) == 2);
static_assert(kernels_of(eight_of(spread_there, spread_back, largest_of_flat, spread_there, spread_back, spread_there, spread_back)) == 4);
static_assert(kernels_of(four_of(spread_there, spread_back, largest_of_flat, spread_there, spread_back, spread_there, spread_back, spread_there, spread_back, spread_there, spread_back, spread_there)) == 5);
static_assert(kernels_of(four_of(spread_there, spread_back, largest_over(flat, plus{}))) == 3 && kernels_of(seq(spread_there, spread_back, spread_there)) == 3);
static_assert(kernels_of(four_of(spread_there, spread_back, largest_over(over(side, side), maximum{}))) == 3, "another box");
static_assert(four(for_each(flat, spread_along{})(in(y[near<0, 1>]), in(z[each]), out(x[each])), spread_back) == 2);
static_assert(four(for_each(flat, spread_far{})(in(y[near<1, 2>]), out(x[each])), spread_back) == 4, "it reads further");
static_assert(four(for_each(over<64, 32>(), spread{})(in(y[near<1, 1>]), out(x[each])), for_each(over<64, 32>(), spread{})(in(x[near<1, 1>]), out(y[each]))) == 2);
static_assert(four(for_each(flat.checkerboard<0>(), spread{})(in(y[near<1, 1>]), out(x[each])), for_each(flat.checkerboard<0>(), spread{})(in(x[near<1, 1>]), out(y[each]))) == 4, "a part of the box");
static_assert(four(spread_there, back) == 4, "boxes of other dimensions");
static_assert(four(for_each(over<64, 96>(), spread{})(in(y[near<1, 1>]), out(x[each])), for_each(over<64, 96, 1>(), relax{})(in(x[near<1, 1, 1>]), out(y[each]))) == 4, "the same with equal sides");
// A step that may get other memory is not called for elements whose neighbours are not known.
template <class First, class Second>
constexpr bool may_look_up(First, Second) {
    return core::steps_in_a_pass<false, 2, 2, typename First::self, typename Second::self>::template may_look_up<0>(typename First::self::arguments{});
}
inline constexpr struct table : value<table, const double*> {
} table;
struct spread_by {
    void operator()(index_t, index_t, neighbours<double, 1, 1> around, const double* factors, double& to) const { to = factors[0] * *around; }
};
static_assert(may_look_up(for_each(flat, spread_by{})(in(y[near<1, 1>]), table, out(x[each])), spread_back) && may_look_up(for_each(flat, spread_along{})(in(y[near<0, 1>]), in(z[each]), out(x[each])), spread_back));
static_assert(!may_look_up(spread_there, spread_back));
struct spread_with {
    double factor, more;
    void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const { to = factor * *around + more; }
};
struct spread_with_table {
    const double* factors;
    void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const { to = factors[0] * *around; }
};
static_assert(!may_look_up(for_each(flat, spread_with{1, 2})(in(y[near<1, 1>]), out(x[each])), spread_back) && !may_look_up(for_each(over(64, 96), spread{})(in(y[near<1, 1>]), out(x[each])), spread_back));
static_assert(may_look_up(for_each(flat, spread_with_table{nullptr})(in(y[near<1, 1>]), out(x[each])), spread_back));

// Structs of numbers hold no pointer. All compilers are to find the same: kernels differ by it.
enum class choice : short { first };
struct own_number {
    double a;
    constexpr explicit own_number(double of) : a(of) {}
};
static_assert(own_number(2).a == 2);
template <class T>
struct twins {
    T first, second;
};
template <class T>
struct of_numbers {
    double a[3] = {1, 2, 3};
    choice b;
    twins<float> c[2];
    T last;
};
template <class T>
struct derived_twins : twins<double> {
    T more;
};
using core::holds_numbers;
static_assert(holds_numbers<double>() && holds_numbers<choice>() && holds_numbers<of_numbers<bool>>() && holds_numbers<derived_twins<int>>() && holds_numbers<of_numbers<twins<double>>>() && holds_numbers<twins<long[16]>>());
static_assert(!holds_numbers<double*>() && !holds_numbers<of_numbers<int*>>() && !holds_numbers<derived_twins<void*>>() && !holds_numbers<of_numbers<twins<const int*>>>() && !holds_numbers<of_numbers<int* [2]>>() && !holds_numbers<twins<double&>>());
static_assert(!holds_numbers<own_number>() && !holds_numbers<void (*)(int)>() && !holds_numbers<double of_numbers<int>::*>() && !holds_numbers<twins<long[17]>>(), "not known");
constexpr auto flat_pairs_there = for_each(flat, spread_pairs{})(in(m[near<1, 1>]), out(o[each]));
constexpr auto flat_pairs_back = for_each(flat, spread_pairs{})(in(o[near<1, 1>]), out(m[each]));
static_assert(kernels_of(four_of(flat_pairs_there, flat_pairs_back, transform_reduce(flat, larger_of_flat_pairs{}, maximum{})(out(factor), in(m[each]), in(o[each])))) == 5, "elements are no numbers");
using eight_steps = decltype(eight_of(spread_back, spread_there))::self;
static_assert(core::plan_of<core::lowered<eight_steps, core::graph_for::many_elements>>::view.nodes[1].edge_count == 1 && core::when_all_pay(eight_steps::tree).bytes == sizeof(double));
// A loop whose steps share passes leaves the chip where that takes less time, if all others do.
constexpr auto spreading = repeat(9, four_of(spread_back, spread_there));
constexpr auto others = repeat(9, seq(spread_back, spread_there, spread_there));
static_assert(core::passes_in_all_loops(seq(spreading, spreading).tree) && core::passes_in_all_loops(seq(spreading, as_nodes(others)).tree) && !core::passes_in_all_loops(seq(spreading, others).tree));

// Two nodes are an iteration of a loop that counts, or has its test after several iterations: some of them are two passes, and the nodes have a kernel each for
// those that are left. A reduction after the nodes runs in the last iteration.
inline constexpr struct times : value<times, int> {
} times;
constexpr auto largest_there = transform_reduce(flat, larger{}, maximum{})(out(found), in(y[each]), in(x[each]));
constexpr auto is_far = found > 1.0;
static_assert(kernels_of(repeat(times, seq(spread_back, spread_there))) == 4 && kernels_of(repeat(times, seq(back, step))) == 4 && kernels_of(repeat(9, seq(step, back), at_most(3))) == 4);
static_assert(kernels_of(repeat(times, seq(spread_back, spread_there, largest_there))) == 5 && kernels_of(loop_while(is_far, seq(spread_back, spread_there, largest_there))) == 3);
constexpr int tested_every(auto k, auto... nodes) { return kernels_of(loop_while(is_far, seq(nodes...), k)); }
static_assert(tested_every(check_every<2>, spread_back, spread_there, largest_there) == 2 && tested_every(check_every<4>, spread_back, spread_there, largest_there) == 2);
static_assert(tested_every(check_every<8>, spread_back, spread_there, largest_there) == 4 && tested_every(check_every<7>, spread_back, spread_there, largest_there) == 2 + 3 * 2 + 1);
static_assert(tested_every(check_every<8>, spread_back, spread_there, largest_over(flat, plus{})) == 5 && tested_every(check_every<4>, step, back, largest) == 4 && tested_every(check_every<3>, step, back, largest) == 5);
static_assert(kernels_of(do_while(seq(spread_back, spread_there, largest_there), is_far, check_every<4>)) == 2);
static_assert(kernels_of(loop_while(max_abs(x) > 1.0, seq(spread_back, spread_there), check_every<4>)) == 2 + 2, "the terms of the predicate, before the loop and in it");
static_assert(tested_every(check_every<4>, spread_back, largest_there, spread_there) == 3);
constexpr auto whole_term = transform_reduce(flat, round_down_flat{}, maximum{})(out(whole), in(x[each]), in(y[each]));
static_assert(kernels_of(repeat(whole, seq(spread_back, spread_there, whole_term))) == 3 && kernels_of(repeat(times, seq(spread_back, spread_there, whole_term))) == 5, "the loop counts by the result");
static_assert(kernels_of(repeat(times, seq(spread_back, for_each(flat, spread_along{})(in(y[near<0, 1>]), in(found), out(x[each])), largest_there))) == 3, "a step needs the result");
static_assert(kernels_of(as_nodes(repeat(times, seq(spread_back, spread_there)))) == 2 && kernels_of(repeat(times, seq(flat_pairs_there, flat_pairs_back))) == 2);
static_assert(core::passes_in_all_loops(repeat(times, seq(spread_back, spread_there)).tree) && core::when_all_pay(repeat(times, seq(spread_back, spread_there)).tree).bytes == sizeof(double));
constexpr auto there_over(auto box) { return for_each(box, spread{})(in(x[near<1, 1>]), out(y[each])); }
constexpr auto back_over(auto box) { return for_each(box, spread{})(in(y[near<1, 1>]), out(x[each])); }
static_assert(kernels_of(repeat(times, seq(there_over(over(200, 300)), back_over(over(200, 300))))) == 4 && kernels_of(repeat(times, seq(there_over(over<200, 300>()), back_over(over<200, 301>())))) == 2, "numbers may be equal");
// Nodes of scalars at the end of an iteration run as often, behind the passes, if neither the steps nor the count depend on them, and they not on the steps.
constexpr auto counting = assign(whole, whole + 1);
static_assert(kernels_of(repeat(times, seq(spread_back, spread_there, counting))) == 2 + 4 + 3 && kernels_of(repeat(times, seq(back, step, largest, counting, counting))) == 2 + 2 * 2 + 5);
static_assert(tested_every(check_every<4>, spread_back, spread_there, largest_there, counting) == 2 + 4 && tested_every(check_every<7>, spread_back, spread_there, largest_there, counting) == 2 + 3 * 2 + 1 + 7);
static_assert(kernels_of(repeat(whole, seq(spread_back, spread_there, counting))) == 3, "the loop counts by them");
static_assert(tested_every(check_every<4>, spread_back, spread_there, largest_there, assign(factor, found)) == 4, "they need a result");
static_assert(kernels_of(repeat(times, seq(spread_back, for_each(flat, spread_along{})(in(y[near<0, 1>]), in(factor), out(x[each])), assign(factor, factor / 2)))) == 3, "a step needs theirs");
static_assert(kernels_of(repeat(times, seq(spread_back, spread_there, fill(out(z), 1)))) == 3 && kernels_of(repeat(times, seq(spread_back, counting, spread_there))) == 3, "other nodes, another place");
constexpr auto counted = seq(repeat(times, seq(spread_back, spread_there, largest_there, assign(factor, factor * 3.0), counting)), counting);
using as_counted = core::lowered<decltype(counted)::self, core::graph_for::many_elements>;
constexpr const core::plan_view &of_counted = core::plan_of<as_counted>::view, &of_nodes = core::plan_of<decltype(counted)::self>::view;
static_assert(of_counted.count.leaves == of_nodes.count.leaves && of_counted.count.kept_values == of_nodes.count.kept_values && of_counted.count.loops == 1 && of_counted.count.conditions == 1);
// Both loops, of passes and of the remainder, are one loop with its nodes.
constexpr auto turning = repeat(2, seq(repeat(times, seq(spread_back, spread_there)), spread_back));
using turns = core::lowered<decltype(turning)::self, core::graph_for::many_elements>;
constexpr const core::plan_view& of_turns = core::plan_of<turns>::view;
static_assert(of_turns.count.loops == 2 && of_turns.count.leaves == 5 && of_turns.count.handles == 3 && of_turns.count.conditions == 2);
static_assert(share_kernel(turning, at<2>, at<3>) && reported(turning).first[node_of(turning, at<3>)] == node_of(turning, at<2>) && reported(turning).first[node_of(turning, at<4>)] == -1);
constexpr auto rarely = loop_while(is_far, seq(spread_back, spread_there, largest_there), check_every<4>);
static_assert(reported(rarely).first[node_of(rarely, at<2>)] == node_of(rarely, at<1>));

// So are a step and a copy back, perhaps with a reduction between them: the copy runs in iterations that are left over.
constexpr auto spread_on = for_each(flat, spread{})(in(x[near<1, 1>]), out(y[each]));
constexpr auto back_again = copy(in(y), out(x));
static_assert(kernels_of(repeat(times, seq(spread_on, back_again))) == 2 + 2 + 2 + 2 && kernels_of(repeat(times, seq(back, back_again))) == 2 + 2 + 2, "passes of eight iterations, of four, two steps by turns, and the remainder; of three dimensions, of four");
static_assert(kernels_of(repeat(times, seq(spread_on, largest_there, back_again))) == 9 && tested_every(check_every<4>, spread_on, largest_there, back_again) == 2 + 2 && tested_every(check_every<3>, spread_on, largest_there, back_again) == 3);
static_assert(kernels_of(repeat(times, seq(spread_on, back_again, counting))) == 2 + 8 + 2 + 4 + 2 + 2 + 3 && tested_every(check_every<5>, spread_on, largest_there, back_again, counting) == 2 + 3 + 5);
static_assert(tested_every(check_every<5>, spread_on, largest_there, back_again) == 2 + 3 && tested_every(check_every<18>, spread_on, largest_there, back_again) == 4 + 2 + 2);
static_assert(tested_every(check_every<12>, spread_on, largest_there, back_again) == 2 + 4 + 2 && tested_every(check_every<7>, back, largest, back_again) == 2 + 2 + 3 && kernels_of(loop_while(whole < 9, seq(spread_on, back_again, counting), check_every<8>)) == 2 + 1 + 8, "iterations that are left over take turns");
constexpr auto of_all = transform_reduce(over(x), own_value{}, maximum{})(out(found), in(x[each]));
static_assert(tested_every(check_every<4>, spread_on, of_all, back_again) == 3 && tested_every(check_every<6>, spread_on, of_all, back_again) == 2 + 2 + 3, "over more elements than the box, perhaps");
static_assert(kernels_of(repeat(times, seq(spread_on, copy(in(x), out(y))))) == 2 && kernels_of(repeat(times, seq(spread_on, copy(in(y), out(z))))) == 2 && kernels_of(repeat(times, seq(back_again, spread_on))) == 2, "another copy");
static_assert(kernels_of(repeat(times, seq(for_each(flat, spread_along{})(in(x[near<0, 1>]), in(found), out(y[each])), largest_there, back_again))) == 3, "the step needs the result");
static_assert(kernels_of(repeat(times, seq(for_each(flat, spread_pairs{})(in(m[near<1, 1>]), out(o[each])), copy(in(o), out(m))))) == 2, "elements are no numbers");
constexpr auto copying = repeat(times, seq(spread_on, largest_there, back_again));
using copies = core::lowered<decltype(copying)::self, core::graph_for::many_elements>;
static_assert(core::plan_of<copies>::view.count.loops == 1 && core::plan_of<copies>::view.count.leaves == 4 && core::when_all_pay(copying.tree).bytes == sizeof(double));
static_assert(reported(copying).first[node_of(copying, at<1>)] == -1 && reported(copying).first[node_of(copying, at<3>)] == -1);

// How large arrays have to be for passes, and whether tiles that fit come first.
constexpr bool pays(auto e, int mebibytes, bool after_tiles) { return core::when_all_pay(e.tree).mebibytes == mebibytes && core::when_all_pay(e.tree).after_tiles == after_tiles; }
constexpr auto copied_every(auto k) { return loop_while(is_far, seq(spread_on, largest_there, back_again), k); }
constexpr auto copied_back = repeat(times, seq(back, copy(in(y), out(x))));
static_assert(pays(repeat(times, seq(spread_back, spread_there)), 48, false) && pays(spreading, 48, false) && pays(copying, 56, false) && pays(copied_every(check_every<8>), 56, false) && pays(copied_every(check_every<7>), 56, true));
static_assert(pays(repeat(times, seq(back, step)), 12, true) && pays(copied_back, 8, true) && pays(repeat(times, seq(step, back, step, back)), 24, true));
static_assert(pays(seq(copied_back, repeat(times, seq(back, step))), 12, true) && pays(seq(copied_back, spreading), 48, true) && pays(seq(copied_back, as_nodes(spreading)), 8, true) && pays(others, 0, false));

// What is between the two passes is a temp of the lowered expression alone.
using four_steps = decltype(seq(step, back, step, back))::self;
constexpr const core::plan_view& of_four = core::plan_of<four_steps>::view;
constexpr const core::plan_view& of_passes = core::plan_of<core::lowered<four_steps, core::graph_for::many_elements>>::view;
constexpr int temps_of(const core::plan_view& plan) {
    int count = 0;
    for (int i = 0; i < plan.count.named; ++i) count += plan.variables[i].info->kind == core::variable_kind::temp && core::extent_source(plan.variables[i].info) == &core::info_of<struct y>;
    return count;
}
static_assert(of_passes.count.named == of_four.count.named + 1 && temps_of(of_passes) == 1 && temps_of(of_four) == 0);
constexpr const int* first_of_kernel = core::groups_of<four_steps, core::graph_for::many_elements>::view.first;
static_assert(first_of_kernel[0] == 0 && first_of_kernel[1] == 0 && first_of_kernel[2] == 2 && first_of_kernel[3] == 2);
static_assert(core::when_all_pay(four_steps::tree).bytes == sizeof(double) && core::plan_of<core::lowered<four_steps, core::graph_for::many_in_caches>>::size.nodes == 4, "caches may hold a box");
// The first pass writes nothing else, and the second one waits for it alone.
static_assert(of_passes.nodes[0].from->leaves == 2 && of_passes.nodes[1].from->leaves == 2 && of_passes.nodes[1].edge_count == 1);

}  // namespace
