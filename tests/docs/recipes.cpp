// SPDX-License-Identifier: Apache-2.0

// The code of docs/howto.md and docs/tutorial, simulated.

#include "recipes.hpp"

#include "../catch.hpp"

#include <cograph/batch.hpp>
#include <cograph/check.hpp>
#include <cograph/host_driven.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <utility>
#include <vector>

using namespace cograph;

TEST_CASE("tutorial: the expression does what the serial loop does") {
    std::vector<double> serial(32, 0), next(32), simulated, pairs;
    serial.front() = 100;
    simulated = pairs = serial;
    const int count = tutorial::smooth_serially(serial.data(), next.data(), 32, 1e-6, 20000);

    // [simulate]
    int sweeps_made = 0;
    simulate(tutorial::smooth, tutorial::rod(std::span(simulated)), tutorial::limit(1e-6), tutorial::most(20000), tutorial::sweeps(&sweeps_made));
    // [/simulate]
    CHECK(sweeps_made == count);
    CHECK(simulated == serial);

    const auto report = simulate(tutorial::without_copy, tutorial::rod(std::span(pairs)), tutorial::limit(1e-6), tutorial::most(20000),
                                 tutorial::sweeps(&sweeps_made));
    CHECK(sweeps_made >= count);
    CHECK(sweeps_made <= count + 1);
    CHECK(report.ended_by(at<1>) == ending::predicate);

    // [ended on NaN]
    std::vector<double> broken(32, 0);
    broken[5] = std::numeric_limits<double>::quiet_NaN();
    double last = 0;
    simulate(tutorial::smooth, tutorial::rod(std::span(broken)), tutorial::limit(1e-6), tutorial::most(20000), tutorial::sweeps(&sweeps_made), tutorial::change(&last));
    CHECK(std::isnan(last));  // not converged: the loop ended in its first sweep
    // [/ended on NaN]
    CHECK(sweeps_made == 1);
    CHECK(tutorial::smooth_serially(broken.data(), next.data(), 32, 1e-6, 20000) == 1);

    std::vector<double> few(9, 0);
    few.front() = 1;
    // [check]
    const check_report races = check(tutorial::smooth, tutorial::rod(std::span(few)), tutorial::limit(1e-3), tutorial::most(100));
    CHECK(races.empty());
    // [/check]
}

namespace recipes {
// [print]
inline constexpr struct steps_seen : pinned_buffer<steps_seen, int> {} steps_seen;
inline constexpr struct norm_seen : pinned_buffer<norm_seen, double> {} norm_seen;

struct print {  // pinned memory, which the host can read
    void operator()(const int* step, const double* value) const { std::printf("%d: %g\n", *step, *value); }
};
constexpr auto step = seq(for_each(over(x), halve{})(inout(x[each])), dot(out(norm), in(x), in(x)), assign(steps, steps + 1));

template <class See>
constexpr auto printed(See see) {
    return seq(assign(steps, 0),
               label("outer", do_while(seq(label("inner", do_while(step, norm > limit, at_most(100))),
                                           copy(in(steps), out(steps_seen)), copy(in(norm), out(norm_seen)),
                                           host(see)(in(steps_seen), in(norm_seen))),
                                       norm > limit, at_most(10))));
}
constexpr auto converge_and_print = printed(print{});
static_assert(is_persistent(converge_and_print, "inner") && is_host_driven(converge_and_print, "outer"));
// [/print]
static_assert(!is_host_driven(converge_and_print, "inner"));
}  // namespace recipes

TEST_CASE("recipes: a loop that prints every 100th iteration") {
    std::vector<double> numbers{1}, alone{1}, norms(1);
    std::vector<int> counts(1);
    std::vector<std::pair<int, double>> lines;
    int made = 0, made_alone = 0;
    double last = 0, last_alone = 0;
    const auto note = [&](const int* step, const double* value) { lines.emplace_back(*step, *value); };
    const auto report = simulate(recipes::printed(note), recipes::x(std::span(numbers)), recipes::limit(1e-150), recipes::steps(&made), recipes::norm(&last),
                                 recipes::steps_seen(std::span(counts)), recipes::norm_seen(std::span(norms)));
    simulate(recipes::converge, recipes::x(std::span(alone)), recipes::limit(1e-150), recipes::steps(&made_alone), recipes::norm(&last_alone));
    CHECK(made == 250);
    CHECK(made == made_alone);
    CHECK(numbers == alone);
    CHECK(last == last_alone);
    CHECK(lines == std::vector<std::pair<int, double>>{{100, std::ldexp(1.0, -200)}, {200, std::ldexp(1.0, -400)}, {250, last}});
    CHECK(report.iterations("inner") == 250);
    CHECK(report.iterations("outer") == 3);
}

