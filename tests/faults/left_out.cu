// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph.cuh>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

// What stands in place of nodes that are left out, and what captured calls and copies ask of CUDA.
namespace left_out_test {

using namespace cograph;
using device_memory::stream;
using every_call::count_of;
using every_call::words_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct pinned : pinned_buffer<pinned, double> {} pinned;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct tol : value<tol, double> {} tol;

__global__ void twice(double*) {}
__global__ void from_to(const double*, double*) {}

std::span<double> device_span(std::size_t size, int name = 1) { return {reinterpret_cast<double*>(static_cast<std::uintptr_t>(name) << 52), size}; }
bool has(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

TEST_CASE("host work on a stream that is being captured belongs to what is captured", "[faults][left_out]") {
    const stream on;
    int calls = 0;
    const auto owned = std::make_shared<int>(3);
    {
        const auto e = host([owned, &calls] { calls += *owned; })();
        const fake_runtime::live_objects before = fake_runtime::live();
        const auto captured_graph = [&] {
            cudaGraph_t graph = nullptr;
            REQUIRE(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
            std::string words = words_of([&] { run_on(on, e); });
            REQUIRE(cudaStreamEndCapture(on, &graph) == cudaSuccess);
            INFO(words);
            CHECK(words.empty());
            return graph;
        };
        cudaGraph_t graph = captured_graph();
        CHECK(calls == 0);
        cudaGraphInstantiateParams params{};
        cudaGraphExec_t exec = nullptr;
        REQUIRE(cudaGraphInstantiateWithParams(&exec, graph, &params) == cudaSuccess);
        for (int i = 0; i < 3; ++i) REQUIRE(cudaGraphLaunch(exec, on) == cudaSuccess);
        CHECK(calls == 9);
        cudaGraphDestroy(graph);
        CHECK(owned.use_count() == 3);  // ours, the expression's, and the closure's
        cudaGraphExecDestroy(exec);
        CHECK(owned.use_count() == 2);
        cudaGraphDestroy(captured_graph());  // never launched
        CHECK(owned.use_count() == 2);
        CHECK((fake_runtime::live() == before));
        every_call::fail_every_call([&] {
            core::graph_owner dropped;
            core::stream_capture capture(on, cudaStreamCaptureModeThreadLocal);
            core::check(capture.begun(), "cudaStreamBeginCapture", {"test", "here", 1});
            run_on(on, e);
            core::check(capture.end(dropped), "cudaStreamEndCapture", {"test", "here", 1});
        });
    }
    CHECK(owned.use_count() == 1);
}

}  // namespace left_out_test
