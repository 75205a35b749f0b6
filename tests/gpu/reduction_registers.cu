// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

// A reduction whose threads hold more than 64 registers have room for: it runs in small blocks. Of integers, so that a GPU has no
// sums and products to fuse.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct i : scalar<i, int> {} i;

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
