// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

#include <cograph/launch_shape.hpp>
#include <cograph/stepwise.hpp>

// Right calls beside those that must not compile; docs/errors quotes them.
namespace {

inline constexpr struct pageable : host_buffer<pageable, float> {} pageable;
inline constexpr struct fixed : pinned_buffer<fixed, float> {} fixed;
inline constexpr struct done : value<done, CUevent_st*> {} done;

struct look_at {
    void operator()(const float*) const {}
};
struct enqueue {
    int operator()(CUstream_st*, float*) const { return 0; }
};
// One template for all compilers, in whose parts of a program it may be met.
static_assert(!std::is_same_v<cograph::mistake<int, void>, cograph::mistake<int, void, int>>);

constexpr auto sum = reduce(out(s), in(x));
using step_of_sum = core::step<std::remove_const_t<decltype(sum)>>;

// [host_work_is_in_a_body]
constexpr auto told_afterwards = seq(repeat(3, for_each(over(x), twice{})(inout(x[each]))), host(look_at{})(in(x)));
// [/host_work_is_in_a_body]

// [event_is_in_a_body]
constexpr auto recorded_afterwards = seq(repeat(3, for_each(over(x), twice{})(inout(x[each]))), record(done)(in(x)));
// [/event_is_in_a_body]

// [record_writes_nothing]
constexpr auto recorded_after_y = seq(fill(out(y), 1), record(done)(in(y)), reduce(out(s), in(x)));
// [/record_writes_nothing]

// [wait_lets_reads_pass]
constexpr auto read_after_the_event = seq(wait(done)(out(x)), reduce(out(s), in(x)));
static_assert(ordered(read_after_the_event, at<0>, at<1>));
// [/wait_lets_reads_pass]

// [pageable_copy_is_in_a_body]
constexpr auto copied_afterwards = seq(repeat(3, for_each(over(x), twice{})(inout(x[each]))), copy(in(x), out(pageable)));
constexpr auto copied_in_the_body = repeat(3, copy(in(x), out(fixed)));
// [/pageable_copy_is_in_a_body]

// [not_a_loop_option]
constexpr auto limited = loop_while(i < 3, assign(i, i + 1), at_most(10));
// [/not_a_loop_option]

// [loop_option_is_repeated]
constexpr auto once = loop_while(s > tol, assign(s, s / 2), at_most(10), check_every<2>);
// [/loop_option_is_repeated]

// [grid_has_no_blocks]
constexpr auto on_the_whole_device = loop_while(i < 3, assign(i, i + 1), grid_of<whole_device>);
// [/grid_has_no_blocks]

// [block_is_not_made_of_tiles]
constexpr auto of_small_blocks = loop_while(i < 3, assign(i, i + 1), block_of<256>);
// [/block_is_not_made_of_tiles]

// [limit_is_negative]
constexpr auto limited_to_ten = loop_while(i < 3, assign(i, i + 1), at_most<10>());
// [/limit_is_negative]

// [limit_is_not_an_integer]
constexpr auto limited_by_a_value = loop_while(i < 3, assign(i, i + 1), at_most(n));
// [/limit_is_not_an_integer]

// [tests_need_an_iteration_between_them]
constexpr auto every_second = loop_while(i < 3, assign(i, i + 1), check_every<2>);
// [/tests_need_an_iteration_between_them]

// [repeat_tests_every_iteration]
constexpr auto counted = repeat(3, assign(i, i + 1));
// [/repeat_tests_every_iteration]

// [device_code_takes_host_memory]
constexpr auto copied_first = seq(copy(in(pageable), out(x)), for_each(over(x), twice{})(inout(x[each])));
// [/device_code_takes_host_memory]

// [copied_elements_differ]
constexpr auto of_one_type = copy(in(x), out(pageable));
// [/copied_elements_differ]

struct is_large {
    COGRAPH_HD bool operator()(float value) const { return value > 100; }
};
// [scanned_in_place]
constexpr auto into_another = inclusive_scan(in(x), out(y));
// [/scanned_in_place]
static_assert(diagnose<decltype(inclusive_scan(in(x), out(x)))> == reason::scanned_in_place<struct x>{});

// [count_is_no_integer]
constexpr auto count_large = copy_if(in(x), out(y), out(i), is_large{});
// [/count_is_no_integer]
static_assert(diagnose<decltype(copy_if(in(x), out(y), out(s), is_large{}))> == reason::count_is_no_integer<struct s>{} &&
              diagnose<decltype(copy_if(in(x), out(x), out(i), is_large{}))> == reason::scanned_in_place<struct x>{} &&
              diagnose<decltype(copy_if(in(x), out(y), out(z), is_large{}))> == reason::result_is_no_scalar<struct z>{});

// [parts_are_one_variable]
constexpr auto in_two_parts = partition_copy(in(x), out(y), out(z), out(i), is_large{});
// [/parts_are_one_variable]
static_assert(diagnose<decltype(partition_copy(in(x), out(y), out(y), out(i), is_large{}))> == reason::parts_are_one_variable<struct y>{} &&
              diagnose<decltype(partition_copy(in(x), out(x), out(y), out(i), is_large{}))> == reason::scanned_in_place<struct x>{} &&
              diagnose<decltype(partition_copy(in(x), out(y), out(x), out(i), is_large{}))> == reason::scanned_in_place<struct x>{} &&
              diagnose<decltype(partition_copy(in(x), out(y), out(z), out(s), is_large{}))> == reason::count_is_no_integer<struct s>{});

struct square_of {
    COGRAPH_HD float operator()(index_t, float value) const { return value * value; }
};
struct square_into {
    COGRAPH_HD float operator()(index_t, float value, float& square) const { return square = value * value; }
};
// [terms_are_only_read]
constexpr auto sums_of_squares = transform_inclusive_scan(over(x), square_of{}, plus{})(out(y), in(x[each]));
// [/terms_are_only_read]
static_assert(diagnose<decltype(transform_inclusive_scan(over(x), square_into{}, plus{})(out(y), in(x[each]), out(z[each])))> ==
                  reason::terms_are_only_read<square_into>{} &&
              diagnose<decltype(transform_inclusive_scan(over(x), square_of{}, plus{})(out(x), in(x[each])))> == reason::scanned_in_place<struct x>{} &&
              diagnose<decltype(transform_exclusive_scan(over(x), square_of{}, larger{})(out(y), in(x[each])))> == reason::identity_is_missing<larger, float>{} &&
              diagnose<decltype(transform_exclusive_scan(grid(8), square_of{}, plus{})(out(y), in(x[each])))> == reason::grid_counts_no_elements<square_of>{} &&
              diagnose<decltype(transform_inclusive_scan(over(x).group<32>(), square_of{}, plus{})(out(y), in(x[each])))> == reason::groups_are_for_for_each<square_of>{} &&
              diagnose<decltype(copy_if(over(x).first(i), is_large{})(in(x), out(x), out(i)))> == reason::scanned_in_place<struct x>{} &&
              diagnose<decltype(copy_if(over(x).group<32>(), is_large{})(in(x), out(y), out(i)))> == reason::groups_are_for_for_each<is_large>{});

struct square_and_itself {
    COGRAPH_HD auto operator()(index_t, float value) const { return terms{value * value, value}; }
};
// [function_gives_no_such_terms]
constexpr auto sum_and_largest = transform_reduce(over(x), square_and_itself{}, operations(plus{}, maximum{}))(out(s), out(u), in(x[each]));
// [/function_gives_no_such_terms]
struct value_in_box {
    COGRAPH_HD float operator()(index_t, index_t, float value) const { return value; }
};
// [operations_are_for_all_elements]
constexpr auto sum_and_largest_of_box = seq(transform_reduce(over(4, 8), value_in_box{}, plus{})(out(s), in(x[each])),
                                            transform_reduce(over(4, 8), value_in_box{}, maximum{})(out(u), in(x[each])));
// [/operations_are_for_all_elements]
template <class Shape>
using both_over = decltype(transform_reduce(Shape{}, square_and_itself{}, operations(plus{}, maximum{})));
using only_for_all_elements = reason::operations_are_for_all_elements<square_and_itself>;
static_assert(diagnose<both_over<decltype(over(4, 8))>> == only_for_all_elements{} && diagnose<both_over<decltype(over(4, 8).checkerboard<0>())>> == only_for_all_elements{} &&
              diagnose<both_over<decltype(over(x).every<2>())>> == only_for_all_elements{} && diagnose<both_over<decltype(over(x).group<32>())>> == only_for_all_elements{} &&
              diagnose<decltype(transform_reduce(over(x), square_and_itself{}, operations(plus{}, maximum{}))(out(s), out(u), in(x[near<1>])))> == only_for_all_elements{});
static_assert(diagnose<decltype(transform_reduce(over(x), square_of{}, operations(plus{}, maximum{}))(out(s), out(u), in(x[each])))> ==
                  reason::function_gives_no_such_terms<square_of, reason::takes_terms<2>>{} &&
              diagnose<decltype(transform_reduce(over(x), square_and_itself{}, operations(plus{}, larger{}))(out(s), out(u), in(x[each])))> ==
                  reason::identity_is_missing<larger, float>{} &&
              diagnose<decltype(transform_reduce(over(x), square_and_itself{}, operations(plus{}, maximum{}))(out(s), out(i), in(x[each])))> ==
                  reason::term_is_cut_to_an_integer<square_and_itself, float, int>{} &&
              diagnose<decltype(transform_reduce(over(x), square_and_itself{}, operations(plus{}, maximum{}))(out(s), out(z), in(x[each])))> ==
                  reason::result_is_no_scalar<struct z>{});

struct value_at {
    COGRAPH_HD float operator()(index_t, index_t k, const float* of) const { return of[k]; }
};
struct value_beside {
    COGRAPH_HD float operator()(index_t, index_t, const float& of) const { return of; }
};
// [offsets_are_no_integers]
inline constexpr struct begins : buffer<begins, int> {} begins;
constexpr auto join_segments = segmented_reduce(over(x), value_at{}, plus{})(out(y), in(begins), in(x));
// [/offsets_are_no_integers]
static_assert(diagnose<decltype(segmented_reduce(over(x), value_at{}, plus{})(out(y), in(d), in(x)))> == reason::offsets_are_no_integers<struct d>{} &&
              diagnose<decltype(segmented_reduce(over(x), value_at{}, plus{})(out(begins), in(begins), in(x)))> == reason::scanned_in_place<struct begins>{} &&
              diagnose<decltype(segmented_reduce(over(x), value_beside{}, plus{})(out(y), in(begins), in(x[each])))> == reason::each_without_elements<value_beside>{} &&
              diagnose<decltype(segmented_reduce(over(x), value_at{}, larger{})(out(y), in(begins), in(x)))> == reason::identity_is_missing<larger, float>{});

// [terms_are_not_counted]
constexpr auto largest_of_segments = segmented_reduce(over(x), value_at{}, maximum{}, 0)(out(y), in(begins), in(x));
// [/terms_are_not_counted]
static_assert(diagnose<decltype(segmented_reduce(over(1000), value_at{}, plus{}))> == reason::terms_are_not_counted<core::over_count>{} &&
              diagnose<decltype(segmented_reduce(over(n), value_at{}, plus{}))> == reason::terms_are_not_counted<core::over_t<struct n>>{} &&
              diagnose<decltype(segmented_reduce(over(x).group<32>(), value_at{}, plus{}))> == reason::groups_are_for_for_each<value_at>{});

// [result_is_no_found_element]
inline constexpr struct highest : scalar<highest, found_element<float>> {} highest;
constexpr auto find_highest = max_element(out(highest), in(x));
// [/result_is_no_found_element]
static_assert(diagnose<decltype(max_element(out(s), in(x)))> == reason::result_is_no_found_element<struct s, found_element<float>>{} &&
              diagnose<decltype(min_element(out(y), in(x)))> == reason::result_is_no_scalar<struct y>{});

// [groups_are_for_for_each]
constexpr auto sums_of_segments = segmented_reduce(over(x), value_at{}, plus{})(out(y), in(begins), in(x));
// [/groups_are_for_for_each]
static_assert(diagnose<decltype(segmented_reduce(over(x).group<32>(), value_at{}, plus{}))> == reason::groups_are_for_for_each<value_at>{});

// [group_is_taken_by_value]
struct set_to_number {
    COGRAPH_HD void operator()(thread_group<32> const& group, index_t number, float* to) const {
        if (group.rank() == 0) to[number] = static_cast<float>(number);
    }
};
constexpr auto by_reference = for_each(over(x).group<32>(), set_to_number{})(out(y));
// [/group_is_taken_by_value]
struct takes_group {
    COGRAPH_HD void operator()(thread_group<32>, index_t, float*) const {}
};
struct takes_any_group {
    template <class Group>
    COGRAPH_HD float operator()(Group, index_t, const float*) const {
        return 0;
    }
};
struct takes_wrong_group {
    COGRAPH_HD void operator()(thread_group<32>&&, index_t, float*) const {}
};
static_assert(diagnose<decltype(for_each(over(x).group<32>(), takes_group{})(out(y)))> == reason::group_is_taken_by_value<takes_group>{} &&
              diagnose<decltype(transform_reduce(over(x).group<32>(), takes_any_group{}, plus{})(out(s), in(x)))> == reason::group_is_taken_by_value<takes_any_group>{});
static_assert(diagnose<decltype(for_each(over(x).group<64>(), takes_group{})(out(y)))> != reason::group_is_taken_by_value<takes_group>{} &&
              diagnose<decltype(for_each(over(x).group<32>(), takes_wrong_group{})(out(y)))> != reason::group_is_taken_by_value<takes_wrong_group>{} &&
              diagnose<decltype(for_each(over(x).group<32>(), takes_wrong_group{})(out(y)))> != reason::fine{});

struct takes_any_number {
    template <class Group>
    COGRAPH_HD float operator()(Group const&, index_t, const float*) const {
        return 0;
    }
};
// [prepare_and_finish_do_not_fit]
struct add_weight {
    template <class Group>
    COGRAPH_HD float prepare(Group const&, index_t number, const float* weights, float*) const {
        return weights[number];
    }
    template <class Group>
    COGRAPH_HD void finish(Group const& group, index_t number, float weight, const float*, float* to) const {
        if (group.rank() == 0) to[number] += weight;
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t number, const float* weights, float* to) const {
        finish(group, number, prepare(group, number, weights, to), weights, to);
    }
};
constexpr auto add_weights = for_each(over(x).group<32>(), add_weight{})(in(x), inout(y));
// [/prepare_and_finish_do_not_fit]
struct prepares_nothing : add_weight {
    COGRAPH_HD void prepare(thread_group<32> const&, index_t, const float*, float*) const {}
};
struct without_default {
    explicit without_default(float);
};
struct prepares_no_default : add_weight {
    COGRAPH_HD without_default prepare(thread_group<32> const&, index_t, const float*, float*) const;
    COGRAPH_HD void finish(thread_group<32> const&, index_t, without_default, const float*, float*) const;
};
struct prepares_a_reference : add_weight {
    COGRAPH_HD const float& prepare(thread_group<32> const&, index_t number, const float* weights, float*) const { return weights[number]; }
};
constexpr auto add_what_is_referred_to = for_each(over(x).group<32>(), prepares_a_reference{})(in(x), inout(y));
struct has_another_finish : add_weight {
    int finish = 0;
};
struct has_no_prepare : takes_any_number {
    COGRAPH_HD void finish() const {}
};
struct has_both_and_is_final final : add_weight {};
static_assert(core::has_two_parts<add_weight, 32, const float*, float*> && core::has_two_parts<has_both_and_is_final, 32, const float*, float*> &&
              !core::has_two_parts<prepares_nothing, 32, const float*, float*> && !core::has_two_parts<has_no_prepare, 32, const float*>);
static_assert(diagnose<decltype(for_each(over(x).group<32>(), prepares_nothing{})(in(x), inout(y)))> == reason::prepare_and_finish_do_not_fit<prepares_nothing>{} &&
              diagnose<decltype(for_each(over(x).group<32>(), prepares_no_default{})(in(x), inout(y)))> == reason::prepare_and_finish_do_not_fit<prepares_no_default>{} &&
              diagnose<decltype(for_each(over(x).group<32>(), has_another_finish{})(in(x), inout(y)))> == reason::prepare_and_finish_do_not_fit<has_another_finish>{});
constexpr auto sum_without_prepare = transform_reduce(over(x).group<32>(), has_no_prepare{}, plus{})(out(s), in(x));

struct sum_of_thousand {
    template <class Group>
    COGRAPH_HD float operator()(Group const& group, index_t at, const float* values) const {
        return group.transform_reduce(1000, [&](int number) { return values[at * 1000 + number]; }, plus{});
    }
};
constexpr auto largest_sum = transform_reduce(over(y).group<512>(), sum_of_thousand{}, maximum{})(out(s), in(x));
static_assert(diagnose<decltype(transform_reduce(over(y).group<32>(), sum_of_thousand{}, maximum{})(out(i), in(x)))> ==
                  reason::term_is_cut_to_an_integer<sum_of_thousand, float, int>{} &&
              diagnose<decltype(transform_reduce(over(y).group<32>(), sum_of_thousand{}, larger{})(out(s), in(x)))> == reason::identity_is_missing<larger, float>{} &&
              diagnose<decltype(transform_reduce(over(y).group<32>(), sum_of_thousand{}, maximum{})(out(z), in(x)))> == reason::result_is_no_scalar<struct z>{});
static_assert(is_persistent(loop_while(i < 3, seq(largest_sum, assign(i, i + 1))), at<0>) && node_count(largest_sum) == 1);

// [group_size_is_no_power_of_two]
constexpr auto two_warps = over(x).group<64>();
// [/group_size_is_no_power_of_two]
static_assert(diagnose<decltype(over(x).group<48>())> == reason::group_size_is_no_power_of_two<48>{} &&
              diagnose<decltype(over(x).group<2048>())> == reason::group_size_is_no_power_of_two<2048>{} &&
              diagnose<decltype(over(x).group<0>())> == reason::group_size_is_no_power_of_two<0>{});

// [shared_elements_are_not_plain]
struct turn_row {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, float* kept, const float* from, float* to) const {
        group.for_each(8, [&](int k) { kept[k] = from[8 * row + k]; });
        group.for_each(8, [&](int k) { to[8 * row + k] = kept[7 - k]; });
    }
};
constexpr auto turn_rows = for_each(over(100).group<32>().shared<float>(8), turn_row{})(in(x), inout(y));
// [/shared_elements_are_not_plain]
// [not_a_number_of_elements]
constexpr auto turn_some = for_each(over(n).group<32>().shared<float>(n + 8), turn_row{})(in(x), inout(y));
// [/not_a_number_of_elements]
struct words_of_text {
    words_of_text(words_of_text const&);
};
struct alignas(32) wide_number {
    double of[4];
};
template <class T, class N>
constexpr auto why_no_memory(N count) {
    return diagnose<decltype(for_each(over(n).group<32>().template shared<T>(count), turn_row{})(in(x), inout(y)))>;
}
static_assert(why_no_memory<words_of_text>(8) == reason::shared_elements_are_not_plain<words_of_text>{} &&
              why_no_memory<wide_number>(8) == reason::shared_elements_are_not_plain<wide_number>{} &&
              why_no_memory<float>(8.0) == reason::not_a_number_of_elements<double>{} && why_no_memory<float>(i) == reason::not_a_number_of_elements<struct i>{} &&
              why_no_memory<float>(x) == reason::not_a_number_of_elements<struct x>{});
