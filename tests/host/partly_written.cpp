// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>
#include <cograph/plan/lowering/lower.hpp>

#include <span>
#include <string>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct sized : temp<sized, double, elements<n>> {} sized;
inline constexpr struct four : temp<four, double, elements<4>> {} four;
inline constexpr struct two : temp<two, double, elements<2>> {} two;

struct number {
    COGRAPH_HD void operator()(index_t k, double& to) const { to = static_cast<double>(k + 1); }
};
struct add {
    COGRAPH_HD void operator()(index_t, const double& from, double& to) const { to += from; }
};
struct add_first {
    COGRAPH_HD void operator()(index_t, const double* from, double& to) const { to += from[0]; }
};
struct set_last {
    COGRAPH_HD void operator()(double* to, index_t count) const { to[count - 1] = 9; }
};

constexpr auto write_n = for_each(over(n), number{})(out(t[each]));
constexpr auto copy_all = copy(in(t), out(x));
constexpr auto add_n = for_each(over(n), add{})(in(t[each]), inout(x[each]));

// What a run of an expression over four elements says, or "".
template <class E, class... B>
std::string refusal(E const& e, B... more) {
    std::vector<double> xs(4);
    try {
        simulate(e, x(std::span(xs)), more...);
    } catch (const error& problem) {
        return problem.what();
    }
    return {};
}
bool is_refused(auto const& e, auto... more) { return refusal(e, more...).find("is only partly written") != std::string::npos; }

}  // namespace

TEST_CASE("a temp that is only partly written is not read") {
    const std::string said = refusal(seq(write_n, label("all of it", copy_all)), n(2));
    CHECK(said.find("cograph: 'all of it' (") == 0);
    CHECK(said.find(") reads more than 2 elements of 't', which is only partly written: write all of it first, or declare it only as long as "
                    "its written elements") != std::string::npos);
    CHECK(refusal(seq(write_n, copy_all), n(4)) == "");
    CHECK(is_refused(seq(for_each(over(3), number{})(out(t[each])), copy_all)));
    CHECK(refusal(seq(for_each(over(4), number{})(out(t[each])), copy_all)) == "");
    CHECK(is_refused(seq(write_n, reduce(out(total), in(t))), n(2)));
    CHECK(is_refused(seq(write_n, for_each(over(n), add_first{})(in(t), inout(x[each]))), n(2)));
    CHECK(is_refused(seq(write_n, single_task(set_last{})(inout(t), extent(t)), copy_all), n(2)));
    CHECK(is_refused(seq(write_n, when(all(t > 0), fill(out(x), 1))), n(2)));
}

TEST_CASE("what was written of a temp may be read") {
    std::vector<double> xs(4);
    simulate(seq(write_n, add_n), x(std::span(xs)), n(2));
    CHECK(xs == std::vector<double>{1, 2, 0, 0});
    simulate(seq(for_each(over(two), number{})(out(four[each])), for_each(over(two), add{})(in(four[each]), inout(x[each]))), x(std::span(xs)));
    CHECK(xs == std::vector<double>{2, 4, 0, 0});
    CHECK(is_refused(seq(for_each(over(1), number{})(out(t[each])), add_n), n(2)));
    CHECK(refusal(seq(for_each(over(1), number{})(out(t[each])), add_n), n(1)) == "");
    CHECK(refusal(seq(write_n, add_n), n(0)) == "");
    CHECK(refusal(seq(write_n, for_each(over(n), add_first{})(in(t), inout(x[each]))), n(0)) == "");
    CHECK(refusal(seq(write_n, for_each(over(3), number{})(out(t[each])), add_n), n(3)) == "");
}

