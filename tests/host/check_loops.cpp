// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace cograph;

// What check finds in loops, branches and what decides them.
namespace check_loops_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct t : scalar<t, double> {} t;
inline constexpr struct n : scalar<n, int> {} n;
inline constexpr struct most : value<most, int> {} most;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string text(core::name_view name) { return {name.data, name.size}; }
finding only(const check_report& report) {
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    return report.findings()[0];
}

struct halve {
    COGRAPH_HD void operator()(index_t, double& value) const { value /= 2; }
};
struct turn {
    COGRAPH_HD void operator()(int& to) const { to = (to + 1) % 3; }
};
struct set_to {
    COGRAPH_HD void operator()(double& to, double what) const { to = what; }
};

TEST_CASE("a loop whose iterations change nothing does not end: the check does") {
    double a = 1;
    const auto report = check(label("stuck", loop_while(s > 0, single_task(set_to{})(inout(s), 1.0))), s(&a), without_hints);
    const finding found = only(report);
    CHECK(found.kind == finding_kind::endless_loop);
    CHECK(text(found.where.name) == "stuck");
    CHECK(found.where.line > 0);
    CHECK(found.iteration >= 0);
}

TEST_CASE("a loop that comes back to a state that was there does not end, whatever the period") {
    int count = 0;
    CHECK(only(check(loop_while(n >= 0, single_task(turn{})(inout(n))), n(&count))).kind == finding_kind::endless_loop);
}

TEST_CASE("loops that end pass: by their predicate, by a limit, by a number of iterations") {
    std::vector<double> xs(20, 64.0);
    double a = 1;
    int count = 0;
    CHECK(check(seq(reduce(out(s), in(x), maximum{}), loop_while(s > 1, seq(for_each(over(x), halve{})(inout(x[each])), reduce(out(s), in(x), maximum{})))),
                x(std::span(xs)))
              .text() == "");
    CHECK(check(loop_while(s > 0, single_task(set_to{})(inout(s), 1.0), at_most(50)), s(&a), without_hints).text() == "");
    CHECK(check(loop_while(s > 0, single_task(set_to{})(inout(s), 1.0), at_most(most)), s(&a), most(50), without_hints).text() == "");
    CHECK(check(repeat(50, single_task(set_to{})(inout(s), 1.0)), s(&a), without_hints).text() == "");
    CHECK(check(seq(assign(n, 0), loop_while(n < 100, assign(n, n + 1), check_every<4>)), n(&count)).text() == "");
    CHECK(count == 100);
}

TEST_CASE("an inner loop is met anew in each iteration") {
    int count = 0;
    constexpr auto inner = seq(assign(n, 0), loop_while(n < 3, assign(n, n + 1)));
    CHECK(check(seq(assign(s, 0), do_while(seq(inner, assign(s, s + 1)), s < 10)), n(&count)).text() == "");
}

TEST_CASE("maximum leaves out NaN, which a loop takes for convergence") {
    std::vector<double> xs = {4, 2, nan, 1};
    constexpr auto e = seq(label("largest", reduce(out(s), in(x), maximum{})),
                           loop_while(s > 100, seq(for_each(over(x), halve{})(inout(x[each])), reduce(out(s), in(x), maximum{}))));
    const finding found = only(check(e, x(std::span(xs))));
    CHECK(found.kind == finding_kind::nan_left_out);
    CHECK(found.first == 2);
    CHECK(text(found.variable) == "s");
    CHECK(text(found.where.name) == "largest");
    // Where nothing decides by it, that is a hint.
    std::vector<double> again = {4, 2, nan, 1};
    const auto report = check(reduce(out(s), in(x), minimum{}), x(std::span(again)));
    CHECK(report.empty());
    REQUIRE(report.hints().size() == 1);
    CHECK(report.hints()[0].kind == finding_kind::nan_left_out);
}

TEST_CASE("NaN that decides a loop is found, with the node that wrote the first") {
    std::vector<double> xs = {4, 2, 0, 1};
    struct ratio {
        COGRAPH_HD void operator()(index_t, double& value) const { value = (value - value) / value; }
    };
    constexpr auto e = seq(label("divide", for_each(over(x), ratio{})(inout(x[each]))), label("go", loop_while(max_abs(x) > 1e-3, for_each(over(x), halve{})(inout(x[each])))));
    const finding found = only(check(e, x(std::span(xs))));
    CHECK(found.kind == finding_kind::nan_in_predicate);
    CHECK(text(found.where.name) == "go");
    CHECK(text(found.origin.name) == "divide");
}

