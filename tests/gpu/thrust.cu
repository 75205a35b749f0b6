// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

// Algorithms of Thrust as captured calls: what can be captured, and how the others are refused.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct t : temp<t, int, struct x> {} t;
inline constexpr struct pass : scalar<pass, int> {} pass;
inline constexpr struct passes : value<passes, int> {} passes;
inline constexpr struct work : temp<work, char> {} work;

// [thrust]
// Hands out a temp: a call may not allocate where it is captured.
struct memory_of_temp {
    using value_type = char;
    char* next;
    char* end;
    char* allocate(std::ptrdiff_t bytes) {
        const std::ptrdiff_t rounded = (bytes + 255) / 256 * 256;
        if (rounded > end - next) throw std::bad_alloc();
        return std::exchange(next, next + rounded);
    }
    void deallocate(char*, std::size_t) {}
};
struct sum_up {
    cudaError_t operator()(cudaStream_t on, const int* values, int* sums, index_t n, char* memory, index_t bytes) const {
        memory_of_temp from{memory, memory + bytes};
        thrust::inclusive_scan(thrust::cuda::par_nosync(from).on(on), values, values + n, sums);
        return cudaGetLastError();
    }
};
// [/thrust]

struct mix {
    COGRAPH_HD int operator()(int value, int add) const { return (7 * value + add) % 1013; }
};
struct mix_all {
    cudaError_t operator()(cudaStream_t on, const int* from, int* to, index_t n) const {
        thrust::transform(thrust::cuda::par_nosync.on(on), from, from + n, to, to, mix{});
        return cudaGetLastError();
    }
};
struct sort_all {
    cudaError_t operator()(cudaStream_t on, int* values, index_t n, char* memory, index_t bytes) const {
        memory_of_temp from{memory, memory + bytes};
        thrust::sort(thrust::cuda::par_nosync(from).on(on), values, values + n, thrust::greater<int>());
        return cudaGetLastError();
    }
};
struct sum_up_in_memory_of_its_own {
    void operator()(cudaStream_t on, const int* values, int* sums, index_t n) const {
        thrust::inclusive_scan(thrust::cuda::par_nosync.on(on), values, values + n, sums);
    }
};
// Gives the host an iterator, so it waits for the stream.
struct sum_up_by_key {
    void operator()(cudaStream_t on, const int* values, int* sums, index_t n, char* memory, index_t bytes) const {
        memory_of_temp from{memory, memory + bytes};
        thrust::reduce_by_key(thrust::cuda::par_nosync(from).on(on), values, values + n, values, thrust::make_discard_iterator(), sums);
    }
};

constexpr auto in_loop = seq(
    assign(pass, 0), fill(out(work), 0), copy(in(x), out(t)),
    loop_while(pass < passes, seq(captured(mix_all{})(in(x), inout(t), extent(x)),
                                  when(pass % 2 == 0, captured(sort_all{})(inout(t), extent(t), inout(work), extent(work))),
                                  captured(sum_up{})(in(t), out(y), extent(t), inout(work), extent(work)),
                                  assign(pass, pass + 1))),
    copy(in(t), out(x)));

struct state {
    std::vector<int> xs, ys;
    void compute(int rounds) {
        std::vector<int> ts = xs;
        for (int round = 0; round < rounds; ++round) {
            std::transform(xs.begin(), xs.end(), ts.begin(), ts.begin(), mix{});
            if (round % 2 == 0) std::sort(ts.begin(), ts.end(), std::greater<int>());
            std::partial_sum(ts.begin(), ts.end(), ys.begin());
        }
        xs = ts;
    }
};
state started(int size) {
    state made{std::vector<int>(static_cast<std::size_t>(size)), std::vector<int>(static_cast<std::size_t>(size))};
    for (int i = 0; i < size; ++i) made.xs[static_cast<std::size_t>(i)] = i % 499;
    return made;
}
constexpr index_t work_bytes = index_t{8} << 20;

template <class E, class... B>
std::string refusal(const E& e, B... bindings) {
    try {
        instantiate(e, bindings...);
    } catch (const error& refused) {
        CHECK(cudaGetLastError() == cudaSuccess);
        return refused.what();
    }
    return "";
}

}  // namespace

TEST_CASE("algorithms of Thrust in loops and branches", "[gpu][thrust]") {
    const stream on;
    for (const bool as_graph : {false, true}) {
        INFO((as_graph ? "as a graph" : "eagerly"));
        state wanted = started(30'000), larger = started(200'000);
        device_array<int> xs(wanted.xs), ys(wanted.ys), more_xs(larger.xs), more_ys(larger.ys);
        const auto check = [&](state& all, int rounds, const device_array<int>& at_x, const device_array<int>& at_y) {
            on.wait();
            all.compute(rounds);
            CHECK((at_x.read() == all.xs));
            CHECK((at_y.read() == all.ys));
        };
        if (as_graph) {
            auto exec = instantiate(in_loop, x(xs.all()), y(ys.all()), passes(3), work(work_bytes));
            for (int launch = 0; launch < 2; ++launch) {
                exec.launch(on);
                check(wanted, 3, xs, ys);
            }
            exec.update(x(more_xs.all()), y(more_ys.all()), passes(4));
            exec.launch(on);
            check(larger, 4, more_xs, more_ys);
        } else {
            run_on(on, in_loop, x(xs.all()), y(ys.all()), passes(3), work(work_bytes));
            check(wanted, 3, xs, ys);
            run_on(on, in_loop, x(more_xs.all()), y(more_ys.all()), passes(4), work(work_bytes));
            check(larger, 4, more_xs, more_ys);
        }
    }
}

TEST_CASE("algorithms of Thrust that allocate or wait are refused, with their name", "[gpu][thrust]") {
    const stream on;
    device_array<int> xs(std::vector<int>{4, 4, 9, 9, 9, 1}), ys(6);
    const auto says = [](const std::string& said, const char* words) {
        INFO(said);
        return said.find(words) != std::string::npos;
    };
    const auto allocates = captured(sum_up_in_memory_of_its_own{})(in(x), out(y), extent(x));
    CHECK(says(refusal(allocates, x(xs.all()), y(ys.all())), "'sum_up_in_memory_of_its_own'"));
    const auto waits = seq(fill(out(work), 0), captured(sum_up_by_key{})(in(x), out(y), extent(x), inout(work), extent(work)));
    CHECK(says(refusal(waits, x(xs.all()), y(ys.all()), work(work_bytes)), "'sum_up_by_key'"));
    CHECK(ys.read() == std::vector<int>(6, 0));
    // On a stream, both may.
    run_on(on, allocates, x(xs.all()), y(ys.all()));
    on.wait();
    CHECK(ys.read() == std::vector<int>{4, 8, 17, 26, 35, 36});
    run_on(on, waits, x(xs.all()), y(ys.all()), work(work_bytes));
    on.wait();
    CHECK(ys.read() == std::vector<int>{8, 27, 1, 26, 35, 36});
}
