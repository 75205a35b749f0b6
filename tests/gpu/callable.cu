// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cograph/callable.cuh>
#include <cograph/join/gather.cuh>

#include <string>
#include <vector>

// Calls that replay a graph must do what they stand for, wherever their arguments are.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct z : buffer<z, float> {} z;
inline constexpr struct h : buffer<h, float> {} h;
inline constexpr struct dx : buffer<dx, float> {} dx;
inline constexpr struct dy : buffer<dy, float> {} dy;
inline constexpr struct s : scalar<s, float> {} s;
inline constexpr struct t : temp<t, float, struct x> {} t;
inline constexpr struct a : value<a, float> {} a;
inline constexpr struct it : scalar<it, int> {} it;

struct scaled {
    COGRAPH_HD void operator()(index_t, const float& from, float& to, float by) const { to = by * from; }
};
struct raised {
    COGRAPH_HD void operator()(index_t, const float& from, float& to) const { to += from; }
};
struct square {
    COGRAPH_HD void operator()(index_t, const float& from, float& kept, float& to) const {
        kept = 2 * from;
        to = from * from;
    }
};
struct times {
    COGRAPH_HD void operator()(index_t, const float& left, const float& right, float& to) const { to = left * right; }
};

// y = a x; z += y, three times; s = the sum of z
constexpr auto work = seq(for_each(over(x), scaled{})(in(x[each]), out(y[each]), a), assign(it, 0),
                          loop_while(it < 3, seq(for_each(over(z), raised{})(in(y[each]), inout(z[each])), assign(it, it + 1))),
                          reduce(out(s), in(z)));

// What a callable says.
struct listener {
    std::vector<std::string> heard;
    log_hook hook() {
        return {[](const char* why, void* to) { static_cast<listener*>(to)->heard.push_back(why); }, this};
    }
};

__global__ void scale_kernel(const float* from, float* to, index_t n, float by) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) to[i] = by * from[i] + 1;
}
__global__ void add_kernel(const float* from, float* to, index_t n) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}
struct scale_on_stream {
    void operator()(cudaStream_t on, std::span<const float> from, output_span<float> to, float by) const {
        scale_kernel<<<static_cast<unsigned>((from.size() + 127) / 128), 128, 0, on>>>(from.data(), to.data(),
                                                                                      static_cast<index_t>(from.size()), by);
    }
};
// Allocates in its first call, as libraries do that initialize themselves then; no capture allows that.
struct lazy_library {
    float* memory = nullptr;
    int calls = 0;
    lazy_library() = default;
    ~lazy_library() { cudaFree(memory); }
    lazy_library(const lazy_library&) = delete;
    lazy_library& operator=(const lazy_library&) = delete;
};
struct scale_by_library {
    lazy_library* library;
    cudaError_t operator()(cudaStream_t on, std::span<const float> from, std::span<float> to, float by) const {
        ++library->calls;
        if (!library->memory)
            if (const cudaError_t code = cudaMalloc(&library->memory, from.size_bytes()); code != cudaSuccess) return code;
        const auto blocks = static_cast<unsigned>((from.size() + 127) / 128);
        scale_kernel<<<blocks, 128, 0, on>>>(from.data(), library->memory, static_cast<index_t>(from.size()), by);
        add_kernel<<<blocks, 128, 0, on>>>(library->memory, to.data(), static_cast<index_t>(to.size()));
        return cudaGetLastError();
    }
};
// Waits for its stream, which no graph can.
struct waits {
    void operator()(cudaStream_t on, std::span<const float> from, std::span<float> to) const {
        cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyDeviceToDevice, on);
        if (cudaStreamSynchronize(on) != cudaSuccess) throw std::runtime_error("could not wait");
    }
};

}  // namespace

