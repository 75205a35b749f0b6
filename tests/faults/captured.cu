// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "../graph_by_hand.hpp"
#include "every_call.hpp"

#include <cograph.cuh>
#include <cograph/check_captures.cuh>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

// Captured calls: what fails around them, and what they may not hold. Memory of the tests is the host's, so the calls write it.
namespace captured_calls {

using namespace cograph;
using device_memory::stream;
using every_call::fail_every_allocation;
using every_call::fail_every_call;
using every_call::holds;
using every_call::words_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct kept : scalar<kept, double> {} kept;
inline constexpr struct n : value<n, int> {} n;

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }

struct launches {
    cudaError_t operator()(cudaStream_t on, double* values) const {
        void* parameters[] = {&values};
        return cudaLaunchKernel(reinterpret_cast<const void*>(&twice), dim3(1), dim3(64), parameters, 0, on);
    }
};
struct sized {
    cudaError_t operator()(void* memory, std::size_t& bytes, double* values, index_t count, cudaStream_t on) const {
        if (memory) return launches{}(on, values);
        bytes = 100 * static_cast<std::size_t>(count);
        return cudaSuccess;
    }
};
struct enqueues_nothing {
    void operator()(cudaStream_t, double*) const {}
};

bool contains(const std::string& words, const std::string& part) { return words.find(part) != std::string::npos; }

// A launch that fails inside a captured call is a status of that call, and no cuda_error.
void check_captured(const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
    const bool is_of_a_later_one = which.after_all && every_call::is_silent(call) && seen.threw && seen.code == cudaSuccess;
    if (call != "cudaLaunchKernel" && !is_of_a_later_one) return every_call::check_told_with_node(seen, call, which);
    CHECK(contains(seen.words, "gave the status " + std::to_string(static_cast<int>(which.code))));
    CHECK(seen.line > 0);
}

TEST_CASE("a captured call that enqueues nothing is a kernel that does nothing, in bodies", "[faults][captured]") {
    std::vector<double> memory(64);
    const auto adds_kernel = [&](const auto& e) {
        return holds(every_call::calls_of([&] { instantiate(e, x(std::span(memory)), n(2)); }), "cudaGraphAddKernelNode");
    };
    const auto nothing = captured(enqueues_nothing{})(inout(x));
    CHECK(adds_kernel(repeat(n, nothing)));
    CHECK(adds_kernel(repeat(n, when(n > 1, nothing))));
    CHECK(!adds_kernel(seq(nothing, repeat(n, captured(launches{})(inout(x))))));
}

TEST_CASE("a captured call that enqueues nothing and says that it writes all of something is told", "[faults][captured]") {
    const stream other;
    std::vector<double> memory(64), few(8), none;
    const auto refusal = [&](const auto& e, auto... bindings) { return words_of([&] { instantiate(e, bindings...); }); };
    // As a library does whose handle has another stream.
    const auto strays = captured([&other](cudaStream_t, double* values, index_t) { return launches{}(other, values); });
    const auto full = x(std::span(memory));
    const std::string words = refusal(strays(out(x), extent(x)), full);
    CHECK(contains(words, "captured.cu:"));
    CHECK(contains(words, "enqueued nothing on the stream that it was given, though it writes all of 'x': give that stream"));
    CHECK(contains(refusal(repeat(2, strays(out(x), extent(x))), full), "enqueued nothing"));
    CHECK(contains(refusal(strays.mode<capture_mode::relaxed>()(out(x), extent(x)), full), "enqueued nothing"));
    CHECK(refusal(strays(inout(x), extent(x)), full).empty());
    CHECK(refusal(strays(out(x), extent(y)), full, y(std::span(none))).empty());
    CHECK(refusal(strays(out(x), 64), x(std::span(none))).empty());
    // An update that finds it leaves the graph as it was.
    const auto may_stray = captured([&](cudaStream_t on, double* values, index_t size) { return launches{}(size > 8 ? on : static_cast<cudaStream_t>(other), values); });
    auto exec = instantiate(may_stray(out(x), extent(x)), full);
    CHECK(contains(words_of([&] { exec.update(x(std::span(few))); }), "enqueued nothing"));
    exec.launch(other);
}

