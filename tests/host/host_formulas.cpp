// SPDX-License-Identifier: Apache-2.0
#include "../expressions/host_formulas.hpp"
#include "simulation.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

TEMPLATE_LIST_TEST_CASE("formulas as arguments: simulation gives what plain C++ gives", "[simulate]", expressions::host_formulas::cases) {
    check_simulation<TestType>();
}

namespace host_formulas_test {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct whole : buffer<whole, std::int8_t> {} whole;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct many : value<many, std::uint64_t> {} many;
inline constexpr struct wide : value<wide, std::int64_t> {} wide;
inline constexpr struct part : value<part, double> {} part;
enum class colour : std::uint8_t { red, green = 7 };
inline constexpr struct shade : value<shade, colour> {} shade;

template <class T>
struct take {
    COGRAPH_HD void operator()(double& to, T number) const { to = static_cast<double>(number); }
};
struct take_any {
    COGRAPH_HD void operator()(double& to, auto number) const { to = static_cast<double>(number); }
};
struct twice {
    COGRAPH_HD void operator()(index_t, double& value, unsigned by) const { value *= by; }
};
struct is_less {
    COGRAPH_HD bool operator()(double number, unsigned limit) const { return number < limit; }
};
struct on_a_device {
    template <class... A>
    int operator()(A...) const {
        throw std::logic_error("called on the host");
    }
};
DEFINE_TEST_KERNEL void take_in_kernel(double*, unsigned) {}
void take_on_host(double* to, unsigned number) { *to = number; }

// What a run says behind the place.
template <class E, class... B>
std::string refusal(E const& e, B... bindings) {
    try {
        simulate(e, bindings...);
    } catch (error const& wrong) {
        const std::string text = wrong.what();
        return text.substr(text.find(") ") + 2);
    }
    return "nothing";
}
// What s holds then, or that.
template <class E, class... B>
std::string outcome_of(E const& e, B... bindings) {
    double found = 0;
    const std::string said = refusal(e, s(&found), bindings...);
    return said == "nothing" ? std::to_string(found) : said;
}

TEST_CASE("a formula that has no number, or none that its parameter holds, is refused with what it is over", "[simulate]") {
    const auto given = [](auto taker, auto formula) { return single_task(taker)(out(s), formula); };
    CHECK(outcome_of(given(take<int>{}, n + 1), n(2147483646)) == "2147483647.000000");
    CHECK(outcome_of(given(take<int>{}, n + 1), n(2147483647)) == "takes a formula over 'n' that wraps around");
    CHECK(outcome_of(given(take<int>{}, wide + 1), wide(2147483647)) == "takes a formula over 'wide' that is 2147483648, which its type int cannot hold");
    CHECK(outcome_of(given(take<unsigned>{}, n - wide), n(3), wide(4)) == "takes a formula over 'n', 'wide' that is -1, which its type unsigned int cannot hold");
    CHECK(outcome_of(given(take_any{}, n - wide), n(3), wide(4)) == "-1.000000");
    CHECK(outcome_of(given(take<bool>{}, n - 1), n(2)) == "1.000000");
    CHECK(outcome_of(given(take<bool>{}, n - 1), n(3)) == "takes a formula over 'n' that is 2, which its type bool cannot hold");
    CHECK(outcome_of(given(take<signed char>{}, -n), n(128)) == "-128.000000");
    CHECK(outcome_of(given(take<signed char>{}, n + n), n(64)) == "takes a formula over 'n' that is 128, which its type signed char cannot hold");

    CHECK(outcome_of(given(take<int>{}, part * n), part(0.5), n(4)) == "2.000000");
    CHECK(outcome_of(given(take<int>{}, part * n), part(0.5), n(5)) == "takes a formula over 'part', 'n' that is 2.5, which its type int cannot hold");
    CHECK(outcome_of(given(take<int>{}, sqrt(part)), part(-1)).find("nan, which its type int cannot hold") != std::string::npos);
    CHECK(outcome_of(given(take<double>{}, wide / 2), wide(7)) == "3.000000");
    CHECK(outcome_of(given(take<float>{}, part / 0), part(1)) == "inf");

    for (const int by : {0, 3}) {
        const std::string by_zero = "takes a formula over 'wide', 'n' that divides by zero";
        CHECK(outcome_of(given(take<int>{}, wide / n), wide(7), n(by)) == (by == 0 ? by_zero : "2.000000"));
        CHECK(outcome_of(given(take<int>{}, wide % n), wide(7), n(by)) == (by == 0 ? by_zero : "1.000000"));
        CHECK(outcome_of(given(take<int>{}, ceil_div(wide, n)), wide(7), n(by)) == (by == 0 ? by_zero : "3.000000"));
        CHECK(outcome_of(given(take<bool>{}, wide != 7 && wide / n > 1), wide(7), n(by)) == "0.000000");
        CHECK(outcome_of(given(take<bool>{}, wide == 7 || wide / n > 1), wide(7), n(by)) == "1.000000");
    }
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const std::string wraps = "takes a formula over 'wide' that wraps around";
    CHECK(outcome_of(given(take_any{}, wide / -1), wide(least)) == wraps);
    CHECK(outcome_of(given(take_any{}, wide % -1), wide(least)) == wraps);
    CHECK(outcome_of(given(take_any{}, -wide), wide(least)) == wraps);
    CHECK(outcome_of(given(take_any{}, abs(wide)), wide(least)) == wraps);
    CHECK(outcome_of(given(take_any{}, wide * 2), wide(least)) == wraps);
    CHECK(outcome_of(given(take_any{}, wide - 1), wide(least)) == wraps);
    CHECK(outcome_of(given(take_any{}, many - 1), many(0)) == "takes a formula over 'many' that wraps around");
    CHECK(outcome_of(given(take_any{}, many - wide), many(5), wide(-1)) == "6.000000");
    CHECK(outcome_of(given(take_any{}, many / wide), many(5), wide(-1)) == "takes a formula over 'many', 'wide' that wraps around");
    CHECK(outcome_of(given(take_any{}, max(many, wide)), many(5), wide(-1)) == "takes a formula over 'many', 'wide' that wraps around");
    CHECK(outcome_of(given(take_any{}, min(n, wide)), n(5), wide(-1)) == "-1.000000");
    for (const int by : {-1, 32, 64})
        CHECK(outcome_of(given(take_any{}, n << n), n(by)) == "takes a formula over 'n' that shifts by more bits than there are, or by less than none");
    CHECK(outcome_of(given(take_any{}, wide >> n), wide(-8), n(2)) == "-2.000000");
    CHECK(outcome_of(given(take_any{}, (~wide & 6) | (wide ^ n)), wide(1), n(9)) == "14.000000");
    CHECK(outcome_of(given(take<bool>{}, shade == colour::green), shade(colour::green)) == "1.000000");
}

TEST_CASE("every node that is given a formula says what is wrong with it", "[simulate]") {
    std::vector<double> three(3);
    std::vector<std::int8_t> bytes(3);
    double found = 0;
    const auto xs = x(std::span(three));
    const std::string minus_two = "takes a formula over 'x' that is -2, which its type unsigned int cannot hold";
    CHECK(refusal(for_each(over(x), twice{})(inout(x[each]), extent(x) - 5), xs) == minus_two);
    CHECK(refusal(kernel<take_in_kernel, take_on_host>(grid(1))(out(s), extent(x) - 5), xs, s(&found)) == minus_two);
    CHECK(refusal(transform_reduce(over(x), [](index_t, unsigned by) { return 1.0 * by; }, plus{})(out(s), extent(x) - 5), xs, s(&found)) == minus_two);
    CHECK(refusal(when(predicate([](unsigned by) { return by > 1; })(extent(x) - 5), fill(out(x), 1)), xs) == minus_two);
    CHECK(refusal(loop_while(predicate(is_less{})(s, extent(x) - 5), assign(s, s + 1)), xs, s(&found)) == minus_two);
    CHECK(refusal(do_while(assign(s, s + 1), predicate(is_less{})(s, extent(x) - 5)), xs, s(&found)) == minus_two);
    CHECK(refusal(when(count_if(x, [](double value, unsigned by) { return value > by; }, extent(x) - 5) > 2, fill(out(x), 1)), xs) == minus_two);
    CHECK(refusal(host([](double*, unsigned) {})(inout(x), extent(x) - 5), xs) == minus_two);
    CHECK(refusal(captured(on_a_device{}, [](double*, unsigned) {})(inout(x), extent(x) - 5), xs) == minus_two);
    CHECK(refusal(cub_call(on_a_device{}, [](double*, unsigned) {})(inout(x), extent(x) - 5), xs) == minus_two);
    CHECK(refusal(fill(out(whole), n * 2), whole(std::span(bytes)), n(64)) == "takes a formula over 'n' that is 128, which its type signed char cannot hold");
    CHECK(refusal(fill(out(whole), n / 2.0), whole(std::span(bytes)), n(63)) == "takes a formula over 'n' that is 31.5, which its type signed char cannot hold");
    CHECK(refusal(fill(out(whole), n * 2), whole(std::span(bytes)), n(-64)) == "nothing");
    CHECK(bytes == std::vector<std::int8_t>(3, -128));

    const unsigned line = __LINE__ + 1;
    const auto named = label("double it", for_each(over(x), twice{})(inout(x[each]), n - 1));
    try {
        simulate(named, xs, n(0));
        FAIL("nothing was wrong");
    } catch (error const& wrong) {
        CHECK(std::string(wrong.what()) == "cograph: 'double it' (" __FILE__ ":" + std::to_string(line) +
                                               ") takes a formula over 'n' that is -1, which its type unsigned int cannot hold");
    }
    // Memory that cannot be is said first.
    CHECK(std::string(refusal(for_each(over(n), twice{})(inout(x[each]), extent(x) - 5), x(three.data(), -1), n(1))).find("a count cannot be negative") !=
          std::string::npos);
}

TEST_CASE("captured calls and host work are given formulas", "[simulate]") {
    std::vector<double> three(3);
    std::string seen;
    const auto note = [&](const double*, auto... numbers) { ((seen += std::to_string(numbers) + " "), ...); };
    simulate(seq(host([&note](const double* p, int a, float b) { note(p, a, b); })(in(x), extent(x) - 1, part * n), host(note)(in(x), n - 7, n == 4),
                 captured(on_a_device{}, [&note](const double* p, unsigned a) { note(p, a); })(in(x), n * extent(x)),
                 captured([](CUstream_st*, const double*, short) {}, note)(in(x), n - 5), cub_call(on_a_device{}, note)(in(x), extent(x) / 2)),
             x(std::span(three)), n(4), part(0.5));
    CHECK(seen == "2 2.000000 -3 1 12 -1 1 ");
}

TEST_CASE("a formula is over the extents of temps, too, and over what a size depends on", "[simulate]") {
    std::vector<double> three(3);
    double found = 0;
    simulate(seq(fill(out(t), 1), single_task(take<int>{})(out(s), 10 * extent(t) + extent(s))), x(std::span(three)), s(&found));
    CHECK(found == 31);
}

TEST_CASE("a shape whose formula counts less than nothing, or has no number, is refused", "[simulate]") {
    std::vector<double> three(3);
    const auto few = for_each(over<extent(x) - n>(), twice{})(inout(x[each]), 2);
    CHECK(refusal(few, x(std::span(three)), n(2)) == "nothing");
    CHECK(refusal(few, x(std::span(three)), n(3)) == "nothing");
    CHECK(refusal(few, x(std::span(three)), n(4)) == "runs over a negative number of elements: -1");
    CHECK(refusal(few, x(std::span(three)), n(-1)) == "runs over 4 elements, more than there are in 'x': 3");
    const auto none = for_each(over<extent(x) / n>(), twice{})(inout(x[each]), 2);
    CHECK_THROWS_WITH(simulate(none, x(std::span(three)), n(0)), "cograph: 'over<...>' has a size that divides by zero");
    const auto more = for_each(over<n * wide>(), twice{})(inout(x[each]), 2);
    CHECK_THROWS_WITH(simulate(more, x(std::span(three)), n(4), wide(std::int64_t{1} << 62)), "cograph: 'over<...>' has a size that wraps around in 64 bits");
}

// A node's formulas, and the values that they read, are in its plan.
constexpr auto reads_a_value = seq(single_task(take<int>{})(out(s), n * extent(x)), single_task(take<int>{})(out(s), n - 1));
constexpr const auto& plan = core::plan_of<decltype(reads_a_value)::self>::view;
static_assert(plan.count.named == 3 && plan.count.variables == 5 && plan.count.kept_values == 1);
static_assert(plan.variables[3].state == -1 && plan.variables[4].state == 0, "the first keeps nothing");

}  // namespace host_formulas_test
