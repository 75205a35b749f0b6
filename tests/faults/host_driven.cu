// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/host_driven.cuh>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Loops and branches that the host decides about: a test puts answers where kernels would write them.
namespace host_driven_executables {

using namespace cograph;
using device_memory::stream;
using every_call::count_of;
using every_call::fail_every_allocation;
using every_call::fail_every_call;
using every_call::holds;
using every_call::words_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct n : value<n, int> {} n;

__global__ void twice(double* values, const double* add) { values[threadIdx.x] *= 2 + add[0]; }
struct see {
    void operator()(const double*) const {}
};
constexpr auto doubling = kernel<twice>(over(x))(x, y);

// Five graphs: before the loop, before the branch in it, both cases of the branch, and what follows that.
constexpr auto falling = seq(assign(i, 0), copy(in(x), out(t)), label("falling", loop_while(i < n, seq(label("doubling", doubling), assign(i, i + 1),
                                                                                 when(i % 2 == 0, host(see{})(in(x)), otherwise(label("other", doubling))),
                                                                                 label("inner", repeat(2, doubling)), copy(in(t), out(y))))));
static_assert(is_host_driven(falling, "falling") && !is_host_driven(falling, "inner"));

const std::span<double> xs(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000), others(reinterpret_cast<double*>(std::uintptr_t{2} << 52), 1000),
    fewer(reinterpret_cast<double*>(std::uintptr_t{3} << 52), 500), ys(reinterpret_cast<double*>(std::uintptr_t{5} << 52), 1000), fewer_ys(ys.data(), 500);

// Each wait finds the next of them.
class answers {
public:
    answers(std::initializer_list<unsigned> all) : all_(all) {}
    void operator()(cudaStream_t on) {
        core::check(cudaStreamSynchronize(on), "cudaStreamSynchronize", {"test", "here", 1});
        fake_runtime::fill_pinned(next_ < all_.size() ? all_[next_++] : 0);
    }
    bool are_read() const { return next_ == all_.size(); }

private:
    std::vector<unsigned> all_;
    std::size_t next_ = 0;
};

TEST_CASE("the host launches the graphs that answers choose", "[faults][host_driven]") {
    const stream on;
    auto exec = instantiate(falling, x(xs), y(ys), n(3));
    const auto launches = [&](std::initializer_list<unsigned> all) {
        auto given = std::make_shared<answers>(all);
        exec.wait_by([given](cudaStream_t waiting) { (*given)(waiting); });
        fake_runtime::expect();
        exec.launch(on);
        CHECK(given->are_read());
        exec.wait_by({});
        return count_of("cudaGraphLaunch");
    };
    CHECK(launches({0}) == 1);
    CHECK(launches({2}) == 1);              // its limit
    CHECK(launches({1, 1, 0}) == 4);        // once, with the first case
    CHECK(launches({1, 0, 1, 1, 0}) == 7);  // twice, with the second and then the first
    CHECK(exec.query());
    exec.wait();
    const auto one_of = switch_on(i, host(see{})(in(x)), doubling);
    auto selects = instantiate(one_of, x(xs), y(ys), i(reinterpret_cast<int*>(ys.data())));
    for (const unsigned selected : {0u, 1u, 2u}) {
        selects.wait_by([&](cudaStream_t) { fake_runtime::fill_pinned(selected); });
        fake_runtime::expect();
        selects.launch(on);
        CHECK(count_of("cudaGraphLaunch") == (selected < 2 ? 2 : 1));
    }
    fake_runtime::set_captured(true);
    CHECK(words_of([&] { exec.launch(on); }).find("loops that the host drives wait for their work") != std::string::npos);
    fake_runtime::set_captured(false);
}

TEST_CASE("an update and a left-out node reach each graph of a loop that the host drives", "[faults][host_driven]") {
    const stream on;
    auto exec = instantiate(falling, x(xs), y(ys), n(3));
    fake_runtime::expect();
    exec.update(n(5));
    CHECK(count_of("cudaGraphExecKernelNodeSetParams") == 2);  // both tests of the loop
    CHECK(count_of("cudaGraphInstantiateWithParams") == 0);
    fake_runtime::expect();
    exec.update(y(others));
    CHECK(count_of("cudaGraphExecKernelNodeSetParams") == 4);  // three kernels and a copy, in three graphs
    CHECK(count_of("cudaGraphInstantiateWithParams") == 0);
    // Graphs with host functions are made again, all of them together.
    fake_runtime::expect();
    exec.update(x(ys), y(others));
    CHECK(count_of("cudaGraphInstantiateWithParams") == 5);
    exec.disable("doubling");
    CHECK(!exec.is_enabled(at<3>));
    fake_runtime::expect();
    exec.update(x(fewer), y(fewer_ys));
    CHECK(count_of("cudaGraphInstantiateWithParams") == 5);
    CHECK(count_of("cudaGraphExecKernelNodeSetParams") == 1);  // it stays left out
    exec.enable(at<3>);
    CHECK(exec.is_enabled(at<3>));
    CHECK(words_of([&] { exec.disable("falling"); }).find("is a loop or branch") != std::string::npos);
    CHECK(words_of([&] { exec.update(y(ys)); }).find("elements") != std::string::npos);  // sizes that do not fit change nothing
    exec.launch(on);
}

TEST_CASE("a loop that the host drives, whatever call fails", "[faults][host_driven]") {
    const stream on;
    const auto run = [&] {
        auto exec = instantiate(falling, x(xs), y(ys), n(3));
        exec.wait_by(answers{1, 1, 0});
        exec.launch(on);
        exec.update(n(5));
        exec.update(x(others));
        exec.disable("other");
        exec.launch(on);
        exec.iterations("falling");
    };
    CHECK(holds(fail_every_call(run), "cudaHostAlloc"));
    fail_every_allocation(run);
}

}  // namespace host_driven_executables
