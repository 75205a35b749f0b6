// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <cmath>
#include <span>
#include <string>
#include <vector>

using namespace cograph;

// What check finds in a single node.
namespace check_nodes_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : temp<z, double, struct x> {} z;
inline constexpr struct w : buffer<w, float> {} w;
inline constexpr struct bins : buffer<bins, int> {} bins;
inline constexpr struct list : buffer<list, int> {} list;
inline constexpr struct length : buffer<length, int> {} length;    // of one element, as below
inline constexpr struct sums : buffer<sums, double> {} sums;
inline constexpr struct s : scalar<s, double> {} s;
struct cell {
    double* at;
};
inline constexpr struct behind : view<behind, cell> {} behind;

struct smooth {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
    }
};
struct smooth_and_measure {
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, index_t n) const {
        const double before = from[i];
        smooth{}(i, from, to, n);
        return before < to ? to - before : before - to;
    }
};

struct fixture {
    std::vector<double> xs = std::vector<double>(100), ys = std::vector<double>(100, 3);
    std::vector<int> counts = std::vector<int>(10);
    double sum = 1;
    explicit fixture(std::size_t n = 100) : xs(n), ys(n, 3) {
        for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<double>(1 + i * i % 37);
    }
    auto bound_x() { return x(std::span(xs)); }
    auto bound_y() { return y(std::span(ys)); }
};

std::string text(core::name_view n) { return {n.data, n.size}; }
// The one finding of a report.
finding only(const check_report& report) {
    INFO(report.text());
    REQUIRE(report.findings().size() == 1);
    return report.findings()[0];
}
finding only_hint(const check_report& report) {
    INFO(report.text());
    REQUIRE(report.findings().empty());
    REQUIRE(report.hints().size() == 1);
    return report.hints()[0];
}

TEST_CASE("a stencil from one buffer into another passes, and does what simulate does") {
    constexpr auto e = for_each(over(x), smooth{})(in(x), out(y[each]), extent(x));
    fixture f, g;
    const auto report = check(e, f.bound_x(), f.bound_y());
    CHECK(report.text() == "");
    CHECK(report.empty());
    simulate(e, g.bound_x(), g.bound_y());
    CHECK(f.ys == g.ys);
    CHECK(f.xs == g.xs);
}

TEST_CASE("a stencil in place is a race between two elements, of any number of elements") {
    constexpr auto e = label("smooth it", for_each(over(x), smooth{})(in(x), out(x[each]), extent(x)));
    for (const std::size_t n : {4u, 10u, 100u, 5000u}) {
        fixture f(n), g(n);
        const auto report = check(e, f.bound_x());
        const finding found = only(report);
        CHECK(found.kind == finding_kind::read_write_race);
        CHECK(text(found.variable) == "x");
        CHECK(std::abs(found.first - found.second) == 1);
        CHECK(found.element == found.second);
        CHECK(text(found.where.name) == "smooth it");
        CHECK(std::string(found.where.file).find("check_nodes.cpp") != std::string::npos);
        CHECK(found.where.line > 0);
        CHECK(found.iteration == -1);
        simulate(e, g.bound_x());
        CHECK(f.xs == g.xs);
    }
    fixture f;
    const auto reduction = transform_reduce(over(x), smooth_and_measure{}, maximum{})(out(s), in(x), out(x[each]), extent(x));
    CHECK(only(check(reduction, f.bound_x())).kind == finding_kind::read_write_race);
}

TEST_CASE("a race in an iteration that is not the first is found, and says which") {
    struct after_two {
        COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t n, const double& count) const {
            if (count >= 2 && i + 1 < n) to = from[i + 1] + 1;
        }
    };
    constexpr auto e = seq(assign(s, 0), label("outer", repeat(5, seq(for_each(over(x), after_two{})(in(x), inout(x[each]), extent(x), in(s)), assign(s, s + 1)))));
    fixture f;
    const finding found = only(check(e, f.bound_x()));
    CHECK(found.kind == finding_kind::read_write_race);
    CHECK(found.iteration == 2);
    CHECK(text(found.loop.name) == "outer");
    fixture g;
    CHECK(only(check(e, g.bound_x(), check_every_nth(4))).iteration == 4);
    fixture h;
    CHECK(check(e, h.bound_x(), check_every_nth(5)).empty());
}

