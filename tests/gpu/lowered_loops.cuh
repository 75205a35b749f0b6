// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ways.cuh"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>
#include <vector>

// What the tests of loops as one kernel share: sizes, threads that fall out of step, a ring of numbers, and a wait that ends.
namespace lowered_loops {

using namespace cograph;
using ways::device_array;
using ways::stream;
using integer = std::int64_t;

inline constexpr struct x : buffer<x, integer> {} x;
inline constexpr struct y : buffer<y, integer> {} y;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct most : scalar<most, integer> {} most;
inline constexpr struct trace : scalar<trace, integer> {} trace;
inline constexpr struct it : scalar<it, int> {} it;
inline constexpr struct passes : value<passes, int> {} passes;

// Where one block ends and one cluster, where a tile gets a second chunk, and where chunks grow. A tool takes minutes for what a
// GPU does in a second: there fewer sizes, of each kind one, and fewer passes.
inline std::span<const int> extents() {
    static constexpr int all[] = {1,      255,    256,    257,    1'023,  1'024,   1'025,   2'048,   2'049,   8'191,   8'192,
                                  8'193,  16'383, 16'384, 16'385, 33'000, 33'793,  131'073, 262'143, 262'144, 262'145, 1'000'003};
    static constexpr int under_tool[] = {1, 257, 1'025, 16'385, 33'793};
    return leave_out::under_tool() ? std::span<const int>(under_tool) : all;
}
inline int passes_of(int many) { return leave_out::under_tool() ? many / 100 : many; }

// Now and then a thread takes its time, so that a barrier that is missing is missed.
COGRAPH_HD inline void dawdle([[maybe_unused]] integer seed) {
#ifdef __CUDA_ARCH__
    const unsigned hash = static_cast<unsigned>(seed * 0x9e3779b97f4a7c15u >> 40);
    if (hash % 512 != 0) return;
    const long long begin = clock64();
    while (clock64() - begin < (hash >> 9) % 4 * 2000) {
    }
#endif
}

struct mix {
    COGRAPH_HD void operator()(index_t i, integer& a, const integer& b, const integer& add) const {
        dawdle(i * 3 + b);
        a = (5 * a + b + add) % 1019;
    }
};

constexpr auto count_pass = assign(it, it + 1);

// Waits for all that a device does, but not for ever: what hangs would hang the test's end, too. Under a tool it may take
// as long as it takes.
inline void wait_for(const stream& on) {
    const auto begin = std::chrono::steady_clock::now();
    while (cudaStreamQuery(on) == cudaErrorNotReady) {
        if (!leave_out::under_tool() && std::chrono::steady_clock::now() - begin > std::chrono::minutes(2)) {
            std::fputs("a launch hangs\n", stderr);
            std::_Exit(1);
        }
        std::this_thread::yield();
    }
    on.wait();
}

// Each value has one more than its right neighbour had.
struct shift {
    COGRAPH_HD void operator()(index_t i, const integer* from, integer& to, int n) const {
        to = from[i + 1 == n ? 0 : i + 1] + 1;
    }
};
constexpr auto around =
    seq(assign(it, 0),
        loop_while(it < passes, seq(for_each(over(x), shift{})(in(x), out(y[each]), extent(x)),
                                    for_each(over(x), shift{})(in(y), out(x[each]), extent(x)), count_pass)));

class ring {
public:
    explicit ring(int elements, int rounds) : n_(elements), rounds_(rounds), x_(numbers(0)), y_(x_.read()) {}

    auto make() { return instantiate(around, x(x_.all()), y(y_.all()), passes(rounds_)); }
    bool went_round(int launches) const { return x_.read() == numbers(integer{2} * rounds_ * launches); }

private:
    std::vector<integer> numbers(integer moved) const {
        std::vector<integer> all(static_cast<std::size_t>(n_));
        for (int i = 0; i < n_; ++i) all[static_cast<std::size_t>(i)] = (i + moved) % n_ * 2 + moved;
        return all;
    }
    int n_, rounds_;
    device_array<integer> x_, y_;
};

}  // namespace lowered_loops
