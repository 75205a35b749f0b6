// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cograph.cuh>

#include <cstddef>
#include <cstdlib>
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
            left = failed;
            const long allocated = allocations::live();
            const bool threw = throws_copy(run);
            const long left_behind = allocations::live() - allocated;
            CHECK(left_behind == 0);
            CHECK((fake_runtime::live() == before));
            CHECK(cudaGetLastError() == cudaSuccess);
            left = 1000;
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
                    auto exec = instantiate(node_by_node(e), in_a_pool ? pooled : own, x(std::span(xs)), y(std::span(ys).first(100)));
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