struct add_to {
    COGRAPH_HD void operator()(index_t, double value, double* to) const { *to += value; }
};
struct count_up {
    COGRAPH_HD void operator()(index_t, double value, int* to) const { ++to[static_cast<int>(value) % 10]; }
};

TEST_CASE("a sum in for_each is a race, also where its order does not matter") {
    for (const std::size_t n : {2u, 3u, 100u, 3000u}) {
        fixture f(n);
        const finding found = only(check(for_each(over(x), add_to{})(in(x[each]), inout(sums)), f.bound_x(), sums(&f.sum, 1)));
        CHECK(found.kind == finding_kind::write_write_race);
        CHECK(text(found.variable) == "sums");
        CHECK(found.element == 0);
        CHECK(found.first >= 0);
        CHECK(found.second > found.first);
    }
    fixture f;
    const finding found = only(check(for_each(over(x), count_up{})(in(x[each]), inout(bins)), f.bound_x(), bins(std::span(f.counts))));
    CHECK(found.kind == finding_kind::write_write_race);
    CHECK(text(found.variable) == "bins");
    CHECK(static_cast<int>(f.xs[static_cast<std::size_t>(found.first)]) % 10 == found.element);
    CHECK(static_cast<int>(f.xs[static_cast<std::size_t>(found.second)]) % 10 == found.element);
}

TEST_CASE("one pair of elements that meets is found among many") {
    struct collide {
        COGRAPH_HD void operator()(index_t i, double* to) const { to[i == 70 ? 13 : i] = static_cast<double>(i); }
    };
    fixture f;
    const auto report = check(for_each(over(x), collide{})(inout(x)), f.bound_x());
    const finding found = only(report);
    CHECK(found.kind == finding_kind::write_write_race);
    CHECK(found.first == 13);
    CHECK(found.second == 70);
    CHECK(found.element == 13);
}

TEST_CASE("atomic operations are the user's word, and results may not depend on the order") {
    fixture f;
    CHECK(check(for_each(over(x), count_up{})(in(x[each]), inout(bins)), f.bound_x(), bins(std::span(f.counts)), atomic(bins)).text() == "");
    CHECK(check(for_each(over(x), add_to{})(in(x[each]), inout(sums)), f.bound_x(), sums(&f.sum, 1), atomic(sums)).text() == "");
    struct last_wins {
        COGRAPH_HD void operator()(index_t, double value, double* to) const { *to = value; }
    };
    const finding found = only(check(for_each(over(x), last_wins{})(in(x[each]), inout(sums)), f.bound_x(), sums(&f.sum, 1), atomic(sums)));
    CHECK(found.kind == finding_kind::order_dependence);
    CHECK(text(found.variable) == "sums");
}

struct sum_in_any_order {  // which is not true
    static constexpr bool in_any_order = true;
    COGRAPH_HD double operator()(double a, double b) const { return a + b; }
};
struct largest_in_any_order {
    static constexpr bool in_any_order = true;
    COGRAPH_HD double operator()(double a, double b) const { return a < b ? b : a; }
};
struct itself {
    COGRAPH_HD double operator()(index_t, double value) const { return value; }
};
TEST_CASE("an operation that declares that its order does not matter is joined in another one") {
    fixture f;
    for (double& v : f.xs) v = 1 / (v + 3);
    const auto reduced_by = [](auto op) { return transform_reduce(over(x), itself{}, op, 0.0)(out(s), in(x[each])); };
    const finding found = only(check(reduced_by(sum_in_any_order{}), f.bound_x(), s(&f.sum)));
    CHECK(found.kind == finding_kind::order_dependence);
    CHECK(text(found.variable) == "s");
    CHECK(check(reduced_by(largest_in_any_order{}), f.bound_x(), s(&f.sum)).empty());
    CHECK(check(reduced_by(plus{}), f.bound_x(), s(&f.sum)).empty());
}

TEST_CASE("floating-point sums may round in another order, within a tolerance") {
    fixture f;
    for (double& v : f.xs) v = 1 / (v + 3);
    constexpr auto e = for_each(over(x), add_to{})(in(x[each]), inout(sums));
    CHECK(check(e, f.bound_x(), sums(&f.sum, 1), atomic(sums)).empty());
    CHECK(!check(e, f.bound_x(), sums(&f.sum, 1), atomic(sums, 0)).empty());
}

