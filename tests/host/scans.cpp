// SPDX-License-Identifier: Apache-2.0
#include "../expressions/scans.hpp"
#include "simulation.hpp"

#include <limits>

using namespace cograph;

TEST_CASE("scans, compaction, extreme elements: simulation gives what plain C++ gives", "[simulate]") {
    for (std::size_t n : {0, 1, 255, 2048, 2049, 10'000}) check_simulation(expressions::scans::all_of_them(n));
}

TEST_CASE("scans and compaction in chunks that are longer: simulation gives what plain C++ gives", "[simulate]") {
    check_simulation<expressions::scans::in_long_chunks>();
}

TEST_CASE("scans of functions, of first elements, partitions: simulation gives what plain C++ gives", "[simulate]") {
    using expressions::scans::of_functions;
    for (const int n : {0, 1, 255, 2048, 2049, 10'000})
        for (const int first : {-3, 0, n / 3, n}) check_simulation(of_functions(static_cast<std::size_t>(n), first));
}

namespace {
inline constexpr struct numbers : buffer<numbers, float> {} numbers;
inline constexpr struct best : scalar<best, found_element<float>> {} best;
}  // namespace

TEST_CASE("extreme elements: any number comes before a NaN, of equals the first", "[simulate]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> given = {nan, 2, 3, nan, 3};
    found_element<float> result{0, 0};
    simulate(max_element(out(best), in(numbers)), numbers(std::span(given)), best(&result));
    CHECK((result == found_element<float>{3, 2}));
    simulate(min_element(out(best), in(numbers)), numbers(std::span(given)), best(&result));
    CHECK((result == found_element<float>{2, 1}));
    std::vector<float> none;
    simulate(min_element(out(best), in(numbers)), numbers(std::span(none)), best(&result));
    CHECK(result.index == -1);
}

TEST_CASE("scans need extents that are equal, a compaction room for all", "[simulate]") {
    using namespace expressions::scans;
    std::vector<int> from(5), to(4);
    std::vector<integer> too_few(4);
    int n = 0;
    CHECK_THROWS_AS(simulate(inclusive_scan(in(x), out(sums)), x(std::span(from)), sums(std::span(too_few))), error);
    CHECK_THROWS_AS(simulate(copy_if(in(x), out(taken), out(count), divides{1}), x(std::span(from)), taken(std::span(to)), count(&n)), error);
}
