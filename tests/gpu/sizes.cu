// SPDX-License-Identifier: Apache-2.0
#include "../expressions/orderless.hpp"
#include "../expressions/own_elements.hpp"
#include "../expressions/sizes.hpp"
#include "ways.cuh"

TEST_CASE("a loop over buffers of any size: every way gives what plain C++ gives", "[gpu][sizes]") {
    for (const int n : expressions::sizes::of_loops) {
        if (n > 200'000 && leave_out::under_tool()) continue;  // minutes
        DYNAMIC_SECTION(n << " elements") {
            ways::check_all_ways(expressions::sizes::loop_over(static_cast<std::size_t>(n)));
        }
    }
}

TEST_CASE("loops over two domains: every way gives what plain C++ gives", "[gpu][sizes]") {
    ways::check_all_ways<expressions::sizes::two_domains>();
}

TEST_CASE("a copy and a fill of any size: every way gives what plain C++ gives", "[gpu][sizes]") {
    for (const int n : expressions::sizes::of_copies) {
        DYNAMIC_SECTION(n << " elements") {
            ways::check_all_ways(expressions::sizes::copied_and_filled(static_cast<std::size_t>(n)));
        }
    }
}

TEST_CASE("loops that keep copies of elements: every way gives what plain C++ gives", "[gpu][sizes]") {
    for (const int n : expressions::own_elements::sizes) {
        if (n > 10'000 && n != 131'073 && leave_out::under_tool()) continue;  // minutes
        DYNAMIC_SECTION(n << " elements") {
            ways::check_all_ways(expressions::own_elements::loop_over(static_cast<std::size_t>(n), 5));
        }
    }
    SECTION("in no pass") { ways::check_all_ways(expressions::own_elements::loop_over(3000, 0)); }
}

namespace {
using namespace cograph::core;
static_assert(how_to_join<plus, int>() == word_join::sum && how_to_join<plus, std::uint64_t>() == word_join::sum);
static_assert(how_to_join<plus, double>() == word_join::none && how_to_join<plus, bool>() == word_join::none);
static_assert(how_to_join<maximum, double>() == word_join::largest && how_to_join<minimum, short>() == word_join::largest);
static_assert(how_to_join<maximum_or_nan, float>() == word_join::largest && how_to_join<minimum_or_nan, double>() == word_join::largest && how_to_join<maximum, long double>() == word_join::none);
static_assert(how_to_join<both_hold, bool>() == word_join::largest && how_to_join<one_holds, bool>() == word_join::largest);
static_assert(how_to_join<multiplies, int>() == word_join::none && how_to_join<maximum, expressions::own_elements::triple>() == word_join::none);
}  // namespace

TEST_CASE("loops of reductions in any order: every way gives what plain C++ gives, bit for bit", "[gpu][sizes]") {
    for (const int n : expressions::orderless::sizes) {
        if (n > 10'000 && leave_out::under_tool()) continue;  // minutes
        DYNAMIC_SECTION(n << " elements") { ways::check_all_ways(expressions::orderless::loop_over(static_cast<std::size_t>(n), 7)); }
    }
}