static_assert(diagnose<decltype(transform_reduce(over(x).group<32>().shared<float>(8), sum_of_thousand{}, maximum{})(out(s), in(x)))> ==
              reason::groups_are_for_for_each<sum_of_thousand>{});
static_assert(is_persistent(loop_while(i < 3, seq(turn_rows, turn_some, assign(i, i + 1))), at<0>) && reads(turn_some, n) && !reads(turn_rows, n) &&
              node_count(for_each(over(y).first(i).group<32>().shared<float>(extent(x)), turn_row{})(in(x), inout(y))) == 1);

// [swapped_with_itself]
constexpr auto change_places = swap(x, y);
// [/swapped_with_itself]
static_assert(diagnose<decltype(swap(x, x))> == reason::swapped_with_itself<struct x>{} &&
              diagnose<decltype(swap(x, d))> == reason::copied_elements_differ<struct x, struct d>{} &&
              diagnose<decltype(swap(s, u))> == reason::has_no_elements<struct s>{} && diagnose<decltype(swap(x, u))> == reason::has_no_elements<struct u>{} &&
              diagnose<decltype(swap(x, pageable))> == reason::arguments_are_not_those_of<core::swap_elements, struct x, struct pageable>{} &&
              diagnose<decltype(swap(x, y, z))> == reason::arguments_are_not_those_of<core::swap_elements, struct x, struct y, struct z>{} &&
              diagnose<decltype(swap(inout(x), y))> == reason::arguments_are_not_those_of<core::swap_elements, core::inout_t<struct x>, struct y>{});

