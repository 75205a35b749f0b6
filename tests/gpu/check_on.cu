// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cograph/check_on.cuh>

#include <string>
#include <vector>

using namespace cograph;

// Runs in several ways on a GPU that are compared with each other and with the host.
namespace check_on_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : temp<y, double, struct x> {} y;
inline constexpr struct total_of : scalar<total_of, double> {} total_of;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct n : scalar<n, int> {} n;
inline constexpr struct p : pinned_buffer<p, double> {} p;
struct cell {
    double* at;
};
inline constexpr struct behind : view<behind, cell> {} behind;

struct smooth {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t count) const {
        to = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
    }
};
struct magnitude {
    COGRAPH_HD double operator()(index_t, double value) const { return value * value; }
};
// Gives another number on a device, in one iteration.
struct scale {
    double error;
    COGRAPH_HD void operator()(index_t i, double& value, const int& pass) const {
        value *= 0.5;
#ifdef __CUDA_ARCH__
        if (i == 7 && pass == 2) value += error;
#else
        (void)i;
        (void)pass;
#endif
    }
};
struct put {
    COGRAPH_HD void operator()(cell to, double value) const { *to.at = value; }
};

std::string text(core::name_view name) { return {name.data, name.size}; }

constexpr auto right = seq(assign(n, 0), label("loop", do_while(seq(for_each(over(x), smooth{})(in(x), out(y[each]), extent(x)), copy(in(y), out(x)),
                                                                    transform_reduce(over(x), magnitude{}, plus{})(out(s), in(x[each])),
                                                                    assign(n, n + 1)),
                                                                s > 1.0 && n < 20)));

TEST_CASE("what is right is the same in every way to run it", "[gpu][check_on]") {
    const ways::stream on;
    std::vector<double> from(1000);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i % 17);
    const ways::device_array<double> xs(from), ss(1, 0.0);
    const ways::device_array<int> ns(1, 0);
    // [check_on]
    const check_report report = check_on(on, right, x(xs.all()), s(ss.data()), n(ns.data()), check_tolerance(1e-12));
    INFO(report.text());
    CHECK(report.empty());
    // [/check_on]
    CHECK(ns.read()[0] == 20);
}

TEST_CASE("a node that gives another number on a GPU is named, with its iteration", "[gpu][check_on]") {
    const ways::stream on;
    const ways::device_array<double> xs(100, 8.0);
    const ways::device_array<int> ns(1, 0);
    const auto with = [](double error) {
        return seq(assign(n, 0), label("five", repeat(5, seq(label("scale", for_each(over(x), scale{error})(inout(x[each]), n)), assign(n, n + 1)))));
    };
    const auto report = check_on(on, with(0.25), x(xs.all()), n(ns.data()));
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    const finding& found = report.findings()[0];
    CHECK(found.kind == finding_kind::differs_from_host);
    CHECK(text(found.where.name) == "scale");
    CHECK(text(found.variable) == "x");
    CHECK(found.element == 7);
    CHECK(found.iteration == 2);
    CHECK(text(found.loop.name) == "five");
    CHECK(found.value == 1.25);
    CHECK(found.expected == 1);
    const auto near = check_on(on, with(1e-9), x(xs.all()), n(ns.data()), check_tolerance(1e-6));
    CHECK(near.empty());
    const auto far = check_on(on, with(1e-3), x(xs.all()), n(ns.data()), check_tolerance(1e-6));
    CHECK(!far.empty());
}

TEST_CASE("what differs from run to run is found in the graphs", "[gpu][check_on]") {
    const ways::stream on;
    const ways::device_array<double> xs(4, 0.0);
    double* pinned = nullptr;
    REQUIRE(cudaMallocHost(&pinned, 4 * sizeof(double)) == cudaSuccess);
    int calls = 0;
    const auto count = [&calls](double* to) {
        ++calls;
        for (int i = 0; i < 4; ++i) to[i] = calls;
    };
    const auto report = check_on(on, seq(host(count)(out(p)), label("last", copy(in(p), out(x)))), x(xs.all()), p(pinned, 4));
    INFO(report.text());
    CHECK(calls == 3);
    bool as_graph = false, as_nodes = false;
    for (const finding& f : report.findings()) {
        as_graph |= f.kind == finding_kind::differs_as_graph && text(f.variable) == "x" && text(f.where.name) == "last" && f.value == 3 && f.expected == 1;
        as_nodes |= f.kind == finding_kind::differs_as_nodes && text(f.variable) == "x" && text(f.where.name) == "last" && f.value == 2 && f.expected == 1;
    }
    CHECK(as_graph);
    CHECK(as_nodes);
    CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("what a view leads to is not compared with the host", "[gpu][check_on]") {
    const ways::stream on;
    const ways::device_array<double> hidden(1, 0.0);
    const auto report = check_on(on, single_task(put{})(inout(behind), 3.0), behind(cell{hidden.data()}));
    CHECK(report.empty());
    CHECK(hidden.read()[0] == 3);
}

TEST_CASE("check runs on the host in a program that nvcc compiles", "[gpu][check_on]") {
    std::vector<double> xs(100);
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<double>(i * i % 17);
    double sum = 0;
    int passes = 0;
    CHECK(check(right, x(std::span(xs)), s(&sum), n(&passes)).text() == "");
    CHECK(passes == 20);
    const auto report = check(for_each(over(x), smooth{})(in(x), out(x[each]), extent(x)), x(std::span(xs)));
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::read_write_race);
    sum = 0;
    double other = 0;
    const auto divided = check(when(s / total_of > 1, assign(s, 1)), s(&sum), total_of(&other));
    REQUIRE(divided.findings().size() == 1);
    CHECK(divided.findings()[0].kind == finding_kind::nan_in_predicate);
}

}  // namespace check_on_test