TEST_CASE("a list that elements append to has no order") {
    struct append {
        COGRAPH_HD void operator()(index_t i, double value, int* to, int* size) const {
            if (value > 20) to[(*size)++] = static_cast<int>(i);
        }
    };
    fixture f;
    std::vector<int> places(100);
    int count = 0;
    constexpr auto e = for_each(over(x), append{})(in(x[each]), inout(list), inout(length));
    const auto with = [&](auto... options) {
        count = 0;
        return check(e, f.bound_x(), list(std::span(places)), length(&count, 1), options...);
    };
    CHECK(!with().empty());
    CHECK(!with(atomic(length)).empty());
    CHECK(with(atomic(length), unordered(list)).text() == "");
}

// Numbers whose bytes are those that out variables hold in further runs, over memory that held the same numbers.
TEST_CASE("a list may be out, whatever its elements are") {
    struct append {
        COGRAPH_HD void operator()(index_t i, double value, int* to, int* size) const {
            if (value > 20) to[(*size)++] = static_cast<int>(i % 7) - 1;
        }
    };
    struct append_place {
        COGRAPH_HD void operator()(index_t, double value, int* to, int* size) const {
            if (value <= 20) return;
            to[*size] = *size % 5 - 1;
            ++*size;
            to[1] = static_cast<int>(value);  // the last one decides
        }
    };
    fixture f;
    std::vector<int> places(100);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i % 7) - 1;
    int count = 0;
    const auto append_to_out = [&](auto function) {
        count = 0;
        return check(for_each(over(x), function)(in(x[each]), out(list), inout(length)), f.bound_x(), list(std::span(places)), length(&count, 1), atomic(length), unordered(list));
    };
    for (int times = 0; times < 2; ++times) CHECK(append_to_out(append{}).empty());
    CHECK(count > 10);
    CHECK(!append_to_out(append_place{}).empty());
}

TEST_CASE("out whose elements are not all written is found by two poisons") {
    struct some {
        COGRAPH_HD void operator()(index_t i, double value, double& to) const {
            if (i % 10 != 7) to = value;
        }
    };
    fixture f;
    const finding found = only(check(for_each(over(x), some{})(in(x[each]), out(y[each])), f.bound_x(), f.bound_y()));
    CHECK(found.kind == finding_kind::out_not_written);
    CHECK(found.element == 7);
    CHECK(text(found.variable) == "y");
    CHECK(f.ys[7] == 3);
    CHECK(f.ys[8] == f.xs[8]);
    CHECK(check(for_each(over(x), some{})(in(x[each]), inout(y[each])), f.bound_x(), f.bound_y(), without_hints).empty());

    // In a temp, whose elements begin as one of the poisons; and of fewer elements than there are.
    constexpr auto into_a_temp = seq(for_each(over(x), some{})(in(x[each]), out(z[each])), copy(in(z), out(x)));
    CHECK(only(check(into_a_temp, f.bound_x())).element == 7);
    fixture g;
    CHECK(check(for_each(over(5), some{})(in(x[each]), out(y[each])), g.bound_x(), g.bound_y()).text() == "");
}

TEST_CASE("a node may have a race and leave out elements") {
    struct both {
        COGRAPH_HD void operator()(index_t i, double* all, double& to, index_t n) const {
            if (i + 1 < n) all[i] = all[i + 1];
            if (i % 10 != 7) to = 1;
        }
    };
    fixture f;
    const auto report = check(for_each(over(x), both{})(inout(x), out(y[each]), extent(x)), f.bound_x(), f.bound_y());
    INFO(report.text());
    REQUIRE(report.findings().size() == 2);
    CHECK(report.findings()[0].kind == finding_kind::read_write_race);
    CHECK(report.findings()[1].kind == finding_kind::out_not_written);
    CHECK(report.findings()[1].element == 7);
}

TEST_CASE("out that arrives whole may be written in part, which is a hint; not at all is a finding") {
    struct first_half {
        COGRAPH_HD void operator()(index_t i, double value, double* to, index_t n) const {
            if (i < n / 2) to[i] = value;
        }
    };
    struct none_of_it {
        COGRAPH_HD void operator()(index_t, double value, double* to) const {
            if (value < 0) to[0] = value;
        }
    };
    fixture f;
    const finding hint = only_hint(check(for_each(over(x), first_half{})(in(x[each]), out(y), extent(x)), f.bound_x(), f.bound_y()));
    CHECK(hint.kind == finding_kind::partly_written);
    CHECK(hint.element == 50);
    const finding found = only(check(for_each(over(x), none_of_it{})(in(x[each]), out(y)), f.bound_x(), f.bound_y(), without_hints));
    CHECK(found.kind == finding_kind::out_not_written);
    CHECK(found.element == -1);
}

