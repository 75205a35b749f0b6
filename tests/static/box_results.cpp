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

}  // namespace
