// SPDX-License-Identifier: Apache-2.0
// Scans and compaction of floats in a graph, against CUB captured into one; and what each costs in a persistent loop.
#include "in_a_row.cuh"
#include "lowering.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <string>

namespace {

using namespace cograph;
using bench::check;

inline constexpr struct x : buffer<x, float> {
} x;
inline constexpr struct y : buffer<y, float> {
} y;
inline constexpr struct taken : scalar<taken, int> {
} taken;
inline constexpr struct best : scalar<best, found_element<float>> {
} best;
inline constexpr struct it : scalar<it, int> {
} it;

struct is_small {
    COGRAPH_HD bool operator()(float number) const { return number < 3; }
};

struct data {
    std::size_t n;
    bench::device_array<float> from{n}, to{n};
    bench::device_array<int> count{1}, iterations{1};
    bench::device_array<found_element<float>> element{1};

    explicit data(std::size_t many) : n(many) {
        std::vector<float> numbers(n);
        for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>(i * 7919 % 7);
        check(cudaMemcpy(from.data, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    }
};

void measure(const bench::gpu& g, std::size_t n, const char* size) {
    data d(n);
    const auto time = [&](auto& graph) { return bench::back_to_back(g, 20, [&] { graph.launch(g.stream); }) / in_a_row; };
    std::size_t bytes = 0, bytes_of_select = 0;
    check(cub::DeviceScan::InclusiveSum(nullptr, bytes, d.from.data, d.to.data, static_cast<int>(n), g.stream));
    check(cub::DeviceSelect::If(nullptr, bytes_of_select, d.from.data, d.to.data, d.count.data, static_cast<int>(n), is_small{}, g.stream));
    bench::device_array<char> storage(std::max(bytes, bytes_of_select));
    {
        by_hand::graph hand;
        capture(g, hand, [&] { check(cub::DeviceScan::InclusiveSum(storage.data, bytes, d.from.data, d.to.data, static_cast<int>(n), g.stream)); });
        auto library = instantiate(as_nodes(repeated(inclusive_scan(in(x), out(y)))), x(d.from.data, n), y(d.to.data, n));
        bench::row((std::string("inclusive_scan, ") + size).c_str(), bench::compare(9, [&] { return time(hand); }, [&] { return time(library); }), n <= 100'000 ? 1.3 : 1.15);
    }
    {
        by_hand::graph hand;
        capture(g, hand, [&] {
            check(cub::DeviceSelect::If(storage.data, bytes_of_select, d.from.data, d.to.data, d.count.data, static_cast<int>(n), is_small{}, g.stream));
        });
        auto library = instantiate(as_nodes(repeated(copy_if(in(x), out(y), out(taken), is_small{}))), x(d.from.data, n), y(d.to.data, n), taken(d.count.data));
        time(hand);
        const int expected = d.count.first();
        time(library);
        bench::expect(d.count.first() == expected, "elements taken");
        bench::row((std::string("copy_if, ") + size).c_str(), bench::compare(9, [&] { return time(hand); }, [&] { return time(library); }));
    }
}

// Microseconds of an iteration of a persistent loop.
void measure_in_a_loop(const bench::gpu& g, std::size_t n) {
    data d(n);
    constexpr int times = 1000;
    const auto time = [&](const char* what, const auto& e, auto... more) {
        auto loop = instantiate(seq(assign(it, 0), loop_while(it < times, seq(e, assign(it, it + 1)))), it(d.iterations.data), x(d.from.data, n), more...);
        const auto cost = lowering::medians(7, [&] { return lowering::duration(g, [&] { loop.launch(g.stream); }) / times; });
        std::printf("%-52s %11s %11.3f\n", what, "-", cost[0]);
    };
    std::printf("in a persistent loop over %zu elements, an iteration\n", n);
    time("max_element", max_element(out(best), in(x)), best(d.element.data));
    time("inclusive_scan", inclusive_scan(in(x), out(y)), y(d.to.data, n));
    time("copy_if", copy_if(in(x), out(y), out(taken), is_small{}), y(d.to.data, n), taken(d.count.data));
}

}  // namespace

int main() {
    const bench::gpu g;
    bench::title("scans and compaction (us)");
    measure(g, 100'000, "10^5");
    measure(g, 1'000'000, "10^6");
    measure(g, 10'000'000, "10^7");
    measure_in_a_loop(g, 100'000);
}
