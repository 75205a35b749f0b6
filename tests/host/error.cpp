// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double> {} t;
inline constexpr struct t2 : temp<t2, double> {} t2;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct huge : value<huge, std::uint64_t> {} huge;

struct nothing_much {
    COGRAPH_HD void operator()(index_t) const {}
};
struct write_one {
    COGRAPH_HD void operator()(index_t, double& to) const { to = 1; }
};
struct write_both {
    COGRAPH_HD void operator()(double* a, double* b) const { a[0] = b[0] = 1; }
};
struct read_both {
    COGRAPH_HD void operator()(index_t i, double& to, const double* a, const double* b) const { to = a[i] + b[i]; }
};
struct take_int {
    COGRAPH_HD void operator()(double& to, int count) const { to = count; }
};
struct take_unsigned {
    COGRAPH_HD double operator()(index_t, const unsigned& count) const noexcept { return count; }
};
struct take_index {
    COGRAPH_HD void operator()(double& to, index_t count) const { to = static_cast<double>(count); }
};
struct take_any {
    COGRAPH_HD void operator()(double& to, auto count) const { to = static_cast<double>(count); }
};
struct is_less {
    COGRAPH_HD bool operator()(double number, int count) const { return number < count; }
};
struct take_short {
    void operator()(short) const {}
};
struct take_index_of_stream {
    void operator()(CUstream_st*, double*, index_t) const {}
};
struct take_int_of_stream {
    void operator()(CUstream_st*, double*, int) const {}
};
struct take_int_on_host {
    void operator()(double*, int) const {}
};
void count_up(int, double*) {}
void count_up_unsigned(unsigned, double*) {}
void count_up_on_host(int count, double* to) { *to = count; }
void count_up_unsigned_on_host(unsigned count, double* to) { *to = count; }

struct give_up {
    void operator()(double& value) const {
        if (value > 2) throw std::runtime_error("enough");
        value += 1;
    }
};

template <class F>
error refusal(F run) {
    try {
        run();
    } catch (const error& e) {
        return e;
    }
    FAIL("no error");
    return error({}, "");
}
bool contains(const error& e, const std::string& words) {
    return std::string(e.what()).find(words) != std::string::npos;
}
std::string here(unsigned line) { return std::string("(") + __FILE__ + ":" + std::to_string(line) + ")"; }
std::string name_of(const error& e) { return std::string(e.where().name.data, e.where().name.size); }

}  // namespace

TEST_CASE("a null pointer is refused, with the variable's name") {
    std::vector<double> memory(3);
    double* const none = nullptr;
    const error of_buffer = refusal([&] { simulate(copy(in(x), out(y)), x(none, 3), y(std::span(memory))); });
    CHECK(std::string(of_buffer.what()) ==
          "cograph: 'x' is bound to a null pointer: bind memory that exists");
    CHECK(name_of(of_buffer) == "x");
    const error of_scalar = refusal([&] { simulate(assign(rr, rr + 1), rr(none)); });
    CHECK(contains(of_scalar, "'rr' is bound to a null pointer"));
    CHECK_NOTHROW(simulate(copy(in(x), out(y)), x(none, 0), y(none, 0)));
}

TEST_CASE("extents that must be equal are refused, with the node, its line and the variable") {
    std::vector<double> three(3), four(4, 1);
    double result = 0;
    const unsigned line = __LINE__ + 1;
    const auto e = copy(in(x), out(y));
    const error of_copy = refusal([&] { simulate(e, x(std::span(three)), y(std::span(four))); });
    CHECK(std::string(of_copy.what()) ==
          "cograph: 'copy' " + here(line) + " needs extents that are equal: 'y' has 4 elements, and it runs over 3");
    CHECK(of_copy.where().line == line);
    CHECK(four == std::vector<double>(4, 1));
    const error of_dot = refusal([&] {
        simulate(label("x times y", dot(out(rr), in(x), in(y))), x(std::span(three)), y(std::span(four)),
                 rr(&result));
    });
    CHECK(contains(of_dot, "'x times y' ("));
    CHECK(name_of(of_dot) == "x times y");
    const error of_temp =
        refusal([&] { simulate(seq(fill(out(t), 1), copy(in(t), out(x))), x(std::span(three)), t(4)); });
    CHECK(contains(of_temp, "'x' has 3 elements, and it runs over 4"));
}

TEST_CASE("more elements than there are is refused, with the node, its line and the variable") {
    std::vector<double> three(3);
    const unsigned line = __LINE__ + 1;
    const auto e = for_each(over(n), write_one{})(out(x[each]));
    CHECK(std::string(refusal([&] { simulate(e, x(std::span(three)), n(4)); }).what()) ==
          "cograph: 'write_one' " + here(line) + " runs over 4 elements, more than there are in 'x': 3");
    CHECK_NOTHROW(simulate(e, x(std::span(three)), n(2)));
    CHECK(three == std::vector<double>{1, 1, 0});
}

