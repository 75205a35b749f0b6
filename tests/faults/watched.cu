// SPDX-License-Identifier: Apache-2.0
#include "every_call.hpp"

#include <cograph/check_finite.cuh>
#include <cograph/profile.cuh>

#include <limits>
#include <span>
#include <vector>

// Runs that watch every node: a call of theirs that fails is told too, and leaves no event, no memory behind.
namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct h : host_buffer<h, double> {} h;
inline constexpr struct p : pinned_buffer<p, double2> {} p;
inline constexpr struct points : buffer<points, double2> {} points;

struct square {
    COGRAPH_HD double operator()(index_t, double of) const { return of * of; }
};
constexpr auto watched = seq(copy(in(x), out(t)), reduce(out(s), in(t)), transform_reduce(over(t), square{}, plus{})(out(s), in(t[each])), loop_while(s > 1, seq(assign(s, s / 2), fill(out(t), 1))));

}  // namespace

TEST_CASE("runs that time every node, whatever call fails", "[faults]") {
    double xs[4] = {1, 2, 3, 4};
    const cudaStream_t on = nullptr;
    every_call::fail_every_call([&] { profile(on, watched, x(xs)); }, every_call::check_told);  // events are recorded for no node too
    every_call::fail_every_allocation([&] { profile(on, watched, x(xs)); });
}

TEST_CASE("runs that look for NaN, whatever call fails", "[faults]") {
    double xs[4] = {1, 2, 3, 4};
    const cudaStream_t on = nullptr;
    every_call::fail_every_call([&] { check_finite(on, watched, x(xs)); });
    every_call::fail_every_allocation([&] { check_finite(on, watched, x(xs)); });
}

TEST_CASE("runs that watch every node have nothing to do with an error of before", "[faults]") {
    double xs[4] = {1, 2, 3, 4};
    const cudaStream_t on = nullptr;
    REQUIRE(cudaSetDevice(7) != cudaSuccess);
    CHECK_NOTHROW(check_finite(on, watched, x(xs)));
    REQUIRE(cudaSetDevice(7) != cudaSuccess);
    CHECK_NOTHROW(profile(on, watched, x(xs)));
    cudaGetLastError();
}

// Kernels do not run here, copies do.
TEST_CASE("runs that look for NaN look through memory of the host on the host", "[faults]") {
    const cudaStream_t on = nullptr;
    std::vector<double> hs(4, 1), xs(4, 2);
    std::vector<double2> ps(2, double2{0, 0}), copied(2);
    const auto e = copy(in(h), out(x));
    fake_runtime::expect();
    check_finite(on, e, h(std::span(hs)), x(std::span(xs)));
    CHECK(every_call::count_of("<<<>>>") == 1);  // over x
    hs[2] = -std::numeric_limits<double>::infinity();
    check_no_nan(on, e, h(std::span(hs)), x(std::span(xs)));
    const auto found = [&](const auto& run) {
        try {
            run();
        } catch (const not_finite_error& why) {
            return why.element();
        }
        return index_t{-1};
    };
    CHECK(found([&] { check_finite(on, e, h(std::span(hs)), x(std::span(xs))); }) == 2);
    std::vector<double> to(4);
    CHECK(found([&] { check_finite(on, copy(in(x), out(h)), h(std::span(to)), x(std::span(hs))); }) == 2);
    ps[1].y = std::numeric_limits<double>::quiet_NaN();
    CHECK(found([&] { check_no_nan(on, copy(in(p), out(points)), p(std::span(ps)), points(std::span(copied))); }) == 1);
}