// [length_is_no_integer_scalar]
constexpr auto the_first_ones = for_each(over(x).first(i), twice{})(inout(x[each]));
// [/length_is_no_integer_scalar]
static_assert(diagnose<decltype(over(x).first(s))> == reason::length_is_no_integer_scalar<struct s>{} &&
              diagnose<decltype(over(x).first(5))> == reason::length_is_no_integer_scalar<int>{} &&
              diagnose<decltype(over(x).first(n))> == reason::length_is_no_integer_scalar<struct n>{});

// [shape_takes_no_length]
constexpr auto first_of_x = over(x).first(i);
// [/shape_takes_no_length]
static_assert(diagnose<decltype(first_of_x.first(i))> == reason::shape_takes_no_length<std::remove_const_t<decltype(first_of_x)>>{} &&
              diagnose<decltype(grid(8).first(i))> == reason::shape_takes_no_length<core::grid_t>{});
static_assert(diagnose<decltype(over(x).first(i, i))> == reason::arguments_are_not_those_of<struct core::first_call, struct i, struct i>{});
// What nodes over all elements refuse, those over the first refuse.
static_assert(diagnose<decltype(for_each(first_of_x, from_zero{})(in(x[each])))> == diagnose<decltype(for_each(over(x), from_zero{})(in(x[each])))> &&
              diagnose<decltype(transform_reduce(first_of_x, square{}, larger{})(out(s), in(x[each])))> ==
                  diagnose<decltype(transform_reduce(over(x), square{}, larger{})(out(s), in(x[each])))> &&
              diagnose<decltype(transform_reduce(first_of_x.group<32>(), square{}, plus{})(out(s), in(x[each])))> ==
                  diagnose<decltype(transform_reduce(over(x).group<32>(), square{}, plus{})(out(s), in(x[each])))> &&
              diagnose<decltype(for_each(first_of_x.cluster(2), twice{})(inout(x[each])))> == reason::attributes_are_for_kernels<twice>{});

