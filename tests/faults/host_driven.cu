// SPDX-License-Identifier: Apache-2.0
#include "every_call.hpp"

#include <cograph/host_driven.cuh>

#include <cstdint>
#include <span>
#include <string>

// Loops that the host drives, whatever call fails.
namespace host_driven_faults {

using namespace cograph;
using every_call::fail_every_allocation;
using every_call::fail_every_call;
using every_call::holds;
using every_call::words_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct n : value<n, int> {} n;

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }
void look_at(const int*) {}

constexpr auto driven = seq(assign(i, 0), label("outer", loop_while(i < n, host_driven(seq(copy(in(x), out(t)), host(&look_at)(in(i)), assign(j, 0),
                                                                                           loop_while(j < n, seq(kernel<twice>(over(x))(x), assign(j, j + 1))),
                                                                                           copy(in(t), out(x)), assign(i, i + 1))))));
const std::span<double> xs(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000);

TEST_CASE("a loop that the host drives, whatever call fails", "[faults][host_driven]") {
    const auto run = [] {
        auto exec = instantiate(driven, x(xs), n(2));
        exec.launch(nullptr);
        exec.iterations("outer");
        exec.loops();
    };
    const auto failed = fail_every_call(run);
    CHECK(holds(failed, "cudaHostAlloc"));
    CHECK(holds(failed, "cudaGraphLaunch"));
    CHECK(holds(failed, "cudaStreamSynchronize"));
    fail_every_allocation(run);
}

TEST_CASE("loops that the host drives are no part of captures", "[faults][host_driven]") {
    auto exec = instantiate(driven, x(xs), n(2));
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    CHECK(words_of([&] { exec.launch(stream); }).find("being captured") != std::string::npos);
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

}  // namespace host_driven_faults
