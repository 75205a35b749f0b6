// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/callable.cuh>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

// Every CUDA call and every allocation fails once: on a runtime that is not there, so no GPU is needed.
namespace {

using namespace cograph;
using device_memory::stream;
using every_call::fail_every_allocation;
using every_call::fail_every_call;
using every_call::holds;
using every_call::words_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct n : value<n, int> {} n;

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }
struct half {
    COGRAPH_HD void operator()(index_t, double& to, double from) const { to = from / 2; }
};
struct scale {
    double by;
    COGRAPH_HD void operator()(index_t, double& to) const { to *= by; }
};

// Memory of the device, of which only the address counts: another for each name.
template <class T>
std::span<T> device_span(std::size_t size, int name = 1) {
    return {reinterpret_cast<T*>(static_cast<std::uintptr_t>(name) << 52), size};
}

struct nineteen_numbers {
    double of[19];
};
struct twenty_numbers {
    double of[20];
};
inline constexpr struct nineteen : scalar<nineteen, nineteen_numbers> {} nineteen;
inline constexpr struct twenty : scalar<twenty, twenty_numbers> {} twenty;
struct add_to_last {
    template <class T>
    COGRAPH_HD void operator()(T& numbers, double more) const { numbers.of[18] += more; }
};

// The first node of an executable, and its launch.
cudaGraphNode_t first_node(const core::graph_run& exec) {
    cudaGraphNode_t node = nullptr;
    std::size_t count = 1;
    cudaGraphGetNodes(fake_runtime::graph_of(exec.exec_ref()), &node, &count);
    return node;
}
fake_runtime::launched_shape shape_of_first(const core::graph_run& exec) { return fake_runtime::shape_of(first_node(exec)); }

// One expression with every kind of row, and nested.
constexpr auto everything = seq(
    label("first", kernel<twice>(grid(1).block(64).shared(64 * 1024))(x)),
    for_each(over(x), half{})(out(t[each]), in(x[each])),
    for_each(over(n), scale{2})(inout(y[each])),
    dot(out(total), in(t), in(t)),
    loop_while(total > 1, seq(label("inner", kernel<twice>(over(x))(x)), assign(total, total / 2),
                              repeat(3, seq(label("innermost", kernel<twice>(over(x))(x)), assign(passes, passes + 1))))),
    when(passes > 3, label("then", kernel<twice>(over(x))(x)), otherwise(fill(out(t), 0))),
    switch_on(passes, fill(out(t), 1), label("second case", kernel<twice>(over(x))(x))),
    do_while(seq(reduce(out(s), in(x)), for_each(over(x), scale{0.5})(inout(x[each]))), s > 1));

}  // namespace

TEST_CASE("instantiate, launch, fetch and the end, whatever call fails", "[faults]") {
    const stream on;
    std::vector<std::string> names;
    const auto run = [&](const auto& e) {
        auto exec = instantiate(e, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0), passes(device_span<int>(1, 3).data()));
        exec.launch(on);
        exec.fetch(total);
        exec.launch(nullptr);
    };
    SECTION("lowered") {
        names = fail_every_call([&] { run(everything); });
    }
    SECTION("node by node") {
        names = fail_every_call([&] { run(as_nodes(everything)); });
        for (const char* const call : {"cudaMalloc", "cudaMemsetAsync", "cudaStreamSynchronize", "cudaGraphCreate", "cudaGraphConditionalHandleCreate",
                                       "cudaFuncSetAttribute", "cudaGraphAddNode", "cudaGraphInstantiateWithParams", "cudaGraphLaunch",
                                       "cudaMemcpyAsync", "cudaGraphExecDestroy", "cudaGraphDestroy", "cudaFree"}) {
            INFO(call);
            CHECK(holds(names, call));
        }
    }
}

TEST_CASE("nodes left out and taken in, whatever call fails", "[faults]") {
    const stream on;
    const auto names = fail_every_call([&] {
        auto exec = instantiate(as_nodes(everything), x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0),
                                passes(device_span<int>(1, 3).data()));
        exec.upload(on);
        exec.disable("innermost");
        exec.disable(at<0>);
        exec.enable("innermost");
        exec.launch(on);
    });
    CHECK(holds(names, "cudaGraphUpload"));
    CHECK(holds(names, "cudaGraphExecKernelNodeSetParams"));
}

TEST_CASE("kernels over no elements, and those left out, are disabled where no conditional node is", "[faults]") {
    constexpr auto flat = label("k", kernel<twice>(over(x))(x));
    constexpr auto nested = repeat(2, flat);
    const auto run = [](const auto& e) {
        return [&e] {
            auto exec = instantiate(e, x(device_span<double>(0)));
            exec.update(x(device_span<double>(1000)));
            exec.disable("k");
            exec.update(x(device_span<double>(0)));
            exec.update(x(device_span<double>(2000)));
            exec.enable("k");
            exec.launch(nullptr);
        };
    };
    CHECK(holds(fail_every_call(run(flat)), "cudaGraphNodeSetEnabled"));
    CHECK(!holds(fail_every_call(run(nested)), "cudaGraphNodeSetEnabled"));
}

TEST_CASE("a node is left out of every pass that a loop does from one test to the next") {
    const auto e = loop_while(passes < 9, seq(label("body", kernel<twice>(over(x))(x)), assign(passes, passes + 1)), check_every<3>);
    auto exec = instantiate(as_nodes(e), x(device_span<double>(1000)), passes(device_span<int>(1, 3).data()));
    for (const bool by_label : {false, true}) {
        fake_runtime::expect();
        if (by_label)
            exec.disable("body");
        else
            exec.disable(kernel<twice>);
        CHECK(every_call::count_of("cudaGraphExecKernelNodeSetParams") == 3);
        CHECK(!exec.is_enabled(kernel<twice>));
    }
}

TEST_CASE("persistent kernels of a block, a cluster and a grid, whatever call fails", "[faults]") {
    const auto e = loop_while(s > 1, seq(dot(out(s), in(x), in(x)), for_each(over(x), scale{0.5})(inout(x[each]))));
    const auto run = [&](std::size_t size) {
        return [&e, size] { instantiate(e, x(device_span<double>(size)), s(device_span<double>(1, 4).data())).launch(nullptr); };
    };
    CHECK(!holds(fail_every_call(run(100)), "cudaGraphKernelNodeSetAttribute"));
    CHECK(holds(fail_every_call(run(1 << 14)), "cudaGraphKernelNodeSetAttribute"));
    CHECK(holds(fail_every_call(run(1 << 20)), "cudaGraphKernelNodeSetAttribute"));
    fake_runtime::set_capability(8);
    CHECK(holds(fail_every_call(run(1 << 14)), "cudaGraphKernelNodeSetAttribute"));
    fake_runtime::set_capability(9);
}

