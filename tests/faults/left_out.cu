// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/nvtx.cuh>

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

TEST_CASE("programmatic kernels are left out by a kernel that waits, and over no elements have edges that wait", "[faults][left_out]") {
    const auto early = [](auto from, auto to) { return kernel<from_to>(over(y).programmatic())(from, to); };
    const auto e = seq(early(in(x), out(y)), label("middle", early(in(y), out(z))), early(in(z), out(x)));
    const auto run = [&] {
        auto exec = instantiate(e, x(device_span(100)), y(device_span(100, 2)), z(device_span(100, 3)));
        exec.disable("middle");
        exec.launch(nullptr);
        exec.update(x(device_span(100, 4)));
        exec.update(y(device_span(0, 2)));
        exec.update(y(device_span(100, 2)));
        exec.launch(nullptr);
        exec.enable("middle");
        exec.disable(at<1>);
        exec.enable(at<1>);
        exec.launch(nullptr);
    };
    // The tests' runtime disables no node with a programmatic edge.
    const std::vector<std::string> names = every_call::fail_every_call(run);
    CHECK(count_of("cudaGraphInstantiateWithParams") == 3);
    std::size_t told = 0;
    for (const std::string& name : names) told += name == "cudaGraphExecKernelNodeSetParams";
    CHECK(told >= 4);

    // A node that does nothing cannot be written into from the device.
    constexpr auto four = seq(kernel<twice>(over(x))(x), kernel<twice>(over(x))(x), kernel<twice>(over(x))(x), kernel<twice>(over(x))(x));
    auto exec = instantiate(seq(four, four, four, four, label("middle", kernel<twice>(over(x).programmatic())(x))), device_updatable(x(device_span(100))));
    CHECK(has(words_of([&] { exec.disable("middle"); }), "cannot be left out while a binding of this graph is device_updatable(...)"));
    CHECK(exec.is_enabled(at<0>));
}

TEST_CASE("clusters of more than eight blocks are left out", "[faults][left_out]") {
    const auto e = seq(label("k", kernel<twice>(over(x).block(32).cluster(16))(x)), when(passes > 0, kernel<twice>(over(y))(y)));
    int flag = 0;
    const auto run = [&](std::size_t size) {
        return [&, size] {
            auto exec = instantiate(as_nodes(e), x(device_span(size)), y(device_span(64, 2)), passes(&flag));
            exec.disable("k");
            exec.update(x(device_span(2 * size)));
            exec.launch(nullptr);
        };
    };
    CHECK(words_of(run(0)) == "");
    CHECK(words_of(run(1000)) == "");
    every_call::fail_every_call(run(1000));
}

TEST_CASE("copies are left out, those of nothing, too", "[faults][left_out]") {
    std::vector<double> ps(64);
    const auto e = seq(fill(out(y), 1), label("c", copy(in(pinned), out(x))));
    const auto run = [&](std::size_t before, std::size_t after) {
        return [&, before, after] {
            auto exec = instantiate(e, pinned(std::span(ps).first(before)), x(device_span(before)), y(device_span(64, 2)));
            exec.disable("c");
            exec.update(pinned(std::span(ps).first(after)), x(device_span(after)));
            exec.launch(nullptr);
            CHECK(!exec.is_enabled(at<1>));
            exec.enable("c");
        };
    };
    for (const std::size_t before : {0, 64})
        for (const std::size_t after : {0, 32}) CHECK(words_of(run(before, after)) == "");
    every_call::fail_every_call(run(64, 0));
}

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
            core::stream_capture capture(on);
            core::check(capture.begin(cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture", {"test", "here", 1});
            run_on(on, e);
            core::check(capture.end(dropped), "cudaStreamEndCapture", {"test", "here", 1});
        });
    }
    CHECK(owned.use_count() == 1);
}

