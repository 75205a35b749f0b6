// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <vector>

using namespace cograph;

// Nodes over a part of the elements, and elements with padding: what is not written there is right.
namespace check_parts_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct most : scalar<most, double> {} most;
inline constexpr struct rows : value<rows, index_t> {} rows;
inline constexpr struct columns : value<columns, index_t> {} columns;

struct take {
    void operator()(index_t, double from, double& to) const { to = from + 1; }
};
struct take_but_one {
    void operator()(index_t i, double from, double& to) const {
        if (i != 8) to = from + 1;
    }
};
struct add {
    void operator()(index_t, double from, double& to) const { to += from; }
};
struct add_third_before {
    void operator()(index_t i, double* all) const { all[i] += i < 3 ? 1 : all[i - 3]; }
};
struct itself {
    double operator()(index_t, double a) const { return a; }
};

TEST_CASE("a part of the elements of an out variable is all that a node over it has to write") {
    for (const std::size_t n : {std::size_t{20}, std::size_t{21}, std::size_t{22}, std::size_t{100}, std::size_t{40000}}) {
        std::vector<double> xs(n, 3.0), ys(n, -1.0);
        const auto checked = [&](auto const& e) { return check(e, x(std::span(xs)), y(std::span(ys))); };
        INFO(n << " elements");
        CHECK(checked(for_each(over(x).every<3, 2>(), take{})(in(x[each]), out(y[each]))).text() == "");
        bool is_right = true;
        for (std::size_t i = 0; i < n; ++i) is_right = is_right && ys[i] == (i % 3 == 2 ? 4.0 : -1.0);
        CHECK(is_right);
        CHECK(checked(for_each(over(x).every<2>(), add{})(in(x[each]), inout(y[each]))).text() == "");
        const auto report = checked(for_each(over(x).every<3, 2>(), take_but_one{})(in(x[each]), out(y[each])));
        INFO(report.text());
        REQUIRE(report.findings().size() == 1);
        CHECK(report.findings()[0].kind == finding_kind::out_not_written);
        CHECK(report.findings()[0].element == 8);
    }
}

TEST_CASE("findings in a part of the elements have the numbers that the function sees") {
    for (const std::size_t n : {std::size_t{20}, std::size_t{40000}}) {
        std::vector<double> xs(n, 1.5);
        const auto report = check(for_each(over(x).every<3, 2>(), add_third_before{})(inout(x)), x(std::span(xs)));
        INFO(n << " elements\n" << report.text());
        REQUIRE(report.findings().size() == 1);
        CHECK(report.findings()[0].kind == finding_kind::read_write_race);
        CHECK(report.findings()[0].first % 3 == 2);
        CHECK(report.findings()[0].second == report.findings()[0].first - 3);
        CHECK(report.findings()[0].element == report.findings()[0].second);

        xs[6] = std::numeric_limits<double>::quiet_NaN();
        double m = 0;
        const auto left_out = check(transform_reduce(over(x).every<2>(), itself{}, maximum{})(out(most), in(x[each])), x(std::span(xs)), most(&m));
        REQUIRE(left_out.hints().size() == 1);
        CHECK(left_out.hints()[0].kind == finding_kind::nan_left_out);
        CHECK(left_out.hints()[0].first == 6);
    }
}

TEST_CASE("the elements of one colour are known, whatever the sides of the box") {
    struct set {
        void operator()(index_t, index_t, double& to) const { to = 5; }
    };
    struct set_but_one {
        void operator()(index_t row, index_t column, double& to) const {
            if (row != 2 || column != 1) to = 6;
        }
    };
    for (const index_t width : {4, 7})
        for (const index_t height : {3, 6}) {
            std::vector<double> xs(static_cast<std::size_t>(width * height), 1);
            const auto checked = [&](auto const& e) { return check(e, x(std::span(xs)), rows(height), columns(width)); };
            INFO(height << " rows of " << width);
            CHECK(checked(for_each(over(rows, columns).checkerboard<0>(), set{})(out(x[each]))).text() == "");
            CHECK(checked(for_each(over(rows, columns).checkerboard<1>(), set{})(out(x[each]))).text() == "");
            CHECK(checked(for_each(over(rows, columns).checkerboard<0>(), set_but_one{})(out(x[each]))).text() == "");
            const auto report = checked(for_each(over(rows, columns).checkerboard<1>(), set_but_one{})(out(x[each])));
            REQUIRE(report.findings().size() == 1);
            CHECK(report.findings()[0].kind == finding_kind::out_not_written);
            CHECK(report.findings()[0].element == 2 * width + 1);
        }
}

