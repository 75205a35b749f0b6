// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct u : temp<u, double, struct t> {} u;
inline constexpr struct counted : temp<counted, double> {} counted;
inline constexpr struct lanes : value<lanes, int> {} lanes;
inline constexpr struct many : value<many, std::uint64_t> {} many;
inline constexpr struct chosen : value<chosen, bool> {} chosen;
// [sizes]
inline constexpr struct padded : temp<padded, double, elements<2 * extent(x) + 1>> {} padded;
inline constexpr struct mixed : temp<mixed, float, elements<max(ceil_div(extent(padded) - lanes, 4), lanes / 2 % 7)>> {} mixed;
// [/sizes]
inline constexpr struct least : temp<least, char, elements<min(lanes - 3, extent(x) * extent(t))>> {} least;
inline constexpr struct seven : temp<seven, int, elements<7>> {} seven;
inline constexpr struct as_many : temp<as_many, int, elements<many>> {} as_many;
inline constexpr struct squared : temp<squared, int, elements<many * extent(x) * extent(x)>> {} squared;
inline constexpr struct divided : temp<divided, int, elements<extent(x) / lanes + extent(y) % lanes>> {} divided;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct count : scalar<count, long long> {} count;
inline constexpr struct scale : value<scale, float> {} scale;

constexpr auto sum = reduce(out(total), in(x));

struct count_elements {
    COGRAPH_HD void operator()(long long& to, index_t n) const { to = n; }
};
struct grow {
    COGRAPH_HD void operator()(index_t, double& to, float by) const { to *= by; }
};

// Values with an initial value in their declaration, of their own type.
// [initial]
inline constexpr struct factor : value<factor, double> {
    static constexpr double initial = 3;
} factor;
// [/initial]
inline constexpr struct ill_typed : value<ill_typed, double> {
    static constexpr int initial = 3;
} ill_typed;
inline constexpr struct scaled : buffer<scaled, double> {} scaled;
struct scale_all {
    COGRAPH_HD void operator()(index_t, double& element, double by) const { element *= by; }
};
constexpr auto scaling = for_each(over(scaled), scale_all{})(inout(scaled[each]), in(factor));
TEST_CASE("a value with an initial value need not be bound", "[host][binding]") {
    std::vector<double> memory(3, 2);
    // [initial_run]
    simulate(scaling, scaled(memory.data(), 3));               // by 3
    simulate(scaling, scaled(memory.data(), 3), factor(0.5));  // by 0.5
    // [/initial_run]
    CHECK(memory == std::vector<double>(3, 3));
    simulate(seq(fill(out(scaled), factor), repeat(2, fill(out(scaled), factor + 1))), scaled(memory.data(), 3));
    CHECK(memory == std::vector<double>(3, 4));
}

inline constexpr struct times : scalar<times, int> {
    static constexpr int initial = 2;
} times;
inline constexpr struct wrong_scalar : scalar<wrong_scalar, double> {
    static constexpr int initial = 2;
} wrong_scalar;
TEST_CASE("a scalar with an initial value need not be bound, and begins each run with it", "[host][binding]") {
    std::vector<double> memory(3, 1);
    constexpr auto e = loop_while(times > 0, seq(for_each(over(scaled), scale_all{})(inout(scaled[each]), in(factor)), assign(times, times - 1)));
    simulate(e, scaled(memory.data(), 3));
    CHECK(memory == std::vector<double>(3, 9));
    simulate(e, scaled(memory.data(), 3));
    CHECK(memory == std::vector<double>(3, 81));
    int bound = 1;
    simulate(e, scaled(memory.data(), 3), times(&bound));
    CHECK(memory == std::vector<double>(3, 243));
    CHECK(bound == 0);
}
static_assert(diagnose<decltype(simulate(assign(wrong_scalar, wrong_scalar + 1)))> == reason::unbound_variable<struct wrong_scalar>{});
static_assert(diagnose<decltype(simulate(for_each(over(scaled), scale_all{})(inout(scaled[each]), in(ill_typed)), scaled(static_cast<double*>(nullptr), 0)))> ==
              reason::unbound_variable<struct ill_typed>{});

}  // namespace