// [lengths_are_for_library_nodes]
constexpr auto tested_in_the_kernel = kernel<saxpy>(over(x))(n, tol, x, y);
// [/lengths_are_for_library_nodes]
// [radius_is_out_of_range]
constexpr auto of_the_next = for_each(over(x), slope{})(in(x[near<1>]), out(y[each]));
// [/radius_is_out_of_range]
static_assert(diagnose<decltype(x[near<9>])> == reason::radius_is_out_of_range<struct x, core::near_t<9>>{} &&
              diagnose<decltype(x[near<0, 0>])> == reason::radius_is_out_of_range<struct x, core::near_t<0, 0>>{} &&
              diagnose<decltype(x[near<1, 1, 1, 1>])> == reason::radius_is_out_of_range<struct x, core::near_t<1, 1, 1, 1>>{});

// [shape_has_no_such_subset]
constexpr auto black_squares = over(8, 8).checkerboard<0>();
// [/shape_has_no_such_subset]
static_assert(diagnose<decltype(over(x).checkerboard<0>())> == reason::shape_has_no_such_subset<core::over_t<struct x>>{} &&
              diagnose<decltype(grid(8).every<2>())> == reason::shape_has_no_such_subset<core::grid_t>{});

// [not_a_subset]
constexpr auto odd_elements = for_each(over(x).every<2, 1>(), twice{})(inout(x[each]));
// [/not_a_subset]
static_assert(diagnose<decltype(over(x).every<2, 2>())> == reason::not_a_subset<2, 2>{} && diagnose<decltype(over(x).every<0>())> == reason::not_a_subset<0, 0>{} &&
              diagnose<decltype(over(8, 8).checkerboard<2>())> == reason::not_a_subset<2, 2>{} &&
              diagnose<decltype(for_each(over(x).every<2>(), twice{})(in(x[each])))> == diagnose<decltype(for_each(over(x), twice{})(in(x[each])))>);

