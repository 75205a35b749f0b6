// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct h : host_buffer<h, int> {} h;
inline constexpr struct p : pinned_buffer<p, int> {} p;
inline constexpr struct what : value<what, box> {} what;

std::vector<int> numbers(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}
std::string refusal(const box& b, std::size_t from, std::size_t to) {
    std::vector<int> xs(from), ys(to);
    try {
        simulate(copy(in(x), inout(y), what), x(std::span(xs)), y(std::span(ys)), what(b));
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST_CASE("copies between host and device memory") {
    std::vector<int> hs = numbers(5), xs(5), ps(5);
    simulate(seq(copy(in(h), out(x)), repeat(2, copy(in(x), out(p)))), h(std::span(hs)), x(std::span(xs)), p(std::span(ps)));
    CHECK(xs == hs);
    CHECK(ps == hs);
    std::vector<int> shorter(4);
    CHECK_THROWS_AS(simulate(copy(in(h), out(x)), h(std::span(hs)), x(std::span(shorter))), error);
    simulate(copy(in(h), out(x)), h(static_cast<const int*>(nullptr), 0), x(std::span(xs).first(0)));
}

TEST_CASE("copies of boxes") {
    std::vector<int> xs = numbers(60), ys(40, -1);
    // Rows of 3 from rows of 5, into rows of 4; slices of 2 rows from slices of 3, into slices of 2.
    const box b{.width = 3, .height = 2, .depth = 3, .from_begin = 6, .to_begin = 1, .from_pitch = 5, .to_pitch = 4, .from_rows = 3};
    std::vector<int> wanted = ys;
    for (int slice = 0; slice < 3; ++slice)
        for (int r = 0; r < 2; ++r)
            for (int column = 0; column < 3; ++column)
                wanted[static_cast<std::size_t>(1 + (slice * 2 + r) * 4 + column)] = xs[static_cast<std::size_t>(6 + (slice * 3 + r) * 5 + column)];
    simulate(copy(in(x), inout(y), b), x(std::span(xs)), y(std::span(ys)));
    CHECK(ys == wanted);
    simulate(copy(in(x), inout(y), {.width = 2, .from_begin = 58, .to_begin = 38}), x(std::span(xs)), y(std::span(ys)));
    CHECK(ys[39] == 59);
    simulate(copy(in(x), inout(y), box{.width = 0}), x(std::span(xs)), y(std::span(ys)));
}

TEST_CASE("boxes lie in both memories") {
    CHECK(refusal({.width = 3, .height = 2, .from_pitch = 5}, 8, 6) == "");
    CHECK(refusal({.width = 3, .height = 2, .from_pitch = 5}, 7, 6).find("does not lie in 'x': it has 7 elements") != std::string::npos);
    CHECK(refusal({.width = 3, .height = 2, .from_pitch = 5}, 8, 5).find("does not lie in 'y'") != std::string::npos);
    CHECK(refusal({.width = 3, .height = 2, .from_pitch = 2}, 80, 60) != "");
    CHECK(refusal({.width = 3, .height = 2, .depth = 2, .from_rows = 1}, 80, 60) != "");
    CHECK(refusal({.width = 3, .height = 2, .depth = 2, .from_rows = 3}, 15, 12) == "");
    CHECK(refusal({.width = 3, .height = 2, .depth = 2, .from_rows = 3}, 14, 12) != "");
    CHECK(refusal({.width = -1}, 80, 60) != "");
    CHECK(refusal({.width = 1, .from_begin = -1}, 80, 60) != "");
    CHECK(refusal({.width = 1, .to_begin = 60}, 80, 60) != "");
    CHECK(refusal({.width = PTRDIFF_MAX, .height = PTRDIFF_MAX, .depth = PTRDIFF_MAX}, 80, 60) != "");
    CHECK(refusal({.width = 1, .height = PTRDIFF_MAX, .depth = PTRDIFF_MAX, .from_pitch = PTRDIFF_MAX}, 80, 60) != "");
    CHECK(refusal({.width = 1, .height = 1, .depth = 2, .from_rows = PTRDIFF_MAX}, 80, 60) != "");
}

std::string refusal_within(const box& b, std::size_t size) {
    std::vector<int> xs = numbers(static_cast<int>(size));
    try {
        simulate(copy(in(x), inout(x), what), x(std::span(xs)), what(b));
    } catch (const error& e) {
        return e.what();
    }
    return {};
}
bool have_an_element_in_common(const box& b) {
    const auto at = [&](const core::box_side& side, index_t slice, index_t row, index_t column) { return side.begin + (slice * side.rows + row) * side.pitch + column; };
    std::vector<index_t> of_from;
    for (const bool is_from : {true, false})
        for (index_t slice = 0; slice < b.depth; ++slice)
            for (index_t row = 0; row < b.height; ++row)
                for (index_t column = 0; column < b.width; ++column) {
                    const index_t here = at(is_from ? core::from_side(b) : core::to_side(b), slice, row, column);
                    if (is_from)
                        of_from.push_back(here);
                    else if (std::find(of_from.begin(), of_from.end(), here) != of_from.end())
                        return true;
                }
    return false;
}

TEST_CASE("the sides of a copy may not overlap") {
    const char* const words = "the two sides of a copy may not overlap";
    CHECK(refusal_within({.width = 15, .to_begin = 3}, 20).find(words) != std::string::npos);
    CHECK(refusal_within({.width = 10, .to_begin = 10}, 20) == "");
    CHECK(refusal_within({.width = 0}, 20) == "");
    // A column of an image onto another one, as a halo is filled.
    CHECK(refusal_within({.width = 1, .height = 4, .from_begin = 1, .to_begin = 7, .from_pitch = 8, .to_pitch = 8}, 32) == "");
    std::vector<int> ps = numbers(5);
    CHECK_THROWS_AS(simulate(copy(in(p), out(p)), p(std::span(ps))), error);

    int met = 0, apart = 0, wary = 0;
    std::uint32_t state = 1;
    for (int n = 0; n < 4000; ++n) {
        const auto next = [&](int most) { return static_cast<index_t>((state = state * 1664525u + 1013904223u) >> 16) % (most + 1); };
        box b{.width = 1 + next(3), .height = 1 + next(2), .depth = 1 + next(2)};
        b.from_begin = next(40);
        b.to_begin = next(40);
        b.from_pitch = b.to_pitch = b.width + next(5);
        b.from_rows = b.to_rows = b.height + next(2);
        const bool differs = next(3) == 0;
        if (differs) b.to_pitch += 1;
        const bool refused = refusal_within(b, 300) != "";
        if (have_an_element_in_common(b)) {
            ++met;
            CHECK(refused);
        } else if (differs) {
            wary += refused;
        } else {
            ++apart;
            CHECK(!refused);
        }
    }
    CHECK((met > 200 && apart > 200 && wary > 0));
}
