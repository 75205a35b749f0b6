// SPDX-License-Identifier: Apache-2.0

// The code of the pages in docs that needs CUDA, between marks that docs/quote.py knows.

#include "idioms.hpp"
#include "recipes.hpp"
#include "shrink.cuh"

#include "../catch.hpp"

#include <cograph.cuh>
#include <cograph/callable.cuh>
#include <cograph/decided_by.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace cograph;

namespace guide {

// [kernels]
__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

__global__ void block_sums(const float* x, int n, float* sums) {
    extern __shared__ float lanes[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    lanes[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (unsigned lane = 1; lane < blockDim.x; ++lane) lanes[0] += lanes[lane];
    sums[blockIdx.x] = lanes[0];
}

__global__ void __launch_bounds__(256) clear(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
// [/kernels]

// [kernel nodes]
inline constexpr struct xs : buffer<xs, float> {} xs;
inline constexpr struct ys : buffer<ys, float> {} ys;
inline constexpr struct sums : temp<sums, float> {} sums;
inline constexpr struct factor : value<factor, float> {} factor;
inline constexpr struct total : scalar<total, float> {} total;

constexpr auto add_up = seq(
    kernel<saxpy>(over(ys))(extent(ys), factor, xs, ys),  // by its parameters, reads xs, reads and writes ys
    kernel<clear>(over(sums))(out(sums)),                 // an access mode says more: what was there does not matter
    kernel<block_sums>(grid(4).block(64).shared(64 * sizeof(float)))(in(ys), extent(ys), inout(sums)),
    reduce(out(total), in(sums)));

static_assert(is_mutated(add_up, ys) && !writes(add_up, xs));
static_assert(has_edge(add_up, kernel<clear>, kernel<block_sums>));
// [/kernel nodes]

// [shapes]
constexpr auto shapes = seq(
    kernel<clear>(over(xs))(out(xs)),                // ceil(extent / 256) blocks of 256
    kernel<clear>(over(xs).block(64))(out(xs)),      // ceil(extent / 64) blocks of 64
    kernel<clear>(over(256))(out(xs)),               // a constant number of threads
    kernel<clear>(grid(2).block(128))(out(xs)),      // blocks, threads in each; up to three numbers both
    kernel<block_sums>(grid(1).block(256).shared(1024))(in(xs), 256, out(ys)));  // bytes of shared memory
// [/shapes]

// [frontier]
__global__ void visit(const int* queue, const int* length, float* values) {  // no element is in the queue twice
    const int threads = gridDim.x * blockDim.x;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < *length; k += threads) values[queue[k]] += 1;
}

inline constexpr struct queue : buffer<queue, int> {} queue;
inline constexpr struct length : scalar<length, int> {} length;  // known on the device alone

auto visit_queue(int blocks) { return kernel<visit>(grid(blocks).block(256))(in(queue), in(length), inout(xs)); }
// [/frontier]

// [member]
struct add_one {
    COGRAPH_HD void operator()(index_t, const float& from, float& to) const { to = from + 1; }
};
inline constexpr struct served : scalar<served, int> {} served;
constexpr auto answer = seq(for_each(over(xs), add_one{})(in(xs[each]), out(ys[each])), assign(served, served + 1));

auto make_answer(std::span<float> from, std::span<float> to, std::span<int> count, const callable_options& options) {
    return make_callable(answer, arguments(in(xs), out(ys)), options, xs(from), ys(to), served(count.data()));
}

class server {
public:
    server(std::span<float> from, std::span<float> to, std::span<int> count)
        : graph(instantiate(answer, xs(from), ys(to), served(count.data()))),
          call(make_answer(from, to, count, {.log = {&note, this}})) {}
    server(server&&) = delete;  // the log has its address
    void serve(cudaStream_t stream, std::span<float> from, std::span<float> to) {
        graph.launch(stream);
        call(stream, from, to);
    }
    int reasons = 0;

private:
    static void note(const char*, void* self) { ++static_cast<server*>(self)->reasons; }

    executable<decltype(answer)::self> graph;
    std::optional<executable<decltype(visit_queue(0))::self>> visitor;  // made later
    decltype(make_answer({}, {}, {}, {})) call;
};
// [/member]

template <class T>
struct device_copy {
    T* data = nullptr;
    std::size_t count;
    explicit device_copy(const std::vector<T>& host) : count(host.size()) {
        REQUIRE(cudaMalloc(&data, count * sizeof(T)) == cudaSuccess);
        REQUIRE(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
    }
    device_copy(device_copy&&) = delete;
    ~device_copy() { cudaFree(data); }
    std::span<T> span() const { return {data, count}; }
    std::vector<T> back() const {
        std::vector<T> host(count);
        REQUIRE(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
        return host;
    }
};

TEST_CASE("guide: run") {
    const std::vector<float> ones(256, 1);
    const device_copy<float> x(ones), y(ones);
    cudaStream_t stream = nullptr, other = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&other) == cudaSuccess);

    // [instantiate]
    auto exec = instantiate(add_up, xs(x.data, x.count), ys(y.data, y.count), sums(256), factor(2));
    exec.launch(stream);             // as often as you like, on any stream
    exec.launch(other);
    float value = exec.fetch(total); // waits for the last launch
    // [/instantiate]
    CHECK(value == 256 * 5);

    // [run_on]
    run_on(stream, add_up, xs(x.data, x.count), ys(y.data, y.count), sums(256), factor(2));
    // [/run_on]
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);

    // [as_nodes]
    auto plain = instantiate(as_nodes(add_up), xs(x.data, x.count), ys(y.data, y.count), sums(256),
                             factor(2));
    // [/as_nodes]
    plain.launch(stream);
    CHECK(plain.fetch(total) == 256 * 9);

    auto moved = std::move(plain);
    CHECK(moved.exec_ref() != nullptr);
    auto shaped = instantiate(shapes, xs(x.data, x.count), ys(y.data, y.count));
    shaped.launch(stream);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
}

TEST_CASE("guide: failures") {
    const device_copy<float> x(std::vector<float>(16, 1));
    std::string message;
    // [cuda_error]
    try {
        instantiate(label("clear", kernel<clear>(grid(1).block(512))(out(xs))), xs(x.data, x.count));
    } catch (const cograph::cuda_error& problem) {
        message = problem.what();  // cograph: 'clear' (solver.cu:42) cudaGraphAddNode failed: ...
    }
    // [/cuda_error]
    CHECK(message.find("cograph: 'clear' (") == 0);
}

TEST_CASE("guide: a length that the device knows") {
    std::vector<int> all(100000);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    const device_copy<int> numbers(all), count(std::vector<int>{70001});
    const device_copy<float> values(std::vector<float>(all.size(), 0));
    // [multiprocessors]
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    auto visitor = instantiate(visit_queue(2 * multiprocessors), queue(numbers.span()), length(count.data), xs(values.span()));
    // [/multiprocessors]
    visitor.launch(nullptr);
    const std::vector<float> seen = values.back();
    for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == (i < 70001 ? 1 : 0));
}

TEST_CASE("callables: members and logs") {
    const device_copy<float> from(std::vector<float>(16, 1)), to(std::vector<float>(16, 0)), more(std::vector<float>(32, 1)),
        more_to(std::vector<float>(32, 0));
    const device_copy<int> count(std::vector<int>{0});
    server here(from.span(), to.span(), count.span());
    here.serve(nullptr, from.span(), to.span());
    CHECK(here.reasons == 0);
    here.serve(nullptr, more.span(), more_to.span());
    CHECK(here.reasons == 1);
    CHECK(count.back()[0] == 4);
    CHECK(more_to.back() == std::vector<float>(32, 2));

    // [log]
    std::vector<std::string> said;
    auto remember = [&said](const char* why) { said.push_back(why); };  // must live as long as the callable
    callable_options options;
    options.log = {[](const char* why, void* context) { (*static_cast<decltype(remember)*>(context))(why); }, &remember};
    // [/log]
    auto call = make_answer(from.span(), to.span(), count.span(), options);
    call(nullptr, more.span(), more_to.span());
    CHECK(said.size() == 1);
}

}  // namespace guide

