// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph.cuh>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Graphs with conditional nodes are serialized on a device.
namespace turns {

using namespace cograph;
using device_memory::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct passes : scalar<passes, int> {} passes;
__global__ void twice(double* values) { values[threadIdx.x] *= 2; }
constexpr auto doubling = kernel<twice>(over(x))(x);
constexpr auto loops = seq(assign(passes, 0), loop_while(passes < 3, seq(doubling, assign(passes, passes + 1))));

const std::span<double> values(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000);

template <class Exec>
std::vector<std::string> calls_of_launch(Exec& exec, const stream& on) {
    return every_call::calls_of([&] { exec.launch(on); });
}

using names = std::vector<std::string>;
const names in_turn{"cudaStreamWaitEvent", "cudaGraphLaunch", "cudaEventRecord"}, at_once{"cudaGraphLaunch"};

static_assert(std::is_same_v<decltype(allow_concurrent_graphs(true)), void>);

TEST_CASE("a launch waits for the last one of a graph with conditional nodes, and the next one for it", "[faults][launch_order]") {
    const stream on;
    const long events = fake_runtime::live().events;
    {
        auto exec = instantiate(loops, x(values));
        CHECK(calls_of_launch(exec, on) == in_turn);
        const auto other = instantiate(as_nodes(loops), x(values));
        CHECK(fake_runtime::live().events == events + 1);  // they have one event
        allow_concurrent_graphs(true);
        CHECK(calls_of_launch(exec, on) == at_once);
        allow_concurrent_graphs(false);
        auto moved = std::move(exec);
        CHECK(calls_of_launch(moved, on) == in_turn);
    }
    CHECK(fake_runtime::live().events == events);
}

TEST_CASE("other graphs take no turns", "[faults][launch_order]") {
    const stream on;
    auto exec = instantiate(seq(doubling, doubling), x(values));
    CHECK(calls_of_launch(exec, on) == at_once);
    auto persistent = instantiate(seq(assign(passes, 0), loop_while(passes < 3, assign(passes, passes + 1))));
    CHECK(calls_of_launch(persistent, on) == at_once);
}

TEST_CASE("a launch that is not over has its turn without its executable", "[faults][launch_order]") {
    const stream on;
    const fake_runtime::live_objects before = fake_runtime::live();
    const auto work = [&] { instantiate(loops, x(values)).launch(on); };
    const names calls = every_call::calls_of(work);
    const auto query = std::find(calls.begin(), calls.end(), "cudaEventQuery");
    REQUIRE(query != calls.end());
    const every_call::outcome seen = every_call::attempt(work, {static_cast<int>(query - calls.begin()), cudaErrorNotReady});
    CHECK(!seen.threw);
    CHECK(seen.left_behind == cudaSuccess);
    CHECK(fake_runtime::live().events == before.events + 1);
    work();  // takes it over
    CHECK((fake_runtime::live() == before));
}

TEST_CASE("launches in turn, whatever call fails", "[faults][launch_order]") {
    const stream on, other;
    every_call::fail_every_call([&] {
        auto exec = instantiate(loops, x(values));
        auto same = instantiate(loops, x(values));
        exec.launch(on);
        same.launch(other);
        exec.launch(on);
    });
}

}  // namespace turns
