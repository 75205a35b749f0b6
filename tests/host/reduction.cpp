// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"
#include "../documented_order.hpp"

#include <cograph.hpp>

#include <cstring>
#include <random>
#include <span>
#include <vector>

using namespace cograph;
using namespace cograph::core;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct total : scalar<total, double> {} total;

double documented_sum(const std::vector<double>& terms) {
    return documented_order::join(terms, 0.0, [](double a, double b) { return a + b; });
}

std::vector<double> random_numbers(std::size_t count) {
    std::mt19937_64 generator(42);
    std::uniform_real_distribution<double> between(-1, 1);
    std::vector<double> numbers(count);
    for (double& number : numbers) number = between(generator);
    return numbers;
}

struct times_itself {
    COGRAPH_HD double operator()(index_t, const double& value) const { return value * value; }
};

}  // namespace

TEST_CASE("a sum is taken in the documented order, bit for bit") {
    const std::vector<double> numbers = random_numbers(2'000'003);
    for (std::size_t n : {0, 1, 2, 31, 32, 255, 256, 257, 1023, 1024, 1025, 2049, 100'000, 1'000'000,
                          1'048'576, 1'048'577, 2'000'003}) {
        CAPTURE(n);
        double sum = -1;
        simulate(reduce(out(total), in(x)), x(numbers.data(), n), total(&sum));
        const double expected =
            documented_sum({numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n)});
        CHECK(std::memcmp(&sum, &expected, sizeof sum) == 0);
    }
}

TEST_CASE("so are the terms of a transformed reduction and of a dot product") {
    std::vector<double> numbers = random_numbers(30'001);
    double sum = 0, product = 0;
    simulate(transform_reduce(over(x), times_itself{}, plus{})(out(total), in(x[each])),
             x(std::span(numbers)), total(&sum));
    simulate(dot(out(total), in(x), in(y)), x(std::span(numbers)), y(std::span(numbers)), total(&product));
    for (double& number : numbers) number *= number;
    const double expected = documented_sum(numbers);
    CHECK(std::memcmp(&sum, &expected, sizeof sum) == 0);
    CHECK(std::memcmp(&product, &expected, sizeof product) == 0);
}

template <class T, class U, class Result>
Result dot_of(T left, U right) {
    struct a : buffer<a, T> {};
    struct b : buffer<b, U> {};
    struct to : scalar<to, Result> {};
    Result result{};
    simulate(dot(out(to{}), in(a{}), in(b{})), a{}(std::span(&left, 1)), b{}(std::span(&right, 1)), to{}(&result));
    return result;
}
TEST_CASE("a dot product multiplies in the type that holds the elements and the result") {
    CHECK(dot_of<short, short, int>(300, 300) == 90'000);
    CHECK(dot_of<unsigned char, unsigned char, int>(200, 200) == 40'000);
    CHECK(dot_of<int, int, long long>(100'000, 100'000) == 10'000'000'000);
    CHECK(dot_of<int, int, double>(100'000, 100'000) == 1e10);
    CHECK(dot_of<float, float, double>(4097, 4097) == 16'785'409);
    CHECK(dot_of<float, float, float>(4097, 4097) == 16'785'408);
    CHECK(dot_of<double, float, double>(0.5, 3) == 1.5);
    CHECK(dot_of<int, double, double>(3, 0.5) == 1.5);
}

TEST_CASE("an operation joins every element once, whatever their number") {
    struct one {
        COGRAPH_HD double operator()(index_t) const { return 1; }
    };
    for (index_t n : {0, 1, 255, 256, 1023, 1024, 1025, 1'000'003, 3'141'592}) {
        double counted = -1;
        simulate(transform_reduce(over(n), one{}, plus{})(out(total)), total(&counted));
        CHECK(counted == static_cast<double>(n));
    }
}