TEST_CASE("out that is read is found, in buffers, scalars and nodes of one thread") {
    struct accumulate {
        COGRAPH_HD void operator()(index_t, double value, double& to) const { to += value; }
    };
    struct accumulate_once {
        COGRAPH_HD void operator()(double& to, double value) const { to += value; }
    };
    fixture f;
    const finding found = only(check(for_each(over(x), accumulate{})(in(x[each]), out(y[each])), f.bound_x(), f.bound_y()));
    CHECK(found.kind == finding_kind::out_read);
    CHECK(text(found.variable) == "y");
    CHECK(found.first == found.element);
    const finding scalar = only(check(single_task(accumulate_once{})(out(s), 2.0), s(&f.sum)));
    CHECK(scalar.kind == finding_kind::out_read);
    CHECK(text(scalar.variable) == "s");
    CHECK(f.sum == 3);
}

TEST_CASE("out that decides what is written elsewhere is read, too") {
    struct look {
        COGRAPH_HD void operator()(index_t i, double* from, double& to) const {
            to = from[i] > 2 ? 1 : 0;
            from[i] = 5;
        }
    };
    fixture f;
    const finding found = only(check(for_each(over(x), look{})(out(y), out(x[each])), f.bound_x(), f.bound_y()));
    CHECK(found.kind == finding_kind::out_read);
    CHECK(text(found.variable) == "y");
}

void change_input(double* from, double* to, index_t n) {
    for (index_t i = 0; i < n; ++i) to[i] = from[i];
    from[3] = 11;
}
void change_input_on_device(double*, double*, index_t) {}

TEST_CASE("in that is written is found, and the caller's memory stays") {
    fixture f;
    const double before = f.xs[3];
    const finding found = only(check(kernel<change_input_on_device, change_input>(over(x))(in(x), out(y), extent(x)), f.bound_x(), f.bound_y()));
    CHECK(found.kind == finding_kind::in_written);
    CHECK(text(found.variable) == "x");
    CHECK(found.element == 3);
    CHECK(f.xs[3] == before);
}

struct write_far {
    COGRAPH_HD void operator()(index_t i, double* to) const { to[i + 3] = static_cast<double>(i); }
};
struct read_far {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to) const { to = from[i] + from[i + 1]; }
};

struct add_one {
    COGRAPH_HD void operator()(index_t, double& to) const { to += 1; }
};
struct set_and_stray {
    COGRAPH_HD void operator()(index_t i, double* to) const {
        to[i] = 1;
        if (i == 0) to[-100] = 7;
    }
};
TEST_CASE("what one node writes beyond the extent is not found in the next one") {
    fixture f;
    const auto right = for_each(over(y), add_one{})(inout(y[each]));
    CHECK(check(seq(right, for_each(over(x), set_and_stray{})(out(x)), right), f.bound_x(), f.bound_y(), without_hints).empty());
}

// What is there may be what was there.
void copy_one_too_many(const double* from, double* to, index_t count) {
    for (index_t i = 0; i <= count; ++i) to[i] = from[i];
}
void copy_on_device(const double*, double*, index_t) {}
struct copy_two {
    COGRAPH_HD void operator()(index_t i, const double* from, double* to) const {
        to[i] = from[i];
        to[i + 1] = from[i + 1];
    }
};
TEST_CASE("what is copied from beyond one variable to beyond another is found") {
    fixture f;
    const finding at_once = only(check(kernel<copy_on_device, copy_one_too_many>(over(x))(in(x), out(y), extent(x)), f.bound_x(), f.bound_y()));
    CHECK(at_once.kind == finding_kind::write_beyond_extent);
    CHECK(text(at_once.variable) == "y");
    const auto report = check(for_each(over(x), copy_two{})(in(x), out(y)), f.bound_x(), f.bound_y(), without_hints);
    INFO(report.text());
    REQUIRE(!report.findings().empty());
    CHECK(report.findings()[0].kind == finding_kind::write_beyond_extent);
    CHECK(text(report.findings()[0].variable) == "y");
    CHECK(report.findings()[0].first == 99);
}

