// SPDX-License-Identifier: Apache-2.0

// What the first sample promises of NaN: it ends the loop at once, and stays in the result.

#include <cograph/check.hpp>

#include "../catch.hpp"

#define main quickstart_main
#include "../../examples/quickstart/quickstart.cu"
#undef main

TEST_CASE("quickstart: the sample passes check") {
    std::vector<double> rod(32, 0);
    rod.front() = 100;
    // [check]
    const check_report report = check(smooth, x(std::span(rod)), limit(1e-9), check_every_nth(100));
    report.write(stderr);  // nothing: no element reads an element that another one writes, and elements marked out are written
    // [/check]
    CHECK(report.text() == "");
    CHECK(std::fabs(rod[16] - 100 * (1 - 16.0 / 31)) < 1e-6);
}

TEST_CASE("quickstart: as many sweeps as README.md says") {
    std::vector<double> rod(32, 0);
    rod.front() = 100;
    CHECK(settle_on_host(rod) == 4392);
}

TEST_CASE("quickstart: NaN ends the loop at once, and the host sees it") {
    std::vector<double> rod(32, 0);
    rod.front() = 100;
    rod[16] = NAN;
    int made = 0;
    double last = 0;
    simulate(smooth, x(std::span(rod)), limit(1e-9), sweeps(&made), change(&last));
    CHECK(made == 1);
    CHECK(std::isnan(last));

    std::vector<double> few(8, 0);
    few[3] = NAN;
    int count = 0;
    const check_report report = check(smooth, x(std::span(few)), limit(1e-9), sweeps(&count), check_every_nth(1000));
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::nan_in_predicate);
}