TEST_CASE("threads keep several elements while a block has room for them", "[faults]") {
    using shape = fake_runtime::launched_shape;
    const auto e = loop_while(s > 1, seq(dot(out(s), in(x), in(x)), for_each(over(x), scale{0.5})(inout(x[each]))));
    static_assert(where_on_chip(e, at<0>, x) == on_chip::kept_by_threads);
    const auto make = [&](std::size_t size) { return instantiate(e, x(device_span<double>(size)), s(device_span<double>(1, 4).data())); };
    const auto launched = [&](std::size_t size) { return shape_of_first(make(size)); };
    constexpr std::size_t threads = 131'072;
    CHECK(launched(threads) == shape{132, 1024});
    CHECK(launched(threads + 1) == shape{128, 1024});
    CHECK(launched(28 * threads) == shape{128, 1024});
    CHECK(launched(28 * threads + 1) == shape{128, 1024});  // 29 elements of 8 bytes: 232 KiB of 227, so one is in memory
    CHECK(holds(fail_every_call([&] { make(20 * threads); }), "cudaFuncSetAttribute"));
    // Kernels whose threads would spill much are not used. If they spill little, they are: small blocks would keep nothing, or have two elements a thread.
    for (const bool much : {false, true}) {
        fake_runtime::set_spilling(much ? core::most_spilled_to_keep + 8 : core::most_spilled_to_keep);
        CHECK(launched(2 * threads) == (much ? shape{132, 512} : shape{128, 1024}));
        CHECK(launched(threads) == (much ? shape{132, 512} : shape{132, 1024}));
        CHECK(launched(132 * 512) == shape{132, 512});  // a thread has one element in small blocks, too
    }
    fake_runtime::set_spilling(0);
    // Buffers that are swapped have no element of their own: their threads keep nothing.
    const auto swapped = repeat(3, seq(for_each(over(x), half{})(out(y[each]), in(x[each])), swap(x, y)));
    static_assert(where_on_chip(swapped, at<0>, y) == on_chip::no_tiles);
    instantiate(swapped, x(device_span<double>(4 * threads)), y(device_span<double>(4 * threads, 2)));
}

template <class Code>
Code first_code(core::list<Code>);
template <class E>
using code_of_loop = decltype(first_code(typename core::lowered<typename E::self>::codes{}));