TEST_CASE("NaN that a predicate computes is found, and not where && keeps it from that") {
    double zero = 0, two = 2;
    constexpr auto plain = when(s / t > 1, assign(s, 1));
    constexpr auto guarded = when(t > 0 && s / t > 1, assign(s, 1));
    zero = two = 0;
    CHECK(check(guarded, s(&zero), t(&two)).text() == "");
    const finding found = only(check(plain, s(&zero), t(&two)));
    CHECK(found.kind == finding_kind::nan_in_predicate);
    CHECK(found.variable.size == 0);
    zero = 1;
    CHECK(check(plain, s(&zero), t(&two)).text() == "");  // infinity is a number to compare with
    zero = -1;
    CHECK(only(check(when(log(s) < t, assign(s, 1)), s(&zero), t(&two))).kind == finding_kind::nan_in_predicate);
    zero = std::numeric_limits<double>::infinity();
    CHECK(only(check(when(fma(s, t, 1) < 1, assign(s, 1)), s(&zero), t(&two))).kind == finding_kind::nan_in_predicate);
    CHECK(check(when(!isnan(s) && isfinite(t), assign(s, 1)), s(&zero), t(&two)).text() == "");
}

struct square {
    COGRAPH_HD double operator()(index_t, double value) const { return value * value; }
};
struct subtract {
    COGRAPH_HD void operator()(index_t, double& value, double by) const { value -= value > by ? by : value; }
};

TEST_CASE("a predicate that tests what was changed after it was used is a hint, where that decides otherwise") {
    std::vector<double> xs = {1, 2, 3};
    constexpr auto measure = label("measure", transform_reduce(over(x), square{}, plus{})(out(s), in(x[each])));
    // The sum is 14, 5 and 1, and raised by 3 before it is tested: 1 + 3 goes on, 0 + 3 does not.
    constexpr auto body = seq(measure, for_each(over(x), subtract{})(inout(x[each]), 1.0), assign(t, s), assign(s, s + 3), assign(n, n + 1));
    int count = 0;
    const auto run = [&](auto const& e) {
        xs = {1, 2, 3};
        count = 0;
        return check(e, x(std::span(xs)), n(&count));
    };
    const auto report = run(label("loop", do_while(body, s > 3.5)));
    INFO(report.text());
    CHECK(report.empty());
    REQUIRE(report.hints().size() == 1);
    CHECK(report.hints()[0].kind == finding_kind::changed_after_test);
    CHECK(text(report.hints()[0].variable) == "s");
    CHECK(text(report.hints()[0].where.name) == "loop");
    CHECK(text(report.hints()[0].origin.name) == "measure");
    CHECK(report.hints()[0].iteration == 2);
    CHECK(count == 4);
    // The same where both decide alike, and where nobody has used the first value.
    CHECK(run(do_while(body, s > 4.5)).text() == "");
    CHECK(run(do_while(seq(measure, assign(s, s + 3), for_each(over(x), subtract{})(inout(x[each]), 1.0), assign(n, n + 1)), s > 3.5)).text() == "");
    // A flag that is taken down first.
    count = 0;
    CHECK(check(do_while(seq(assign(s, 0), assign(n, n + 1), when(n < 4, assign(s, n))), s > 0), n(&count)).text() == "");
}

TEST_CASE("only what is bound is looked at: branches that are not taken, loops over no elements") {
    struct wrong {
        COGRAPH_HD void operator()(index_t i, double* all) const { all[i + 1] = all[i]; }
    };
    std::vector<double> xs(5);
    double a = 0;
    CHECK(check(when(s > 0, for_each(over(x), wrong{})(inout(x))), x(std::span(xs)), s(&a)).text() == "");
    CHECK(check(for_each(over(x), wrong{})(inout(x)), x(std::span<double>())).text() == "");
}

TEST_CASE("a check takes no more than twenty runs of each node") {
    static index_t calls;
    struct counted {
        void operator()(index_t, double& value) const {
            ++calls;
            value += 1;
        }
    };
    for (const std::size_t count : {1u, 10u, 64u, 1000u, 100000u}) {
        std::vector<double> xs(count);
        calls = 0;
        CHECK(check(repeat(3, for_each(over(x), counted{})(inout(x[each]))), x(std::span(xs))).empty());
        CHECK(calls >= static_cast<index_t>(3 * count));
        CHECK(calls <= static_cast<index_t>(3 * count) * 20);
        calls = 0;
        check(repeat(30, for_each(over(x), counted{})(inout(x[each]))), x(std::span(xs)), check_every_nth(10));
        CHECK(calls <= static_cast<index_t>(30 * count) * 3);
    }
}

}  // namespace check_loops_test
