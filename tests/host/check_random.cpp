// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace cograph;

// Random nodes whose elements read and write what tables say, against all pairs of elements.
namespace check_random_test {

inline constexpr struct x : buffer<x, std::uint64_t> {} x;
inline constexpr struct y : buffer<y, std::uint64_t> {} y;
inline constexpr struct to_write : buffer<to_write, int> {} to_write;
inline constexpr struct to_read : buffer<to_read, int> {} to_read;

// No two results are alike.
COGRAPH_HD std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    a = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xd6e8feb86659fd93u;
    return (a ^ a >> 32) * 0xd6e8feb86659fd93u;
}
struct in_place {
    COGRAPH_HD void operator()(index_t i, int target, int source, std::uint64_t* all) const {
        const std::uint64_t value = mixed(static_cast<std::uint64_t>(i), source < 0 ? 0 : all[source]);
        if (target >= 0) all[target] = value;
    }
};
struct into_another {
    COGRAPH_HD void operator()(index_t i, int target, int source, const std::uint64_t* from, std::uint64_t* to) const {
        if (target >= 0) to[target] = mixed(static_cast<std::uint64_t>(i), source < 0 ? 0 : from[source]);
    }
};

struct tables {
    std::vector<int> target, source;  // by element; -1: none
    std::vector<std::uint64_t> xs, ys;
};
// A permutation of targets, some sources, and a few changes of both.
tables random_tables(std::mt19937& random) {
    const int n = 2 + static_cast<int>(random() % 70);
    const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    tables t{std::vector<int>(static_cast<std::size_t>(n)), std::vector<int>(static_cast<std::size_t>(n), -1), {}, {}};
    for (int i = 0; i < n; ++i) t.target[static_cast<std::size_t>(i)] = i;
    std::shuffle(t.target.begin(), t.target.end(), random);
    for (int i = 0; i < n; ++i)
        if (random() % 2) t.source[static_cast<std::size_t>(i)] = t.target[static_cast<std::size_t>(i)];  // its own place
    for (int changes = below(3); changes > 0; --changes) (random() % 2 ? t.target : t.source)[static_cast<std::size_t>(below(n))] = below(n);
    for (int i = 0; i < n; ++i) t.xs.push_back(mixed(static_cast<std::uint64_t>(i), 77)), t.ys.push_back(mixed(static_cast<std::uint64_t>(i), 78));
    return t;
}

bool meet_in_writing(const tables& t, std::size_t i, std::size_t j) { return i != j && t.target[i] >= 0 && t.target[i] == t.target[j]; }
bool reads_from(const tables& t, std::size_t i, std::size_t j) { return i != j && t.target[i] >= 0 && t.source[i] >= 0 && t.source[i] == t.target[j]; }
template <class Test>
bool any_pair(const tables& t, Test test) {
    for (std::size_t i = 0; i < t.target.size(); ++i)
        for (std::size_t j = 0; j < t.target.size(); ++j)
            if (test(t, i, j)) return true;
    return false;
}

TEST_CASE("races are found where two elements meet, and nowhere else") {
    std::mt19937 random(1);
    int races = 0, fine = 0;
    for (int turn = 0; turn < 3000; ++turn) {
        CAPTURE(turn);
        tables t = random_tables(random);
        const bool is_race = any_pair(t, meet_in_writing) || any_pair(t, reads_from);
        (is_race ? races : fine)++;
        const auto report = check(for_each(over(to_write), in_place{})(in(to_write[each]), in(to_read[each]), inout(x)), to_write(std::span(t.target)),
                                  to_read(std::span(t.source)), x(std::span(t.xs)), check_seed(static_cast<unsigned>(turn)), without_hints);
        INFO(report.text());
        REQUIRE(report.empty() != is_race);
        for (const finding& f : report.findings()) {
            REQUIRE((f.kind == finding_kind::write_write_race || f.kind == finding_kind::read_write_race));
            REQUIRE(f.first >= 0);
            REQUIRE(f.second >= 0);
            const auto first = static_cast<std::size_t>(f.first), second = static_cast<std::size_t>(f.second);
            if (f.kind == finding_kind::write_write_race) {
                REQUIRE(meet_in_writing(t, first, second));
                REQUIRE(t.target[first] == f.element);
            } else {
                REQUIRE(reads_from(t, first, second));
                REQUIRE(t.target[second] == f.element);
            }
        }
    }
    CHECK(races > 500);
    CHECK(fine > 500);
}

TEST_CASE("between two buffers, only writes can meet, and what is not written is known") {
    std::mt19937 random(2);
    for (int turn = 0; turn < 1000; ++turn) {
        CAPTURE(turn);
        tables t = random_tables(random);
        if (random() % 4 == 0) t.target[random() % t.target.size()] = -1;
        const bool meets = any_pair(t, meet_in_writing);
        std::vector<bool> is_written(t.target.size());
        for (const int target : t.target)
            if (target >= 0) is_written[static_cast<std::size_t>(target)] = true;
        index_t left_out = 0;
        while (left_out < static_cast<index_t>(is_written.size()) && is_written[static_cast<std::size_t>(left_out)]) ++left_out;
        const auto report = check(for_each(over(to_write), into_another{})(in(to_write[each]), in(to_read[each]), in(x), out(y)), to_write(std::span(t.target)),
                                  to_read(std::span(t.source)), x(std::span(t.xs)), y(std::span(t.ys)), check_seed(static_cast<unsigned>(turn)));
        INFO(report.text());
        REQUIRE(report.empty() != meets);
        index_t said = static_cast<index_t>(is_written.size());
        for (const finding& f : report.hints())
            if (f.kind == finding_kind::partly_written) said = f.element;
        REQUIRE(said == left_out);
    }
}

}  // namespace check_random_test