namespace idioms {

using guide::device_copy;

TEST_CASE("guide: idioms on a GPU") {
    const std::vector<double> start = {0, 1, 2, 1, 0};
    const device_copy<double> xs(start), ys(start);
    const device_copy<int> bins(std::vector<int>(3));
    auto apart = instantiate(without_races, x(xs.span()), y(ys.span()), counts(bins.span()));
    apart.launch(nullptr);
    CHECK(apart.fetch(norm) == 6);
    CHECK(ys.back() == std::vector<double>{0, 1, 1, 1, 0});
    CHECK(bins.back() == std::vector<int>{2, 2, 1});

    for (const int steps_made : {5, 6}) {
        std::vector<double> host = {0, 0, 8, 0, 0};
        const device_copy<double> device(host);
        simulate(smoothed, x(std::span(host)), limit(0.0), most(steps_made));
        auto smooth = instantiate(smoothed, x(device.span()), limit(0.0), most(steps_made));
        smooth.launch(nullptr);
        CHECK(smooth.fetch(steps) == steps_made);
        CHECK(device.back() == host);
    }

    const device_copy<double> pair(std::vector<double>{3, 4}), some(std::vector<double>{1, 5, 2, 6}), large(std::vector<double>(4));
    auto halving = instantiate(halved, x(pair.span()), limit(2.0), most(10));
    halving.launch(nullptr);
    CHECK(halving.fetch(steps) == 2);
    CHECK(halving.fetch(state) == done);

    auto select = instantiate(selected, x(some.span()), y(large.span()), limit(3.0));
    select.launch(nullptr);
    CHECK(select.fetch(steps) == 2);
    CHECK(large.back() == std::vector<double>{5, 6, 0, 0});
}

}  // namespace idioms

