// SPDX-License-Identifier: Apache-2.0
#include "../expressions/boxes.hpp"
#include "../expressions/subsets.hpp"
#include "ways.cuh"

#include <utility>

TEMPLATE_LIST_TEST_CASE("boxes: every way gives what plain C++ gives", "[gpu][loops]", expressions::boxes::of_two_dimensions) {
    SECTION("as it is") { ways::check_all_ways<TestType>(); }
    SECTION("over many elements") { ways::check_all_ways(TestType(149, 251)); }
    SECTION("with many elements a thread") { ways::check_all_ways(TestType(402, 650)); }
    SECTION("over one element") { ways::check_all_ways(TestType(1, 1)); }
    SECTION("over two columns") { ways::check_all_ways(TestType(700, 2)); }
    SECTION("over three columns") { ways::check_all_ways(TestType(700, 3)); }
}
TEST_CASE("sums with an identity that is not zero: every way gives what plain C++ gives", "[gpu][loops]") {
    using expressions::boxes::counting_the_identity;
    SECTION("as it is") { ways::check_all_ways<counting_the_identity>(); }
    SECTION("in one chunk") { ways::check_all_ways(counting_the_identity(5, 9)); }
    SECTION("with many elements a thread") { ways::check_all_ways(counting_the_identity(402, 650)); }
}
TEST_CASE("boxes of three dimensions with many planes: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("a few elements a thread") { ways::check_all_ways(expressions::boxes::room(65, 70, 61)); }
    SECTION("many elements a thread") { ways::check_all_ways(expressions::boxes::room(70, 99, 100)); }
    SECTION("more than nodes take in one order") { ways::check_all_ways(expressions::boxes::room(30, 270, 260)); }
}

namespace {

// As a graph, launched once.
template <class Case>
void check_graph(const Case& start) {
    Case expected = start, here = start;
    expected.compute();
    ways::device_place place;
    const ways::stream s;
    auto exec = expressions::with_bindings(here, place, [](auto... b) { return cograph::instantiate(expressions::expression_of<Case>, b...); });
    exec.launch(s);
    s.wait();
    place.bring_back();
    CHECK((here == expected));
}

}  // namespace

TEST_CASE("blocks whose warps fill no whole tile give what plain C++ gives", "[gpu][loops]") {
    // Of blocks of 448, 416, 448 and 480 threads. The warps that fill no 256 have the greatest change.
    for (const cograph::index_t side : {268, 344, 444, 568}) check_graph(expressions::boxes::settled_by_function(side, side));
}

TEST_CASE("an executable tells whether the box of its bindings fits into tiles", "[gpu][loops]") {
    using expressions::boxes::settled;
    const auto told = [](settled start) {
        ways::device_place place;
        return expressions::with_bindings(start, place, [](auto... b) { return why_no_tiles(cograph::instantiate(expressions::expression_of<settled>, b...), cograph::at<1>); });
    };
    static_assert(why_no_tiles(expressions::expression_of<settled>, cograph::at<1>) == cograph::tile_status::tiles);
    CHECK(told({37, 53}) == cograph::tile_status::tiles);
    CHECK(told({256, 8193}) == cograph::tile_status::tiles);
    CHECK(told({20'000, 3}) == cograph::tile_status::box_does_not_fit);  // large tiles would be nearly empty
    CHECK(told({2'000'000, 3}) == cograph::tile_status::is_not_one_kernel);
}

TEMPLATE_TEST_CASE("large tiles: boxes of any size give what plain C++ gives", "[gpu][loops]", expressions::boxes::settled, expressions::boxes::tested_rarely,
                   expressions::boxes::there_and_back) {
    SECTION("as it is") { ways::check_all_ways(TestType(15, 8300)); }
    SECTION("several, with rows in shared memory") { check_graph(TestType(200, 4097)); }
    SECTION("of sixteen rows a thread") { check_graph(TestType(256, 8193)); }
    SECTION("of which a part is on chip") { check_graph(TestType(271, 8195)); }
    SECTION("of more elements than other persistent kernels have") { check_graph(TestType(520, 8200)); }
    SECTION("of any size") {
        unsigned state = 7;
        const auto below = [&](int most) { return static_cast<cograph::index_t>((state = state * 1664525u + 1013904223u) >> 8) % most; };
        for (int k = 0; k < 8; ++k) {
            const cograph::index_t columns = 4096 + below(3000);
            check_graph(TestType(128 + below(80), columns));
        }
    }
}

TEST_CASE("two variables that take turns, the second with a result, give what plain C++ gives", "[gpu][loops]") {
    using expressions::boxes::there_and_told;
    for (const auto& [rows, columns] : {std::pair{1, 1}, {37, 53}, {130, 700}, {402, 650}, {200, 4097}, {256, 8193}, {271, 8195}}) check_graph(there_and_told(rows, columns));
}

TEST_CASE("two variables that change each other give what plain C++ gives", "[gpu][loops]") {
    using expressions::boxes::reacting, expressions::boxes::reacting_from_afar, expressions::boxes::waving;
    // With four elements a thread, with 16, and in tall tiles from the fourth on; of the last, a part is on chip.
    for (const auto& [rows, columns] : {std::pair{1, 1}, {37, 53}, {402, 650}, {1100, 1030}, {256, 8192}, {20'000, 40}, {1601, 1345}}) check_graph(reacting(rows, columns));
    for (const auto& [rows, columns] : {std::pair{37, 53}, {402, 650}, {1100, 1030}, {1601, 1345}}) check_graph(reacting_from_afar(rows, columns));
    for (const auto& [rows, columns] : {std::pair{37, 53}, {402, 650}, {1100, 1030}, {2000, 1345}}) check_graph(waving(rows, columns));
}

TEST_CASE("variables that are only read, in memory, give what plain C++ gives", "[gpu][loops]") {
    using expressions::boxes::conducted, expressions::boxes::conducted_step_by_step;
    for (const auto& [rows, columns] : {std::pair{1, 1}, {37, 53}, {149, 251}, {402, 650}, {600, 800}, {200, 4097}, {256, 8193}}) check_graph(conducted(rows, columns));
    for (const auto& [rows, columns] : {std::pair{37, 53}, {256, 8193}, {257, 8193}, {271, 8195}, {520, 8200}}) check_graph(conducted_step_by_step(rows, columns));  // a part on chip from the third on
}

TEST_CASE("neighbours in one dimension: every way gives what plain C++ gives", "[gpu][loops]") {
    SECTION("as it is") { ways::check_all_ways<expressions::boxes::line>(); }
    SECTION("over many elements") { ways::check_all_ways(expressions::boxes::line(200'000)); }
    SECTION("over one element") { ways::check_all_ways(expressions::boxes::line(1)); }
}

TEST_CASE("subsets of shapes: every way gives what plain C++ gives", "[gpu][loops]") {
    using subsets = expressions::subsets::all_of_them;
    SECTION("as it is") { ways::check_all_ways<subsets>(); }
    SECTION("sides of which all are odd, and even") {
        ways::check_all_ways(subsets(1, 3, 5, 7));
        ways::check_all_ways(subsets(300, 4, 6, 8));
    }
    SECTION("over many elements") { ways::check_all_ways(subsets(100'001, 3, 301, 400)); }
}
