// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph.hpp>
#include <cograph/plan/program.hpp>

using namespace cograph;

namespace lowering_test {

struct quad {
    double of[4];
};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct wide : scalar<wide, quad> {} wide;
inline constexpr struct tol : value<tol, double> {} tol;

TEST_KERNEL void smooth(const double*, double*);

struct halve {
    COGRAPH_HD void operator()(index_t, double& value) const { value /= 2; }
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
constexpr auto smoothed = kernel<smooth>(over(x))(in(x), out(y));

// A loop of library nodes, with a nested one and a branch.
constexpr auto library =
    seq(shrink, loop_while(s > tol, seq(repeat(3, shrink), when(s < 1, fill(out(y), 0)), dot(out(s), in(x), in(y)))));
static_assert(is_persistent(library, at<1>) && is_persistent(library, at<2>) && is_persistent(library, at<3>));
static_assert(is_persistent(library, at<4>) && is_persistent(library, at<6>));
static_assert(!is_persistent(library, at<0>) && why_not_persistent(library, at<0>) == persistence::not_in_a_loop);

// Each reason.
constexpr auto opaque = repeat(3, seq(shrink, smoothed));
static_assert(why_not_persistent(opaque, at<0>) == persistence::opaque_node);
static_assert(why_not_persistent(opaque, calls<halve>) == persistence::opaque_node, "the loop around it");
constexpr auto large = repeat(3, task(norm{})(out(s), in(wide)));
static_assert(why_not_persistent(large, at<0>) == persistence::scalar_is_large);
constexpr auto writing_task = repeat(3, task(put{})(out(x)));
static_assert(why_not_persistent(writing_task, at<0>) == persistence::task_writes_memory);
constexpr auto many_writers = repeat(3, for_each(over(x), count_up{})(out(i)));
static_assert(why_not_persistent(many_writers, at<0>) == persistence::element_node_writes_scalar);
constexpr auto ten = seq(shrink, shrink, shrink, shrink, shrink, shrink, shrink, shrink, shrink, shrink);
constexpr auto most = seq(ten, ten, ten, ten, ten, ten, ten, ten, ten, ten, ten, ten, ten);
static_assert(is_persistent(repeat(3, ten), at<0>));
static_assert(why_not_persistent(repeat(3, most), at<0>) == persistence::too_many_parameters);

constexpr auto kept = as_nodes(repeat(3, seq(shrink, repeat(2, shrink))));
static_assert(why_not_persistent(kept, at<0>) == persistence::kept_as_nodes && !is_persistent(kept, at<2>));
constexpr auto kept_inside = repeat(3, seq(shrink, as_nodes(repeat(2, shrink)), repeat(4, shrink)));
static_assert(why_not_persistent(kept_inside, at<0>) == persistence::kept_as_nodes && !is_persistent(kept_inside, at<2>));
static_assert(is_persistent(kept_inside, at<4>), "beside the part that is kept");

// In a loop that stays, inner loops are asked; the node at fault is named.
constexpr auto nested = repeat(2, seq(smoothed, repeat(3, shrink), when(s < 1, shrink), repeat(4, smoothed)));
static_assert(why_not_persistent(nested, at<0>) == persistence::opaque_node && !is_persistent(nested, at<1>));
static_assert(is_persistent(nested, at<2>) && is_persistent(nested, at<3>));
static_assert(!is_persistent(nested, at<4>) && !is_persistent(nested, at<5>) && !is_persistent(nested, at<6>));
template <class E>
constexpr int at_fault(const E&, int leaf) {
    const core::plan_view& p = core::plan_of<typename E::self>::view;
    return core::obstacle_of(p, core::row_of_leaf(p, leaf)).leaf;
}
static_assert(at_fault(nested, 0) == 1 && at_fault(nested, 6) == 7 && at_fault(opaque, 0) == 2 && at_fault(library, 1) == -1);
static_assert(at_fault(repeat(3, most), 0) == 0);

// The answers are those of the lowering itself.
template <class E>
constexpr int persistent_nodes(const E&) {
    const core::plan_view& p = core::plan_of<core::lowered<E>>::view;
    int found = 0;
    for (int r = 0; r < p.count.rows; ++r) found += p.rows[r].from->rule == core::launch_rule::persistent;
    return found;
}
static_assert(persistent_nodes(library) == 1 && persistent_nodes(nested) == 1 && persistent_nodes(opaque) == 0);

// Selectors must name one node.
static_assert(diagnose<decltype(is_persistent(opaque, at<9>))> ==
              reason::selector_matches_nothing<core::at_t<9>, reason::among_nodes<3>>{});
static_assert(diagnose<decltype(why_not_persistent(ten, calls<halve>))> ==
              reason::selector_matches_several<core::calls_t<halve>, reason::all_of_nodes<10>>{});

}  // namespace lowering_test
