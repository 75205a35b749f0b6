// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

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