namespace walk {

struct twice {
    COGRAPH_HD void operator()(index_t, const double& from, double& to) const { to = 2 * from; }
};
// [variables of the walk]
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
// [/variables of the walk]

TEST_CASE("design: an argument on its way") {
    const guide::device_copy<double> from(std::vector<double>(100, 3)), to(std::vector<double>(100, 0));
    const std::span<double> xs = from.span(), ys = to.span();
    cudaStream_t stream = nullptr;
    // [walk]
    auto e = seq(for_each(over(x), twice{})(in(x[each]), out(y[each])));
    auto exec = instantiate(e, x(xs), y(ys));
    exec.launch(stream);
    // [/walk]
    CHECK(to.back() == std::vector<double>(100, 6));
}

}  // namespace walk

namespace recipes {

using guide::device_copy;

// [kernels by hand]
__global__ void halve_all(double* x, index_t n, double* first) {
    const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) x[i] /= 2;
    if (i == 0) *first = x[0];
}
__global__ void decide(cudaGraphConditionalHandle handle, const double* first, double limit) {
    cudaGraphSetConditional(handle, *first > limit);
}
// [/kernels by hand]

// [expression]
inline constexpr struct first : scalar<first, double> {} first;
constexpr auto shrink = do_while(
    kernel<halve_all>(over(x))(inout(x), extent(x), out(first)),
    first > limit);
// [/expression]

// [kernel that decides]
__global__ void go_on(double least, const double* number, cudaGraphConditionalHandle handle) {
    if (threadIdx.x == 0) cudaGraphSetConditional(handle, *number > least);  // zero ends the loop
}
bool go_on_on_host(double least, const double* number) { return *number > least; }

constexpr auto shrink_by_kernel = do_while(kernel<halve_all>(over(x))(inout(x), extent(x), out(first)),
                                           decided_by<go_on, go_on_on_host>(grid(1).block(32))(limit, in(first), conditional_handle));
// [/kernel that decides]

