// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph.hpp>

#include <type_traits>

using namespace cograph;

// Each rule, asked without stopping the build.
namespace diagnose_test {

struct matrix {
    double* values;
};

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct tol : value<tol, double> {} tol;
inline constexpr struct A : view<A, matrix> {} A;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct counted : temp<counted, double> {} counted;

TEST_KERNEL void map(const double*, double*);
TEST_KERNEL void with_matrix(matrix, double*);

template <class Diagnosis, class Expected>
inline constexpr bool says = std::is_same_v<Diagnosis, Expected>;
template <class Diagnosis>
inline constexpr bool is_fine = says<Diagnosis, fine>;

// par: two branches that share a variable which one of them writes.
template <class... E>
using in_par = typename diagnose_branches<E...>::type;
constexpr auto from_x = kernel<map>(over(x))(in(x), out(y));
constexpr auto also_from_x = kernel<map>(over(x))(in(x), out(t));
constexpr auto to_x = fill(out(x), 1);
using from_x_t = std::remove_const_t<decltype(from_x)>;
using also_from_x_t = std::remove_const_t<decltype(also_from_x)>;
using to_x_t = std::remove_const_t<decltype(to_x)>;

static_assert(is_fine<in_par<>> && is_fine<in_par<from_x_t>> && is_fine<in_par<from_x_t, also_from_x_t>>);
static_assert(says<in_par<from_x_t, to_x_t>, branches_race_on<struct x, from_x_t, to_x_t>>);
static_assert(says<in_par<to_x_t, from_x_t>, branches_race_on<struct x, to_x_t, from_x_t>>);
static_assert(says<in_par<to_x_t, to_x_t>, branches_race_on<struct x, to_x_t, to_x_t>>);
static_assert(says<in_par<from_x_t, from_x_t>, branches_race_on<struct y, from_x_t, from_x_t>>);
static_assert(says<in_par<from_x_t, also_from_x_t, to_x_t>, branches_race_on<struct x, from_x_t, to_x_t>>);
static_assert(says<in_par<also_from_x_t, sequence<from_x_t, to_x_t>>,
                   branches_race_on<struct x, also_from_x_t, to_x_t>>,
              "the first use is the other branch's own, behind one of the same branch");
static_assert(is_fine<in_par<sequence<from_x_t, to_x_t>, decltype(assign(s, 1.0))>>,
              "within a branch, order is kept");
using loop_on_s = decltype(loop_while(s > 1.0, assign(s, s / 2.0)));
static_assert(says<in_par<decltype(assign(s, 1.0)), loop_on_s>,
                   branches_race_on<struct s, decltype(assign(s, 1.0)), loop_on_s>>,
              "the predicate of a loop reads");
using branch_to_x = decltype(when(i > 0, to_x));
static_assert(says<in_par<from_x_t, branch_to_x>, branches_race_on<struct x, from_x_t, to_x_t>>,
              "a body may run");

// A loop whose body changes nothing that its predicate reads.
template <class Loop>
using progress = typename diagnose_progress<Loop>::type;
using s_is_large = decltype(as_predicate(s > tol));
static_assert(
    says<progress<control<while_loop, s_is_large, to_x_t>>, predicate_never_changes<s_is_large, to_x_t>>);
static_assert(
    says<progress<control<do_loop, s_is_large, to_x_t>>, predicate_never_changes<s_is_large, to_x_t>>);
static_assert(is_fine<progress<control<while_loop, s_is_large, decltype(seq(to_x, assign(s, 0.0)))>>>);
static_assert(is_fine<progress<control<while_loop, s_is_large, decltype(when(i > 0, assign(s, 0.0)))>>>,
              "a branch may change it");
static_assert(is_fine<progress<loop_on_s>>);

// What a predicate gives.
struct gives_double {
    COGRAPH_HD double operator()(int) const { return 1; }
};
struct gives_bool {
    COGRAPH_HD bool operator()(int) const { return true; }
};
template <class P>
using condition = decltype(diagnose_condition<decltype(as_predicate(P{}))>());
static_assert(is_fine<condition<decltype(s > 1.0)>> && is_fine<condition<struct i>> &&
              is_fine<condition<decltype(i & 1)>>);
static_assert(says<condition<decltype(s + 1.0)>, not_a_condition<decltype(as_predicate(s + 1.0))>>);
using double_test = decltype(test(gives_double{})(in(i)));
static_assert(says<decltype(diagnose_condition<double_test>()), not_a_condition<double_test>>);
static_assert(is_fine<decltype(diagnose_condition<decltype(test(gives_bool{})(in(i)))>())>);
using called_wrong = decltype(test(gives_bool{})(in(x)));
static_assert(says<decltype(diagnose_condition<called_wrong>()), not_a_condition<called_wrong>>);

// Arguments of a kernel, counted from 1.
template <auto F, class... Given>
using arguments_for =
    typename diagnose_arguments<F, typename signature<decltype(F)>::parameters, Given...>::type;
static_assert(says<arguments_for<map, struct x>, argument_count_differs<identity_function<map>, 2, 1>>);
static_assert(says<arguments_for<map, struct x, struct i>,
                   argument_does_not_fit<identity_function<map>, 2, double*, struct i>>);
static_assert(says<arguments_for<map, out_t<struct x>, struct y>,
                   writes_through_const<identity_function<map>, 1, const double*, out_t<struct x>>>);
static_assert(says<arguments_for<with_matrix, struct A, struct x>,
                   mark_is_missing<identity_function<with_matrix>, struct A>>);

// Arguments of a function object.
struct takes_one {
    COGRAPH_HD void operator()(index_t, const double*) const {}
};
static_assert(is_fine<decltype(diagnose_call<takes_one, index_t, in_t<struct x>>())>);
static_assert(is_fine<decltype(diagnose_call<takes_one, index_t, out_t<struct x>>())>,
              "a pointer may lose its right to write");
static_assert(
    says<decltype(diagnose_call<takes_one, index_t>()), function_cannot_be_called<takes_one, index_t>>);
static_assert(says<decltype(diagnose_call<takes_one, index_t, in_t<struct s>>()),
                   function_cannot_be_called<takes_one, index_t, in_t<struct s>>>);

// Temps are written before they are read, on every path.
template <class E>
using temps_of = typename diagnose_temps<E>::type;
constexpr auto read_temp = copy(in(t), out(x));
constexpr auto write_temp = copy(in(x), out(t));
using read_temp_t = std::remove_const_t<decltype(read_temp)>;
static_assert(is_fine<temps_of<decltype(seq(write_temp, read_temp))>>);
static_assert(says<temps_of<read_temp_t>, temp_read_before_written<struct t, read_temp_t>>);
static_assert(
    says<temps_of<decltype(seq(read_temp, write_temp))>, temp_read_before_written<struct t, read_temp_t>>);
static_assert(says<temps_of<decltype(seq(when(i > 0, write_temp), read_temp))>,
                   temp_read_before_written<struct t, read_temp_t>>);
static_assert(
    is_fine<temps_of<decltype(seq(when(i > 0, write_temp, otherwise(fill(out(t), 0))), read_temp))>>);
static_assert(says<temps_of<decltype(seq(repeat(3, write_temp), read_temp))>,
                   temp_read_before_written<struct t, read_temp_t>>);

// Bindings: none missing, none twice, none unknown, none const that is written.
constexpr auto whole =
    seq(write_temp, copy(in(t), out(y)), reduce(out(s), in(y)), when(s > tol, fill(out(counted), 0)));
using whole_t = std::remove_const_t<decltype(whole)>;
using bind_x = range_binding<struct x, double>;
using bind_const_x = range_binding<struct x, const double>;
using bind_y = range_binding<struct y, double>;
using bind_const_y = range_binding<struct y, const double>;
using bind_s = range_binding<struct s, double>;
using bind_tol = value_binding<struct tol, double>;
using bind_i = range_binding<struct i, int>;
using bind_counted = extent_binding<struct counted>;

template <class... B>
struct bindings : diagnose_bindings<whole_t, B...> {
    using base = diagnose_bindings<whole_t, B...>;
    static constexpr bool none_unbound = base::first_unbound() < 0;
    static constexpr bool none_doubled = base::first_doubled() < 0;
    static constexpr bool none_unknown = base::first_unknown() < 0;
    static constexpr bool none_const = base::first_const() < 0;
    static constexpr bool fine = none_unbound && none_doubled && none_unknown && none_const;
    using unbound_reason = decltype(base::template unbound<base::first_unbound()>());
    using doubled_reason = decltype(base::template name<variable_bound_twice, base::first_doubled()>());
    using unknown_reason = decltype(base::template name<unknown_variable, base::first_unknown()>());
    using const_reason = decltype(base::template name<bound_memory_is_const, base::first_const()>());
};
static_assert(bindings<bind_x, bind_y, bind_tol, bind_counted>::fine,
              "the scalar is written first, so it need not be bound");
static_assert(bindings<bind_counted, bind_s, bind_tol, bind_y, bind_const_x>::fine,
              "in any order, and it may be bound");
static_assert(says<bindings<bind_y, bind_tol, bind_counted>::unbound_reason, unbound_variable<struct x>>);
static_assert(says<bindings<bind_x, bind_y, bind_counted>::unbound_reason, unbound_variable<struct tol>>);
static_assert(says<bindings<bind_x, bind_y, bind_tol>::unbound_reason, unbound_variable<struct counted>>);
static_assert(says<bindings<bind_x, bind_y, bind_tol, bind_counted, bind_x>::doubled_reason,
                   variable_bound_twice<struct x>>);
static_assert(says<bindings<bind_x, bind_y, bind_tol, bind_counted, bind_const_x>::doubled_reason,
                   variable_bound_twice<struct x>>);
static_assert(says<bindings<bind_x, bind_i, bind_y, bind_tol, bind_counted>::unknown_reason,
                   unknown_variable<struct i>>);
static_assert(says<bindings<bind_x, bind_const_y, bind_tol, bind_counted>::const_reason,
                   bound_memory_is_const<struct y>>);

// A scalar that some path reads first must be bound.
static_assert(needs_binding(planned<decltype(seq(when(i > 0, assign(s, 1.0)), assign(i, s))), struct s>()));
static_assert(!needs_binding(planned<decltype(seq(assign(s, 1.0), assign(i, s))), struct s>()));
static_assert(!needs_binding(planned<whole_t, struct t>()) &&
              needs_binding(planned<whole_t, struct counted>()));

}  // namespace diagnose_test
