// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

// Which temps may share memory.

using namespace cograph;
using namespace cograph::reason;

namespace partly_written {
struct set_one {
    COGRAPH_HD void operator()(index_t, float& to) const { to = 1; }
};
}  // namespace partly_written

namespace {

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct n : scalar<n, int> {} n;
inline constexpr struct a : temp<a, float, struct x> {} a;
inline constexpr struct b : temp<b, float, struct x> {} b;
inline constexpr struct c : temp<c, float, struct x> {} c;

constexpr auto from_a_to_c = seq(copy(in(x), out(a)), copy(in(a), out(b)), copy(in(b), out(c)), copy(in(c), out(x)));
static_assert(!may_alias(from_a_to_c, a, b), "one node uses both");
static_assert(may_alias(from_a_to_c, a, c), "b is written between them");

constexpr auto side_by_side = par(seq(copy(in(x), out(a)), copy(in(a), out(b))), copy(in(y), out(c)));
static_assert(!may_alias(side_by_side, a, c) && !may_alias(side_by_side, b, c), "branches run at once");

constexpr auto unordered = seq(seq(fill(out(a), 1), copy(in(a), out(x))), seq(fill(out(b), 1), copy(in(b), out(y))));
static_assert(!may_alias(unordered, a, b), "no edge orders them, and none is added");

constexpr auto step = seq(copy(in(x), out(a)), copy(in(a), out(x)), copy(in(x), out(b)), copy(in(b), out(x)), assign(n, n - 1));
static_assert(may_alias(loop_while(n > 0, step), a, b), "every pass writes both anew");
static_assert(may_alias(repeat(2, loop_while(n > 0, step)), a, b));
constexpr auto carried = seq(copy(in(x), out(b)), loop_while(n > 0, seq(copy(in(x), out(a)), copy(in(a), out(x)),
                                                                       copy(in(b), out(x)), copy(in(x), out(b)), assign(n, n - 1))));
static_assert(!may_alias(carried, a, b), "b goes from pass to pass");
static_assert(may_alias(seq(copy(in(y), out(b)), copy(in(b), out(x)), loop_while(n > 0, step)), a, b), "b is written anew in every pass");
static_assert(!may_alias(seq(copy(in(y), out(b)), when(n > 0, step), copy(in(b), out(y))), a, b), "b is kept around the branch");
// Of the elements behind those that a node runs over, it writes none.
template <class Domain>
constexpr auto some_of_b(Domain domain) {
    return seq(fill(out(b), 5), loop_while(n > 0, seq(for_each(over(domain), partly_written::set_one{})(out(b[each])), copy(in(b), out(x)), copy(in(x), out(a)),
                                                      copy(in(a), out(y)), assign(n, n - 1))));
}
static_assert(may_alias(some_of_b(x), a, b) && may_alias(some_of_b(b), a, b), "b is written anew in every pass");
static_assert(!may_alias(some_of_b(y), a, b) && !may_alias(some_of_b(3), a, b), "what the pass does not reach in b stays from pass to pass");
constexpr auto two_branches = when(n > 0, seq(fill(out(a), 1), copy(in(a), out(x))), otherwise(seq(fill(out(b), 1), copy(in(b), out(x)))));
static_assert(may_alias(two_branches, a, b), "one of them runs");

static_assert(diagnose<decltype(may_alias(side_by_side, a, x))> == only_temps_may_alias<struct x>{});
static_assert(diagnose<decltype(may_alias(unordered, a, c))> == variable_is_not_in_the_expression<struct c>{});
static_assert(diagnose<decltype(may_alias(unordered, y, c))> == several<only_temps_may_alias<struct y>, variable_is_not_in_the_expression<struct c>>{});
static_assert(diagnose<decltype(may_alias(unordered, a, 3))> == not_a_variable<int>{});
#ifndef __CUDA_ARCH__  // what is bound is checked once, for the host
static_assert(diagnose<decltype(memory_usage(unordered, x(static_cast<float*>(nullptr), 0)))> == unbound_variable<struct y>{});
#endif

// What an update may name: variables of the expression, each once, and memory that may be written where it is.
template <class E, class... B>
constexpr auto update_of(const E&, B...) {
    return core::diagnose_update<typename E::self, B...>();
}
constexpr float* memory = nullptr;
constexpr const float* constant = nullptr;
static_assert(update_of(unordered, x(memory, 0)) == fine{} && update_of(unordered) == fine{});
static_assert(update_of(unordered, device_updatable(x(memory, 0)), y(memory, 0)) == fine{});
static_assert(update_of(unordered, n(static_cast<int*>(nullptr))) == unknown_variable<struct n>{});
static_assert(update_of(unordered, x(memory, 0), x(memory, 1)) == variable_bound_twice<struct x>{});
static_assert(update_of(unordered, x(constant, 0)) == bound_memory_is_const<struct x>{});
static_assert(update_of(unordered, 3) == not_a_binding<int>{});
static_assert(core::can_update<decltype(unordered)::self, decltype(x(memory, 0))>);
static_assert(core::is_device_updatable<decltype(device_updatable(x(memory, 0)))> && !core::is_device_updatable<decltype(x(memory, 0))>);

}  // namespace