TEST_CASE("a loop that needs no barrier has a kernel of its own, over a grid of small blocks whose threads have one element", "[faults]") {
    const auto e = loop_while(s > 1, seq(dot(out(s), in(x), in(x)), for_each(over(x), scale{0.5})(inout(x[each]))));
    using with_barrier = decltype(loop_while(s > 1, seq(dot(out(s), in(x), in(x)), for_each(over(x), half{})(out(y[each]), in(x[each])), swap(x, y))));
    const void* const own = reinterpret_cast<const void*>(core::kernel_that_sends<code_of_loop<decltype(e)>>);
    static_assert(core::kernel_that_sends<code_of_loop<with_barrier>> == nullptr);
    const auto make = [&](std::size_t size) { return instantiate(e, x(device_span<double>(size)), s(device_span<double>(1, 4).data())); };
    const auto has_own = [&](std::size_t size) { return fake_runtime::kernel_of(first_node(make(size))) == own; };
    const auto starts_at = [&](std::size_t size) { return !has_own(size - 1) && has_own(size); };
    CHECK(!has_own(0));
    CHECK(starts_at(8'193));  // up to 32 chunks of 256 elements have a block or a cluster
    CHECK((has_own(33'792) && has_own(65'536) && !has_own(65'537)));
    CHECK((!has_own(131'072) && !has_own(1 << 20)));
    CHECK(shape_of_first(make(33'792)) == fake_runtime::launched_shape{132, 256});
    CHECK(shape_of_first(make(33'793)) == fake_runtime::launched_shape{80, 512});  // of two chunks each
    CHECK(shape_of_first(make(65'536)) == fake_runtime::launched_shape{128, 512});
    fake_runtime::set_capability(8);  // without clusters
    CHECK(starts_at(1'025));
    fake_runtime::set_capability(9);
    fake_runtime::set_spilling(8, 511);  // not if its threads would spill
    CHECK(!has_own(33'792));
    fake_runtime::set_spilling(0);

    // An update that leaves these sizes, or comes to them, makes a graph with the other kernel.
    auto exec = make(33'792);
    for (const std::size_t size : {8'192, 50'000, 65'537, 33'792, 100}) {
        exec.update(x(device_span<double>(size)));
        CHECK((fake_runtime::kernel_of(first_node(exec)) == own) == has_own(size));
    }

    // Blocks send results through memory of the executable's, however many elements it has.
    CHECK((make(100).memory_usage().bytes > core::sent_result_bytes && make(100).memory_usage().bytes < core::sent_result_bytes + (32 << 10)));

    const auto run = [&] {
        auto made = make(33'792);
        made.launch(nullptr);
        made.update(x(device_span<double>(8'192, 2)));
        made.update(x(device_span<double>(50'000, 2)));
        made.launch(nullptr);
    };
    CHECK(holds(fail_every_call(run), "cudaFuncGetAttributes"));
    fail_every_allocation(run);

    // The tests' runtime keeps its launch bounds.
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    const auto adds = [&](unsigned threads) {
        cudaKernelNodeParams params{};
        params.func = const_cast<void*>(own);
        params.gridDim = dim3(1);
        params.blockDim = dim3(threads);
        cudaGraphNode_t node = nullptr;
        return cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params) == cudaSuccess;
    };
    CHECK((adds(512) && !adds(513)));
    cudaGetLastError();
    cudaGraphDestroy(graph);
}

// By code of a loop: whether threads with one element have a kernel of their own.
template <class Code>
inline constexpr bool has_own_kernel = false;
template <class Program, class Slot, class Place, class Source, class Stored, class... P>
inline constexpr bool has_own_kernel<core::persistent_code<Program, Slot, Place, Source, Stored, P...>> = core::has_kernel_of_one_element<Program, Slot, Place, P...>;
template <class E>
constexpr bool has_kernel_of_one_element(const E&) {
    return has_own_kernel<code_of_loop<E>>;
}
struct take_half {
    COGRAPH_HD double operator()(index_t, double from, double& to) const { return to = from / 2; }
};
constexpr auto halved_and_swapped = seq(for_each(over(x), half{})(out(y[each]), in(x[each])), swap(x, y));
static_assert(has_kernel_of_one_element(repeat(3, for_each(over(x), scale{0.5})(inout(x[each])))), "threads keep their element");
static_assert(!has_kernel_of_one_element(repeat(3, halved_and_swapped)), "buffers that are swapped are not kept");
static_assert(!has_kernel_of_one_element(repeat(3, seq(halved_and_swapped, reduce(out(s), in(x))))), "its reduction writes no memory");
static_assert(has_kernel_of_one_element(repeat(3, seq(transform_reduce(over(x), take_half{}, plus{})(out(s), in(x[each]), out(y[each])), swap(x, y)))), "one that does");
static_assert(has_kernel_of_one_element(repeat(3, repeat(2, seq(transform_reduce(over(x), take_half{}, plus{})(out(s), in(x[each]), out(y[each])), swap(x, y))))), "in an inner loop");

TEST_CASE("blocks are small if a loop changes scalars of more bytes than threads of large blocks have in registers", "[faults]") {
    using shape = fake_runtime::launched_shape;
    const auto launched = [&](auto numbers, std::size_t size) {
        const auto e = loop_while(s > 1, seq(dot(out(s), in(x), in(x)), single_task(add_to_last{})(inout(numbers), s)));
        return shape_of_first(instantiate(e, x(device_span<double>(size)), s(device_span<double>(1, 4).data()), numbers(device_span<typename decltype(numbers)::element>(1, 5).data())));
    };
    // With the sum, 160 bytes and 168.
    CHECK(launched(nineteen, 1'024) == shape{1, 1024});
    CHECK(launched(nineteen, 8'192) == shape{8, 1024});
    CHECK(launched(nineteen, 131'072) == shape{132, 1024});
    CHECK(launched(twenty, 512) == shape{1, 512});
    CHECK(launched(twenty, 1'024) == shape{1, 512});
    CHECK(launched(twenty, 8'192) == shape{8, 512});
    CHECK(launched(twenty, 33'792) == shape{132, 256});
    CHECK(launched(twenty, 131'072) == shape{132, 512});
    CHECK(launched(twenty, 4'000'000) == shape{132, 512});
}

TEST_CASE("eager runs, whatever call fails", "[faults]") {
    const stream on;
    const auto names = fail_every_call([&] {
        fake_runtime::deliver({1, 1, 1, 0, 0, 1, 1, 0});
        run_on(on, everything, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0), passes(device_span<int>(1, 3).data()));
    });
    fake_runtime::deliver({});
    for (const char* const call : {"cudaMallocAsync", "cudaMemsetAsync", "cudaFuncSetAttribute", "cudaLaunchKernel", "cudaMemcpyAsync",
                                   "cudaStreamSynchronize", "cudaFreeAsync"}) {
        INFO(call);
        CHECK(holds(names, call));
    }
}

TEST_CASE("host work, events and barriers, whatever call fails", "[faults]") {
    const stream on;
    cudaEvent_t event = nullptr;
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    int calls = 0;
    const auto owned = std::make_shared<int>(3);
    const auto e = seq(wait(event)(out(x)), host([owned, &calls](double*, int by) { calls += *owned * by; })(inout(x), n), barrier(),
                       kernel<twice>(over(x))(x), record(event));
    const auto graph = fail_every_call([&] { instantiate(e, x(device_span<double>(64)), n(1)).launch(on); });
    CHECK(owned.use_count() == 2);
    CHECK(calls == 0);
    const auto eager = fail_every_call([&] { run_on(on, e, x(device_span<double>(64)), n(1)); });
    CHECK(owned.use_count() == 2);
    CHECK(calls > 0);
    for (const char* const call : {"cudaUserObjectCreate", "cudaGraphRetainUserObject"}) CHECK(holds(graph, call));
    for (const char* const call : {"cudaLaunchHostFunc", "cudaEventRecord", "cudaStreamWaitEvent"}) CHECK(holds(eager, call));
    fail_every_allocation([&] { instantiate(e, x(device_span<double>(64)), n(1)).launch(on); });
    fail_every_allocation([&] { run_on(on, e, x(device_span<double>(64)), n(1)); });
    cudaEventDestroy(event);
}

inline constexpr struct pinned : pinned_buffer<pinned, double> {} pinned;
inline constexpr struct pageable : host_buffer<pageable, double> {} pageable;

TEST_CASE("copies, whatever call fails", "[faults]") {
    const stream on;
    std::vector<double> xs(64), ps(64, 5), hs(8);
    const auto e = seq(copy(in(pinned), out(x)), copy(in(x), out(pageable), box{.width = 2, .height = 4, .from_pitch = 16}));
    const auto bindings = [&](auto run) { run(x(std::span(xs)), pinned(std::span(ps)), pageable(std::span(hs))); };
    const auto graph = fail_every_call([&] { bindings([&](auto... b) { instantiate(e, b...).launch(on); }); });
    const auto eager = fail_every_call([&] { bindings([&](auto... b) { run_on(on, e, b...); }); });
    CHECK(holds(graph, "cudaPointerGetAttributes"));
    CHECK((holds(eager, "cudaMemcpyAsync") && holds(eager, "cudaMemcpy3DAsync")));
    CHECK(hs == std::vector<double>(8, 5));
}

TEST_CASE("clusters, cooperative grids, priorities and programmatic edges, whatever call fails", "[faults]") {
    const stream on;
    const auto asked = kernel<twice>(over(x).cluster(16).priority(-1).programmatic())(x);
    const auto e = seq(asked, asked, kernel<twice>(grid(4).cooperative())(x));
    const auto graph = fail_every_call([&] { instantiate(e, x(device_span<double>(5000))).launch(on); });
    CHECK((holds(graph, "cudaFuncSetAttribute") && holds(graph, "cudaGraphKernelNodeSetAttribute")));
    CHECK(holds(fail_every_call([&] { run_on(on, e, x(device_span<double>(5000))); }), "cudaLaunchKernelExC"));
    const auto flags_of = [&](const auto& of) {
        unsigned long long flags = 99;
        cudaGraphExecGetFlags(instantiate(of, x(device_span<double>(5000))).exec_ref(), &flags);
        return flags;
    };
    // The driver does not tell.
    CHECK(flags_of(e) == cudaGraphInstantiateFlagUseNodePriority);
    CHECK(flags_of(kernel<twice>(over(x).cluster(16))(x)) == 0);
}

// What an executable's kernels were last told, by node.
std::vector<unsigned long long> told(const core::graph_run& exec) {
    std::size_t count = 0;
    cudaGraphGetNodes(fake_runtime::graph_of(exec.exec_ref()), nullptr, &count);
    std::vector<cudaGraphNode_t> nodes(count);
    cudaGraphGetNodes(fake_runtime::graph_of(exec.exec_ref()), nodes.data(), &count);
    std::vector<unsigned long long> all;
    for (cudaGraphNode_t node : nodes) all.push_back(fake_runtime::first_parameter(node));
    return all;
}

constexpr auto ten_nodes = seq(kernel<twice>(over(x))(x), kernel<twice>(over(x))(x), kernel<twice>(over(x))(x), kernel<twice>(over(x))(x),
                               kernel<twice>(over(x))(x), kernel<twice>(over(x))(x), kernel<twice>(over(x))(x), kernel<twice>(over(x))(x),
                               kernel<twice>(over(x))(x), kernel<twice>(over(x))(x));

TEST_CASE("updates, whatever call fails", "[faults]") {
    const auto run = [](const auto& e) {
        return [&e] {
            auto exec = instantiate(e, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0), passes(device_span<int>(1, 3).data()));
            exec.launch(nullptr);
            exec.update(x(device_span<double>(1000, 4)));
            exec.launch(nullptr);
            exec.update(x(device_span<double>(5000, 5)), n(3));
            exec.launch(nullptr);
            exec.update(x(device_span<double>(std::size_t{1} << 20, 6)), total(device_span<double>(1, 7).data()));
            exec.launch(nullptr);
            exec.update(n(0));
        };
    };
    const auto names = fail_every_call(run(everything));
    CHECK(holds(fail_every_call(run(as_nodes(everything))), "cudaGraphExecKernelNodeSetParams"));
    for (const char* const call : {"cudaGraphExecKernelNodeSetParams", "cudaEventRecord", "cudaEventQuery", "cudaStreamWaitEvent"}) {
        INFO(call);
        CHECK(holds(names, call));
    }
    fail_every_allocation(run(everything));
}

TEST_CASE("what the device rebinds in a graph with loops is not left out") {
    const auto e = seq(ten_nodes, repeat(2, ten_nodes));
    auto exec = instantiate(as_nodes(e), device_updatable(x(device_span<double>(1000))));
    try {
        exec.disable(at<3>);
        FAIL("left out");
    } catch (const error& said) {
        CHECK(std::string(said.what()).find("cannot be left out while a binding of this graph") != std::string::npos);
    }
    CHECK(exec.is_enabled(at<3>));
    auto flat = instantiate(as_nodes(seq(ten_nodes, ten_nodes)), device_updatable(x(device_span<double>(1000))));
    flat.disable(at<3>);
    CHECK(!flat.is_enabled(at<3>));
}

struct square {
    COGRAPH_HD double operator()(index_t, double of) const { return of * of; }
};
constexpr auto squares = transform_reduce(over(x), square{}, plus{})(out(total), in(x[each]));

TEST_CASE("reductions whose threads have too few registers run in small blocks", "[faults]") {
    using shape = fake_runtime::launched_shape;
    const auto shape_in = [](const core::graph_run& exec) {
        cudaGraphNode_t node = nullptr;
        std::size_t count = 1;
        cudaGraphGetNodes(fake_runtime::graph_of(exec.exec_ref()), &node, &count);
        return fake_runtime::shape_of(node);
    };
    const auto shapes = [&](const auto& e) {
        auto exec = instantiate(e, x(device_span<double>(5000)));
        std::vector<shape> seen{shape_in(exec)};
        const cudaGraph_t graph = exec.graph_ref();
        for (const std::size_t size : {600, 100, 1'000'000}) {
            exec.update(x(device_span<double>(size)));
            seen.push_back(shape_in(exec));
        }
        CHECK(exec.graph_ref() == graph);
        return seen;
    };
    const std::vector<shape> large{{5, 1024}, {1, 768}, {1, 256}, {128, 1024}}, small{{10, 512}, {2, 512}, {1, 256}, {256, 512}};
    const auto sum = reduce(out(total), in(x));
    const auto squares_and_more = seq(squares, assign(s, total));  // one kernel
    for (const bool spilling : {false, true}) {
        fake_runtime::set_spilling(spilling ? 80 : 0);
        CHECK(shapes(squares) == (spilling ? small : large));
        CHECK(shapes(squares_and_more) == (spilling ? small : large));
        CHECK(shapes(as_nodes(squares)) == (spilling ? small : large));
        CHECK(shapes(sum) == large);
    }

    const auto e = seq(squares, assign(s, total), when(s > 1, squares), repeat(2, seq(kernel<twice>(over(x))(x), squares)), repeat(2, squares));
    const auto names = fail_every_call([&] {
        auto exec = instantiate(e, x(device_span<double>(1 << 20)));
        exec.launch(nullptr);
        exec.update(x(device_span<double>(5000, 2)));
        exec.launch(nullptr);
    });
    CHECK(holds(names, "cudaFuncGetAttributes"));
    const auto often_rebound = seq(ten_nodes, ten_nodes, squares);
    CHECK(holds(fail_every_call([&] { instantiate(often_rebound, device_updatable(x(device_span<double>(5000)))).update(x(device_span<double>(5000, 2))); }), "cudaFuncGetParamInfo"));
    const stream on;
    CHECK(holds(fail_every_call([&] { run_on(on, seq(squares, squares), x(device_span<double>(5000))); }), "cudaFuncGetAttributes"));
    fake_runtime::set_spilling(0);
}

TEST_CASE("updates of memory that is often rebound, whatever call fails", "[faults]") {
    const auto e = seq(ten_nodes, repeat(2, ten_nodes));
    const auto run = [&] {
        auto exec = instantiate(e, device_updatable(x(device_span<double>(1000))));
        exec.launch(nullptr);
        exec.update(x(device_span<double>(1000, 2)));
        exec.launch(nullptr);
        exec.launch(nullptr);
        exec.update(x(device_span<double>(2000, 3)));
        exec.launch(nullptr);
    };
    const auto names = fail_every_call(run);
    for (const char* const call : {"cudaFuncGetParamInfo", "cudaGraphKernelNodeGetAttribute", "cudaGraphUpload", "cudaGraphExecKernelNodeSetParams"}) {
        INFO(call);
        CHECK(holds(names, call));
    }
    fail_every_allocation(run);
}

TEST_CASE("behind a failed update, and behind nodes left out, what is often rebound is brought to the device anew", "[faults]") {
    const auto e = seq(label("first", kernel<twice>(over(x))(x)), ten_nodes, ten_nodes, fill(out(y), n));
    auto exec = instantiate(as_nodes(e), device_updatable(x(device_span<double>(1000))), y(device_span<double>(10, 2)), n(1));
    const auto launches = [&] { return every_call::calls_of([&] { exec.launch(nullptr); }); };
    exec.launch(nullptr);
    CHECK(!holds(launches(), "cudaGraphUpload"));
    const auto update = [&] { exec.update(x(device_span<double>(2000, 3)), n(2)); };
    update();
    exec.update(x(device_span<double>(1000)), n(1));
    const auto names = every_call::calls_of(update);
    exec.update(x(device_span<double>(1000)), n(1));
    launches();
    CHECK(!holds(launches(), "cudaGraphExecKernelNodeSetParams"));
    int told = 0;
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        if (names[static_cast<std::size_t>(i)] != "cudaGraphExecKernelNodeSetParams" || ++told != 6) continue;
        CHECK(every_call::attempt(update, {.first = i, .code = cudaErrorMemoryAllocation, .twice = true}).threw);
    }
    CHECK(holds(launches(), "cudaGraphUpload"));
    launches();
    for (const bool off : {true, false}) {
        off ? exec.disable("first") : exec.enable("first");
        CHECK(holds(launches(), "cudaGraphUpload"));
        launches();
    }
}

struct remember {
    void operator()(int) const {}
};

TEST_CASE("a new graph with nodes that are left out is brought to the device behind that", "[faults]") {
    const auto e = seq(label("first", kernel<twice>(over(x))(x)), ten_nodes, ten_nodes, host(remember{})(n));
    auto exec = instantiate(as_nodes(e), device_updatable(x(device_span<double>(1000))), n(1));
    exec.launch(nullptr);
    exec.disable("first");
    exec.launch(nullptr);
    exec.update(n(2));  // the host node takes a new graph
    CHECK(holds(every_call::calls_of([&] { exec.launch(nullptr); }), "cudaGraphUpload"));
}

TEST_CASE("what is often rebound is written on the device of the graph", "[faults]") {
    auto exec = instantiate(as_nodes(seq(ten_nodes, ten_nodes)), device_updatable(x(device_span<double>(1000))));
    exec.update(x(device_span<double>(1000, 2)));
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    CHECK(holds(every_call::calls_of([&] { exec.launch(nullptr); }), "cudaGraphExecKernelNodeSetParams"));
    CHECK(every_call::count_of("cudaSetDevice") == 2);
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("a launch that fails behind an update of the graph leaves the next one what it has to wait for", "[faults]") {
    const stream on;
    const auto e = seq(host([](int) {})(n), fill(out(x), 1));
    auto exec = instantiate(e, x(device_span<double>(1000)), n(1));
    exec.launch(on);
    exec.update(n(2));  // takes a new graph
    const auto launch = [&] { exec.launch(on); };
    const auto names = every_call::calls_of(launch);
    REQUIRE(holds(names, "cudaStreamWaitEvent"));
    exec.update(n(3));
    const int last = static_cast<int>(std::find(names.begin(), names.end(), "cudaGraphLaunch") - names.begin());
    CHECK(every_call::attempt(launch, {last, cudaErrorLaunchOutOfResources}).threw);
    CHECK(holds(every_call::calls_of(launch), "cudaStreamWaitEvent"));
    launch();
    CHECK(!holds(every_call::calls_of(launch), "cudaStreamWaitEvent"));
}

TEST_CASE("a graph that is half changed does not run, and the next update makes it anew", "[faults]") {
    auto exec = instantiate(ten_nodes, x(device_span<double>(1000, 1)));
    exec.update(x(device_span<double>(1000, 1)));
    const auto update = [&] { exec.update(x(device_span<double>(2000, 3))); };
    const std::vector<std::string> names = every_call::calls_of(update);
    exec.update(x(device_span<double>(1000, 1)));
    int told_before = 0;
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        if (names[static_cast<std::size_t>(i)] != "cudaGraphExecKernelNodeSetParams" || ++told_before != 6) continue;
        REQUIRE(every_call::attempt(update, {i, cudaErrorInvalidValue, true}).threw);  // nor can it be taken back
        fake_runtime::expect();
        break;
    }
    const std::string words = every_call::words_of([&] { exec.launch(nullptr); });
    CHECK(words.find("The graph is half changed: an update failed, and so did its undoing.") != std::string::npos);
    fake_runtime::expect();
    exec.update(x(device_span<double>(1000, 4)));
    CHECK(every_call::count_of("cudaGraphInstantiateWithParams") == 1);
    exec.launch(nullptr);
    exec.update(x(device_span<double>(1000, 5)));
    CHECK(told(exec) == std::vector<unsigned long long>(10, 5ull << 52));
}

TEST_CASE("nodes of one label that are half left out do not run", "[faults]") {
    const auto two = label("two", kernel<twice>(over(x))(x));
    auto exec = instantiate(seq(two, two, copy(in(x), out(y))), x(device_span<double>(1000, 1)), y(device_span<double>(1000, 2)));
    const auto disable = [&] { exec.disable("two"); };
    exec.enable("two");
    const std::vector<std::string> names = every_call::calls_of(disable);
    exec.enable("two");
    const auto last = static_cast<int>(std::find(names.rbegin(), names.rend(), "cudaGraphNodeSetEnabled").base() - names.begin()) - 1;
    REQUIRE(every_call::attempt(disable, {last, cudaErrorInvalidValue, true}).threw);
    fake_runtime::expect();
    CHECK(every_call::words_of([&] { exec.launch(nullptr); }).find("The graph is half changed") != std::string::npos);
    exec.update(x(device_span<double>(1000, 3)));
    exec.launch(nullptr);
    CHECK((exec.is_enabled(at<0>) && exec.is_enabled(at<1>)));
}

__global__ void use_shared(double*) {}

TEST_CASE("a kernel may take as much shared memory as there is, since others may need more", "[faults]") {
    const auto with = [](unsigned bytes) {
        return instantiate(kernel<use_shared>(grid(1).block(64).shared(bytes))(inout(x)), x(device_span<double>(64)));
    };
    fake_runtime::expect();
    auto large = with(100 * 1024);
    auto small = with(64 * 1024);
    CHECK(every_call::count_of("cudaFuncSetAttribute") == 1);
    run_on(nullptr, kernel<use_shared>(grid(1).block(64).shared(227 * 1024))(inout(x)), x(device_span<double>(64)));
    CHECK(every_call::count_of("cudaFuncSetAttribute") == 1);
}

TEST_CASE("as_nodes keeps the expression", "[faults]") {
    const auto plain = [] {
        const double by = 3;
        return as_nodes(seq(ten_nodes, fill(out(y), by)));
    }();
    auto exec = instantiate(plain, x(device_span<double>(1000)), y(device_span<double>(10, 2)));
    exec.launch(nullptr);
}

TEST_CASE("executables in a pool that is gone, whatever call fails", "[faults]") {
    const auto e = seq(for_each(over(x), half{})(out(t[each]), in(x[each])), copy(in(t), out(y)));
    const auto run = [&] {
        auto shared = std::make_unique<pool>();
        shared->reserve(4096);
        auto first = instantiate(e, use(*shared), x(device_span<double>(10)), y(device_span<double>(10, 2)));
        auto second = instantiate(as_nodes(e), use(*shared), x(device_span<double>(10, 3)), y(device_span<double>(10, 4)));
        shared.reset();
        first.launch(nullptr);
        first.update(x(device_span<double>(10'000)), y(device_span<double>(10'000, 2)));
        second.update(x(device_span<double>(5000, 3)), y(device_span<double>(5000, 4)));
        auto third = std::move(first);
        third.launch(nullptr);
        second.launch(nullptr);
    };
    CHECK(holds(fail_every_call(run), "cudaMalloc"));
    fail_every_allocation(run);
}

TEST_CASE("a row is told right by every update: of memory alone, of extents, and of memory again", "[faults]") {
    const auto e = seq(ten_nodes, fill(out(y), n));
    auto exec = instantiate(e, x(device_span<double>(1000, 1)), y(device_span<double>(10, 2)), n(1));
    const auto all = [](unsigned long long at) { return std::vector<unsigned long long>(10, at << 52); };
    const auto first_ten = [&] {
        std::vector<unsigned long long> seen = told(exec);
        REQUIRE(seen.size() == 11);
        std::erase_if(seen, [&](unsigned long long value) { return value == 0; });
        seen.resize(10);
        return seen;
    };
    for (const std::size_t count : {1000, 1000, 3000, 3000, 0, 0, 500})
        for (const unsigned at : {3, 4, 5}) {
            exec.update(x(device_span<double>(count, at)));
            CHECK(first_ten() == all(at));
            exec.launch(nullptr);
        }
    CHECK_THROWS_AS(exec.update(x(device_span<double>(500, 6)), y(static_cast<double*>(nullptr), 10)), error);
    CHECK(first_ten() == all(5));
}

TEST_CASE("the end of an executable waits for its last launch where its memory is the user's", "[faults]") {
    const auto waits = [](const auto& make, bool launches) {
        {
            auto exec = make();
            if (launches) exec.launch(nullptr);
            fake_runtime::expect();
        }
        return every_call::count_of("cudaEventSynchronize");
    };
    const auto with = [](const auto&... memory) {
        return [=] {
            return instantiate(seq(for_each(over(x), half{})(out(t[each]), in(x[each])), copy(in(t), out(y))), memory..., x(device_span<double>(10)),
                               y(device_span<double>(10, 2)));
        };
    };
    const core::memory_choice of_functions = use([](std::size_t bytes) -> void* { return std::aligned_alloc(256, (bytes + 255) / 256 * 256); },
                                                 [](void* memory) { std::free(memory); });
    CHECK(waits(with(), true) == 0);
    CHECK(waits(with(use(pool())), true) == 0);
    CHECK(waits(with(of_functions), true) == 1);
    CHECK(waits(with(of_functions), false) == 0);
    CHECK(waits(with(use(pool(of_functions))), true) == 1);
    const auto shrunk = [&] {
        auto exec = with(of_functions)();
        exec.launch(nullptr);
        exec.update(x(device_span<double>(0)), y(device_span<double>(0, 2)));
        return exec;
    };
    CHECK(waits(shrunk, false) == 1);

    const auto names_of_launch = [](auto exec) {
        fake_runtime::expect();
        exec.launch(nullptr);
        return every_call::names_of_calls();
    };
    CHECK(names_of_launch(with()()) == std::vector<std::string>{"cudaGraphLaunch"});
    CHECK(names_of_launch(with(of_functions)()) == std::vector<std::string>{"cudaGraphLaunch", "cudaEventRecord"});
    fail_every_call([&] {
        auto exec = with(of_functions)();
        exec.launch(nullptr);
        exec.launch(nullptr);
    });
}

TEST_CASE("an update without host memory may be tried again", "[faults]") {
    auto exec = instantiate(everything, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0), passes(device_span<int>(1, 3).data()));
    int failed = 0;
    while (every_call::attempt([&] { exec.update(x(device_span<double>(2000, 4)), n(3)); }, {}, failed).threw) ++failed;
    CHECK(failed > 5);
    exec.launch(nullptr);
}

TEST_CASE("an update that fails half-way leaves every node with what it had", "[faults]") {
    auto exec = instantiate(ten_nodes, x(device_span<double>(1000, 1)));
    exec.update(x(device_span<double>(1000, 2)));
    const std::vector<unsigned long long> before = told(exec);
    REQUIRE(before == std::vector<unsigned long long>(10, 2ull << 52));
    const auto update = [&] { exec.update(x(device_span<double>(2000, 3))); };
    const std::vector<std::string> names = every_call::calls_of(update);
    exec.update(x(device_span<double>(1000, 2)));
    int failed = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (const bool twice : {false, true}) {
            const every_call::outcome seen = every_call::attempt(update, {.first = static_cast<int>(i), .code = cudaErrorInvalidValue, .twice = twice});
            INFO(names[i] << (twice ? ", twice" : ""));
            CHECK(seen.left_behind == cudaSuccess);
            CHECK((told(exec) == before) == seen.threw);
            if (seen.threw)
                ++failed;
            else
                exec.update(x(device_span<double>(1000, 2)));
        }
    }
    CHECK(failed >= 10);
    update();
    CHECK(told(exec) == std::vector<unsigned long long>(10, 3ull << 52));
}

TEST_CASE("moves, whatever call fails", "[faults]") {
    const auto e = repeat(2, kernel<twice>(over(x))(x));
    fail_every_call([&] {
        auto first = instantiate(e, x(device_span<double>(1000)));
        auto second = instantiate(e, x(device_span<double>(1000)));
        auto third = std::move(first);
        third.launch(nullptr);
        second = std::move(third);
        second.launch(nullptr);
        first = std::move(second);
        first.launch(nullptr);
        first = instantiate(e, x(device_span<double>(2000)));
        auto& same = first;
        first = std::move(same);
        first.launch(nullptr);
    });
}

TEST_CASE("an executable outlives a call that failed", "[faults]") {
    auto exec = instantiate(everything, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0), passes(device_span<int>(1, 3).data()));
    const auto work = [&] {
        exec.launch(nullptr);
        exec.fetch(total);
    };
    fail_every_call(work);
    CHECK_NOTHROW(work());
}

TEST_CASE("the error names the very node, its line and the driver's words", "[faults]") {
    const unsigned line = __LINE__ + 1;
    const auto e = seq(label("one", kernel<twice>(over(x))(x)), label("two", kernel<twice>(over(x))(x)), repeat(3, label("three", kernel<twice>(over(x))(x))));
    const auto work = [&] { instantiate(e, x(device_span<double>(1000))); };
    std::vector<std::string> named;
    const std::vector<std::string> names = every_call::calls_of(work);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const every_call::outcome seen = every_call::attempt(work, {static_cast<int>(i), cudaErrorInvalidValue});
        if (!seen.threw) continue;
        INFO(names[i] << ": " << seen.words);
        if (names[i] == "cudaGraphAddNode") {
            named.push_back(seen.node);
            CHECK(seen.line == line);
            CHECK(seen.words.find(std::string("(") + __FILE__ + ":" + std::to_string(line) + ")") != std::string::npos);
        }
        CHECK(seen.words.find("cudaErrorOfTest: as the test asked") != std::string::npos);
        CHECK(seen.words.find("[fake] refused " + names[i]) != std::string::npos);
        CHECK(seen.words.find("first line") == std::string::npos);
    }
    CHECK(named == std::vector<std::string>{"one", "two", "repeat", "repeat", "three", "repeat"});
}

TEST_CASE("no host memory: bad_alloc comes through, and nothing is left behind", "[faults]") {
    const auto run = [](const auto& e) {
        auto exec = instantiate(e, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0), passes(device_span<int>(1, 3).data()));
        exec.launch(nullptr);
        exec.fetch(total);
    };
    fail_every_allocation([&] { run(everything); });
    fail_every_allocation([&] { run(as_nodes(everything)); });
    fail_every_allocation([&] {
        run_on(static_cast<cudaStream_t>(nullptr), everything, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0),
               passes(device_span<int>(1, 3).data()));
    });
    double xs[4] = {1, 2, 3, 4}, sum = 0;
    fail_every_allocation([&] { simulate(seq(copy(in(x), out(t)), reduce(out(s), in(t))), x(xs), s(&sum)); });
    CHECK(sum == 10);
}

TEST_CASE("a launch asks for no host memory", "[faults]") {
    auto exec = instantiate(everything, x(device_span<double>(1000)), y(device_span<double>(10, 2)), n(0), passes(device_span<int>(1, 3).data()));
    allocations::expect(0);  // the first one would throw
    CHECK_NOTHROW(exec.launch(nullptr));
    allocations::expect();
}

TEST_CASE("no device memory", "[faults]") {
    const auto e = seq(copy(in(x), out(t)), reduce(out(s), in(t)));
    const auto bindings = [](auto run) { return run(x(device_span<double>(std::size_t{1} << 38))); };
    const every_call::outcome graph = every_call::attempt([&] { bindings([&](auto b) { return instantiate(e, b); }); }, {});
    CHECK(graph.code == cudaErrorMemoryAllocation);
    CHECK(graph.words.find("cudaMalloc failed: ") != std::string::npos);
    CHECK(graph.left_behind == cudaSuccess);
    const cudaStream_t on = nullptr;
    const every_call::outcome eager = every_call::attempt([&] { bindings([&](auto b) { run_on(on, e, b); }); }, {});
    CHECK(eager.code == cudaErrorMemoryAllocation);
    CHECK(eager.words.find("cudaMallocAsync failed: ") != std::string::npos);
}

// What a run is refused for before anything is allocated, copied or launched, and that the next one works.
template <class Change, class Restore, class Run>
std::string refusal(Change change, Restore restore, Run run) {
    const fake_runtime::live_objects before = fake_runtime::live();
    change();
    fake_runtime::expect();
    const std::string words = words_of(run);
    for (int i = 0; i < fake_runtime::calls(); ++i) {
        const std::string call = fake_runtime::name_of_call(i);
        CHECK(call.find("Malloc") == std::string::npos);
        CHECK(call.find("Memcpy") == std::string::npos);
        CHECK(call.find("Launch") == std::string::npos);
        CHECK(call.find("GraphCreate") == std::string::npos);
    }
    CHECK((fake_runtime::live() == before));
    restore();
    CHECK_NOTHROW(run());
    CHECK((fake_runtime::live() == before));
    return words;
}

TEST_CASE("machines that lack what an expression needs", "[faults]") {
    using fake_runtime::pointer_kind;
    const stream on;
    const auto xs = device_span<double>(1000);
    const auto ends_with = [](const std::string& words, const std::string& end) {
        INFO(words);
        CHECK(words.find(end) != std::string::npos);
    };
    SECTION("no GPU, no driver, or one older than the program's runtime") {
        const auto e = fill(out(x), 1);
        const std::string needed = std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
        const auto check_told = [&](const auto& use) {
            const std::vector<std::string> names = every_call::calls_of(use);
            const int number = static_cast<int>(std::find(names.begin(), names.end(), "cudaGetDevice") - names.begin());
            CHECK((number == 0 || (number == 1 && names[0] == "cudaLogsCurrent")));
            const auto words = [&](cudaError_t code, int driver) {
                fake_runtime::set_driver(driver);
                const every_call::outcome said = every_call::attempt(use, {number, code});
                fake_runtime::set_driver(CUDART_VERSION);
                CHECK(said.code == code);
                CHECK(said.left_behind == cudaSuccess);
                return said.words;
            };
            ends_with(words(cudaErrorInsufficientDriver, 0), "There is no driver, and this program needs one for CUDA " + needed + ". simulate needs none.");
            ends_with(words(cudaErrorInsufficientDriver, 12040),
                      "This program needs a driver for CUDA " + needed + ", and the driver here is for CUDA 12.4.");
            ends_with(words(cudaErrorNoDevice, CUDART_VERSION), "simulate runs the same expression without a GPU.");
        };
        check_told([&] { instantiate(e, x(xs)); });
        check_told([&] { run_on(on, e, x(xs)); });
        check_told([&] { make_callable(e, arguments(out(x)), {}, x(xs)); });
    }
    SECTION("an older driver") {
        const auto newer = [] { fake_runtime::set_driver(CUDART_VERSION); };
        const auto branch = when(n > 0, kernel<twice>(over(x))(x), otherwise(fill(out(x), 1)));
        ends_with(refusal([] { fake_runtime::set_driver(12040); }, newer, [&] { instantiate(branch, x(xs), n(1)); }),
                  "needs a driver for CUDA 12.8, and the driver here is for CUDA 12.4");
        const auto choice = switch_on(n, kernel<twice>(over(x))(x), kernel<twice>(over(x))(x));
        ends_with(refusal([] { fake_runtime::set_driver(12070); }, newer, [&] { instantiate(choice, x(xs), n(1)); }),
                  "needs a driver for CUDA 12.8, and the driver here is for CUDA 12.7");
        const auto loop = repeat(3, kernel<twice>(over(x))(x));
        ends_with(refusal([] { fake_runtime::set_driver(12020); }, newer, [&] { instantiate(loop, x(xs)); }),
                  "needs a driver for CUDA 12.3, and the driver here is for CUDA 12.2");
        fake_runtime::set_driver(12030);
        CHECK_NOTHROW(instantiate(loop, x(xs)));
        CHECK_NOTHROW(run_on(on, branch, x(xs), n(1)));
        newer();
    }
    SECTION("memory that the device does not reach") {
        const auto near = [] { fake_runtime::set_pointers(pointer_kind::device); };
        const auto e = fill(out(x), 1);
        for (const bool as_graph : {true, false}) {
            const auto run = [&] {
                if (as_graph)
                    instantiate(e, x(xs));
                else
                    run_on(on, e, x(xs));
            };
            ends_with(refusal([] { fake_runtime::set_pointers(pointer_kind::pageable); }, near, run), "'x' is bound to pageable host memory");
            ends_with(refusal([] { fake_runtime::set_pointers(pointer_kind::other_device); }, near, run), "'x' is bound to memory of device 1");
            fake_runtime::set_pointers(pointer_kind::pinned);
            CHECK_NOTHROW(run());
            near();
        }
        auto exec = instantiate(ten_nodes, x(device_span<double>(1000, 1)));
        exec.update(x(device_span<double>(1000, 2)));
        const std::vector<unsigned long long> before = told(exec);
        for (const std::size_t count : {1000, 500}) {
            for (const pointer_kind kind : {pointer_kind::pageable, pointer_kind::other_device}) {
                fake_runtime::set_pointers(kind);
                fake_runtime::expect();
                CHECK_THROWS_AS(exec.update(x(device_span<double>(count, 3))), error);
                CHECK(every_call::count_of("cudaGraphExecKernelNodeSetParams") == 0);
                near();
                CHECK(told(exec) == before);
            }
        }
        CHECK_NOTHROW(exec.update(x(device_span<double>(500, 3))));
        CHECK(told(exec) == std::vector<unsigned long long>(10, 3ull << 52));
    }
    SECTION("blocks that wait for each other") {
        const auto many = repeat(3, seq(for_each(over(n), scale{2})(inout(y[each])), dot(out(total), in(y), in(y))));
        const auto huge = device_span<double>(1 << 20);
        ends_with(refusal([] { fake_runtime::set_resident_blocks(0); }, [] { fake_runtime::set_resident_blocks(1); },
                          [&] { instantiate(many, y(huge), n(1 << 20)); }),
                  "blocks that run at the same time, and the GPU runs 0 of them");
        CHECK_NOTHROW(instantiate(many, y(huge), n(1 << 20)));
        const auto together = kernel<twice>(over(x).cooperative())(x);
        auto exec = instantiate(together, x(xs));
        CHECK_NOTHROW(exec.update(x(device_span<double>(132 * 256))));
        const auto too_many = [&] { exec.update(x(device_span<double>(132 * 256 + 1))); };
        ends_with(words_of(too_many), "needs 133 blocks that run at the same time, and the GPU runs 132 of them");
    }
    SECTION("blocks of two dimensions over elements") {
        ends_with(words_of([&] { instantiate(kernel<twice>(over(x).block(16, 16))(x), x(xs)); }),
                  "asks for blocks of 16 x 16 x 1 threads over elements, which are counted along x");
    }
    SECTION("an empty piece of other memory") {
        const auto e = seq(fill(out(x), 1), fill(out(y), 2));
        const auto inside = xs.subspan(500, 0);
        auto exec = instantiate(e, x(inside), y(xs));
        exec.update(x(device_span<double>(10, 2)));
        CHECK_NOTHROW(exec.update(x(inside)));
        CHECK_THROWS_AS(exec.update(x(xs.subspan(500, 1))), error);
    }
    SECTION("an allocator without memory names what is to lie there") {
        const core::memory_choice nothing = use([](std::size_t) -> void* { return nullptr; }, [](void*) {});
        const auto temps = seq(for_each(over(x), half{})(out(t[each]), in(x[each])), dot(out(total), in(t), in(t)));
        ends_with(words_of([&] { instantiate(as_nodes(temps), nothing, x(xs)); }), "'total' and its neighbours in memory need");
        ends_with(words_of([&] { instantiate(copy(in(x), out(t)), nothing, x(xs)); }), "'t' and its neighbours in memory need");
        ends_with(words_of([&] { pool(nothing).reserve(1000); }), "cograph: The allocator did not give 1000 bytes.");
    }
    SECTION("a stream that is being captured") {
        const auto loop = repeat(3, kernel<twice>(over(x))(x));
        ends_with(refusal([] { fake_runtime::set_captured(true); }, [] { fake_runtime::set_captured(false); }, [&] { run_on(on, loop, x(xs)); }),
                  "has to wait for the stream, which is being captured");
    }
    SECTION("a launch on a stream that is being captured, also behind an update") {
        auto exec = instantiate(kernel<twice>(over(x))(x), x(xs));
        const auto check_refused = [&] {
            REQUIRE(cudaStreamBeginCapture(on, cudaStreamCaptureModeRelaxed) == cudaSuccess);
            std::string words;
            try {
                exec.launch(on);
            } catch (const cuda_error& e) {
                words = e.what();
            }
            cudaGraph_t graph = nullptr;
            CHECK(cudaStreamEndCapture(on, &graph) == cudaSuccess);
            CHECK(cudaGraphDestroy(graph) == cudaSuccess);
            ends_with(words, "The stream is being captured: include cograph/join/capture.cuh, and launches become a part of captures.");
        };
        check_refused();
        exec.update(x(device_span<double>(500, 3)));
        check_refused();
        CHECK_NOTHROW(exec.launch(on));
    }
    SECTION("a launch that has to wait, on a stream that is gone") {
        auto exec = instantiate(seq(host([](int) {})(n), fill(out(x), 1)), x(xs), n(1));
        exec.launch(on);
        exec.update(n(2));
        const auto launch = [&] { exec.launch(on); };
        const std::vector<std::string> names = every_call::calls_of(launch);
        const int number = static_cast<int>(std::find(names.begin(), names.end(), "cudaStreamWaitEvent") - names.begin());
        exec.update(n(3));
        ends_with(every_call::attempt(launch, {number, cudaErrorContextIsDestroyed, true}).words, "Does the stream still exist");
        fake_runtime::expect();
        CHECK_NOTHROW(launch());
    }
    SECTION("memory that is not pinned") {
        const auto near = [] { fake_runtime::set_pointers(pointer_kind::device); };
        std::vector<double> ps(64), hs(64);
        const auto e = copy(in(pageable), out(pinned));
        for (const bool as_graph : {true, false}) {
            const auto run = [&] {
                if (as_graph)
                    instantiate(e, pinned(std::span(ps)), pageable(std::span(hs)));
                else
                    run_on(on, e, pinned(std::span(ps)), pageable(std::span(hs)));
            };
            ends_with(refusal([] { fake_runtime::set_pointers(pointer_kind::pageable); }, near, run), "'pinned' is bound to memory that is not pinned");
        }
        auto exec = instantiate(copy(in(pinned), out(pageable)), pinned(std::span(ps)), pageable(std::span(hs)));
        fake_runtime::set_pointers(pointer_kind::pageable);
        CHECK_THROWS_AS(exec.update(pinned(std::span(hs).first(64))), error);
        near();
    }
    SECTION("a stream that was destroyed, where CUDA notices") {
        const auto e = kernel<twice>(over(x))(x);
        auto exec = instantiate(e, x(xs));
        const auto check_refused = [&](const char* call, const auto& use) {
            const std::vector<std::string> names = every_call::calls_of(use);
            const int number = static_cast<int>(std::find(names.begin(), names.end(), call) - names.begin());
            REQUIRE(number < static_cast<int>(names.size()));
            for (const cudaError_t code : {cudaErrorContextIsDestroyed, cudaErrorInvalidResourceHandle}) {
                const every_call::outcome said = every_call::attempt(use, {number, code, true});
                ends_with(said.words, "Does the stream still exist, on the device that the work is for?");
                CHECK(said.code == code);
                CHECK(said.left_behind == cudaSuccess);
                fake_runtime::expect();
                CHECK_NOTHROW(use());
            }
        };
        check_refused("cudaGraphLaunch", [&] { exec.launch(on); });
        check_refused("cudaGraphUpload", [&] { exec.upload(on); });
        check_refused("cudaStreamIsCapturing", [&] { run_on(on, e, x(xs)); });
    }
    SECTION("more blocks than a grid has, behind a right node") {
        const auto e = seq(fill(out(x), 1), kernel<twice>(over(n).block(1))(x));
        index_t wanted = index_t{1} << 32;
        const auto large = seq(fill(out(x), 1), kernel<twice>(over(wanted).block(1))(x));
        const fake_runtime::live_objects before = fake_runtime::live();
        CHECK_THROWS_AS(run_on(on, large, x(xs)), error);
        CHECK_THROWS_AS(instantiate(large, x(xs)), error);
        CHECK((fake_runtime::live() == before));
        CHECK_NOTHROW(run_on(on, e, x(xs), n(5)));
    }
}
