// SPDX-License-Identifier: Apache-2.0
// For Compiler Explorer: a loop that the compiler lowers to one kernel, simulated here.
#include <cograph.hpp>

#include <cstdio>
#include <span>

using namespace cograph;

struct halve {
    COGRAPH_HD void operator()(index_t, double& x) const { x /= 2; }
};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct norm : scalar<norm, double> {} norm;

constexpr auto shrink = do_while(seq(for_each(over(x), halve{})(inout(x[each])), dot(out(norm), in(x), in(x))), norm > 1e-6);
static_assert(COGRAPH_VERSION >= 100);
static_assert(is_persistent(shrink, at<0>));
static_assert(node_count(shrink) == 5 && has_edge(shrink, calls<halve>, at<2>));

int main() {
    double numbers[] = {1, 2, 3};
    const auto report = simulate(shrink, x(std::span(numbers)));
    std::printf("%td iterations\n", report.iterations(at<0>));
    return report.iterations(at<0>) == 12 ? 0 : 1;
}