// What a captured call leaves to cudaGetLastError.
cudaError_t launch_of(int threads, cudaStream_t on, double* values) {
    void* parameters[] = {&values};
    return cudaLaunchKernel(reinterpret_cast<const void*>(&twice), dim3(1), dim3(static_cast<unsigned>(threads)), parameters, 0, on);
}
TEST_CASE("a launch that fails inside a captured call is told, though the call returns nothing", "[faults][left_out]") {
    const stream on;
    std::vector<double> memory(64);
    const auto of = [](int threads) { return captured([threads](cudaStream_t stream, double* values) { launch_of(threads, stream, values); }); };
    const auto bound = x(std::span(memory));
    const char* const words = "a CUDA call in it failed: ";
    CHECK(has(words_of([&] { instantiate(of(4096)(inout(x)), bound); }), words));
    CHECK(has(words_of([&] { run_on(on, of(4096)(inout(x)), bound); }), words));
    int calls = 0;
    const auto first_wrong = captured([&calls](cudaStream_t stream, double* values) { launch_of(calls++ == 0 ? 4096 : 64, stream, values); });
    CHECK(has(words_of([&] { instantiate(first_wrong.warm_up()(inout(x)), bound); }), words));
    CHECK(cudaGetLastError() == cudaSuccess);

    // An error from before is not the call's.
    launch_of(4096, on, nullptr);
    CHECK(words_of([&] { instantiate(of(64)(inout(x)), bound); }) == "");
    launch_of(4096, on, nullptr);
    CHECK(words_of([&] { run_on(on, of(64)(inout(x)), bound); }) == "");
}

TEST_CASE("a status of 64 bits is no success when its lower half is zero", "[faults][left_out]") {
    const auto e = captured([](cudaStream_t, double*) { return std::int64_t{1} << 32; })(out(x));
    CHECK(has(words_of([&] { instantiate(e, x(device_span(8))); }), "gave the status 4294967296"));
}

TEST_CASE("a call that needs no workspace is called, not asked again", "[faults][left_out]") {
    int asked = 0, called = 0;
    const auto e = cub_call([&](void* memory, std::size_t& bytes, double*, cudaStream_t) {
        if (!memory) bytes = 0;
        ++(memory ? called : asked);
    })(inout(x));
    instantiate(e, x(device_span(8)));
    CHECK((asked == 1 && called == 1));
    run_on(nullptr, e, x(device_span(8)));
    CHECK((asked == 2 && called == 2));
}

TEST_CASE("memory of a pinned_buffer is the host's", "[faults][left_out]") {
    std::vector<double> ps(8);
    const auto run = [&](std::span<double> to) {
        return words_of([&] { instantiate(copy(in(x), out(pinned)), x(device_span(8)), pinned(to)); });
    };
    CHECK(has(run(device_span(8, 2)), "'pinned' is bound to memory that is not pinned"));
    CHECK(run(ps) == "");
}

TEST_CASE("a row of any length is copied", "[faults][left_out]") {
    const std::size_t size = (std::size_t{1} << 31) + 8;
    const box long_row{.width = static_cast<index_t>(size)}, short_row{.width = 2, .from_pitch = static_cast<index_t>(size)};
    for (const box& what : {long_row, short_row})
        CHECK(words_of([&] { instantiate(copy(in(x), inout(y), what), x(device_span(size)), y(device_span(size, 2))); }) == "");
    const stream on;
    std::vector<double> xs{1, 2, 3, 4}, ys(4);
    fake_runtime::expect();
    run_on(on, copy(in(x), inout(y), box{.width = 2, .from_begin = 1, .to_begin = 2, .from_pitch = 4}), x(std::span(xs)), y(std::span(ys)));
    CHECK(ys == std::vector<double>{0, 0, 2, 3});
    CHECK(count_of("cudaMemcpyAsync") == 1);
}

struct halve {
    COGRAPH_HD void operator()(index_t, double& value) const { value /= 2; }
};
TEST_CASE("a range has the label of a loop over an array predicate", "[faults][left_out]") {
    const auto loop = loop_while(max_abs(x) > tol, for_each(over(x), halve{})(inout(x[each])));
    CHECK(std::string(core::range_name(label("settle", loop))) == "settle");
    CHECK(std::string(core::range_name(loop)) == "expression");
    CHECK(std::string(core::range_name(label("one", fill(out(x), 1)))) == "one");
}

}  // namespace left_out_test