TEST_CASE("a temp that is written whole, or as long as what is written, may be read") {
    std::vector<double> xs(4), ys(3);
    simulate(seq(fill(out(t), 5), write_n, copy_all), x(std::span(xs)), n(2));
    CHECK(xs == std::vector<double>{1, 2, 5, 5});
    simulate(seq(for_each(over(n), number{})(out(sized[each])), copy(in(sized), out(y))), y(std::span(ys)), n(3));
    CHECK(ys == std::vector<double>{1, 2, 3});
    simulate(seq(copy(in(x), out(four)), copy(in(four), out(x))), x(std::span(xs)));
    CHECK(xs == std::vector<double>{1, 2, 5, 5});
    CHECK(refusal(seq(for_each(over(x), number{})(out(t[each])), copy_all, for_each(over(n), number{})(inout(t[each])), copy_all), n(1)) == "");
}

TEST_CASE("every path must have written what is read of a temp") {
    int is = 0;
    const auto fill_all = fill(out(t), 1);
    CHECK(is_refused(seq(write_n, when(i > 0, fill_all), copy_all), n(2), i(&is)));
    CHECK(is_refused(seq(when(i > 0, write_n, otherwise(fill_all)), copy_all), n(2), i(&is)));
    CHECK(is_refused(seq(when(i > 0, fill_all, otherwise(write_n)), copy_all), n(2), i(&is)));
    CHECK(refusal(seq(when(i > 0, fill_all, otherwise(seq(write_n, fill_all))), copy_all), n(2), i(&is)) == "");
    CHECK(refusal(seq(when(i > 0, fill_all, otherwise(write_n)), add_n), n(2), i(&is)) == "");
    CHECK(is_refused(seq(write_n, repeat(3, fill_all), copy_all), n(2)));
    CHECK(refusal(seq(write_n, do_while(seq(fill_all, assign(i, i + 1)), i < 3), copy_all), n(2), i(&is)) == "");
    CHECK(is_refused(seq(write_n, repeat(3, seq(copy_all, fill_all))), n(2)));
    CHECK(refusal(repeat(3, seq(write_n, add_n)), n(2)) == "");
}

// As executables plan it: nodes of a lowered expression do not say how much they write.
template <class E, class... B>
static bool is_refused_lowered(E const& e, B... bindings) {
    static_assert(!std::is_same_v<core::lowered<E>, typename E::self>);
    core::frame f(core::plan_to_run<core::lowered<E>, typename E::self>(), e.records);
    try {
        fill_frame(f, e, bindings...);
    } catch (const error& problem) {
        return std::string(problem.what()).find("reads more than 2 elements of 't', which is only partly written") != std::string::npos;
    }
    return false;
}
TEST_CASE("a lowered expression is refused as the one that was written") {
    std::vector<double> xs(4);
    int is = 0;
    const auto branch = seq(when(i > 0, fill(out(t), 1), otherwise(write_n)), copy_all);
    CHECK(is_refused_lowered(branch, x(std::span(xs)), n(2), i(&is)));
    CHECK_FALSE(is_refused_lowered(branch, x(std::span(xs)), n(4), i(&is)));
    const auto fused = seq(write_n, add_n, copy_all);
    CHECK(is_refused_lowered(fused, x(std::span(xs)), n(2)));
    CHECK_FALSE(is_refused_lowered(fused, x(std::span(xs)), n(4)));
    const auto persistent = seq(assign(total, 1), repeat(2, seq(write_n, assign(total, total + 1), copy_all)));
    CHECK(is_refused_lowered(persistent, x(std::span(xs)), n(2)));
    CHECK_FALSE(is_refused_lowered(persistent, x(std::span(xs)), n(4)));
    const auto unrolled = repeat(2, seq(single_task(set_last{})(inout(x), extent(x)), write_n, copy_all));
    CHECK(is_refused_lowered(unrolled, x(std::span(xs)), n(2)));
    CHECK_FALSE(is_refused_lowered(unrolled, x(std::span(xs)), n(4)));
}

TEST_CASE("a question about a run's memory is refused as the run") {
    std::vector<double> xs(4);
    CHECK_THROWS_AS(memory_usage(seq(write_n, copy_all), x(std::span(xs)), n(2)), error);
    CHECK(memory_usage(seq(write_n, copy_all), x(std::span(xs)), n(4)).bytes > 0);
}
