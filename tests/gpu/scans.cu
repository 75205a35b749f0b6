// SPDX-License-Identifier: Apache-2.0
#include "../expressions/scans.hpp"
#include "ways.cuh"

using expressions::scans::all_of_them;

TEST_CASE("scans, compaction, extreme elements: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("as it is") { ways::check_all_ways<all_of_them>(); }
    SECTION("over one element") { ways::check_all_ways(all_of_them(1)); }
    SECTION("over a chunk and one") { ways::check_all_ways(all_of_them(2'049)); }
    SECTION("over many elements") { ways::check_all_ways(all_of_them(300'000)); }
}

TEST_CASE("scans and compaction in chunks that are longer: every way gives what plain C++ gives", "[gpu][loops]") {
    if (!leave_out::under_tool()) ways::check_all_ways<expressions::scans::in_long_chunks>();  // else minutes
}
