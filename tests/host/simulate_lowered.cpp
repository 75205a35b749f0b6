// SPDX-License-Identifier: Apache-2.0
#include "../expressions/branches.hpp"
#include "../expressions/host_formulas.hpp"
#include "../expressions/nested.hpp"
#include "../expressions/predicates.hpp"
#include "../expressions/structs.hpp"
#include "../expressions/unrolled.hpp"
#include "simulation.hpp"

#include <cograph/plan/lowering/lower.hpp>

// Expressions as instantiate lowers them for graphs, but for persistent kernels and those that nodes share, node by node on the host.
namespace {

using namespace cograph;

template <class E, class... B>
expressions::loop_states simulate_lowered(E const& e, B... bindings) {
    loop_report<E> report;
    CHECK(core::simulate_planned<core::lowered<E, core::graph_for::many_elements>>(report.loops, core::serial_context{}, e, core::no_watch{}, bindings...));
    return expressions::states_of(report);
}

template <class Case>
void check_lowered() {
    Case expected, given, planned;
    for (int run = 0; run < 2; ++run) {
        expected.compute();
        expressions::host_place place;
        const auto found = expressions::with_bindings(given, place, [](auto... b) { return simulate_lowered(expressions::expression_of<Case>, b...); });
        CHECK((given == expected));
        CHECK(expressions::same_loops(found, expressions::states_of(expressions::run_simulated(planned))));
    }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("unrolled loops: what is lowered gives what plain C++ gives", "[simulate][lowered]", expressions::unrolled::cases) {
    check_lowered<TestType>();
}
TEMPLATE_LIST_TEST_CASE("predicated branches: what is lowered gives what plain C++ gives", "[simulate][lowered]", expressions::branches::cases) {
    check_lowered<TestType>();
}
TEMPLATE_LIST_TEST_CASE("nested control: what is lowered gives what plain C++ gives", "[simulate][lowered]", expressions::nested::cases) {
    check_lowered<TestType>();
}
TEMPLATE_LIST_TEST_CASE("predicates: what is lowered gives what plain C++ gives", "[simulate][lowered]", expressions::predicates::cases) {
    check_lowered<TestType>();
}
TEMPLATE_LIST_TEST_CASE("structs: what is lowered gives what plain C++ gives", "[simulate][lowered]", expressions::structs::cases) {
    check_lowered<TestType>();
}
TEMPLATE_LIST_TEST_CASE("formulas as arguments: what is lowered gives what plain C++ gives", "[simulate][lowered]",
                        expressions::host_formulas::loops) {
    check_lowered<TestType>();
}
