// SPDX-License-Identifier: Apache-2.0
#include "lowered_loops.cuh"

#include <vector>

// Loops as one kernel of very many iterations.
namespace {

using namespace lowered_loops;

inline constexpr struct elements_of_x : value<elements_of_x, integer> {} elements_of_x;

struct grow {
    COGRAPH_HD void operator()(index_t, integer& own) const { ++own; }
};

}  // namespace

TEST_CASE("a million barriers, in one block, in one cluster and on the whole device", "[gpu][lowering][long]") {
    const stream on;
    for (const int n : {1'000, 8'000, 33'792, 135'000}) {
        DYNAMIC_SECTION(n << " elements") {
            ring one(n, 500'000);
            auto exec = one.make();
            exec.launch(on);
            wait_for(on);
            CHECK(exec.fetch(it) == 500'000);
            CHECK(one.went_round(1));
        }
    }
}

// What blocks join at a barrier is read with the last arrival: never too early, and never what a barrier before was about.
TEST_CASE("a million results that barriers bring", "[gpu][lowering][long]") {
    constexpr auto joined = seq(
        assign(it, 0), assign(trace, 0),
        repeat(passes, seq(for_each(over(x), grow{})(inout(x[each])), assign(it, it + 1), reduce(out(sum), in(x)),
                           when(sum != elements_of_x * it, assign(trace, trace + 1)), reduce(out(most), in(x), maximum{}),
                           when(most != it, assign(trace, trace + 1)))));
    static_assert(is_persistent(joined, at<2>));
    const stream on;
    for (const int n : {33'792, 131'072, 135'000}) {
        DYNAMIC_SECTION(n << " elements") {
            device_array<integer> xs(static_cast<std::size_t>(n), 0);
            auto exec = instantiate(joined, x(xs.all()), passes(500'000), elements_of_x(n));
            exec.launch(on);
            wait_for(on);
            CHECK(exec.fetch(it) == 500'000);
            CHECK(exec.fetch(trace) == 0);
        }
    }
}

TEST_CASE("ten million passes neither drift nor hang", "[gpu][lowering][long]") {
    constexpr int many = 10'000'000;
    constexpr auto spin = repeat(many, seq(for_each(over(x), mix{})(inout(x[each]), in(x[each]), 7),
                                           assign(trace, (trace * 31 + 7) % 1'000'003)));
    integer expected = 3, traced = 0;
    for (int pass = 0; pass < many; ++pass) {
        expected = (6 * expected + 7) % 1019;
        traced = (traced * 31 + 7) % 1'000'003;
    }
    const stream on;
    for (const int n : {700, 33'792}) {
        DYNAMIC_SECTION(n << " elements") {
            device_array<integer> xs(static_cast<std::size_t>(n), 3), state(1, 0);
            auto exec = instantiate(spin, x(xs.all()), trace(state.data()));
            exec.launch(on);
            wait_for(on);
            CHECK((xs.read() == std::vector<integer>(static_cast<std::size_t>(n), expected)));
            CHECK(exec.fetch(trace) == traced);
        }
    }
}
