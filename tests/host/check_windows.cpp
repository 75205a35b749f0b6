// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace cograph;

// A check of a node over many elements runs windows of them. It finds the same as in few elements, in every window.
namespace check_windows_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct turn : scalar<turn, index_t> {} turn;
inline constexpr struct most : scalar<most, double> {} most;

constexpr std::size_t many = 3 * 4096 + 77;

// What an element does that has number `at`; the others double x.
struct write_nothing {
    COGRAPH_HD void operator()(index_t i, double from, double& to, index_t at) const {
        if (i != at) to = 2 * from;
    }
};
struct read_out {
    COGRAPH_HD void operator()(index_t i, double from, double& to, index_t at) const { to = i == at ? to + from : 2 * from; }
};
struct write_next {
    COGRAPH_HD void operator()(index_t i, double from, double& to, index_t at) const {
        to = 2 * from;
        if (i == at) (&to)[1] = 7;
    }
};
struct read_next {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t at, index_t n) const { to = 2 * from[i == at ? n : i]; }
};
struct write_whole {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t at) const {
        to = 2 * from[i];
        if (i == at) const_cast<double*>(from)[i] += 1;
    }
};
struct remember {
    COGRAPH_HD void operator()(index_t i, double from, double& to, index_t at) const {
        static int calls = 0;
        to = i == at ? from + ++calls : 2 * from;
    }
};
struct copy_next {
    COGRAPH_HD void operator()(index_t i, const double& from, double& to, index_t at) const {
        to = 2 * from;
        if (i == at) (&to)[1] = (&from)[1];
    }
};
struct double_it {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to = 2 * from; }
};
struct replace {
    COGRAPH_HD void operator()(index_t, double& to) const { to = 5; }
};
struct read_some {
    COGRAPH_HD void operator()(index_t i, double& to, double& seen, index_t upto) const {
        if (i < upto) {
            seen = to;
        } else {
            to = 5;
            seen = 0;
        }
    }
};
struct look_at {
    COGRAPH_HD void operator()(index_t, const double&, double& to) const { to = 5; }
};
struct look_at_whole {
    COGRAPH_HD void operator()(index_t i, const double*, double& to) const { to = static_cast<double>(i); }
};
struct magnitude {
    COGRAPH_HD double operator()(index_t, double a) const { return a < 0 ? -a : a; }
};

struct memory {
    std::vector<double> xs, ys;
    double m = 0;
    explicit memory(std::size_t n) : xs(n), ys(n, 3) {
        for (std::size_t i = 0; i < n; ++i) xs[i] = static_cast<double>(1 + i * i % 37);
    }
};
template <class E>
check_report checked(E const& e, memory& m) {
    return check(e, x(std::span(m.xs)), y(std::span(m.ys)));
}
// Mistakes of one element, in the last window, in the first, and at both sides of a border.
template <class F>
void finds(finding_kind kind, F make, bool names_element = true) {
    for (const std::size_t n : {std::size_t{100}, many})
        for (const index_t at : {index_t{0}, index_t{50}, static_cast<index_t>(n) - 2, index_t{4095}, index_t{4096}}) {
            if (at >= static_cast<index_t>(n)) continue;
            memory m(n);
            const auto before = m.xs;
            const auto report = make(m, at);
            INFO(n << " elements, element " << at << '\n' << report.text());
            REQUIRE(!report.empty());
            const finding found = report.findings()[0];
            CHECK(found.kind == kind);
            if (names_element) CHECK(found.element == at);
            CHECK(m.xs == before);
        }
}