TEST_CASE("memory may be an array, a span, a pointer and a count, or anything with data and size") {
    double result = 0;
    double raw[] = {1, 2, 3};
    simulate(sum, x(raw), total(&result));
    CHECK(result == 6);
    simulate(sum, x(raw, 2), total(&result));
    CHECK(result == 3);
    std::vector<double> owner = {4, 5};
    simulate(sum, x(std::span(owner)), total(&result));
    CHECK(result == 9);
    struct my_span {
        double* first;
        double* data() const { return first; }
        std::size_t size() const { return 2; }
    };
    simulate(sum, x(my_span{raw + 1}), total(&result));
    CHECK(result == 5);
    const my_span constant{raw};
    simulate(sum, x(constant), total(&result));
    CHECK(result == 3);
    simulate(sum, x(static_cast<double*>(nullptr), 0), total(&result));
    CHECK(result == 0);
}

TEST_CASE("memory that is only read may be const") {
    double result = 0;
    const std::array<double, 3> constant = {1, 2, 4};
    simulate(sum, x(constant.data(), constant.size()), total(&result));
    CHECK(result == 7);
    simulate(sum, x(std::span(constant)), total(&result));
    CHECK(result == 7);
}

TEST_CASE("bindings come in any order, and a value is converted") {
    std::vector<double> memory = {1, 2};
    double result = 0;
    const auto e = seq(for_each(over(x), grow{})(inout(x[each]), scale), sum);
    simulate(e, total(&result), scale(2), x(std::span(memory)));
    simulate(e, scale(0.5), x(std::span(memory)), total(&result));
    CHECK(result == 3);
    CHECK(memory == std::vector<double>{1, 2});
}

TEST_CASE("a value is bound to a number that its type holds") {
    const auto refusal = [](auto bind) {
        try {
            bind();
        } catch (const error& problem) {
            return std::string(problem.what());
        }
        return std::string();
    };
    CHECK(refusal([] { lanes(2.75); }) == "cograph: 'lanes' is bound to 2.75, which its type int cannot hold");
    CHECK(refusal([] { lanes(std::size_t{4} << 40); }) == "cograph: 'lanes' is bound to 4398046511104, which its type int cannot hold");
    CHECK(refusal([] { lanes(-2147483649.0); }) == "cograph: 'lanes' is bound to -2147483649, which its type int cannot hold");
    CHECK(refusal([] { lanes(std::numeric_limits<float>::quiet_NaN()); }).find("'lanes' is bound to nan, which") != std::string::npos);
    CHECK(refusal([] { many(-1); }).find("'many' is bound to -1, which") != std::string::npos);
    CHECK(refusal([] { many(18446744073709551616.0); }) != "");
    CHECK(refusal([] { chosen(2); }) == "cograph: 'chosen' is bound to 2, which its type bool cannot hold");
    CHECK(refusal([] { chosen(0.5); }) != "");
    const std::vector<int> five(5);
    CHECK(lanes(five.size()).value == 5);
    CHECK(lanes(-2147483648.0).value == -2147483647 - 1);
    CHECK(lanes(2147483647.0).value == 2147483647);
    CHECK(lanes(true).value == 1);
    CHECK(many(9223372036854775808.0).value == std::uint64_t{1} << 63);
    CHECK(chosen(1).value);
    CHECK_FALSE(chosen(0.0).value);
    CHECK(scale(1).value == 1);
    CHECK(scale(0.1).value == 0.1f);
    CHECK(scale(16777217).value == 16777216);
    struct convertible {
        operator double() const { return 2.5; }
    };
    CHECK(lanes(convertible{}).value == 2);
}

TEST_CASE("a scalar that is written first need not be bound, but may be") {
    std::vector<double> memory = {1, 2};
    double result = -1;
    simulate(sum, x(std::span(memory)));
    simulate(sum, x(std::span(memory)), total(&result));
    CHECK(result == 3);
}

