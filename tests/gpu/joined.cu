// SPDX-License-Identifier: Apache-2.0
#include "joined_ways.cuh"

#include <cograph/callable.cuh>
#include <cograph/join/add_to.cuh>
#include <cograph/join/captured_stream.cuh>

#include <optional>
#include <span>
#include <string>
#include <vector>

// Work in what somebody else captures, and in graphs of somebody else's.
namespace joined {

using namespace cograph;
using device_memory::device_array;
using device_memory::must;
using device_memory::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct n : value<n, int> {} n;

__global__ void add_to_each(double* values, double what) { values[threadIdx.x] += what; }
__global__ void set_each(double* values, double what) { values[threadIdx.x] = what; }
// Of a foreign loop or branch: decides.
__global__ void decide(cudaGraphConditionalHandle handle, int* passes, int times) { cudaGraphSetConditional(handle, ++*passes < times); }
struct add_one {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to = from + 1; }
};
struct put_back {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to = from; }
};
__global__ void add_two(double* values) { values[threadIdx.x] += 2; }

// Each adds to x. Loops of library nodes are one kernel; the others keep conditional nodes, also nested.
constexpr auto once = seq(for_each(over(x), add_one{})(in(x[each]), out(t[each])), for_each(over(x), put_back{})(in(t[each]), out(x[each])));
constexpr auto persistent = seq(once, repeat(n, once));
constexpr auto looping = seq(once, assign(i, 0), loop_while(i < n, seq(kernel<add_two>(grid(1).block(64))(x), assign(i, i + 1), when(i == 2, kernel<add_two>(grid(1).block(64))(x)))));
constexpr double of_persistent = 4, of_looping = 9;  // where n is 3

using joined_ways::joining;
constexpr cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};

template <class Run>
core::graph_owner captured_graph(const stream& on, const Run& run, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    core::graph_owner graph;
    must(cudaStreamBeginCapture(on, mode));
    run();
    must(cudaStreamEndCapture(on, graph.put()));
    return graph;
}
core::exec_owner instantiated(const core::graph_owner& graph) {
    core::exec_owner exec;
    must(cudaGraphInstantiate(exec.put(), graph.get(), 0));
    return exec;
}
void launch(const core::exec_owner& exec, const stream& on) {
    must(cudaGraphLaunch(exec.get(), on));
    on.wait();
}

// A conditional node of one body, as others make one.
cudaGraphNodeParams conditional_of(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
    return params;
}

// A foreign graph with a loop or a branch; what is in its body runs so many times.
struct foreign_control {
    core::graph_owner graph;
    cudaGraph_t body = nullptr;
    cudaGraphConditionalHandle handle{};
    device_array<int> passes{1, 0};

