// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

// Reductions of random numbers: the same bits in every way to run, for every size.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct small : buffer<small, float> {} small;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct lowest : scalar<lowest, double> {} lowest;
inline constexpr struct product : scalar<product, double> {} product;
inline constexpr struct single : scalar<single, float> {} single;
inline constexpr struct i : scalar<i, int> {} i;

struct results {
    double total = -1, lowest = -1, product = -1;
    float single = -1;
};
bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

constexpr auto once = seq(reduce(out(total), in(x)), reduce(out(lowest), in(x), minimum{}),
                          dot(out(product), in(x), in(y)), reduce(out(single), in(small)));
constexpr auto in_a_loop = seq(assign(i, 0), loop_while(i < 3, seq(once, assign(i, i + 1))));

// The results of an expression that has these four.
template <class Run>
results results_of(const std::vector<double>& numbers, const std::vector<float>& floats, Run run) {
    device_array<double> xs(numbers), totals(1), lows(1), products(1);
    device_array<float> smalls(floats), singles(1);
    run(x(xs.all()), y(xs.all()), small(smalls.all()), total(totals.data()), lowest(lows.data()),
        product(products.data()), single(singles.data()));
    ways::must(cudaDeviceSynchronize());
    return {totals.read()[0], lows.read()[0], products.read()[0], singles.read()[0]};
}

// A reduction whose threads hold more than 64 registers have room for: it runs in small blocks. Of integers, so that a GPU has no
// sums and products to fuse.
struct many_sums {
    std::uint64_t of[20];
};
struct mix {
    COGRAPH_HD many_sums operator()(index_t at, std::uint64_t word) const {
        many_sums term;
        std::uint64_t power = word + static_cast<std::uint64_t>(at);
        for (std::uint64_t& one : term.of) power = (one = power) * (word | 1) + (power >> 7);
        return term;
    }
};
struct add_each {
    COGRAPH_HD many_sums operator()(many_sums a, const many_sums& b) const {
        for (int k = 0; k < 20; ++k) a.of[k] += b.of[k];
        return a;
    }
};
struct add_up {
    COGRAPH_HD void operator()(const many_sums& from, std::uint64_t& to) const {
        to = 0;
        for (const std::uint64_t one : from.of) to += one;
    }
};
inline constexpr struct words : buffer<words, std::uint64_t> {} words;
inline constexpr struct plain : scalar<plain, many_sums> {} plain;
inline constexpr struct merged : scalar<merged, many_sums> {} merged;
inline constexpr struct guarded : scalar<guarded, many_sums> {} guarded;
inline constexpr struct looped : scalar<looped, many_sums> {} looped;
inline constexpr struct last : scalar<last, std::uint64_t> {} last;

constexpr auto sums_to = [](auto to) {
    return transform_reduce(over(words), mix{}, add_each{}, many_sums{})(out(to), in(words[each]));
};
constexpr auto in_each_place = seq(assign(i, 0), sums_to(plain), sums_to(merged), task(add_up{})(in(merged), out(last)),
                                   when(last > 0, sums_to(guarded)), loop_while(i < 3, seq(sums_to(looped), assign(i, i + 1))));