TEST_CASE("a call replays its graph on arguments that are anywhere", "[gpu][callable]") {
    device_array<float> xs(1000, 2), ys(1000), zs(1000, 1), sums(1);
    listener log;
    const stream on;
    auto call = make_callable(work, arguments(in(x), in(a), inout(z), out(s)), {.log = log.hook()}, x(xs.all()), y(ys.all()), z(zs.all()),
                              s(sums.data()), a(3.0f));
    REQUIRE(call.is_graph());
    CHECK(zs.read() == std::vector<float>(1000, 1));
    call(on, xs.all(), 3.0f, zs.all(), sums.all());
    on.wait();
    CHECK(zs.read() == std::vector<float>(1000, 19));
    CHECK(sums.read() == std::vector<float>(1, 19000));

    device_array<float> other_xs(1000, 1), other_zs(1000, 5), other_sums(1);
    call(on, other_xs.all(), 2.0f, other_zs.all(), other_sums.all());
    on.wait();
    CHECK(other_zs.read() == std::vector<float>(1000, 11));
    CHECK(other_sums.read() == std::vector<float>(1, 11000));
    CHECK(zs.read() == std::vector<float>(1000, 19));

    // What is given where it is, is not copied.
    ways::must(cudaMemcpyAsync(call.static_buffer(z).data(), other_xs.data(), 4000, cudaMemcpyDefault, on));
    call(on, other_xs.all(), 2.0f, call.static_buffer(z), call.static_buffer(s));
    float sum = 0;
    ways::must(cudaMemcpyAsync(&sum, call.static_buffer(s).data(), sizeof sum, cudaMemcpyDefault, on));
    on.wait();
    CHECK(sum == 7000);
    CHECK(log.heard.empty());
}

TEST_CASE("a call takes arguments with strides through a gather, and gives them by a scatter", "[gpu][callable]") {
    device_array<float> xs(1000, 2), ys(1000), zs(1000, 1), sums(1);
    std::vector<float> numbers(2000);
    for (std::size_t k = 0; k < 2000; ++k) numbers[k] = static_cast<float>(k);
    device_array<float> pairs(2000), kept(2000, -1);
    pairs.write(numbers);
    const stream on;
    auto call = make_callable(work, arguments(in(x), in(a), inout(z), out(s)), {}, x(xs.all()), y(ys.all()), z(zs.all()), s(sums.data()), a(3.0f));
    // [gather]
    const strided_array<float> column = strided(pairs.data() + 1, 1000, 2), result = strided(kept.data() + 1999, 1000, -2);
    call(on, gather(on, column, call.static_buffer(x)), 2.0f, gather(on, column, call.static_buffer(z)), sums.all());
    scatter(on, call.static_buffer(z), result);
    // [/gather]
    on.wait();
    const std::vector<float> all = kept.read();
    for (std::size_t k = 0; k < 1000; ++k) {
        CHECK(all[2 * k] == -1);
        CHECK(all[1999 - 2 * k] == 7 * numbers[2 * k + 1]);
    }
    // A matrix and its transposed; as a part of a capture, too.
    device_array<float> turned(12);
    pairs.write(numbers);
    strided_array<const float> matrix{pairs.data(), 2, {4, 3}, {1, 4}};
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    ways::must(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal));
    gather(on, matrix, turned.all());
    ways::must(cudaStreamEndCapture(on, &graph));
    ways::must(cudaGraphInstantiate(&exec, graph, 0));
    ways::must(cudaGraphLaunch(exec, on));
    on.wait();
    CHECK(turned.read() == std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
    ways::must(cudaGraphExecDestroy(exec));
    ways::must(cudaGraphDestroy(graph));
}

TEST_CASE("a call that its graph cannot serve runs node by node, and says why once", "[gpu][callable]") {
    device_array<float> xs(1000, 2), ys(2000), zs(1000, 1), sums(1), more(2000, 1), more_zs(2000, 0);
    listener log;
    const stream on;
    const auto make = [&](callable_options options) {
        options.log = log.hook();
        return make_callable(work, arguments(in(x), inout(z)), options, x(xs.all()), y(ys.all()), z(zs.all()), s(sums.data()), a(3.0f));
    };
    auto call = make({});
    for (int i = 1; i < 3; ++i) {
        call(on, more.all(), more_zs.all());
        on.wait();
        CHECK(more_zs.read() == std::vector<float>(2000, 9.0f * static_cast<float>(i)));
    }
    REQUIRE(log.heard.size() == 1);
    CHECK(log.heard[0] == "cograph: a callable runs without its graph: an argument has another number of elements than its example");

    auto strict = make({.copies = false});
    strict(on, xs.all(), zs.all());
    on.wait();
    CHECK(zs.read() == std::vector<float>(1000, 19));
    REQUIRE(log.heard.size() == 2);
    CHECK(log.heard[1].find("copies are switched off") != std::string::npos);

    auto aliasing = make({.aliases_inputs = true});
    CHECK(aliasing.static_buffer(x).data() == xs.data());
    CHECK(aliasing.static_buffer(z).data() != zs.data());
}

