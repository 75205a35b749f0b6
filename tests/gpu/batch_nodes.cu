// SPDX-License-Identifier: Apache-2.0
#include <cograph/batch.cuh>

#include "../expressions/batches.hpp"
#include "ways.cuh"

#include <cograph/profile.cuh>

#include <sstream>

using namespace expressions::batches;
using ways::check_graph;

TEST_CASE("batches of problems of unequal lengths have scans, compactions and sums of segments", "[gpu][batch]") {
    check_graph<arranged<256>>({});
    check_graph(arranged<256>({0, 5'000, 5'001, 5'001, 9'000}, 5'000));
}
TEMPLATE_TEST_CASE("batches have groups of threads with shared memory", "[gpu][batch]", folded<32>, folded<64>, folded<256>) {
    check_graph<TestType>({});
    check_graph(TestType({0, 7, 30, 30, 31}, 30));
    std::vector<int> many(2'000);
    for (std::size_t q = 1; q < many.size(); ++q) many[q] = many[q - 1] + static_cast<int>(q * 31 % 71);
    check_graph(TestType(std::move(many), 71));
}
TEMPLATE_TEST_CASE("batches have nodes that see neighbours", "[gpu][batch]", diffused<32>, diffused<64>) {
    check_graph<TestType>({});
    check_graph(TestType({0, 32, 40, 40, 72}, 32, 4, 8));  // an element a thread
}
TEST_CASE("a temp of a batch that is as long as another one has no more elements than memory", "[gpu][batch]") {
    check_graph<numbered>({});
    check_graph(numbered({0, 3, 3, 43, 103}, 60));
}
TEMPLATE_TEST_CASE("batches have numbers of elements that the device computes", "[gpu][batch]", counted<32>, counted<64>, counted<256>) {
    check_graph<TestType>({});
    check_graph(TestType({0, 32, 40, 41, 60}, {32, 8, 0, 20}, 32));
    check_graph(TestType({0, 41, 81, 82, 82}, {41, 40, 2, 0}, 41));  // the second alone has enough of both arrays
}
TEST_CASE("a problem has as many threads as elements if registers have room for those alone", "[gpu][batch]") {
    static_assert(decltype(loaded::expression())::batch::size == 512);
    check_graph(loaded(1));
    check_graph(loaded(300));
}
TEST_CASE("groups of a problem take turns in shared memory", "[gpu][batch]") {
    folded<64> wide;
    wide.width_ = 2'500;  // 20 000 bytes for each of four groups
    check_graph(wide);
}
TEST_CASE("the host asks an executable what the loops of all problems did", "[gpu][batch]") {
    relaxed<64> expected(37, 500), given = expected;
    expected.compute();
    ways::device_place place;
    const ways::stream on;
    expressions::with_bindings(given, place, [&](auto... b) {
        auto exec = cograph::instantiate(expressions::expression_of<relaxed<64>>, b...);
        exec.launch(on);
        const outcome_summary found = cograph::summarize(exec, ends);
        CHECK((found.problems == expected.total_.problems && found.least == expected.total_.least && found.largest == expected.total_.largest));
        CHECK((found.sum == expected.total_.sum && found.limits == expected.total_.limits && found.overflows == 0));
        CHECK(cograph::summarize(exec, inner_ends).problems == 500);
        const auto loops = cograph::loops_of_problems(exec);
        CHECK((loops.count == 2 && loops.loops[0].sum == found.sum && loops.loops[1].sum == cograph::summarize(exec, inner_ends).sum));
    });
}
TEST_CASE("a profile has the time of a batch", "[gpu][batch]") {
    stepped<256> expected, given;
    expected.compute();
    ways::device_place place;
    const ways::stream on;
    expressions::with_bindings(given, place, [&](auto... b) {
        const auto times = cograph::profile(on, expressions::expression_of<stepped<256>>, b...);
        const cograph::node_time& of_batch = times.of(at<2>);
        CHECK(of_batch.calls == 3);
        CHECK(of_batch.total > 0);
        CHECK((of_batch.share > 0 && of_batch.share <= 1));
        std::ostringstream out;
        cograph::write_table(out, times);
        CHECK(out.str().find("batch") != std::string::npos);
    });
    place.bring_back();
    CHECK((given == expected));
}
