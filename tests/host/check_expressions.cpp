// SPDX-License-Identifier: Apache-2.0
#include "../expressions/arrays.hpp"
#include "../expressions/loop_options.hpp"
#include "../expressions/branches.hpp"
#include "../expressions/host_formulas.hpp"
#include "../expressions/lengths.hpp"
#include "../expressions/loops.hpp"
#include "../expressions/nested.hpp"
#include "../expressions/nodes.hpp"
#include "../expressions/order.hpp"
#include "../expressions/orderless.hpp"
#include "../expressions/own_elements.hpp"
#include "../expressions/predicates.hpp"
#include "../expressions/reductions.hpp"
#include "../expressions/scans.hpp"
#include "../expressions/sizes.hpp"
#include "../expressions/storage.hpp"
#include "../expressions/structs.hpp"
#include "../expressions/swaps.hpp"
#include "../expressions/unrolled.hpp"

#include "../catch.hpp"

#include <cograph/check.hpp>

#include <tuple>
#include <utility>

// What runs right in every way: a check finds nothing in it, and leaves what a simulation leaves.
namespace check_expressions_test {

using namespace cograph;

// Whether all findings are that out is not written everywhere, as it is on purpose in some of these.
bool is_right_but_for_out(const check_report& report) {
    for (const finding& f : report.findings())
        if (f.kind != finding_kind::out_not_written || f.element < 0) return false;
    return true;
}

template <class Case>
void check_case(const Case& start = {}, bool writes_all = true) {
    Case expected = start, given = start;
    for (int run = 0; run < 2; ++run) {
        expected.compute();
        expressions::host_place place;
        const auto report = expressions::with_bindings(given, place, [](auto... bindings) { return cograph::check(expressions::expression_of<Case>, bindings...); });
        INFO(report.text());
        CHECK((writes_all ? report.empty() : !report.empty() && is_right_but_for_out(report)));
        CHECK((given == expected));
    }
}

#ifdef COGRAPH_TEST_FEWER_ELEMENTS
constexpr int one_of = 3;  // the other tests call check under sanitizers, too
#else
constexpr int one_of = 1;
#endif

template <class Case, int I>
void check_numbered() {
    if constexpr (I % one_of == 0) check_case<Case>();
}
template <class... Case, int... I>
void check_all(std::tuple<Case...>*, std::integer_sequence<int, I...>) {
    (check_numbered<Case, I>(), ...);
}
template <class Cases>
void check_all() {
    check_all(static_cast<Cases*>(nullptr), std::make_integer_sequence<int, std::tuple_size_v<Cases>>());
}

TEST_CASE("check finds nothing in loops and branches that are right") {
    check_all<expressions::loop_options::cases>();
    check_all<expressions::branches::cases>();
    check_all<expressions::host_formulas::cases>();
    check_all<expressions::lengths::cases>();
    check_all<expressions::loops::cases>();
    check_all<expressions::swaps::cases>();
    check_all<expressions::nested::cases>();
    check_all<expressions::predicates::cases>();
    check_all<expressions::structs::small_cases>();
    check_all<expressions::unrolled::cases>();
}
TEST_CASE("check finds nothing in nodes that are right") {
    check_all<expressions::arrays::cases>();
    check_all<expressions::nodes::cases>();
    check_all<expressions::order::cases>();
    check_all<expressions::reductions::cases>();
    check_all<expressions::storage::cases>();
    check_case<expressions::scans::all_of_them>();
    check_case<expressions::scans::of_functions>();
    check_case(expressions::scans::of_functions(5'000, 3'000));
    check_case(expressions::own_elements::loop_over(100, 5), false);
    check_case(expressions::orderless::loop_over(1000, 7), false);
    check_case<expressions::sizes::two_domains>();
    for (const int n : {1, 2, 33}) check_case(expressions::sizes::loop_over(static_cast<std::size_t>(n)));
}

}  // namespace check_expressions_test