TEST_CASE("a stream function becomes a graph", "[gpu][callable]") {
    device_array<float> xs(300, 2), ys(300);
    listener log;
    const stream on;
    auto call = make_callable(scale_on_stream{}, {.log = log.hook()}, std::span<const float>(xs.all()), output(ys.all()), 5.0f);
    REQUIRE(call.is_graph());
    call(on, xs.all(), output(ys.all()), 5.0f);
    on.wait();
    CHECK(ys.read() == std::vector<float>(300, 11));
    device_array<float> others(300, 3), results(300);
    call(on, others.all(), output(results.all()), 4.0f);
    on.wait();
    CHECK(results.read() == std::vector<float>(300, 13));
    CHECK(log.heard.empty());
    // [mode]
    auto beside_others = make_callable(captured(scale_on_stream{}).mode<capture_mode::thread>(), {.log = log.hook()},
                                       std::span<const float>(xs.all()), output(ys.all()), 5.0f);
    // [/mode]
    for (const float by : {5.0f, 4.0f}) {
        beside_others(on, others.all(), output(results.all()), by);
        on.wait();
        CHECK(results.read() == std::vector<float>(300, 3 * by + 1));
    }
    CHECK(beside_others.is_graph());
    CHECK(log.heard.empty());
}

TEST_CASE("a stream function that initializes itself in its first call becomes a graph", "[gpu][callable]") {
    device_array<float> xs(300, 2), sums(300, 1);
    listener log;
    const stream on;
    {
        lazy_library library;
        auto call = make_callable(scale_by_library{&library}, {.log = log.hook()}, std::span<const float>(xs.all()), sums.all(), 5.0f);
        REQUIRE(call.is_graph());
        CHECK(library.calls == 2);
        CHECK(sums.read() == std::vector<float>(300, 1));
        call(on, xs.all(), sums.all(), 5.0f);
        on.wait();
        CHECK(sums.read() == std::vector<float>(300, 12));
        call(on, xs.all(), sums.all(), 4.0f);
        on.wait();
        CHECK(sums.read() == std::vector<float>(300, 21));
        CHECK(library.calls == 3);
        CHECK(log.heard.empty());
    }
    lazy_library library;
    auto cold = make_callable(scale_by_library{&library}, {.warm_up = false, .log = log.hook()}, std::span<const float>(xs.all()), sums.all(), 5.0f);
    CHECK(!cold.is_graph());
    REQUIRE(log.heard.size() == 1);
    CHECK(log.heard[0].find("scale_by_library") != std::string::npos);
    cold(on, xs.all(), sums.all(), 5.0f);
    on.wait();
    CHECK(sums.read() == std::vector<float>(300, 32));
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("what cannot be captured runs as it is, and says why", "[gpu][callable]") {
    device_array<float> xs(300, 2), ys(300);
    listener log;
    const stream on;
    auto call = make_callable(waits{}, {.log = log.hook()}, std::span<const float>(xs.all()), ys.all());
    CHECK(!call.is_graph());
    REQUIRE(log.heard.size() == 1);
    CHECK(log.heard[0].find("waits") != std::string::npos);
    call(on, xs.all(), ys.all());
    on.wait();
    CHECK(ys.read() == std::vector<float>(300, 2));
    CHECK(log.heard.size() == 1);
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a binding that is at fault is found when the call is made", "[gpu][callable]") {
    device_array<float> xs(1000, 2), ys(1000), zs(1000, 1), sums(1), few(10);
    listener log;
    const stream on;
    const auto make = [&](auto... others) {
        return make_callable(work, arguments(in(x), in(a), inout(z)), {.log = log.hook()}, x(xs.all()), z(zs.all()), a(3.0f), others...);
    };
    // [throws]
    CHECK_THROWS_AS(make(y(static_cast<float*>(nullptr), 1000), s(sums.data())), error);  // not bound to memory
    CHECK_THROWS_AS(make(y(few.all()), s(sums.data())), error);                           // too few elements
    CHECK_THROWS_AS(make(y(ys.all()), s(ys.data())), error);                              // shares memory with y
    // [/throws]
    CHECK(log.heard.empty());

    auto call = make(y(ys.all()), s(sums.data()));
    device_array<float> wide(2000), wide_zs(2000);
    CHECK_THROWS_AS(call(on, wide.all(), 3.0f, wide_zs.all()), error);  // y has too few elements for these
    call(on, xs.all(), 3.0f, zs.all());
    on.wait();
    CHECK(zs.read() == std::vector<float>(1000, 19));
    CHECK(call.is_graph());
}

TEST_CASE("callables that are called in turn share the memory of their temps", "[gpu][callable]") {
    device_array<float> xs(1000, 2), ys(1000);
    const stream on;
    constexpr auto twice = seq(for_each(over(x), scaled{})(in(x[each]), out(t[each]), 2.0f), copy(in(t), out(y)));
    constexpr auto thrice = seq(for_each(over(x), scaled{})(in(x[each]), out(t[each]), 3.0f), copy(in(t), out(y)));
    // [pool]
    pool shared;
    auto first = make_callable(twice, arguments(in(x), out(y)), {.memory = use(shared)}, x(xs.all()), y(ys.all()));
    auto second = make_callable(thrice, arguments(in(x), out(y)), {.memory = use(shared)}, x(xs.all()), y(ys.all()));
    first(on, xs.all(), ys.all());
    second(on, ys.all(), ys.all());  // after the first
    // [/pool]
    on.wait();
    CHECK(ys.read() == std::vector<float>(1000, 12));
    REQUIRE(first.is_graph());
    CHECK(shared.bytes() >= 4000);
    CHECK(shared.bytes() < 8000);
}

TEST_CASE("a backward graph reads what its forward graph kept", "[gpu][callable]") {
    device_array<float> xs(500, 3), ys(500), dys(500, 10), dxs(500);
    const stream on;
    auto both = make_callable_pair(for_each(over(x), square{})(in(x[each]), out(h[each]), out(y[each])), arguments(in(x), out(y)),
                                   for_each(over(dx), times{})(in(h[each]), in(dy[each]), out(dx[each])), arguments(in(dy), out(dx)), {},
                                   x(xs.all()), y(ys.all()), dy(dys.all()), dx(dxs.all()), saved(h, 500));
    both.forward(on, xs.all(), ys.all());
    both.backward(on, dys.all(), dxs.all());
    on.wait();
    CHECK(ys.read() == std::vector<float>(500, 9));
    CHECK(dxs.read() == std::vector<float>(500, 60));
}

TEST_CASE("a branch that is not taken leaves an argument as it is", "[gpu][callable]") {
    device_array<float> xs(1, 1), ys(8, 5);
    const stream on;
    auto call = make_callable(when(s > 0, fill(out(y), 7)), arguments(in(s), inout(y)), {}, s(xs.data()), y(ys.all()));
    call(on, xs.all(), ys.all());
    on.wait();
    CHECK(ys.read() == std::vector<float>(8, 7));
    device_array<float> zero(1, 0), others(8, 3);
    call(on, zero.all(), others.all());
    on.wait();
    CHECK(others.read() == std::vector<float>(8, 3));
}

TEST_CASE("a backward call reads the arguments of its forward call", "[gpu][callable]") {
    device_array<float> xs(500, 3), others(500, 4), ys(500), dys(500, 10), dxs(500);
    const stream on;
    // [saved argument]
    auto both = make_callable_pair(for_each(over(x), scaled{})(in(x[each]), out(y[each]), a), arguments(in(x), in(a), out(y)),
                                   for_each(over(dx), times{})(in(x[each]), in(dy[each]), out(dx[each])), arguments(in(dy), out(dx)), {},
                                   saved(x, 500), a(1.0f), y(ys.all()), dy(dys.all()), dx(dxs.all()));
    both.forward(on, others.all(), 2.0f, ys.all());
    both.backward(on, dys.all(), dxs.all());  // reads what forward copied
    // [/saved argument]
    on.wait();
    CHECK(ys.read() == std::vector<float>(500, 8));
    CHECK(dxs.read() == std::vector<float>(500, 40));
}

TEST_CASE("calls are refused that would write beside their arguments, twice, or into a capture", "[gpu][callable]") {
    device_array<float> xs(8, 3), ys(8), sums(2);
    const stream on;
    auto sum = make_callable(reduce(out(s), in(x)), arguments(in(x), out(s)), {}, x(xs.all()), s(sums.data()));
    CHECK_THROWS_AS(sum(on, xs.all(), sums.all()), error);
    CHECK_THROWS_AS(sum(on, xs.all(), std::span<float>()), error);
    auto two = make_callable(seq(fill(out(x), 1), fill(out(y), 2)), arguments(out(x), out(y)), {}, x(xs.all()), y(ys.all()));
    CHECK_THROWS_AS(two(on, ys.all(), ys.all()), error);
    ways::must(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal));
    CHECK_THROWS_AS(two(on, ys.all(), ys.all()), error);
    cudaGraph_t captured = nullptr;
    ways::must(cudaStreamEndCapture(on, &captured));
    std::size_t nodes = 1;
    ways::must(cudaGraphGetNodes(captured, nullptr, &nodes));
    ways::must(cudaGraphDestroy(captured));
    CHECK(nodes == 0);
    two(on, xs.all(), ys.all());
    on.wait();
    CHECK(ys.read() == std::vector<float>(8, 2));
}