// [neighbours_are_only_read]
constexpr auto slopes = for_each(over(x), slope{})(in(x[near<1>]), out(y[each]));
// [/neighbours_are_only_read]
static_assert(diagnose<decltype(out(x[near<1>]))> == reason::neighbours_are_only_read<struct x>{});

struct sum_of_row {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* all, float& to) const {
        to = group.transform_reduce(8, [&](int k) { return all[8 * row + k]; }, plus{});
    }
};
// [neighbours_are_for_for_each_and_transform_reduce]
constexpr auto sums_of_rows = for_each(over(y).group<32>(), sum_of_row{})(in(x), out(y[each]));
// [/neighbours_are_for_for_each_and_transform_reduce]
static_assert(diagnose<decltype(for_each(over(y).group<32>(), sum_of_row{})(in(x[near<8>]), out(y[each])))> ==
              reason::neighbours_are_for_for_each_and_transform_reduce<sum_of_row, struct x>{});

// [function_takes_neighbours]
constexpr auto of_four_around = for_each(over<16, 16>(), flux{})(in(x[near<1, 1>]), out(y[each]));
// [/function_takes_neighbours]
struct sum_of_two {
    COGRAPH_HD float operator()(index_t, neighbours<float, 1> const& of, neighbours<float, 2> const& other) const { return *of + *other; }
};
using core::near_t;
static_assert(diagnose<decltype(for_each(over<16, 16>(), flux{})(in(x[each]), out(y[each])))> == reason::function_takes_neighbours<flux, struct x, near_t<1, 1>>{} &&
              diagnose<decltype(for_each(over<16, 16>(), flux{})(x, out(y)))> == reason::function_takes_neighbours<flux, struct x, near_t<1, 1>>{} &&
              diagnose<decltype(for_each(over<16, 16>(), flux{})(x[near<1, 2>], out(y[each])))> == reason::function_takes_neighbours<flux, struct x, near_t<1, 1>>{} &&
              diagnose<decltype(for_each(over<16, 16>(), flux{})(x[near<1, 1>], out(y)))> == reason::each_is_missing<flux, struct y>{});
