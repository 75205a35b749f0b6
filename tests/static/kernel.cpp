// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph.hpp>

#include <cstdint>
#include <type_traits>

using namespace cograph;
using namespace cograph::core;

namespace kernel_test {

struct matrix {
    const float* values;
    int rows;
};

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct s : scalar<s, float> {} s;
inline constexpr struct tol : value<tol, double> {} tol;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct A : view<A, matrix> {} A;
inline constexpr struct t : temp<t, float, struct x> {} t;

TEST_KERNEL void apply(const float*, float*, int);
TEST_KERNEL void solve(matrix, float*, const double, std::ptrdiff_t);
TEST_KERNEL void nothing_at_all();
template <class T>
TEST_KERNEL void scale(T*, T) {}
void apply_on_host(const float*, float*, int);

template <class Node, class... A>
constexpr bool holds(Node, list<A...>) {
    return std::is_same_v<typename Node::arguments, list<A...>>;
}

// Pointers without a mark follow the constness of the parameter; marks, values, extents and literals stay
// what they are.
constexpr auto unmarked = kernel<apply>(over(x))(x, y, extent(x));
static_assert(holds(unmarked, list<in_t<struct x>, inout_t<struct y>, extent_t<struct x>>{}));
static_assert(reads(unmarked, x, y) && writes(unmarked, y) && !writes(unmarked, x));
static_assert(is_input(unmarked, y) && is_mutated(unmarked, y) && !is_mutated(unmarked, x));

constexpr auto marked_out = kernel<apply>(over(x))(in(x), out(y), 3);
static_assert(holds(marked_out, list<in_t<struct x>, out_t<struct y>, given<int>>{}));
static_assert(!reads(marked_out, y) && !is_input(marked_out, y) && is_output(marked_out, y));

static_assert(holds(kernel<apply>(over(x))(s, t, n),
                    list<in_t<struct s>, inout_t<struct t>, in_t<struct n>>{}));
static_assert(holds(kernel<apply>(over(x))(x, in(y), 1), list<in_t<struct x>, in_t<struct y>, given<int>>{}),
              "a kernel may promise to write less than its parameter allows");
static_assert(holds(kernel<solve>(grid(1))(in(A), out(x), tol, extent(x)),
                    list<in_t<struct A>, out_t<struct x>, in_t<struct tol>, extent_t<struct x>>{}));
static_assert(holds(kernel<solve>(grid(1))(inout(A), x, 1, 2),
                    list<inout_t<struct A>, inout_t<struct x>, given<double>, given<std::ptrdiff_t>>{}),
              "literals take the parameter's type");
static_assert(holds(kernel<scale<float>>(over(x))(x, 0.5), list<inout_t<struct x>, given<float>>{}));
static_assert(holds(kernel<nothing_at_all>(grid(1))(), list<>{}));

// What an extent arrives as decides how large it may be; of parameters that are not known it may be any.
struct take_small {
    COGRAPH_HD void operator()(index_t, const unsigned&, index_t, float, bool) const noexcept {}
};
struct take_any {
    COGRAPH_HD void operator()(index_t, auto) const {}
};
struct take_two_ways {
    COGRAPH_HD void operator()(index_t, int) const {}
    COGRAPH_HD void operator()(index_t, index_t) const {}
};
static_assert(holds(for_each(over(1), take_small{})(extent(x), extent(x), extent(x), extent(x)),
                    list<constant_extent, small_extent<struct x, 4294967295>, extent_t<struct x>, extent_t<struct x>, extent_t<struct x>>{}));
static_assert(!takes_small_extents<take_any, 1, extent_t<struct x>> && !takes_small_extents<take_two_ways, 1, extent_t<struct x>> &&
              !takes_small_extents<take_small, 1, int, extent_t<struct x>> && takes_small_extents<void (*)(int), 0, extent_t<struct x>>);
static_assert(decltype(unmarked)::tree.arguments[2].size == 2147483647 && decltype(unmarked)::tree.arguments[1].size == 0);
static_assert(argument_as<unsigned, extent_t<struct x>>.size == 4294967295 && argument_as<std::uint64_t, extent_t<struct x>>.size == 0);

// A formula over extents and values is a number that the host computes: as the parameter's type where that is known.
template <class P, class F, class... V>
using number = host_value<P, F, V...>;
using minus_constant = core::apply<operation::difference, placeholder, constant<int>>;
using times = core::apply<operation::product, placeholder, placeholder>;
static_assert(holds(for_each(over(1), take_small{})(extent(x) - 1, extent(x) - 1, n * extent(x), n - 1),
                    list<constant_extent, number<unsigned, minus_constant, extent_t<struct x>>, number<index_t, minus_constant, extent_t<struct x>>,
                         number<float, times, struct n, extent_t<struct x>>, number<bool, minus_constant, struct n>>{}));
static_assert(holds(for_each(over(1), take_any{})(n - 1), list<constant_extent, number<int, minus_constant, struct n>>{}));
static_assert(holds(for_each(over(1), take_two_ways{})(n - 1), list<constant_extent, number<int, minus_constant, struct n>>{}));
static_assert(holds(kernel<apply>(over(x))(x, out(y), n - 1), list<in_t<struct x>, out_t<struct y>, number<int, minus_constant, struct n>>{}));
static_assert(takes_small_extents<take_small, 1, decltype(n - 1)> && !takes_small_extents<take_any, 1, decltype(n - 1)>);

// It stands in the plan with what it reads: its variables, and of values that they are read; its constants are kept.
constexpr auto of_formulas = kernel<apply>(over(x))(x, out(y), n - 1 + 0 * extent(t));
static_assert(reads(of_formulas, n) && !writes(of_formulas, n) && !reads(of_formulas, t));
static_assert(decltype(of_formulas)::tree.arguments[2].form == argument_form::computed);
static_assert(plan_of<decltype(of_formulas)>::view.count.named == 4 && plan_of<decltype(of_formulas)>::view.count.kept_values == 1);

// Whether an argument fits.
static_assert(fit<const float*, struct x>::result == fitness::fits);
static_assert(fit<const float*, out_t<struct x>>::result == fitness::writes_const);
static_assert(fit<const float*, inout_t<struct t>>::result == fitness::writes_const);
static_assert(fit<float*, in_t<struct x>>::result == fitness::fits);
static_assert(fit<double*, struct x>::result == fitness::differs);
static_assert(fit<float, struct x>::result == fitness::differs);
static_assert(fit<int, struct tol>::result == fitness::differs, "a value keeps its type");
static_assert(fit<double, struct tol>::result == fitness::fits &&
              fit<const double, struct tol>::result == fitness::fits);
static_assert(fit<matrix, struct A>::result == fitness::lacks_access_mode);
static_assert(fit<matrix, in_t<struct A>>::result == fitness::fits);
static_assert(fit<int, extent_t<struct x>>::result == fitness::fits);
static_assert(fit<std::uint64_t, extent_t<struct x>>::result == fitness::fits);
static_assert(fit<short, extent_t<struct x>>::result == fitness::differs);
static_assert(fit<double, extent_t<struct x>>::result == fitness::differs);
static_assert(fit<float, int>::result == fitness::fits && fit<float*, int>::result == fitness::differs);

// A node knows its name, its place, its label and its shape; a label and a host implementation change nothing else.
static_assert(decltype(unmarked)::tree.name.read() == "apply");
static_assert(decltype(kernel<nothing_at_all>(grid(1))())::tree.name.read() == "nothing_at_all");
static_assert(unmarked.records[0].label == nullptr && unmarked.records[0].line > 0);
static_assert(name_view(unmarked.records[0].file) == name_view(__FILE__));
namespace {
TEST_KERNEL void hidden() {}
}  // namespace
static_assert(decltype(kernel<hidden>(grid(1))())::tree.name.read() == "hidden");
constexpr unsigned line_here = __LINE__ + 1;
constexpr auto labelled = label("y = A x", kernel<apply, apply_on_host>(over(x))(x, y, 1));
static_assert(name_view(labelled.records[0].label) == "y = A x" && labelled.records[0].line == line_here);
static_assert(
    std::is_same_v<decltype(labelled)::arguments, list<in_t<struct x>, inout_t<struct y>, given<int>>>);

// Shapes.
constexpr shape_values values_of(core::record r) { return r.shape; }
constexpr auto usual = values_of(unmarked.records[0]);
static_assert(usual.block[0] == 256 && usual.block[1] == 1 && usual.block[2] == 1 && usual.shared == 0);
constexpr auto shaped =
    values_of(kernel<nothing_at_all>(grid(2, 3, 4).block(5, 6, 7).shared(89))().records[0]);
static_assert(shaped.grid[0] == 2 && shaped.grid[1] == 3 && shaped.grid[2] == 4);
static_assert(shaped.block[0] == 5 && shaped.block[1] == 6 && shaped.block[2] == 7 && shaped.shared == 89);
static_assert(values_of(kernel<nothing_at_all>(over(1000).block(64))().records[0]).count == 1000);
static_assert(over(x).block(128).values.block[0] == 128);
static_assert(decltype(over(x))::counts_elements &&
              !decltype(grid(1))::counts_elements);
static_assert(decltype(over(x))::domain::describe.form == argument_form::extent);
static_assert(decltype(over(n))::domain::describe.form == argument_form::object);
static_assert(decltype(over(5))::domain::describe.form == argument_form::count);

// The extent of what a kernel runs over is no access to it.
static_assert(!reads(kernel<nothing_at_all>(over(x))(), x) &&
              edge_count(seq(kernel<scale<float>>(over(x))(out(y), 1), kernel<apply>(over(y))(x, t, 1))) ==
                  0);

// Only literals take room in an expression.
static_assert(std::is_same_v<decltype(unmarked)::kept_type, nothing>);
static_assert(!std::is_same_v<decltype(marked_out)::kept_type, nothing>);
static_assert(sizeof(unmarked) == sizeof(core::record));

// What kernels alone can be asked for leaves their type as it is.
constexpr auto asked = over(1000).cluster<2, 2>().block(64).priority(-3).cooperative().programmatic();
constexpr auto asking = kernel<nothing_at_all>(asked)();
static_assert(std::is_same_v<decltype(asking), const decltype(kernel<nothing_at_all>(over(1000))())>);
constexpr shape_values values_asked = asking.records[0].shape;
static_assert(values_asked.cluster == (2u | 2u << 8 | 1u << 16) && values_asked.block[0] == 64 && values_asked.priority == -3);
static_assert(values_asked.cooperative && values_asked.programmatic && values_asked.count == 1000);
struct touch_index {
    COGRAPH_HD void operator()(index_t) const {}
};
static_assert(diagnose<decltype(for_each(over(10).priority(1), touch_index{})())> == attributes_are_for_kernels<touch_index>{});
static_assert(diagnose<decltype(grid(8).cluster<17>())> == cluster_is_too_large<17, 1, 1>{});
static_assert(diagnose<decltype(grid(8).cluster<4, 0>())> == extent_is_not_positive<4, 0, 1>{});

}  // namespace kernel_test
