// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>
#include <cograph/stepwise.hpp>

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cograph;

namespace stepwise_test {

struct pair_view {
    const double* first;
    int count;
};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct most : value<most, int> {} most;
inline constexpr struct A : view<A, pair_view> {} A;
inline constexpr struct stranger : buffer<stranger, double> {} stranger;

struct add {
    COGRAPH_HD void operator()(index_t, double& to, double what) const { to += what; }
};
struct first_of {
    COGRAPH_HD void operator()(double& to, const pair_view& from) const { to = from.first[0]; }
};

constexpr auto climb =
    seq(label("start", assign(i, 0)), single_task(first_of{})(out(s), in(A)),
        loop_while(i < most, seq(label("inner", repeat(2, for_each(over(x), add{})(inout(x[each]), s))),
                                 when(i == 1, label("odd", copy(in(x), out(t)))), assign(i, i + 1))));

struct fixture {
    std::vector<double> xs = {1, 2};
    double first = 10, scalar = 0;
    int count = 0;
    template <class F>
    bool run(F f) {
        return simulate_stepwise(climb, f, x(std::span(xs)), A(pair_view{&first, 1}), s(&scalar), i(&count), most(3));
    }
};

std::string name(const place& where) { return std::string(where.name.data, where.name.size); }

TEST_CASE("every node and condition is a step, in program order, with its place") {
    fixture f;
    std::string names;
    index_t numbers = 0;
    const bool ended = f.run([&](auto const& step) {
        CHECK(step.number() == numbers++);
        CHECK(name(step.where()) != "");
        CHECK(step.where().line > 0);
        CHECK(std::string(step.where().file).find("stepwise.cpp") != std::string::npos);
        if (step.iteration() == 0 && step.depth() < 2) names += name(step.where()) + (step.is_condition() ? "? " : " ");
    });
    CHECK(ended);
    // Two for the start and one for the arrival; in each of three passes 1 + 2 * 2 of the inner loop, the branch's, the
    // assignment and the loop's; and the branch that is taken once.
    CHECK(numbers == 3 + 3 * (1 + 2 * 2 + 1 + 1 + 1) + 1);
    CHECK(names == "start first_of while? inner? when? assign while? ");
}

TEST_CASE("a step knows the passes of the loops around it") {
    fixture f;
    std::string passes, odd;
    f.run([&](auto const& step) {
        if (step.is(calls<add>)) {
            REQUIRE(step.depth() == 2);
            CHECK(step.iteration() == step.around(0).iteration);
            CHECK(name(step.around(0).where) == "inner");
            CHECK(step.around(1).is_loop);
            passes += std::to_string(step.around(1).iteration) + "." + std::to_string(step.around(0).iteration) + " ";
        }
        if (step.is(at<6>)) {
            CHECK(!step.around(0).is_loop);
            CHECK(step.around(0).body == 0);
            odd += std::to_string(step.iteration());
        }
    });
    CHECK(passes == "0.0 0.1 1.0 1.1 2.0 2.1 ");
    CHECK(odd == "1");
}

TEST_CASE("passes are counted in a loop that tests after some of them only") {
    std::vector<double> xs = {1, 2};
    std::string passes, tested;
    const auto e = seq(assign(i, 0), loop_while(i < 6, seq(for_each(over(x), add{})(inout(x[each]), 1), repeat(2, assign(s, 1)), assign(i, i + 1)), check_every<3>));
    simulate_stepwise(
        e,
        [&](auto const& step) {
            if (step.is(calls<add>)) passes += std::to_string(step.iteration());
            if (step.depth() == 1 && step.is_condition() && step.is(at<1>)) tested += std::to_string(step.iteration());
            if (step.is(at<4>)) passes += std::to_string(step.around(1).iteration) + "." + std::to_string(step.iteration()) + " ";
        },
        x(std::span(xs)));
    CHECK(passes == "00.0 0.1 11.0 1.1 22.0 2.1 33.0 3.1 44.0 4.1 55.0 5.1 ");
    CHECK(tested == "25");
}

TEST_CASE("a step shows every variable as it is then") {
    fixture f;
    std::vector<double> seen;
    f.run([&](auto const& step) {
        CHECK(step.value(most) == 3);
        CHECK(step.value(A).first == &f.first);
        if (step.is(calls<add>)) seen.push_back(step.span(x)[1]);
        if (step.is(at<6>)) CHECK((step.span(t).size() == 2 && step.span(t)[0] == step.span(x)[0]));
        if (step.is(at<1>)) CHECK((step.value(s) == 10 && step.value(i) == 0 && !step.is_condition()));
        if (step.is(at<2>) && step.depth() == 1) CHECK((step.is_condition() && step.value(i) == step.iteration() + 1));
    });
    CHECK(seen == std::vector<double>{12, 22, 32, 42, 52, 62});
}

inline constexpr struct saved : host_buffer<saved, double> {} saved;
inline constexpr struct half_of : value<half_of, int> {} half_of;
inline constexpr struct u : temp<u, double, elements<2 * half_of>> {} u;

TEST_CASE("a step shows memory of the host, and values that only a temp's size needs") {
    std::vector<double> xs = {1, 2}, to(2);
    simulate_stepwise(
        seq(fill(out(u), 3), copy(in(u), out(x)), copy(in(x), out(saved))),
        [&](auto const& step) {
            CHECK(step.value(half_of) == 1);
            CHECK(step.span(saved).size() == 2);
            if (step.is(at<2>)) CHECK(step.span(saved)[1] == 3);
        },
        x(std::span(xs)), saved(std::span(to)), half_of(1));
}

TEST_CASE("a step may end the run") {
    fixture f;
    int steps = 0;
    const bool ended = f.run([&](auto const& step) {
        ++steps;
        return !(step.is(calls<add>) && step.span(x)[0] > 30);
    });
    CHECK(!ended);
    CHECK(steps == 3 + 8 + 2);
    CHECK(f.xs[0] == 31);
    CHECK(f.count == 1);
}

TEST_CASE("an exception of the callback passes through, and leaves memory as it is then") {
    fixture f;
    const auto throws = [](auto const& step) {
        if (step.is(calls<add>) && step.span(x)[0] > 30) throw std::runtime_error("no more steps");
    };
    bool caught = false;
    try {
        f.run(throws);
    } catch (const std::runtime_error& why) {
        caught = std::string(why.what()) == "no more steps";
    }
    CHECK(caught);
    CHECK(f.xs[0] == 31);
    CHECK(f.count == 1);
    f.xs = {1, 2};
    CHECK(f.run([](auto const&) {}));  // and the next run works
    CHECK(f.xs[0] == 61);
    CHECK(f.count == 3);
}

// What is wrong with a question or a callback.
using climb_type = std::remove_const_t<decltype(climb)>;
using step_type = core::step<climb_type>;
const step_type& now();
static_assert(diagnose<decltype(now().span(s))> == reason::has_one_value<struct s>{});
static_assert(diagnose<decltype(now().value(x))> == reason::has_many_values<struct x>{});
static_assert(diagnose<decltype(now().span(stranger))> == reason::variable_is_not_in_the_expression<struct stranger>{});
static_assert(diagnose<decltype(now().value(3))> == reason::not_a_variable<int>{});
static_assert(diagnose<decltype(now().is(at<70>))> ==
              reason::selector_matches_nothing<core::at_t<70>, reason::among_nodes<8>>{});
struct takes_nothing {
    void operator()() const {}
};
struct gives_int {
    int operator()(const step_type&) const { return 1; }
};
template <class F>
using stepping = decltype(simulate_stepwise(climb, F{}, x(std::span<double>()), A(pair_view{}),
                                            s(static_cast<double*>(nullptr)), i(static_cast<int*>(nullptr)), most(3)));
static_assert(diagnose<stepping<takes_nothing>> == reason::function_cannot_take_steps<takes_nothing>{});
static_assert(diagnose<stepping<gives_int>> == reason::function_cannot_take_steps<gives_int>{});
static_assert(diagnose<decltype(simulate_stepwise(climb, takes_nothing{}, most(3)))> ==
              reason::unbound_variable<struct A, struct x>{});
static_assert(diagnose<decltype(simulate_stepwise(3, takes_nothing{}))> == reason::not_an_expression<int>{});

}  // namespace stepwise_test
