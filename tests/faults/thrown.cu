// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

// What users' code throws: nothing is left behind, and the next run works.
namespace thrown {

using namespace cograph;
using device_memory::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct total : scalar<total, double> {} total;

// That, but no exception of this library's own.
template <class Run>
bool throws_copy(const Run& run) {
    try {
        run();
    } catch (const std::runtime_error& why) {
        return std::string(why.what()) == "no copy";
    }
    return false;
}

// Whether an attempt throws behind so many calls or copies, which count `left` down. It leaves nothing behind, and the next may go on.
template <class Attempt>
bool throws_behind(int count, int& left, const fake_runtime::live_objects& before, const Attempt& attempt) {
    left = count;
    const long allocated = allocations::live();
    const bool threw = attempt();
    const long left_behind = allocations::live() - allocated;
    CHECK(left_behind == 0);
    CHECK((fake_runtime::live() == before));
    CHECK(cudaGetLastError() == cudaSuccess);
    left = 1000;
    return threw;
}

// Host work that counts its copies, and throws in one of them.
struct counted_copies {
    int* left;
    explicit counted_copies(int* l) : left(l) {}
    counted_copies(const counted_copies& other) : left(other.left) {
        if ((*left)-- == 0) throw std::runtime_error("no copy");
    }
    counted_copies& operator=(const counted_copies&) = delete;
    ~counted_copies() = default;
    void operator()(double* values) const { values[0] += 1; }
};

TEST_CASE("an exception of a copy of host work passes through, and nothing is left behind", "[faults][thrown]") {
    const stream on;
    std::vector<double> xs(4, 1);
    int left = 1000;
    const auto e = seq(fill(out(y), 1), host(counted_copies(&left))(inout(x)));
    std::vector<double> ys(4);
    const auto fail_every_copy = [&](const auto& run) {
        const fake_runtime::live_objects before = fake_runtime::live();
        int failed = 0;
        for (;; ++failed) {
            const bool threw = throws_behind(failed, left, before, [&] { return throws_copy(run); });
            CHECK_NOTHROW(run());
            if (!threw) break;
        }
        return failed;
    };
    CHECK(fail_every_copy([&] { instantiate(e, x(std::span(xs)), y(std::span(ys))).launch(on); }) > 0);
    CHECK(xs[0] == 1);  // launches do nothing here
    CHECK(fail_every_copy([&] { run_on(on, e, x(std::span(xs)), y(std::span(ys))); }) > 0);
    CHECK(xs[0] > 1);
    CHECK(fail_every_copy([&] {
        auto exec = instantiate(e, x(std::span(xs)), y(std::span(ys)));
        exec.launch(on);
        exec.update(x(std::span(ys)), y(std::span(xs)));
        exec.launch(on);
    }) > 0);
}

// A memory resource that is spent after a while.
struct resource {
    int left;
    int live = 0;
    void* allocate(std::size_t bytes, std::size_t alignment) {
        if (left-- == 0) throw std::runtime_error("the resource is spent");
        ++live;
        return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    }
    void deallocate(void* memory, std::size_t, std::size_t) {
        --live;
        std::free(memory);
    }
};

TEST_CASE("an exception of an allocator is told, and nothing is left behind", "[faults][thrown]") {
    const stream on;
    std::vector<double> xs(100), more(10'000), ys(10'000);
    const auto e = seq(copy(in(x), out(t)), reduce(out(total), in(t)), copy(in(t), out(y)));
    for (const bool in_a_pool : {false, true}) {
        int failed = 0;
        for (;; ++failed) {
            resource memory{failed};
            const every_call::outcome seen = every_call::attempt(
                [&] {
                    const core::memory_choice own = use(memory), pooled = use(pool(use(memory)));
                    auto exec = instantiate(as_nodes(e), in_a_pool ? pooled : own, x(std::span(xs)), y(std::span(ys).first(100)));
                    exec.launch(on);
                    const every_call::outcome updated = every_call::attempt([&] { exec.update(x(std::span(more)), y(std::span(ys))); }, {});
                    exec.launch(on);  // with what it had, where the update failed
                    if (updated.threw) throw error({}, updated.words.c_str());
                    exec.update(x(std::span(xs)), y(std::span(ys).first(100)));
                },
                {});
            INFO(failed << (in_a_pool ? " in a pool: " : ": ") << seen.words);
            CHECK(memory.live == 0);
            CHECK(seen.allocated == 0);
            CHECK(seen.left_behind == cudaSuccess);
            CHECK(fake_runtime::live().memory == 0);
            if (!seen.threw) break;
            CHECK(seen.words.find("bytes, which the allocator did not give") != std::string::npos);
            CHECK(seen.words.find("the resource is spent") != std::string::npos);
        }
        CHECK(failed >= 2);
    }
}

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }

// Code that enqueues work, throws in one of its calls, and remembers the memory of the last one that it did not throw in.
struct counted_calls {
    int* left;
    double** last;
    cudaError_t operator()(cudaStream_t on, double* values, index_t count) const {
        if ((*left)-- == 0) throw std::runtime_error("no call");
        *last = values;
        return cudaMemsetAsync(values, 0, static_cast<std::size_t>(count) * sizeof(double), on);
    }
};
// The same with a workspace.
struct counted_sizes {
    int* left;
    cudaError_t operator()(void* workspace, std::size_t& bytes, double* values, index_t count, cudaStream_t on) const {
        if ((*left)-- == 0) throw std::runtime_error("no call");
        bytes = 8 * static_cast<std::size_t>(count);
        return workspace ? cudaMemsetAsync(values, 0, bytes, on) : cudaSuccess;
    }
};

