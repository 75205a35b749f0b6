// SPDX-License-Identifier: Apache-2.0
#include "every_call.hpp"

#include <cograph/check_finite.cuh>
#include <cograph/profile.cuh>

#include <span>

// Runs that watch every node: a call of theirs that fails is told too, and leaves no event, no memory behind.
namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct s : scalar<s, double> {} s;

struct square {
    COGRAPH_HD double operator()(index_t, double of) const { return of * of; }
};
constexpr auto watched = seq(copy(in(x), out(t)), reduce(out(s), in(t)), transform_reduce(over(t), square{}, plus{})(out(s), in(t[each])), loop_while(s > 1, seq(assign(s, s / 2), fill(out(t), 1))));

}  // namespace

TEST_CASE("runs that time every node, whatever call fails", "[faults]") {
    double xs[4] = {1, 2, 3, 4};
    const cudaStream_t on = nullptr;
    every_call::fail_every_call([&] { profile(on, watched, x(xs)); }, false);  // events are recorded for no node too
    every_call::fail_every_allocation([&] { profile(on, watched, x(xs)); });
}

TEST_CASE("runs that look for NaN, whatever call fails", "[faults]") {
    double xs[4] = {1, 2, 3, 4};
    const cudaStream_t on = nullptr;
    every_call::fail_every_call([&] { check_finite(on, watched, x(xs)); });
    every_call::fail_every_allocation([&] { check_finite(on, watched, x(xs)); });
}
