// SPDX-License-Identifier: Apache-2.0
#include "../expressions/scans.hpp"
#include "../expressions/segments.hpp"
#include "../expressions/several_results.hpp"
#include "ways.cuh"

using expressions::scans::all_of_them;
using expressions::scans::of_functions;

TEST_CASE("scans, compaction, extreme elements: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("as it is") { ways::check_all_ways<all_of_them>(); }
    SECTION("over one element") { ways::check_all_ways(all_of_them(1)); }
    SECTION("over a chunk and one") { ways::check_all_ways(all_of_them(2'049)); }
    SECTION("over many elements") { ways::check_all_ways(all_of_them(300'000)); }
}

TEST_CASE("scans and compaction in chunks that are longer: every way gives what plain C++ gives", "[gpu][loops]") {
    if (!leave_out::under_tool()) ways::check_all_ways<expressions::scans::in_long_chunks>();  // else minutes
}

TEST_CASE("scans of functions, of first elements, partitions: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("as it is") { ways::check_all_ways<of_functions>(); }
    SECTION("over a chunk and one") { ways::check_all_ways(of_functions(2'049, 2'048)); }
    SECTION("over many elements") { ways::check_all_ways(of_functions(300'000, 123'456)); }
}

TEST_CASE("reductions to several scalars: every way gives what plain C++ gives", "[gpu][loops]") {
    using several = expressions::several_results::all_of_them;
    SECTION("as it is") { ways::check_all_ways<several>(); }
    SECTION("over many elements") { ways::check_all_ways(several(200'001, 123'456)); }
}

TEST_CASE("reductions of the first elements, of which one gives how many: every way gives what plain C++ gives", "[gpu][loops]") {
    using expressions::several_results::of_own_length;
    SECTION("as it is") { ways::check_all_ways<of_own_length>(); }
    SECTION("over many elements") { ways::check_all_ways(of_own_length(200'001, 123'456)); }
}

TEST_CASE("reductions of segments: every way gives what plain C++ gives", "[gpu][loops]") {
    using namespace expressions::segments;
    SECTION("of all kinds") {
        for (const kind of : {kind::short_ones, kind::one_long, kind::sparse, kind::long_ends, kind::singles, kind::one_for_all, kind::with_margins}) {
            CAPTURE(static_cast<int>(of));
            for (const std::size_t segments : {2, 1'100}) ways::check_all_ways(expressions::segments::all_of_them(of, segments));
        }
    }
    SECTION("over many") { ways::check_all_ways(expressions::segments::all_of_them(kind::short_ones, 200'000)); }
    SECTION("over many, in chunks that are longer") {
        if (!leave_out::under_tool()) ways::check_all_ways(expressions::segments::all_of_them(kind::short_ones, 1'300'000));  // else minutes
    }
}

TEST_CASE("reductions of segments in loops, where they stay or move: every way gives what plain C++ gives", "[gpu][loops]") {
    using namespace expressions::segments;
    for (const std::size_t segments : {1, 300, 4'000, 5'000}) {
        CAPTURE(segments);
        ways::check_all_ways(in_a_loop<segments_in_loop::stay>(segments));
        ways::check_all_ways(in_a_loop<segments_in_loop::stay_in_few_blocks>(segments));
        ways::check_all_ways(in_a_loop<segments_in_loop::move>(segments));
    }
    SECTION("many, in chunks that are longer") {
        if (!leave_out::under_tool()) ways::check_all_ways(in_a_loop<segments_in_loop::stay>(300'000));  // else minutes
    }
}

TEST_CASE("reductions of segments in loops, with whole chunks of terms that belong to none: every way gives what plain C++ gives", "[gpu][loops]") {
    using namespace expressions::segments;
    const auto check = [](std::size_t segments, std::size_t before, std::size_t behind) {
        CAPTURE(segments, before, behind);
        ways::check_all_ways(in_a_loop<segments_in_loop::stay>(segments, before, behind));
        ways::check_all_ways(in_a_loop<segments_in_loop::stay_in_few_blocks>(segments, before, behind));
    };
    check(4'000, 0, 0);  // first without them, so that threads' memory has numbers of another launch
    check(300, 0, 12'000);
    check(300, 9'000, 0);
    check(300, 5'000, 5'000);
}
