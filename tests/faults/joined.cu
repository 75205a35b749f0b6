// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/join/add_to.cuh>
#include <cograph/join/captured_stream.cuh>
#include <cograph/join/gather.cuh>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Work that joins what somebody else captures, or a graph of somebody else's: all of it or nothing, whatever call fails, and memory that lives as
// long as that graph.
namespace joined {

using namespace cograph;
using device_memory::stream;
using every_call::count_of;
using every_call::holds;
using every_call::words_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct pages : host_buffer<pages, double> {} pages;
// They begin each run with these values, by nodes in front of all others.
inline constexpr struct begins_at : scalar<begins_at, int> {
    static constexpr int initial = 0;
} begins_at;
inline constexpr struct unit : scalar<unit, double> {
    static constexpr double initial = 1;
} unit;

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }
struct half {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to = from / 2; }
};
constexpr auto doubling = kernel<twice>(over(x))(x);
constexpr auto adding = seq(for_each(over(x), half{})(in(x[each]), out(t[each])), reduce(out(s), in(t)));
constexpr auto persistent = seq(adding, repeat(n, for_each(over(x), half{})(in(t[each]), out(x[each]))));
constexpr auto looping = seq(adding, assign(i, begins_at), loop_while(i < n, seq(doubling, assign(i, i + 1), when(s < unit, doubling))));

const std::span<double> xs(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000), fewer(reinterpret_cast<double*>(std::uintptr_t{3} << 52), 500);

// What cograph/join/capture.cuh sets for a whole program.
struct joining {
    joining() { core::on_captured_streams = {&core::launch_in_capture, &core::run_in_capture}; }
    ~joining() {
        core::on_captured_streams = {};
        free_memory_of_graphs();
    }
    joining(const joining&) = delete;
    joining& operator=(const joining&) = delete;
};

constexpr cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};

using fake_runtime::nodes_in;
// Captures what runs do; where they throw, the capture ends as if they had not been there.
template <class Run>
core::graph_owner captured_graph(const stream& on, const Run& run, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    core::graph_owner graph;
    core::stream_capture capture(on);
    core::check(capture.begin(mode), "cudaStreamBeginCapture", {"test", "here", 1});
    try {
        run();
    } catch (...) {
        const bool ended = capture.end(graph) == cudaSuccess;
        if (ended) CHECK(nodes_in(graph.get()) == 0);
        cudaGetLastError();  // of a capture that is invalid
        throw;
    }
    core::check(capture.end(graph), "cudaStreamEndCapture", {"test", "here", 1});
    return graph;
}
// Told; where the mode of the thread cannot be changed, what CUDA refuses then is told.
void check_told(const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
    if (call != "cudaThreadExchangeStreamCaptureMode") every_call::check_told(seen, call, which);
}
void instantiate_twice(cudaGraph_t graph, bool has_conditionals) {
    cudaGraphInstantiateParams params{};
    core::exec_owner first, second;
    CHECK(cudaGraphInstantiateWithParams(first.put(), graph, &params) == cudaSuccess);
    if (!has_conditionals) CHECK(cudaGraphInstantiateWithParams(second.put(), graph, &params) == cudaSuccess);
}

TEST_CASE("a launch on a stream that is being captured becomes a part of the capture", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    const auto check = [&](const auto& e, bool has_conditionals, auto... bindings) {
        const fake_runtime::live_objects before = fake_runtime::live();
        for (const cudaStreamCaptureMode mode : modes) {
            std::optional exec(instantiate(e, bindings...));
            CHECK(exec->has_conditional_nodes() == has_conditionals);
            core::graph_owner graph = captured_graph(on, [&] { exec->launch(on); }, mode);
            CHECK(nodes_in(graph.get()) == nodes_in(exec->graph_ref()));
            const core::graph_owner twice_over = captured_graph(on, [&] { exec->launch(on), exec->launch(on); }, mode);
            CHECK(nodes_in(twice_over.get()) == 2 * nodes_in(graph.get()));
            exec.reset();
            const long kept = fake_runtime::live().memory - before.memory;
            CHECK(kept > 0);  // the graphs own what the executable had
            instantiate_twice(graph.get(), has_conditionals);
        }
        free_memory_of_graphs();
        CHECK((fake_runtime::live() == before));
    };
    check(persistent, false, x(xs), n(3));
    check(looping, true, x(xs), n(3));
    check(as_nodes(persistent), true, x(xs), n(3));
}

