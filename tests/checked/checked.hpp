// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>
#include <cograph/check.hpp>

#include <cstdio>
#include <stdexcept>

// Behind this, what an example simulates is checked: a finding ends the example with an error, and hints are printed.
namespace cograph {

template <core::expression E, class... B>
core::loop_report<typename E::self> checked(E const& e, B... bindings) {
    core::loop_report<typename E::self> report;
    report.read_labels(e.records);
    core::check_options options;
#ifdef COGRAPH_WITHOUT_HINTS
    options.hints = false;
#endif
    const check_report found = core::check_planned<typename E::self>(report.loops, e, options, bindings...);
    found.write(stdout);
    if (!found.empty()) throw std::runtime_error("the check found something");
    return report;
}

}  // namespace cograph

#define simulate checked
