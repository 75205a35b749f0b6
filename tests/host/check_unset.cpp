// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <span>
#include <string>
#include <vector>

using namespace cograph;

// Elements that one node leaves unwritten and another reads.
namespace check_unset_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : temp<z, double, struct x> {} z;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct n : scalar<n, int> {} n;

struct first_half {
    COGRAPH_HD void operator()(index_t i, double value, double* to, index_t count) const {
        if (i < count / 2) to[i] = value;
    }
};
struct second_half {
    COGRAPH_HD void operator()(index_t i, double* to, index_t count) const {
        if (i >= count / 2) to[i] = 4;
    }
};
struct double_first_half {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t count) const { to = i < count / 2 ? 2 * from[i] : 0; }
};
struct mirror {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t count) const { to = from[count - 1 - i]; }
};
struct value_of {
    COGRAPH_HD double operator()(index_t, double a) const { return a; }
};
struct sum_of_both {
    COGRAPH_HD double operator()(index_t, double a, double b) const { return a + b; }
};

std::string text(core::name_view name) { return {name.data, name.size}; }

constexpr auto half = label("half", for_each(over(x), first_half{})(in(x[each]), out(z), extent(x)));

template <class E>
check_report report_of(E const& behind) {
    std::vector<double> xs(40), ys(40, 3);
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = 1 + static_cast<double>(i);
    return check(seq(half, behind), x(std::span(xs)), y(std::span(ys)), without_hints);
}
template <class E>
void check_found(E const& behind, index_t least, index_t most, const char* where) {
    const auto report = report_of(behind);
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    const finding& f = report.findings()[0];
    CHECK(f.kind == finding_kind::unset_read);
    CHECK(text(f.origin.name) == "half");
    CHECK(text(f.where.name) == where);
    CHECK(f.element >= least);
    CHECK(f.element <= most);
}
constexpr auto use = for_each(over(x), double_first_half{})(in(z), out(y[each]), extent(x));

TEST_CASE("elements that a node leaves are found where another node needs them") {
    check_found(seq(use, label("mirror", for_each(over(x), mirror{})(in(z), out(y[each]), extent(x)))), 20, 39, "mirror");
    check_found(seq(use, label("sum", reduce(out(s), in(z))), fill(out(y), s)), 20, 20, "sum");
    check_found(seq(use, label("most", transform_reduce(over(x), sum_of_both{}, plus{})(out(s), in(x[each]), in(z[each]))), fill(out(y), s)), 20, 39, "most");
    check_found(seq(copy(in(z), out(y)), label("sum", dot(out(s), in(x), in(y))), fill(out(y), s)), 20, 20, "sum");
    check_found(seq(assign(n, 21), label("first", transform_reduce(over(z).first(n), value_of{}, plus{})(out(s), in(z[each]))), fill(out(y), s)), 20, 20, "first");
    check_found(seq(swap(y, z), label("sum", reduce(out(s), in(y))), fill(out(y), s)), 20, 20, "sum");
}

TEST_CASE("elements that nobody needs, or that are written before, are not missed") {
    CHECK(report_of(use).text() == "");
    CHECK(report_of(seq(use, copy(in(z), out(y)))).text() == "");
    CHECK(report_of(seq(use, assign(n, 20), transform_reduce(over(z).first(n), value_of{}, plus{})(out(s), in(z[each])), fill(out(y), s))).text() == "");
    CHECK(report_of(seq(swap(y, z), reduce(out(s), in(z)), fill(out(y), s))).text() == "");
    CHECK(report_of(seq(use, fill(out(z), 1), reduce(out(s), in(z)), fill(out(y), s))).text() == "");
    CHECK(report_of(seq(use, for_each(over(x), second_half{})(inout(z), extent(x)), reduce(out(s), in(z)), fill(out(y), s))).text() == "");
    CHECK(report_of(seq(use, copy(in(x), out(z)), for_each(over(x), mirror{})(in(z), out(y[each]), extent(x)))).text() == "");
}

// Of a temp, no element has contents before a node writes it.
TEST_CASE("elements of a temp that no node writes are found where another node needs them") {
    struct set {
        COGRAPH_HD void operator()(index_t i, double& to) const { to = static_cast<double>(i); }
    };
    const auto report_of_temp = [](auto const& e) {
        std::vector<double> xs(40, 1), ys(30, 3);
        return check(e, x(std::span(xs)), y(std::span(ys)));
    };
    constexpr auto set_first = seq(assign(n, 7), for_each(over(x).first(n), set{})(out(z[each])));
    constexpr auto sum_of_z = label("sum", reduce(out(s), in(z)));
    constexpr auto mirrored = label("mirror", for_each(over(x), mirror{})(in(z), out(x[each]), extent(x)));
    const auto check_finds = [&](auto const& e, index_t least, index_t most, const char* where) {
        const auto report = report_of_temp(e);
        INFO(report.text());
        REQUIRE(report.findings().size() == 1);
        CHECK(report.findings()[0].kind == finding_kind::unset_read);
        CHECK(text(report.findings()[0].variable) == "z");
        CHECK(text(report.findings()[0].where.name) == where);
        CHECK(report.findings()[0].origin.name.size == 0);
        CHECK(report.findings()[0].element >= least);
        CHECK(report.findings()[0].element <= most);
        CHECK(report.text().find("which no node has written") != std::string::npos);
    };
    check_finds(seq(set_first, sum_of_z, fill(out(y), s)), 7, 7, "sum");
    check_finds(seq(set_first, mirrored, fill(out(y), 0)), 7, 39, "mirror");
    check_finds(seq(for_each(over(x).every<2>(), set{})(out(z[each])), sum_of_z, fill(out(y), s)), 1, 1, "sum");
    check_finds(seq(for_each(over(x).every<2, 1>(), set{})(out(z[each])), mirrored, fill(out(y), 0)), 0, 38, "mirror");
    CHECK(report_of_temp(seq(set_first, for_each(over(x).first(n), set{})(out(z[each])), transform_reduce(over(z).first(n), value_of{}, plus{})(out(s), in(z[each])), fill(out(y), s), fill(out(x), s))).text() == "");
    CHECK(report_of_temp(seq(for_each(over(x).every<2>(), set{})(out(z[each])), for_each(over(x).every<2, 1>(), set{})(out(z[each])), sum_of_z, fill(out(y), s), fill(out(x), s))).text() == "");
    CHECK(report_of_temp(seq(set_first, copy(in(x), out(z)), sum_of_z, fill(out(y), s))).text() == "");
}

TEST_CASE("in loops, what is left in one iteration is found in the next") {
    std::vector<double> xs(10, 2), ys(10, 3);
    constexpr auto part = label("part", for_each(over(x), first_half{})(in(x[each]), out(y), extent(x)));
    constexpr auto e = seq(assign(n, 0), repeat(3, seq(when(n > 0, label("sum", seq(reduce(out(s), in(y)), fill(out(x), s)))), part, assign(n, n + 1))));
    const auto report = check(e, x(std::span(xs)), y(std::span(ys)), without_hints);
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    CHECK(report.findings()[0].kind == finding_kind::unset_read);
    CHECK(report.findings()[0].iteration == 1);
    CHECK(report.findings()[0].element == 5);
}

}  // namespace check_unset_test