static_assert(diagnose<decltype(for_each(over(x), slope{})(x, out(y[each])))> == reason::function_takes_neighbours<slope, struct x, near_t<1>>{} &&
              diagnose<decltype(for_each(over(x), slope{})(x[near<2>], out(y[each])))> == reason::function_takes_neighbours<slope, struct x, near_t<1>>{} &&
              diagnose<decltype(transform_reduce(over(x), sum_of_two{}, plus{})(out(s), x[near<1>], y[near<1>]))> == reason::function_takes_neighbours<sum_of_two, struct y, near_t<2>>{} &&
              diagnose<decltype(transform_reduce(over(x), sum_of_two{}, plus{})(out(s), x[near<1>], d[near<2>]))> ==
                  reason::function_cannot_be_called<sum_of_two, reason::called_with<core::near_of<core::in_t<struct x>, 1>, core::near_of<core::in_t<struct d>, 2>>,
                                                    reason::arriving_as<index_t, neighbours<float, 1>, neighbours<double, 2>>>{});

// [radius_has_other_dimensions]
constexpr auto of_rows = for_each(over<16, 16>(), flux{})(in(x[near<1, 1>]), out(y[each]));
// [/radius_has_other_dimensions]
static_assert(diagnose<decltype(for_each(over(x), flux{})(in(x[near<1, 1>]), out(y[each])))> ==
              reason::radius_has_other_dimensions<flux, struct x, core::near_t<1, 1>, reason::dimensions<1>>{});