TEST_CASE("a temp has as many elements as its binding says, or as another variable has") {
    std::vector<double> memory(7);
    long long n = 0;
    simulate(seq(fill(out(counted), 1), single_task(count_elements{})(out(count), extent(counted))), counted(5),
             count(&n));
    CHECK(n == 5);
    simulate(seq(copy(in(x), out(t)), single_task(count_elements{})(out(count), extent(t))), x(std::span(memory)),
             count(&n));
    CHECK(n == 7);
    simulate(seq(fill(out(counted), 1), single_task(count_elements{})(out(count), extent(counted))), counted(0),
             count(&n));
    CHECK(n == 0);
}

TEST_CASE("a temp may have the extent of a variable that is used for nothing else", "") {
    std::vector<double> memory(7);
    long long n = 0;
    simulate(seq(fill(out(t), 1), single_task(count_elements{})(out(count), extent(t))), x(std::span(memory)),
             count(&n));
    CHECK(n == 7);
}

TEST_CASE("a temp may have the extent of another temp", "") {
    std::vector<double> memory(7);
    long long n = 0;
    simulate(seq(fill(out(u), 1), copy(in(u), out(t)), copy(in(t), out(x)),
                 single_task(count_elements{})(out(count), extent(u))),
             x(std::span(memory)), count(&n));
    CHECK(n == 7);
    CHECK(memory == std::vector<double>(7, 1));
}

TEST_CASE("a temp may have as many elements as a formula over extents and values says", "") {
    std::vector<double> memory(10);
    double one[1] = {};
    const auto count_of = [&](auto v, auto... bindings) {
        long long found = -1;
        simulate(seq(single_task(count_elements{})(out(count), extent(v)), fill(out(v), 1)), count(&found), bindings...);
        return found;
    };
    const auto xs = x(std::span(memory));
    CHECK(count_of(padded, xs) == 21);
    CHECK(count_of(padded, x(memory.data(), 0)) == 1);
    CHECK(count_of(mixed, xs, lanes(9)) == 4);    // max((21 - 9) / 4 rounded up, 4)
    CHECK(count_of(mixed, xs, lanes(8)) == 4);    // max(13 / 4 rounded up, 4)
    CHECK(count_of(mixed, xs, lanes(-100)) == 31);
    CHECK(count_of(mixed, xs, lanes(1000)) == 3);  // max(-979 / 4 rounded up, 500 % 7)
    CHECK(count_of(least, xs, lanes(50)) == 47);
    CHECK(count_of(least, xs, lanes(500)) == 100);
    CHECK(count_of(seven) == 7);
    CHECK(count_of(as_many, many(12)) == 12);
    CHECK(count_of(divided, xs, y(one), lanes(4)) == 3);

    const auto refusal = [&](auto v, auto... bindings) {
        try {
            count_of(v, bindings...);
        } catch (const error& problem) {
            return std::string(problem.what());
        }
        return std::string();
    };
    CHECK(refusal(least, xs, lanes(2)) == "cograph: 'least' would have a negative size: -1 elements");
    CHECK(refusal(divided, xs, y(one), lanes(0)) == "cograph: 'divided' has a size that divides by zero");
    const std::string wraps = "cograph: 'squared' has a size that wraps around in 64 bits";
    CHECK(refusal(squared, xs, many(std::uint64_t{1} << 63)) == wraps);
    CHECK(refusal(squared, xs, many(std::uint64_t{1} << 60)) == wraps);
    CHECK(refusal(squared, xs, many(std::uint64_t{1} << 56)) ==
          "cograph: 'squared' would have more elements than memory can hold: 7205759403792793600 elements");
}

TEST_CASE("temps are aligned for any element, and show where nobody wrote") {
    struct leave {
        void operator()(double*) const {}
    };
    struct look {
        void operator()(const double* memory, double* results) const {
            results[0] = memory[0];
            results[1] = static_cast<double>(reinterpret_cast<std::size_t>(memory) % 256);
        }
    };
    double results[2] = {-1, -1};
    simulate(seq(single_task(leave{})(out(counted)), single_task(look{})(in(counted), out(y))), counted(3), y(results));
    CHECK(results[0] != results[0]);
    CHECK(results[1] == 0);
}
