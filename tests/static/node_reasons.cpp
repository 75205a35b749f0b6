// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

// What is wrong with nodes, without failing a build, and the same done right; docs/errors quotes it.
namespace {

using namespace cograph::reason;

// [argument_count_differs]
constexpr auto all_four = kernel<saxpy>(over(x))(n, tol, x, y);
// [/argument_count_differs]
static_assert(diagnose<decltype(kernel<saxpy>(over(x))(n, tol, x))> ==
              argument_count_differs<kernel_function<saxpy>, takes_parameters<4>, given_arguments<3>>{});

// [argument_does_not_fit]
constexpr auto of_floats = kernel<saxpy>(over(x))(n, tol, x, y);
// [/argument_does_not_fit]
static_assert(diagnose<decltype(kernel<saxpy>(over(x))(n, tol, d, y))> ==
              argument_does_not_fit<kernel_function<saxpy>, at_parameter<3, const float*>, given_argument<struct d, double*>>{});

// [writes_through_const]
constexpr auto only_read = kernel<saxpy>(over(x))(n, tol, in(x), y);
// [/writes_through_const]
static_assert(diagnose<decltype(kernel<saxpy>(over(x))(n, tol, out(x), y))> ==
              writes_through_const<kernel_function<saxpy>, at_parameter<3, const float*>, core::out_t<struct x>>{});

struct reads_alone {
    COGRAPH_HD void operator()(index_t, const float&) const {}
};
struct reads_pointer {
    COGRAPH_HD void operator()(const float*) const {}
};
struct reads_on_stream {
    void operator()(core::stream_handle, const float*) const {}
};
static_assert(diagnose<decltype(for_each(over(x), reads_alone{})(inout(x[each])))> ==
              writes_through_const<reads_alone, at_parameter<2, const float&>, core::each_of<core::inout_t<struct x>>>{});
static_assert(diagnose<decltype(single_task(reads_pointer{})(out(x)))> == writes_through_const<reads_pointer, at_parameter<1, const float*>, core::out_t<struct x>>{});
static_assert(diagnose<decltype(host(reads_pointer{})(out(x)))> == writes_through_const<reads_pointer, at_parameter<1, const float*>, core::out_t<struct x>>{});
static_assert(diagnose<decltype(captured(reads_on_stream{})(inout(x)))> ==
              writes_through_const<reads_on_stream, at_parameter<2, const float*>, core::inout_t<struct x>>{});
static_assert(diagnose<decltype(captured([](core::stream_handle, float*) {}, reads_pointer{})(out(x)))> ==
              writes_through_const<reads_pointer, at_parameter<1, const float*>, core::out_t<struct x>>{});

// [write_is_lost]
constexpr auto by_lvalue = for_each(over(x), twice{})(inout(x[each]));
// [/write_is_lost]
static_assert(diagnose<decltype(for_each(over(x), takes_a_copy{})(inout(x[each])))> ==
              write_is_lost<takes_a_copy, at_parameter<2, float>, core::each_of<core::inout_t<struct x>>>{});
// Also of another type, and of a class.
struct takes_a_double {
    COGRAPH_HD void operator()(double, const float&) const {}
};
static_assert(diagnose<decltype(single_task(takes_a_double{})(inout(s), tol))> == write_is_lost<takes_a_double, at_parameter<1, double>, core::inout_t<struct s>>{});

// Many elements and one scalar: written alone it may hold what one of them, or all, say.
struct add_up {
    COGRAPH_HD void operator()(index_t, const float& term, float& sum) const { sum += term; }
    COGRAPH_HD void operator()(const float& term, float& sum) const { sum += term; }
};
struct add_up_and_give {
    COGRAPH_HD float operator()(index_t, const float& term, float& sum) const { return sum += term; }
};
static_assert(diagnose<decltype(for_each(over(x), add_up{})(in(x[each]), inout(s)))> == all_elements_change_one_scalar<add_up, struct s>{});
static_assert(diagnose<decltype(transform_reduce(over(x), add_up_and_give{}, plus{})(out(u), in(x[each]), inout(s)))> ==
              all_elements_change_one_scalar<add_up_and_give, struct s>{});
static_assert(diagnose<decltype(for_each(over(x), add_up{})(in(x[each]), out(s)))> == fine{});
static_assert(diagnose<decltype(single_task(add_up{})(in(u), inout(s)))> == fine{});
// [all_elements_change_one_scalar]
struct is_positive {
    COGRAPH_HD int operator()(index_t, const float& element) const { return element > 0; }
};
constexpr auto counted = transform_reduce(over(x), is_positive{}, plus{})(out(i), in(x[each]));
// [/all_elements_change_one_scalar]
static_assert(node_count(counted) == 1);

// [result_is_lost]
struct store_square {
    COGRAPH_HD void operator()(index_t, const float& from, float& to) const { to = from * from; }
};
constexpr auto squares = for_each(over(x), store_square{})(in(x[each]), out(y[each]));
// [/result_is_lost]
static_assert(diagnose<decltype(for_each(over(x), square{})(in(x[each])))> == result_is_lost<square, float>{});
struct gives_s {
    COGRAPH_HD float operator()(const float& of) const { return of; }
};
static_assert(diagnose<decltype(single_task(gives_s{})(in(s)))> == result_is_lost<gives_s, float>{});

// [access_mode_is_missing]
constexpr auto marked_view = kernel<multiply>(over(x))(in(A), x, y);
// [/access_mode_is_missing]
static_assert(diagnose<decltype(kernel<multiply>(over(x))(A, x, y))> ==
              access_mode_is_missing<kernel_function<multiply>, at_parameter<1, csr>, struct A>{});
struct scale_by_rows {
    COGRAPH_HD void operator()(index_t, float& element, csr matrix) const { element *= static_cast<float>(matrix.rows); }
};
struct row {
    COGRAPH_HD float operator()(index_t i, csr matrix) const { return matrix.values[i]; }
};
struct is_wide {
    COGRAPH_HD bool operator()(csr matrix) const { return matrix.rows > 8; }
};
struct is_below {
    COGRAPH_HD bool operator()(float element, csr matrix) const { return element < matrix.values[0]; }
};
static_assert(diagnose<decltype(for_each(over(x), scale_by_rows{})(inout(x[each]), A))> ==
              access_mode_is_missing<scale_by_rows, at_parameter<3, csr>, struct A>{});
static_assert(diagnose<decltype(single_task(first_of{})(A, out(s)))> == access_mode_is_missing<first_of, at_parameter<1, csr>, struct A>{});
static_assert(diagnose<decltype(transform_reduce(over(x), row{}, plus{})(out(s), A))> == access_mode_is_missing<row, at_parameter<2, csr>, struct A>{});
static_assert(diagnose<decltype(predicate(is_wide{})(A))> == access_mode_is_missing<is_wide, at_parameter<1, csr>, struct A>{});
static_assert(diagnose<decltype(all_of(x, is_below{}, A))> == access_mode_is_missing<is_below, at_parameter<2, csr>, struct A>{});
static_assert(diagnose<decltype(when(predicate(is_wide{})(in(A)), single_task(first_of{})(in(A), out(s))))> == fine{});
static_assert(diagnose<decltype(all_of(x, is_below{}, in(A)))> == fine{});

// [function_cannot_be_called]
constexpr auto by_reference = for_each(over(x), twice{})(inout(x[each]));
// [/function_cannot_be_called]
static_assert(diagnose<decltype(for_each(over(d), twice{})(inout(d[each])))> ==
              function_cannot_be_called<twice, called_with<core::each_of<core::inout_t<struct d>>>, arriving_as<index_t, double&>>{});

// [each_is_missing]
constexpr auto by_element = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [/each_is_missing]
struct weigh_in_a_box {
    COGRAPH_HD float operator()(index_t k, index_t, float from, const float* weights) const { return from * weights[k]; }
};
struct weigh_by_a_group {
    template <int Size>
    COGRAPH_HD void operator()(thread_group<Size> const&, index_t k, float& to, float from, const float* weights) const { to = from * weights[k]; }
};
static_assert(diagnose<decltype(for_each(over(x), axpy{})(tol, in(x), inout(y[each])))> == each_is_missing<axpy, struct x>{} &&
              diagnose<decltype(for_each(over(x), axpy{})(tol, x[each], inout(y)))> == each_is_missing<axpy, struct y>{} &&
              diagnose<decltype(for_each(over(x), axpy{})(tol, x, y[each]))> == each_is_missing<axpy, struct x>{});  // nor is y written
static_assert(diagnose<decltype(for_each(over(x), weigh{})(out(y), x, z))> == each_is_missing<weigh, struct y, struct x>{} &&
              diagnose<decltype(for_each(over(x), weigh{})(out(y), x, z[each]))> == each_is_missing<weigh, struct y, struct x>{});
static_assert(diagnose<decltype(transform_reduce(over(x), square{}, plus{})(out(s), in(x)))> == each_is_missing<square, struct x>{} &&
              diagnose<decltype(transform_reduce(over(4, 4), weigh_in_a_box{}, plus{})(out(s), x, z))> == each_is_missing<weigh_in_a_box, struct x>{} &&
              diagnose<decltype(for_each(over(x).group<32>(), weigh_by_a_group{})(out(y[each]), x, z))> == each_is_missing<weigh_by_a_group, struct x>{});
// [function_takes_all_elements]
constexpr auto by_all_weights = for_each(over(x), weigh{})(out(y[each]), in(x[each]), in(z));
// [/function_takes_all_elements]
static_assert(diagnose<decltype(for_each(over(x), weigh{})(out(y[each]), x[each], z[each]))> == function_takes_all_elements<weigh, struct z>{} &&
              diagnose<decltype(transform_reduce(over(4, 4), weigh_in_a_box{}, plus{})(out(s), x[each], x[each]))> == function_takes_all_elements<weigh_in_a_box, struct x>{} &&
              diagnose<decltype(for_each(over(x).group<32>(), weigh_by_a_group{})(out(y[each]), x[each], z[each]))> == function_takes_all_elements<weigh_by_a_group, struct z>{});
// Where all elements are needed, [each] is no way out.
static_assert(diagnose<decltype(captured(reads_on_stream{})(words))> != each_is_missing<reads_on_stream, struct words>{});

// [argument_is_only_read]
constexpr auto written_too = single_task(clamp{})(inout(s), tol);
// [/argument_is_only_read]
struct add_to {
    COGRAPH_HD void operator()(index_t, const float& from, float& to, const float*) const { to += from; }
};
struct fill_on_stream {
    void operator()(core::stream_handle, float*, const float*) const {}
};
struct fill_on_host {
    void operator()(float*, const float*) const {}
};
struct fill_by_cub {
    void operator()(void*, std::size_t&, float*, core::stream_handle) const {}
};
static_assert(diagnose<decltype(single_task(clamp{})(s, tol))> == argument_is_only_read<clamp, struct s>{});
static_assert(diagnose<decltype(for_each(over(x), add_to{})(x[each], y[each], z))> == argument_is_only_read<add_to, struct y>{});
static_assert(diagnose<decltype(for_each(over(x), add_to{})(in(x[each]), in(y[each]), in(z)))> == argument_is_only_read<add_to, struct y>{});
static_assert(diagnose<decltype(host(fill_on_host{})(in(x), in(y)))> == argument_is_only_read<fill_on_host, struct x>{});
static_assert(diagnose<decltype(captured(fill_on_stream{})(in(x), in(y)))> == argument_is_only_read<fill_on_stream, struct x>{});
static_assert(diagnose<decltype(captured([](core::stream_handle, const float*, const float*) {}, fill_on_host{})(in(x), in(y)))> ==
              argument_is_only_read<fill_on_host, struct x>{});
static_assert(diagnose<decltype(cub_call(fill_by_cub{})(in(x)))> == argument_is_only_read<fill_by_cub, struct x>{});
// What a predicate takes is only read, however it is marked.
static_assert(diagnose<decltype(predicate(advance{})(i))> ==
              function_cannot_be_called<advance, called_with<core::in_t<struct i>>, arriving_as<const int&>>{});

// [call_operator_is_not_const]
struct counts {
    COGRAPH_HD void operator()(index_t, float& element) const { element += 1; }
};
constexpr auto called_const = for_each(over(x), counts{})(inout(x[each]));
// [/call_operator_is_not_const]
struct changes_itself {
    COGRAPH_HD void operator()(float& number) { number += 1; }
};
static_assert(diagnose<decltype(single_task(changes_itself{})(inout(s)))> == call_operator_is_not_const<changes_itself>{});
struct counts_calls {
    COGRAPH_HD float operator()(float a, float) { return a; }
};
static_assert(diagnose<decltype(reduce(out(s), in(x), counts_calls{}, 0))> == call_operator_is_not_const<counts_calls>{});
static_assert(diagnose<decltype(transform_reduce(over(x), square{}, counts_calls{}, 0)(out(s), in(x[each])))> ==
              call_operator_is_not_const<counts_calls>{});
static_assert(diagnose<decltype(single_task(changes_itself{})(s))> ==
              function_cannot_be_called<changes_itself, called_with<core::in_t<struct s>>, arriving_as<const float&>>{});

// [not_a_kernel]
constexpr auto returns_void = kernel<saxpy>(over(x))(n, tol, x, y);
// [/not_a_kernel]
static_assert(diagnose<decltype(kernel<positive_sum>(over(x))(x))> == not_a_kernel<float (*)(float*)>{});

// [host_implementation_differs]
constexpr auto same_parameters = kernel<saxpy, saxpy_on_host>(over(x))(n, tol, x, y);
// [/host_implementation_differs]
static_assert(diagnose<decltype(kernel<saxpy, other_on_host>(over(x))(n, tol, x, y))> ==
              host_implementation_differs<kernel_function<saxpy>, kernel_function<other_on_host>>{});

// [parameters_are_too_large]
constexpr auto table_in_memory = kernel<reads_table>(over(x))(y, x);
// [/parameters_are_too_large]
static_assert(diagnose<decltype(kernel<takes_table>(over(x))(table{}, x))> ==
              parameters_are_too_large<kernel_function<takes_table>, parameter_bytes<40008>, limit_is<32764>>{});

// The operation and the identity of a reduction are parameters, too.
struct large_term {
    double table[2048];
    COGRAPH_HD moments<4> operator()(index_t, const double&) const { return {{table[0]}}; }
};
struct large_operation : add_moments {
    double table[2048];
};
static_assert(diagnose<decltype(transform_reduce(over(d), large_term{}, large_operation{}, moments<4>{})(out(few), in(d[each])))> ==
              parameters_are_too_large<large_term, parameter_bytes<8 * (2048 + 2048 + 1 + 4)>, limit_is<32508>>{});

// [too_many_parameters]
constexpr auto in_one_struct = kernel<takes_pair>(over(x))(pair{1, 2}, x);
// [/too_many_parameters]
static_assert(diagnose<decltype(kernel<takes_many>(over(x))())> ==
              too_many_parameters<kernel_function<takes_many>, takes_parameters<257>, limit_is<256>>{});

// Every other node takes 248 arguments, and has room in front of them for what is its own.
struct takes_any {
    template <class... T>
    COGRAPH_HD void operator()(const T&...) const {}
};
struct first_of_all {
    template <class... T>
    COGRAPH_HD float operator()(const T&...) const {
        return 1;
    }
};
struct all_hold {
    template <class... T>
    COGRAPH_HD bool operator()(const T&...) const {
        return true;
    }
};
template <int, class A>
using repeated = A;
template <class Node, class A, class Lead, class Numbers>
struct called_with_many;
template <class Node, class A, class... Lead, int... I>
struct called_with_many<Node, A, core::list<Lead...>, std::integer_sequence<int, I...>> {
    using type = decltype(std::declval<const Node&>()(std::declval<Lead>()..., std::declval<repeated<I, A>>()...));
};
template <class Node, class A, int Count, class... Lead>
using call_of = typename called_with_many<Node, A, core::list<Lead...>, std::make_integer_sequence<int, Count>>::type;
template <class F, int Count>
constexpr too_many_parameters<F, takes_parameters<Count>, limit_is<248>> too_many{};

using value_argument = struct tol;
using memory_argument = core::in_t<struct x>;
static_assert(diagnose<call_of<decltype(for_each(over(x), takes_any{})), value_argument, 249>> == too_many<takes_any, 249>);
static_assert(diagnose<call_of<decltype(single_task(takes_any{})), value_argument, 249>> == too_many<takes_any, 249>);
static_assert(diagnose<call_of<decltype(transform_reduce(over(x), first_of_all{}, plus{})), value_argument, 249, core::out_t<struct s>>> ==
              too_many<first_of_all, 249>);
static_assert(diagnose<call_of<decltype(predicate(all_hold{})), value_argument, 249>> == too_many<all_hold, 249>);
static_assert(diagnose<call_of<decltype(host(takes_any{})), memory_argument, 249>> == too_many<takes_any, 249>);
static_assert(diagnose<call_of<decltype(captured(takes_any{})), memory_argument, 249>> == too_many<takes_any, 249>);
static_assert(diagnose<call_of<decltype(captured(takes_any{}, takes_any{})), value_argument, 300>> == too_many<takes_any, 300>);
static_assert(diagnose<call_of<decltype(cub_call(takes_any{}, takes_any{})), memory_argument, 249>> == too_many<takes_any, 249>);
static_assert(diagnose<call_of<decltype(core::nodes::record(core::event_handle{})), memory_argument, 249>> == too_many<core::record_event, 249>);
static_assert(diagnose<call_of<decltype(core::nodes::wait(core::event_handle{})), core::out_t<struct x>, 249>> == too_many<core::wait_for_event, 249>);

// Also as the variables of a formula.
template <int Count, class V>
constexpr auto sum_of(V v) {
    if constexpr (Count == 1)
        return v;
    else
        return sum_of<Count / 2>(v) + sum_of<Count - Count / 2>(v);
}
static_assert(diagnose<decltype(assign(u, sum_of<249>(s)))> == too_many<core::assign_formula, 249>);
static_assert(diagnose<decltype(loop_while(sum_of<249>(s) > 0, assign(s, u)))> == too_many<core::formula_of_a_predicate, 249>);
static_assert(diagnose<decltype(do_while(assign(s, u), sum_of<249>(s) > 0))> == too_many<core::formula_of_a_predicate, 249>);
static_assert(diagnose<decltype(when(sum_of<200>(s) < sum_of<49>(tol), assign(s, u)))> == too_many<core::formula_of_a_predicate, 249>);
static_assert(diagnose<decltype(switch_on(sum_of<249>(i), assign(s, u)))> == too_many<core::formula_of_a_predicate, 249>);
static_assert(diagnose<decltype(repeat(sum_of<249>(n), assign(s, u)))> == too_many<core::formula_of_a_predicate, 249>);
static_assert(diagnose<decltype(any(sum_of<249>(x) > 0))> == too_many<core::formula_of_a_predicate, 249>);
static_assert(diagnose<decltype(when(sum_of<248>(s) + max_abs(x) > 0, assign(s, u)))> == too_many<core::formula_of_a_predicate, 249>);

// The most that each takes; the one with most in front has a limit of its own and is a part of a branch.
static_assert(core::expression<call_of<decltype(captured(takes_any{}, takes_any{})), value_argument, 248>>);
static_assert(core::is_fine<decltype(core::diagnose_assign_call(core::list<struct s, decltype(sum_of<248>(s))>{}))>);
template <class E>
constexpr int most_taken(const E&) {
    const core::plan_view& p = core::plan_of<typename E::self>::view;
    int most = 0;
    for (int r = 0; r < p.count.nodes; ++r) {
        const int taken = p.nodes[r].argument_count + (p.nodes[r].kind == core::plan_node_kind::condition);
        most = taken > most ? taken : most;
    }
    return most;
}
template <class E>
constexpr int most_lowered(const E&) {
    return most_taken(core::lowered<typename E::self>{});
}
using largest_reduction = call_of<decltype(transform_reduce(over(x), first_of_all{}, plus{})), value_argument, 248, core::out_t<struct s>>;
constexpr auto largest_branch = when(n > 0, largest_reduction{});
static_assert(most_lowered(largest_branch) == 255 && core::most_parameters == 256);
constexpr auto largest_loop = loop_while(call_of<decltype(predicate(all_hold{})), struct s, 248>{}, assign(s, u), at_most(n));
static_assert(most_taken(largest_loop) == 252 && most_lowered(as_nodes(largest_loop)) == 252);
static_assert(most_taken(call_of<decltype(cub_call(takes_any{}, takes_any{})), memory_argument, 248>{}) == 251);

// [not_a_shape]
constexpr auto sixteen = for_each(over(16), twice{})(inout(x[each]));
// [/not_a_shape]
static_assert(diagnose<decltype(for_each(16, twice{})(inout(x[each])))> == not_a_shape<int>{});

// [grid_counts_no_elements]
constexpr auto of_elements = for_each(over(x), twice{})(inout(x[each]));
// [/grid_counts_no_elements]
static_assert(diagnose<decltype(for_each(grid(16), twice{})(inout(x[each])))> ==
              grid_counts_no_elements<twice>{});

// [does_not_count_elements]
constexpr auto counts_elements = for_each(over(n), twice{})(inout(x[each]));
constexpr auto counts_all_but_the_last = for_each(over<extent(x) - 1>(), twice{})(inout(x[each]));
// [/does_not_count_elements]
static_assert(diagnose<decltype(over(tol))> == does_not_count_elements<struct tol>{});
static_assert(diagnose<decltype(over(n - 1))> == does_not_count_elements<formula_over<struct n>>{});
static_assert(diagnose<decltype(over(extent(x) - n))> == does_not_count_elements<formula_over<core::extent_t<struct x>, struct n>>{});
static_assert(diagnose<decltype(over<extent(x) - s>())> == no_size_of<struct s>{} && diagnose<decltype(over<2 * tol>())> == no_size_of<struct tol>{});
static_assert(diagnose<decltype(over<2.5 * extent(x)>())> == no_size_of<double>{} && diagnose<decltype(over<abs(n)>())> == no_size_of<formula_over<struct n>>{});
static_assert(diagnose<decltype(over<csr{}>())> == no_size_of<csr>{});
static_assert(diagnose<decltype(over(x).block(n))> == arguments_are_not_those_of<core::block_call, struct n>{});

// [scalar_counts_no_elements]
struct twice_below {
    COGRAPH_HD void operator()(index_t k, const int& end, float& element) const {
        if (k < end) element *= 2;
    }
};
constexpr auto as_many_as_i = for_each(over(x), twice_below{})(in(i), inout(x[each]));
// [/scalar_counts_no_elements]
static_assert(diagnose<decltype(over(i))> == scalar_counts_no_elements<struct i>{});
static_assert(diagnose<decltype(over(s))> == scalar_counts_no_elements<struct s>{});

// [extent_is_not_positive]
constexpr auto some_threads = kernel<saxpy>(over(x).block<128>())(n, tol, x, y);
// [/extent_is_not_positive]
static_assert(diagnose<decltype(over(x).block<0>())> == extent_is_not_positive<0, 1, 1>{});

// [grid_is_too_large]
constexpr auto along_x = kernel<saxpy>(grid<70000, 1>())(n, tol, x, y);
// [/grid_is_too_large]
static_assert(diagnose<decltype(grid<1, 70000>())> == grid_is_too_large<1, 70000, 1>{});

// [block_is_too_large]
constexpr auto small_blocks = kernel<saxpy>(over(x).block<1024>())(n, tol, x, y);
// [/block_is_too_large]
static_assert(diagnose<decltype(over(x).block<2048>())> == block_is_too_large<2048, 1, 1>{});

// [shared_memory_is_too_large]
constexpr auto less_shared = kernel<saxpy>(over(x).shared<65536>())(n, tol, x, y);
// [/shared_memory_is_too_large]
static_assert(diagnose<decltype(over(x).shared<300000>())> == shared_memory_is_too_large<300000>{});

// [identity_is_missing]
constexpr auto with_identity = reduce(out(s), in(x), larger{}, 0.0f);
// [/identity_is_missing]
static_assert(diagnose<decltype(reduce(out(s), in(x), larger{}))> == identity_is_missing<larger, float>{});

// [in_any_order_is_no_constant]
struct largest_in_any_order {
    static constexpr bool in_any_order = true;  // no bit of a result depends on the order of terms
    COGRAPH_HD float operator()(float a, float b) const { return a < b ? b : a; }
};
constexpr auto keeps_tiles = reduce(out(s), in(x), largest_in_any_order{}, 0.0f);
// [/in_any_order_is_no_constant]
struct declares_a_member : larger {
    bool in_any_order = true;
};
struct declares_a_number : larger {
    static constexpr int in_any_order = 1;
};
struct declares_a_variable : larger {
    static inline bool in_any_order = true;
};
struct declares_that_it_matters : larger {
    static constexpr bool in_any_order = false;
};
static_assert(diagnose<decltype(reduce(out(s), in(x), declares_a_member{}, 0.0f))> == in_any_order_is_no_constant<declares_a_member>{});
static_assert(diagnose<decltype(reduce(out(s), in(x), declares_a_number{}, 0.0f))> == in_any_order_is_no_constant<declares_a_number>{});
static_assert(diagnose<decltype(reduce(out(s), in(x), declares_a_variable{}, 0.0f))> == in_any_order_is_no_constant<declares_a_variable>{});
static_assert(diagnose<decltype(reduce(out(s), in(x), declares_that_it_matters{}, 0.0f))> == fine{});

// [operation_cannot_join]
constexpr auto joins_two = reduce(out(s), in(x), maximum{});
// [/operation_cannot_join]
static_assert(diagnose<decltype(reduce(out(s), in(x), twice{}))> == operation_cannot_join<twice, float>{});
// The library's own operations know what they need of a class.
inline constexpr struct matrices : buffer<matrices, csr> {} matrices;
inline constexpr struct one_matrix : scalar<one_matrix, csr> {} one_matrix;
struct length {
    float of;
    friend constexpr bool operator<(length a, length b) { return a.of < b.of; }
    friend COGRAPH_HD constexpr length operator*(length a, length b) { return {a.of * b.of}; }
};
inline constexpr struct lengths : buffer<lengths, length> {} lengths;
inline constexpr struct one_length : scalar<one_length, length> {} one_length;
static_assert(diagnose<decltype(reduce(out(one_matrix), in(matrices)))> == operation_cannot_join<plus, csr>{});
static_assert(diagnose<decltype(reduce(out(one_matrix), in(matrices), minimum{}))> == operation_cannot_join<minimum, csr>{});
static_assert(diagnose<decltype(dot(out(one_matrix), in(matrices), in(matrices)))> ==
              function_cannot_be_called<core::product_at<csr>, called_with<core::each_of<core::in_t<struct matrices>>, core::each_of<core::in_t<struct matrices>>>,
                                        arriving_as<index_t, const csr&, const csr&>>{});
static_assert(diagnose<decltype(reduce(out(one_length), in(lengths), maximum{}))> == identity_is_missing<maximum, length>{});
static_assert(diagnose<decltype(reduce(out(one_length), in(lengths), multiplies{}))> == identity_is_missing<multiplies, length>{});
static_assert(diagnose<decltype(reduce(out(one_length), in(lengths), maximum{}, length{}))> == fine{});

// A class needs no default constructor, and has the identity that can be made of it; elements take each other's place.
struct bound {
    float of;
    COGRAPH_HD explicit constexpr bound(float is) : of(is) {}
    friend constexpr bool operator<(bound a, bound b) { return a.of < b.of; }
    friend COGRAPH_HD constexpr bound operator+(bound a, bound b) { return bound(a.of + b.of); }
    friend COGRAPH_HD constexpr bound operator*(bound a, bound b) { return bound(a.of * b.of); }
};
struct span_of {
    bound from, to;
    friend COGRAPH_HD constexpr span_of operator+(span_of a, span_of b) { return {a.from, b.to}; }
};
struct between {
    COGRAPH_HD constexpr between(float, float) {}
    friend COGRAPH_HD constexpr between operator+(between, between) { return {0, 0}; }
    friend COGRAPH_HD constexpr between operator*(between, between) { return {0, 0}; }
};
inline constexpr struct bounds : buffer<bounds, bound> {} bounds;
inline constexpr struct one_bound : scalar<one_bound, bound> {} one_bound;
inline constexpr struct spans : buffer<spans, span_of> {} spans;
inline constexpr struct one_span : scalar<one_span, span_of> {} one_span;
inline constexpr struct betweens : buffer<betweens, between> {} betweens;
inline constexpr struct one_between : scalar<one_between, between> {} one_between;
static_assert(diagnose<decltype(reduce(out(one_bound), in(bounds)))> == fine{});
static_assert(diagnose<decltype(reduce(out(one_bound), in(bounds), multiplies{}))> == fine{});
static_assert(diagnose<decltype(reduce(out(one_bound), in(bounds), maximum{}))> == identity_is_missing<maximum, bound>{});
static_assert(diagnose<decltype(dot(out(one_bound), in(bounds), in(bounds)))> == fine{});
static_assert(diagnose<decltype(reduce(out(one_span), in(spans)))> == identity_is_missing<plus, span_of>{});
static_assert(diagnose<decltype(reduce(out(one_between), in(betweens)))> == identity_is_missing<plus, between>{});
static_assert(diagnose<decltype(reduce(out(one_between), in(betweens), multiplies{}))> == identity_is_missing<multiplies, between>{});
static_assert(diagnose<decltype(dot(out(one_between), in(betweens), in(betweens)))> == identity_is_missing<plus, between>{});

struct larger_fixed {
    COGRAPH_HD fixed operator()(const fixed& a, const fixed& b) const { return a.number < b.number ? b : a; }
};
// [elements_cannot_be_assigned]
constexpr auto of_its_member = transform_reduce(over(fixed_numbers), number_of{}, maximum{})(out(i), in(fixed_numbers[each]));
// [/elements_cannot_be_assigned]
static_assert(diagnose<decltype(reduce(out(one_fixed), in(fixed_numbers), larger_fixed{}, fixed(0)))> == elements_cannot_be_assigned<fixed>{});
static_assert(diagnose<decltype(copy(in(fixed_numbers), out(other_fixed)))> == elements_cannot_be_assigned<fixed>{});
static_assert(diagnose<decltype(copy(in(fixed_numbers), out(other_fixed), box{}))> == fine{});
static_assert(diagnose<decltype(fill(out(fixed_numbers), fixed(1)))> == elements_cannot_be_assigned<fixed>{});

// [term_is_cut_to_an_integer]
constexpr auto in_its_own_type = reduce(out(s), in(x));
// [/term_is_cut_to_an_integer]
static_assert(diagnose<decltype(reduce(out(i), in(x)))> == term_is_cut_to_an_integer<core::element_at, float, int>{});

// [term_does_not_convert]
constexpr auto gives_numbers = transform_reduce(over(x), square{}, plus{})(out(s), in(x[each]));
// [/term_does_not_convert]
static_assert(diagnose<decltype(transform_reduce(over(x), twice{}, plus{})(out(s), inout(x[each])))> ==
              term_does_not_convert<twice, float>{});

// [result_is_too_large]
constexpr auto of_four_numbers = transform_reduce(over(d), moments_of<4>{}, add_moments{}, moments<4>{})(out(few), in(d[each]));
// [/result_is_too_large]
static_assert(diagnose<decltype(transform_reduce(over(d), moments_of<200>{}, add_moments{}, moments<200>{})(out(many), in(d[each])))> ==
              result_is_too_large<moments<200>, result_bytes<1600>, limit_is<1535>>{});

// [result_is_not_marked_out]
constexpr auto result_first = transform_reduce(over(x), square{}, plus{})(out(s), in(x[each]));
// [/result_is_not_marked_out]
static_assert(diagnose<decltype(transform_reduce(over(x), square{}, plus{})(in(x[each])))> ==
              result_is_not_marked_out<core::each_of<core::in_t<struct x>>>{});
// Of a temp one element would be written, where there is one.

// [result_is_no_scalar]
constexpr auto sum_in_a_scalar = reduce(out(s), in(x));
// [/result_is_no_scalar]
static_assert(diagnose<decltype(reduce(out(z), in(x)))> == result_is_no_scalar<struct z>{});
static_assert(diagnose<decltype(dot(out(z), in(x), in(y)))> == result_is_no_scalar<struct z>{});
static_assert(diagnose<decltype(transform_reduce(over(x), square{}, plus{})(out(y), in(x[each])))> == result_is_no_scalar<struct y>{});

// [formula_is_no_argument]
constexpr auto assigned_first = seq(assign(u, 2 * s), for_each(over(x), axpy{})(u, in(x[each]), inout(y[each])), fill(out(x), u));
constexpr auto known_to_the_host = seq(for_each(over(x), axpy{})(2 * tol, in(x[each]), inout(y[each])), fill(out(x), n - extent(y)));
// [/formula_is_no_argument]
static_assert(diagnose<decltype(for_each(over(x), axpy{})(2 * s, in(x[each]), inout(y[each])))> ==
              formula_is_no_argument<axpy, formula_over<struct s>>{});
static_assert(diagnose<decltype(single_task(clamp{})(inout(s), tol + s))> == formula_is_no_argument<clamp, formula_over<struct tol, struct s>>{});
static_assert(diagnose<decltype(transform_reduce(over(x), square{}, plus{})(out(s), 2 * s))> ==
              formula_is_no_argument<square, formula_over<struct s>>{});
static_assert(diagnose<decltype(kernel<saxpy>(over(x))(n, 2 * s, x, y))> ==
              formula_is_no_argument<kernel_function<saxpy>, formula_over<struct s>>{});
static_assert(diagnose<decltype(kernel<saxpy>(over(x))(extent(x) - s, tol, x, y))> ==
              formula_is_no_argument<kernel_function<saxpy>, formula_over<core::extent_t<struct x>, struct s>>{});
static_assert(diagnose<decltype(single_task(clamp{})(inout(s), s * extent(x)))> == formula_is_no_argument<clamp, formula_over<struct s, core::extent_t<struct x>>>{});
static_assert(diagnose<decltype(fill(out(x), 2 * s))> == formula_is_no_argument<core::fill_elements, formula_over<struct s>>{});
static_assert(diagnose<decltype(predicate(positive{})(2 * s))> == formula_is_no_argument<positive, formula_over<struct s>>{});
// Nor of elements, of passes over them, or of numbers that no device has.
static_assert(diagnose<decltype(for_each(over(x), axpy{})(2 * x, in(x[each]), inout(y[each])))> ==
              formula_is_no_argument<axpy, formula_over<struct x>>{});
static_assert(diagnose<decltype(fill(out(x), 2.0L * n))> == formula_is_no_argument<core::fill_elements, formula_over<struct n>>{});

struct takes_numbers {
    COGRAPH_HD bool operator()(index_t a, double b) const { return static_cast<double>(a) < b; }
};
// One that the host computes arrives as a number.
static_assert(diagnose<decltype(kernel<saxpy>(over(x))(n, tol, extent(x) - n, y))> ==
              argument_does_not_fit<kernel_function<saxpy>, at_parameter<3, const float*>, given_argument<formula_over<core::extent_t<struct x>, struct n>, index_t>>{});
static_assert(diagnose<decltype(for_each(over(x), twice{})(2 * n))> ==
              function_cannot_be_called<twice, called_with<formula_over<struct n>>, arriving_as<index_t, int>>{});
static_assert(diagnose<decltype(loop_while(predicate(takes_numbers{})(n + extent(x), 2 * n + tol), fill(out(x), 1)))> ==
              predicate_never_changes<struct n, struct tol>{});

// [expression_is_no_argument]
constexpr auto filled_first = seq(copy(in(x), out(y)), for_each(over(y), twice{})(inout(y[each])));
// [/expression_is_no_argument]
static_assert(diagnose<decltype(for_each(over(x), twice{})(copy(in(x), out(y))))> == expression_is_no_argument<twice, core::copy_elements>{});
static_assert(diagnose<decltype(single_task(clamp{})(inout(s), seq(fill(out(x), 1), copy(in(x), out(y)))))> ==
              expression_is_no_argument<clamp, core::fill_elements>{});
static_assert(diagnose<decltype(kernel<saxpy>(over(x))(n, tol, x, fill(out(y), 1)))> ==
              expression_is_no_argument<kernel_function<saxpy>, core::fill_elements>{});
static_assert(diagnose<decltype(fill(out(x), fill(out(y), 1)))> ==
              arguments_are_not_those_of<core::fill_elements, core::out_t<struct x>, expression_of<core::fill_elements>>{});

// [assigned_is_no_scalar]
constexpr auto to_a_scalar_and_an_array = seq(assign(s, 1), fill(out(x), 1));
// [/assigned_is_no_scalar]
static_assert(diagnose<decltype(assign(x, 1))> == assigned_is_no_scalar<struct x>{});
static_assert(diagnose<decltype(assign(z, 1))> == assigned_is_no_scalar<struct z>{});
static_assert(diagnose<decltype(assign(tol, 1))> == value_cannot_be_written<struct tol>{});

// [assigned_value_is_no_number]
constexpr auto all_of_a_struct = fill(out(few), moments<4>{});
// [/assigned_value_is_no_number]
static_assert(diagnose<decltype(assign(few, moments<4>{}))> == assigned_value_is_no_number<struct few>{});
static_assert(diagnose<decltype(assign(few, few))> == assigned_value_is_no_number<struct few>{});

// [assigned_formula_is_over_arrays]
struct absolute_value {
    COGRAPH_HD float operator()(index_t, float element) const { return element < 0 ? -element : element; }
};
constexpr auto largest = transform_reduce(over(x), absolute_value{}, maximum{})(out(s), in(x[each]));
// [/assigned_formula_is_over_arrays]
static_assert(diagnose<decltype(assign(s, max_abs(x)))> == assigned_formula_is_over_arrays<struct s>{});
static_assert(diagnose<decltype(assign(s, 2 * x))> == assigned_formula_is_over_arrays<struct s>{});
static_assert(diagnose<decltype(assign(s, x))> == assigned_formula_is_over_arrays<struct s>{});

// [argument_is_not_trivially_copyable]
constexpr auto plain_value = for_each(over(x), axpy{})(2.0f, in(y[each]), inout(x[each]));
// [/argument_is_not_trivially_copyable]
static_assert(diagnose<decltype(for_each(over(x), scale{})(std::string("by two"), inout(x[each])))> ==
              argument_is_not_trivially_copyable<scale, std::string>{});

// [not_a_function_object]
constexpr auto with_a_struct = for_each(over(x), twice{})(inout(x[each]));
// [/not_a_function_object]
static_assert(diagnose<decltype(for_each(over(x), double_it)(inout(x[each])))> ==
              not_a_function_object<void (*)(index_t, float&)>{});
using joins = float (*)(float, float);
static_assert(diagnose<decltype(reduce(out(s), in(x), std::declval<joins>(), 0.0f))> == not_a_function_object<joins>{});
using asks = bool (*)(float);
static_assert(diagnose<decltype(any_of(x, std::declval<asks>()))> == not_a_function_object<asks>{});
struct below {
    std::string most;
    bool operator()(float number) const { return number < static_cast<float>(most.size()); }
};
static_assert(diagnose<decltype(any_of(x, std::declval<below>()))> == argument_is_not_trivially_copyable<below, below>{});

// Lambdas are function objects like others where there is no nvcc, which has a reason against them.
static_assert(!core::is_for_one_side<twice> && !core::is_for_one_side<below> && !core::is_for_one_side<joins>);
#ifndef __CUDACC__
constexpr auto with_a_lambda = for_each(over(x), [](index_t, float& element) { element *= 2; })(inout(x[each]));
#endif

// [each_without_elements]
constexpr auto all_elements = for_each(over(x), clamp_each{})(inout(x[each]), tol);
// [/each_without_elements]
static_assert(diagnose<decltype(single_task(clamp{})(inout(x[each]), tol))> == each_without_elements<clamp>{});

// [each_stands_outside_the_access_mode]
constexpr auto inside = for_each(over(x), twice{})(inout(x[each]));
// [/each_stands_outside_the_access_mode]
static_assert(diagnose<decltype(inout(x)[each])> == each_stands_outside_the_access_mode<struct x>{});

// [not_a_variable]
constexpr auto of_a_variable = fill(out(x), 1);
// [/not_a_variable]
static_assert(diagnose<decltype(out(memory))> == not_a_variable<float*>{});

// [value_cannot_be_written]
constexpr auto into_a_scalar = dot(out(s), in(x), in(y));
// [/value_cannot_be_written]
static_assert(diagnose<decltype(out(tol))> == value_cannot_be_written<struct tol>{});

// [has_no_extent]
constexpr auto extent_of_x = kernel<saxpy>(over(x))(extent(x), tol, x, y);
// [/has_no_extent]
static_assert(diagnose<decltype(extent(tol))> == has_no_extent<struct tol>{});

// [no_formula_of]
constexpr auto of_numbers = assign(s, u + 1);
// [/no_formula_of]
static_assert(diagnose<decltype(A + 1)> == no_formula_of<struct A, int>{});

// [no_formula_over]
constexpr auto not_zero = when(!i, fill(out(y), 1));
// [/no_formula_over]
static_assert(diagnose<decltype(!A)> == no_formula_over<struct A>{});

// [operand_is_not_an_integer]
constexpr auto every_other = when((i + 1) % 2 == 0, fill(out(y), 1));
// [/operand_is_not_an_integer]
static_assert(diagnose<decltype(s % 2)> == operand_is_not_an_integer<struct s>{});
static_assert(diagnose<decltype(i << 0.5)> == operand_is_not_an_integer<double>{});
static_assert(diagnose<decltype((n + s * 2) & 1)> == operand_is_not_an_integer<formula_over<struct n, struct s>>{});
static_assert(diagnose<decltype(sqrt(n) | i)> == operand_is_not_an_integer<formula_over<struct n>>{});
static_assert(diagnose<decltype(max_abs(x) % 2)> == operand_is_not_an_integer<formula_over<struct x>>{});
static_assert(diagnose<decltype(ceil_div(extent(x), tol))> == operand_is_not_an_integer<struct tol>{});
static_assert(diagnose<decltype(~(x + 1))> == operand_is_not_an_integer<formula_over<struct x>>{});
static_assert(diagnose<decltype(~(A))> == no_formula_over<struct A>{} && diagnose<decltype(A % 2)> == no_formula_of<struct A, int>{});
constexpr auto of_integers = assign(i, ((i > s) ^ !(s < tol)) + (~i & (extent(x) % 3)) + ceil_div(n, -i));
constexpr auto of_a_pass = when(count_if(x, positive{}) % 2 == 0, fill(out(y), 1));

}  // namespace
