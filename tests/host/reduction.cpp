// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

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

// The documented order, written again. Tiles of 256 lanes take chunks, 512 at most: lane l of chunk c sums
// 256 c + l and, in order, the elements that lie a multiple of 256 times the number of chunks behind it;
// within each warp lanes at distance 16, 8, 4, 2, 1 are joined, then the 8 warps at distance 4, 2, 1. The
// chunks' results are summed by one tile in the same way.
double tile(const std::vector<double>& terms, std::size_t first, std::size_t stride) {
    std::vector<double> lane(256, 0.0);
    for (std::size_t l = 0; l < 256; ++l)
        for (std::size_t i = first + l; i < terms.size(); i += stride) lane[l] += terms[i];
    for (int distance : {16, 8, 4, 2, 1})
        for (std::size_t l = 0; l < 256; ++l)
            if (static_cast<int>(l % 32) < distance) lane[l] += lane[l + static_cast<std::size_t>(distance)];
    std::vector<double> warp(8);
    for (std::size_t w = 0; w < 8; ++w) warp[w] = lane[32 * w];
    for (int distance : {4, 2, 1})
        for (std::size_t w = 0; static_cast<int>(w) < distance; ++w)
            warp[w] += warp[w + static_cast<std::size_t>(distance)];
    return warp[0];
}
double documented_sum(const std::vector<double>& terms) {
    std::size_t chunks = (terms.size() + 255) / 256;
    if (chunks > 512) chunks = 512;
    std::vector<double> partial;
    for (std::size_t c = 0; c < chunks; ++c) partial.push_back(tile(terms, 256 * c, 256 * chunks));
    if (partial.empty()) return 0;
    return partial.size() == 1 ? partial[0] : tile(partial, 0, 256);
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
