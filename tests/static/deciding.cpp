// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>
#include <cograph/plan/deciding.hpp>

using namespace cograph;
using namespace cograph::core;

namespace deciding_test {

inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;

struct doubles {
    COGRAPH_HD void operator()(index_t, double& element) const { element *= 2; }
};
#ifdef __CUDACC__
__global__
#endif
    void
    count_up(int*) {}
constexpr auto grow = for_each(over(x), doubles{})(inout(x[each]));
constexpr auto next = assign(i, i + 1);

template <class E>
constexpr int kernels_that_decide(const E&) {
    return deciding_of<typename E::self>::rows.count;
}
// The first row of the kernel of the condition that comes Nth.
template <class E>
constexpr int rows_of(const E&, int n) {
    const auto& rows = deciding_of<typename E::self>::rows;
    return rows.conditions[n] - rows.first[rows.conditions[n]] + 1;
}

// A node of one thread and the condition that reads it; a reduction and the condition.
constexpr auto counted = loop_while(i < 3, seq(grow, next));
static_assert(kernels_that_decide(counted) == 1 && rows_of(counted, 0) == 2);
static_assert(kernels_that_decide(loop_while(s < 100, seq(grow, reduce(out(s), in(x))))) == 1);
static_assert(kernels_that_decide(seq(next, when(i < 3, grow))) == 1);

// What a predicate over arrays asks, before the loop and in it, or before a branch.
static_assert(kernels_that_decide(loop_while(max_abs(x) < 9, grow)) == 2);
static_assert(kernels_that_decide(when(all(x == y), grow)) == 1);

// Not where the condition waits for several, for a node over elements, for a __global__ function, or for nothing.
static_assert(kernels_that_decide(when(all(x == y) || max_abs(x) < 9, grow)) == 0);
static_assert(kernels_that_decide(loop_while(i < 3 && s < 3, seq(reduce(out(s), in(x)), next))) == 0);
static_assert(kernels_that_decide(loop_while(i < 3, seq(next, grow))) == 0);
static_assert(kernels_that_decide(loop_while(i < 3, kernel<count_up>(grid(1))(i))) == 0);
static_assert(kernels_that_decide(repeat(3, next)) == 0);
static_assert(kernels_that_decide(seq(grow, next)) == 0);

// With check_every, behind the last pass alone.
constexpr auto seldom = loop_while(i < 30, next, check_every<4>);
static_assert(kernels_that_decide(seldom) == 1 && rows_of(seldom, 0) == 2 && node_count(seldom) == 7);

}  // namespace deciding_test
