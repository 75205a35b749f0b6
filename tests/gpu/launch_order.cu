// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <vector>

// Graphs with conditional nodes run one after another on a device, also on several streams.
namespace turns {

using namespace cograph;

inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct begun : scalar<begun, unsigned long long> {} begun;
inline constexpr struct ended : scalar<ended, unsigned long long> {} ended;
inline constexpr struct sums : buffer<sums, int> {} sums;

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}
__global__ void note_begin(unsigned long long* to) { *to = now(); }
__global__ void note_end(unsigned long long* to, const int*) { *to = now(); }
__global__ void increase(int* values, const unsigned long long*) { ++values[threadIdx.x]; }

// Each waits for the one before it by what it reads.
constexpr auto timed = seq(kernel<note_begin>(grid(1).block(1))(out(begun)), repeat(1000, kernel<increase>(grid(1).block(64))(inout(sums), begun)),
                           kernel<note_end>(grid(1).block(1))(out(ended), sums));
static_assert(ordered(timed, at<0>, at<1>) && ordered(timed, at<1>, at<3>));  // at<1> is the loop

TEST_CASE("graphs with conditional nodes on several streams run one after another", "[gpu][launch_order]") {
    constexpr std::size_t streams = 4, launches = 5;
    const ways::stream on[streams];
    const ways::device_array<unsigned long long> begins(streams, 0), ends(streams, 0);
    const ways::device_array<int> all(streams * 64, 0);
    const auto make = [&](std::size_t s) {
        return instantiate(timed, begun(begins.data() + s), ended(ends.data() + s), sums(all.all().subspan(s * 64, 64)));
    };
    using executable_type = decltype(make(0));
    std::vector<executable_type> execs;
    for (std::size_t s = 0; s < streams; ++s) execs.push_back(make(s));
    for (std::size_t launch = 0; launch < launches; ++launch) {
        for (std::size_t s = 0; s < streams; ++s) execs[s].launch(on[s]);
        for (const ways::stream& one : on) one.wait();
        const auto from = begins.read(), until = ends.read();
        for (std::size_t s = 0; s < streams; ++s) {
            CHECK(from[s] <= until[s]);
            if (s > 0) CHECK(until[s - 1] <= from[s]);
        }
    }
    CHECK(all.read() == std::vector<int>(streams * 64, 1000 * launches));
}

TEST_CASE("a graph with conditional nodes is launched without its turn, and then in turn", "[gpu][launch_order]") {
    const ways::stream on;
    const ways::device_array<unsigned long long> times(2, 0);
    const ways::device_array<int> all(64, 0);
    auto exec = instantiate(timed, begun(times.data()), ended(times.data() + 1), sums(all.all()));
    allow_concurrent_graphs(true);
    exec.launch(on);
    allow_concurrent_graphs(false);
    exec.launch(on);
    on.wait();
    CHECK(all.read() == std::vector<int>(64, 2000));
}

}  // namespace turns
