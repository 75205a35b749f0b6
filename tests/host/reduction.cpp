// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"
#include "../documented_order.hpp"

#include <cograph.hpp>
#include <cograph/expr/reduction/order_of_terms.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <utility>
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

inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;
struct own_value {
    COGRAPH_HD double operator()(index_t, index_t, const double& value) const { return value; }
};
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

TEST_CASE("a sum over a box is taken in the order that is documented for its sides") {
    const std::vector<double> numbers = random_numbers(2'400'000);
    const auto add = [](double a, double b) { return a + b; };
    const auto check = [&](auto box, int of_rows, int of_columns, double identity, bool in_patches) {
        CAPTURE(of_rows, of_columns, identity, in_patches);
        const std::size_t height = static_cast<std::size_t>(of_rows), width = static_cast<std::size_t>(of_columns);
        const std::vector<double> terms(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(height * width));
        double sum = -1;
        simulate(transform_reduce(box, own_value{}, plus{}, identity)(out(total), in(x[each])), x(terms.data(), terms.size()), rows(of_rows), columns(of_columns), total(&sum));
        const double expected = documented_order::join_box(terms, height, width, identity, add, in_patches);
        CHECK(std::memcmp(&sum, &expected, sizeof sum) == 0);
    };
    constexpr auto box = over(rows, columns);
    for (const auto& [of_rows, of_columns] : {std::pair{512, 512}, {1024, 1024}, {363, 365}, {64, 4096}, {4096, 64}, {600, 300}, {1021, 777}, {8190, 127}, {362, 362}, {1, 200'000}, {1100, 1100}})
        for (const double identity : {0.0, 0.5}) check(box, of_rows, of_columns, identity, false);
    // Small, cut as without; large; with too few columns; with too many.
    for (const auto& [of_rows, of_columns] : {std::pair{300, 400}, {1000, 1000}, {1025, 1025}, {1600, 1300}, {150, 16'000}, {16'400, 120}, {30'000, 40}, {100, 17'000}}) check(box.in_patches(), of_rows, of_columns, 0.5, true);
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

namespace {

// Which of several largest terms is the result.
TEST_CASE("the first of several zeros in the order of terms is the largest, and the last of several NaNs") {
    for (const std::size_t count : {1u, 31u, 255u, 256u, 257u, 7'000u, 131'072u, 131'073u, 140'001u, 400'000u}) {
        std::mt19937 generator(static_cast<unsigned>(count));
        std::vector<double> zeros(count, -1.0), numbers(count, 1.0);
        double first = 0;
        std::uint64_t of_first = ~std::uint64_t{0}, of_last = 0, of_nan = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t place = order_of_terms::place_of(static_cast<index_t>(i));
            REQUIRE(order_of_terms::element_at(place) == static_cast<index_t>(i));
            if (generator() % 3 != 0 && i > 0) continue;
            zeros[i] = generator() % 2 == 0 ? 0.0 : -0.0;
            if (place < of_first) of_first = place, first = zeros[i];
            const std::uint64_t bits = 0x7ff8'0000'0000'0000 + i;
            std::memcpy(&numbers[i], &bits, sizeof bits);
            if (place >= of_last) of_last = place, of_nan = bits;
        }
        CHECK(std::signbit(documented_order::join(zeros, maximum::identity<double>(), maximum{})) == std::signbit(first));
        const double last = documented_order::join(numbers, maximum_or_nan::identity<double>(), maximum_or_nan{});
        CHECK(std::memcmp(&last, &of_nan, sizeof last) == 0);
    }
}

// Few terms as one thread joins them, which gives the identities of the other lanes at once.
template <bool IsNeutral, class T, class Op>
void check_few_terms(const std::vector<T>& terms, T identity, Op op) {
    for (int count = 1; count <= 8; ++count) {
        CAPTURE(count, identity);
        const T few = join_few_in_lane_order<256, IsNeutral>(terms.data(), count, identity, op);
        const T all = documented_order::tile({terms.begin(), terms.begin() + count}, 0, 256, identity, op);
        CHECK(std::memcmp(&few, &all, sizeof few) == 0);
        const T in_lanes = join_in_lane_order<256, index_t>(0, count, 256, identity, op, [&](index_t i) { return terms[static_cast<std::size_t>(i)]; });
        CHECK(std::memcmp(&few, &in_lanes, sizeof few) == 0);
    }
}

}  // namespace

TEST_CASE("few terms are joined with the identity of every lane, bit for bit") {
    const std::vector<double> numbers = random_numbers(8), negative_zeros(8, -0.0);
    const std::vector<std::int64_t> integers = {10, 20, -7, 1'000'003, 5, 6, -900, 8};
    check_few_terms<false, std::int64_t>(integers, 3, plus{});
    check_few_terms<true, std::int64_t>(integers, 0, plus{});
    check_few_terms<false, std::int64_t>(integers, 3, [](std::int64_t a, std::int64_t b) { return (5 * a - 3 * b + 1) % 100'003; });
    for (const double identity : {0.0, -0.0, 3.0, 0.1}) {
        for (const auto& terms : {numbers, negative_zeros}) {
            check_few_terms<false>(terms, identity, plus{});
            if (identity == 0) check_few_terms<true>(terms, identity, plus{});
            check_few_terms<false>(terms, identity, [](double a, double b) { return 0.7 * a - 0.3 * b + 0.01; });
        }
    }
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
