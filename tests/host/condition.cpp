// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace cograph;
using namespace cograph::core;

namespace {

inline constexpr struct a : scalar<a, double> {} a;
inline constexpr struct b : scalar<b, double> {} b;
inline constexpr struct i : scalar<i, std::int64_t> {} i;
inline constexpr struct hits : scalar<hits, int> {} hits;

template <class P>
bool holds(P predicate, double first, double second) {
    int hit = 0;
    simulate(seq(assign(hits, 0), when(predicate, assign(hits, 1)), when(a == 123456, assign(b, a))),
             a(&first), b(&second), hits(&hit));
    return hit == 1;
}

struct itself {
    std::int64_t operator()(std::int64_t value) const { return value; }
};

}  // namespace

TEST_CASE("nothing compares to NaN, except that it differs") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(holds(a < b, nan, 1));
    CHECK_FALSE(holds(a >= b, nan, 1));
    CHECK_FALSE(holds(a <= b, 1, nan));
    CHECK_FALSE(holds(a == b, nan, nan));
    CHECK(holds(a != b, nan, nan));
    CHECK(holds(!(a < b), nan, nan));
    CHECK_FALSE(holds(a < 9223372036854775807, nan, 0));
    CHECK_FALSE(holds(a >= 9223372036854775807, nan, 0));
    CHECK(holds(a != 0, nan, 0));
}

TEST_CASE("min and max give the left one where one is NaN, and abs and sqrt are NaN") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(holds(min(a, b) != min(a, b), nan, 1));
    CHECK(holds(max(a, b) != max(a, b), nan, 1));
    CHECK(holds(min(a, b) == 1, 1, nan));
    CHECK(holds(max(a, b) == 1, 1, nan));
    CHECK(holds(abs(a) != abs(a), nan, 0));
    CHECK(holds(sqrt(a) != sqrt(a), -1, 0));
    CHECK(holds(sqrt(a) == 1.5 && sqrt(b) > 1.414 && sqrt(b) * 1.0f < 1.415, 2.25, 2));
}

TEST_CASE("sqrt has the rounding of its type") {
    const std::int64_t large = (std::int64_t{1} << 53) + 1;
    CHECK(operation::square_root::of(2.f) == std::sqrt(2.f));
    CHECK(operation::square_root::of(2) == std::sqrt(2.0));
    CHECK(operation::square_root::of(2.L) == std::sqrt(2.L));
    CHECK(operation::square_root::of(large) == std::sqrt(static_cast<double>(large)));
}

TEST_CASE("functions of formulas are those of <cmath>") {
    const float f = 0.3f;
    const double d = 1.7;
    CHECK((operation::exponential::of(f) == std::exp(f) && operation::exponential::of(d) == std::exp(d) && operation::exponential::of(2) == std::exp(2.0)));
    CHECK((operation::logarithm::of(f) == std::log(f) && operation::logarithm::of(d) == std::log(d) && operation::logarithm::of(2.L) == std::log(2.L)));
    CHECK((operation::sine::of(f) == std::sin(f) && operation::cosine::of(d) == std::cos(d) && operation::tangent::of(f) == std::tan(f)));
    CHECK((operation::hyperbolic_tangent::of(d) == std::tanh(d) && operation::power::of(f, f) == std::pow(f, f)));
    CHECK((operation::power::of(d, 3) == std::pow(d, 3) && operation::power::of(2.L, f) == std::pow(2.L, f)));
    CHECK((operation::rounded_down::of(-d) == -2 && operation::rounded_up::of(-d) == -1 && operation::rounded::of(2.5f) == 3.f && operation::rounded::of(-2.5) == -3));
    const double one_more = 1 + std::numeric_limits<double>::epsilon();
    CHECK(operation::fused_sum::of(operation::factors::of(one_more, one_more), -(2 * one_more - 1)) == std::pow(std::numeric_limits<double>::epsilon(), 2));
    CHECK(operation::fused_sum::of(operation::factors::of(f, f), 2.L) == std::fma(static_cast<long double>(f), static_cast<long double>(f), 2.L));
    CHECK((holds(isnan(a) && !isfinite(a) && !isnan(b) && isfinite(b), std::numeric_limits<double>::quiet_NaN(), 1)));
    CHECK((holds(!isnan(a) && !isfinite(a) && round(b) == 3, std::numeric_limits<double>::infinity(), 2.5)));
    CHECK((holds(floor(a) == -3 && ceil(a) == -2 && pow(b, 2) == 9 && fma(a, b, 8) == 0.5, -2.5, 3)));
    CHECK((holds(exp(a) == 1 && log(b) == 0 && sin(a) == 0 && cos(a) == 1 && tan(a) == 0 && tanh(a) == 0 && -a == 0, 0, 1)));
}