struct many_results {
    many_sums plain{}, merged{}, guarded{}, looped{};
    std::uint64_t last = 0;
};
bool same(const many_results& a, const many_results& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

TEST_CASE("reductions that need many registers give what simulation gives, wherever they stand", "[gpu][reduction]") {
    std::mt19937_64 generator(8);
    std::vector<std::uint64_t> numbers(300'001);
    for (std::uint64_t& number : numbers) number = generator();
    const device_array<std::uint64_t> memory(numbers);
    device_array<many_results> results(1);
    many_results* const to = results.data();
    const auto bound = [&](auto run) { return run(words(memory.all()), plain(&to->plain), merged(&to->merged), guarded(&to->guarded), looped(&to->looped), last(&to->last)); };
    const stream on;
    auto graph = bound([](auto... b) { return instantiate(in_each_place, b...); });
    auto nodes = bound([](auto... b) { return instantiate(node_by_node(in_each_place), b...); });
    for (const std::size_t size : {300'001, 131'072, 1'281, 1'025, 1'024, 768, 600, 512, 257, 256, 1, 0, 700, 131'073}) {
        CAPTURE(size);
        const std::span<std::uint64_t> part = memory.all().first(size);
        many_results expected;
        simulate(in_each_place, words(std::span(numbers).first(size)), plain(&expected.plain), merged(&expected.merged),
                 guarded(&expected.guarded), looped(&expected.looped), last(&expected.last));

        for (auto* const exec : {&graph, &nodes}) {
            if (leave_out::launch_of(exec->graph_ref())) continue;
            results.write({many_results{}});
            exec->update(words(part));
            exec->launch(on);
            exec->launch(on);
            on.wait();
            CHECK(same(results.read()[0], expected));
        }
        results.write({many_results{}});
        run_on(on, in_each_place, words(part), plain(&to->plain), merged(&to->merged), guarded(&to->guarded), looped(&to->looped), last(&to->last));
        on.wait();
        CHECK(same(results.read()[0], expected));
    }
    const auto alone = instantiate(sums_to(plain), words(memory.all()), plain(&to->plain));
    cudaGraphNode_t node = nullptr;
    std::size_t count = 1;
    cudaKernelNodeParams launched{};
    ways::must(cudaGraphGetNodes(alone.graph_ref(), &node, &count));
    ways::must(cudaGraphKernelNodeGetParams(node, &launched));
    CHECK((launched.gridDim.x == 256 && launched.blockDim.x == 512));
}

TEST_CASE("reductions of any size give the bits that simulation gives", "[gpu][reduction]") {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> between(-1, 1);
    const stream on;
    for (const int n :
         {0,    1,    2,    31,   32,     33,     255,     256,     257,       1023,      1024,
          1025, 2048, 4095, 4097, 33'791, 33'793, 262'143, 262'145, 1'000'003, 1'048'577, 5'000'011}) {
        CAPTURE(n);
        std::vector<double> numbers(static_cast<std::size_t>(n));
        for (double& number : numbers) number = between(generator);
        std::vector<float> floats(numbers.begin(), numbers.end());
        results expected;
        simulate(once, x(std::span(numbers)), y(std::span(numbers)), small(std::span(floats)),
                 total(&expected.total), lowest(&expected.lowest), product(&expected.product),
                 single(&expected.single));

        std::vector<results> every_way;
        const results as_graph = results_of(numbers, floats, [&](auto... b) {
            auto exec = instantiate(once, b...);
            exec.launch(on);
            exec.launch(on);
            on.wait();
        });
        every_way.push_back(as_graph);
        const auto add_way = [&](auto instantiate_with) {
            bool left_out = false;
            const results given = results_of(numbers, floats, [&](auto... b) {
                auto exec = instantiate_with(b...);
                left_out = leave_out::launch_of(exec.graph_ref());
                for (int i = 0; i < 2 && !left_out; ++i) exec.launch(on);
                on.wait();
            });
            if (!left_out) every_way.push_back(given);
        };
        add_way([&](auto... b) { return instantiate(in_a_loop, b...); });
        add_way([&](auto... b) { return instantiate(node_by_node(in_a_loop), b...); });
        every_way.push_back(results_of(numbers, floats, [&](auto... b) { run_on(on, in_a_loop, b...); }));

        for (const results& given : every_way) {
            CHECK(same_bits(given.total, expected.total));
            CHECK(given.lowest == expected.lowest);
            CHECK(given.single == expected.single);
            // Products may be fused with the sums on a GPU: the same in all its ways, and close to the
            // host's.
            CHECK(same_bits(given.product, as_graph.product));
            CHECK(std::abs(given.product - expected.product) <= 1e-12 * n);
        }
    }
}
