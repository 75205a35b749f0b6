// SPDX-License-Identifier: Apache-2.0

// What the first sample promises of NaN: it is no convergence.

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

TEST_CASE("quickstart: NaN does not end the loop as if the rod had settled") {
    std::vector<double> rod(32, 0);
    rod.front() = 100;
    rod[16] = NAN;
    CHECK(settle_on_host(rod) == 20000);

    std::vector<double> few(8, 0);
    few[3] = NAN;
    int count = 0;
    const check_report report = check(smooth, x(std::span(few)), limit(1e-9), sweeps(&count), check_every_nth(1000));
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::nan_in_predicate);
}