    explicit foreign_control(cudaGraphConditionalNodeType type) {
        must(cudaGraphCreate(graph.put(), 0));
        must(cudaGraphConditionalHandleCreate(&handle, graph.get(), 1, cudaGraphCondAssignDefault));
        cudaGraphNodeParams params = conditional_of(handle, type);
        cudaGraphNode_t node = nullptr;
        must(core::add_node(&node, graph.get(), nullptr, nullptr, 0, &params));
        body = params.conditional.phGraph_out[0];
    }
    // Captures into the body, then decides.
    template <class Run>
    void capture(const stream& on, int times, const Run& run) {
        must(cudaStreamBeginCaptureToGraph(on, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
        set_each<<<1, 64, 0, on>>>(first.data(), 0);
        run();
        decide<<<1, 1, 0, on>>>(handle, passes.data(), times);
        cudaGraph_t same = nullptr;
        must(cudaStreamEndCapture(on, &same));
        CHECK(same == body);
    }
    device_array<double> first{64};
};

TEST_CASE("a launch joins a capture in every mode, and the graph outlives the executable", "[gpu][joined]") {
    const joining on_captures;
    const stream on;
    device_array<double> xs(64, 0);
    const auto check = [&](const auto& e, double adds) {
        for (const cudaStreamCaptureMode mode : modes) {
            std::optional exec(instantiate(e, x(xs.all()), n(3)));
            const core::graph_owner graph = captured_graph(on, [&] {
                set_each<<<1, 64, 0, on>>>(xs.data(), 5);
                exec->launch(on);
                add_to_each<<<1, 64, 0, on>>>(xs.data(), 0.5);
                exec->launch(on);
            }, mode);
            const bool has_conditionals = exec->has_conditional_nodes();
            exec.reset();
            const core::exec_owner first = instantiated(graph);
            for (int k = 0; k < 2; ++k) {
                launch(first, on);
                CHECK(xs.read() == std::vector<double>(64, 5.5 + 2 * adds));
            }
            // A second instantiation, a clone and a child graph: where no node is conditional.
            core::exec_owner second;
            core::graph_owner clone, parent;
            must(cudaGraphCreate(parent.put(), 0));
            cudaGraphNode_t child = nullptr;
            const cudaError_t codes[] = {cudaGraphInstantiate(second.put(), graph.get(), 0), cudaGraphClone(clone.put(), graph.get()),
                                         cudaGraphAddChildGraphNode(&child, parent.get(), nullptr, 0, graph.get())};
            cudaGetLastError();
            for (const cudaError_t code : codes) CHECK((code == cudaSuccess) == !has_conditionals);
            if (has_conditionals) continue;
            const core::exec_owner of_parent = instantiated(parent);
            launch(of_parent, on);
            CHECK(xs.read() == std::vector<double>(64, 5.5 + 2 * adds));
        }
    };
    check(persistent, of_persistent);
    check(looping, of_looping);
    check(as_nodes(persistent), of_persistent);
    free_memory_of_graphs();
}

TEST_CASE("a run on a stream joins a capture, loops and all", "[gpu][joined]") {
    const joining on_captures;
    const stream on;
    device_array<double> xs(64, 0);
    device_array<double> sums(1);
    for (const cudaStreamCaptureMode mode : modes) {
        const core::graph_owner graph = captured_graph(on, [&] {
            set_each<<<1, 64, 0, on>>>(xs.data(), 1);
            run_on(on, looping, x(xs.all()), n(3));
            run_on(on, persistent, x(xs.all()), n(3));
            run_on(on, seq(once, reduce(out(total), in(x))), x(xs.all()), total(sums.data()));
        }, mode);
        const core::exec_owner exec = instantiated(graph);
        for (int k = 0; k < 3; ++k) launch(exec, on);
        CHECK(xs.read() == std::vector<double>(64, 2 + of_looping + of_persistent));
        CHECK(sums.read()[0] == 64 * (2 + of_looping + of_persistent));
    }
    free_memory_of_graphs();
}

TEST_CASE("a launch joins a stream that a capture forks to", "[gpu][joined]") {
    const joining on_captures;
    const stream on, beside;
    device_array<double> xs(64, 0), ys(64, 0);
    core::event_owner forks, joins;
    must(cudaEventCreateWithFlags(forks.put(), cudaEventDisableTiming));
    must(cudaEventCreateWithFlags(joins.put(), cudaEventDisableTiming));
    auto here = instantiate(looping, x(xs.all()), n(3));
    auto there = instantiate(persistent, x(ys.all()), n(3));
    const core::graph_owner graph = captured_graph(on, [&] {
        set_each<<<1, 64, 0, on>>>(xs.data(), 1);
        set_each<<<1, 64, 0, on>>>(ys.data(), 2);
        must(cudaEventRecord(forks.get(), on));
        must(cudaStreamWaitEvent(beside, forks.get(), 0));
        there.launch(beside);
        here.launch(on);
        must(cudaEventRecord(joins.get(), beside));
        must(cudaStreamWaitEvent(on, joins.get(), 0));
        add_to_each<<<1, 64, 0, on>>>(ys.data(), 0.25);
    });
    const core::exec_owner exec = instantiated(graph);
    for (int k = 0; k < 2; ++k) launch(exec, on);
    CHECK(xs.read() == std::vector<double>(64, 1 + of_looping));
    CHECK(ys.read() == std::vector<double>(64, 2.25 + of_persistent));
}

TEST_CASE("work joins the body of a foreign loop or branch", "[gpu][joined]") {
    const joining on_captures;
    const stream on, elsewhere;
    device_array<double> xs(64, 0);
    const auto check = [&](const auto& e, double adds) {
        for (const auto type : {cudaGraphCondTypeWhile, cudaGraphCondTypeIf}) {
            const int times = type == cudaGraphCondTypeWhile ? 3 : 1;
            xs.write(std::vector<double>(64, 0));
            foreign_control foreign(type);
            {
                auto exec = instantiate(e, x(xs.all()), n(3));
                foreign.capture(on, times, [&] { exec.launch(on), run_on(on, e, x(xs.all()), n(3)); });
            }
            const core::exec_owner exec = instantiated(foreign.graph);
            launch(exec, elsewhere);
            CHECK(xs.read() == std::vector<double>(64, times * 2 * adds));
        }
    };
    check(persistent, of_persistent);
    check(looping, of_looping);
    check(as_nodes(persistent), of_persistent);
    free_memory_of_graphs();
}

// The nodes of a graph that no other waits for.
std::vector<cudaGraphNode_t> last_nodes(cudaGraph_t graph) {
    std::vector<cudaGraphNode_t> last;
    for (const cudaGraphNode_t node : ways::all_nodes_of(graph)) {
        std::size_t behind = 0;
#if CUDART_VERSION >= 13000
        must(cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &behind));
#else
        must(cudaGraphNodeGetDependentNodes(node, nullptr, &behind));
#endif
        if (behind == 0) last.push_back(node);
    }
    return last;
}

// As Warp and PyTorch capture loops and branches: a conditional node is added to the graph of a capture that goes on, and its body is
// captured meanwhile.
struct captured_control {
    cudaGraph_t body = nullptr;
    cudaGraphConditionalHandle handle{};