TEST_CASE("recipes: a loop that ends on NaN") {
    std::vector<double> numbers{1, 2, 3};
    int made = 0;
    double last = 0;
    simulate(recipes::converge, recipes::x(std::span(numbers)), recipes::limit(1e-6), recipes::steps(&made), recipes::norm(&last));
    CHECK(made == 12);
    CHECK(last <= 1e-6);
    numbers[1] = std::numeric_limits<double>::quiet_NaN();
    simulate(recipes::converge, recipes::x(std::span(numbers)), recipes::limit(1e-6), recipes::steps(&made), recipes::norm(&last));
    CHECK(made == 1);
    // [told apart]
    const bool diverged = std::isnan(last);  // exec.fetch(norm) on a GPU
    // [/told apart]
    CHECK(diverged);
}

TEST_CASE("recipes: a history of residuals") {
    std::vector<double> numbers{4}, kept(8, -1);
    int made = 0;
    simulate(recipes::with_history, recipes::x(std::span(numbers)), recipes::history(std::span(kept)), recipes::limit(0.3), recipes::steps(&made));
    CHECK(made == 3);
    CHECK(kept == std::vector<double>{4, 1, 0.25, -1, -1, -1, -1, -1});
}

TEST_CASE("recipes: the host stops a loop") {
    std::vector<double> numbers{4};
    int told = 1, made = 0;
    simulate(recipes::until_told, recipes::x(std::span(numbers)), recipes::flag(recipes::flag_of_host{&told}), recipes::steps(&made));
    CHECK(made == 1);
    told = 0;
    simulate(recipes::until_told, recipes::x(std::span(numbers)), recipes::flag(recipes::flag_of_host{&told}), recipes::steps(&made));
    CHECK(made == 100000);
}

TEST_CASE("recipes: a kernel as an element function") {
    std::vector<double> numbers(16, 0), other(16);
    numbers[0] = 1;
    simulate(recipes::of_elements, recipes::x(std::span(numbers)), recipes::y(std::span(other)));
    CHECK(numbers[0] == 1);
    CHECK(numbers[15] == 0);
    CHECK(numbers[1] > 0.8);
}

TEST_CASE("recipes: as many iterations as a value says") {
    std::vector<double> numbers{8};
    simulate(recipes::in_parts, recipes::x(std::span(numbers)), recipes::parts(3));
    CHECK(numbers[0] == 1);
}

namespace rows_that_stop {

// [rows that stop]
inline constexpr struct values : buffer<values, double> {} values;  // a number stands for the state of each row
inline constexpr struct made : buffer<made, int> {} made;           // the steps of each row
inline constexpr struct running : temp<running, int, struct values> {} running;  // numbers of rows
inline constexpr struct kept : temp<kept, int, struct values> {} kept;
inline constexpr struct left : scalar<left, int> {} left;
inline constexpr struct limit : value<limit, double> {} limit;

struct number_of {
    COGRAPH_HD void operator()(index_t i, int& row) const { row = static_cast<int>(i); }
};
struct advance {
    COGRAPH_HD void operator()(index_t, int row, double* all, int* steps) const {
        all[row] /= 2;
        ++steps[row];
    }
};
struct row_if_large {
    COGRAPH_HD void operator()(index_t, int row, const double* all, double least, int& to) const { to = all[row] > least ? row : -1; }
};
struct is_row {
    COGRAPH_HD bool operator()(int row) const { return row >= 0; }
};

constexpr auto rows_left = over(running).first(left);
constexpr auto until_all_stop = seq(
    for_each(over(running), number_of{})(out(running[each])), assign(left, extent(values)),
    loop_while(left > 0,
               seq(for_each(rows_left, advance{})(in(running[each]), inout(values), inout(made)),
                   for_each(rows_left, row_if_large{})(in(running[each]), in(values), limit, out(kept[each])),
                   copy_if(rows_left, is_row{})(in(kept), out(running), out(left))),
               at_most(1000)));
static_assert(is_persistent(until_all_stop, at<2>));  // one kernel
// [/rows that stop]

}  // namespace rows_that_stop
TEST_CASE("recipes: rows that stop at different iterations") {
    using namespace rows_that_stop;
    std::vector<double> numbers{9, 2, 100, 3};
    std::vector<int> steps(4);
    simulate(until_all_stop, values(std::span(numbers)), made(std::span(steps)), limit(2));
    CHECK(steps == std::vector{3, 1, 6, 1});
    CHECK(numbers == std::vector{1.125, 1.0, 1.5625, 1.5});
    CHECK(check(until_all_stop, values(std::span(numbers)), made(std::span(steps)), limit(0.5)).empty());
}

