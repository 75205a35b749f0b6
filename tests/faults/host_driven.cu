// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/host_driven.cuh>
#include <cograph/join/captured_stream.cuh>
#if __has_include(<nccl.h>)
#include <cograph/nccl.cuh>
#endif

#include <algorithm>
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

inline constexpr struct begun : scalar<begun, int> {
    static constexpr int initial = 0;
} begun;
TEST_CASE("a launch of a loop that the host drives follows the last one, whatever its stream", "[faults][host_driven]") {
    const stream one, other;
    auto exec = instantiate(seq(loop_while(begun < n, host_driven(seq(assign(begun, begun + 1), doubling))), doubling), x(xs), y(ys), n(3));
    exec.wait_by([](cudaStream_t) { fake_runtime::fill_pinned(0); });
    const auto calls_on = [&](cudaStream_t on) {
        fake_runtime::expect();
        exec.launch(on);
        std::vector<std::string> names = every_call::names_of_calls();
        std::erase_if(names, [](const std::string& call) { return every_call::is_one_of(call, {"cudaStreamIsCapturing", "cudaLogsCurrent"}); });
        return names;
    };
    CHECK((calls_on(one) == std::vector<std::string>{"cudaMemcpyAsync", "cudaGraphLaunch", "cudaGraphLaunch", "cudaEventRecord"}));
    for (const cudaStream_t next : {cudaStream_t(other), cudaStream_t(one), cudaStreamPerThread, cudaStream_t(other)})
        CHECK((calls_on(next).front() == "cudaStreamWaitEvent"));
    // What a failure left running, too, on a stream that is gone.
    CHECK(words_of([&] {
        const stream brief;
        exec.wait_by([](cudaStream_t) { throw error({}, "no answer"); });
        exec.launch(brief);
    }).find("no answer") != std::string::npos);
    exec.wait_by([](cudaStream_t) { fake_runtime::fill_pinned(0); });
    CHECK((calls_on(other) == std::vector<std::string>{"cudaStreamWaitEvent", "cudaMemcpyAsync", "cudaGraphLaunch", "cudaGraphLaunch", "cudaEventRecord"}));
}

constexpr auto urgent = kernel<twice>(over(x).priority(-1))(x, y);
TEST_CASE("graphs of loops that the host drives keep the priorities of their kernels, also in bodies on the device", "[faults][host_driven]") {
    const auto graphs_with = [](const auto& e) {
        fake_runtime::expect();
        auto exec = instantiate(e, x(xs), y(ys), n(3));
        return fake_runtime::executables_with_priorities();
    };
    const auto loop_of = [](const auto& body) { return seq(assign(i, 0), loop_while(i < n, host_driven(seq(assign(i, i + 1), body)))); };
    CHECK(graphs_with(loop_of(seq(doubling, repeat(2, seq(doubling, doubling))))) == 0);
    CHECK(graphs_with(loop_of(urgent)) == 1);
    CHECK(graphs_with(loop_of(seq(doubling, repeat(2, seq(urgent, doubling))))) == 1);
    CHECK(graphs_with(seq(urgent, loop_of(when(i > 1, seq(doubling, urgent))))) == 2);
}

// As a library does that takes memory when it is called.
struct takes_memory {
    enum { frees, keeps, frees_another } way = frees;
    cudaError_t operator()(cudaStream_t on, double* values) const {
        void* memory = values;
        if (way != frees_another)
            if (const cudaError_t code = cudaMallocAsync(&memory, 64, on); code != cudaSuccess) return code;
        return way == keeps ? cudaSuccess : cudaFreeAsync(memory, on);
    }
};
constexpr auto loop_with(takes_memory call) {
    return seq(assign(i, 0), loop_while(i < n, host_driven(seq(assign(i, i + 1), label("takes", captured(call)(inout(x))), repeat(2, seq(doubling, doubling)))), check_every<2>));
}
#if CUDART_VERSION >= 12090
TEST_CASE("calls that allocate may be in loops that the host drives, and free what they allocate", "[faults][host_driven]") {
    const stream on;
    const auto refusal = [](const auto& e) { return words_of([&] { instantiate(e, x(xs), y(ys), n(3)); }); };
    CHECK(refusal(loop_with({takes_memory::keeps})).find("captured an allocation of memory: the same call must free it, by cudaFreeAsync.") != std::string::npos);
    CHECK(refusal(loop_with({takes_memory::frees_another})).find("captured the free of memory: the same call must have allocated it.") != std::string::npos);
    const auto on_device = loop_while(i < n, host_driven(seq(assign(i, i + 1), repeat(2, seq(doubling, captured(takes_memory{})(inout(x)))))));
    CHECK(refusal(seq(assign(i, 0), on_device)).find("no child graph may hold it: hand it a temp to work in, or let the host drive the loop.") != std::string::npos);

    auto exec = instantiate(loop_with({}), x(xs), y(ys), n(3));
    exec.launch(on);
    // No call of CUDA changes such a node: an update makes other graphs.
    fake_runtime::expect();
    exec.update(x(others));
    CHECK(count_of("cudaGraphExecChildGraphNodeSetParams") == 0);
    CHECK(count_of("cudaGraphInstantiateWithParams") == 2);
    exec.launch(on);
    const auto run = [&] {
        auto made = instantiate(loop_with({}), x(xs), y(ys), n(3));
        made.launch(on);
    };
    const auto names = fail_every_call(run, [](const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
        if (seen.words.find("gave the status") == std::string::npos) every_call::check_told_with_node(seen, call, which);  // else of the call itself
    });
    CHECK((holds(names, "cudaGraphMemAllocNodeGetParams") && holds(names, "cudaGraphMemFreeNodeGetParams")));
    fail_every_allocation(run);
}