TEST_CASE("memory beyond the extent is guarded, in front and behind, and the caller's is not touched") {
    fixture f;
    f.xs[1] = 1234.5;
    const auto shorter = x(f.xs.data() + 2, 90);
    const double behind_it = f.xs[92];
    const auto report = check(for_each(over(x), write_far{})(inout(x)), shorter, without_hints);
    const finding found = only(report);
    CHECK(found.kind == finding_kind::write_beyond_extent);
    CHECK(text(found.variable) == "x");
    CHECK(found.first >= 87);
    CHECK(f.xs[92] == behind_it);
    struct before {
        COGRAPH_HD void operator()(index_t i, double* to) const { to[i - 1] = static_cast<double>(i); }
    };
    const finding in_front = only(check(for_each(over(x), before{})(inout(x)), shorter, without_hints));
    CHECK(in_front.kind == finding_kind::write_beyond_extent);
    CHECK(in_front.first == 0);
    CHECK(f.xs[1] == 1234.5);

    const finding read = only(check(for_each(over(x), read_far{})(in(x), out(y[each])), shorter, f.bound_y()));
    CHECK(read.kind == finding_kind::read_beyond_extent);
    CHECK(read.first == 89);
}

// One extent for two buffers, as code of other systems has it.
struct add_reversed {
    COGRAPH_HD void operator()(index_t i, const double* left, const float* right, double& to, index_t n) const {
        to = left[i] + static_cast<double>(right[n - 1 - i]);
    }
};
TEST_CASE("the extent of one buffer that is taken for that of a shorter one leads beyond the shorter one") {
    constexpr auto e = for_each(over(x), add_reversed{})(in(x), in(w), out(y[each]), extent(x));
    fixture f;
    std::vector<float> as_many(100, 1), fewer(90, 1);
    CHECK(check(e, f.bound_x(), f.bound_y(), w(std::span(as_many))).text() == "");
    const finding found = only(check(e, f.bound_x(), f.bound_y(), w(std::span(fewer))));
    CHECK(found.kind == finding_kind::read_beyond_extent);
    CHECK(text(found.variable) == "w");
}

TEST_CASE("marks that are stronger than needed are hints") {
    struct overwrite {
        COGRAPH_HD void operator()(index_t, double value, double& to) const { to = value; }
    };
    struct ignore {
        COGRAPH_HD void operator()(index_t, double value, double, double& to) const { to = value; }
    };
    struct only_look {
        COGRAPH_HD void operator()(index_t, double value, double& also, double& to) const { to = value + also; }
    };
    fixture f;
    const auto hint_of = [&](auto e) {
        const finding hint = only_hint(check(e, f.bound_x(), f.bound_y()));
        CHECK(hint.is_hint);
        return hint;
    };
    const finding not_read = hint_of(for_each(over(x), overwrite{})(in(x[each]), inout(y[each])));
    CHECK(not_read.kind == finding_kind::inout_not_read);
    CHECK(text(not_read.variable) == "y");
    const finding ignored = hint_of(seq(for_each(over(x), ignore{})(in(x[each]), in(y[each]), out(z[each])), copy(in(z), out(y))));
    CHECK(ignored.kind == finding_kind::in_not_read);
    CHECK(text(ignored.variable) == "y");
    const finding not_written = hint_of(seq(for_each(over(x), only_look{})(in(x[each]), inout(y[each]), out(z[each])), copy(in(z), out(y))));
    CHECK(not_written.kind == finding_kind::inout_not_written);
    CHECK(check(for_each(over(x), overwrite{})(in(x[each]), inout(y[each])), f.bound_x(), f.bound_y(), without_hints).hints().empty());
}

TEST_CASE("what a variable that is read needs only in some iterations is no hint") {
    struct late {
        COGRAPH_HD void operator()(index_t, double value, const double& count, double& to) const { to = count == 3 ? value : 1; }
    };
    constexpr auto e = seq(assign(s, 0), repeat(5, seq(for_each(over(x), late{})(in(x[each]), in(s), out(y[each])), assign(s, s + 1))));
    fixture f;
    CHECK(check(e, f.bound_x(), f.bound_y()).text() == "");
}

TEST_CASE("a node that keeps state of its own is found, and not taken for another mistake") {
    static int calls;
    calls = 0;
    struct counts_calls {
        void operator()(index_t, double value, double& to) const { to = value + ++calls; }
    };
    fixture f;
    const finding found = only(check(for_each(over(x), counts_calls{})(in(x[each]), out(y[each])), f.bound_x(), f.bound_y(), without_hints));
    CHECK(found.kind == finding_kind::not_repeatable);
    CHECK(text(found.variable) == "y");
}

