// SPDX-License-Identifier: Apache-2.0
#include "../expressions/phases.hpp"
#include "simulation.hpp"

#include <sstream>
#include <string>

TEMPLATE_LIST_TEST_CASE("loops over few elements and many: simulation gives what plain C++ gives", "[simulate]", expressions::phases::cases) { check_simulation<TestType>(); }
TEST_CASE("rolled nodes in problems of a batch: simulation gives what plain C++ gives", "[simulate][batch]") { check_simulation<expressions::phases::levels_of_each>(); }

TEST_CASE("pictures and JSON say which nodes may be in phases") {
    using namespace expressions::phases;
    const auto count = [](const std::string& text, const char* part) {
        int found = 0;
        for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
        return found;
    };
    std::ostringstream picture, json, none;
    write_dot(picture, inner_loop::expression());
    CHECK(count(picture.str(), "in a phase if it has few elements") == 10);
    CHECK(count(picture.str(), "in a phase if it has up to 256 elements") == 1);
    CHECK(count(picture.str(), "in no phase: it reduces") == 1);
    write_json(json, repeat(3, seq(few_from_few, few_again, few_from_few, few_again, reduce(out(sum), in(a)), assign(i, i + 1))));
    CHECK(count(json.str(), R"("phases": [{"node": 2, "status": "phase"}, {"node": 3, "status": "small_phase"}, {"node": 4, "status": "phase"}, {"node": 5, "status": "beside_a_reduction"}, {"node": 6, "status": "reduces"}, {"node": 7, "status": "not_over_elements"}])") == 1);
    write_dot(none, repeat(3, for_each(over(x), bump{})(inout(x[each]))));
    write_json(none, repeat(3, for_each(over(x), bump{})(inout(x[each]))));
    CHECK(count(none.str(), "in a phase") == 0);
    CHECK(count(none.str(), R"("status": "no_computed_extent")") == 1);
}
