// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

using namespace cograph;
using namespace cograph::core;

namespace formula_test {

inline constexpr struct a : scalar<a, int> {} a;
inline constexpr struct b : scalar<b, int> {} b;
inline constexpr struct c : value<c, int> {} c;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct big : value<big, std::int64_t> {} big;
inline constexpr struct count : scalar<count, std::uint64_t> {} count;
inline constexpr struct t : temp<t, float> {} t;
inline constexpr struct x : buffer<x, double> {} x;
enum class state : unsigned char { running, stopped };
enum class other { running };
enum mode { slow = -1, fast = 1 };
inline constexpr struct how : scalar<how, state> {} how;
inline constexpr struct wanted : value<wanted, state> {} wanted;
inline constexpr struct speed : scalar<speed, mode> {} speed;
inline constexpr struct states : buffer<states, state> {} states;

// Computes a formula from the values of its variables, in order of appearance.
template <class F, class... V, class... T>
constexpr auto evaluate_computation(computation<F, V...> of, T... values) {
    static_assert(sizeof...(V) == sizeof...(T));
    return computed<F>{as_operand<0>(of.function)}(values...);
}
template <class Formula, class... T>
constexpr auto evaluate(Formula f, T... values) {
    return evaluate_computation(computation_of(f), values...);
}
template <class T, class U>
constexpr bool same(T given, U expected) {
    return std::is_same_v<T, U> && given == expected;
}

// What is a formula: scalars and values of numbers, and what operators make of them; a buffer or temp is none.
static_assert(is_formula<struct a> && is_formula<struct c> && !is_formula<struct t> && !is_formula<struct x>);
static_assert(is_formula<decltype(a + 1)> && is_formula<decltype(2 * c)> && is_formula<decltype(-a)>);
static_assert(!is_formula<int> && formula_term<int>);
template <class L, class R>
concept can_add = requires(L l, R r) {
    l + r;
};
static_assert(can_add<struct a, struct rr> && can_add<int, struct a> && can_add<struct a, double>);
static_assert(!can_add<struct x, decltype(out(x))>);

// Of a buffer or temp, a formula has a value for each element: it can be asked of all of them, but decides nothing.
static_assert(can_add<struct x, int> && !is_formula<decltype(x + 1)> && !formula_term<struct x>);
static_assert(can_add<struct t, int> && !is_formula<decltype(t + 1)> && !formula_term<struct t>);
static_assert(formula_part<decltype(x + a)>::over == formulas::of_elements);
static_assert(is_any_formula<decltype(all(x == 1))> && !is_formula<decltype(all(x == 1))>);

// Names are erased: formulas of other variables compute with the same code.
template <class Formula>
constexpr auto without_names(Formula f) {
    return computation_of(f).function;
}
static_assert(std::is_same_v<decltype(without_names(a + b * 2)), decltype(without_names(b + c * 2))>);
static_assert(std::is_same_v<decltype(without_names(max(a, 2))), decltype(without_names(max(extent(x), 2)))>);

// Arithmetic is that of C++; a variable may appear often.
static_assert(same(evaluate(a + b, 3, 4), 7) && same(evaluate(a - b, 3, 4), -1) &&
              same(evaluate(a * b, 3, 4), 12));
static_assert(same(evaluate(a / b, 9, 4), 2) && same(evaluate(a % b, 9, 4), 1));
static_assert(same(evaluate(a / 2.0, 9), 4.5) && same(evaluate(1 - a, 3), -2) && same(evaluate(-a, 3), -3));
static_assert(same(evaluate(a & b, 6, 3), 2) && same(evaluate(a | b, 6, 3), 7) &&
              same(evaluate(a ^ b, 6, 3), 5));
static_assert(same(evaluate(a << 4, 3), 48) && same(evaluate(a >> 1, 7), 3) && same(evaluate(~a, 0), -1));
static_assert(same(evaluate(a * a - a, 5, 5, 5), 20));
static_assert(same(evaluate(rr + t, 0.5, 0.25f), 0.75));
static_assert(same(evaluate((a + b) * (a - b), 5, 2, 5, 2), 21) &&
              same(evaluate(a + b * a - b, 5, 2, 5, 2), 13));
static_assert(same(evaluate(a - (b - (c - 1)), 1, 2, 3), 1), "operands keep their places at any depth");

// Comparisons.
static_assert(evaluate(a < b, 1, 2) && !evaluate(a < b, 2, 2) && evaluate(a <= b, 2, 2) &&
              !evaluate(a <= b, 3, 2));
static_assert(evaluate(a > b, 3, 2) && !evaluate(a > b, 2, 2) && evaluate(a >= b, 2, 2) &&
              !evaluate(a >= b, 1, 2));
static_assert(evaluate(a == b, 2, 2) && !evaluate(a == b, 1, 2) && evaluate(a != b, 1, 2) &&
              !evaluate(a != b, 2, 2));
static_assert(std::is_same_v<decltype(evaluate(a < b, 1, 2)), bool>);

// Integers of different signedness compare as numbers.
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
static_assert(evaluate(big < count, std::int64_t{-1}, std::uint64_t{0}) &&
              !evaluate(big >= count, std::int64_t{-1}, std::uint64_t{0}));
static_assert(evaluate(big < count, highest, std::uint64_t{1} << 63) && evaluate(big < count, lowest, most));
static_assert(evaluate(count > big, most, std::int64_t{-1}) &&
              !evaluate(count == big, most, std::int64_t{-1}));
static_assert(evaluate(count != big, most, std::int64_t{-1}) &&
              evaluate(count == big, std::uint64_t{5}, std::int64_t{5}));
static_assert(evaluate(count > -1, std::uint64_t{0}) && !evaluate(count <= -1, most) && evaluate(a < 1u, -1));
static_assert(evaluate(big > 4294967295u, std::int64_t{1} << 32) &&
              !evaluate(big == 4294967295u, std::int64_t{-1}));

// 64-bit integers are not rounded to compare: beyond 2^53 a double skips numbers.
constexpr std::int64_t two_53 = std::int64_t{1} << 53;
static_assert(evaluate(big > 9007199254740992.0, two_53 + 1) &&
              !evaluate(big == 9007199254740992.0, two_53 + 1));
static_assert(evaluate(big != 9007199254740992.0, two_53 + 1) && evaluate(big == 9007199254740992.0, two_53));
static_assert(evaluate(rr < big, 9007199254740992.0, two_53 + 1) &&
              !evaluate(rr >= big, 9007199254740992.0, two_53 + 1));
static_assert(!evaluate(big < 9007199254740992.0, two_53 - 0) &&
              evaluate(big < 9007199254740992.0, two_53 - 1));
static_assert(evaluate(big < two_53 + 1, two_53) && !evaluate(big < two_53, two_53));
static_assert(evaluate(big < 9223372036854775808.0, highest) &&
              !evaluate(big >= 9223372036854775808.0, highest));
static_assert(evaluate(big == -9223372036854775808.0, lowest) &&
              !evaluate(big < -9223372036854775808.0, lowest));
static_assert(evaluate(count < 18446744073709551616.0, most) &&
              !evaluate(count == 18446744073709551616.0, most));
static_assert(evaluate(count > -0.5, std::uint64_t{0}) && evaluate(rr < count, -0.5, std::uint64_t{0}));
static_assert(evaluate(big < 2.5, std::int64_t{2}) && !evaluate(big < 2.5, std::int64_t{3}) &&
              evaluate(big > -2.5, std::int64_t{-2}));
static_assert(!evaluate(big > -2.5, std::int64_t{-3}) && evaluate(big < 1e300, highest) &&
              evaluate(big > -1e300, lowest));

// Nothing compares to NaN, except that it differs.
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
static_assert(!evaluate(big < nan, highest) && !evaluate(big > nan, lowest) &&
              !evaluate(big <= nan, highest));
static_assert(!evaluate(big >= nan, lowest) && !evaluate(big == nan, two_53) && evaluate(big != nan, two_53));
static_assert(!evaluate(rr < big, nan, highest) && !evaluate(rr == big, nan, highest) &&
              evaluate(rr != big, nan, highest));
static_assert(evaluate(big < infinity, highest) && evaluate(big > -infinity, lowest) &&
              evaluate(count < infinity, most));

// Logic: bool, and the right side is not computed where the left side decides.
static_assert(same(evaluate(a && b, 2, 4), true) && same(evaluate(a || b, 0, 0), false) &&
              same(evaluate(!a, 5), false));
static_assert(same(evaluate(a != 0 && 6 % a == 0, 0, 0), false), "no division by zero");
static_assert(same(evaluate(a == 0 || 6 / a == 3, 0, 0), true) &&
              same(evaluate(a == 0 || 6 / a == 3, 2, 2), true));
static_assert(!evaluate(a != 0 && (b != 0 && 6 / (a * b) == 1), 0, 3, 0, 3));

// Mixed: bits and logic.
constexpr auto mixed = (a & b) | c;
static_assert(same(evaluate(mixed, 6, 3, 8), 10) && same(evaluate(mixed, 4, 3, 0), 0) &&
              same(evaluate(mixed, 4, 3, 1), 1));
static_assert(same(evaluate(a > 0 && (b < 3 || !(c == 1)), 1, 5, 2), true) &&
              same(evaluate(a > 0 && (b < 3 || !(c == 1)), 1, 5, 1), false));
static_assert(same(evaluate((a > 0) & (b > 0), 1, 1), 1), "& of two comparisons is an integer, as in C++");

// min and max choose as std::min and std::max do, in the type that both sides have in common.
static_assert(same(evaluate(min(a, b), 3, 4), 3) && same(evaluate(max(a, b), 3, 4), 4) && same(evaluate(max(a, 2.5), 3), 3.0));
static_assert(same(evaluate(min(t, t), 0.5f, 0.25f), 0.25f) && same(evaluate(min(1u, a), -1), 1u), "-1 becomes unsigned, as in C++");
static_assert(same(evaluate(max(min(a, b), c) - 1, 5, 7, 6), 5));
static_assert(same(evaluate(ceil_div(a, 3), 7), 3) && same(evaluate(ceil_div(a, 3), -7), -2) && same(evaluate(ceil_div(a, b), 6, 3), 2));

// abs is that of C++, and an unsigned number itself.
static_assert(same(evaluate(abs(a), -3), 3) && same(evaluate(abs(a - b), 2, 5), 3) && same(evaluate(abs(count), most), most));
static_assert(same(evaluate(abs(rr), -0.5), 0.5) && same(std::bit_cast<std::uint64_t>(evaluate(abs(rr), -0.0)), std::uint64_t{0}) &&
              same(evaluate(abs(rr), -infinity), infinity));
static_assert(same(evaluate(abs(t), -2.f), 2.f) && same(evaluate(abs(big), -highest), highest));

// sqrt of integers is a double's.
static_assert(std::is_same_v<decltype(evaluate(sqrt(t), 4.f)), float> && std::is_same_v<decltype(evaluate(sqrt(a) + 1, 4)), double>);
static_assert(is_formula<decltype(sqrt(rr) > 2 * a)> && !is_formula<decltype(abs(x))> && is_any_formula<decltype(min(x, rr))>);

// The functions of <cmath> give a float of floats alone; what asks about a number gives a truth.
template <class T, class Formula, class... V>
constexpr bool gives(Formula f, V... values) {
    return std::is_same_v<decltype(evaluate(f, values...)), T>;
}
static_assert(gives<float>(exp(t), 1.f) && gives<double>(log(rr), 1.0) && gives<double>(sin(a), 1) && gives<float>(cos(t) + tan(t), 1.f, 1.f));
static_assert(gives<float>(tanh(t), 1.f) && gives<float>(floor(t), 1.f) && gives<double>(ceil(a), 1) && gives<double>(round(extent(x)), index_t{1}));
static_assert(gives<float>(pow(t, t), 1.f, 1.f) && gives<double>(pow(t, 2), 1.f) && gives<double>(pow(2, t), 1.f));
static_assert(gives<float>(fma(t, t, 1.f), 1.f, 1.f) && gives<double>(fma(t, 2, t), 1.f, 1.f) && gives<double>(fma(2.0, a, t), 1, 1.f));
static_assert(same(evaluate(isfinite(rr), infinity), false) && same(evaluate(isfinite(a), 3), true) && same(evaluate(isfinite(t), -1e38f), true));
#ifndef __CUDACC__  // whose constants do not compare NaN
static_assert(same(evaluate(isfinite(rr), nan), false));
#endif
static_assert(same(evaluate(isnan(rr), nan), true) && same(evaluate(isnan(rr), infinity), false) && same(evaluate(!isnan(count), most), true));
static_assert(formula_part<decltype(isnan(rr))>::is_integer && !formula_part<decltype(floor(a))>::is_integer && integer_operand<decltype(isfinite(t))>);
static_assert(formula_part<decltype(exp(x) + a)>::over == formulas::of_elements && is_formula<decltype(fma(rr, 2, a))>);
template <class L>
concept has_exponential = requires(L l) { exp(l); };
static_assert(has_exponential<struct rr> && !number_operand<struct how> && !fused_operands<struct how, int, struct a> && !fused_operands<int, int, int>);

// What the library does not know stays the user's.
constexpr int min(int l, int r) { return l + r; }
constexpr int sqrt(int n) { return -n; }
static_assert(min(3, 4) == 7 && sqrt(3) == -3 && same(evaluate(min(a, 4), 3), 3));

// The extent of a variable is an index_t.
static_assert(same(evaluate(extent(x) - 1, index_t{5}), index_t{4}) && same(evaluate(a < extent(x), 3, index_t{5}), true));
static_assert(same(evaluate(rr / extent(x), 1.0, index_t{4}), 0.25) && same(evaluate(2 * extent(x) + 1 == b, index_t{3}, 7), true));
static_assert(is_formula<decltype(extent(x))> && is_formula<decltype(min(a, extent(t)))> && is_any_formula<decltype(all(x < extent(x)))>);
static_assert(!reads(assign(a, extent(x)), x) && reads(assign(a, b + extent(x)), b));

// An enumeration becomes its integer by itself; where it is scoped, it compares with its own kind alone.
static_assert(same(evaluate(how == state::stopped, state::stopped), true) && same(evaluate(how != wanted, state::running, state::stopped), true));
static_assert(same(evaluate(state::running < how, state::stopped), true) && same(evaluate(as_formula(how), state::stopped), static_cast<unsigned char>(1)));
static_assert(same(evaluate(speed == slow, slow), true) && same(evaluate(speed + 1, fast), 2) && same(evaluate(min(speed, a), slow, 0), -1));
static_assert(same(evaluate(a - fast, 3), 2) && same(evaluate(!speed, slow), false));
static_assert(is_any_formula<decltype(all(states == state::running))> && formula_term<state> && formula_term<struct how>);
static_assert(!formula_operands<struct how, int> && !formula_operands<struct how, state> && formula_operands<struct speed, int>);
static_assert(!compared_operands<struct how, int> && !compared_operands<struct how, other> && compared_operands<other, struct speed> == false);
static_assert(writes(assign(how, state::stopped), how) && reads(assign(how, wanted), wanted) && writes(assign(a, speed), a));

// The plan sees each variable of a formula.
static_assert(reads(assign(a, b + c), b, c) && !reads(assign(a, b + c), a) && writes(assign(a, b + c), a));
static_assert(reads(assign(a, a + 1), a) && is_input(assign(a, a + 1), a) && !is_input(assign(a, 1), a));
static_assert(decltype(assign(a, b + c))::tree.name.read() == "assign");

}  // namespace formula_test
