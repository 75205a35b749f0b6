// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

// Host work, events and barriers.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct number : value<number, int> {} number;
inline constexpr struct done : value<done, cudaEvent_t> {} done;

struct event {
    cudaEvent_t handle = nullptr;
    event() { must(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming)); }
    ~event() { cudaEventDestroy(handle); }
};
struct managed {
    int* data = nullptr;
    explicit managed(int value) {
        must(cudaMallocManaged(&data, 64 * sizeof(int)));
        for (int i = 0; i < 64; ++i) data[i] = value;
    }
    ~managed() { cudaFree(data); }
};
// Keeps its thread for a while, so that what does not wait for it is found out.
struct slow_copy {
    COGRAPH_HD void operator()(index_t, const int& from, int& to) const {
#ifdef __CUDA_ARCH__
        for (int i = 0; i < 2000; ++i) __nanosleep(1000);
#endif
        to = from;
    }
};

template <class E, class... B>
void run(bool as_graph, int times, const E& e, B... bindings) {
    const stream on;
    if (as_graph) {
        auto exec = instantiate(e, bindings...);
        for (int i = 0; i < times; ++i) exec.launch(on);
        on.wait();
    } else {
        for (int i = 0; i < times; ++i) run_on(on, e, bindings...);
        on.wait();
    }
}

}  // namespace

TEST_CASE("host work runs in its turn, with the arguments of its node", "[gpu][root_work]") {
    for (const bool as_graph : {true, false}) {
        INFO((as_graph ? "as a graph" : "eagerly"));
        const managed memory(1), out_memory(0);
        std::vector<int> seen;
        const auto look = [&seen](const int* values, int plus, int bound, index_t size) {
            seen.push_back(values[0] + plus + bound + static_cast<int>(size));
        };
        const auto change = [](int* values) { values[0] = 50; };
        const auto e = seq(for_each(over(x), slow_copy{})(in(x[each]), out(y[each])), host(look)(in(y), 100, number, extent(y)),
                           host(change)(inout(x)), repeat(2, for_each(over(x), slow_copy{})(in(x[each]), out(y[each]))), host(look)(in(y), 200, number, 0));
        run(as_graph, 2, e, x(memory.data, 64), y(out_memory.data, 64), number(1000));
        CHECK(seen == std::vector<int>{1 + 100 + 1000 + 64, 50 + 200 + 1000, 50 + 100 + 1000 + 64, 50 + 200 + 1000});
    }
}

