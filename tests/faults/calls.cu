// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/callable.cuh>

#include <span>
#include <stdexcept>
#include <vector>

// Calls of callables whose arguments or values are special. Kernels do not run here; copies do, and memory is the host's.
namespace {

using namespace cograph;
using every_call::count_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct from : value<from, int> {} from;
inline constexpr struct until : value<until, int> {} until;
inline constexpr struct t : temp<t, double, elements<until - from>> {} t;
inline constexpr struct u : temp<u, double, struct x> {} u;

__global__ void use_both(double*, double*) {}
__global__ void use_one(const double*) {}
__global__ void use_from(const double*, double*) {}

// What a callable says of calls without its graph.
struct listener {
    std::vector<std::string> said = {};
    callable_options options(callable_options others = {}) {
        others.log = {[](const char* why, void* to) { static_cast<listener*>(to)->said.emplace_back(why); }, this};
        return others;
    }
    bool heard(const char* words) const { return said.size() == 1 && said[0].find(words) != std::string::npos; }
};

template <class Run>
bool refuses(const Run& run, const char* words) {
    return every_call::words_of(run).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("values that are right only together reach a graph together", "[faults][calls]") {
    listener log;
    auto call = make_callable(fill(out(t), 1), arguments(in(from), in(until)), log.options(), from(0), until(10));
    fake_runtime::expect();
    call(nullptr, 0, 10);
    call(nullptr, 20, 30);
    call(nullptr, 0, 5);
    CHECK_THROWS_AS(call(nullptr, 30, 20), error);
    call(nullptr, 30, 40);
    CHECK(count_of("cudaGraphLaunch") == 4);
    CHECK(log.said.empty());
}

TEST_CASE("a call tells the graph only values that differ", "[faults][calls]") {
    std::vector<double> xs(4, 1), ys(4, 2);
    auto call = make_callable(seq(fill(out(x), from), fill(out(y), until)), arguments(in(from), in(until), out(x), out(y)), {}, from(0), until(10),
                              x(std::span(xs)), y(std::span(ys)));
    const auto told = [&](int first, int second) {
        fake_runtime::expect();
        call(nullptr, first, second, xs, ys);
        return count_of("cudaGraphExecKernelNodeSetParams");
    };
    CHECK(told(0, 10) == 0);
    CHECK(told(1, 10) == 1);
    CHECK(told(2, 20) == 2);
    CHECK(told(2, 20) == 0);
}

TEST_CASE("static memory of one argument is given for another one", "[faults][calls]") {
    const device_memory::stream on;
    std::vector<double> xs(4, 1), ys(4, 2), others(4, 3);
    const auto both = kernel<use_both>(grid(1).block(1));
    SECTION("copied in: what would be overwritten before it is read runs without the graph") {
        listener log;
        auto call = make_callable(both(inout(y), inout(x)), arguments(inout(y), inout(x)), log.options(), x(std::span(xs)), y(std::span(ys)));
        fake_runtime::expect();
        call(on, others, call.view(y));
        CHECK(log.heard("static memory of another one"));
        CHECK(count_of("cudaGraphLaunch") == 0);
        call(on, others, xs);
        CHECK(count_of("cudaGraphLaunch") == 1);
    }
    SECTION("copied in: what is read first runs as the graph") {
        listener log;
        auto call = make_callable(kernel<use_from>(grid(1).block(1))(in(x), inout(y)), arguments(in(x), inout(y)), log.options(), x(std::span(xs)),
                                  y(std::span(ys)));
        call.view(y)[0] = 100;
        fake_runtime::expect();
        call(on, call.view(y), others);
        CHECK(log.said.empty());
        CHECK(count_of("cudaGraphLaunch") == 1);
        CHECK(call.view(x)[0] == 100);
        CHECK(call.view(y)[0] == 3);
    }
    SECTION("copied out") {
        listener log;
        auto call = make_callable(both(inout(x), inout(y)), arguments(inout(x), inout(y)), log.options(), x(std::span(xs)), y(std::span(ys)));
        fake_runtime::expect();
        call(on, xs, call.view(x));  // y reads the memory of x when that has been written
        CHECK(log.heard("static memory of another one"));
    }
}

TEST_CASE("without a graph, calls run on static memory, too", "[faults][calls]") {
    listener log;
    std::vector<double> xs(4, 1), ys(4, 2), few(2, 5);
    const auto refused = [](cudaStream_t, const double*, double*) -> cudaError_t { return cudaErrorNotSupported; };
    const auto e = captured(refused)(in(x), out(y));
    auto call = make_callable(e, arguments(in(x), out(y)), log.options(), x(std::span(xs)), y(std::span(ys)));
    CHECK(!call.is_graph());
    CHECK(log.said.size() == 1);
    // One array for both: the copies lead to different memory, so this is no mistake. The call itself still fails.
    CHECK(refuses([&] { call(nullptr, xs, xs); }, "gave the status"));
    CHECK(call.view(x)[0] == 1);
    CHECK(refuses([&] { call(nullptr, few, few); }, "shares memory"));
}

// Enqueues what no capture allows when its value says so.
struct may_allocate {
    cudaError_t operator()(cudaStream_t on, std::span<double> to, int how) const {
        void* memory = nullptr;
        if (how > 1) {
            if (const cudaError_t code = cudaMalloc(&memory, 64); code != cudaSuccess) return code;
            cudaFree(memory);
        }
        to[0] = how;  // memory of the tests is the host's
        use_both<<<1, 1, 0, on>>>(to.data(), to.data());
        return cudaGetLastError();
    }
};
TEST_CASE("a stream function that cannot be captured with a later value runs without the graph", "[faults][calls]") {
    listener log;
    const device_memory::stream on;
    std::vector<double> xs(4, 1);
    auto call = make_callable(may_allocate{}, log.options(), std::span(xs), 1);
    CHECK(call.is_graph());
    call(on, xs, 1);
    call(on, xs, 2);
    CHECK(log.heard("may_allocate"));
    CHECK(log.said[0].find("with_spans") == std::string::npos);
    CHECK(log.said[0].find(".cuh") == std::string::npos);
    CHECK(xs[0] == 2);
    fake_runtime::expect();
    call(on, xs, 1);
    CHECK(count_of("cudaGraphLaunch") == 1);
    CHECK(log.said.size() == 1);
}

struct takes_four {
    void operator()(cudaStream_t on, std::span<const double, 4> given, std::span<double> to, int) const {
        to[0] = given[3];
        use_one<<<1, 1, 0, on>>>(given.data());
    }
};
TEST_CASE("spans of fixed extent are memory", "[faults][calls]") {
    listener log;
    const device_memory::stream on;
    std::vector<double> four{1, 2, 3, 4}, five(5, 5), to(1);
    auto call = make_callable(takes_four{}, log.options(), std::span<const double, 4>(four), std::span(to), 1);
    CHECK(call.is_graph());
    call(on, four, to, 2);
    CHECK(call.view(core::positional_buffer<0, double>{}).size() == 4);
    CHECK(refuses([&] { call(on, five, to, 2); }, "another number of elements"));
    call(on, std::span<const double, 4>(four), to, 3);
}

struct sized {
    int value;
    std::size_t size_bytes() const { return sizeof *this; }
};
TEST_CASE("an object with a size in bytes is a value", "[faults][calls]") {
    const device_memory::stream on;
    std::vector<double> to(1);
    const auto f = [](cudaStream_t stream, std::span<double> all, sized given) {
        all[0] = given.value;
        use_one<<<1, 1, 0, stream>>>(all.data());
    };
    auto call = make_callable(f, {}, std::span(to), sized{3});
    CHECK(call.is_graph());
    call(on, to, sized{3});
}

TEST_CASE("a pair of calls: what the backward one writes is no aliased example", "[faults][calls]") {
    const device_memory::stream on;
    std::vector<double> xs(4, 7), others(4, 9);
    auto both = make_callable_pair(kernel<use_one>(grid(1).block(1))(in(x)), arguments(in(x)), kernel<use_both>(grid(1).block(1))(inout(x), inout(x)),
                                   arguments(inout(x)), {.aliases_inputs = true}, x(std::span(xs)));
    CHECK(both.forward.view(x).data() != xs.data());
    CHECK(both.forward.view(x).data() == both.backward.view(x).data());
    both.backward(on, others);
    CHECK(xs[0] == 7);
}

TEST_CASE("a variable that only a temp's size needs is one of the expression's", "[faults][calls]") {
    constexpr auto e = fill(out(u), 1);
    std::vector<double> xs(4, 7);
    auto call = make_callable(e, arguments(in(x)), {}, x(std::span(xs)));
    CHECK(call.is_graph());
    call(nullptr, xs);
    auto both = make_callable_pair(e, arguments(), e, arguments(), {}, x(std::span(xs)));
    both.forward(nullptr);
    both.backward(nullptr);
}