// What a kernel on another stream would write at once: memory of the tests is the host's.
struct writes_at_once {
    int element = -1;
    cudaError_t operator()(cudaStream_t on, double* values) const {
        if (element >= 0) values[element] = 7;
        return launches{}(on, values);
    }
};
TEST_CASE("work of a captured call that goes to another stream beside captured work is found", "[faults][captured]") {
    const stream on;
    const std::vector<double> start(64, 3);
    std::vector<double> memory = start, others = start;
    const auto refusal = [&](const auto& e, auto... more) {
        memory = start;
        return words_of([&] { check_captures(on, e, x(std::span(memory)), more...); });
    };
    SECTION("found") {
        const std::string words = refusal(captured(writes_at_once{5})(inout(x)));
        CHECK(contains(words, "captured.cu:"));
        CHECK(contains(words, "changed 'x', element 5, while it was captured: some of its work went to another stream"));
        CHECK(memory == start);
        CHECK(contains(refusal(captured(writes_at_once{0})(out(x))), "changed 'x', element 0"));
        CHECK(memory == start);
        fake_runtime::deliver({1, 0});  // the loop makes an iteration
        CHECK(contains(refusal(repeat(1, captured(writes_at_once{1})(inout(x)))), "changed 'x', element 1"));
        fake_runtime::deliver({});
        CHECK(contains(refusal(seq(copy(in(x), out(t)), captured(writes_at_once{2})(inout(t)))), "changed 't', element 2"));
    }
    SECTION("not there") {
        CHECK(refusal(captured(writes_at_once{})(inout(x))).empty());
        CHECK(refusal(captured(writes_at_once{})(out(x))).empty());
        CHECK(refusal(captured(writes_at_once{}).warm_up()(inout(x))).empty());
        CHECK(refusal(cub_call(sized{})(inout(x), extent(x))).empty());
        CHECK(memory == start);
    }
    SECTION("whatever call fails") {
        const auto e = seq(captured(writes_at_once{})(inout(x)), captured(writes_at_once{})(out(y)));
        const auto run = [&] { check_captures(on, e, x(std::span(memory)), y(std::span(others))); };
        CHECK(holds(fail_every_call(run, check_captured), "cudaDeviceSynchronize"));
        fail_every_allocation(run);
        CHECK(memory == start);
    }
}

TEST_CASE("only captures in global mode forbid launches on the default stream", "[faults][captured]") {
    std::vector<double> memory(64);
    const auto strays = captured([](cudaStream_t, double* values) { return launches{}(nullptr, values); });
    const auto refusal = [&](const auto& e) { return words_of([&] { instantiate(e, x(std::span(memory))); }); };
    const std::string refused = "gave the status " + std::to_string(cudaErrorStreamCaptureImplicit);
    CHECK(contains(refusal(strays(inout(x))), refused));
    CHECK(contains(refusal(repeat(2, strays(inout(x)))), refused));
    CHECK(refusal(strays.mode<capture_mode::thread>()(inout(x))).empty());
    CHECK(refusal(strays.mode<capture_mode::relaxed>()(inout(x))).empty());
    // What warms up waits for the default stream in every mode: what it saves may be written there.
    const auto warmed = strays.mode<capture_mode::thread>().warm_up()(inout(x));
    const auto calls = every_call::calls_of([&] { instantiate(warmed, x(std::span(memory))); });
    CHECK(std::count(calls.begin(), calls.end(), "cudaStreamCreateWithFlags") == 2);
}