TEST_CASE("host work lives as long as what may run it", "[gpu][root_work]") {
    const auto calls = std::make_shared<std::atomic<int>>(0);
    const stream on;
    const event begun;
    std::atomic<bool> go = false;
    const auto count = [calls] { ++*calls; };
    const auto hold = [&go] {
        while (!go) std::this_thread::yield();
    };
    {
        auto exec = instantiate(seq(host(hold)(), host(count)()));
        CHECK(calls.use_count() > 2);
        exec.launch(on);
    }
    CHECK(*calls == 0);
    go = true;
    on.wait();
    CHECK(*calls == 1);
    run_on(on, seq(host(count)(), host(count)()));
    on.wait();
    CHECK(*calls == 3);
    for (int i = 0; i < 1000 && calls.use_count() > 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(calls.use_count() == 2);
}

TEST_CASE("events join a graph with other streams", "[gpu][root_work]") {
    for (const bool as_graph : {true, false}) {
        for (const bool marked : {true, false}) {
            INFO((as_graph ? "as a graph" : "eagerly") << (marked ? ", with variables" : ""));
            device_array<int> xs(64, 1), ys(64, 0), zs(64, 0);
            const event asked, answered;
            const stream on, other;
            // What the other stream does between the two events reads y and changes x.
            const auto check = [&](const auto& e) {
                const auto answer = [&] {
                    must(cudaStreamWaitEvent(other, asked.handle));
                    run_on(other, seq(for_each(over(x), slow_copy{})(in(x[each]), out(y[each]))), x(ys.all()), y(xs.all()));
                    must(cudaEventRecord(answered.handle, other));
                };
                if (as_graph) {
                    // The graph waits for what the event holds when it is launched.
                    auto first = instantiate(seq(for_each(over(x), slow_copy{})(in(x[each]), out(y[each])), record(done)(in(y))), x(zs.all()), y(ys.all()),
                                             done(asked.handle));
                    zs.write(std::vector<int>(64, 9));
                    first.launch(on);
                    answer();
                    auto second = instantiate(e, x(xs.all()), y(ys.all()), done(answered.handle));
                    second.launch(on);
                    on.wait();
                } else {
                    zs.write(std::vector<int>(64, 9));
                    run_on(on, seq(for_each(over(x), slow_copy{})(in(x[each]), out(y[each])), record(asked.handle)), x(zs.all()), y(ys.all()));
                    answer();
                    run_on(on, e, x(xs.all()), y(ys.all()), done(answered.handle));
                    on.wait();
                }
                other.wait();
            };
            if (marked)
                check(seq(wait(done)(out(x)), copy(in(x), out(y))));
            else
                check(seq(wait(done), copy(in(x), out(y))));
            CHECK(xs.read() == std::vector<int>(64, 9));
            CHECK(ys.read() == std::vector<int>(64, 9));
        }
    }
}

// Memory that its node says nothing of.
struct pointers {
    int* from;
    int* to;
};
inline constexpr struct both : view<both, pointers> {} both;
struct slow_move {
    COGRAPH_HD void operator()(pointers p, int plus) const {
#ifdef __CUDA_ARCH__
        for (int i = 0; i < 500; ++i) __nanosleep(1000);
#endif
        *p.to = *p.from + plus;
    }
};
inline constexpr struct back : view<back, pointers> {} back;

TEST_CASE("a barrier orders what the variables do not, in bodies too", "[gpu][root_work]") {
    // Two views of the same memory, which the plan cannot know: without the barriers their nodes would run at once.
    constexpr auto e = repeat(3, seq(single_task(slow_move{})(inout(both), 1), barrier(), single_task(slow_move{})(inout(back), 10), barrier()));
    static_assert(edge_count(repeat(3, seq(single_task(slow_move{})(inout(both), 1), single_task(slow_move{})(inout(back), 10)))) < edge_count(e));
    for (const bool as_graph : {false, true}) {
        device_array<int> memory(2, 0);
        run(as_graph, 2, e, both(pointers{memory.data(), memory.data() + 1}), back(pointers{memory.data() + 1, memory.data()}));
        CHECK(memory.read() == std::vector<int>{66, 56});
    }
}

// Ends this program; run by the test below in a process of its own.
TEST_CASE("host work that throws", "[.][ends]") {
    const stream on;
    auto exec = instantiate(label("reader", host([] { throw std::runtime_error("no such file"); })()));
    exec.launch(on);
    on.wait();
}

TEST_CASE("an exception of host work ends the program, with the node's name", "[gpu][root_work]") {
    char self[4096] = {};
    REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    FILE* const run = popen((std::string(self) + " \"host work that throws\" 2>&1").c_str(), "r");
    REQUIRE(run);
    std::string said;
    for (int c = std::fgetc(run); c != EOF; c = std::fgetc(run)) said += static_cast<char>(c);
    const int status = pclose(run);
    INFO(said);
    CHECK((status != 0));
    CHECK(said.find("cograph: 'reader' (") != std::string::npos);
    CHECK(said.find("threw an exception, which must not leave a function that CUDA calls: no such file") != std::string::npos);
}

TEST_CASE("host work on a stream that is being captured belongs to the graph", "[gpu][root_work]") {
    const stream on;
    int calls = 0;
    const auto owned = std::make_shared<int>(3);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    must(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal));
    run_on(on, host([owned, &calls] { calls += *owned; })());
    must(cudaStreamEndCapture(on, &graph));
    CHECK(owned.use_count() == 2);
    must(cudaGraphInstantiate(&exec, graph, 0));
    must(cudaGraphDestroy(graph));
    for (int i = 0; i < 3; ++i) must(cudaGraphLaunch(exec, on));
    on.wait();
    CHECK(calls == 9);
    must(cudaGraphExecDestroy(exec));
    for (int i = 0; i < 1000 && owned.use_count() > 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));  // CUDA gives it back on a thread of its own
    CHECK(owned.use_count() == 1);
}
