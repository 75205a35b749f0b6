// SPDX-License-Identifier: Apache-2.0
#include "../expressions/segments.hpp"
#include "simulation.hpp"

using namespace expressions::segments;

TEST_CASE("reductions of segments: simulation gives what plain C++ gives", "[simulate]") {
    for (const kind of : {kind::short_ones, kind::one_long, kind::sparse, kind::long_ends, kind::singles, kind::one_for_all, kind::with_margins})
        for (const std::size_t segments : {1, 2, 5, 1'100, 5'000}) check_simulation(all_of_them(of, segments));
}

TEST_CASE("reductions of segments in loops: simulation gives what plain C++ gives", "[simulate]") {
    for (const std::size_t segments : {1, 300, 4'000, 5'000}) {
        check_simulation(in_a_loop<segments_in_loop::stay>(segments));
        check_simulation(in_a_loop<segments_in_loop::stay_in_few_blocks>(segments));
        check_simulation(in_a_loop<segments_in_loop::move>(segments));
    }
}

TEST_CASE("reductions of segments: results behind the last segment and terms behind the last one", "[simulate]") {
    std::vector<int> numbers = {1, 2, 3, 4, 5}, of = {0, 2, 9}, few = {0};
    std::vector<integer> results = {7, 7, 7, 7};
    constexpr auto sum_of = segmented_reduce(over(expressions::segments::terms), term_at{}, plus{})(out(sums), in(offsets), in(expressions::segments::terms));
    simulate(sum_of, expressions::segments::terms(std::span(numbers)), offsets(std::span(of)), sums(std::span(results)));
    CHECK(results == std::vector<integer>{3, 12, 0, 0});
    simulate(sum_of, expressions::segments::terms(std::span(numbers)), offsets(std::span(few)), sums(std::span(results)));
    CHECK(results == std::vector<integer>{0, 0, 0, 0});
}