TEST_CASE("a run that joins a capture refuses calls that allocate, and captures nothing", "[faults][host_driven]") {
    struct joining {  // as cograph/join/capture.cuh
        joining() { core::on_captured_streams = {&core::launch_in_capture, &core::run_in_capture}; }
        ~joining() {
            core::on_captured_streams = {};
            core::free_memory_of_graphs();
        }
        joining(const joining&) = delete;
        joining& operator=(const joining&) = delete;
    } const on_captures;
    const stream on;
    for (const cudaStreamCaptureMode mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        core::graph_owner graph;
        core::stream_capture capture(on);
        REQUIRE(capture.begin(mode) == cudaSuccess);
        CHECK(words_of([&] { run_on(on, seq(doubling, captured(takes_memory{})(inout(x))), x(xs), y(ys)); }).find("no child graph may hold it: hand it a temp to work in.") !=
              std::string::npos);
        REQUIRE(capture.end(graph) == cudaSuccess);
        CHECK(fake_runtime::nodes_in(graph.get()) == 0);
    }
}
#endif

}  // namespace host_driven_executables

#if __has_include(<nccl.h>)
// NCCL without ranks: calls of a group are submitted at its end, if none of them has failed.
namespace fake_nccl {
int calls, failing, open, groups, enqueued, submitted;
bool has_failed;
void expect(int which = -1) {
    calls = open = groups = enqueued = submitted = 0;
    failing = which;
    has_failed = false;
}
ncclResult_t enter() {
    if (calls++ != failing) return ncclSuccess;
    has_failed = true;
    return ncclSystemError;
}
ncclResult_t enqueue() {
    const ncclResult_t result = enter();
    enqueued += result == ncclSuccess;
    return result;
}
}  // namespace fake_nccl

extern "C" {
ncclResult_t ncclGroupStart() {
    const ncclResult_t result = fake_nccl::enter();
    fake_nccl::open += result == ncclSuccess;
    fake_nccl::groups += result == ncclSuccess;
    return result;
}
ncclResult_t ncclGroupEnd() {
    const ncclResult_t result = fake_nccl::enter();
    --fake_nccl::open;
    if (!fake_nccl::has_failed) fake_nccl::submitted += fake_nccl::enqueued;
    fake_nccl::enqueued = 0;
    return result;
}
ncclResult_t ncclSend(const void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) { return fake_nccl::enqueue(); }
ncclResult_t ncclRecv(void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) { return fake_nccl::enqueue(); }
const char* ncclGetErrorString(ncclResult_t) { return "some error"; }
const char* ncclGetLastError(ncclComm_t) { return "words of NCCL"; }
}

namespace host_driven_executables {

inline constexpr struct world : value<world, nccl::communicator> {} world;
inline constexpr struct slices : value<slices, nccl::slices> {} slices;

TEST_CASE("a call of NCCL that fails ends its group, of which nothing is enqueued", "[faults][host_driven]") {
    const stream on;
    const nccl::communicator own{reinterpret_cast<ncclComm_t>(std::uintptr_t{64}), nullptr, 1, 3};
    const index_t begins[] = {0, 1, 2, 4};
    std::vector<double> from{1, 2, 3, 4}, to(4);
    const auto given = [&](const auto& run) { run(world(own), x(std::span(from)), y(std::span(to))); };
    const auto deal = [&] { given([&](auto... b) { run_on(on, nccl::all_to_all(world, out(y), in(x), slices), b..., slices(nccl::slices{begins, begins})); }); };
    const auto halos = [&] { given([&](auto... b) { run_on(on, nccl::exchange(world, nccl::to(in(x), 0), nccl::from(inout(y), 2)), b...); }); };
    const auto fail_each = [&](const auto& run, int submitted) {
        int failed = 0;
        for (;; ++failed) {
            fake_nccl::expect(failed);
            const std::string words = words_of(run);
            CHECK(fake_nccl::open == 0);
            if (!fake_nccl::has_failed) break;
            CHECK(fake_nccl::submitted == 0);
            CHECK(words.find("words of NCCL") != std::string::npos);
        }
        CHECK(fake_nccl::submitted == submitted);
        CHECK(failed == submitted + 2);
    };
    fail_each(deal, 4);
    fail_each(halos, 2);
    CHECK(to[1] == 2);  // a rank's own slice
    // A copy of a rank's own slice that fails comes before the group.
    const auto check = [&](const every_call::outcome& seen, const std::string& call, fake_runtime::failure) {
        CHECK(fake_nccl::open == 0);
        if (call != "cudaMemcpyAsync") return;
        CHECK(seen.threw);
        CHECK(fake_nccl::groups == 0);
    };
    const auto deal_anew = [&] {
        fake_nccl::expect();
        deal();
    };
    CHECK(holds(fail_every_call(deal_anew, check), "cudaMemcpyAsync"));
    // A null pointer among the slices does not reach NCCL.
    fake_nccl::expect();
    CHECK(words_of([&] {
        given([&](auto... b) { run_on(on, nccl::all_to_all(world, out(y), in(x), slices), b..., slices(nccl::slices{begins, nullptr})); });
    }).find("its slices are null pointers") != std::string::npos);
    CHECK(fake_nccl::calls == 0);
}

}  // namespace host_driven_executables
#endif
