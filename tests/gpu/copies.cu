// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <numeric>
#include <string>
#include <vector>

// Copies between host and device, and of boxes.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct big : buffer<big, char> {} big;
inline constexpr struct other_big : buffer<other_big, char> {} other_big;
inline constexpr struct h : host_buffer<h, int> {} h;
inline constexpr struct p : pinned_buffer<p, int> {} p;
inline constexpr struct q : pinned_buffer<q, int> {} q;
inline constexpr struct what : value<what, box> {} what;
inline constexpr struct on_entry : value<on_entry, int> {} on_entry;

struct increment {
    COGRAPH_HD void operator()(index_t, int& value) const { ++value; }
};
struct pinned_ints {
    int* data = nullptr;
    std::size_t size;
    explicit pinned_ints(std::size_t count) : size(count) {
        must(cudaMallocHost(&data, size * sizeof(int)));
        for (std::size_t i = 0; i < size; ++i) data[i] = 0;
    }
    ~pinned_ints() { cudaFreeHost(data); }
    std::span<int> all() const { return {data, size}; }
};

template <class E, class... B>
void run(bool as_graph, const E& e, B... bindings) {
    const stream on;
    if (as_graph) {
        auto exec = instantiate(e, bindings...);
        exec.launch(on);
        on.wait();
    } else {
        run_on(on, e, bindings...);
        on.wait();
    }
}
std::vector<int> numbers(std::size_t count) {
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}
template <class F>
std::string refusal(F call) {
    try {
        call();
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST_CASE("copies between host and device, pinned ones in loops and branches", "[gpu][copies]") {
    for (const bool as_graph : {false, true}) {
        INFO((as_graph ? "as a graph" : "eagerly"));
        std::vector<int> hs = numbers(1000), back(1000);
        device_array<int> xs(1000);
        const pinned_ints ps(1000), qs(1000);
        const auto up = for_each(over(x), increment{})(inout(x[each]));
        // Through pinned memory and back in every pass.
        const auto e = seq(copy(in(h), out(x)), repeat(3, seq(up, copy(in(x), out(p)), when(on_entry > 0, copy(in(p), out(x))), up)), copy(in(x), out(q)));
        run(as_graph, e, h(std::span(hs)), x(xs.all()), p(ps.all()), q(qs.all()), on_entry(1));
        for (int i = 0; i < 1000; ++i) {
            if (ps.data[i] != i + 5 || qs.data[i] != i + 6) FAIL(i << ": " << ps.data[i] << ' ' << qs.data[i]);
        }
        run(as_graph, copy(in(x), out(h)), x(xs.all()), h(std::span(back)));
        CHECK(back[999] == 1005);
        run(as_graph, copy(in(h), out(x)), h(back.data(), 0), x(xs.data(), 0));
    }
}

TEST_CASE("copies of boxes on the GPU", "[gpu][copies]") {
    for (const bool as_graph : {false, true}) {
        INFO((as_graph ? "as a graph" : "eagerly"));
        const std::vector<int> from = numbers(60);
        const box b{.width = 3, .height = 2, .depth = 3, .from_begin = 6, .to_begin = 1, .from_pitch = 5, .to_pitch = 4, .from_rows = 3};
        std::vector<int> wanted(40, -1), hs(40, -1);
        for (int slice = 0; slice < 3; ++slice)
            for (int row = 0; row < 2; ++row)
                for (int column = 0; column < 3; ++column) wanted[1 + (slice * 2 + row) * 4 + column] = from[6 + (slice * 3 + row) * 5 + column];
        device_array<int> xs(from), ys(40, -1);
        run(as_graph, copy(in(x), inout(y), b), x(xs.all()), y(ys.all()));
        CHECK(ys.read() == wanted);
        run(as_graph, copy(in(x), inout(h), b), x(xs.all()), h(std::span(hs)));
        CHECK(hs == wanted);
        run(as_graph, copy(in(x), inout(y), box{.width = 0}), x(xs.all()), y(ys.all()));
        CHECK(!refusal([&] { run(as_graph, copy(in(x), inout(y), box{.width = 61}), x(xs.all()), y(ys.all())); }).empty());
        ys.write(std::vector<int>(40, -1));
        run(as_graph, repeat(2, copy(in(x), inout(y), what)), x(xs.all()), y(ys.all()), what(b));
        CHECK(ys.read() == wanted);
        // Two dimensions, from pinned memory, in a loop.
        const pinned_ints ps(60);
        for (int i = 0; i < 60; ++i) ps.data[i] = 100 + i;
        ys.write(std::vector<int>(40, -1));
        run(as_graph, repeat(2, copy(in(p), inout(y), {.width = 2, .height = 3, .from_pitch = 20, .to_pitch = 10})), p(ps.all()), y(ys.all()));
        CHECK(ys.read()[21] == 141);
        CHECK(ys.read()[22] == -1);
    }
}

TEST_CASE("memory that is called pinned must be", "[gpu][copies]") {
    std::vector<int> pageable(64);
    device_array<int> xs(64);
    for (const bool as_graph : {true, false}) {
        const std::string said = refusal([&] { run(as_graph, repeat(2, copy(in(x), out(p))), x(xs.all()), p(std::span(pageable))); });
        INFO(said);
        CHECK(said.find("'p' is bound to memory that is not pinned") != std::string::npos);
    }
    must(cudaHostRegister(pageable.data(), pageable.size() * sizeof(int), cudaHostRegisterDefault));
    {
        auto exec = instantiate(repeat(2, copy(in(x), out(p))), x(xs.all()), p(std::span(pageable)));
        const stream on;
        if (!leave_out::launch_of(exec.graph_ref())) exec.launch(on);
        on.wait();
    }
    must(cudaHostUnregister(pageable.data()));
}

TEST_CASE("copies of more than four gigabytes", "[gpu][copies]") {
    constexpr std::size_t size = (std::size_t{1} << 32) + 4096;
    char *from = nullptr, *to = nullptr;
    if (cudaMalloc(&from, size) != cudaSuccess || cudaMalloc(&to, size) != cudaSuccess) {
        cudaGetLastError();
        cudaFree(from);
        return;
    }
    for (const bool as_graph : {true, false}) {
        must(cudaMemset(from, 1, size));
        must(cudaMemset(from + size - 1, 77, 1));
        must(cudaMemset(to, 0, size));
        must(cudaDeviceSynchronize());  // the host does not wait for cudaMemset, nor does the stream that copies
        run(as_graph, copy(in(big), inout(other_big), box{.width = static_cast<index_t>(size)}), big(from, size), other_big(to, size));
        char seen = 0;
        must(cudaMemcpy(&seen, to + size - 1, 1, cudaMemcpyDeviceToHost));
        CHECK(seen == 77);
    }
    cudaFree(from);
    cudaFree(to);
}

TEST_CASE("rows whose pitch is more than two gigabytes", "[gpu][copies]") {
    constexpr std::size_t size = std::size_t{1} << 32;
    device_array<int> xs(std::vector<int>{1, 2, 3, 4}), ys(4);
    for (const bool as_graph : {true, false}) {
        ys.write({0, 0, 0, 0});
        run(as_graph, copy(in(x), inout(y), box{.width = 2, .from_begin = 1, .to_begin = 2, .from_pitch = size}), x(xs.all()), y(ys.all()));
        CHECK(ys.read() == std::vector<int>{0, 0, 2, 3});
    }
}

TEST_CASE("memory of the device is not pinned", "[gpu][copies]") {
    device_array<int> xs(64), ps(64);
    const std::string said = refusal([&] { instantiate(copy(in(x), out(p)), x(xs.all()), p(ps.all())); });
    INFO(said);
    CHECK(said.find("'p' is bound to memory that is not pinned") != std::string::npos);
}

TEST_CASE("copies are left out, those of nothing, too", "[gpu][copies]") {
    const pinned_ints ps(64);
    for (int& value : ps.all()) value = 5;
    device_array<int> xs(64), ys(64);
    const stream on;
    const auto check = [&](const auto& e) {
        for (const std::size_t before : {0, 64}) {
            for (const std::size_t after : {0, 64}) {
                xs.write(std::vector<int>(64, 0));
                auto exec = instantiate(as_nodes(e), p(ps.all().first(before)), x(xs.all().first(before)), y(ys.all()));
                exec.disable("c");
                exec.launch(on);
                exec.update(p(ps.all().first(after)), x(xs.all().first(after)));
                exec.launch(on);
                on.wait();
                CHECK(xs.read() == std::vector<int>(64, 0));
                exec.enable("c");
                exec.launch(on);
                on.wait();
                CHECK(xs.read() == std::vector<int>(64, after == 0 ? 0 : 5));
            }
        }
    };
    check(seq(fill(out(y), 1), label("c", copy(in(p), out(x)))));
    check(repeat(3, seq(fill(out(y), 1), label("c", copy(in(p), out(x))))));
}