// [shape_has_no_patches]
constexpr auto box_in_patches = over<n, n>().in_patches();
// [/shape_has_no_patches]
static_assert(diagnose<decltype(over(x).in_patches())> == reason::shape_has_no_patches<core::over_t<struct x>>{} && diagnose<decltype(over(4, 4, 4).in_patches())> ==
              reason::shape_has_no_patches<decltype(over(4, 4, 4))>{});

// [not_sides_of_a_box]
constexpr auto rows_of_sixteen = for_each(over<n, 16>(), flux{})(in(x[near<1, 1>]), out(y[each]));
// [/not_sides_of_a_box]
static_assert(diagnose<decltype(over(n, 2.5))> == reason::not_sides_of_a_box<struct n, double>{} &&
              diagnose<decltype(over<4, -1>())> == reason::extent_is_not_positive<-1>{});
static_assert(diagnose<decltype(for_each(over(4, 4), twice{})(inout(x[each])))> ==
              reason::function_cannot_be_called<twice, reason::called_with<core::each_of<core::inout_t<struct x>>>, reason::arriving_as<index_t, index_t, float&>>{});

// [attributes_are_for_kernels]
constexpr auto plain_shape = for_each(over(x), twice{})(inout(x[each]));
// [/attributes_are_for_kernels]