TEST_CASE("a loop ends when its predicate meets NaN") {
    double first = std::numeric_limits<double>::quiet_NaN(), second = 0;
    simulate(loop_while(a > 0.5, seq(assign(b, b + 1), assign(a, a / 2))), a(&first), b(&second));
    CHECK(second == 0);
}

TEST_CASE("a selector of any value selects one case or none") {
    CHECK(case_of<3>::of(itself{}, std::int64_t{0}) == 0);
    CHECK(case_of<3>::of(itself{}, std::int64_t{2}) == 2);
    for (std::int64_t value :
         {std::int64_t{3}, std::int64_t{-1}, std::int64_t{1} << 32, -(std::int64_t{1} << 32),
          std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
        CHECK(case_of<3>::of(itself{}, value) == 3);
    CHECK(truth::of(itself{}, std::int64_t{1} << 40) == 1);
    CHECK(truth::of(itself{}, std::int64_t{0}) == 0);
}

TEST_CASE("repeat counts from nothing on every entry") {
    const auto passes = [](std::int64_t n) {
        using test = loop_test<iterations_are_left, false>;
        loop_state state;
        state.iteration = 77;
        const loop_counter loop{&state, 0};
        int count = 0;
        if (loop_is_met<test>::of(loop, n) != 1) return count;
        do ++count;
        while (loop_goes_on<test, 1>::of(loop, n) == 1);
        return count;
    };
    CHECK(passes(0) == 0);
    CHECK(passes(-5) == 0);
    CHECK(passes(1) == 1);
    CHECK(passes(7) == 7);
}

TEST_CASE("a loop of many passes") {
    std::int64_t count = 0;
    simulate(loop_while(i < 1'000'000, assign(i, i + 1)), i(&count));
    CHECK(count == 1'000'000);
    simulate(repeat(100'000, assign(i, i - 1)), i(&count));
    CHECK(count == 900'000);
}

TEST_CASE("a run tells what its loops did") {
    constexpr auto next = assign(i, i + 1);
    std::int64_t count = 0;
    int weight = 0;
    const auto report =
        simulate(seq(loop_while(i < 10, next, at_most(4)),                                     // 0
                     repeat(3, seq(loop_while(i < 8, next), assign(i, i - 2))),                // 2, 3
                     when(i > 100, repeat(2, next), otherwise(do_while(next, i < 12))),        // 7, 9
                     loop_while(i < 13, next, check_every<4>, at_most(4)), repeat(0, next)),   // 11, 13
                 i(&count));
    CHECK(report.iterations(at<0>) == 4);
    CHECK(report.ended_by(at<0>) == ending::limit);
    CHECK(report.iterations(at<2>) == 3);
    CHECK(report.iterations(at<3>) == 4 + 2 + 2);
    CHECK(report.entries(at<3>) == 3);
    CHECK(report.ended_by(at<3>) == ending::predicate);
    CHECK(report.ended_by(at<7>) == ending::none);
    CHECK(report.entries(at<7>) == 0);
    CHECK(report.iterations(at<9>) == 6);
    CHECK(report.iterations(at<11>) == 4);
    CHECK(report.ended_by(at<11>) == ending::predicate);
    CHECK(report.iterations(at<13>) == 0);
    CHECK(report.entries(at<13>) == 1);
    CHECK(report.ended_by(at<13>) == ending::predicate);
    CHECK(simulate(assign(hits, 1), hits(&weight)).count == 0);
    CHECK(weight == 1);
}

TEST_CASE("a run tells what its loops did by their labels, as far as these are of one loop") {
    constexpr auto next = label("inner", repeat(3, assign(i, i + 1)));
    std::int64_t count = 0;
    const auto report = simulate(seq(assign(i, 0), label("outer", loop_while(i < 9, label("first", seq(assign(hits, 0), next)), at_most(2))),
                                     label("other", when(i > 100, label("never", repeat(2, assign(i, 0)))))),
                                 i(&count));
    CHECK(report.iterations("outer") == 2);
    CHECK(report.entries("outer") == 1);
    CHECK(report.ended_by("outer") == ending::limit);
    CHECK(report.iterations("inner") == 6);
    CHECK(report.entries("inner") == 2);
    CHECK(report.ended_by("inner") == ending::predicate);
    CHECK(report.entries("never") == 0);
    const auto words = [](const auto& ask) {
        try {
            ask();
        } catch (const error& problem) {
            return std::string(problem.what());
        }
        return std::string();
    };
    CHECK(words([&] { report.iterations("first"); }) == "cograph: 'first' is the label of no loop in this expression");
    CHECK(words([&] { report.entries("other"); }) == "cograph: 'other' is the label of no loop in this expression");
    CHECK(words([&] { report.ended_by(static_cast<const char*>(nullptr)); }) == "cograph: A null pointer is the label of no loop.");
    const auto twice = simulate(seq(assign(i, 0), next, next), i(&count));
    CHECK(words([&] { twice.ended_by("inner"); }) == "cograph: 'inner' is the label of several loops: ask by a selector");
    CHECK(twice.iterations(at<1>) == 3);
}

TEST_CASE("whether a loop is one kernel is asked by a label that one loop has") {
    const auto next = label("inner", repeat(3, assign(i, i + 1)));
    const auto e = seq(assign(i, 0), label("outer", loop_while(i < 9, next)), label("again", repeat(2, assign(hits, 1))), label("again", repeat(2, assign(hits, 1))));
    CHECK(is_persistent(e, "outer"));
    CHECK(why_not_persistent(e, std::string("inner").c_str()) == lowering_status::persistent);
    CHECK(why_not_persistent(as_nodes(e), "inner") == lowering_status::lowering_disabled);
    const auto words = [](const auto& ask) {
        try {
            ask();
        } catch (const error& problem) {
            return std::string(problem.what());
        }
        return std::string();
    };
    CHECK(words([&] { is_persistent(e, "assign"); }) == "cograph: 'assign' is the label of no loop in this expression");
    CHECK(words([&] { why_not_persistent(e, "again"); }) == "cograph: 'again' is the label of several loops: ask by a selector");
    CHECK(words([&] { is_persistent(e, static_cast<const char*>(nullptr)); }) == "cograph: A null pointer is the label of no loop.");
}

TEST_CASE("a limit below zero is an error") {
    std::int64_t count = 0;
    const int passes = -1;
    CHECK_THROWS_AS(simulate(loop_while(i < 3, assign(i, i + 1), at_most(passes)), i(&count)), error);
}

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct bytes : buffer<bytes, signed char> {} bytes;

struct is_positive {
    bool operator()(double element) const { return element > 0; }
};

// A sum of the weights of the terms that hold.
int hits_over(std::vector<double> elements) {
    int found = 0;
    const std::span<double> all_elements(elements);
    simulate(seq(assign(hits, 0), when(all_of(x, is_positive{}), assign(hits, hits + 1)),
                 when(any_of(x, is_positive{}), assign(hits, hits + 2)),
                 when(none_of(x, is_positive{}), assign(hits, hits + 4)),
                 when(max_abs(x) > 2, assign(hits, hits + 8)), when(max_abs(x) < 2, assign(hits, hits + 16)),
                 when(all(x == x), assign(hits, hits + 32)),
                 when(count_if(x, is_positive{}) == 2, assign(hits, hits + 64))),
             x(all_elements), hits(&found));
    return found;
}

}  // namespace

TEST_CASE("terms over no elements, some, and NaN") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(hits_over({}) == 1 + 4 + 16 + 32);
    CHECK(hits_over({1, 3}) == 1 + 2 + 8 + 32 + 64);
    CHECK(hits_over({-1, 1, 1.5}) == 2 + 16 + 32 + 64);
    CHECK(hits_over({-3, 0}) == 4 + 8 + 32);
    CHECK(hits_over({nan, 1}) == 2);  // the largest is NaN, which compares to nothing
    CHECK(hits_over({1, nan, 7, 5}) == 2);
}

TEST_CASE("the largest magnitude of integers is exact") {
    signed char all[] = {5, -128, 7};
    int found = 0;
    simulate(when(max_abs(bytes) == 128, assign(hits, 1)), bytes(all), hits(&found));
    CHECK(found == 1);
}
