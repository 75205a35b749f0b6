// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cograph/check_captures.cuh>

#include <atomic>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

// Host code that enqueues work, captured and eager.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct t : temp<t, int, struct x> {} t;
inline constexpr struct s : scalar<s, int> {} s;
inline constexpr struct by : value<by, int> {} by;

__global__ void add(const int* from, int* to, int more) { to[threadIdx.x] = from[threadIdx.x] + more; }
__global__ void count_up(int* counter) { ++*counter; }

struct increment {
    COGRAPH_HD void operator()(index_t, int& value) const { ++value; }
};
struct add_to {
    void operator()(cudaStream_t on, const int* from, int* to, int more) const { add<<<1, 64, 0, on>>>(from, to, more); }
};
struct add_here {
    cudaError_t operator()(cudaStream_t on, int* values, int more) const {
        add<<<1, 64, 0, on>>>(values, values, more);
        return cudaGetLastError();
    }
};

struct pinned_ints {
    int* data = nullptr;
    explicit pinned_ints(int value) {
        must(cudaMallocHost(&data, 64 * sizeof(int)));
        for (int i = 0; i < 64; ++i) data[i] = value;
    }
    ~pinned_ints() { cudaFreeHost(data); }
};
struct event {
    cudaEvent_t handle = nullptr;
    event() { must(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming)); }
    ~event() { cudaEventDestroy(handle); }
};

// Runs as a graph, launched twice, and eagerly, twice; ends[i] is what x holds after i runs.
template <class E, class... B>
void check_runs(const E& e, int start, const std::vector<int>& ends, B... more) {
    device_array<int> xs(64);
    const stream on;
    for (const bool as_graph : {true, false}) {
        INFO((as_graph ? "as a graph" : "eagerly"));
        xs.write(std::vector<int>(64, start));
        const auto check_end = [&](int end) {
            on.wait();
            CHECK(xs.read() == std::vector<int>(64, end));
        };
        if (as_graph) {
            auto exec = instantiate(e, x(xs.all()), more...);
            check_end(start);
            if (leave_out::launch_of(exec.graph_ref())) continue;
            for (const int end : ends) {
                exec.launch(on);
                check_end(end);
            }
        } else {
            for (const int end : ends) {
                run_on(on, e, x(xs.all()), more...);
                check_end(end);
            }
        }
    }
    CHECK(cudaGetLastError() == cudaSuccess);
}

template <class F>
std::string refusal(F run) {
    try {
        run();
    } catch (const error& e) {
        CHECK(cudaGetLastError() == cudaSuccess);
        return e.what();
    }
    FAIL("no error");
    return {};
}
bool contains(const std::string& text, const std::string& words) {
    INFO(text);
    const bool found = text.find(words) != std::string::npos;
    CHECK(found);
    return found;
}

// In a loop, what f captures is refused before anything runs, with the call's name and line; at the root it may be allowed.
template <class F>
void check_refused_in_body(F f, const std::string& words, bool allowed_at_root) {
    device_array<int> xs(64, 1);
    const auto call = label("library", captured(f)(inout(x)));
    const std::string line = std::to_string(call.records[0].line);
    const auto in_loop = repeat(2, seq(fill(out(x), 3), when(by > 0, call)));
    const std::string said = refusal([&] { instantiate(in_loop, x(xs.all()), by(1)); });
    contains(said, "cograph: 'library' (");
    contains(said, ":" + line + ") captured " + words);
    CHECK(xs.read() == std::vector<int>(64, 1));
    if (allowed_at_root)
        CHECK_NOTHROW(instantiate(call, x(xs.all())));
    else
        contains(refusal([&] { instantiate(call, x(xs.all())); }), words);
}

}  // namespace

// Half of the work goes to the stream of a library's own.
struct add_on_both {
    cudaStream_t own;
    void operator()(cudaStream_t on, const int* from, int* to, int more) const {
        add<<<1, 32, 0, on>>>(from, to, more);
        add<<<1, 32, 0, own>>>(from + 32, to + 32, more);
    }
};

TEST_CASE("work of a captured call that goes to another stream beside captured work is found", "[gpu][captured]") {
    device_array<int> xs(64), ys(64);
    xs.write(std::vector<int>(64, 3));
    const stream on, own;
    // [strays]
    const auto strays = captured(add_on_both{own})(in(x), out(y), 4);
    CHECK_THROWS_AS(check_captures(on, strays, x(xs.all()), y(ys.all())), error);  // changed 'y', element 32, while it was captured
    // [/strays]
    CHECK(ys.read() == std::vector<int>(64));
    check_captures(on, seq(copy(in(x), out(t)), repeat(2, captured(add_to{})(in(t), out(y), 4)), captured(add_here{})(inout(y), 1)), x(xs.all()), y(ys.all()));
    on.wait();
    CHECK(ys.read() == std::vector<int>(64, 8));
}

