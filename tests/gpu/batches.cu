// SPDX-License-Identifier: Apache-2.0
#include <cograph/batch.cuh>

#include "../expressions/batches.hpp"
#include "ways.cuh"

using namespace expressions::batches;

// As a graph, launched twice: the ways to run differ in what is around a batch.
template <class Case>
static void check_graph(const Case& start) {
    Case expected = start, given = start;
    ways::device_place place;
    const ways::stream on;
    auto exec = expressions::with_bindings(given, place, [](auto... b) { return cograph::instantiate(expressions::expression_of<Case>, b...); });
    for (int run = 0; run < 2; ++run) {
        expected.compute();
        exec.launch(on);
        on.wait();
        place.bring_back();
        CHECK((given == expected));
    }
}

TEMPLATE_TEST_CASE("batches of relaxations give what plain C++ gives", "[gpu][batch]", relaxed<32>, relaxed<64>) {
    check_graph<TestType>({});
    check_graph(TestType(700, 5));
    check_graph(TestType(0, 3));
    check_graph(TestType(3, 9'000));
    check_graph(TestType(64, 1));
}
TEMPLATE_TEST_CASE("batches of sums give the bits of one alone", "[gpu][batch]", summed<1>, summed<32>, summed<512>) {
    for (const std::size_t n : {1, 7, 33, 100, 256, 300, 1'500}) {
        CAPTURE(n);
        check_graph(TestType(n, 9));
    }
    check_graph(TestType(140'000, 2));
}
TEST_CASE("batches of scalars: every way gives what plain C++ gives", "[gpu][batch]") { ways::check_all_ways<hailstones>(); }
TEST_CASE("more problems than a GPU has threads", "[gpu][batch]") { check_graph(hailstones(400'000)); }
TEST_CASE("batches in a loop give what plain C++ gives", "[gpu][batch]") {
    check_graph<stepped<256>>({});
    check_graph(stepped<256>(5'000, 3));
}
