// SPDX-License-Identifier: Apache-2.0

// The code of docs/check.md, with what it says of it.

#include <cograph/check.hpp>

#include "../catch.hpp"

#include <span>
#include <string>
#include <vector>

namespace check_page {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct counts : buffer<counts, int> {} counts;
inline constexpr struct hits : buffer<hits, int> {} hits;
inline constexpr struct found : buffer<found, int> {} found;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct total : buffer<total, double> {} total;  // one element

// [wrong]
struct mean_of_neighbours {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
    }
};
struct keep_positive {
    COGRAPH_HD void operator()(index_t, double value, double& to) const {
        if (value > 0) to = value;
    }
};
struct difference {
    COGRAPH_HD void operator()(index_t, double a, double b, double* sum) const { *sum += a < b ? b - a : a - b; }
};

constexpr auto wrong = seq(
    for_each(over(x), mean_of_neighbours{})(in(x), out(x[each]), extent(x)),        // reads what other elements write
    for_each(over(x), keep_positive{})(in(x[each]), out(y[each])),                  // does not write all of y
    for_each(over(x), difference{})(in(x[each]), in(y[each]), inout(total)));       // all elements add to one place
// [/wrong]

// [right]
struct clamp_to_zero {
    COGRAPH_HD void operator()(index_t, double value, double& to) const { to = value > 0 ? value : 0; }
};
struct distance {
    COGRAPH_HD double operator()(index_t, double a, double b) const { return a < b ? b - a : a - b; }
};

constexpr auto right = seq(
    for_each(over(x), mean_of_neighbours{})(in(x), out(y[each]), extent(x)),
    for_each(over(x), clamp_to_zero{})(in(y[each]), out(x[each])),
    transform_reduce(over(x), distance{}, plus{})(out(change), in(x[each]), in(y[each])));
// [/right]

// [atomic]
struct count_in_bins {
    COGRAPH_HD void operator()(index_t, double value, int* bins) const {
        int* const bin = bins + static_cast<int>(value);
#ifdef __CUDA_ARCH__
        atomicAdd(bin, 1);
#else
        ++*bin;
#endif
    }
};
struct list_large {  // in any order
    COGRAPH_HD void operator()(index_t i, double value, int* list, int* length) const {
        if (value < 2) return;
#ifdef __CUDA_ARCH__
        list[atomicAdd(length, 1)] = static_cast<int>(i);
#else
        list[(*length)++] = static_cast<int>(i);
#endif
    }
};
// [/atomic]

TEST_CASE("check page: what is wrong is found, what is right is not") {
    std::vector<double> xs = {1, 4, -2, 8, 3, -5}, ys(6);
    double changed = 0;
    // [check]
    const check_report report = check(wrong, x(std::span(xs)), y(std::span(ys)), total(&changed, 1));
    report.write(stdout);
    // [/check]
    // [findings]
    REQUIRE(report.findings().size() == 3);
    CHECK(report.findings()[0].kind == finding_kind::read_write_race);
    CHECK(report.findings()[1].kind == finding_kind::out_not_written);
    CHECK(report.findings()[2].kind == finding_kind::write_write_race);
    // [/findings]
    const std::string text = report.text();
    CHECK(text.find("element 1 reads 'x[2]', which element 2 writes") != std::string::npos);
    CHECK(text.find("does not write 'y[1]', which is marked out") != std::string::npos);
    CHECK(text.find("both write 'total[0]'") != std::string::npos);

    // [assert]
    const check_report fine = check(right, x(std::span(xs)), y(std::span(ys)), change(&changed));
    INFO(fine.text());
    REQUIRE(fine.empty());  // hints do not count
    // [/assert]
    CHECK(fine.hints().empty());
}

TEST_CASE("check page: atomic operations, lists without an order") {
    std::vector<double> xs = {1, 2, 2, 0, 3, 1};
    std::vector<int> bins(4), places(6);
    int length = 0;
    // [options]
    const check_report report = check(
        seq(for_each(over(x), count_in_bins{})(in(x[each]), inout(counts)),
            for_each(over(x), list_large{})(in(x[each]), inout(hits), inout(found))),
        x(std::span(xs)), counts(std::span(bins)), hits(std::span(places)), found(&length, 1),
        atomic(counts), atomic(found), unordered(hits));
    // [/options]
    CHECK(report.text() == "");
    CHECK(bins == std::vector<int>{1, 2, 2, 1});
    CHECK(length == 3);
}

}  // namespace check_page