struct padded {
    char mark;
    double number;
};
struct padded_inside {
    padded first;
    short parts[3];
    char last;
};
// Of these, `{}` and constructors say nothing about what is padding.
struct partly_set {
    double number;
    int mark;
    constexpr partly_set() : mark(0) {}
};
struct with_defaults {
    char mark = 'x';
    double number = 7;
};
struct without_default {
    char mark;
    double number;
    constexpr explicit without_default(char of) : mark(of), number(7) {}
};
template <class T>
struct any_ones : buffer<any_ones<T>, T> {};
inline constexpr struct padded_ones : buffer<padded_ones, padded> {} padded_ones;
inline constexpr struct nested_ones : buffer<nested_ones, padded_inside> {} nested_ones;

// Nobody writes padding, or what is there comes from anywhere.
TEST_CASE("padding is no part of an element, whatever it holds") {
    struct set_members {
        void operator()(index_t i, padded& to) const {
            to.mark = 'a';
            to.number = static_cast<double>(i);
        }
    };
    struct set_all {
        void operator()(index_t i, padded& to) const { to = {'b', static_cast<double>(i)}; }
    };
    struct copy_with_noise {
        void operator()(index_t i, padded& to) const {
            static unsigned char noise = 0;
            alignas(padded) unsigned char bytes[sizeof(padded)];
            for (unsigned char& byte : bytes) byte = ++noise;
            padded* const made = ::new (static_cast<void*>(bytes)) padded;
            made->mark = 'c';
            made->number = static_cast<double>(i);
            std::memcpy(&to, bytes, sizeof to);
        }
    };
    struct set_nested {
        void operator()(index_t i, padded_inside* all) const {
            all[i].first.mark = 'd';
            all[i].first.number = 1;
            for (short& part : all[i].parts) part = static_cast<short>(i);
            all[i].last = 'e';
        }
    };
    struct leave_a_member {
        void operator()(index_t, padded& to) const { to.number = 2; }
    };
    for (const std::size_t n : {std::size_t{20}, std::size_t{10000}}) {
        std::vector<padded> ones(n, {'x', 7});
        std::vector<padded_inside> nested(n);
        const auto checked = [&](auto const& e) { return check(e, padded_ones(std::span(ones))); };
        CHECK(checked(for_each(over(padded_ones), set_members{})(out(padded_ones[each]))).text() == "");
        CHECK(checked(for_each(over(padded_ones), set_all{})(out(padded_ones[each]))).text() == "");
        CHECK(checked(for_each(over(padded_ones), copy_with_noise{})(out(padded_ones[each]))).text() == "");
        CHECK(check(for_each(over(nested_ones), set_nested{})(out(nested_ones)), nested_ones(std::span(nested))).text() == "");
        const auto report = checked(for_each(over(padded_ones), leave_a_member{})(out(padded_ones[each])));
        REQUIRE(report.findings().size() == 1);
        CHECK(report.findings()[0].kind == finding_kind::out_read);
    }
}

TEMPLATE_TEST_CASE("padding is known whatever constructors do, and members are no padding", "", padded, partly_set, with_defaults, without_default) {
    struct set_members {
        void operator()(index_t i, TestType& to) const {
            to.mark = 'a';
            to.number = static_cast<double>(i);
        }
    };
    struct leave_number {
        void operator()(index_t, TestType& to) const { to.mark = 'b'; }
    };
    struct leave_mark {
        void operator()(index_t, TestType& to) const { to.number = 2; }
    };
    static constexpr any_ones<TestType> ones;
    for (const std::size_t n : {std::size_t{20}, std::size_t{10000}}) {
        std::vector<TestType> all(n, std::bit_cast<TestType>(std::array<unsigned char, sizeof(TestType)>{}));
        const auto checked = [&](auto const& e) { return check(e, ones(std::span(all))); };
        CHECK(checked(for_each(over(ones), set_members{})(out(ones[each]))).text() == "");
        for (const auto& report : {checked(for_each(over(ones), leave_number{})(out(ones[each]))), checked(for_each(over(ones), leave_mark{})(out(ones[each])))}) {
            REQUIRE(report.findings().size() == 1);
            CHECK(report.findings()[0].kind == finding_kind::out_read);
        }
    }
}

}  // namespace check_parts_test