// The node's error, with what was thrown nested in it.
template <class Run>
bool throws_call(const Run& run) {
    try {
        run();
    } catch (const error& why) {
        CHECK(std::string(why.what()).find("threw an exception: no call") != std::string::npos);
        CHECK(why.where().line > 0);
        try {
            std::rethrow_if_nested(why);
        } catch (const std::runtime_error& nested) {
            return std::string(nested.what()) == "no call";
        }
    }
    return false;
}

TEST_CASE("an exception of a captured call in an update changes nothing", "[faults][thrown]") {
    const stream on;
    std::vector<double> xs(64), others(64), fewer(32);
    int left = 1000;
    double *first = nullptr, *second = nullptr;
    const auto e = seq(kernel<twice>(over(x))(x), captured(counted_calls{&left, &first})(inout(x), extent(x)),
                       repeat(2, captured(counted_calls{&left, &second})(inout(x), extent(x))));
    auto exec = instantiate(e, x(std::span(xs)));
    const auto takes = [&](const std::span<double>& memory) {  // the kernel
        cudaGraphNode_t nodes[8] = {};
        std::size_t count = 8;
        CHECK(cudaGraphGetNodes(fake_runtime::graph_of(exec.exec_ref()), nodes, &count) == cudaSuccess);
        return std::any_of(nodes, nodes + count, [&](cudaGraphNode_t node) {
            return fake_runtime::first_parameter(node) == reinterpret_cast<std::uintptr_t>(memory.data());
        });
    };
    for (const std::span<double> to : {std::span(others), std::span(fewer)}) {
        exec.update(x(to));
        exec.update(x(std::span(xs)));  // the first updates ask for memory
        exec.launch(on);
        int failed = 0;
        for (;; ++failed) {
            const bool threw = throws_behind(failed, left, fake_runtime::live(), [&] { return throws_call([&] { exec.update(x(to)); }); });
            CHECK_NOTHROW(exec.launch(on));
            if (!threw) break;
            CHECK((first == xs.data() && second == xs.data()));
            CHECK(takes(xs));
            exec.update(x(to));
            CHECK((first == to.data() && second == to.data()));
            CHECK(takes(to));
            exec.update(x(std::span(xs)));
        }
        CHECK(failed == 2);
        exec.update(x(std::span(xs)));
    }

    // Where all further calls throw, too, what is changed already cannot be taken back.
    const auto throws_on = captured([&left](cudaStream_t stream, double* values, index_t) {
        if (left-- <= 0) throw std::runtime_error("no call");
        return cudaMemsetAsync(values, 0, 8, stream);
    })(inout(x), extent(x));
    auto half = instantiate(seq(throws_on, throws_on), x(std::span(xs)));
    left = 1;
    CHECK(throws_call([&] { half.update(x(std::span(others))); }));
    CHECK(every_call::words_of([&] { half.launch(on); }).find("The graph is half changed") != std::string::npos);
    left = 1000;
    CHECK_NOTHROW(half.update(x(std::span(others))));
    CHECK_NOTHROW(half.launch(on));
}

TEST_CASE("an exception of a call that asks for the size of a workspace leaves nothing behind", "[faults][thrown]") {
    const stream on;
    std::vector<double> xs(64), more(4096);
    int left = 1000;
    const auto e = seq(fill(out(x), 1), cub_call(counted_sizes{&left})(inout(x), extent(x)));
    const auto fail_every_call = [&](const auto& run) {
        const fake_runtime::live_objects before = fake_runtime::live();
        int failed = 0;
        for (;; ++failed) {
            const bool threw = throws_behind(failed, left, before, [&] { return throws_call(run); });
            if (!threw) break;
        }
        return failed;
    };
    CHECK(fail_every_call([&] { instantiate(e, x(std::span(xs))).launch(on); }) == 2);
    CHECK(fail_every_call([&] { run_on(on, e, x(std::span(xs))); }) == 2);
    auto exec = instantiate(e, x(std::span(xs)));
    exec.update(x(std::span(more)));
    exec.update(x(std::span(xs)));
    CHECK(fail_every_call([&] { exec.update(x(std::span(more))); }) == 2);
    exec.launch(on);
}

// What a user's function object throws passes through a simulation.
struct throws_at {
    index_t when;
    COGRAPH_HD void operator()([[maybe_unused]] index_t i, double& to) const {
#ifndef __CUDA_ARCH__
        if (i == when) throw std::runtime_error("at an element");
#endif
        to = 1;
    }
};

TEST_CASE("an exception of a function object passes through a simulation, and nothing is left behind", "[faults][thrown]") {
    double xs[5] = {};
    const auto e = seq(fill(out(t), 3), repeat(2, for_each(over(x), throws_at{3})(out(x[each]))));
    const long before = allocations::live();
    bool caught = false;
    try {
        simulate(e, x(xs));
    } catch (const std::runtime_error&) {
        caught = true;
    }
    CHECK(allocations::live() == before);
    CHECK(caught);
    CHECK(xs[2] == 1);
    CHECK(xs[4] == 0);
    const auto right = for_each(over(x), throws_at{9})(out(x[each]));
    CHECK_NOTHROW(simulate(right, x(xs)));
    CHECK(xs[4] == 1);
}

}  // namespace thrown
