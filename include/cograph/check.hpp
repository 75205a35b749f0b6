// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>
#include <cograph/host/check/check_watch.hpp>

#include <memory>

// A simulation that looks for races inside of nodes, wrong access modes and loops that do not end. cograph.hpp does not include this.

namespace cograph::core {

// Gives the states of loops, too.
template <class Planned, expression E, class... B>
check_report check_planned(loop_state* loops, E const& e, const check_options& options, B const&... bindings) {
    const heap_array<host_function> codes(plan_of<Planned>::view.count.codes);
    host_codes<Planned, checking_context>::collect(codes.begin());
    std::vector<element_type> types;
    collect_types<Planned>(types);
    element_run now;
    check_report report;
    std::unique_ptr<check_watch> watch;
    const auto make_watch = [&](const frame& f) {
        watch = std::make_unique<check_watch>(f, codes.begin(), now, options, types, report);
        return check_handle(watch.get());
    };
    simulate_planned<Planned>(loops, checking_context{&now}, e, make_watch, bindings...);
    return report;
}

}  // namespace cograph::core

// In its own namespace, because core has another function with this name.
namespace cograph::core::checks {

// Runs an expression on the host like simulate. In every iteration it checks whether the elements of each node
// interfere and whether the node respects its access modes. Needs no CUDA. The options check_every_nth(n), atomic(x),
// unordered(x), check_seed(n), check_all_pairs and without_hints may follow the bindings. Takes up to 20 times as long as simulate
// without check_all_pairs.
template <expression E, class... T>
    requires can_check<typename E::self, bindings_among<T...>>
check_report check(E const& e, T... bindings) {
    check_options options;
    (options.add(bindings), ...);
    loop_report<typename E::self> loops;
    return with_bindings([&](auto const&... some) { return check_planned<typename E::self>(loops.loops, e, options, some...); }, bindings...);
}

}  // namespace cograph::core::checks

namespace cograph {

using core::atomic;
using core::check_all_pairs;
using core::check_every_nth;
using core::check_report;
using core::check_seed;
using core::check_tolerance;
using core::checks::check;
using core::finding;
using core::finding_kind;
using core::unordered;
using core::without_hints;

}  // namespace cograph
