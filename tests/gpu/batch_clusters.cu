// SPDX-License-Identifier: Apache-2.0
#include <cograph/batch.cuh>

#include "../expressions/batches.hpp"
#include "ways.cuh"

using namespace expressions::batches;

static bool has_clusters() {
    int major = 0;
    ways::must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9;
}

// As a graph, launched twice, and eagerly.
template <class Case>
static void check_clusters(const Case& start) {
    if (!has_clusters()) return;
    Case expected = start, given = start;
    ways::device_place place;
    const ways::stream on;
    expressions::with_bindings(given, place, [&](auto... b) {
        auto exec = cograph::instantiate(expressions::expression_of<Case>, b...);
        for (int run = 0; run < 3; ++run) {
            expected.compute();
            if (run < 2)
                exec.launch(on);
            else
                cograph::run_on(on, expressions::expression_of<Case>, b...);
            on.wait();
            place.bring_back();
            CHECK((given == expected));
        }
    });
}

TEMPLATE_TEST_CASE("clusters solve problems with the bits of one alone", "[gpu][batch]", summed<2048>, summed<8192>) {
    for (const std::size_t n : {0, 1, 33, 256, 300, 2'048, 5'000}) {
        CAPTURE(n);
        check_clusters(TestType(n, 3));
    }
}
TEST_CASE("clusters solve more problems than run at once, and problems with many elements", "[gpu][batch][long]") {
    check_clusters(summed<2048>(20, 150));
    check_clusters(summed<8192>(20, 150));
    check_clusters(summed<4096>(140'000, 2));
}
TEST_CASE("clusters run loops, branches, scans and groups of threads", "[gpu][batch]") {
    check_clusters(relaxed<4096>(37, 7));
    check_clusters(relaxed<4096>(5'000, 2));
    check_clusters(arranged<2048>());
    check_clusters(arranged<2048>({0, 5'000, 5'001, 5'001, 9'000}, 5'000));
    check_clusters(folded<2048>());
    check_clusters(diffused<2048>());
    check_clusters(counted<2048>());
    check_clusters(ragged<2048>({3, 60, 40, 330, 340, -5, 20}, 57));
}
