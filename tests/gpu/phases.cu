// SPDX-License-Identifier: Apache-2.0
#include "../expressions/phases.hpp"
#include "ways.cuh"

#include <cograph/batch.cuh>

namespace {

namespace phases = expressions::phases;
using ways::device_place;
using ways::stream;

template <class Case>
void check(const Case& start) {
    Case expected = start, found = start;
    expected.compute();
    device_place place;
    const stream on;
    auto exec = expressions::with_bindings(found, place, [](auto... bindings) { return cograph::instantiate(expressions::expression_of<Case>, bindings...); });
    exec.launch(on);
    on.wait();
    place.bring_back();
    CHECK((found == expected));
}

}  // namespace

// In one block, in a cluster, and in a grid of threads with one element and with several.
TEMPLATE_LIST_TEST_CASE("loops over few elements and many give what plain C++ gives", "[gpu][lowering]", expressions::phases::cases) {
    static_assert(cograph::is_persistent(expressions::expression_of<TestType>, cograph::at<1>));
    for (const std::size_t many : {std::size_t{700}, std::size_t{5'000}, std::size_t{60'000}, std::size_t{200'001}})
        for (const std::size_t few : {std::size_t{1}, std::size_t{200}, std::size_t{256}, std::size_t{257}, std::size_t{512}, std::size_t{513}, std::size_t{1'024}, std::size_t{1'025},
                                      std::size_t{3'000}}) {
            INFO(many << " and " << few << " elements");
            check(TestType(many, few));
        }
}

TEST_CASE("rolled nodes in problems of a batch give what plain C++ gives", "[gpu][batch]") { check(phases::levels_of_each()); }