TEST_CASE("a launch that joins a capture asks CUDA for nothing else than its nodes", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    auto exec = instantiate(persistent, x(xs), n(3));
    exec.launch(on);
    CHECK(every_call::calls_of([&] { exec.launch(on); }) == std::vector<std::string>{"cudaStreamIsCapturing", "cudaGraphLaunch"});
    const core::graph_owner graph = captured_graph(on, [&] {
        fake_runtime::expect();
        exec.launch(on);
        const std::vector<std::string> names = every_call::names_of_calls();
        CHECK(!holds(names, "cudaGraphLaunch"));
        CHECK(!holds(names, "cudaMalloc"));
        CHECK(!holds(names, "cudaGraphInstantiateWithParams"));
        CHECK(names.back() == "cudaThreadExchangeStreamCaptureMode");
        CHECK(count_of("cudaStreamUpdateCaptureDependencies") == 1);
    });
    free_memory_of_graphs();
}

TEST_CASE("a graph owns no memory of an executable that outlives it", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    auto exec = instantiate(persistent, x(xs), n(3));
    const fake_runtime::live_objects before = fake_runtime::live();
    core::let_graphs_own_memory(false);
    core::graph_owner graph = captured_graph(on, [&] { exec.launch(on); });
    CHECK(fake_runtime::live().user_objects == before.user_objects);
    graph = captured_graph(on, [&] { run_on(on, persistent, x(xs), n(3)); });  // nobody else owns this
    CHECK(fake_runtime::live().user_objects == before.user_objects + 1);
    core::let_graphs_own_memory(true);
    graph = captured_graph(on, [&] { exec.launch(on); });
    CHECK(fake_runtime::live().user_objects == before.user_objects + 1);
    graph = {};
    free_memory_of_graphs();
    CHECK((fake_runtime::live() == before));
}

TEST_CASE("launches that join a capture, whatever call fails", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    const auto run = [&](const auto& e) {
        return [&on, &e] {
            struct at_end {
                ~at_end() { free_memory_of_graphs(); }
            } freed;
            std::optional exec(instantiate(e, x(xs), n(3)));
            const core::graph_owner graph = captured_graph(on, [&] { exec->launch(on); });
            exec.reset();
        };
    };
    CHECK(holds(every_call::fail_every_call(run(persistent), check_told), "cudaStreamUpdateCaptureDependencies"));
    CHECK(holds(every_call::fail_every_call(run(looping), check_told), "cudaGraphConditionalHandleCreate"));
    every_call::fail_every_allocation(run(looping));
}

TEST_CASE("a run on a stream that is being captured becomes a part of the capture", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    const auto run = [&on](const auto& e, auto... bindings) {
        return [&on, &e, bindings...] {
            struct at_end {
                ~at_end() { free_memory_of_graphs(); }
            } freed;
            const core::graph_owner graph = captured_graph(on, [&] {
                const auto report = run_on(on, e, bindings...);
                CHECK(report.loops[0].entries == 0);
            });
            CHECK(nodes_in(graph.get()) > 1);
            CHECK(fake_runtime::live().memory > 0);
        };
    };
    for (const auto& names : {every_call::fail_every_call(run(adding, x(xs)), check_told), every_call::fail_every_call(run(looping, x(xs), n(2)), check_told)}) {
        CHECK(holds(names, "cudaMalloc"));
        CHECK(!holds(names, "cudaMallocAsync"));
        CHECK(!holds(names, "cudaStreamSynchronize"));
    }
    every_call::fail_every_allocation(run(looping, x(xs), n(2)));
}

