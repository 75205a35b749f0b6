// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>
#include <cograph/check.hpp>

#include <cstdio>
#include <stdexcept>
#include <string_view>

// Behind this, what an example simulates is checked: a finding ends the example with an error, and hints are printed.
namespace cograph::core {

template <expression E, class... B>
loop_report<typename E::self> checked(E const& e, B... bindings) {
    loop_report<typename E::self> report;
    report.read_labels(e.records);
    check_options options;
#ifdef COGRAPH_WITHOUT_HINTS
    options.hints = false;
#endif
#ifdef COGRAPH_ATOMIC
    const auto& plan = plan_of<typename E::self>::view;
    for (int v = 0; v < plan.count.named; ++v)
        if (const name_view name = plan.variables[v].info->name.read(); std::string_view(name.data, name.size) == COGRAPH_ATOMIC)
            options.add(atomic_variable{plan.variables[v].info, 0});
#endif
    const check_report found = check_planned<typename E::self>(report.loops, e, options, bindings...);
    found.write(stdout);
    if (!found.empty()) throw std::runtime_error("the check found something");
    return report;
}

}  // namespace cograph::core

namespace cograph {
using core::checked;
}

#define simulate checked
