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
constexpr auto in_each_place = seq(assign(i, 0), sums_to(plain), sums_to(merged), single_task(add_up{})(in(merged), out(last)),
                                   when(last > 0, sums_to(guarded)), loop_while(i < 3, seq(sums_to(looped), assign(i, i + 1))));

struct many_results {
    many_sums plain{}, merged{}, guarded{}, looped{};
    std::uint64_t last = 0;
};
bool same(const many_results& a, const many_results& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Results of so many types and sizes in one loop that several have one room; in five groups, so that halves change.
template <class Part, int Parts, int Number>
struct several {
    static constexpr int number = Number;
    Part of[Parts];
};
template <class T>
struct spread {
    COGRAPH_HD T operator()(index_t at, const std::uint64_t& word, const int& pass) const {
        T term{};
        std::uint64_t number = word + static_cast<std::uint64_t>(at + pass + T::number);
        for (auto& part : term.of) part = static_cast<std::remove_reference_t<decltype(part)>>(number = number * 3 + (number >> 7));
        return term;
    }
};
struct add_parts {
    template <class T>
    COGRAPH_HD T operator()(T a, const T& b) const {
        for (int part = 0; part < static_cast<int>(sizeof a.of / sizeof a.of[0]); ++part)
            a.of[part] = static_cast<std::remove_reference_t<decltype(a.of[0])>>(a.of[part] + b.of[part]);
        return a;
    }
};
struct note {
    template <class... T>
    COGRAPH_HD void operator()(std::uint64_t& all, const T&... results) const {
        const auto add = [&](const auto& result) {
            for (const auto part : result.of) all = all * 31 + part;
        };
        (add(results), ...);
    }
};
inline constexpr struct others : buffer<others, std::uint64_t> {} others;
inline constexpr struct wide : scalar<wide, several<std::uint64_t, 2, 0>> {} wide;
inline constexpr struct wide_too : scalar<wide_too, several<std::uint64_t, 2, 1>> {} wide_too;
inline constexpr struct as_wide : scalar<as_wide, several<std::uint64_t, 2, 2>> {} as_wide;
inline constexpr struct of_four : scalar<of_four, several<std::uint32_t, 4, 3>> {} of_four;
inline constexpr struct of_three : scalar<of_three, several<std::uint32_t, 3, 4>> {} of_three;
inline constexpr struct of_five : scalar<of_five, several<std::uint16_t, 5, 5>> {} of_five;
inline constexpr struct of_fifteen : scalar<of_fifteen, several<unsigned char, 15, 6>> {} of_fifteen;
inline constexpr struct of_seven : scalar<of_seven, several<unsigned char, 7, 7>> {} of_seven;
inline constexpr struct of_two : scalar<of_two, several<std::uint32_t, 2, 8>> {} of_two;
inline constexpr struct of_one : scalar<of_one, several<std::uint64_t, 1, 9>> {} of_one;
inline constexpr struct little : scalar<little, several<unsigned char, 3, 10>> {} little;
inline constexpr struct noted : scalar<noted, std::uint64_t> {} noted;

constexpr auto spread_to = [](auto from, auto to) {
    using T = typename decltype(to)::element;
    return transform_reduce(over(from), spread<T>{}, add_parts{}, T{})(out(to), in(from[each]), in(i));
};
constexpr auto of_many_types =
    seq(assign(i, 0), assign(noted, 0),
        loop_while(i < 9, seq(spread_to(words, wide), spread_to(words, wide_too), spread_to(words, of_three), spread_to(words, of_one),
                               spread_to(others, of_three), spread_to(others, of_four), spread_to(words, as_wide), spread_to(words, of_five),
                               single_task(note{})(inout(noted), in(wide), in(wide_too), in(of_three), in(of_one)),
                               spread_to(others, of_fifteen), spread_to(others, wide), spread_to(words, of_two), spread_to(words, of_seven),
                               spread_to(words, little), single_task(note{})(inout(noted), in(of_four), in(as_wide), in(of_five), in(of_fifteen)),
                               single_task(note{})(inout(noted), in(wide), in(of_two), in(of_seven), in(little)), assign(i, i + 1))));
static_assert(is_persistent(of_many_types, at<2>));

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
    auto nodes = bound([](auto... b) { return instantiate(as_nodes(in_each_place), b...); });
    for (const std::size_t size : {300'001, 131'072, 1'281, 1'025, 1'024, 768, 600, 512, 257, 256, 1, 0, 700, 131'073}) {
        CAPTURE(size);
        const std::span<std::uint64_t> part = memory.all().first(size);
        many_results expected;
        simulate(in_each_place, words(std::span(numbers).first(size)), plain(&expected.plain), merged(&expected.merged),
                 guarded(&expected.guarded), looped(&expected.looped), last(&expected.last));

        const auto check_launches = [&](auto& exec) {
            if (leave_out::launch_of(exec.graph_ref())) return;
            results.write({many_results{}});
            exec.update(words(part));
            exec.launch(on);
            exec.launch(on);
            on.wait();
            CHECK(same(results.read()[0], expected));
        };
        check_launches(graph);
        check_launches(nodes);
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

TEST_CASE("results of many types in one kernel are what simulation gives", "[gpu][reduction]") {
    std::mt19937_64 generator(9);
    std::vector<std::uint64_t> numbers(150'001);
    for (std::uint64_t& number : numbers) number = generator();
    const device_array<std::uint64_t> memory(numbers);
    device_array<std::uint64_t> result(1);
    const stream on;
    for (const std::size_t size : {300, 1'024, 1'025, 5'000, 8'192, 8'193, 33'793, 131'072, 150'001}) {
        for (const std::size_t other : {size, size / 4 + 1}) {
            if (size > 2'000 && leave_out::under_tool()) continue;  // minutes
            CAPTURE(size, other);
            std::uint64_t expected = 0;
            simulate(of_many_types, words(std::span(numbers).first(size)), others(std::span(numbers).first(other)), noted(&expected));
            auto exec = instantiate(of_many_types, words(memory.all().first(size)), others(memory.all().first(other)), noted(result.data()));
            if (leave_out::launch_of(exec.graph_ref())) return;
            exec.launch(on);
            exec.launch(on);
            on.wait();
            CHECK(result.read()[0] == expected);
        }
    }
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
        add_way([&](auto... b) { return instantiate(as_nodes(in_a_loop), b...); });
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
