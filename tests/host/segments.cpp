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
        check_simulation(in_a_loop<segments_in_loop::stay>(segments, 5'000));
        check_simulation(in_a_loop<segments_in_loop::stay>(segments, 0, 5'000));
        check_simulation(in_a_loop<segments_in_loop::stay_in_few_blocks>(segments, 9'000, 12'000));
    }
}

TEST_CASE("reductions of segments: numbers are kept of chunks whose terms all belong to segments", "[segments]") {
    using join = core::joins_from<plus, core::take_identity>;
    const core::join_parts_of_segments<term_at, join, integer> parts{join{core::as_operand<0>(plus{}), core::as_operand<1>(core::take_identity{})}, core::as_operand<2>(term_at{})};
    constexpr index_t all = 6'000, of_chunk = core::chunk_layout::least_elements;
    const std::vector<int> numbers(all, 1);
    const auto fails = [&](std::vector<int> const& begins, index_t chunk, index_t count) {
        integer results[2] = {}, heads[4] = {}, tails[4] = {};
        core::kept_numbers kept;
        kept.clear();
        kept.begin_pass();
        parts.join(core::numbers_to_keep(kept), core::chunk_stage<core::segment_parts>::group_type{}, chunk, count, chunk * of_chunk, all, begins.data(), index_t{3}, index_t{2},
                   results, heads, tails, numbers.data());
        kept.end_pass();
        return !kept.known;
    };
    const auto which_fail = [&](std::vector<int> const& begins) {
        return std::vector<bool>{fails(begins, 0, of_chunk), fails(begins, 1, of_chunk), fails(begins, 2, all - 2 * of_chunk), fails(begins, 3, 0)};
    };
    CHECK(which_fail({0, 2'048, 6'000}) == std::vector<bool>{false, false, false, false});
    CHECK(which_fail({0, 2'048, 7'000}) == std::vector<bool>{false, false, false, false});
    CHECK(which_fail({0, 2'048, 4'000}) == std::vector<bool>{false, true, true, false});
    CHECK(which_fail({0, 0, 2'048}) == std::vector<bool>{false, true, true, false});
    CHECK(which_fail({2'048, 4'000, 6'000}) == std::vector<bool>{true, false, false, false});
    CHECK(which_fail({2'049, 4'000, 6'000}) == std::vector<bool>{true, true, false, false});
    CHECK(which_fail({6'000, 6'000, 6'000}) == std::vector<bool>{true, true, true, false});
    CHECK(which_fail({0, 0, 0}) == std::vector<bool>{true, true, true, false});
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