TEST_CASE("captured calls at the root, in loops and in branches", "[gpu][captured]") {
    check_runs(captured(add_here{})(inout(x), by), 1, {6, 11}, by(5));
    check_runs(repeat(3, captured(add_here{})(inout(x), by)), 1, {16, 31}, by(5));
    const auto mixed = seq(
        captured(add_to{})(in(x), out(t), 1), assign(s, 0),
        loop_while(s < 3, seq(assign(s, s + 1), captured(add_here{})(inout(t), by),
                              when(s == 2, repeat(2, captured(add_here{})(inout(t), 100)), otherwise(captured(add_here{})(inout(t), 1000))))),
        copy(in(t), out(x)));
    check_runs(mixed, 0, {1 + 3 * 5 + 200 + 2000, 2 * (1 + 3 * 5 + 200 + 2000)}, by(5));
    // Lowered loops beside captured calls.
    check_runs(seq(repeat(2, for_each(over(x), increment{})(inout(x[each]))),
                   captured(add_here{})(inout(x), 10)),
               0, {12, 24});
}

TEST_CASE("a captured call may enqueue nothing, or fork and join", "[gpu][captured]") {
    check_runs(repeat(2, captured([](cudaStream_t, int*) {})(inout(x))), 7, {7, 7});
    const stream other;
    const event forked, joined;
    const auto forks = [&](cudaStream_t on, int* values) {
        must(cudaEventRecord(forked.handle, on));
        must(cudaStreamWaitEvent(other, forked.handle));
        add<<<1, 32, 0, other>>>(values, values, 1);
        add<<<1, 32, 0, on>>>(values + 32, values + 32, 1);
        must(cudaEventRecord(joined.handle, other));
        must(cudaStreamWaitEvent(on, joined.handle));
    };
    check_runs(repeat(3, captured(forks)(inout(x))), 0, {3, 6});
    check_runs(seq(assign(s, 0), repeat(3, seq(assign(s, s + 1), when(s > 1, captured(forks)(inout(x)))))), 0, {2, 4});
}

TEST_CASE("a captured call may copy from pinned memory, and own what it uses", "[gpu][captured]") {
    const auto source = std::make_shared<pinned_ints>(40);
    const auto take = [source](cudaStream_t on, int* to) { return cudaMemcpyAsync(to, source->data, 256, cudaMemcpyHostToDevice, on); };
    check_runs(repeat(2, seq(captured(take)(out(x)), captured(add_here{})(inout(x), 2))), 1, {42, 42});
    CHECK(source.use_count() == 2);
}

// Allocates while it is captured, in this thread or another, and passes on what CUDA says to that. The memory is freed by its user.
struct allocates {
    bool elsewhere;
    std::vector<void*>* given;
    cudaError_t operator()(cudaStream_t on, int* values) const {
        void* memory = nullptr;
        cudaError_t code = cudaErrorUnknown;
        const auto allocate = [&] { code = cudaMalloc(&memory, 64); };
        if (elsewhere)
            std::thread(allocate).join();
        else
            allocate();
        given->push_back(memory);
        return code == cudaSuccess ? add_here{}(on, values, 1) : code;
    }
};
template <capture_mode Mode>
void check_mode(bool allowed_here, bool allowed_elsewhere) {
    for (const bool elsewhere : {false, true}) {
        INFO((elsewhere ? "another thread allocates" : "the thread that captures allocates"));
        std::vector<void*> given;
        const auto call = captured(allocates{elsewhere, &given}).mode<Mode>()(inout(x));
        if (elsewhere ? allowed_elsewhere : allowed_here) {
            check_runs(call, 0, {1, 2});
        } else {
            device_array<int> xs(64);
            contains(refusal([&] { instantiate(call, x(xs.all())); }), "gave the status 900");
        }
        CHECK(!given.empty());
        for (void* memory : given) CHECK(cudaFree(memory) == cudaSuccess);
        check_runs(captured(add_here{}).mode<Mode>()(inout(x), 1), 0, {1, 2});
    }
}