void shrink_by_hand(double* numbers, index_t n, double* first_number, double least, cudaStream_t stream) {
    // [by hand]
    cudaGraph_t graph = nullptr;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle handle{};
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);

    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t loop_node = nullptr;
    cudaGraphAddNode(&loop_node, graph, nullptr, nullptr, 0, &loop);
    const cudaGraph_t body = loop.conditional.phGraph_out[0];

    void* halve_arguments[] = {&numbers, &n, &first_number};
    cudaGraphNodeParams halving = {};
    halving.type = cudaGraphNodeTypeKernel;
    halving.kernel.func = reinterpret_cast<void*>(halve_all);
    halving.kernel.gridDim = dim3(static_cast<unsigned>((n + 255) / 256));
    halving.kernel.blockDim = dim3(256);
    halving.kernel.kernelParams = halve_arguments;
    cudaGraphNode_t halve_node = nullptr;
    cudaGraphAddNode(&halve_node, body, nullptr, nullptr, 0, &halving);

    void* decide_arguments[] = {&handle, &first_number, &least};
    cudaGraphNodeParams deciding = {};
    deciding.type = cudaGraphNodeTypeKernel;
    deciding.kernel.func = reinterpret_cast<void*>(decide);
    deciding.kernel.gridDim = deciding.kernel.blockDim = dim3(1);
    deciding.kernel.kernelParams = decide_arguments;
    cudaGraphNode_t decide_node = nullptr;
    cudaGraphAddNode(&decide_node, body, &halve_node, nullptr, 1, &deciding);

    cudaGraphExec_t executable = nullptr;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    // [/by hand]
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaGetLastError() == cudaSuccess);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

TEST_CASE("recipes: a loop by hand and as an expression") {
    const std::vector<double> start(1000, 8);
    const device_copy<double> one(start), other(start), number(std::vector<double>{0});
    shrink_by_hand(one.data, 1000, number.data, 0.3, nullptr);
    // [run the expression]
    auto exec = instantiate(shrink, x(other.data, 1000), limit(0.3));
    exec.launch(nullptr);
    // [/run the expression]
    CHECK(exec.fetch(first) == 0.25);
    CHECK(number.back()[0] == 0.25);
    CHECK(one.back() == other.back());
    const device_copy<double> third(start);
    auto decided = instantiate(shrink_by_kernel, x(third.data, 1000), limit(0.3));
    decided.launch(nullptr);
    CHECK(decided.fetch(first) == 0.25);
    CHECK(third.back() == other.back());
}

TEST_CASE("recipes: memory of another program, a flag of the host, a history") {
    const device_copy<double> numbers(std::vector<double>(1000, 8)), kept(std::vector<double>(8, -1));
    CHECK(shrink_tensor(numbers.data, 1000, 1000, nullptr) == 0);
    CHECK(shrink_tensor(numbers.data, 500, 1000, nullptr) == 0);
    const std::vector<double> now = numbers.back();
    CHECK(now[999] == 1);    // 16 000, 4 000, 1 000: three times
    CHECK(now[0] == 0.5);    // and once more

    int* pinned = nullptr;
    REQUIRE(cudaMallocHost(&pinned, sizeof(int)) == cudaSuccess);
    *pinned = 1;
    // [stop from the host]
    auto exec = instantiate(until_told, x(numbers.data, 1000), flag(flag_of_host{pinned}));
    exec.launch(nullptr);
    *pinned = 1;  // now, or at any time later: the loop ends after the iteration that reads it
    // [/stop from the host]
    CHECK(exec.fetch(steps) == 1);
    cudaFreeHost(pinned);

    auto recorded = instantiate(with_history, x(numbers.data + 999, 1), history(kept.data, 8), limit(0.1));
    recorded.launch(nullptr);
    CHECK(recorded.fetch(steps) == 1);
    CHECK(kept.back() == std::vector<double>{0.0625, -1, -1, -1, -1, -1, -1, -1});
}

TEST_CASE("tutorial: the loop on a GPU") {
    using tutorial::smooth, tutorial::rod, tutorial::limit, tutorial::most, tutorial::sweeps;
    std::vector<double> start(32, 0);
    start.front() = 100;
    const index_t n = 32;
    const device_copy<double> numbers(start);
    double* const memory = numbers.data;
    cudaStream_t stream = nullptr;
    // [tutorial run]
    auto exec = instantiate(smooth, rod(memory, n), limit(1e-6), most(20000));  // double* memory: n elements on the GPU
    exec.launch(stream);                   // one launch; the loop runs on the device
    const int count = exec.fetch(sweeps);  // waits for it
    // [/tutorial run]
    CHECK(count > 1000);
    CHECK(count < 20000);
}

}  // namespace recipes