TEST_CASE("one element of many that does not write its element is found") {
    finds(finding_kind::out_not_written, [](memory& m, index_t at) { return checked(for_each(over(x), write_nothing{})(in(x[each]), out(y[each]), at), m); });
}
TEST_CASE("one element of many that reads what it is to write is found") {
    finds(finding_kind::out_read, [](memory& m, index_t at) { return checked(for_each(over(x), read_out{})(in(x[each]), out(y[each]), at), m); });
}
TEST_CASE("one element of many that writes its neighbour's is found") {
    finds(finding_kind::write_write_race, [](memory& m, index_t at) { return checked(for_each(over(x), write_next{})(in(x[each]), out(y[each]), at), m); }, false);
}
TEST_CASE("one element of many that reads beyond the extent is found") {
    finds(finding_kind::read_beyond_extent, [](memory& m, index_t at) { return checked(for_each(over(x), read_next{})(in(x), out(y[each]), at, extent(x)), m); }, false);
}
TEST_CASE("the last of many elements that copies from beyond one variable to beyond another is found") {
    memory m(many);
    const auto report = checked(for_each(over(x), copy_next{})(in(x[each]), out(y[each]), static_cast<index_t>(many) - 1), m);
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::write_beyond_extent);
    CHECK(report.findings()[0].first == static_cast<index_t>(many) - 1);
}
TEST_CASE("one element of many that writes what is only read is found, and not kept") {
    finds(finding_kind::in_written, [](memory& m, index_t at) { return checked(for_each(over(x), write_whole{})(in(x), out(y[each]), at), m); });
}
TEST_CASE("one element of many that remembers is found") {
    finds(finding_kind::not_repeatable, [](memory& m, index_t at) { return checked(for_each(over(x), remember{})(in(x[each]), out(y[each]), at), m); }, false);
}

TEST_CASE("many elements have the hints of few, and the results of a simulation") {
    const auto hints = [](std::size_t n) {
        memory m(n);
        constexpr auto e = seq(for_each(over(x), double_it{})(in(x[each]), out(y[each])), label("replaced", for_each(over(x), replace{})(inout(y[each]))),
                               label("each", for_each(over(x), look_at{})(in(x[each]), out(y[each]))), label("whole", for_each(over(x), look_at_whole{})(in(x), out(y[each]))));
        const auto report = check(e, x(std::span(m.xs)), y(std::span(m.ys)));
        CHECK(report.empty());
        CHECK(m.ys.back() == static_cast<double>(n - 1));
        std::string kinds;
        for (const finding& f : report.hints()) kinds += std::to_string(static_cast<int>(f.kind)) + ' ' + std::string(f.where.name.data, f.where.name.size) + '\n';
        return kinds;
    };
    CHECK(hints(many) == hints(100));
    CHECK(hints(many).find(std::to_string(static_cast<int>(finding_kind::in_not_read)) + " each") != std::string::npos);
}

// Not in windows: each element writes through a pointer. A part of the elements tells what a node reads.
TEST_CASE("a node that writes many elements through a pointer has the hints of few") {
    struct write_back {
        void operator()(index_t i, const double* from, const double*, double* to, index_t n) const { to[n - 1 - i] = from[i]; }
    };
    struct add_back {
        void operator()(index_t i, const double* from, double* to, index_t n) const { to[n - 1 - i] += from[i]; }
    };
    for (const std::size_t n : {std::size_t{100}, std::size_t{20000}}) {
        memory m(n);
        std::vector<double> zs(n, 1);
        constexpr auto ignores = for_each(over(x), write_back{})(in(x), in(z), out(y), extent(x));
        const auto report = check(repeat<3>(ignores), x(std::span(m.xs)), y(std::span(m.ys)), z(std::span(zs)));
        INFO(report.text());
        CHECK(report.empty());
        REQUIRE(report.hints().size() == 1);
        CHECK(report.hints()[0].kind == finding_kind::in_not_read);
        CHECK(std::string(report.hints()[0].variable.data, report.hints()[0].variable.size) == "z");
        const auto nothing = check(repeat<7>(for_each(over(x), add_back{})(in(x), inout(y), extent(x))), x(std::span(m.xs)), y(std::span(m.ys)));
        CHECK(nothing.text() == "");
        CHECK(nothing.hints().empty());
        // `out` would be right for the place of each element.
        const auto overwritten = check(for_each(over(x), write_back{})(in(x), in(x), inout(y), extent(x)), x(std::span(m.xs)), y(std::span(m.ys)));
        REQUIRE(overwritten.hints().size() == 1);
        CHECK(overwritten.hints()[0].kind == finding_kind::inout_not_read);
    }
}

TEST_CASE("many elements that assign one place do not hide the hint that they ignore a variable") {
    struct assign_own_number {
        void operator()(index_t i, const double*, double* to) const { *to = static_cast<double>(i); }
    };
    for (const std::size_t n : {std::size_t{100}, std::size_t{20000}}) {
        memory m(n);
        const auto report = check(for_each(over(x), assign_own_number{})(in(x), out(y)), x(std::span(m.xs)), y(std::span(m.ys)));
        INFO(n << " elements\n" << report.text());
        REQUIRE(report.findings().size() == 1);
        CHECK(report.findings()[0].kind == finding_kind::write_write_race);
        bool ignores_x = false;
        for (const finding& f : report.hints()) ignores_x = ignores_x || f.kind == finding_kind::in_not_read;
        CHECK(ignores_x);
    }
}