    captured_control(cudaStream_t on, cudaGraphConditionalNodeType type) {
        core::driver_log log;
        const core::capture_place at(on, {"test"}, log);
        must(cudaGraphConditionalHandleCreate(&handle, at.graph, 1, cudaGraphCondAssignDefault));
        cudaGraphNodeParams params = conditional_of(handle, type);
        cudaGraphNode_t node = nullptr;
        must(core::add_node(&node, at.graph, at.front, nullptr, static_cast<int>(at.front_count), &params));
#if CUDART_VERSION >= 13000
        must(cudaStreamUpdateCaptureDependencies(on, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
#else
        must(cudaStreamUpdateCaptureDependencies(on, &node, 1, cudaStreamSetCaptureDependencies));
#endif
        body = params.conditional.phGraph_out[0];
    }
};

TEST_CASE("work joins loops and branches that a framework captures, as PyTorch does on another stream", "[gpu][joined]") {
    const joining on_captures;
    const stream on, of_body, inside;
    device_array<double> xs(64, 0);
    device_array<int> passes(1, 0);
    const auto check = [&](const auto& e, double adds) {
        for (const cudaStreamCaptureMode mode : modes) {
            auto exec = instantiate(e, x(xs.all()), n(3));
            const core::graph_owner graph = captured_graph(on, [&] {
                set_each<<<1, 64, 0, on>>>(xs.data(), 0);
                must(cudaMemsetAsync(passes.data(), 0, sizeof(int), on));
                exec.launch(on);
                const captured_control loop(on, cudaGraphCondTypeWhile);
                must(cudaStreamBeginCaptureToGraph(of_body, loop.body, nullptr, nullptr, 0, mode));
                exec.launch(of_body);
                const captured_control branch(of_body, cudaGraphCondTypeIf);
                must(cudaStreamBeginCaptureToGraph(inside, branch.body, nullptr, nullptr, 0, mode));
                run_on(inside, e, x(xs.all()), n(3));
                cudaGraph_t same = nullptr;
                must(cudaStreamEndCapture(inside, &same));
                decide<<<1, 1, 0, of_body>>>(loop.handle, passes.data(), 3);
                must(cudaStreamEndCapture(of_body, &same));
                exec.launch(on);
            }, mode);
            // The handle of a branch has its value once in a launch.
            const core::exec_owner made = instantiated(graph);
            for (int k = 0; k < 2; ++k) {
                launch(made, on);
                CHECK(xs.read() == std::vector<double>(64, (2 + 3 * 2) * adds));
            }
        }
    };
    check(persistent, of_persistent);
    check(looping, of_looping);
    free_memory_of_graphs();
}

TEST_CASE("work joins a capture that is ended for a loop and goes on behind it, as Warp does", "[gpu][joined]") {
    const joining on_captures;
    const stream on;
    device_array<double> xs(64, 0);
    device_array<int> passes(1, 0);
    const auto check = [&](const auto& e, double adds) {
        auto exec = instantiate(e, x(xs.all()), n(3));
        cudaGraph_t same = nullptr;
        const core::graph_owner graph = captured_graph(on, [&] {
            set_each<<<1, 64, 0, on>>>(xs.data(), 0);
            must(cudaMemsetAsync(passes.data(), 0, sizeof(int), on));
            exec.launch(on);
        });
        // The last nodes of the graph so far.
        cudaGraphConditionalHandle handle{};
        must(cudaGraphConditionalHandleCreate(&handle, graph.get(), 1, cudaGraphCondAssignDefault));
        std::vector<cudaGraphNode_t> last = last_nodes(graph.get());
        cudaGraphNodeParams params = conditional_of(handle, cudaGraphCondTypeWhile);
        cudaGraphNode_t loop = nullptr;
        must(core::add_node(&loop, graph.get(), last.data(), nullptr, static_cast<int>(last.size()), &params));
        must(cudaStreamBeginCaptureToGraph(on, params.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
        exec.launch(on);
        decide<<<1, 1, 0, on>>>(handle, passes.data(), 3);
        must(cudaStreamEndCapture(on, &same));
        must(cudaStreamBeginCaptureToGraph(on, graph.get(), &loop, nullptr, 1, cudaStreamCaptureModeThreadLocal));
        exec.launch(on);
        must(cudaStreamEndCapture(on, &same));
        const core::exec_owner made = instantiated(graph);
        for (int k = 0; k < 2; ++k) {
            launch(made, on);
            CHECK(xs.read() == std::vector<double>(64, 5 * adds));
        }
    };
    check(persistent, of_persistent);
    check(looping, of_looping);
    free_memory_of_graphs();
}

TEST_CASE("an expression is added to a graph, and others wait for it", "[gpu][joined]") {
    const stream on;
    device_array<double> xs(64, 0), ys(64, 0);
    core::graph_owner graph;
    // [add_to]
    must(cudaGraphCreate(graph.put(), 0));
    const std::vector<cudaGraphNode_t> first = add_to(graph.get(), {}, fill(out(x), 1), x(xs.all()));
    const std::vector<cudaGraphNode_t> last = add_to(graph.get(), first, persistent, x(xs.all()), n(3));
    add_to(graph.get(), last, copy(in(x), out(y)), x(xs.all()), y(ys.all()));
    // [/add_to]
    core::exec_owner exec = instantiated(graph);
    for (int k = 0; k < 2; ++k) launch(exec, on);
    CHECK(ys.read() == std::vector<double>(64, 1 + of_persistent));
    exec = {};  // a graph with conditional nodes is instantiated once at a time
    const std::vector<cudaGraphNode_t> more = add_to(graph.get(), last, looping, x(xs.all()), n(3));
    add_to(graph.get(), more, copy(in(x), out(y)), x(xs.all()), y(ys.all()));
    exec = instantiated(graph);
    launch(exec, on);
    CHECK(xs.read() == std::vector<double>(64, 1 + of_persistent + of_looping));
    CHECK(ys.read() == std::vector<double>(64, 1 + of_persistent + of_looping));

    foreign_control foreign(cudaGraphCondTypeWhile);
    xs.write(std::vector<double>(64, 0));
    const std::vector<cudaGraphNode_t> in_body = add_to(foreign.body, {}, looping, x(xs.all()), n(3));
    cudaGraphNodeParams params{};
    int* passes = foreign.passes.data();
    int times = 3;
    void* parameters[] = {&foreign.handle, &passes, &times};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = reinterpret_cast<void*>(&decide);
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = parameters;
    cudaGraphNode_t node = nullptr;
    must(core::add_node(&node, foreign.body, in_body.data(), nullptr, static_cast<int>(in_body.size()), &params));
    const core::exec_owner of_loop = instantiated(foreign.graph);
    launch(of_loop, on);
    CHECK(xs.read() == std::vector<double>(64, 3 * of_looping));
    free_memory_of_graphs();
}

TEST_CASE("what may not join a capture is refused, and the capture goes on", "[gpu][joined]") {
    const joining on_captures;
    const stream on;
    device_array<double> xs(64, 0);
    int calls = 0;
    const auto e = seq(kernel<add_two>(grid(1).block(64))(x), host([&calls](const double*) { ++calls; })(in(x)));
    auto exec = instantiate(e, x(xs.all()));
    foreign_control foreign(cudaGraphCondTypeWhile);
    foreign.capture(on, 2, [&] {
        std::string words;
        try {
            exec.launch(on);
        } catch (const error& why) {
            words = why.what();
        }
        CHECK(words.find("joins the body of a loop or branch, and CUDA takes it outside of those only") != std::string::npos);
        add_to_each<<<1, 64, 0, on>>>(xs.data(), 1);
    });
    CHECK(ways::nodes_of(foreign.body) == 3);
    const core::exec_owner of_loop = instantiated(foreign.graph);
    launch(of_loop, on);
    CHECK(xs.read() == std::vector<double>(64, 2));
    for (const cudaStreamCaptureMode mode : modes) {
        const core::graph_owner graph = captured_graph(on, [&] { exec.launch(on); }, mode);  // outside of bodies
        const core::exec_owner of_graph = instantiated(graph);
        launch(of_graph, on);
    }
    CHECK(calls == 3);
    CHECK(xs.read() == std::vector<double>(64, 8));
}

TEST_CASE("a call joins a capture on its arguments themselves", "[gpu][joined]") {
    const stream on;
    device_array<double> xs(64, 3), ys(64, 0), others(64, 0);
    std::optional call(make_callable(seq(looping, copy(in(x), out(y))), arguments(inout(x), out(y), in(n)), {}, x(others.all()), y(ys.all()), n(1)));
    for (const cudaStreamCaptureMode mode : modes) {
        xs.write(std::vector<double>(64, 3));
        const core::graph_owner graph = captured_graph(on, [&] { (*call)(on, xs.all(), ys.all(), 3); }, mode);
        CHECK(xs.read() == std::vector<double>(64, 3));
        if (mode == cudaStreamCaptureModeRelaxed) call.reset();
        const core::exec_owner exec = instantiated(graph);
        launch(exec, on);
        CHECK(ys.read() == std::vector<double>(64, 3 + of_looping));
        CHECK(others.read() == std::vector<double>(64, 0));
    }
    free_memory_of_graphs();
}

TEST_CASE("an update does not reach into a graph that was captured before", "[gpu][joined]") {
    const joining on_captures;
    const stream on;
    device_array<double> xs(64, 0), ys(64, 0);
    auto exec = instantiate(persistent, x(xs.all()), n(3));
    core::graph_owner graph;
    // [capture]
    must(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal));
    set_each<<<1, 64, 0, on>>>(xs.data(), 0);
    exec.launch(on);
    must(cudaStreamEndCapture(on, graph.put()));
    // [/capture]
    exec.update(x(ys.all()), n(1));
    const core::exec_owner of_graph = instantiated(graph);
    launch(of_graph, on);
    exec.launch(on);
    on.wait();
    CHECK(xs.read() == std::vector<double>(64, of_persistent));
    CHECK(ys.read() == std::vector<double>(64, 2));
}

TEST_CASE("an expression joins a capture without an executable", "[gpu][joined]") {
    const stream on;
    device_array<double> xs(64, 0);
    for (const cudaStreamCaptureMode mode : modes) {
        const core::graph_owner graph = captured_graph(on, [&] {
            set_each<<<1, 64, 0, on>>>(xs.data(), 1);
            add_to(on, persistent, x(xs.all()), n(3));
            add_to(on, looping, x(xs.all()), n(3));
        }, mode);
        const core::exec_owner exec = instantiated(graph);
        launch(exec, on);
        CHECK(xs.read() == std::vector<double>(64, 1 + of_persistent + of_looping));
    }
    free_memory_of_graphs();
}

TEST_CASE("whether a launch and a call have ended is known, and a graph is instantiated again", "[gpu][joined]") {
    const stream on;
    device_array<double> xs(64, 0), ys(64, 0);
    auto exec = instantiate(persistent, x(xs.all()), n(200000));
    CHECK(exec.query());
    exec.launch(on);
    const bool at_once = exec.query();
    exec.wait();
    CHECK(!at_once);
    CHECK(exec.query());
    CHECK(xs.read() == std::vector<double>(64, 200001));
    auto call = make_callable(persistent, arguments(inout(x)), {}, x(ys.all()), n(200000));
    CHECK(call.query());
    call(on, ys.all());
    const bool call_at_once = call.query();
    call.wait();
    CHECK(!call_at_once);
    CHECK(call.query());

    auto short_exec = instantiate(once, x(xs.all()));
    xs.write(std::vector<double>(64, 0));
    core::graph_owner more;
    add_to(short_exec.graph_ref(), {}, fill(out(y), 5), y(ys.all()));
    short_exec.launch(on);
    short_exec.wait();
    CHECK(ys.read() != std::vector<double>(64, 5));
    short_exec.instantiate_again();
    short_exec.launch(on);
    short_exec.wait();
    CHECK(ys.read() == std::vector<double>(64, 5));
    CHECK(xs.read() == std::vector<double>(64, 2));
}

}  // namespace joined