TEST_CASE("the right forms of calls that are refused", "[gpu][callable]") {
    device_array<float> xs(8), ys(8);
    // [argument_is_written]
    make_callable(fill(out(x), 1), arguments(out(x)), {}, x(xs.all()));
    // [/argument_is_written]
    // [argument_is_read]
    make_callable(seq(reduce(out(s), in(x)), fill(out(x), s)), arguments(inout(x)), {}, x(xs.all()));
    // [/argument_is_read]
    // [argument_may_stay_unwritten]
    make_callable(when(s > 0, fill(out(x), 7)), arguments(in(s), inout(x)), {}, x(xs.all()), s(ys.data()));
    make_callable(when(s > 0, fill(out(x), 7), otherwise(fill(out(x), 8))), arguments(in(s), out(x)), {}, x(xs.all()), s(ys.data()));
    // [/argument_may_stay_unwritten]
    // [argument_of_a_call_is_rebound]
    auto filled = make_callable(copy(in(x), out(y)), arguments(in(x)), {}, x(xs.all()), y(ys.all()));
    device_array<float> others(8), more(8, 3);
    filled.graph().update(y(others.all()));
    filled(nullptr, more.all());
    // [/argument_of_a_call_is_rebound]
    CHECK(others.read() == std::vector<float>(8, 3));
    // [arguments_of_a_call_are_marked]
    const auto right = arguments(in(x), in(y));
    // [/arguments_of_a_call_are_marked]
    // [temp_is_no_argument_of_a_call]
    const auto without_temps = arguments(in(x), out(y));
    // [/temp_is_no_argument_of_a_call]
    // [function_takes_no_such_examples]
    make_callable(scale_on_stream{}, {}, std::span<const float>(xs.all()), output(ys.all()), 2.0f);
    // [/function_takes_no_such_examples]
    CHECK(sizeof right + sizeof without_temps > 0);
    // [has_no_static_memory]
    auto call = make_callable(copy(in(x), out(y)), arguments(in(x), out(y)), {}, x(xs.all()), y(ys.all()));
    CHECK(call.static_buffer(y).size() == 8);
    // [/has_no_static_memory]
    device_array<float> result(1);
    // [variable_is_an_argument_of_only_one_call]
    constexpr auto there = for_each(over(x), raised{})(in(x[each]), inout(h[each]));
    constexpr auto back = for_each(over(x), times{})(in(x[each]), in(h[each]), out(dx[each]));
    device_array<float> dxs(8);
    auto given_to_both = make_callable_pair(there, arguments(in(x)), back, arguments(in(x), out(dx)), {}, x(xs.all()), dx(dxs.all()), saved(h, 8));
    given_to_both.forward(nullptr, xs.all());
    given_to_both.backward(nullptr, given_to_both.forward.static_buffer(x), dxs.all());  // where forward copied it
    auto left_in_place = make_callable_pair(there, arguments(in(x)), back, arguments(out(dx)), {}, saved(x, 8), dx(dxs.all()), saved(h, 8));
    // [/variable_is_an_argument_of_only_one_call]
    CHECK(left_in_place.forward.is_graph());
    // [scalar_needs_a_span]
    auto sum = make_callable(reduce(out(s), in(x)), arguments(in(x), out(s)), {}, x(xs.all()), s(result.data()));
    sum(nullptr, xs.all(), std::span(result.data(), 1));
    // [/scalar_needs_a_span]
    CHECK(result.read() == std::vector<float>{0});
}

TEST_CASE("a call takes whatever a span of the elements can be made of", "[gpu][callable]") {
    device_array<float> xs(8, 3), ys(8), zs(8);
    auto call = make_callable(for_each(over(x), scaled{})(in(x[each]), out(y[each]), a), arguments(in(x), in(a), out(y)), {}, x(xs.all()),
                              a(1.0f), y(ys.all()));
    // [right calls]
    call(nullptr, std::span<const float>(xs.all()), 2, ys.all());
    call(0, {xs.data(), 8}, 4.0, {zs.data(), 8});
    // [/right calls]
    CHECK(ys.read() == std::vector<float>(8, 6));
    CHECK(zs.read() == std::vector<float>(8, 12));
}