// Later windows have what the function assigns, so other values in x show nothing there.
TEST_CASE("contents that only the first of many elements need are needed") {
    memory m(20000);
    for (double& a : m.xs) a = 5;
    const auto report = [&](index_t upto) { return check(for_each(over(x), read_some{})(inout(x[each]), out(y[each]), upto), x(std::span(m.xs)), y(std::span(m.ys))); };
    CHECK(report(4096).text() == "");
    const auto of_none = report(0);
    REQUIRE(of_none.hints().size() == 1);
    CHECK(of_none.hints()[0].kind == finding_kind::inout_not_read);
}

// Their sum is the same in every order.
TEST_CASE("the first and the last of many elements that both add to one place are found, whatever the seed") {
    struct add_at_both_ends {
        void operator()(index_t i, double* to, index_t n) const {
            if (i == 0 || i == n - 1) *to += 1;
        }
    };
    memory m(20000);
    for (unsigned long long seed = 1; seed <= 8; ++seed) {
        const auto report = check(for_each(over(x), add_at_both_ends{})(inout(x), extent(x)), x(std::span(m.xs)), check_seed(seed));
        INFO("seed " << seed << "\n" << report.text());
        REQUIRE(report.findings().size() == 1);
        CHECK(report.findings()[0].kind == finding_kind::write_write_race);
        CHECK(report.findings()[0].first == 0);
        CHECK(report.findings()[0].second == 19999);
    }
}

// In later iterations one further order must do.
TEST_CASE("a race that begins in a later iteration of many elements is found") {
    struct from_then_on {
        void operator()(index_t i, double* to, index_t now) const {
            to[now < 3 ? i : i / 2] += 1;  // the same in every order
        }
    };
    memory m(20000);
    index_t now = 0;
    const auto report = check(repeat<6>(seq(for_each(over(x), from_then_on{})(inout(x), in(turn)), assign(turn, turn + 1))), x(std::span(m.xs)), turn(&now));
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::write_write_race);
    CHECK(report.findings()[0].iteration == 3);
    CHECK(report.findings()[0].second == report.findings()[0].first + 1);
}

TEST_CASE("a reduction of many elements gives its result and names the NaN that it leaves out") {
    constexpr auto e = seq(transform_reduce(over(x), magnitude{}, maximum{})(out(most), in(x[each])), loop_while(most > 100, assign(most, 0)));
    memory m(many);
    CHECK(check(e, x(std::span(m.xs)), most(&m.m)).empty());
    CHECK(m.m == 37);
    m.xs[4099] = std::numeric_limits<double>::quiet_NaN();
    const auto report = check(e, x(std::span(m.xs)), most(&m.m));
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::nan_left_out);
    CHECK(report.findings()[0].first == 4099);
}

// How often a check calls a function for an element, at most: its cost is linear, also with a pointer that all elements write through.
TEST_CASE("a check calls a function a bounded number of times for each element") {
    static index_t calls = 0;
    struct scatter {
        void operator()(index_t i, const double* from, double* to, index_t n) const {
            ++calls;
            to[n - 1 - i] = 2 * from[i];
        }
    };
    struct one_by_one {
        void operator()(index_t, double from, double& to) const {
            ++calls;
            to = 2 * from;
        }
    };
    for (const std::size_t n : {std::size_t{10}, std::size_t{1000}, std::size_t{20000}, std::size_t{100000}}) {
        memory m(n);
        INFO(n << " elements");
        const auto calls_for_an_element = [&](auto const& e) {
            calls = 0;
            CHECK(checked(e, m).text() == "");
            return static_cast<double>(calls) / static_cast<double>(n);
        };
        CHECK(calls_for_an_element(for_each(over(x), scatter{})(in(x), out(y), extent(x))) <= (n < 100 ? 9 : 6));
        CHECK(calls_for_an_element(for_each(over(x), one_by_one{})(in(x[each]), out(y[each]))) <= (n < 100 ? 9 : 6));
    }
}

}  // namespace check_windows_test
