// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>
#include <cograph/host_driven.hpp>

#include <span>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct left : scalar<left, double> {} left;
inline constexpr struct pass : scalar<pass, int> {} pass;

struct halve {
    COGRAPH_HD double operator()(index_t, double& value) const { return value *= 0.5; }
};
struct is_large {
    COGRAPH_HD bool operator()(double element) const { return element > 4; }
};

// [driven]
template <class See>
constexpr auto falling(See see) {
    return seq(assign(left, 1e9), assign(pass, 0),
               label("falling", loop_while(left > 10,
                                           host_driven(seq(transform_reduce(over(x), halve{}, plus{})(out(left), inout(x[each])),
                                                           assign(pass, pass + 1),
                                                           host(see)(in(pass)))),
                                           check_every<2>)));
}
// [/driven]
struct see_nothing {
    void operator()(const int*) const {}
};

// Such a loop is one conditional node of the plan, which stays one, as loops around it do; its body may hold what no other may.
constexpr auto fixed = falling(see_nothing{});
static_assert(region_count(fixed) == 2 && !is_persistent(fixed, at<2>));
constexpr auto of_library_nodes = loop_while(left > 10, host_driven(transform_reduce(over(x), halve{}, plus{})(out(left), inout(x[each]))));
static_assert(!is_persistent(of_library_nodes, at<0>));
static_assert(is_persistent(loop_while(left > 10, transform_reduce(over(x), halve{}, plus{})(out(left), inout(x[each]))), at<0>));
static_assert(core::has_host_driven(of_library_nodes.tree) && core::is_host_driven(of_library_nodes.tree) && !core::has_host_driven(fill(out(x), 1).tree));
constexpr auto by_array = loop_while(any_of(x, is_large{}), host_driven(for_each(over(x), halve{})(inout(x[each]))));
static_assert(core::has_host_driven(by_array.tree));

}  // namespace

TEST_CASE("loops that the host drives are simulated as others, with host functions in them") {
    std::vector<double> xs(64, 8);
    std::vector<int> seen;
    double end = 0;
    const auto report = simulate(falling([&](const int* at) { seen.push_back(*at); }), x(std::span(xs)), left(&end));
    CHECK(seen == std::vector<int>{1, 2, 3, 4, 5, 6});  // 512 / 64 is below 10, and an even number
    CHECK(end == 8);
    CHECK(report.iterations("falling") == 6);
    CHECK(report.ended_by("falling") == ending::predicate);
    std::vector<double> ys{1, 9, 3};
    CHECK(simulate(by_array, x(std::span(ys))).iterations(at<0>) == 2);
    CHECK(ys == std::vector<double>{0.25, 2.25, 0.75});
}