TEST_CASE("modes of capture", "[gpu][captured]") {
    SECTION("global") { check_mode<capture_mode::global>(false, false); }
    SECTION("thread") { check_mode<capture_mode::thread>(false, true); }
    SECTION("relaxed") { check_mode<capture_mode::relaxed>(true, true); }
}

TEST_CASE("captured calls are made on a stream that the user chose", "[gpu][captured]") {
    const stream chosen, on;
    device_array<int> xs(64, 5), more(64, 50);
    bool elsewhere = false;
    // A library that is bound to a stream of its own.
    // [captures_on]
    const auto bound = [&](cudaStream_t given, int* values) {
        elsewhere |= given != chosen;
        return add_here{}(chosen, values, 1);
    };
    auto exec = instantiate(repeat(3, captured(bound)(inout(x))), captures_on(chosen), x(xs.all()));
    // [/captures_on]
    exec.launch(on);
    exec.update(x(more.all()));
    exec.launch(on);
    on.wait();
    CHECK(!elsewhere);
    CHECK(xs.read() == std::vector<int>(64, 8));
    CHECK(more.read() == std::vector<int>(64, 53));
}

TEST_CASE("a warm-up runs once, and what it writes is restored", "[gpu][captured]") {
    int calls = 0;
    const auto counts = [&calls](cudaStream_t on, int* values, int* also) {
        ++calls;
        add<<<1, 64, 0, on>>>(values, values, 1);
        count_up<<<1, 1, 0, on>>>(also);
    };
    device_array<int> xs(64, 5), ys(1, 8);
    const stream on;
    auto exec = instantiate(repeat(3, captured(counts).warm_up()(inout(x), inout(y))), x(xs.all()), y(ys.all()));
    CHECK(calls == 2);
    CHECK(xs.read() == std::vector<int>(64, 5));
    CHECK(ys.read() == std::vector<int>{8});
    exec.launch(on);
    on.wait();
    CHECK(calls == 2);
    CHECK(xs.read() == std::vector<int>(64, 8));
    CHECK(ys.read() == std::vector<int>{11});

    // A library that initializes itself at its first call, by what may not be captured.
    bool ready = false;
    const auto lazy = [&ready](cudaStream_t stream_of_call, int* values) {
        if (!ready) {
            void* memory = nullptr;
            const cudaError_t code = cudaMalloc(&memory, 64);
            if (code != cudaSuccess) return code;
            cudaFree(memory);
            ready = true;
        }
        return add_here{}(stream_of_call, values, 1);
    };
    contains(refusal([&] { instantiate(captured(lazy)(inout(x)), x(xs.all())); }), "gave the status 900");
    instantiate(captured(lazy).warm_up()(inout(x)), x(xs.all()));
    CHECK(ready);
    CHECK(xs.read() == std::vector<int>(64, 8));
}

TEST_CASE("what a body may not hold is refused before anything runs", "[gpu][captured]") {
    check_refused_in_body([](cudaStream_t on, int*) { must(cudaLaunchHostFunc(on, [](void*) {}, nullptr)); }, "a host function", true);
    static int pageable[64];
    check_refused_in_body([](cudaStream_t on, int* to) { must(cudaMemcpyAsync(to, pageable, 256, cudaMemcpyHostToDevice, on)); },
                          "a copy from or to pageable host memory", true);
    const event outside;
    check_refused_in_body([&](cudaStream_t on, int*) { must(cudaEventRecordWithFlags(outside.handle, on, cudaEventRecordExternal)); },
                          "the record of an event", true);
    check_refused_in_body([&](cudaStream_t on, int*) { must(cudaStreamWaitEvent(on, outside.handle, cudaEventWaitExternal)); },
                          "the wait for an event", true);
    check_refused_in_body(
        [](cudaStream_t on, int*) {
            void* memory = nullptr;
            must(cudaMallocAsync(&memory, 64, on));
            must(cudaFreeAsync(memory, on));
        },
        "an allocation of memory", false);
}

