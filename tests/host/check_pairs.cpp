// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

using namespace cograph;

// One pair of elements among others that adds to one place. The sum is the same in every order, so only a run in which the two are in
// different halves shows them.
namespace check_pairs_test {

inline constexpr struct places : buffer<places, int> {} places;
inline constexpr struct counts : buffer<counts, int> {} counts;
inline constexpr struct turn : scalar<turn, index_t> {} turn;

struct count_at {
    void operator()(index_t, int place, int* all) const { ++all[place]; }
};

struct pair_of_elements {
    index_t first, second;
};
pair_of_elements random_pair(std::mt19937& random, std::size_t n) {
    const auto first = random() % n, second = (first + 1 + random() % (n - 1)) % n;
    return {static_cast<index_t>(std::min(first, second)), static_cast<index_t>(std::max(first, second))};
}
// Each element has a place of its own, except for the pair.
std::vector<int> places_of(std::size_t n, pair_of_elements pair) {
    std::vector<int> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<int>((i * 7 + 3) % n);  // n is no multiple of 7
    all[static_cast<std::size_t>(pair.second)] = all[static_cast<std::size_t>(pair.first)];
    return all;
}
template <class... Options>
void expect_pair(std::size_t n, pair_of_elements pair, Options... options) {
    std::vector<int> to = places_of(n, pair), numbers(n);
    const auto report = check(for_each(over(places), count_at{})(in(places[each]), inout(counts)), places(std::span(to)), counts(std::span(numbers)), options...);
    INFO(n << " elements, " << pair.first << " and " << pair.second << "\n" << report.text());
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::write_write_race);
    CHECK(report.findings()[0].first == pair.first);
    CHECK(report.findings()[0].second == pair.second);
    CHECK(report.findings()[0].element == to[static_cast<std::size_t>(pair.first)]);
}

TEST_CASE("any two of up to 128 elements that add to one place are found") {
    std::mt19937 random(1);
    for (const std::size_t n : {2u, 3u, 4u, 5u, 13u, 64u, 65u, 100u, 127u, 128u})
        for (unsigned long long turn_of = 1; turn_of <= 30; ++turn_of) expect_pair(n, random_pair(random, n), check_seed(turn_of));
}

TEST_CASE("with check_all_pairs, any two of many elements that add to one place are found") {
    std::mt19937 random(2);
    for (const std::size_t n : {129u, 1000u, 8192u, 8193u, 20000u})
        for (unsigned long long turn_of = 1; turn_of <= 8; ++turn_of) expect_pair(n, random_pair(random, n), check_seed(turn_of), check_all_pairs);
}

TEST_CASE("with check_all_pairs, they are also found if they first meet in a later iteration") {
    struct from_then_on {
        void operator()(index_t i, int place, int* all, index_t now) const { ++all[now < 2 ? i : place]; }
    };
    std::mt19937 random(3);
    for (const std::size_t n : {1000u, 20000u})
        for (int each_of = 0; each_of < 4; ++each_of) {
            const pair_of_elements pair = random_pair(random, n);
            std::vector<int> to = places_of(n, pair), numbers(n);
            index_t now = 0;
            const auto report = check(repeat<3>(seq(for_each(over(places), from_then_on{})(in(places[each]), inout(counts), in(turn)), assign(turn, turn + 1))),
                                      places(std::span(to)), counts(std::span(numbers)), turn(&now), check_all_pairs);
            INFO(report.text());
            REQUIRE(report.findings().size() == 1);
            CHECK(report.findings()[0].first == pair.first);
            CHECK(report.findings()[0].second == pair.second);
            CHECK(report.findings()[0].iteration == 2);
        }
}

// Halves are by another bit of the elements' numbers each time.
TEST_CASE("two of many elements that add to one place in each iteration are found in the course of a loop") {
    std::mt19937 random(4);
    for (const std::size_t n : {1000u, 20000u}) {
        const int iterations = n == 1000 ? 2 * 10 : 3 * 15;
        for (unsigned long long turn_of = 1; turn_of <= 8; ++turn_of) {
            const pair_of_elements pair = random_pair(random, n);
            std::vector<int> to = places_of(n, pair), numbers(n);
            const auto report = check(repeat(iterations, for_each(over(places), count_at{})(in(places[each]), inout(counts))), places(std::span(to)),
                                      counts(std::span(numbers)), check_seed(turn_of));
            INFO(n << " elements\n" << report.text());
            REQUIRE(report.findings().size() == 1);
            CHECK(report.findings()[0].first == pair.first);
            CHECK(report.findings()[0].second == pair.second);
        }
    }
}

TEST_CASE("check_all_pairs calls a function once more for each bit of the elements' numbers") {
    static index_t calls = 0;
    struct counted {
        void operator()(index_t i, int* all) const {
            ++calls;
            ++all[i];
        }
    };
    std::vector<int> numbers(20000);
    const auto calls_with = [&](auto... options) {
        calls = 0;
        CHECK(check(for_each(over(counts), counted{})(inout(counts)), counts(std::span(numbers)), options...).text() == "");
        return calls / static_cast<index_t>(numbers.size());
    };
    CHECK(calls_with(check_all_pairs) == calls_with() + 15);
}

}  // namespace check_pairs_test
