// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

using namespace cograph;
using namespace cograph::core;

namespace variable_test {

struct matrix {
    const double* values;
    int rows;
};

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct rr : scalar<rr, float> {} rr;
inline constexpr struct tol : value<tol, std::int64_t> {} tol;
inline constexpr struct A : view<A, matrix> {} A;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct counted : temp<counted, int> {} counted;

// What a variable is.
static_assert(variable<struct x> && variable<struct rr> && variable<struct tol> && variable<struct A> &&
              variable<struct t>);
static_assert(!variable<int> && !variable<matrix>);
static_assert(in_memory<struct x> && in_memory<struct rr> && in_memory<struct t> &&
              in_memory<struct counted>);
static_assert(!in_memory<struct tol> && !in_memory<struct A>);
static_assert(by_value<struct tol> && by_value<struct A> && !by_value<struct x>);
static_assert(std::is_empty_v<struct x> && std::is_empty_v<struct tol>);

// A size may be a formula.
inline constexpr struct few : value<few, short> {} few;
inline constexpr struct rounded : value<rounded, float> {} rounded;
inline constexpr struct sized : temp<sized, float, cograph::elements<2 * extent(x) + 1>> {} sized;
inline constexpr struct nested : temp<nested, float, cograph::elements<max(ceil_div(extent(sized) - few, 4), few / 2)>> {} nested;
static_assert(variable<struct sized> && in_memory<struct sized> && std::is_empty_v<struct sized>);
static_assert(info_of<struct sized>.like == nullptr && info_of<struct sized>.size_by->part_count == 5);
static_assert(info_of<struct sized>.size_by->variable_count == 1 && info_of<struct sized>.size_by->variables[0] == &info_of<struct x>);
static_assert(info_of<struct nested>.size_by->variable_count == 3 && info_of<struct t>.size_by == nullptr);
static_assert(std::is_same_v<cograph::elements<few + 2>, cograph::elements<few + 2>> && !std::is_same_v<cograph::elements<few + 2>, cograph::elements<few + 3>>);

// The numbers of a step, in 64 bits.
constexpr std::int64_t most = INT64_MAX, fewest = INT64_MIN;
constexpr bool gives(size_step what, std::int64_t a, std::int64_t b, std::int64_t result) {
    return !compute_step(what, a, b).fault && compute_step(what, a, b).value == result;
}
constexpr bool fails(size_step what, std::int64_t a, std::int64_t b) { return compute_step(what, a, b).fault; }
static_assert(gives(size_step::sum, most, -1, most - 1) && fails(size_step::sum, most, 1));
static_assert(gives(size_step::difference, fewest, -1, fewest + 1) && fails(size_step::difference, fewest, 1));
static_assert(gives(size_step::product, fewest, 1, fewest) && fails(size_step::product, fewest, -1) && fails(size_step::product, most, 2) &&
              gives(size_step::product, most, -1, -most) && fails(size_step::product, -2, most) && gives(size_step::product, 2, fewest / 2, fewest) &&
              gives(size_step::product, 0, fewest, 0) && gives(size_step::product, -3, -5, 15) && fails(size_step::product, fewest, fewest));
static_assert(gives(size_step::quotient, -7, 2, -3) && fails(size_step::quotient, 1, 0) && fails(size_step::quotient, fewest, -1));
static_assert(gives(size_step::quotient_up, 7, 2, 4) && gives(size_step::quotient_up, 8, 2, 4) && gives(size_step::quotient_up, -7, 2, -3) &&
              gives(size_step::quotient_up, -7, -2, 4) && gives(size_step::quotient_up, most, 1, most) && fails(size_step::quotient_up, fewest, -1));
static_assert(gives(size_step::remainder, 7, 4, 3) && fails(size_step::remainder, 7, 0) && fails(size_step::remainder, fewest, -1));
static_assert(gives(size_step::smaller, fewest, most, fewest) && gives(size_step::larger, fewest, most, most));

// A value is bound to a number that its type holds; of another one no constant can be made.
template <class V, int Numerator, int Denominator>
concept is_bound = requires { typename std::bool_constant<(V{}(static_cast<double>(Numerator) / Denominator), true)>; };
template <class V, auto Number>
concept is_bound_to = requires { typename std::bool_constant<(V{}(Number), true)>; };
static_assert(tol(3u).value == 3 && rounded(0.1).value == 0.1f && few(-32768.0).value == -32768);
static_assert(is_bound<struct few, 7, 1> && !is_bound<struct few, 15, 2> && is_bound<struct rounded, 1, 3>);
static_assert(is_bound_to<struct few, 'a'> && !is_bound_to<struct few, 1 << 15> && !is_bound_to<struct tol, UINT64_MAX>);
static_assert(holds<unsigned char>(255) && !holds<unsigned char>(256) && !holds<unsigned char>(-1) && holds<bool>(1.0) && !holds<bool>(0.5) &&
              holds<std::int64_t>(-9223372036854775808.0) && !holds<std::int64_t>(9223372036854775808.0f) && !holds<std::int64_t>(UINT64_MAX) &&
              holds<float>(INT64_MAX) && !holds<int>(2147483648.0f) && holds<int>('a'));

// What the plan knows of it: the user's word, not the namespaces around it.
static_assert(info_of<struct x>.name.read() == "x");
static_assert(info_of<struct rr>.name.read() == "rr");
static_assert(info_of<struct counted>.name.read() == "counted");
static_assert(info_of<struct x>.kind == variable_kind::buffer);
static_assert(info_of<struct rr>.kind == variable_kind::scalar);
static_assert(info_of<struct tol>.kind == variable_kind::value);
static_assert(info_of<struct A>.kind == variable_kind::view);
static_assert(info_of<struct t>.kind == variable_kind::temp);
static_assert(info_of<struct x>.size == sizeof(double) && info_of<struct rr>.size == sizeof(float));
static_assert(info_of<struct A>.size == sizeof(matrix) && info_of<struct A>.alignment == alignof(matrix));
static_assert(info_of<struct tol>.is_signed);
static_assert(info_of<struct t>.like == &info_of<struct x>);
static_assert(info_of<struct counted>.like == nullptr && info_of<struct x>.like == nullptr);
static_assert(&info_of<struct x> != &info_of<struct rr>);
static_assert(info_of<struct x>.hash != info_of<struct rr>.hash);

namespace inner {
inline constexpr struct x : buffer<x, double> {} x;
static_assert(info_of<struct x>.name.read() == "x");
static_assert(&info_of<struct x> != &info_of<struct variable_test::x>,
              "one word in two namespaces names two variables");
}  // namespace inner

namespace {
[[maybe_unused]] inline constexpr struct hidden : buffer<hidden, double> { } hidden; }  // namespace
static_assert(info_of<struct hidden>.name.read() == "hidden");
template <class T, class U>
struct of_two : buffer<of_two<T, U>, double> {};
static_assert(info_of<of_two<int, char>>.name.read() == "of_two<int, char>");

// What it is bound to.
inline double memory[4] = {};
inline const double constant_memory[3] = {};
inline float one = 0;

static_assert(std::is_same_v<decltype(x(memory)), range_binding<struct x, double>>);
static_assert(std::is_same_v<decltype(x(constant_memory)), range_binding<struct x, const double>>);
static_assert(std::is_same_v<decltype(x(memory, 2)), range_binding<struct x, double>>);
static_assert(std::is_same_v<decltype(x(std::span<double>{})), range_binding<struct x, double>>);
static_assert(std::is_same_v<decltype(x(std::span<const double>{})), range_binding<struct x, const double>>);
static_assert(std::is_same_v<decltype(rr(&one)), range_binding<struct rr, float>>);
static_assert(std::is_same_v<decltype(tol(7)), value_binding<struct tol, std::int64_t>>);
static_assert(std::is_same_v<decltype(A(matrix{})), value_binding<struct A, matrix>>);
static_assert(std::is_same_v<decltype(counted(5)), extent_binding<struct counted>>);
static_assert(x(memory).count == 4 && x(memory).pointer == memory);
static_assert(x(memory + 1, 2).count == 2 && x(memory + 1, 2).pointer == memory + 1);
static_assert(rr(&one).count == 1);
static_assert(tol(-3).value == -3);
static_assert(counted(5).count == 5);

// A struct with data() and size() is enough, as long as copying it copies no elements.
struct my_span {
    double* data() const { return memory; }
    int size() const { return 4; }
};
static_assert(contiguous<my_span> && contiguous<std::vector<double>> && !contiguous<matrix>);
static_assert(std::is_same_v<decltype(x(my_span{})), range_binding<struct x, double>>);

}  // namespace variable_test