TEST_CASE("temps that are together more than memory can hold are refused: sums of sizes do not wrap around") {
    double one = 0;
    const auto e = seq(single_task(write_both{})(out(t), out(t2)), assign(rr, 0), for_each(over(x), read_both{})(out(x[each]), in(t), in(t2)));
    const std::size_t most = static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(double);
    for (const std::size_t less : {0, 32, 63, 64, 96})
        CHECK(std::string(refusal([&] { simulate(e, t(most), t2(most - less), x(&one, 1)); }).what()) ==
              "cograph: 't' and the other memory that the run owns are more than memory can hold");
}

TEST_CASE("a negative count is said as it was given") {
    double one = 0;
    const auto e = seq(fill(out(t), 1), reduce(out(rr), in(t)));
    CHECK(std::string(refusal([&] { simulate(e, t(-3), rr(&one)); }).what()) ==
          "cograph: 't' is bound with -3 elements: a count cannot be negative");
    CHECK(std::string(refusal([&] { simulate(e, t(PTRDIFF_MAX / 4), rr(&one)); }).what()) ==
          "cograph: 't' is bound with 2305843009213693951 elements: more than memory can hold");
    CHECK(std::string(refusal([&] { simulate(e, t(std::size_t(-3)), rr(&one)); }).what()) ==
          "cograph: 't' is bound with -3 elements: a count cannot be negative");
}

TEST_CASE("a negative number of elements is refused, with the node and its line") {
    const unsigned line = __LINE__ + 1;
    const auto by_value = for_each(over(n), nothing_much{})();
    const error e = refusal([&] { simulate(by_value, n(-5)); });
    CHECK(std::string(e.what()) ==
          "cograph: 'nothing_much' " + here(line) + " runs over a negative number of elements: -5");
    CHECK(contains(refusal([] { simulate(for_each(over(-1), nothing_much{})()); }), "negative"));
    CHECK(contains(refusal([] { simulate(for_each(over(huge), nothing_much{})(), huge(~std::uint64_t{0})); }),
                   "negative"));
    CHECK(contains(refusal([] { simulate(when(n > 0, for_each(over(n), nothing_much{})()), n(-1)); }),
                   "negative"));
    CHECK_NOTHROW(simulate(by_value, n(0)));
}

TEST_CASE("a negative limit of iterations is refused, with the loop and its line") {
    const int few = -3;
    const unsigned line = __LINE__ + 1;
    const auto limited = do_while(seq(assign(rr, rr + 1.0)), rr > 0, at_most(few));
    double one = 1;
    CHECK(std::string(refusal([&] { simulate(limited, rr(&one)); }).what()) == "cograph: 'do while' " + here(line) + " has a negative limit of iterations: -3");
    CHECK(one == 1);
}

TEST_CASE("an extent that its parameter does not hold is refused, with the node, its line and the variable") {
    double* const none = reinterpret_cast<double*>(std::uintptr_t{1} << 52);  // which no node uses NOLINT(performance-no-int-to-ptr)
    double found = 0;
    const std::size_t two = std::size_t{2} << 30, five = std::size_t{5} << 30;
    const auto with = [&](const auto& e, std::size_t count) { return [&e, none, &found, count] { simulate(e, x(none, count), rr(&found)); }; };
    const unsigned line = __LINE__ + 1;
    const auto of_kernel = kernel<count_up, count_up_on_host>(grid(1))(extent(x), rr);
    CHECK(std::string(refusal(with(of_kernel, five)).what()) ==
          "cograph: 'count_up' " + here(line) + " takes extent(x) as an integer that holds at most 2147483647, and there are 5368709120 elements: take index_t");
    CHECK(contains(refusal(with(of_kernel, two)), "2147483648 elements: take index_t"));
    CHECK_NOTHROW(with(of_kernel, two - 1)());
    CHECK(found == 2147483647);
    const auto of_unsigned = kernel<count_up_unsigned, count_up_unsigned_on_host>(grid(1))(extent(x), rr);
    CHECK(contains(refusal(with(of_unsigned, five)), "holds at most 4294967295"));
    CHECK_NOTHROW(with(of_unsigned, two)());
    CHECK(found == 2147483648);

    CHECK(contains(refusal(with(label("take", single_task(take_int{})(out(rr), extent(x))), five)), "'take' ("));
    CHECK(contains(refusal(with(single_task([](double& to, int count) { to = count; })(out(rr), extent(x)), five)), "take index_t"));
    CHECK(contains(refusal(with(transform_reduce(over(2), take_unsigned{}, plus{})(out(rr), extent(x)), five)), "'take_unsigned' ("));
    CHECK(contains(refusal(with(loop_while(predicate(is_less{})(rr, extent(x)), assign(rr, rr + 1)), five)), "'while' ("));
    CHECK(contains(refusal(with(when(count_if(x, is_less{}, extent(x)) > 0, assign(rr, 1)), five)), "'count' ("));
    CHECK(contains(refusal(with(when(all_of(x, is_less{}, extent(x)), assign(rr, 1)), five)), "'all' ("));
    CHECK(contains(refusal(with(when(none_of(x, is_less{}, extent(x)), assign(rr, 1)), five)), "'any' ("));
    CHECK(contains(refusal(with(seq(assign(rr, 0), host(take_short{})(extent(x))), 40000)), "holds at most 32767"));
    CHECK(contains(refusal(with(captured(take_int_of_stream{}, take_int_on_host{})(out(rr), extent(x)), five)), "'take_int_of_stream' ("));
    CHECK(contains(refusal(with(captured(take_index_of_stream{}, take_int_on_host{})(out(rr), extent(x)), five)), "'take_index_of_stream' ("));

    CHECK_NOTHROW(with(single_task(take_index{})(out(rr), extent(x)), five)());
    CHECK(found == 5368709120.0);
    CHECK_NOTHROW(with(single_task(take_any{})(out(rr), extent(x)), five + 1)());
    CHECK(found == 5368709121.0);
}

