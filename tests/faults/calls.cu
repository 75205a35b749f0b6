// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph/callable.cuh>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

// Calls of callables whose arguments or values are special. Kernels do not run here; copies do, and memory is the host's.
namespace {

using namespace cograph;
using device_memory::stream;
using every_call::count_of;
using every_call::fail_every_allocation;
using every_call::fail_every_call;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct begin_at : value<begin_at, int> {} begin_at;
inline constexpr struct until : value<until, int> {} until;
inline constexpr struct t : temp<t, double, elements<until - begin_at>> {} t;
inline constexpr struct u : temp<u, double, struct x> {} u;
inline constexpr struct h : buffer<h, double> {} h;

__global__ void use_both(double*, double*) {}
__global__ void use_one(const double*) {}
__global__ void use_from(const double*, double*) {}

struct half {
    COGRAPH_HD void operator()(index_t, double& to, double from) const { to = from / 2; }
};

// What a callable says of calls without its graph.
struct listener {
    std::vector<std::string> said = {};
    callable_options options(callable_options others = {}) {
        others.log = {[](const char* why, void* to) { static_cast<listener*>(to)->said.emplace_back(why); }, this};
        return others;
    }
    bool heard(const char* words) const { return said.size() == 1 && said[0].find(words) != std::string::npos; }
};

// The same without the heap, whose use is counted.
struct quiet_listener {
    char said[4096] = "";
    std::size_t size = 0;
    log_hook hook() {
        *said = '\0';
        size = 0;
        return {[](const char* why, void* to) { static_cast<quiet_listener*>(to)->add(why); }, this};
    }
    void add(const char* why) {
        const int length = std::snprintf(said + size, sizeof said - size, "%s\n", why);
        size = std::min(size + static_cast<std::size_t>(length), sizeof said - 1);
    }
    // A call of CUDA that fails is told by an exception, or here. One of a captured function is a status of it.
    void check_told(const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) const {
        if (every_call::is_silent(call)) return;
        CHECK((seen.threw || *said));
        const std::string words = said + seen.words, status = "gave the status " + std::to_string(static_cast<int>(which.code));
        const bool may_be_a_status = call == "cudaMalloc" || call == "cudaLaunchKernel";
        const std::string failed = (which.after_all ? "" : call) + " failed: ";  // words of a later call are as good
        CHECK((words.find(failed) != std::string::npos || (may_be_a_status && words.find(status) != std::string::npos)));
    }
};

template <class Run>
bool refuses(const Run& run, const char* words) {
    return every_call::words_of(run).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("values that are right only together reach a graph together", "[faults][calls]") {
    listener log;
    auto call = make_callable(fill(out(t), 1), arguments(in(begin_at), in(until)), log.options(), begin_at(0), until(10));
    fake_runtime::expect();
    call(nullptr, 0, 10);
    call(nullptr, 20, 30);
    call(nullptr, 0, 5);
    CHECK_THROWS_AS(call(nullptr, 30, 20), error);
    call(nullptr, 30, 40);
    call(nullptr, 30.0, std::size_t{40});
    CHECK(refuses([&] { call(nullptr, 30.5, 40); }, "'begin_at' is bound to 30.5, which its type int cannot hold"));
    CHECK(refuses([&] { call(nullptr, 30, std::size_t{1} << 32); }, "'until' is bound to 4294967296, which its type int cannot hold"));
    CHECK(count_of("cudaGraphLaunch") == 5);
    CHECK(log.said.empty());
}

TEST_CASE("a call tells the graph only values that differ", "[faults][calls]") {
    std::vector<double> xs(4, 1), ys(4, 2);
    auto call = make_callable(seq(fill(out(x), begin_at), fill(out(y), until)), arguments(in(begin_at), in(until), out(x), out(y)), {}, begin_at(0), until(10),
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

TEST_CASE("an argument is copied when its address is not that of its static memory", "[faults][calls]") {
    std::vector<double> xs(4, 1), ys(4, 2);
    auto call = make_callable(kernel<use_from>(grid(1).block(1))(in(x), inout(y)), arguments(in(x), inout(y)), {}, x(std::span(xs)), y(std::span(ys)));
    const auto copies = [&](std::span<const double> from, std::span<double> to) {
        fake_runtime::expect();
        call(nullptr, from, to);
        CHECK(count_of("cudaGraphLaunch") == 1);
        return count_of("cudaMemcpyAsync");
    };
    CHECK(copies(call.static_buffer(x), call.static_buffer(y)) == 0);
    CHECK(copies(xs, call.static_buffer(y)) == 1);
    CHECK(copies(call.static_buffer(x), ys) == 2);  // in and out
    CHECK(copies(xs, ys) == 3);
}

TEST_CASE("static memory of one argument is given for another one", "[faults][calls]") {
    const stream on;
    std::vector<double> xs(4, 1), ys(4, 2), others(4, 3);
    const auto both = kernel<use_both>(grid(1).block(1));
    SECTION("copied in: what would be overwritten before it is read runs without the graph") {
        listener log;
        auto call = make_callable(both(inout(y), inout(x)), arguments(inout(y), inout(x)), log.options(), x(std::span(xs)), y(std::span(ys)));
        fake_runtime::expect();
        call(on, others, call.static_buffer(y));
        CHECK(log.heard("static memory of another one"));
        CHECK(count_of("cudaGraphLaunch") == 0);
        call(on, others, xs);
        CHECK(count_of("cudaGraphLaunch") == 1);
    }
    SECTION("copied in: what is read first runs as the graph") {
        listener log;
        auto call = make_callable(kernel<use_from>(grid(1).block(1))(in(x), inout(y)), arguments(in(x), inout(y)), log.options(), x(std::span(xs)),
                                  y(std::span(ys)));
        call.static_buffer(y)[0] = 100;
        fake_runtime::expect();
        call(on, call.static_buffer(y), others);
        CHECK(log.said.empty());
        CHECK(count_of("cudaGraphLaunch") == 1);
        CHECK(call.static_buffer(x)[0] == 100);
        CHECK(call.static_buffer(y)[0] == 3);
    }
    SECTION("copied out") {
        listener log;
        auto call = make_callable(both(inout(x), inout(y)), arguments(inout(x), inout(y)), log.options(), x(std::span(xs)), y(std::span(ys)));
        fake_runtime::expect();
        call(on, xs, call.static_buffer(x));  // y reads the memory of x when that has been written
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
    CHECK(call.static_buffer(x)[0] == 1);
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
    const stream on;
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

struct goes_astray {
    void operator()(cudaStream_t on, std::span<double> to) const {
        use_one<<<1, 1, 0, on>>>(to.data());
        use_one<<<1, 1>>>(to.data());
    }
};
TEST_CASE("a stream function is captured in the mode that is asked for", "[faults][calls]") {
    listener log;
    std::vector<double> xs(4, 1);
    CHECK(!make_callable(goes_astray{}, log.options(), std::span(xs)).is_graph());
    CHECK(log.heard("'goes_astray' a CUDA call in it failed"));
    CHECK(!make_callable(captured(goes_astray{}), log.options(), std::span(xs)).is_graph());
    REQUIRE(log.said.size() == 2);
    CHECK(log.said[1].find("calls.cu") != std::string::npos);  // where captured() stands
    CHECK(make_callable(captured(goes_astray{}).mode<capture_mode::thread>(), log.options(), std::span(xs)).is_graph());
    CHECK(log.said.size() == 2);
}

struct takes_four {
    void operator()(cudaStream_t on, std::span<const double, 4> given, std::span<double> to, int) const {
        to[0] = given[3];
        use_one<<<1, 1, 0, on>>>(given.data());
    }
};
TEST_CASE("spans of fixed extent are memory", "[faults][calls]") {
    listener log;
    const stream on;
    std::vector<double> four{1, 2, 3, 4}, five(5, 5), to(1);
    auto call = make_callable(takes_four{}, log.options(), std::span<const double, 4>(four), std::span(to), 1);
    CHECK(call.is_graph());
    call(on, four, to, 2);
    CHECK(call.static_buffer(core::positional_buffer<0, double>{}).size() == 4);
    CHECK(refuses([&] { call(on, five, to, 2); }, "another number of elements"));
    call(on, std::span<const double, 4>(four), to, 3);
}

struct sized {
    int value;
    std::size_t size_bytes() const { return sizeof *this; }
};
TEST_CASE("an object with a size in bytes is a value", "[faults][calls]") {
    const stream on;
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
    const stream on;
    std::vector<double> xs(4, 7), others(4, 9);
    auto both = make_callable_pair(kernel<use_one>(grid(1).block(1))(in(x)), arguments(in(x)), kernel<use_both>(grid(1).block(1))(inout(x), inout(x)),
                                   arguments(inout(x)), {.aliases_inputs = true}, x(std::span(xs)));
    CHECK(both.forward.static_buffer(x).data() != xs.data());
    CHECK(both.forward.static_buffer(x).data() == both.backward.static_buffer(x).data());
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

TEST_CASE("where another device is current, a call runs without its graph", "[faults][calls]") {
    listener log;
    const stream on;
    std::vector<double> xs(4, 3), ys(4);
    const auto doubles = [](cudaStream_t stream, std::span<const double> given, std::span<double> to) {
        to[0] = 2 * given[0];
        use_one<<<1, 1, 0, stream>>>(given.data());
    };
    auto call = make_callable(doubles, log.options(), std::span<const double>(xs), std::span(ys));
    REQUIRE(call.is_graph());
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    for (const double value : {3.0, 4.0}) {
        xs[0] = value;
        fake_runtime::expect();
        call(on, xs, ys);
        CHECK(ys[0] == 2 * value);
        CHECK(count_of("cudaGraphLaunch") == 0);
        CHECK(count_of("cudaMemcpyAsync") == 0);
    }
    CHECK(log.heard("another device is current than when it was made"));
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
    fake_runtime::expect();
    call(on, xs, ys);
    CHECK(count_of("cudaGraphLaunch") == 1);
    CHECK(log.said.size() == 1);
}

// Throws instead of taking a sentence, as often as it is told to.
struct strict_log {
    int refusals;
    int heard = 0;
    log_hook hook() {
        return {[](const char* why, void* to) {
                    strict_log& log = *static_cast<strict_log*>(to);
                    if (log.refusals-- > 0) throw std::runtime_error(why);
                    ++log.heard;
                },
                this};
    }
};
template <class Run>
bool throws_log(const Run& run) {
    try {
        run();
    } catch (const std::runtime_error& why) {
        return std::string(why.what()).find("a callable runs without its graph") != std::string::npos;
    }
    return false;
}

TEST_CASE("a log that throws refuses what it is told of, each time", "[faults][calls]") {
    std::vector<double> xs(4, 1), ys(4, 2), few(2, 5), few_ys(2);
    const fake_runtime::live_objects before = fake_runtime::live();
    SECTION("a callable that has no graph") {
        const auto refused = [](cudaStream_t, const double*, double*) -> cudaError_t { return cudaErrorNotSupported; };
        const auto make = [&](strict_log& log) {
            return make_callable(captured(refused)(in(x), out(y)), arguments(in(x), out(y)), {.log = log.hook()}, x(std::span(xs)), y(std::span(ys)));
        };
        for (int times = 0; times < 2; ++times) {
            strict_log log{1};
            const long allocated = allocations::live();
            const bool threw = throws_log([&] { make(log); });
            const long left = allocations::live() - allocated;
            CHECK(threw);
            CHECK(left == 0);
            CHECK((fake_runtime::live() == before));
            CHECK(cudaGetLastError() == cudaSuccess);
            CHECK(!make(log).is_graph());
        }
    }
    SECTION("a call that would run without the graph") {
        strict_log log{2};
        auto call = make_callable(kernel<use_from>(grid(1).block(1))(in(x), inout(y)), arguments(in(x), inout(y)), {.log = log.hook()}, x(std::span(xs)),
                                  y(std::span(ys)));
        const auto with_few = [&] { call(nullptr, few, few_ys); };
        for (int times = 0; times < 2; ++times) {
            fake_runtime::expect();
            CHECK(throws_log(with_few));
            for (const char* const name : {"cudaMemcpyAsync", "cudaLaunchKernel", "cudaGraphLaunch"}) CHECK(count_of(name) == 0);
            call(nullptr, xs, ys);
            CHECK(count_of("cudaGraphLaunch") == 1);
        }
        with_few();
        with_few();
        CHECK(log.heard == 1);  // from now on it has been told
    }
    SECTION("values that the graph cannot have") {
        strict_log log{1};
        const stream on;
        auto call = make_callable(may_allocate{}, {.log = log.hook()}, std::span(xs), 1);
        REQUIRE(call.is_graph());
        CHECK(throws_log([&] { call(on, xs, 2); }));
        CHECK(xs[0] == 1);
        call(on, xs, 2);
        CHECK(xs[0] == 2);
        CHECK(log.heard == 1);
        fake_runtime::expect();
        call(on, xs, 1);
        CHECK(count_of("cudaGraphLaunch") == 1);
    }
    CHECK((fake_runtime::live() == before));
}

struct twice_of {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to = 2 * from; }
};

TEST_CASE("an argument that overlaps its own static memory is not copied", "[faults][calls]") {
    constexpr auto e = for_each(over(x), twice_of{})(in(x[each]), out(y[each]));
    std::vector<double> from(101), to(100);
    listener log;
    auto call = make_callable(e, arguments(in(x), out(y)), log.options({.aliases_inputs = true}), x(from.data(), 100), y(std::span(to)));
    fake_runtime::expect();
    call(nullptr, std::span<const double>(from.data() + 1, 100), std::span(to));
    CHECK(count_of("cudaMemcpyAsync") == 0);
    CHECK(log.heard("and a copy would overwrite it"));
}

inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct p : buffer<p, double> {} p;
__global__ void use_scalar(const double*, double*) {}

TEST_CASE("a scalar argument is one element", "[faults][calls]") {
    std::vector<double> xs(4, 1), sums(3, 7);
    auto call = make_callable(kernel<use_scalar>(grid(1).block(1))(in(x), inout(s)), arguments(in(x), inout(s)), {}, x(std::span(xs)), s(sums.data()));
    const auto with = [&](std::size_t count) {
        fake_runtime::expect();
        return [&, count] { call(nullptr, xs, std::span(sums.data() + 1, count)); };
    };
    CHECK(every_call::words_of(with(0)) == "cograph: 's' is a scalar, and the call gives 0 elements: give a span of its one element");
    CHECK(refuses(with(2), "'s' is a scalar, and the call gives 2 elements"));
    CHECK(count_of("cudaMemcpyAsync") + count_of("cudaLaunchKernel") + count_of("cudaGraphLaunch") == 0);
    with(1)();
    CHECK(count_of("cudaGraphLaunch") == 1);
}

TEST_CASE("one memory for two arguments that a call writes is refused, with a graph and without", "[faults][calls]") {
    std::vector<double> xs(4, 1), ys(4, 2), others(8, 3), few(2);
    const auto both = kernel<use_both>(grid(1).block(1));
    auto call = make_callable(both(inout(y), inout(x)), arguments(inout(y), inout(x)), {}, x(std::span(xs)), y(std::span(ys)));
    fake_runtime::expect();
    CHECK(every_call::words_of([&] { call(nullptr, xs, xs); }) ==
          "cograph: 'y' shares memory with 'x', and the call writes both: give each memory of its own");
    CHECK(refuses([&] { call(nullptr, {others.data(), 4}, {others.data() + 3, 4}); }, "'y' shares memory with 'x'"));
    CHECK(refuses([&] { call(nullptr, few, few); }, "'y' shares memory with 'x'"));
    CHECK(count_of("cudaMemcpyAsync") + count_of("cudaGraphLaunch") == 0);
    call(nullptr, {others.data(), 4}, {others.data() + 4, 4});
    CHECK(count_of("cudaGraphLaunch") == 1);
    // So is memory that stays bound, and is written.
    auto beside = make_callable(both(inout(y), inout(x)), arguments(inout(y)), {}, x(std::span(xs)), y(std::span(ys)));
    fake_runtime::expect();
    CHECK(every_call::words_of([&] { beside(nullptr, xs); }) == "cograph: 'y' shares memory with 'x', and the call writes both: give each memory of its own");
    CHECK(count_of("cudaMemcpyAsync") + count_of("cudaGraphLaunch") == 0);
    beside(nullptr, ys);
    beside.graph().update(x(ys.data(), 4));
    CHECK(refuses([&] { beside(nullptr, ys); }, "'y' shares memory with 'x'"));
    beside(nullptr, xs);
    // What is only read is copied before anything is written.
    auto in_place = make_callable(kernel<use_from>(grid(1).block(1))(in(x), inout(y)), arguments(in(x), inout(y)), {}, x(std::span(xs)), y(std::span(ys)));
    in_place(nullptr, xs, xs);
}

TEST_CASE("a call on a stream that is being captured becomes a part of the capture, on its arguments themselves", "[faults][calls]") {
    const stream on;
    std::vector<double> xs(4, 1), ys(4, 2), few(2), few_ys(2);
    const fake_runtime::live_objects before = fake_runtime::live();
    std::optional call(make_callable(kernel<use_from>(grid(1).block(1))(in(x), inout(y)), arguments(in(x), inout(y)), {}, x(std::span(xs)), y(std::span(ys))));
    const auto capture = [&](const auto& run) {
        core::graph_owner graph;
        REQUIRE(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal) == cudaSuccess);
        const std::string words = every_call::words_of(run);
        REQUIRE(cudaStreamEndCapture(on, graph.put()) == cudaSuccess);
        CHECK(fake_runtime::nodes_in(graph.get()) == (words.empty() ? 1 : 0));
        return words;
    };
    CHECK(capture([&] { (*call)(on, xs, ys); }) == "");
    CHECK(capture([&] { (*call)(on, few, few_ys); }) == "");  // no graph of its own is needed
    CHECK(capture([&] { (*call)(on, ys, ys); }) != "");
    (*call)(on, xs, ys);
    // The static memory of a call lives as long as a graph that may use it.
    core::graph_owner graph;
    REQUIRE(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal) == cudaSuccess);
    (*call)(on, xs, call->static_buffer(y));
    REQUIRE(cudaStreamEndCapture(on, graph.put()) == cudaSuccess);
    call.reset();
    CHECK(fake_runtime::live().memory > before.memory);
    graph = {};
    free_memory_of_graphs();
    CHECK((fake_runtime::live() == before));
}

TEST_CASE("what is marked out is written whole, or the call is refused", "[faults][calls]") {
    std::vector<double> xs(4, 1), ys(5, 2);
    const auto words_of = [](const auto& run) { return every_call::words_of(run); };
    SECTION("memory that is longer than what a node runs over") {
        constexpr auto e = for_each(over(x), twice_of{})(in(x[each]), out(y[each]));
        const std::string words = words_of([&] { make_callable(e, arguments(in(x), out(y)), {}, x(std::span(xs)), y(std::span(ys))); });
        CHECK(words.find("writes 4 of the 5 elements of 'y', which is marked out: mark it inout among the arguments, or give fewer") != std::string::npos);
        make_callable(e, arguments(in(x), out(y)), {}, x(std::span(xs)), y(ys.data(), 4));
        make_callable(e, arguments(in(x), inout(y)), {}, x(std::span(xs)), y(std::span(ys)));
        make_callable(seq(fill(out(y), 0), e), arguments(in(x), out(y)), {}, x(std::span(xs)), y(std::span(ys)));
    }
    SECTION("behind an update") {
        constexpr auto e = for_each(over(x), twice_of{})(in(x[each]), out(y[each]));
        auto call = make_callable(e, arguments(out(y)), {}, x(std::span(xs)), y(ys.data(), 4));
        call.graph().update(x(xs.data(), 3));
        for (int times = 0; times < 2; ++times)
            CHECK(words_of([&] { call(nullptr, {ys.data(), 4}); }).find("writes 3 of the 4 elements of 'y'") != std::string::npos);
        call.graph().update(x(xs.data(), 4));
        call(nullptr, {ys.data(), 4});
    }
    SECTION("a number of elements that a value says") {
        constexpr auto e = for_each(over(until), half{})(out(y[each]), 3.0);
        auto call = make_callable(e, arguments(in(until), out(y)), {}, until(5), y(std::span(ys)));
        call(nullptr, 5, ys);
        fake_runtime::expect();
        CHECK(words_of([&] { call(nullptr, 3, ys); }).find("writes 3 of the 5 elements of 'y'") != std::string::npos);
        CHECK(count_of("cudaMemcpyAsync") + count_of("cudaGraphLaunch") == 0);
        call(nullptr, 5, ys);
        CHECK(count_of("cudaGraphLaunch") == 1);
    }
}

TEST_CASE("calls without the graph follow its updates", "[faults][calls]") {
    listener log;
    std::vector<double> xs(4, 1), first(4), second(8), few(2, 5);
    double* seen = nullptr;
    std::size_t elements = 0;
    int number = 0;
    const auto f = [&](cudaStream_t on, const double* from, double* to, std::size_t count, int n) {
        seen = to;
        elements = count;
        number = n;
        use_from<<<1, 1, 0, on>>>(from, to);
    };
    auto call = make_callable(captured(f)(in(x), inout(p), extent(p), until), arguments(in(x)), log.options(), x(std::span(xs)), p(std::span(first)), until(3));
    REQUIRE(call.is_graph());
    call(nullptr, few);
    CHECK((seen == first.data() && elements == 4 && number == 3));
    call.graph().update(p(std::span(second)), until(5));
    seen = nullptr;
    call(nullptr, few);
    CHECK((seen == second.data() && elements == 8 && number == 5));
    CHECK(log.heard("another number of elements"));
}

TEST_CASE("a call without the graph leaves out no node", "[faults][calls]") {
    listener log;
    std::vector<double> xs(4, 1), few(2);
    auto call = make_callable(seq(label("first", kernel<use_one>(grid(1))(in(x))), kernel<use_one>(grid(1))(in(x))), arguments(in(x)), log.options(), x(std::span(xs)));
    call(nullptr, few);
    call.graph().disable("first");
    call(nullptr, xs);
    CHECK(refuses([&] { call(nullptr, few); }, "'first' ("));
    CHECK(refuses([&] { call(nullptr, few); }, "is left out of the graph, and this call would run without the graph"));
    call.graph().enable("first");
    call(nullptr, few);
}

TEST_CASE("the two calls of a pair agree about what is left between them", "[faults][calls]") {
    listener log;
    std::vector<double> xs(4, 1), ys(4, 2), few(2), few_ys(2);
    const auto use = kernel<use_from>(grid(1).block(1));
    SECTION("about the number of elements") {
        auto both = make_callable_pair(use(in(x), inout(h)), arguments(in(x)), use(in(h), inout(y)), arguments(inout(y)), log.options(), x(std::span(xs)),
                                       y(std::span(ys)), saved(h, 4));
        both.forward(nullptr, xs);
        both.backward(nullptr, ys);
        both.backward(nullptr, few_ys);
        both.forward(nullptr, few);
        fake_runtime::expect();
        CHECK(refuses([&] { both.backward(nullptr, ys); }, "The last forward call had another number of elements than its examples"));
        CHECK(count_of("cudaMemcpyAsync") + count_of("cudaGraphLaunch") + count_of("cudaLaunchKernel") == 0);
        both.backward(nullptr, few_ys);
        both.forward(nullptr, xs);
        both.backward(nullptr, ys);
    }
    SECTION("about arguments that are saved") {
        auto both = make_callable_pair(use(in(x), inout(h)), arguments(in(x)), use(in(x), inout(y)), arguments(inout(y)), log.options(), saved(x, 4),
                                       y(std::span(ys)), h(std::span(xs)));
        std::vector<double> others(4, 9);
        both.forward(nullptr, others);
        CHECK(both.forward.static_buffer(x)[0] == 9);
        both.backward(nullptr, ys);
        both.forward(nullptr, few);
        for (std::vector<double>* to : {&ys, &few_ys})
            CHECK(refuses([&] { both.backward(nullptr, *to); }, "the last forward call ran without its graph, on its arguments themselves"));
        both.forward(nullptr, others);
        both.backward(nullptr, ys);
    }
}

TEST_CASE("examples that no memory can hold are refused", "[faults][calls]") {
    constexpr auto e = for_each(over(x), twice_of{})(in(x[each]), out(y[each]));
    constexpr std::size_t wraps = (std::size_t{1} << 61) + 1000;
    std::vector<double> from(1000), to(1000);
    const auto refused = [](const auto& make) {
        const std::string words = every_call::words_of(make);
        INFO(words);
        CHECK(words.find("'x' is bound with 2305843009213694952 elements: more than memory can hold") != std::string::npos);
    };
    refused([&] { make_callable(e, arguments(in(x), out(y)), {}, x(from.data(), wraps), y(std::span(to))); });
    refused([&] { make_callable_pair(e, arguments(out(y)), e, arguments(out(y)), {}, saved(x, wraps), y(std::span(to))); });
}

TEST_CASE("callables in a pool, whatever call fails", "[faults][calls]") {
    constexpr auto e = seq(for_each(over(x), half{})(out(u[each]), in(x[each])), copy(in(u), out(y)));
    std::vector<double> xs(100), ys(100);
    quiet_listener log;
    const auto run = [&] {
        pool shared;
        const log_hook hook = log.hook();
        const auto make = [&] {
            return make_callable(e, arguments(in(x), out(y)), {.log = hook, .memory = use(shared)}, x(std::span(xs)), y(std::span(ys)));
        };
        auto first = make();
        const std::size_t bytes = shared.bytes();
        auto second = make();
        if (first.is_graph() && second.is_graph()) CHECK((bytes > 0 && shared.bytes() == bytes));
        first(nullptr, xs, ys);
        second(nullptr, xs, ys);
    };
    fail_every_call(run, [&](const auto&... what) { log.check_told(what...); });
    fail_every_allocation(run);
}

TEST_CASE("a pool is for callables of one device", "[faults][calls]") {
    constexpr auto e = seq(for_each(over(x), half{})(out(u[each]), in(x[each])), copy(in(u), out(y)));
    std::vector<double> xs(100), ys(100);
    listener log;
    pool shared;
    const auto make = [&] {
        return make_callable(e, arguments(in(x), out(y)), log.options({.memory = use(shared)}), x(std::span(xs)), y(std::span(ys)));
    };
    auto first = make();
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    const fake_runtime::live_objects before = fake_runtime::live();
    CHECK(every_call::words_of(make) == "cograph: The pool has memory of device 0, and device 1 is current: make a pool for each device.");
    CHECK((fake_runtime::live() == before));
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
    CHECK(make().is_graph());
    CHECK(log.said.empty());
}

TEST_CASE("pairs of calls, whatever call fails", "[faults][calls]") {
    std::vector<double> xs(4, 1), ys(4, 2);
    quiet_listener log;
    const auto use = kernel<use_from>(grid(1).block(1));
    const auto run = [&] {
        auto both = make_callable_pair(use(in(x), inout(h)), arguments(in(x)), use(in(h), inout(y)), arguments(inout(y)), {.log = log.hook()},
                                       x(std::span(xs)), y(std::span(ys)), saved(h, 64));
        both.forward(nullptr, xs);
        both.backward(nullptr, ys);
    };
    fail_every_call(run, [&](const auto&... what) { log.check_told(what...); });
    fail_every_allocation(run);
}

// Allocates in its first call, as libraries do that initialize themselves then; no capture allows that.
struct lazy_library {
    void* memory = nullptr;
    int calls = 0, fails_in = 0;
    std::vector<std::string> said;
    lazy_library() = default;
    ~lazy_library() { cudaFree(memory); }
    lazy_library(const lazy_library&) = delete;
    lazy_library& operator=(const lazy_library&) = delete;
    log_hook log() {
        return {[](const char* why, void* to) { static_cast<lazy_library*>(to)->said.emplace_back(why); }, this};
    }
};
struct uses_library {
    lazy_library* library;
    cudaError_t operator()(cudaStream_t on, std::span<const double> from, output_span<double> to, std::span<double> sum, int) const {
        if (++library->calls == library->fails_in) throw std::runtime_error("not in this call");
        if (!library->memory)
            if (const cudaError_t code = cudaMalloc(&library->memory, 64); code != cudaSuccess) return code;
        sum[0] += from[0];  // memory of the tests is the host's
        to[0] = sum[0];
        double* memory_of_kernel = to.data();
        void* parameters[] = {&memory_of_kernel};
        return cudaLaunchKernel(reinterpret_cast<const void*>(&use_one), dim3(1), dim3(1), parameters, 0, on);
    }
};

TEST_CASE("a stream function is called once before it is captured", "[faults][calls]") {
    const std::vector<double> xs(1, 3);
    std::vector<double> ys(1, 7), sums(1, 100);
    lazy_library library;
    const auto make = [&](callable_options options = {}) {
        options.log = library.log();
        return make_callable(uses_library{&library}, options, std::span(xs), output(std::span(ys)), std::span(sums), 5);
    };
    SECTION("with what its examples hold, and they stay as they are") {
        auto call = make();
        CHECK(call.is_graph());
        CHECK(library.said.empty());
        CHECK(library.calls == 2);
        CHECK(ys[0] == 7);
        CHECK(sums[0] == 100);
        call(nullptr, xs, output(std::span(ys)), sums, 5);
        CHECK(library.calls == 2);
        CHECK(sums[0] == 100);  // a launch does nothing here, and copies in what it copies out
        call(nullptr, xs, output(std::span(ys)), sums, 6);
        CHECK(library.calls == 3);  // captured anew, and not called before
    }
    SECTION("several times, if that is asked for") {
        make({.warm_ups = 3});
        CHECK(library.calls == 4);
        CHECK(sums[0] == 100);
    }
    SECTION("whether a call has ended is asked of an event behind it") {
        auto call = make();
        CHECK(call.query());
        call(nullptr, xs, output(std::span(ys)), sums, 5);
        CHECK(every_call::holds(every_call::calls_of([&] { call.wait(); }), "cudaEventSynchronize"));
        CHECK(call.query());
    }
    SECTION("inputs that stay where they are") {
        CHECK(make({.aliases_inputs = true}).is_graph());
        CHECK(library.calls == 2);
    }
    SECTION("unless the options say no") {
        auto call = make({.warm_up = false});
        CHECK(!call.is_graph());
        CHECK(library.calls == 1);
        REQUIRE(library.said.size() == 1);
        CHECK(library.said[0].find("uses_library") != std::string::npos);
        CHECK(library.said[0].find("gave the status") != std::string::npos);
    }
    SECTION("where that call fails, it runs without a graph") {
        library.fails_in = 1;
        auto call = make();
        CHECK(!call.is_graph());
        CHECK(library.calls == 1);
        REQUIRE(library.said.size() == 1);
        CHECK(library.said[0].find("not in this call") != std::string::npos);
        CHECK(cudaGetLastError() == cudaSuccess);
        call(nullptr, xs, output(std::span(ys)), sums, 5);
        CHECK(library.calls == 2);
        CHECK(ys[0] == 103);
        CHECK(library.said.size() == 1);
    }
}

TEST_CASE("callables of stream functions, whatever call fails", "[faults][calls]") {
    const std::vector<double> xs(1, 3);
    std::vector<double> ys(1, 7), sums(1, 100);
    const stream on;
    quiet_listener log;
    bool is_graph = false;
    int first_of_call = 0;
    const auto run = [&] {
        lazy_library library;
        auto call = make_callable(uses_library{&library}, {.log = log.hook()}, std::span(xs), output(std::span(ys)), std::span(sums), 5);
        is_graph = call.is_graph();
        first_of_call = fake_runtime::calls();
        call(on, xs, output(std::span(ys)), sums, 6);
    };
    int without_graph = 0;
    const std::vector<std::string> names = fail_every_call(run, [&](const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
        const bool may_take_new_graph = is_graph && which.first >= first_of_call && every_call::is_of_a_capture(call);
        if (seen.threw || !may_take_new_graph) log.check_told(seen, call, which);
        without_graph += !seen.threw && !is_graph;
    });
    CHECK(is_graph);
    CHECK(without_graph > 0);
    const auto first = [&](const char* call) { return std::find(names.begin(), names.end(), call); };
    CHECK(first("cudaLaunchKernel") < first("cudaStreamSynchronize"));
    CHECK(first("cudaStreamSynchronize") < first("cudaStreamBeginCapture"));
    fail_every_allocation(run);
}