// [cluster_is_too_large]
constexpr auto small_cluster = kernel<saxpy>(grid(64).cluster<4>())(n, tol, x, y);
// [/cluster_is_too_large]

// [access_is_not_declared]
constexpr auto declared = host(look_at{})(in(x));
// [/access_is_not_declared]

// [host_code_takes_all_elements]
constexpr auto the_whole = captured(enqueue{})(inout(x));
// [/host_code_takes_all_elements]

// [result_is_no_status]
constexpr auto gives_a_status = captured(enqueue{})(inout(x));
// [/result_is_no_status]

// [host_work_returns_something]
constexpr auto returns_nothing = host(look_at{})(in(x));
// [/host_work_returns_something]

// [warm_up_cannot_restore]
constexpr auto restored = captured(enqueue{}).warm_up()(inout(x));
// [/warm_up_cannot_restore]

// [cuda_is_missing]
inline void on_the_host() { simulate(copy(in(x), out(y)), x(memory), y(more_memory)); }
// [/cuda_is_missing]

// [several]
inline void both_right() { simulate(copy(in(x), out(y)), x(memory), y(more_memory)); }
// [/several]

// [selector_names_no_loop]
inline const auto passes = loop_report<decltype(repeat(3, assign(i, i + 1)))>{}.iterations(at<0>);
// [/selector_names_no_loop]

// [function_cannot_take_steps]
inline void every_step() {
    simulate_stepwise(reduce(out(s), in(x)), [](auto const&) {}, x(memory));
}
// [/function_cannot_take_steps]

// [has_one_value]
inline float value_of(step_of_sum const& step) { return step.value(s); }
// [/has_one_value]

// [has_many_values]
inline float first_of(step_of_sum const& step) { return step.span(x)[0]; }
// [/has_many_values]

// [only_memory_is_device_updatable]
constexpr auto rebound = device_updatable(x(static_cast<float*>(nullptr), 0));
// [/only_memory_is_device_updatable]

// [only_temps_may_alias]
constexpr auto two_temps = seq(copy(in(x), out(z)), copy(in(z), out(y)), fill(out(t), 1), reduce(out(s), in(t)));
static_assert(!may_alias(two_temps, z, t));
// [/only_temps_may_alias]

// [variable_is_not_in_the_expression]
constexpr auto has_both = seq(fill(out(z), 0), reduce(out(s), in(z)), fill(out(t), 1), reduce(out(s), in(t)));
static_assert(!may_alias(has_both, z, t));
// [/variable_is_not_in_the_expression]

// [formula_has_no_elements]
constexpr auto all_elements = when(all(x > 3), fill(out(x), 1));
// [/formula_has_no_elements]

// [formula_has_a_value_for_each_element]
constexpr auto one_answer = loop_while(any(x > 3), for_each(over(x), twice{})(inout(x[each])));
// [/formula_has_a_value_for_each_element]

// [not_an_array]
constexpr auto of_a_buffer = when(all_of(x, positive{}), fill(out(y), 1));
// [/not_an_array]

// [element_test_is_not_bool]
constexpr auto gives_bool = when(any_of(x, positive{}), fill(out(y), 1));
// [/element_test_is_not_bool]

// [pageable_memory_is_read_at_launch]
constexpr auto from_pinned = seq(copy(in(x), out(fixed)), copy(in(fixed), out(y)));
// [/pageable_memory_is_read_at_launch]

// [alignment_is_above_256_bytes]
struct alignas(256) line {
    float values[64];
};
inline constexpr struct lines : temp<lines, line> {} lines;
// [/alignment_is_above_256_bytes]
struct alignas(512) line_of_512 {
    float values[128];
};
inline constexpr struct sum_of_lines : scalar<sum_of_lines, line_of_512> {} sum_of_lines;
struct add_line {
    COGRAPH_HD void operator()(line_of_512& to) const { to.values[0] = 1; }
};
#ifndef __CUDA_ARCH__  // what is bound is checked once, for the host
using cograph::reason::alignment_is_above_256_bytes, cograph::reason::fine;
constexpr auto into_sum = single_task(add_line{})(out(sum_of_lines));
inline line_of_512 own_line;
static_assert(diagnose<decltype(simulate(into_sum))> == alignment_is_above_256_bytes<struct sum_of_lines>{});
static_assert(diagnose<decltype(simulate(into_sum, sum_of_lines(&own_line)))> == fine{});
#endif

}  // namespace