TEST_CASE("a shape that its numbers do not hold is refused, not cut short") {
    const std::int64_t many = (std::int64_t{1} << 32) + 1;
    double found = 0;
    const auto refused = [&](auto shape) { return refusal([&] { simulate(kernel<count_up, count_up_on_host>(shape)(1, rr), rr(&found)); }); };
    CHECK(contains(refused(grid(many)), "asks for a grid of 4294967295 x 1 x 1 blocks"));
    CHECK(contains(refused(grid(1, 1, -1)), "asks for a grid of 1 x 1 x 4294967295 blocks"));
    CHECK(contains(refused(grid(1).block(many)), "asks for blocks of 4294967295 x 1 x 1 threads"));
    CHECK(contains(refused(grid(1).shared(many)), "asks for 4294967295 bytes of shared memory"));
    CHECK(contains(refused(grid(1).cluster(many)), "asks for a cluster that has no blocks, or more than 16"));
}

TEST_CASE("the label of a group does not take the place of its first node's") {
    const auto one = label("one", assign(rr, 1));
    const unsigned line = __LINE__ - 1;
    const error e = refusal([&] { label("all", seq(seq(), seq(one, assign(rr, 2)))); });
    CHECK(std::string(e.what()) == "cograph: 'one' " + here(line) +
                                       " would be renamed by label(\"all\", ...), which names the first node of a seq or par: a node has one label");
    CHECK(name_of(e) == "one");
    CHECK(contains(refusal([&] { label("all", as_nodes(par(one))); }), "'one' ("));
    CHECK(std::string(label("all", seq(assign(rr, 2), one)).records[0].label) == "all");
    CHECK(std::string(label("two", one).records[0].label) == "two");
    const auto loop = label("loop", loop_while(max_abs(x) > 1, fill(out(x), 0)));
    CHECK(std::string(label("other", loop).records[1].label) == "other");
    CHECK(std::string(label("other", as_nodes(loop)).records[1].label) == "other");
}

TEST_CASE("what is refused is refused before anything runs") {
    std::vector<double> memory = {1, 2};
    double value = 7;
    const auto e = seq(fill(out(x), 0), assign(rr, 0.0), for_each(over(n), nothing_much{})());
    CHECK_THROWS_AS(simulate(e, x(std::span(memory)), rr(&value), n(-1)), error);
    CHECK(memory == std::vector<double>{1, 2});
    CHECK(value == 7);
}

TEST_CASE("an exception of the user's own passes through") {
    double value = 0;
    const auto e = seq(fill(out(t), 1), loop_while(rr < 10, single_task(give_up{})(inout(rr))));
    CHECK_THROWS_AS(simulate(e, rr(&value), t(100)), std::runtime_error);
    CHECK(value == 3);
}

TEST_CASE("an error holds its text itself, however long") {
    static_assert(std::is_nothrow_copy_constructible_v<error>);
    const std::string long_label(5000, 'l');
    std::vector<double> memory(2), other(1);
    error copy_of_it({}, "nothing");
    {
        const auto e = label(long_label.c_str(), copy(in(x), out(y)));
        copy_of_it = refusal([&] { simulate(e, x(std::span(memory)), y(std::span(other))); });
    }
    CHECK(std::string(copy_of_it.what()).size() < 1024);
    CHECK(contains(copy_of_it, "cograph: 'lll"));
    CHECK(std::string(error({}, "is wrong").what()) == "cograph: is wrong");
    CHECK(std::string(error({"x"}, "is wrong", "as it says").what()) == "cograph: 'x' is wrong as it says");
    CHECK(std::string(error({"x", "f.cpp", 12}, "is wrong").what()) == "cograph: 'x' (f.cpp:12) is wrong");
}
