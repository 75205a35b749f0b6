// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>
#include <cograph/host_driven.hpp>

#include <span>
#include <sstream>
#include <string>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct left : scalar<left, double> {} left;
inline constexpr struct iteration : scalar<iteration, int> {} iteration;
inline constexpr struct shown : pinned_buffer<shown, int> {} shown;

struct halve {
    COGRAPH_HD double operator()(index_t, double& value) const { return value *= 0.5; }
};
struct is_large {
    COGRAPH_HD bool operator()(double element) const { return element > 4; }
};

// [driven]
template <class See>
constexpr auto falling(See see) {
    return seq(assign(left, 1e9), assign(iteration, 0),
               label("falling", loop_while(left > 10,
                                           host_driven(seq(transform_reduce(over(x), halve{}, plus{})(out(left), inout(x[each])),
                                                           assign(iteration, iteration + 1),
                                                           copy(in(iteration), out(shown)),
                                                           host(see)(in(shown)))),
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

// Not asked for: the host decides about loops and branches that hold what no other body may hold, and about those around them.
// [chosen]
template <class See>
constexpr auto logged(See see) {
    return label("falling", loop_while(left > 10, seq(transform_reduce(over(x), halve{}, plus{})(out(left), inout(x[each])),
                                                      assign(iteration, iteration + 1),
                                                      when(iteration % 2 == 0, seq(copy(in(iteration), out(shown)), host(see)(in(shown))))), check_every<2>));
}
constexpr auto chosen = logged(see_nothing{});
static_assert(is_host_driven(chosen, at<0>) && is_host_driven(chosen, at<3>));
// [/chosen]
constexpr auto loud = host(see_nothing{})(in(iteration));
constexpr auto quiet = seq(transform_reduce(over(x), halve{}, plus{})(out(left), inout(x[each])), assign(iteration, iteration + 1));
static_assert(why_not_persistent(chosen, at<0>) == lowering_status::driven_by_host);
static_assert(std::is_same_v<decltype(do_while(seq(quiet, loud), iteration > 3)), decltype(do_while(host_driven(seq(quiet, loud)), iteration > 3))>);
static_assert(is_host_driven(do_while(seq(quiet, loud), left > 1), at<0>) && is_host_driven(repeat(iteration, loud), at<0>) && is_host_driven(repeat<3>(loud, at_most(2)), at<0>));
static_assert(is_host_driven(repeat(3, label("inner", loop_while(left > 1, seq(quiet, loud)))), at<0>) && is_host_driven(repeat(3, label("inner", loop_while(left > 1, seq(quiet, loud)))), "inner"));
static_assert(is_host_driven(when(iteration > 3, quiet, otherwise(loud)), at<0>) && is_host_driven(when(iteration > 3, loud, otherwise(quiet)), at<0>) && is_host_driven(switch_on(iteration, quiet, loud), at<0>));
static_assert(!is_host_driven(repeat(3, seq(quiet, when(iteration > 3, quiet))), at<0>) && !is_host_driven(repeat(3, seq(quiet, when(iteration > 3, quiet))), at<3>) && !is_host_driven(seq(loud, quiet), at<0>));

}  // namespace

TEST_CASE("the host is chosen for loops and branches that no device can run, and pictures say so") {
    std::vector<double> xs(64, 8);
    std::vector<int> seen, copied(1);
    CHECK(simulate(logged([&](const int* at) { seen.push_back(*at); }), x(std::span(xs)), left(std::vector<double>{1e9}.data()), iteration(std::vector<int>{0}.data()), shown(std::span(copied))).iterations("falling") == 6);
    CHECK(seen == std::vector<int>{2, 4, 6});
    std::ostringstream picture, json;
    write_dot(picture, chosen);
    CHECK(picture.str().find("driven by the host") != std::string::npos);
    CHECK(picture.str().find("decided by the host") != std::string::npos);
    write_json(json, chosen);
    CHECK(json.str().find("\"as\": \"driven_by_host\"") != std::string::npos);
    CHECK_THROWS_AS(is_host_driven(chosen, "rising"), error);
}

TEST_CASE("loops that the host drives are simulated as others, with host functions in them") {
    std::vector<double> xs(64, 8);
    std::vector<int> seen, copied(1);
    double end = 0;
    const auto report = simulate(falling([&](const int* at) { seen.push_back(*at); }), x(std::span(xs)), left(&end), shown(std::span(copied)));
    CHECK(seen == std::vector<int>{1, 2, 3, 4, 5, 6});  // 512 / 64 is below 10, and an even number
    CHECK(end == 8);
    CHECK(report.iterations("falling") == 6);
    CHECK(report.ended_by("falling") == ending::predicate);
    std::vector<double> ys{1, 9, 3};
    CHECK(simulate(by_array, x(std::span(ys))).iterations(at<0>) == 2);
    CHECK(ys == std::vector<double>{0.25, 2.25, 0.75});
}