TEST_CASE("captured calls are made on a stream that the user chose, also by updates and in other people's graphs", "[faults][captured]") {
    const stream chosen;
    std::vector<double> memory(64), others(64);
    int there = 0, elsewhere = 0;
    const auto notes = [&](cudaStream_t on, double* values) { return ++(on == chosen ? there : elsewhere), launches{}(on, values); };
    const auto e = seq(captured(notes).warm_up()(inout(x)), repeat(n, seq(captured(notes).mode<capture_mode::thread>()(inout(x)), captured(notes)(inout(x)))));
    const auto calls = every_call::calls_of([&] {
        auto exec = instantiate(e, captures_on(chosen), x(std::span(memory)), n(2));
        exec.update(x(std::span(others)));
        CHECK(there == 7);  // four, and three of the update
        auto next = instantiate(e, exec.memory(), x(std::span(memory)), n(2));
    });
    CHECK(there == 11);
    CHECK(!holds(calls, "cudaStreamCreateWithFlags"));
    pool of_temps;
    CHECK_NOTHROW(instantiate(e, captures_on(chosen, use(of_temps)), x(std::span(memory)), n(2)));
    CHECK(there == 15);
    fail_every_call([&] { instantiate(e, captures_on(chosen), x(std::span(memory)), n(2)); }, check_captured);
    CHECK(elsewhere == 0);
    // It must not be in a capture already.
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(chosen, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    CHECK(contains(words_of([&] { instantiate(captured(launches{}).mode<capture_mode::relaxed>()(inout(x)), captures_on(chosen), x(std::span(memory))); }), "cudaStreamBeginCapture failed"));
    cudaStreamEndCapture(chosen, &graph);
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
}

TEST_CASE("captured calls, whatever call fails", "[faults][captured]") {
    const stream on;
    const auto e = seq(captured(launches{}).warm_up()(inout(x)), repeat(n, seq(captured(launches{}).mode<capture_mode::relaxed>()(inout(x)),
                                                                               captured(enqueues_nothing{})(inout(x)), cub_call(sized{})(inout(y), extent(y)))));
    std::vector<double> xs(64), ys(10);
    const auto graph = [&] { instantiate(e, x(std::span(xs)), y(std::span(ys)), n(2)).launch(on); };
    const std::vector<std::string> names = fail_every_call(graph, check_captured);
    for (const char* const call : {"cudaStreamCreateWithFlags", "cudaMemcpyAsync", "cudaStreamBeginCapture", "cudaStreamEndCapture", "cudaGraphGetNodes", "cudaLaunchKernel",
                                   "cudaGraphAddKernelNode"})
        CHECK(holds(names, call));
    fail_every_allocation(graph);
    const auto eager = [&] {
        fake_runtime::deliver({1, 1, 0});
        run_on(on, e, x(std::span(xs)), y(std::span(ys)), n(2));
    };
    CHECK(holds(fail_every_call(eager, [](const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
        // A kernel of the library's own tells its loop whether there is another pass.
        if (call == "cudaLaunchKernel" && contains(seen.words, "cudaLaunchKernel failed: ")) return every_call::check_told_with_node(seen, call, which);
        check_captured(seen, call, which);
    }), "cudaLaunchKernel"));
    fake_runtime::deliver({});
}

TEST_CASE("updates of captured calls, whatever call fails", "[faults][captured]") {
    const auto e = seq(captured(launches{})(inout(x)), repeat(n, seq(captured(launches{})(inout(x)), cub_call(sized{})(inout(x), extent(x)))));
    std::vector<double> xs(64), others(64), more(200);
    int first_of_update = 0;
    const auto run = [&] {
        auto exec = instantiate(e, x(std::span(xs)), n(2));
        exec.launch(nullptr);
        first_of_update = fake_runtime::calls();
        exec.update(x(std::span(others)));
        exec.launch(nullptr);
        exec.update(x(std::span(more)));
        exec.launch(nullptr);
    };
    const std::vector<std::string> names = fail_every_call(run, [&](const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
        if (which.first < first_of_update || !every_call::is_of_a_capture(call)) return check_captured(seen, call, which);
        CHECK(seen.threw == which.after_all);
        CHECK(seen.code == (which.after_all ? which.code : cudaSuccess));
    });
    CHECK(holds(names, "cudaGraphExecChildGraphNodeSetParams"));
    fail_every_allocation(run);
}

TEST_CASE("the workspace of a captured call grows with an update, and lies where a temp was", "[faults][captured]") {
    std::vector<double> xs(1000), more(4000);
    std::size_t given = 0;
    const auto notes = [&given](void* memory, std::size_t& bytes, double* values, index_t count, cudaStream_t on) {
        if (memory) given = bytes;
        return sized{}(memory, bytes, values, count, on);
    };
    auto exec = instantiate(cub_call(notes)(inout(x), extent(x)), x(std::span(xs)));
    CHECK(given == 100'000);
    CHECK((exec.memory_usage().bytes >= 100'000 && exec.memory_usage().bytes < 100'000 + 256));
    exec.update(x(std::span(more)));
    CHECK(given == 400'000);
    CHECK((exec.memory_usage().bytes >= 400'000 && exec.memory_usage().bytes < 400'000 + 256));
    exec.launch(nullptr);

    const auto behind_a_temp = seq(copy(in(x), out(t)), copy(in(t), out(x)), cub_call(notes)(inout(x), extent(x)));
    const memory_footprint memory = instantiate(behind_a_temp, x(std::span(xs))).memory_usage();
    CHECK(memory.bytes < 100'000 + 256);
    CHECK(memory.without_aliasing >= 100'000 + 8000);
}

// Warm-ups that overwrite what they are given.
TEST_CASE("a warm-up that fails leaves what its call writes as it was", "[faults][captured]") {
    std::vector<double> xs(64, 1), ys(64, 2);
    int way = 0;
    const auto f = [&way](cudaStream_t on, double* first, double* second) -> int {
        first[0] = second[63] = 99;
        const cudaError_t code = launches{}(on, first);
        if (way == 1) throw std::runtime_error("half-way");
        return way == 2 ? 7 : static_cast<int>(code);
    };
    const auto e = captured(f).warm_up()(inout(x), out(y));
    const auto make = [&] { instantiate(e, x(std::span(xs)), y(std::span(ys))); };
    const auto is_as_it_was = [&] { return xs == std::vector<double>(64, 1) && ys == std::vector<double>(64, 2); };
    for (const char* const words : {"threw an exception: half-way", "gave the status 7"}) {
        ++way;
        const every_call::outcome seen = every_call::attempt(make, {});
        const std::vector<std::string> names = every_call::names_of_calls();
        INFO(seen.words);
        CHECK(contains(seen.words, words));
        CHECK(is_as_it_was());
        const auto behind_f = std::find(names.begin(), names.end(), "cudaLaunchKernel");
        const std::vector<std::string> end{"cudaLaunchKernel", "cudaStreamSynchronize", "cudaMemcpyAsync", "cudaMemcpyAsync",
                                           "cudaStreamSynchronize", "cudaFree", "cudaFree"};
        REQUIRE(names.end() - behind_f > 7);
        std::vector<std::string> done;
        std::copy_if(behind_f, names.end(), std::back_inserter(done), [](const std::string& call) { return !contains(call, "cudaLogs"); });
        done.resize(7);
        CHECK(done == end);
    }
    // Whatever call fails; what is not copied back at once is tried again.
    way = 0;
    const std::vector<std::string> names = every_call::calls_of(make);
    const auto captures_from = std::find(names.begin(), names.end(), "cudaStreamBeginCapture");
    for (auto call = names.begin(); call < captures_from; ++call) {
        xs.assign(64, 1);
        ys.assign(64, 2);
        const every_call::outcome seen = every_call::attempt(make, {static_cast<int>(call - names.begin()), cudaErrorIllegalAddress});
        INFO(call - names.begin() << ", " << *call << ": " << seen.words);
        const bool copies = *call == "cudaMemcpyAsync";
        if (!every_call::is_silent(*call) || copies) CHECK(seen.threw);
        if (seen.threw) CHECK(is_as_it_was());
    }
}

TEST_CASE("a scalar that nobody binds is zero behind a warm-up", "[faults][captured]") {
    int calls = 0;
    const auto f = [&calls](cudaStream_t on, double* first, double* result) {
        if (++calls == 1) *result = 99;
        return launches{}(on, first);
    };
    std::vector<double> xs(64);
    auto exec = instantiate(captured(f).warm_up()(inout(x), out(kept)), x(std::span(xs)));
    CHECK(calls == 2);
    CHECK(exec.fetch(kept) == 0);
}

// What f captures is refused in a loop before anything is made of it, with the call's name and line; at the root it may be allowed.
template <class F>
void check_refused_in_body(const F& f, const std::string& words, bool allowed_at_root) {
    std::vector<double> xs(64);
    const fake_runtime::live_objects before = fake_runtime::live();
    const auto call = label("library", captured(f)(inout(x)));
    const auto in_loop = repeat(2, seq(fill(out(x), 3), when(n > 0, call)));
    const auto check_refused = [&](const auto& e) {
        const every_call::outcome seen = every_call::attempt([&] { instantiate(e, x(std::span(xs)), n(1)); }, {});
        INFO(seen.words);
        CHECK(contains(seen.words, "'library' (" __FILE__));
        CHECK(contains(seen.words, ") captured " + words));
        CHECK(seen.line == call.records[0].line);
        CHECK((seen.objects == before));
        CHECK(seen.allocated == 0);
        CHECK(every_call::count_of("cudaGraphInstantiateWithParams") == 0);
    };
    check_refused(in_loop);
    if (allowed_at_root)
        CHECK_NOTHROW(instantiate(call, x(std::span(xs))));
    else
        check_refused(seq(when(n > 0, fill(out(x), 3)), call));
}

// Adds a node to what a stream captures.
cudaError_t add_to_capture(cudaStream_t on, cudaGraphNodeParams params) {
    cudaStreamCaptureStatus status{};
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* after = nullptr;
    std::size_t count = 0;
#if CUDART_VERSION >= 13000
    if (const cudaError_t code = cudaStreamGetCaptureInfo(on, &status, nullptr, &graph, &after, nullptr, &count); code != cudaSuccess) return code;
#else
    if (const cudaError_t code = cudaStreamGetCaptureInfo(on, &status, nullptr, &graph, &after, &count); code != cudaSuccess) return code;
#endif
    if (params.type == cudaGraphNodeTypeConditional)
        if (const cudaError_t code = cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, 0, 0); code != cudaSuccess) return code;
    cudaGraphNode_t node = nullptr;
    return graph_by_hand::add_node(&node, graph, std::vector<cudaGraphNode_t>(after, after + count), params);
}

TEST_CASE("what a body may not hold is refused", "[faults][captured]") {
    cudaEvent_t event = nullptr;
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    const std::string not_in_body = ": no loop or branch may hold it: put the call before or after it, or let the host drive the loop.";
    const auto host_function = [](cudaStream_t on, double*) { return cudaLaunchHostFunc(on, [](void*) {}, nullptr); };
    check_refused_in_body(host_function, "a host function" + not_in_body, true);
    check_refused_in_body([&](cudaStream_t on, double*) { return cudaEventRecordWithFlags(event, on, cudaEventRecordExternal); },
                          "the record of an event" + not_in_body, true);
    check_refused_in_body([&](cudaStream_t on, double*) { return cudaStreamWaitEvent(on, event, cudaEventWaitExternal); },
                          "the wait for an event" + not_in_body, true);

    double elsewhere[64] = {};
    fake_runtime::set_pageable(elsewhere);
    const std::string copies = "a copy from or to pageable host memory: no loop or branch may hold it: use memory of cudaMallocHost, or let the host drive the loop.";
    check_refused_in_body([&](cudaStream_t on, double* to) { return cudaMemcpyAsync(to, elsewhere, 64, cudaMemcpyHostToDevice, on); }, copies, true);
    check_refused_in_body([&](cudaStream_t on, double* from) { return cudaMemcpyAsync(elsewhere, from, 64, cudaMemcpyDeviceToHost, on); }, copies, true);
    fake_runtime::set_pageable(nullptr);
    std::vector<double> xs(64);
    const auto copy_known = [&](cudaStream_t on, double* to) { return cudaMemcpyAsync(to, elsewhere, 64, cudaMemcpyHostToDevice, on); };
    CHECK_NOTHROW(instantiate(repeat(2, captured(copy_known)(inout(x))), x(std::span(xs))));

    const std::string allocation = "an allocation of memory: no child graph may hold it: hand it a temp to work in";
    check_refused_in_body(
        [](cudaStream_t on, double*) {
            void* memory = nullptr;
            return cudaMallocAsync(&memory, 64, on);
        },
        allocation, false);
    check_refused_in_body([](cudaStream_t on, double* values) { return cudaFreeAsync(values, on); }, allocation, false);

    const auto adds = [](cudaGraphNodeParams params) { return [params](cudaStream_t on, double*) { return add_to_capture(on, params); }; };
    const auto of_type = [](cudaGraphNodeType type) {
        cudaGraphNodeParams params{};
        params.type = type;
        return params;
    };
    check_refused_in_body(adds(of_type(cudaGraphNodeTypeExtSemaphoreSignal)), "the signal of a semaphore" + not_in_body, true);
    check_refused_in_body(adds(of_type(cudaGraphNodeTypeExtSemaphoreWait)), "the wait for a semaphore" + not_in_body, true);
    check_refused_in_body(adds(graph_by_hand::conditional(cudaGraphCondTypeWhile, {})),
                          "a loop or branch of CUDA's own: no child graph may hold it: write it as a part of the expression.", false);

    const stream capturing;
    cudaGraph_t inner = nullptr;
    REQUIRE(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeGlobal) == cudaSuccess);
    host_function(capturing, nullptr);
    REQUIRE(cudaStreamEndCapture(capturing, &inner) == cudaSuccess);
    cudaGraphNodeParams child = of_type(cudaGraphNodeTypeGraph);
    child.graph.graph = inner;
    check_refused_in_body(adds(child), "a host function" + not_in_body, true);
    CHECK(cudaGraphDestroy(inner) == cudaSuccess);
    CHECK(cudaEventDestroy(event) == cudaSuccess);
}

TEST_CASE("calls that look through what is captured, whatever call fails", "[faults][captured]") {
    std::vector<double> xs(64), elsewhere(64);
    const stream capturing;
    cudaGraph_t inner = nullptr;
    REQUIRE(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeGlobal) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(xs.data(), elsewhere.data(), 64, cudaMemcpyDefault, capturing) == cudaSuccess);
    REQUIRE(cudaStreamEndCapture(capturing, &inner) == cudaSuccess);
    const auto f = [inner](cudaStream_t on, double*) {
        cudaGraphNodeParams child{};
        child.type = cudaGraphNodeTypeGraph;
        child.graph.graph = inner;
        return add_to_capture(on, child);
    };
    const auto e = repeat(2, captured(f)(inout(x)));
    int told = 0;
    const auto names = fail_every_call([&] { instantiate(e, x(std::span(xs))); },
                                       [&](const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
                                           if (contains(seen.words, "gave the status")) return;  // what f itself calls
                                           every_call::check_told_with_node(seen, call, which);
                                           ++told;
                                       });
    CHECK(told > 0);
    CHECK((holds(names, "cudaGraphChildGraphNodeGetGraph") && holds(names, "cudaGraphMemcpyNodeGetParams")));
    CHECK(cudaGraphDestroy(inner) == cudaSuccess);
}

struct throws {
    void operator()(cudaStream_t on, double* values) const {
        launches{}(on, values);
        throw std::runtime_error("half-way");
    }
};

TEST_CASE("a captured call that throws leaves nothing behind", "[faults][captured]") {
    const stream on;
    std::vector<double> xs(64);
    const fake_runtime::live_objects before = fake_runtime::live();
    const auto check_thrown = [&](const auto& run) {
        const every_call::outcome seen = every_call::attempt(run, {});
        CHECK(contains(seen.words, "threw an exception: half-way"));
        CHECK(seen.left_behind == cudaSuccess);
        CHECK(seen.allocated == 0);
        CHECK((seen.objects == before));
    };
    check_thrown([&] { instantiate(repeat(2, captured(throws{})(inout(x))), x(std::span(xs))); });
    check_thrown([&] { run_on(on, captured(throws{})(inout(x)), x(std::span(xs))); });
}

}  // namespace captured_calls