namespace parts {
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct begins : buffer<begins, int> {} begins;
inline constexpr struct longest : value<longest, int> {} longest;
inline constexpr struct sum : scalar<sum, double> {} sum;

struct divide_by {
    COGRAPH_HD void operator()(index_t, double& element, double by) const { element /= by; }
};
// [parts]
constexpr auto one = seq(reduce(out(sum), in(x)), for_each(over(x), divide_by{})(inout(x[each]), sum));
constexpr auto each_part = batch(over<extent(begins) - 1>(), one)(of_each(x).between(begins, longest));
// [/parts]

struct halve {
    COGRAPH_HD void operator()(index_t, double& element) const { element /= 2; }
};
// [reports]
inline constexpr struct ends : buffer<ends, loop_outcome> {} ends;
inline constexpr struct total : scalar<total, outcome_summary> {} total;

constexpr auto shrink = do_while(seq(for_each(over(x), halve{})(inout(x[each])), reduce(out(sum), in(x))), sum > 1, at_most(3));
constexpr auto shrink_all = batch(over<extent(begins) - 1>(), shrink)(of_each(x).between(begins, longest), report_of_each(ends));
constexpr auto shrink_and_count = seq(shrink_all, summarize(out(total), in(ends)));
// [/reports]
}  // namespace parts

TEST_CASE("batches: parts of unequal lengths") {
    using parts::begins, parts::each_part, parts::longest, parts::x;
    std::vector<double> numbers{1, 3, 5, 2, 2, 4};
    // [bind parts]
    std::vector<int> starts{0, 2, 3, 6};  // three problems, with 2, 1 and 3 elements of x
    simulate(each_part, of_each(x)(std::span(numbers)), begins(std::span(starts)), longest(3));
    // [/bind parts]
    CHECK(numbers == std::vector<double>{0.25, 0.75, 1, 0.25, 0.25, 0.5});

    std::vector<loop_outcome> outcomes(3);
    std::vector<double> others{1, 3, 16, 0.25, 0.25, 0.5};
    outcome_summary all{};
    simulate(parts::shrink_and_count, of_each(x)(std::span(others)), begins(std::span(starts)), longest(3), parts::ends(std::span(outcomes)), parts::total(&all));
    CHECK(others == std::vector<double>{0.25, 0.75, 2, 0.125, 0.125, 0.25});
    CHECK(outcomes[0].iterations == 2);
    CHECK(outcomes[1].ended == ending::limit);
    CHECK(all.problems == 3);
    CHECK(all.least == 1);
    CHECK(all.largest == 3);
    CHECK(all.sum == 6);
    CHECK(all.limits == 1);
    CHECK(all.overflows == 0);
}

TEST_CASE("boxes: Jacobi's method with tiles") {
    using namespace jacobi_in_boxes;
    constexpr int height = 9, width = 7;
    std::vector<double> values(height * width), other(height * width), serial;
    for (int at = 0; at < height * width; ++at) values[static_cast<std::size_t>(at)] = at * at % 97;
    serial = values;
    int made = 0;
    double last = 0;
    simulate(smooth, x(std::span(values)), y(std::span(other)), rows(height), columns(width), limit(1e-3), most(1000), steps(&made), change(&last));

    int expected = 0;
    double moved = 0;
    do {
        std::vector<double> next = serial;
        moved = 0;
        for (int row = 1; row < height - 1; ++row)
            for (int column = 1; column < width - 1; ++column) {
                const auto at = static_cast<std::size_t>(row * width + column);
                next[at] = (serial[at - width] + serial[at + width] + serial[at - 1] + serial[at + 1]) / 4;
                moved = std::max(moved, std::abs(serial[at] - next[at]));
            }
        serial = next;
        ++expected;
    } while (moved > 1e-3);
    CHECK(made == expected);
    CHECK(last == moved);
    CHECK(values == serial);

    values[width + 2] = std::numeric_limits<double>::quiet_NaN();
    simulate(smooth, x(std::span(values)), y(std::span(other)), rows(height), columns(width), limit(1e-3), most(1000), steps(&made), change(&last));
    CHECK(made == 1);
    CHECK(std::isnan(last));
}