TEST_CASE("what a child graph of a captured graph may not hold is found too", "[gpu][captured]") {
    const stream capturing;
    cudaGraph_t inner = nullptr;
    must(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeGlobal));
    must(cudaLaunchHostFunc(capturing, [](void*) {}, nullptr));
    must(cudaStreamEndCapture(capturing, &inner));
    const auto adds_child = [inner](cudaStream_t on, int*) {
        cudaStreamCaptureStatus status{};
        cudaGraph_t outer = nullptr;
        const cudaGraphNode_t* after = nullptr;
        std::size_t count = 0;
#if CUDART_VERSION >= 13000
        must(cudaStreamGetCaptureInfo(on, &status, nullptr, &outer, &after, nullptr, &count));
#else
        must(cudaStreamGetCaptureInfo(on, &status, nullptr, &outer, &after, &count));
#endif
        cudaGraphNode_t node = nullptr;
        must(cudaGraphAddChildGraphNode(&node, outer, after, count, inner));
    };
    check_refused_in_body(adds_child, "a host function", true);
    cudaGraphDestroy(inner);
}

TEST_CASE("a capture that fails leaves nothing behind", "[gpu][captured]") {
    device_array<int> xs(64, 1), counter(1, 0);
    int* const counted = counter.data();
    const stream other;
    const auto fails = [&](auto f, const std::string& words) {
        const auto wrong = repeat(2, label("library", captured(f)(inout(x))));
        contains(refusal([&] { instantiate(wrong, x(xs.all())); }), words);
        CHECK(counter.read() == std::vector<int>{0});
        check_runs(repeat(2, captured(add_here{})(inout(x), 1)), 0, {2});
    };
    // A stray launch on the default stream fails and does not run.
    fails([=](cudaStream_t, int*) { count_up<<<1, 1>>>(counted); }, "a CUDA call in it failed: cudaErrorStreamCaptureImplicit");
    fails([](cudaStream_t on, int*) { cudaStreamSynchronize(on); }, "a CUDA call in it failed: cudaErrorStreamCaptureUnsupported");
    fails([](cudaStream_t on, int*) { return cudaStreamSynchronize(on); }, "gave the status 900");
    fails([](cudaStream_t, int*) { return -3; }, "gave the status -3");
    const event forked;
    fails(
        [&](cudaStream_t on, int* values) {
            must(cudaEventRecord(forked.handle, on));
            must(cudaStreamWaitEvent(other, forked.handle));
            add<<<1, 64, 0, other>>>(values, values, 1);
        },
        "cudaErrorStreamCaptureUnjoined");
    fails(
        [](cudaStream_t on, int* values) {
            add<<<1, 64, 0, on>>>(values, values, 1);
            throw std::runtime_error("half-way");
        },
        "'library'");
}

template <capture_mode Mode>
void check_stray_launches(std::initializer_list<cudaStream_t> streams) {
    const stream on;
    for (const cudaStream_t other : streams) {
        device_array<int> xs(64), counter(1);
        count_up<<<1, 1, 0, other>>>(counter.data());  // loads the kernel, which no capture needs to allow
        must(cudaStreamSynchronize(other));
        const auto strays = [other, counted = counter.data()](cudaStream_t captures, int* values) {
            count_up<<<1, 1, 0, other>>>(counted);
            return add_here{}(captures, values, 1);
        };
        auto exec = instantiate(captured(strays).template mode<Mode>()(inout(x)), x(xs.all()));
        must(cudaStreamSynchronize(other));
        CHECK(counter.read() == std::vector<int>{2});
        CHECK(xs.read() == std::vector<int>(64, 0));
        for (int i = 0; i < 3; ++i) exec.launch(on);
        on.wait();
        must(cudaStreamSynchronize(other));
        CHECK(counter.read() == std::vector<int>{2});
        CHECK(xs.read() == std::vector<int>(64, 3));
    }
}
TEST_CASE("a launch on a stream that is not captured runs at once, and no launch repeats it", "[gpu][captured]") {
    const stream apart;
    cudaStream_t blocking = nullptr;
    must(cudaStreamCreate(&blocking));
    check_stray_launches<capture_mode::global>({apart, blocking, cudaStreamPerThread});
    check_stray_launches<capture_mode::thread>({apart, blocking, cudaStreamPerThread, nullptr});
    check_stray_launches<capture_mode::relaxed>({apart, blocking, cudaStreamPerThread, nullptr});
    // Where nothing else is done, that is told.
    device_array<int> xs(64);
    const auto all_strays = [&apart](cudaStream_t, int* values) { add<<<1, 64, 0, apart>>>(values, values, 1); };
    contains(refusal([&] { instantiate(captured(all_strays)(out(x)), x(xs.all())); }), "enqueued nothing on the stream that it was given");
    contains(refusal([&] { instantiate(repeat(2, captured(all_strays)(out(x))), x(xs.all())); }), "writes all of 'x'");
    must(cudaStreamDestroy(blocking));
    CHECK(cudaGetLastError() == cudaSuccess);
}