TEST_CASE("an expression is added to a graph behind nodes of it, and in bodies", "[faults][joined]") {
    const auto run = [](const auto& e, bool in_body) {
        return [&e, in_body] {
            struct at_end {
                ~at_end() { free_memory_of_graphs(); }
            } freed;
            const place here{"test", "here", 1};
            core::graph_owner graph;
            core::check(cudaGraphCreate(graph.put(), 0), "cudaGraphCreate", here);
            cudaGraph_t to = graph.get();
            cudaGraphNode_t front[2];
            if (in_body) {
                cudaGraphConditionalHandle handle{};
                core::check(cudaGraphConditionalHandleCreate(&handle, graph.get(), 1, cudaGraphCondAssignDefault), "cudaGraphConditionalHandleCreate", here);
                cudaGraphNodeParams params{};
                params.type = cudaGraphNodeTypeConditional;
                params.conditional.handle = handle;
                params.conditional.type = cudaGraphCondTypeWhile;
                params.conditional.size = 1;
                core::check(core::add_node(front, graph.get(), nullptr, nullptr, 0, &params), "cudaGraphAddNode", here);
                to = params.conditional.phGraph_out[0];
            }
            cudaGraphNodeParams nothing{};
            nothing.type = cudaGraphNodeTypeEmpty;
            for (cudaGraphNode_t& node : front) core::check(core::add_node(&node, to, nullptr, nullptr, 0, &nothing), "cudaGraphAddNode", here);
            try {
                const std::vector<cudaGraphNode_t> last = add_to(to, front, e, x(xs), n(2));
                CHECK(last.size() >= 1);
                CHECK(nodes_in(to) > 3);
            } catch (...) {
                CHECK(nodes_in(to) == 2);
                throw;
            }
        };
    };
    for (const bool in_body : {false, true}) {
        every_call::fail_every_call(run(persistent, in_body), check_told);
        every_call::fail_every_call(run(looping, in_body), check_told);
    }
    every_call::fail_every_allocation(run(looping, false));
}

TEST_CASE("an expression is added to what a stream is being captured into, without an executable", "[faults][joined]") {
    const stream on;
    const auto run = [&on](const auto& e) {
        return [&on, &e] {
            struct at_end {
                ~at_end() { free_memory_of_graphs(); }
            } freed;
            const core::graph_owner graph = captured_graph(on, [&] { add_to(on, e, x(xs), n(2)); });
            CHECK(nodes_in(graph.get()) > 1);
        };
    };
    CHECK(!holds(every_call::fail_every_call(run(persistent), check_told), "cudaGraphInstantiateWithParams"));
    every_call::fail_every_call(run(looping), check_told);
    CHECK(words_of([&] { add_to(on, persistent, x(xs), n(2)); }) == "cograph: 'add_to' is called with a stream that is not being captured: launch an executable there");
}

TEST_CASE("what others wait for behind an expression are its last nodes", "[faults][joined]") {
    core::graph_owner graph;
    REQUIRE(cudaGraphCreate(graph.put(), 0) == cudaSuccess);
    constexpr auto two = par(kernel<twice>(over(x))(x), fill(out(t), 1));
    const std::vector<cudaGraphNode_t> first = add_to(graph.get(), {}, as_nodes(two), x(xs));
    CHECK(first.size() == 2);
    CHECK(add_to(graph.get(), first, doubling, x(xs)).size() == 1);
    CHECK(nodes_in(graph.get()) == 3);
    graph = {};
    free_memory_of_graphs();
}

TEST_CASE("nodes that do not run are not in what an executable joins", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    const auto kernels_in = [&](auto& exec) {
        const core::graph_owner graph = captured_graph(on, [&] { exec.launch(on); });
        std::size_t count = nodes_in(graph.get());
        std::vector<cudaGraphNode_t> nodes(count);
        cudaGraphGetNodes(graph.get(), nodes.data(), &count);
        int kernels = 0;
        for (const cudaGraphNode_t node : nodes) {
            cudaGraphNodeType type{};
            cudaGraphNodeGetType(node, &type);
            kernels += type == cudaGraphNodeTypeKernel;
        }
        return kernels;
    };
    const auto e = seq(label("first", doubling), label("second", kernel<twice>(grid(1).block(1))(x)));
    auto exec = instantiate(e, x(xs));
    CHECK(kernels_in(exec) == 2);
    exec.disable("first");
    CHECK(kernels_in(exec) == 1);
    exec.enable("first");
    CHECK(kernels_in(exec) == 2);
    auto none = instantiate(fill(out(x), 1), x(xs.first(0)));
    CHECK(kernels_in(none) == 0);
    // Beside loops a kernel that does nothing stays.
    auto loop = instantiate(as_nodes(seq(label("first", doubling), repeat(2, doubling))), x(xs));
    const int all = kernels_in(loop);
    loop.disable("first");
    CHECK(kernels_in(loop) == all);
}

// A foreign graph with a loop in it, and the loop's body.
struct foreign_loop {
    core::graph_owner graph;
    cudaGraph_t body = nullptr;