TEST_CASE("a node that writes behind a view runs once") {
    struct count_behind {
        COGRAPH_HD void operator()(index_t, cell c) const { *c.at += 1; }
    };
    fixture f;
    double hidden = 0;
    CHECK(check(for_each(over(x), count_behind{})(inout(behind)), f.bound_x(), behind(cell{&hidden})).empty());
    CHECK(hidden == 100);
}

TEST_CASE("host work and captured calls run once, and what they read is compared") {
    fixture f;
    int calls = 0;
    const auto change = [&calls](const double* from) {
        ++calls;
        const_cast<double*>(from)[5] = -1;
    };
    struct nothing_on_a_stream {
        int operator()(core::stream_handle, const double*) const { return 0; }
    };
    const auto report = check(captured(nothing_on_a_stream{}, change)(in(x)), f.bound_x());
    CHECK(calls == 1);
    CHECK(only(report).kind == finding_kind::in_written);
    CHECK(only(report).element == 5);
}

TEST_CASE("elements of a small type, and structs") {
    struct three {
        float a, b, c;
    };
    static constexpr struct triples : buffer<triples, three> {} triples;
    struct shift {
        COGRAPH_HD void operator()(index_t i, three* all, index_t n) const { all[i] = all[(i + 1) % n]; }
    };
    std::vector<three> of(40);
    for (std::size_t i = 0; i < of.size(); ++i) of[i] = {static_cast<float>(i), 1, 2};
    CHECK(only(check(for_each(over(triples), shift{})(inout(triples), extent(triples)), triples(std::span(of)))).kind == finding_kind::read_write_race);
    struct own {
        COGRAPH_HD void operator()(index_t, three& one) const { one.a += 1; }
    };
    CHECK(check(for_each(over(triples), own{})(inout(triples[each])), triples(std::span(of))).text() == "");
}

TEST_CASE("the library's own nodes pass, over no elements too") {
    constexpr auto e = seq(fill(out(y), 2.0), copy(in(x), out(z)), dot(out(s), in(z), in(y)), reduce(out(s), in(x), maximum{}), assign(s, s * 2),
                           for_each(over(x), smooth{})(in(x), out(y[each]), extent(x)));
    for (const std::size_t n : {0u, 1u, 2u, 100u}) {
        fixture f(n);
        CHECK(check(e, f.bound_x(), f.bound_y()).text() == "");
    }
}

TEST_CASE("a report is text, a stream's or a file's") {
    fixture f;
    const auto report = check(for_each(over(x), smooth{})(in(x), out(x[each]), extent(x)), f.bound_x());
    struct sink {
        std::string all;
        sink& operator<<(const char* more) {
            all += more;
            return *this;
        }
    } to;
    report.write(to);
    CHECK(to.all == report.text());
    CHECK(to.all.find("'smooth' (") == 0);
    CHECK(to.all.find(" reads 'x[") != std::string::npos);
}

struct is_large {
    COGRAPH_HD bool operator()(double value) const { return value > 1000; }
};
inline constexpr struct found_large : scalar<found_large, int> {} found_large;
inline constexpr struct first_of_x : scalar<first_of_x, int> {} first_of_x;

TEST_CASE("a compaction that keeps nothing, and a node over no elements, are no mistakes") {
    fixture f;
    int kept = 0, none = 0;
    constexpr auto compaction = copy_if(in(x), out(y), out(found_large), is_large{});
    CHECK(check(compaction, f.bound_x(), f.bound_y(), found_large(&kept), without_hints).text() == "");
    CHECK(check(compaction, f.bound_x(), f.bound_y(), found_large(&kept)).text() == "");
    const auto over_none = seq(copy_if(over(x).first(first_of_x), is_large{})(in(x), out(y), out(found_large)),
                               for_each(over(x).first(first_of_x), add_to{})(in(x[each]), out(sums)));
    CHECK(check(over_none, f.bound_x(), f.bound_y(), first_of_x(&none), found_large(&kept), sums(&f.sum, 1), without_hints).text() == "");
    f.xs[7] = 2000;
    CHECK(check(compaction, f.bound_x(), f.bound_y(), found_large(&kept), without_hints).text() == "");
    CHECK(kept == 1);
}

}  // namespace check_nodes_test
