// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

// What is wrong with order, loops and branches, without failing a build, and the same done right; docs/errors quotes it.
namespace {

using namespace cograph::reason;

struct larger_than {
    COGRAPH_HD bool operator()(float number, float least) const { return number > least; }
};

// [branches_race_on]
constexpr auto one_after_the_other = seq(fill(out(x), 1), copy(in(x), out(y)));
// [/branches_race_on]
// [diagnose]
static_assert(diagnose<decltype(par(fill(out(x), 1), copy(in(x), out(y))))> ==
              branches_race_on<struct x, in_branch<1, core::fill_elements>, in_branch<2, core::copy_elements>>{});
// [/diagnose]

// [predicate_never_changes]
constexpr auto halves = loop_while(s > tol, assign(s, s / 2));
// [/predicate_never_changes]
static_assert(diagnose<decltype(loop_while(s > tol, fill(out(x), 1)))> ==
              predicate_never_changes<struct s, struct tol>{});

// [loop_body_is_empty]
constexpr auto not_empty = loop_while(s > tol, seq(assign(s, s / 2)));
// [/loop_body_is_empty]
static_assert(diagnose<decltype(loop_while(s > tol, seq()))> == loop_body_is_empty<core::while_loop>{});

// [repeats_a_negative_number_of_times]
constexpr auto three_times = repeat<3>(for_each(over(x), twice{})(inout(x[each])));
// [/repeats_a_negative_number_of_times]
static_assert(diagnose<decltype(repeat<-1>(fill(out(x), 1)))> == repeats_a_negative_number_of_times<-1>{});

// [iteration_count_is_not_an_integer]
constexpr auto so_often = repeat(n, for_each(over(x), twice{})(inout(x[each])));
// [/iteration_count_is_not_an_integer]
static_assert(diagnose<decltype(repeat(2.5, fill(out(x), 1)))> == iteration_count_is_not_an_integer<double>{});
constexpr auto computed_rounds = repeat(max(n, extent(x)) - 1, fill(out(x), 1));
static_assert(diagnose<decltype(repeat(s, fill(out(x), 1)))> == iteration_count_is_not_an_integer<struct s>{});
static_assert(diagnose<decltype(repeat(sqrt(n), fill(out(x), 1)))> == iteration_count_is_not_an_integer<formula_over<struct n>>{});
static_assert(diagnose<decltype(repeat(max_abs(x) / tol, fill(out(x), 1)))> == iteration_count_is_not_an_integer<formula_over<struct x, struct tol>>{});
static_assert(diagnose<decltype(repeat(abs(x), fill(out(x), 1)))> == formula_has_a_value_for_each_element<struct x>{});

// [seq_is_missing]
constexpr auto both_in_the_body = repeat(3, seq(fill(out(x), 1), copy(in(x), out(y))));
// [/seq_is_missing]
namespace no_seq {
constexpr auto a = fill(out(x), 1);
constexpr auto b = copy(in(x), out(y));
constexpr auto c = reduce(out(s), in(y));
template <class Result>
constexpr bool is_said = diagnose<Result> == seq_is_missing<core::copy_elements>{};
// NOLINTBEGIN(misc-redundant-expression): every call has a type of its own, which clang-tidy does not tell apart.
static_assert(is_said<decltype(loop_while(s > tol, a, b))> && is_said<decltype(loop_while(s > tol, a, b, c, at_most(3)))> &&
              is_said<decltype(loop_while(s > tol, a, b, c, c, c))>);
static_assert(is_said<decltype(do_while(a, b, s > tol))> && is_said<decltype(do_while(a, b, c, s > tol, at_most(3)))> &&
              is_said<decltype(do_while(a, b, c, c, c, s > tol))>);
static_assert(is_said<decltype(repeat(n, a, b))> && is_said<decltype(repeat(3, a, b, c, at_most(3)))> &&
              is_said<decltype(repeat<3>(a, b))> && is_said<decltype(repeat<3>(a, b, c))>);
static_assert(is_said<decltype(when(s > tol, a, b, c))> && is_said<decltype(when(s > tol, a, b, otherwise(c)))> &&
              is_said<decltype(otherwise(a, b))>);
static_assert(is_said<decltype(label("both", a, b))> && is_said<decltype(as_nodes(a, b, c))>);
// NOLINTEND(misc-redundant-expression)
}  // namespace no_seq

// [text_and_expression_are_swapped]
constexpr auto with_a_name = label("save", copy(in(x), out(y)));
// [/text_and_expression_are_swapped]
static_assert(diagnose<decltype(label(copy(in(x), out(y)), "save"))> == text_and_expression_are_swapped<core::copy_elements>{});

[[maybe_unused]] auto named_by_a_string() {
    // [text_of_a_label_is_no_const_char_pointer]
    static const std::string text = "save";
    const auto named = label(text.c_str(), copy(in(x), out(y)));
    // [/text_of_a_label_is_no_const_char_pointer]
    return named;
}
static_assert(diagnose<decltype(label(std::string("save"), copy(in(x), out(y))))> == text_of_a_label_is_no_const_char_pointer<std::string>{});
static_assert(diagnose<decltype(label(fill(out(x), 1), copy(in(x), out(y))))> ==
              text_of_a_label_is_no_const_char_pointer<expression_of<core::fill_elements>>{});
static_assert(diagnose<decltype(barrier(copy(in(x), out(y))))> == arguments_are_not_those_of<core::order_all, expression_of<core::copy_elements>>{});

// [loop_option_is_not_last]
constexpr auto after_the_body = loop_while(s > tol, assign(s, s / 2), at_most(10));
// [/loop_option_is_not_last]
static_assert(diagnose<decltype(loop_while(s > tol, check_every<2>, assign(s, s / 2)))> == loop_option_is_not_last{});
static_assert(diagnose<decltype(do_while(assign(s, s / 2), at_most(10), s > tol))> == loop_option_is_not_last{});
static_assert(diagnose<decltype(repeat(3, at_most(10), assign(s, s / 2)))> == loop_option_is_not_last{});

// [iteration_count_and_body_are_swapped]
constexpr auto number_first = repeat(3, for_each(over(x), twice{})(inout(x[each])));
// [/iteration_count_and_body_are_swapped]
static_assert(diagnose<decltype(repeat(fill(out(x), 1), 3))> ==
              iteration_count_and_body_are_swapped<core::fill_elements>{});

// [not_a_predicate]
constexpr auto tested = loop_while(predicate(positive{})(s), assign(s, s - 1));
// [/not_a_predicate]
static_assert(diagnose<decltype(loop_while(positive{}, assign(s, s - 1)))> == not_a_predicate<positive>{});

// [expression_in_place_of_a_predicate]
constexpr auto predicate_first = loop_while(s > tol, assign(s, s / 2));
constexpr auto predicate_last = do_while(assign(s, s / 2), s > tol);
// [/expression_in_place_of_a_predicate]
static_assert(diagnose<decltype(loop_while(assign(s, s / 2), s > tol))> ==
              expression_in_place_of_a_predicate<core::assign_formula>{});

// [predicate_in_place_of_an_expression]
constexpr auto else_if = when(s > tol, fill(out(x), 1), otherwise(when(s > 3, fill(out(x), 2))));
// [/predicate_in_place_of_an_expression]
static_assert(diagnose<decltype(otherwise(s > 3))> ==
              predicate_in_place_of_an_expression<formula_over<struct s>>{});

// [predicate_only_reads]
constexpr auto advances = loop_while(i < 5, seq(fill(out(x), 1), assign(i, i + 1)));
// [/predicate_only_reads]
static_assert(diagnose<decltype(predicate(advance{})(inout(i)))> ==
              predicate_only_reads<advance, core::inout_t<struct i>>{});

// [predicate_is_neither_bool_nor_integer]
constexpr auto compared = when(s != 0, fill(out(x), 1));
// [/predicate_is_neither_bool_nor_integer]
static_assert(diagnose<decltype(when(s, fill(out(x), 1)))> ==
              predicate_is_neither_bool_nor_integer<formula_over<struct s>, float>{});

// [comparisons_are_chained]
constexpr auto between = when(0 < i && i < 10, fill(out(x), 1));
// [/comparisons_are_chained]
// In parentheses, since nvcc takes the decltype of a chain without them for a call that is made.
static_assert(diagnose<decltype((0 < i) < 10)> == comparisons_are_chained<formula_over<struct i>, int>{});
static_assert(diagnose<decltype((tol >= s) >= u)> == comparisons_are_chained<formula_over<struct tol, struct s>, struct u>{});
static_assert(diagnose<decltype(1 <= (i < n))> == comparisons_are_chained<int, formula_over<struct i, struct n>>{});
static_assert(diagnose<decltype((i == 1) > (n != 2))> == comparisons_are_chained<formula_over<struct i>, formula_over<struct n>>{});
static_assert(diagnose<decltype((0 < x) < 10)> == comparisons_are_chained<formula_over<struct x>, int>{});
static_assert(diagnose<decltype((0 < max_abs(x)) < tol)> == comparisons_are_chained<formula_over<struct x>, struct tol>{});
static_assert(diagnose<decltype((2 < count_if(x, larger_than{}, tol)) < n)> ==
              comparisons_are_chained<formula_over<struct x, struct tol>, struct n>{});
// Two conditions may be equal or not, and count as numbers in a sum.
constexpr auto equal_conditions = when((i < 3) == (s < tol) && (n > 0) != (u > 0) && (i > 0) + (n > 0) > 1, fill(out(x), 1));

// [enumeration_is_no_number]
enum class state { running, stopped };
inline constexpr struct how : scalar<how, state> {} how;
constexpr auto stop = when(how == state::running, assign(how, state::stopped));
// [/enumeration_is_no_number]
enum mode { slow, fast };
inline constexpr struct speed : scalar<speed, mode> {} speed;
static_assert(diagnose<decltype(how == 1)> == enumeration_is_no_number<struct how, int>{} &&
              diagnose<decltype(i < how)> == enumeration_is_no_number<struct i, struct how>{});
static_assert(diagnose<decltype(how == fast)> == enumeration_is_no_number<struct how, mode>{} &&
              diagnose<decltype((i + 1) != state::running)> == enumeration_is_no_number<formula_over<struct i>, state>{});
static_assert(diagnose<decltype(how + 1)> == enumeration_is_no_number<struct how, int>{} &&
              diagnose<decltype(!how)> == enumeration_is_no_number<struct how>{} && diagnose<decltype(abs(how))> == enumeration_is_no_number<struct how>{});
static_assert(diagnose<decltype(isnan(how))> == enumeration_is_no_number<struct how>{} &&
              diagnose<decltype(pow(i, how))> == enumeration_is_no_number<struct i, struct how>{} &&
              diagnose<decltype(fma(how, 2, s))> == enumeration_is_no_number<struct how, struct s>{} &&
              diagnose<decltype(fma(i, 2, how))> == enumeration_is_no_number<struct i, struct how>{} &&
              diagnose<decltype(fma(s, A, i))> == no_formula_of<struct s, struct A>{});
static_assert(diagnose<decltype(min(how, state::stopped))> == enumeration_is_no_number<struct how, state>{} &&
              diagnose<decltype(how && i)> == enumeration_is_no_number<struct how, struct i>{});
static_assert(diagnose<decltype(assign(how, 1))> == enumeration_is_no_number<struct how, int>{} &&
              diagnose<decltype(assign(i, how))> == enumeration_is_no_number<struct i, struct how>{});
static_assert(diagnose<decltype(assign(speed, i + 1))> == enumeration_is_no_number<struct speed, formula_over<struct i>>{} &&
              diagnose<decltype(assign(speed, state::running))> == enumeration_is_no_number<struct speed, state>{});
static_assert(diagnose<decltype(when(how, fill(out(x), 1)))> == predicate_is_neither_bool_nor_integer<formula_over<struct how>, state>{});
static_assert(diagnose<decltype(max(s, A))> == no_formula_of<struct s, struct A>{});
constexpr auto by_enumerator = switch_on(how, assign(speed, fast), when(speed, assign(i, speed + 1)));

// [selector_is_not_an_integer]
constexpr auto by_integer = switch_on(i, fill(out(x), 1), fill(out(x), 2));
// [/selector_is_not_an_integer]
static_assert(diagnose<decltype(switch_on(s, fill(out(x), 1), fill(out(x), 2)))> ==
              selector_is_not_an_integer<formula_over<struct s>, float>{});

// [formulas_change_nothing]
constexpr auto one_more = assign(i, i + 1);
// [/formulas_change_nothing]
static_assert(diagnose<decltype(i += 1)> == formulas_change_nothing<struct i>{} && diagnose<decltype(s *= s + 1)> == formulas_change_nothing<struct s>{});
static_assert(diagnose<decltype(++i)> == formulas_change_nothing<struct i>{} && diagnose<decltype(--A)> == formulas_change_nothing<struct A>{});

// [formulas_have_no_function]
constexpr auto rest = assign(s, s - 2 * floor(s / 2));
// [/formulas_have_no_function]
static_assert(diagnose<decltype(fmod(s, 2))> == formulas_have_no_function<core::fmod_function, struct s, int>{});
static_assert(diagnose<decltype(fmax(1.0, s + u))> == formulas_have_no_function<core::fmax_function, double, formula_over<struct s, struct u>>{});
static_assert(diagnose<decltype(erf(s))> == formulas_have_no_function<core::erf_function, struct s>{});
static_assert(diagnose<decltype(atan2(s + 1, 2.0))> == formulas_have_no_function<core::atan2_function, formula_over<struct s>, double>{});
static_assert(diagnose<decltype(hypot(1, s, s))> == formulas_have_no_function<core::hypot_function, int, struct s, struct s>{});
static_assert(diagnose<decltype(cbrt(s))> == formulas_have_no_function<core::cbrt_function, struct s>{});
static_assert(diagnose<decltype(fabs(x))> == formulas_have_no_function<core::fabs_function, struct x>{});

struct range {
    float least, most;
};
struct settings {
    int limit;
    range steps;
    const int version;
};
inline constexpr struct tuned : scalar<tuned, settings> {} tuned;
inline constexpr struct given_settings : value<given_settings, settings> {} given_settings;
inline constexpr struct all_settings : buffer<all_settings, settings> {} all_settings;
// [has_no_such_member]
constexpr auto of_the_struct = assign(i, member<&settings::limit>(tuned));
// [/has_no_such_member]
static_assert(diagnose<decltype(member<&settings::limit>(s))> == has_no_such_member<struct s>{});
static_assert(diagnose<decltype(member<&range::least>(tuned))> == has_no_such_member<struct tuned>{} &&
              diagnose<decltype(member<&settings::steps, &settings::limit>(tuned))> == has_no_such_member<struct tuned>{});
static_assert(diagnose<decltype(member<>(tuned))> == has_no_such_member<struct tuned>{} && diagnose<decltype(member<3>(tuned))> == has_no_such_member<struct tuned>{});
static_assert(diagnose<decltype(member<&csr::rows>(A))> == no_formula_over<struct A>{});

// [member_is_no_number]
constexpr auto of_the_range = assign(u, member<&settings::steps, &range::most>(tuned));
// [/member_is_no_number]
static_assert(diagnose<decltype(member<&settings::steps>(tuned))> == member_is_no_number<struct tuned, range>{});

// [member_is_const]
constexpr auto one_less = assign(member<&settings::limit>(tuned), member<&settings::version>(tuned) - 1);
// [/member_is_const]
static_assert(diagnose<decltype(assign(member<&settings::version>(tuned), 2))> == member_is_const<struct tuned>{});
static_assert(diagnose<decltype(assign(member<&settings::limit>(given_settings), 2))> == value_cannot_be_written<struct given_settings>{});
static_assert(diagnose<decltype(assign(member<&settings::limit>(all_settings), 2))> == assigned_is_no_scalar<struct all_settings>{});
static_assert(diagnose<decltype(assign(member<&settings::limit>(tuned), x + 1))> == assigned_formula_is_over_arrays<struct tuned>{});

// [elements_are_no_numbers]
struct pair_of_floats {
    float first, second;
};
inline constexpr struct pairs : buffer<pairs, pair_of_floats> {} pairs;
struct is_far {
    COGRAPH_HD bool operator()(const pair_of_floats& from) const { return from.first > 3 || from.second > 3; }
};
constexpr auto any_is_far = when(any_of(pairs, is_far{}), fill(out(x), 1));
// [/elements_are_no_numbers]
static_assert(diagnose<decltype(max_abs(pairs))> == elements_are_no_numbers<struct pairs>{});

// [size_is_no_number]
struct largest_of_two {
    COGRAPH_HD float operator()(const pair_of_floats& of) const { return of.first > of.second ? of.first : of.second; }
};
constexpr auto largest_is_far = when(max_abs(pairs, largest_of_two{}) > 3, fill(out(x), 1));
// [/size_is_no_number]
static_assert(diagnose<decltype(max_abs(pairs, is_far{}))> == size_is_no_number<is_far, struct pairs>{});
static_assert(diagnose<decltype(max_abs(s, largest_of_two{}))> == not_an_array<struct s>{});
struct multiply_pairs {
    COGRAPH_HD float operator()(const pair_of_floats& a, const pair_of_floats& b) const { return a.first * b.first + a.second * b.second; }
};
constexpr auto product_of_pairs = dot(out(s), in(pairs), in(pairs), multiply_pairs{}, plus{});
static_assert(diagnose<decltype(dot(out(s), in(pairs), in(x), multiply_pairs{}, plus{}))> ==
              function_cannot_be_called<multiply_pairs, called_with<struct pairs, struct x>, arriving_as<const pair_of_floats&, const float&>>{});
struct add_pairs {
    COGRAPH_HD pair_of_floats operator()(const pair_of_floats& a, const pair_of_floats& b) const { return {a.first + b.first, a.second + b.second}; }
};
inline constexpr struct both : scalar<both, pair_of_floats> {} both;
static_assert(diagnose<decltype(dot(out(both), in(pairs), in(pairs), add_pairs{}, add_pairs{}))> == identity_is_missing<add_pairs, pair_of_floats>{});
constexpr auto sum_of_pairs = dot(out(both), in(pairs), in(pairs), add_pairs{}, add_pairs{}, pair_of_floats{});

// [second_branch_is_bare]
constexpr auto with_otherwise = when(s > tol, fill(out(x), 1), otherwise(fill(out(x), 2)));
// [/second_branch_is_bare]
static_assert(diagnose<decltype(when(s > tol, fill(out(x), 1), fill(out(x), 2)))> ==
              second_branch_is_bare<core::fill_elements>{});

// [switch_on_has_no_otherwise]
constexpr auto with_a_default = when(i >= 0 && i < 2, switch_on(i, fill(out(x), 1), fill(out(x), 2)), otherwise(fill(out(x), 3)));
// [/switch_on_has_no_otherwise]
static_assert(diagnose<decltype(switch_on(i, fill(out(x), 1), otherwise(fill(out(x), 2))))> == switch_on_has_no_otherwise<core::fill_elements>{});

// [otherwise_without_when]
constexpr auto belongs_to_when = when(s > tol, fill(out(x), 1), otherwise(fill(out(x), 2)));
// [/otherwise_without_when]
static_assert(diagnose<decltype(seq(fill(out(x), 1), otherwise(fill(out(x), 2))))> ==
              otherwise_without_when<core::fill_elements>{});

// [not_an_expression]
constexpr auto of_nodes = seq(for_each(over(x), twice{})(inout(x[each])), fill(out(y), 1));
// [/not_an_expression]
static_assert(diagnose<decltype(seq(twice{}, fill(out(x), 1)))> == not_an_expression<twice>{});

// [arguments_are_missing]
constexpr auto called_twice = seq(for_each(over(x), twice{})(inout(x[each])), fill(out(y), 1));
// [/arguments_are_missing]
static_assert(diagnose<decltype(seq(for_each(over(x), twice{}), fill(out(y), 1)))> ==
              arguments_are_missing<twice>{});

// [shape_is_missing]
constexpr auto with_a_shape = kernel<saxpy>(over(x))(n, tol, x, y);
// [/shape_is_missing]
static_assert(diagnose<decltype(kernel<saxpy>(n, tol, x, y))> == shape_is_missing<kernel_function<saxpy>>{});

// [arguments_are_not_those_of]
constexpr auto with_access_modes = dot(out(s), in(x), in(y));
// [/arguments_are_not_those_of]

}  // namespace
