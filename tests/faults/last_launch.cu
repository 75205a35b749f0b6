// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/callable.cuh>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

// What follows the last launch of an executable, though its stream is another thread's, captured or gone, and though others capture.
namespace last_launch {

using namespace cograph;
using device_memory::stream;
using every_call::calls_of;
using every_call::count_of;
using every_call::holds;
using every_call::words_of;
using names = std::vector<std::string>;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct sum : scalar<sum, double> {} sum;
inline constexpr struct times : value<times, int> {} times;
inline constexpr struct t : temp<t, double, elements<extent(x) * times>> {} t;
inline constexpr struct passes : scalar<passes, int> {} passes;

struct half {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to = from / 2; }
};
constexpr auto adding = seq(fill(out(t), 1), reduce(out(sum), in(t)), for_each(over(x), half{})(in(x[each]), out(y[each])));
constexpr auto looping = seq(assign(passes, 0), loop_while(passes < times, seq(for_each(over(x), half{})(in(x[each]), out(y[each])), assign(passes, passes + 1))));

// Where kernels do not run, memory that nobody looks at.
const std::span<double> xs(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000), ys(reinterpret_cast<double*>(std::uintptr_t{2} << 52), 1000);
const core::memory_choice of_functions = use([](std::size_t bytes) -> void* { return std::aligned_alloc(256, (bytes + 255) / 256 * 256); },
                                             [](void* memory) { std::free(memory); });

auto made(const core::memory_choice& memory = {}) { return instantiate(adding, memory, x(xs), y(ys), times(1)); }
auto made_with_loop() { return instantiate(as_nodes(looping), x(xs), y(ys), times(1)); }

TEST_CASE("an event stands behind launches on the stream of a thread, and other threads follow it", "[faults][last_launch]") {
    auto exec = made();
    CHECK(calls_of([&] { exec.launch(cudaStreamPerThread); }) == names{"cudaEventCreateWithFlags", "cudaGraphLaunch", "cudaEventRecord"});
    CHECK(calls_of([&] { exec.launch(cudaStreamPerThread); }) == names{"cudaGraphLaunch", "cudaEventRecord"});
    names fetched, updated;
    std::thread([&] {
        fake_runtime::expect();
        exec.fetch(sum);
        fetched = every_call::names_of_calls();
        fake_runtime::expect();
        exec.update(times(100));
        updated = every_call::names_of_calls();
    }).join();
    CHECK(holds(fetched, "cudaStreamWaitEvent"));
    CHECK(holds(updated, "cudaStreamWaitEvent"));
    const stream own;
    exec.launch(own);
    CHECK(calls_of([&] { exec.launch(own); }) == names{"cudaGraphLaunch"});
    CHECK(!holds(calls_of([&] { exec.fetch(sum); }), "cudaStreamWaitEvent"));
}

TEST_CASE("launches on the stream of a thread, whatever call fails", "[faults][last_launch]") {
    const auto run = [] {
        auto exec = made();
        exec.launch(cudaStreamPerThread);
        exec.fetch(sum);
        exec.update(times(100));
        exec.launch(cudaStreamPerThread);
    };
    every_call::fail_every_call(run, every_call::check_told);  // most of these calls are for no node
}

TEST_CASE("a launch that no event can stand behind is waited for", "[faults][last_launch]") {
    const stream on;
    const auto check_waits = [&](auto exec) {
        const auto launch = [&] { exec.launch(on); };
        launch();
        const names calls = calls_of(launch);
        for (int i = 0; i < static_cast<int>(calls.size()); ++i) {
            if (calls[static_cast<std::size_t>(i)] != "cudaEventRecord") continue;
            CHECK(every_call::attempt(launch, {i, cudaErrorInvalidResourceHandle}).threw);
            CHECK(count_of("cudaStreamSynchronize") == 1);
        }
    };
    check_waits(made(of_functions));
    check_waits(made_with_loop());
}

// A capture of this thread or of another one.
struct capture {
    explicit capture(cudaStream_t of, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) : on(of) {
        REQUIRE(cudaStreamBeginCapture(on, mode) == cudaSuccess);
    }
    cudaError_t end() const {
        cudaGraph_t graph = nullptr;
        const cudaError_t code = cudaStreamEndCapture(on, &graph);
        if (graph) cudaGraphDestroy(graph);
        return code;
    }
    cudaStream_t on;
};

TEST_CASE("executables end and change beside captures, of their own thread too, and nothing is left behind", "[faults][last_launch]") {
    const fake_runtime::live_objects before = fake_runtime::live();
    const auto in_other_thread = [](const auto& work) { std::thread(work).join(); };
    const auto in_this_one = [](const auto& work) { work(); };
    const auto check = [&](const auto& run) {
        const stream on, captured;
        std::optional first(made()), second(made(of_functions));
        std::optional third(made_with_loop());
        for (auto* const exec : {&first, &second}) {
            (*exec)->launch(on);
            (*exec)->update(times(100));
            (*exec)->launch(on);
        }
        third->launch(on);
        const capture beside(captured);
        run([&] {
            second->update(times(101));  // asks whether launches before are over
            first.reset();
            second.reset();
            third.reset();
        });
        CHECK(beside.end() == cudaSuccess);
    };
    check(in_other_thread);
    check(in_this_one);
    CHECK((fake_runtime::live() == before));
}

TEST_CASE("what follows a launch says so where its stream is being captured, and the capture goes on", "[faults][last_launch]") {
    const stream on;
    auto exec = made();
    exec.launch(on);
    const capture of_user(on, cudaStreamCaptureModeRelaxed);
    CHECK(words_of([&] { exec.fetch(sum); }) == "cograph: 'sum' follows the last launch, and its stream is being captured: end the capture first");
    CHECK(words_of([&] { exec.update(times(100)); }).find("'update' follows the last launch, and its stream is being captured") != std::string::npos);
    CHECK(of_user.end() == cudaSuccess);
    exec.fetch(sum);
    exec.update(times(100));
}

TEST_CASE("scalars and loops are fetched on the device of their executable", "[faults][last_launch]") {
    auto exec = made();
    auto loops = instantiate(looping, x(xs), y(ys), times(1));
    exec.launch(nullptr);
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    CHECK(calls_of([&] { exec.fetch(sum); }).size() > 2);
    CHECK(count_of("cudaSetDevice") == 2);
    CHECK(calls_of([&] { loops.loops(); }).size() > 2);
    CHECK(count_of("cudaSetDevice") == 2);
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("callables outlive the streams that they were called on", "[faults][last_launch]") {
    std::vector<double> from(64), to(64);
    auto call = make_callable(adding, arguments(in(x), out(y), in(times)), {}, x(std::span(from)), y(std::span(to)), times(1));
    for (const int larger : {1, 100, 200, 1}) {
        const stream on;
        call(on, std::span<const double>(from), std::span(to), larger);
    }
    CHECK(call.is_graph());
}

}  // namespace last_launch
