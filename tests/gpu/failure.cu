// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <string>
#include <vector>

// Calls that fail: what they say, and that nothing is left behind.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct t : temp<t, double> {} t;

__global__ void twice(double* values) { values[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
// Wants small blocks, as only CUDA knows.
__global__ void __launch_bounds__(64) in_small_blocks(double* values) { values[threadIdx.x] *= 2; }
struct nothing_much {
    COGRAPH_HD void operator()(index_t) const {}
};

template <class Error, class F>
Error refusal(F run) {
    try {
        run();
    } catch (const Error& e) {
        return e;
    }
    FAIL("no error");
    throw 0;
}
bool contains(const error& e, const std::string& words) {
    INFO(e.what());
    const bool found = std::string(e.what()).find(words) != std::string::npos;
    CHECK(found);
    return found;
}
std::string here(unsigned line) { return std::string("(") + __FILE__ + ":" + std::to_string(line) + ")"; }

// What an error of CUDA says of a node, and that the library works on behind it.
template <class E, class... B>
void check_refusals(const E& wrong, unsigned line, const std::string& name, const std::string& graph_call,
                    const std::string& eager_call, B... bindings) {
    device_array<double> good(64, 1);
    const stream on;
    const auto works = [&] {
        CHECK(cudaGetLastError() == cudaSuccess);
        auto exec = instantiate(repeat(2, kernel<twice>(grid(1).block(64))(x)), x(good.all()));
        if (leave_out::launch_of(exec.graph_ref())) return;
        good.write(std::vector<double>(64, 1));
        exec.launch(on);
        on.wait();
        CHECK(good.read() == std::vector<double>(64, 4));
    };
    const cuda_error of_graph = refusal<cuda_error>([&] { instantiate(wrong, bindings...); });
    contains(of_graph, "cograph: '" + name + "' " + here(line) + " " + graph_call);
    contains(of_graph, cudaGetErrorName(of_graph.code()));
    CHECK(of_graph.code() != cudaSuccess);
    CHECK(of_graph.where().line == line);
    works();
    const cuda_error eager = refusal<cuda_error>([&] { run_on(on, wrong, bindings...); });
    contains(eager, "cograph: '" + name + "' " + here(line) + " " + eager_call);
    contains(eager, "failed: ");
    works();
}

}  // namespace

TEST_CASE("shapes that no GPU has are refused before CUDA is asked", "[gpu][failure]") {
    device_array<double> xs(64);
    const stream on;
    const auto check = [&](const auto& wrong, const char* words) {
        contains(refusal<error>([&] { instantiate(wrong, x(xs.all())); }), words);
        contains(refusal<error>([&] { run_on(on, wrong, x(xs.all())); }), words);
    };
    check(kernel<twice>(grid(1, 70'000).block(64))(x), "asks for a grid of 1 x 70000 x 1 blocks");
    check(label("double it", kernel<twice>(over(x).block(2048))(x)), "asks for blocks of 2048 x 1 x 1 threads");
    check(kernel<twice>(grid(1).block(64).shared(1 << 20))(x), "asks for 1048576 bytes of shared memory");
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a block that is too large for its kernel, with a label", "[gpu][failure]") {
    device_array<double> xs(64);
    const unsigned line = __LINE__ + 1;
    const auto wrong = label("double it", kernel<in_small_blocks>(over(x).block(128))(x));
    check_refusals(wrong, line, "double it", "cudaGraph", "cudaLaunchKernel", x(xs.all()));
}

TEST_CASE("a wrong node deep inside, behind right ones", "[gpu][failure]") {
    device_array<double> xs(64), one(1, 1);
    const unsigned line = __LINE__ + 1;
    const auto wrong_node = kernel<in_small_blocks>(grid(1).block(128))(x);
    const auto wrong = seq(fill(out(x), 1), when(n > 0, repeat(2, seq(fill(out(x), 2), wrong_node))));
    check_refusals(wrong, line, "in_small_blocks", "cudaGraph", "cudaLaunchKernel", x(xs.all()), n(1));
}

TEST_CASE("more elements than a grid has threads", "[gpu][failure]") {
    const unsigned line = __LINE__ + 1;
    const auto wrong = for_each(over(index_t{1} << 40).block(1), nothing_much{})();
    const stream on;
    contains(refusal<error>([&] { instantiate(wrong); }),
             "'nothing_much' " + here(line) + " needs more blocks than a grid can have");
    contains(refusal<error>([&] { run_on(on, wrong); }), "needs more blocks than a grid can have");
}

TEST_CASE("more memory than there is", "[gpu][failure]") {
    const stream on;
    const auto e = fill(out(t), 1);
    contains(refusal<cuda_error>([&] { instantiate(e, t(std::size_t{1} << 38)); }),
             "cudaMalloc failed: cudaErrorMemoryAllocation");
    contains(refusal<cuda_error>([&] { run_on(on, e, t(std::size_t{1} << 38)); }), "cudaMallocAsync failed");
    CHECK(cudaGetLastError() == cudaSuccess);
    auto exec = instantiate(e, t(1000));
    exec.launch(on);
    on.wait();
}

TEST_CASE("what is wrong on the host is wrong here too", "[gpu][failure]") {
    device_array<double> xs(3), ys(4);
    const stream on;
    const auto e = copy(in(x), out(y));
    double* const none = nullptr;
    contains(refusal<error>([&] { instantiate(e, x(xs.all()), y(ys.all())); }),
             "needs extents that are equal");
    contains(refusal<error>([&] { run_on(on, e, x(xs.all()), y(ys.all())); }),
             "needs extents that are equal");
    contains(refusal<error>([&] { instantiate(e, x(none, 3), y(ys.all())); }),
             "'x' is bound to a null pointer");
    contains(refusal<error>([&] { instantiate(for_each(over(n), nothing_much{})(), n(-1)); }),
             "negative number");
    contains(refusal<error>([&] { run_on(on, for_each(over(n), nothing_much{})(), n(-1)); }),
             "negative number");
}

TEST_CASE("failures half-way leave nothing behind", "[gpu][failure]") {
    device_array<double> xs(64);
    const auto wrong = seq(
        fill(out(t), 1),
        repeat(3, seq(kernel<twice>(grid(1).block(64))(x), when(n > 0, kernel<twice>(grid(1).block(64))(x)))),
        kernel<in_small_blocks>(grid(1).block(128))(x));
    const stream on;
    const auto round = [&] {
        CHECK_THROWS_AS(instantiate(wrong, x(xs.all()), n(0), t(1 << 20)), cuda_error);
        CHECK_THROWS_AS(run_on(on, wrong, x(xs.all()), n(0), t(1 << 20)), cuda_error);
        on.wait();
    };
    for (int warm = 0; warm < 20; ++warm) round();
    std::size_t before = 0, after = 0, all = 0;
    ways::must(cudaMemGetInfo(&before, &all));
    for (int i = 0; i < 200; ++i) round();
    ways::must(cudaMemGetInfo(&after, &all));
    CHECK(after + (std::size_t{4} << 20) >= before);
}

// Runs fill and repeat on memory, as a graph and on a stream: what each must say, or nothing where it must work.
template <class Memory>
void check_binding(const Memory& memory, const char* words) {
    const stream on;
    const auto e = repeat(2, seq(fill(out(x), 1), kernel<twice>(grid(1).block(64))(x)));
    const auto as_graph = [&] {
        auto exec = instantiate(e, x(memory));
        if (leave_out::launch_of(exec.graph_ref())) return;
        exec.launch(on);
        on.wait();
    };
    const auto eagerly = [&] {
        run_on(on, e, x(memory));
        on.wait();
    };
    if (words) {
        contains(refusal<error>(as_graph), words);
        contains(refusal<error>(eagerly), words);
        CHECK(cudaGetLastError() == cudaSuccess);
    } else {
        as_graph();
        eagerly();
    }
}

TEST_CASE("memory is reached by the GPU, or refused", "[gpu][failure]") {
    constexpr std::size_t count = 64;
    device_array<double> device(count);
    const auto read = [](const double* values) { return std::vector<double>(values, values + count) == std::vector<double>(count, 2); };

    SECTION("pageable memory, unless the GPU reads that too") {
        std::vector<double> pageable(count);
        int reaches = 0;
        ways::must(cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, 0));
        check_binding(std::span(pageable), reaches ? nullptr : "'x' is bound to pageable host memory, which the GPU does not reach");
        if (reaches) CHECK(read(pageable.data()));
    }
    SECTION("pinned memory") {
        double* pinned = nullptr;
        ways::must(cudaMallocHost(&pinned, count * sizeof(double)));
        check_binding(std::span(pinned, count), nullptr);
        CHECK(read(pinned));
        cudaFreeHost(pinned);
    }
    SECTION("registered memory, and a part of it") {
        std::vector<double> pageable(3 * count);
        ways::must(cudaHostRegister(pageable.data(), pageable.size() * sizeof(double), cudaHostRegisterDefault));
        check_binding(std::span(pageable).subspan(count, count), nullptr);
        CHECK(read(pageable.data() + count));
        CHECK(pageable[0] == 0);
        CHECK(pageable[2 * count] == 0);
        cudaHostUnregister(pageable.data());
    }
    SECTION("managed memory") {
        double* managed = nullptr;
        ways::must(cudaMallocManaged(&managed, count * sizeof(double)));
        check_binding(std::span(managed, count), nullptr);
        CHECK(read(managed));
        cudaFree(managed);
    }
    SECTION("memory of another GPU") {
        int devices = 0, peers = 0;
        ways::must(cudaGetDeviceCount(&devices));
        if (devices > 1) {
            double* other = nullptr;
            ways::must(cudaSetDevice(1));
            ways::must(cudaMalloc(&other, count * sizeof(double)));
            ways::must(cudaSetDevice(0));
            check_binding(std::span(other, count), "'x' is bound to memory of device 1, and the current device 0 has no access to it");
            ways::must(cudaDeviceCanAccessPeer(&peers, 0, 1));
            if (peers) {
                ways::must(cudaDeviceEnablePeerAccess(1, 0));
                check_binding(std::span(other, count), nullptr);
                ways::must(cudaDeviceDisablePeerAccess(1));
            }
            cudaFree(other);
        }
    }
    check_binding(device.all(), nullptr);
    CHECK(read(device.read().data()));
}

TEST_CASE("streams that are captured", "[gpu][failure]") {
    device_array<double> xs(64, 1);
    const stream on;
    const auto straight = kernel<twice>(grid(1).block(64))(x);
    const auto loop = repeat(2, straight);
    auto with_loop = instantiate(loop, x(xs.all()));
    auto without = instantiate(straight, x(xs.all()));
    const auto capture = [&](auto run) {
        ways::must(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal));
        run();
        cudaGraph_t graph = nullptr;
        const cudaError_t code = cudaStreamEndCapture(on, &graph);
        cudaGetLastError();
        if (code == cudaSuccess && graph) {
            cudaGraphExec_t exec = nullptr;
            ways::must(cudaGraphInstantiate(&exec, graph, 0));
            ways::must(cudaGraphLaunch(exec, on));
            on.wait();
            cudaGraphExecDestroy(exec);
        }
        if (graph) cudaGraphDestroy(graph);
    };
    // A run has to wait for the stream where a loop decides.
    capture([&] { contains(refusal<error>([&] { run_on(on, loop, x(xs.all())); }), "has to wait for the stream, which is being captured"); });
    // A launch cannot be a part of a graph.
    capture([&] { contains(refusal<cuda_error>([&] { without.launch(on); }), "The stream is being captured"); });
    capture([&] { contains(refusal<cuda_error>([&] { with_loop.launch(on); }), "The stream is being captured"); });
    CHECK(xs.read() == std::vector<double>(64, 1));
    without.launch(on);
    with_loop.launch(on);
    run_on(on, loop, x(xs.all()));
    on.wait();
    CHECK(xs.read() == std::vector<double>(64, 32));
}

TEST_CASE("right calls, which the page of errors quotes", "[gpu][failure]") {
    const stream stream;
    const device_array<double> all(16);
    double* const memory = all.data();
    double* const more = memory + 8;
    // [stream_is_missing]
    run_on(stream, copy(in(x), out(y)), x(memory, 8), y(more, 8));
    // [/stream_is_missing]
    // [cannot_be_left_out]
    auto both = instantiate(seq(fill(out(x), 1), fill(out(y), 2)), x(memory, 8), y(more, 8));
    both.disable(at<1>);
    // [/cannot_be_left_out]
    both.launch(stream);
    // [only_scalars_are_fetched]
    auto sum = instantiate(seq(fill(out(x), 3), reduce(out(total), in(x))), x(memory, 8));
    sum.launch(stream);
    const double result = sum.fetch(total);
    // [/only_scalars_are_fetched]
    CHECK(result == 24);
    CHECK(all.read()[8] == 0);
}
