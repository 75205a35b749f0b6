// SPDX-License-Identifier: Apache-2.0
#include "every_call.hpp"

#include <cograph/check_on.cuh>

#include <span>
#include <string>
#include <vector>

// Comparisons of runs on a GPU whose kernels and graphs do nothing, while copies on streams do what they should.
namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct h : host_buffer<h, double> {} h;
inline constexpr struct s : scalar<s, double> {} s;

constexpr auto filled = seq(copy(in(x), out(t)), label("seven", fill(out(y), 7)), reduce(out(s), in(t)));

}  // namespace

TEST_CASE("runs that are compared with the host, whatever call fails", "[faults]") {
    double xs[4] = {1, 2, 3, 4}, ys[4] = {};
    const cudaStream_t on = nullptr;
    every_call::fail_every_call([&] { check_on(on, filled, x(xs), y(ys)); });
    every_call::fail_every_allocation([&] { check_on(on, filled, x(xs), y(ys)); });
}

TEST_CASE("a node that a GPU does not run differs from the host", "[faults]") {
    double xs[4] = {0, 0, 0, 0}, ys[4] = {7, 7, 5, 7};
    const auto report = check_on(nullptr, filled, x(xs), y(ys));
    INFO(report.text());
    bool named = false;
    for (const finding& f : report.findings())
        named |= f.kind == finding_kind::differs_from_host && f.element == 2 && f.value == 5 && f.expected == 7 &&
                 std::string(f.where.name.data, f.where.name.size) == "seven";
    CHECK(named);
    CHECK(report.text().find("gives another result on the GPU than on the host in 'y[2]': 5, and not 7") != std::string::npos);
    CHECK(check_on(nullptr, fill(out(y), 5), y(ys), check_tolerance(0.5)).empty());  // 7 and 5 are near enough
}

// Graphs do nothing here either, not even copies.
TEST_CASE("graphs that do other things than their nodes one by one are found, and each run begins with the same memory", "[faults]") {
    std::vector<double> hs = {1, 2, 3}, xs(3, 9);
    const auto report = check_on(nullptr, seq(label("save", copy(in(h), out(x)))), h(std::span(hs)), x(std::span(xs)));
    REQUIRE(report.findings().size() == 2);
    const finding_kind kinds[] = {finding_kind::differs_as_nodes, finding_kind::differs_as_graph};
    for (int i = 0; i < 2; ++i) {
        const finding& f = report.findings()[static_cast<std::size_t>(i)];
        CHECK(f.kind == kinds[i]);
        CHECK(std::string(f.where.name.data, f.where.name.size) == "save");
        CHECK(f.element == 0);
        CHECK(f.value == 9);
        CHECK(f.expected == 1);
    }
    CHECK(xs == std::vector<double>(3, 9));
}