// In global mode CUDA refuses such calls of other threads, and the driver may crash.
TEST_CASE("captures in thread mode leave other threads alone", "[gpu][captured]") {
    device_array<int> xs(64);
    std::atomic<int> refused{0}, done{0};
    std::jthread other([&](const std::stop_token& stop) {
        const device_array<int> theirs(64);
        for (; !stop.stop_requested(); ++done) refused += cudaMemset(theirs.data(), 0, 64) != cudaSuccess || cudaStreamSynchronize(nullptr) != cudaSuccess;
    });
    const stream on;
    constexpr auto call = captured(add_here{}).mode<capture_mode::thread>()(inout(x), 1);
    for (int i = 0; i < 200 || done < 200; ++i) {
        auto exec = instantiate(repeat(2, call), x(xs.all()));
        exec.launch(on);
        on.wait();
        if (i % 50 == 0) CHECK(xs.read() == std::vector<int>(64, 2 * i + 2));
    }
    other.request_stop();
    other.join();
    CHECK(refused == 0);
}

TEST_CASE("an exception of a captured call travels in the error", "[gpu][captured]") {
    device_array<int> xs(64);
    const stream on;
    const auto wrong = label("library", captured([](cudaStream_t, int*) { throw std::out_of_range("no such row"); })(inout(x)));
    const auto check_nested = [](auto run) {
        bool reached = false;
        try {
            run();
        } catch (const error& outer) {
            contains(outer.what(), "'library'");
            contains(outer.what(), "threw an exception: no such row");
            try {
                std::rethrow_if_nested(outer);
            } catch (const std::out_of_range&) {
                reached = true;
            }
        }
        CHECK(reached);
    };
    check_nested([&] { instantiate(wrong, x(xs.all())); });
    check_nested([&] { instantiate(repeat(2, wrong), x(xs.all())); });
    check_nested([&] { run_on(on, wrong, x(xs.all())); });
    contains(refusal([&] { instantiate(captured([](cudaStream_t, int*) { throw 3; })(inout(x)), x(xs.all())); }), "no std::exception");
}

TEST_CASE("failed captures leak no memory", "[gpu][captured]") {
    device_array<int> xs(64);
    const auto wrong = seq(fill(out(t), 1), repeat(2, captured([](cudaStream_t on, int* values) {
                               add<<<1, 64, 0, on>>>(values, values, 1);
                               throw std::runtime_error("half-way");
                           })(inout(x))),
                           copy(in(t), out(x)));
    const auto round = [&] { CHECK_THROWS_AS(instantiate(wrong, x(xs.all())), error); };
    for (int warm = 0; warm < 20; ++warm) round();
    std::size_t before = 0, after = 0, all = 0;
    must(cudaMemGetInfo(&before, &all));
    for (int i = 0; i < 300; ++i) round();
    must(cudaMemGetInfo(&after, &all));
    CHECK(after + (std::size_t{4} << 20) >= before);
}

TEST_CASE("a launch that CUDA refuses inside of a captured call is told, though the call returns nothing", "[gpu][captured]") {
    device_array<int> xs(64);
    const stream on;
    const auto launch = [](int threads, cudaStream_t to, int* values) { add<<<1, threads, 0, to>>>(values, values, 1); };
    const auto of = [launch](int threads) { return captured([launch, threads](cudaStream_t to, int* values) { launch(threads, to, values); })(inout(x)); };
    // Told is what CUDA says of the same launch without the library, on a stream and while that is captured.
    const auto words = [&] {
        launch(4096, on, xs.data());
        return std::string("a CUDA call in it failed: ") + cudaGetErrorName(cudaGetLastError()) + ":";
    };
    const std::string eager = words();
    cudaGraph_t dropped = nullptr;
    must(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal));
    const std::string while_captured = words();
    cudaStreamEndCapture(on, &dropped);
    if (dropped) must(cudaGraphDestroy(dropped));
    cudaGetLastError();
    contains(eager, "cudaErrorInvalid");
    contains(while_captured, "cudaErrorInvalid");
    contains(refusal([&] { instantiate(of(4096), x(xs.all())); }), while_captured);
    contains(refusal([&] { run_on(on, of(4096), x(xs.all())); }), eager);
    CHECK(cudaGetLastError() == cudaSuccess);
    launch(4096, on, xs.data());  // from before: not the call's
    instantiate(of(64), x(xs.all()));
}