    foreign_loop() {
        const place here{"test", "here", 1};
        core::check(cudaGraphCreate(graph.put(), 0), "cudaGraphCreate", here);
        cudaGraphNodeParams params{};
        cudaGraphNode_t node = nullptr;
        core::check(cudaGraphConditionalHandleCreate(&params.conditional.handle, graph.get(), 1, cudaGraphCondAssignDefault), "cudaGraphConditionalHandleCreate", here);
        params.type = cudaGraphNodeTypeConditional;
        params.conditional.type = cudaGraphCondTypeWhile;
        params.conditional.size = 1;
        core::check(core::add_node(&node, graph.get(), nullptr, nullptr, 0, &params), "cudaGraphAddNode", here);
        body = params.conditional.phGraph_out[0];
    }
};
TEST_CASE("what CUDA takes outside of loops and branches only is refused in a foreign body, before anything is added", "[faults][joined]") {
    const auto looks = [](const double*) {};
    const auto e = seq(doubling, host(looks)(in(x)));
    const foreign_loop foreign;
    CHECK(words_of([&] { add_to(foreign.body, {}, e, x(xs)); }).find("joins the body of a loop or branch, and CUDA takes it outside of those only") != std::string::npos);
    const auto is_refused = [&](const auto& one, auto... bindings) {
        return words_of([&] { add_to(foreign.body, {}, seq(doubling, one), x(xs), bindings...); }).find("and CUDA takes it outside of those only") != std::string::npos;
    };
    std::vector<double> on_host(xs.size());
    CHECK(is_refused(copy(in(pages), out(x)), pages(std::span(on_host))));
    core::event_owner event;
    REQUIRE(cudaEventCreate(event.put()) == cudaSuccess);
    CHECK(is_refused(wait(event.get())(out(x))));
    CHECK(is_refused(record(event.get())));
    CHECK(nodes_in(foreign.body) == 0);
    CHECK(add_to(foreign.graph.get(), {}, e, x(xs)).size() == 1);  // beside the loop
    const auto calls_host = captured([](cudaStream_t on, double*) { cudaLaunchHostFunc(on, [](void*) {}, nullptr); })(inout(x));
    CHECK(words_of([&] { add_to(foreign.body, {}, seq(doubling, calls_host), x(xs)); }).find("captured a host function") != std::string::npos);
    CHECK(nodes_in(foreign.body) == 0);
    const auto in_body = [&e] {
        const foreign_loop to;
        add_to(to.graph.get(), {}, e, x(xs));
    };
    CHECK(holds(every_call::fail_every_call(in_body, check_told), "cudaGraphClone"));
}

TEST_CASE("an update reaches launches that follow, not graphs that were captured before", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    const fake_runtime::live_objects before = fake_runtime::live();
    {
        auto exec = instantiate(persistent, x(fewer), n(3));
        const core::graph_owner graph = captured_graph(on, [&] { exec.launch(on); });
        exec.update(x(xs));  // temps lie elsewhere now; the graph keeps its own
        const core::graph_owner later = captured_graph(on, [&] { exec.launch(on); });
        exec.launch(on);
    }
    free_memory_of_graphs();
    CHECK((fake_runtime::live() == before));
}

TEST_CASE("a capture that is invalid already is said to be so", "[faults][joined]") {
    const joining on_captures;
    const stream on;
    auto exec = instantiate(doubling, x(xs));
    fake_runtime::set_invalidated(true);
    const std::string words = words_of([&] { exec.launch(on); });
    fake_runtime::set_invalidated(false);
    CHECK(words == "cograph: 'launch' is on a stream whose capture is invalid already: end the capture, which gives no graph");
    CHECK_NOTHROW(exec.launch(on));
}

TEST_CASE("a gather and a scatter are launches that may fail", "[faults][joined]") {
    const stream on;
    const auto names = every_call::fail_every_call([&] {
        const std::span<double> all = gather(on, strided(xs.data(), 500, 2), fewer);
        scatter(on, all, strided(xs.data(), 500, 2));
        gather(on, strided(xs.data(), 0, 2), fewer.first(0));
    }, check_told);
    CHECK(names == std::vector<std::string>(2, "cudaLaunchKernel"));
    CHECK(words_of([&] { scatter(on, fewer, strided(xs.data(), 10, 2)); }) == "cograph: 'scatter' is given an array of 10 elements, and memory for 500");
}

}  // namespace joined