TEST_CASE("boxes: edges that meet") {
    using namespace jacobi_in_boxes;
    constexpr int height = 5, width = 4;
    std::vector<double> values(height * width), other(height * width), serial;
    for (int at = 0; at < height * width; ++at) values[static_cast<std::size_t>(at)] = at * at % 97;
    serial = values;
    simulate(around_and_around, x(std::span(values)), y(std::span(other)), rows(height), columns(width), most(3));
    for (int step = 0; step < 3; ++step) {
        const std::vector<double> from = serial;
        const auto at = [&](int row, int column) { return from[static_cast<std::size_t>((row + height) % height * width + (column + width) % width)]; };
        for (int row = 0; row < height; ++row)
            for (int column = 0; column < width; ++column)
                serial[static_cast<std::size_t>(row * width + column)] = (at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1)) / 4;
    }
    CHECK(values == serial);
}

namespace levels {
constexpr int unseen = 1 << 30;
inline constexpr struct first : buffer<first, int> {} first;     // of the edges of each vertex
inline constexpr struct target : buffer<target, int> {} target;  // of each edge
inline constexpr struct level : buffer<level, int> {} level;
inline constexpr struct source : value<source, int> {} source;
inline constexpr struct depth : scalar<depth, int> {} depth;
inline constexpr struct frontier : temp<frontier, int, struct target> {} frontier;
inline constexpr struct offsets : temp<offsets, int, struct target> {} offsets;
inline constexpr struct candidates : temp<candidates, int, struct target> {} candidates;
inline constexpr struct owner : temp<owner, int, struct level> {} owner;
inline constexpr struct size : scalar<size, int> {} size;
inline constexpr struct total : scalar<total, int> {} total;

struct start {
    COGRAPH_HD void operator()(index_t i, int& l, int from) const { l = i == from ? 0 : unseen; }
};
struct degree {
    COGRAPH_HD int operator()(index_t, int v, const int* begin) const { return begin[v + 1] - begin[v]; }
};
struct expand {
    COGRAPH_HD void operator()(index_t, int v, int at, const int* begin, const int* to, int* found) const {
        for (int e = begin[v]; e < begin[v + 1]; ++e) found[at++] = to[e];
    }
};
struct claim {
    COGRAPH_HD void operator()(index_t k, int v, int* own) const {
#ifdef __CUDA_ARCH__
        atomicMin(own + v, static_cast<int>(k));
#else
        if (k < own[v]) own[v] = static_cast<int>(k);
#endif
    }
};
struct settle {  // the first candidate of a vertex that is new
    COGRAPH_HD void operator()(index_t k, int& v, const int* own, int* of, int now) const {
        if (own[v] != k || of[v] != unseen)
            v = -1;
        else
            of[v] = now + 1;
    }
};
struct is_vertex {
    COGRAPH_HD bool operator()(int v) const { return v >= 0; }
};

// [levels]
constexpr auto vertices = over(frontier).first(size);   // those of the frontier
constexpr auto found = over(candidates).first(total);  // where their edges lead
constexpr auto next_level = seq(
    transform_exclusive_scan(vertices, degree{}, plus{})(out(offsets), in(frontier[each]), in(first)),
    transform_reduce(vertices, degree{}, plus{})(out(total), in(frontier[each]), in(first)),
    for_each(vertices, expand{})(in(frontier[each]), in(offsets[each]), in(first), in(target), out(candidates)),
    fill(out(owner), unseen),
    for_each(found, claim{})(in(candidates[each]), inout(owner)),  // by atomicMin
    for_each(found, settle{})(inout(candidates[each]), in(owner), inout(level), in(depth)),
    copy_if(found, is_vertex{})(in(candidates), out(frontier), out(size)),
    assign(depth, depth + 1));

constexpr auto search = seq(for_each(over(level), start{})(out(level[each]), source), fill(out(frontier), source), assign(size, 1), assign(depth, 0),
                            label("levels", loop_while(size > 0, next_level)));
static_assert(is_persistent(search, "levels"));
// [/levels]
}  // namespace levels

TEST_CASE("recipes: a frontier by scan and compaction, in one kernel") {
    using namespace levels;
    std::vector<int> begins{0, 3, 4, 6, 7, 7, 8}, edges{1, 2, 1, 3, 3, 0, 4, 2}, found_levels(6);
    int deepest = 0;
    simulate(search, levels::first(std::span(begins)), target(std::span(edges)), level(std::span(found_levels)), source(0), depth(&deepest));
    CHECK(found_levels == std::vector<int>{0, 1, 1, 2, 3, unseen});
    CHECK(deepest == 4);
    const auto report = check(search, levels::first(std::span(begins)), target(std::span(edges)), level(std::span(found_levels)), source(0), depth(&deepest), atomic(owner));
    INFO(report.text());
    CHECK(report.empty());
}
