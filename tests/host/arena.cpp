// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct few : temp<few, double> {} few;
inline constexpr struct many : temp<many, double> {} many;
inline constexpr struct more : temp<more, double> {} more;
inline constexpr struct sum : scalar<sum, double> {} sum;

}  // namespace

TEST_CASE("items that are in use at once lie apart, the others as low as they can") {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        const int n = 1 + static_cast<int>(random() % 70), words = (n + 63) / 64;
        std::vector<std::uint64_t> conflicts(n * words);
        std::vector<std::size_t> sizes(n), offsets(n);
        const unsigned density = random() % 9;
        std::size_t all = 0, largest = 0;
        for (int i = 0; i < n; ++i) {
            sizes[i] = random() % 6 * 256;
            all += sizes[i];
            if (sizes[i] > largest) largest = sizes[i];
            for (int j = 0; j < i; ++j) {
                if (random() % 8 >= density) continue;
                conflicts[i * words + j / 64] |= std::uint64_t{1} << (j % 64);
                conflicts[j * words + i / 64] |= std::uint64_t{1} << (i % 64);
            }
        }
        const core::lifetime_view items{nullptr, conflicts.data(), n, words};
        const std::size_t bytes = core::place_items(items, sizes.data(), offsets.data());
        std::size_t end = 0;
        for (int i = 0; i < n; ++i) {
            if (sizes[i] == 0) continue;
            end = offsets[i] + sizes[i] > end ? offsets[i] + sizes[i] : end;
            CHECK(offsets[i] % 256 == 0);
            for (int j = 0; j < i; ++j)
                if (sizes[j] > 0 && items.conflict(i, j) && offsets[i] < offsets[j] + sizes[j] && offsets[j] < offsets[i] + sizes[i])
                    FAIL("items " << i << " and " << j << " overlap");
        }
        const std::size_t bound = core::largest_at_once(items, sizes.data());
        CHECK(bytes == end);
        CHECK(bytes >= bound);
        CHECK(bytes <= all);
        if (density == 0) CHECK(bytes == largest);
        if (density == 8) CHECK((bytes == all && bound == all));
    }
}

TEST_CASE("what a run owns is known before: with temps that share places, without, and what is in use at once") {
    std::vector<double> memory(100);
    const auto e = seq(copy(in(x), out(many)), copy(in(many), out(few)), copy(in(few), out(more)), copy(in(more), out(x)));
    const memory_footprint use = memory_usage(e, x(std::span(memory)), few(100), many(100), more(100));
    CHECK(use.without_aliasing == 3 * 1024);
    CHECK(use.bytes == 2 * 1024);
    CHECK(use.lower_bound == 2 * 1024);
    simulate(e, x(std::span(memory)), few(100), many(100), more(100));

    const auto one_by_one = seq(fill(out(many), 1), reduce(out(sum), in(many)), fill(out(few), sum), reduce(out(sum), in(few)),
                                fill(out(more), sum), reduce(out(sum), in(more)));
    const std::size_t hidden = memory_usage(one_by_one, few(0), many(0), more(0)).bytes;
    CHECK(hidden >= sizeof(double));
    const memory_footprint unequal = memory_usage(one_by_one, few(32), many(100), more(1000));
    CHECK(unequal.bytes == hidden + 8192);
    CHECK(unequal.lower_bound == hidden + 8192);
    CHECK(unequal.without_aliasing == hidden + 256 + 1024 + 8192);
    double result = 0;
    simulate(one_by_one, few(32), many(100), more(1000), sum(&result));
    CHECK(result == 100.0 * 32 * 1000);
    CHECK_THROWS_AS(memory_usage(one_by_one, few(std::size_t(-1)), many(1), more(1)), error);
}
