// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

#include <cograph/batch.hpp>

#include <cograph/check.hpp>
#include <cograph/host/batch/problem_lengths.hpp>
#include <cograph/plan/batch/problem_loops.hpp>
#include <cograph/stepwise.hpp>

#include <array>

// The right calls beside those that are refused, and what a plan says of a batch.
namespace {

inline constexpr struct changes : buffer<changes, double> {} changes;
constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));

// [all_problems_write]
constexpr auto each_writes = batch(over(10), step)(of_each(x), of_each(y));
// [/all_problems_write]
static_assert(reads(each_writes, of_each(x), tol) && writes(each_writes, of_each(y)) && !writes(each_writes, of_each(x)));
static_assert(is_mutated(each_writes, of_each(y)) && is_input(each_writes, of_each(x)));

// [each_problem_has_it_twice]
constexpr auto each_has_one = batch(over(10), step)(of_each(y), of_each(x));
// [/each_problem_has_it_twice]

// [no_problem_uses_it]
constexpr auto each_uses_it = batch(over(10), step)(of_each(y));
// [/no_problem_uses_it]
static_assert(reads(each_uses_it, x));

// [not_of_each_problem]
constexpr auto one_x_for_all = batch(over(10), step)(of_each(y));
// [/not_of_each_problem]
static_assert(node_count(one_x_for_all) == 1);

// [elements_of_problems_differ]
constexpr auto lie_in_d = of_each(changes).in(d);
// [/elements_of_problems_differ]

struct first_of {
    COGRAPH_HD void operator()(float& to) const { to = 1; }
};
// [not_in_a_batch]
constexpr auto to_a_scalar = batch(over(10), single_task(first_of{})(out(s)))(of_each(s));
// [/not_in_a_batch]
static_assert(is_output(to_a_scalar, of_each(s)) && !is_input(to_a_scalar, of_each(s)));

struct turn {
    template <class Group>
    COGRAPH_HD void operator()(Group const&, index_t, float*, float& element) const { element = 0; }
};
// Groups with shared memory, as much as all problems know.
constexpr auto with_memory = batch(over(10).group<64>(), for_each(over(y).group<64>().shared<float>(n), turn{})(out(y[each])))(of_each(y));
static_assert(node_count(with_memory) == 1 && reads(with_memory, n));
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(with_memory, of_each(y)(static_cast<float*>(nullptr), 0)))> == reason::unbound_variable<struct n>{});
static_assert(diagnose<decltype(simulate(for_each(over(y).group<64>().shared<float>(n * 2), turn{})(out(y[each])), y(static_cast<float*>(nullptr), 0)))> == reason::unbound_variable<struct n>{});
#endif
static_assert(diagnose<decltype(batch(over(10).group<64>(), for_each(over(y).group<64>().shared<float>(n), turn{})(out(y[each])))(of_each(y), of_each(n)))> ==
              reason::number_of_a_problem_is_on_the_device<struct n>{});

inline constexpr struct powers : temp<powers, float, elements<n + 1>> {} powers;
// [number_of_a_problem_is_on_the_device]
constexpr auto as_many_for_all = batch(over(10), seq(fill(out(powers), 1.0f), reduce(out(s), in(powers))))(of_each(s));
// [/number_of_a_problem_is_on_the_device]
static_assert(reads(as_many_for_all, n));

// [temp_of_a_problem_has_no_size]
constexpr auto as_long_as_x = batch(over(10), seq(fill(out(z), 0.0f), for_each(over(x), axpy{})(tol, in(x[each]), inout(z[each])), copy(in(z), out(y))))(of_each(x), of_each(y));
// [/temp_of_a_problem_has_no_size]

// [not_parts_of_problems]
inline constexpr struct begins : buffer<begins, int> {} begins;
constexpr auto from_begin_to_end = of_each(y).between(begins, n);
constexpr auto the_first_of_each = of_each(y).first(n);
// [/not_parts_of_problems]
constexpr auto of_unequal_parts = batch(over(10), for_each(over(y), twice{})(inout(y[each])))(from_begin_to_end);
static_assert(reads(of_unequal_parts, begins, n) && is_mutated(of_unequal_parts, of_each(y)));
constexpr auto of_first_parts = batch(over(10), fill(out(y), 1.0f))(the_first_of_each);
static_assert(reads(of_first_parts, n, of_each(y)) && writes(of_first_parts, of_each(y)));  // what lies between stays
static_assert(diagnose<decltype(of_each(s).first(n))> == reason::not_parts_of_problems<struct s, struct n>{});
static_assert(diagnose<decltype(of_each(y).first(tol))> == reason::not_parts_of_problems<struct y, struct tol>{});
static_assert(diagnose<decltype(of_each(y).in(x).between(begins, tol))> == reason::not_parts_of_problems<struct y, struct begins, struct tol>{});

// [parts_of_problems_differ]
constexpr auto of_equal_parts = batch(over(10), step)(of_each(x).between(begins, n), of_each(y).between(begins, n));
// [/parts_of_problems_differ]
constexpr auto sum_of_unequal = batch(over(10), reduce(out(s), in(x)))(of_each(s), of_each(x).between(begins, n));
static_assert(node_count(sum_of_unequal) == 1);
// nvcc, too, compiles the simulation of it without a warning.
[[maybe_unused]] void simulate_parts(float* sums, float* all, int* from) { simulate(sum_of_unequal, of_each(s)(sums, 10), of_each(x)(all, 100), begins(from, 11), n(20)); }
static_assert(diagnose<decltype(batch(over(10), for_each(over(n), axpy{})(tol, in(x[each]), inout(y[each])))(of_each(x).between(begins, n), of_each(y)))> ==
              reason::parts_of_problems_differ<axpy, struct x>{});
static_assert(diagnose<decltype(batch(over(10), dot(out(s), in(x), in(y)))(of_each(s), of_each(x).between(begins, n), of_each(y)))> ==
              reason::parts_of_problems_differ<core::dot_product, struct y>{});
constexpr auto shorter_than_y = batch(over(10), step)(of_each(x).between(begins, n), of_each(y));
static_assert(reads(shorter_than_y, begins));
inline constexpr struct k : value<k, int> {} k;
// Formulas over lengths of parts count elements, and values of each problem do.
constexpr auto by_formula = batch(over(10), for_each(over<extent(x) - 1>(), twice{})(inout(y[each])))(of_each(x).between(begins, n), of_each(y));
constexpr auto by_own_value = batch(over(10), for_each(over(k), twice{})(inout(y[each])))(of_each(y).between(begins, n), of_each(k));
static_assert(node_count(by_formula) == 1 && reads(by_formula, begins) && reads(by_own_value, of_each(k)));
constexpr auto by_shrinking = batch(over(10), for_each(over<extent(y) - extent(x)>(), twice{})(inout(y[each])))(of_each(x).between(begins, n), of_each(y));
constexpr auto by_own_formula = batch(over(10), for_each(over<2 * k + 1>(), twice{})(inout(y[each])))(of_each(y), of_each(k));
static_assert(node_count(by_shrinking) == 1 && reads(by_shrinking, begins) && reads(by_own_formula, of_each(k)));
inline constexpr struct as_long_as_k : temp<as_long_as_k, float, elements<k + 1>> {} as_long_as_k;
static_assert(diagnose<decltype(batch(over(10), seq(fill(out(as_long_as_k), 1.0f), reduce(out(s), in(as_long_as_k))))(of_each(s), of_each(k)))> ==
              reason::number_of_a_problem_is_on_the_device<struct k>{});  // the host takes its memory
static_assert(diagnose<decltype(batch(over(10), for_each(over(k).every<2>(), twice{})(inout(y[each])))(of_each(y), of_each(k)))> == reason::number_of_a_problem_is_on_the_device<struct k>{});
struct in_box {
    COGRAPH_HD void operator()(index_t, index_t, float& to) const { to = 1; }
};
static_assert(diagnose<decltype(batch(over(10), for_each(over<extent(x), 4>(), in_box{})(inout(y[each])))(of_each(x).between(begins, n), of_each(y)))> ==
              reason::number_of_a_problem_is_on_the_device<struct x>{});
static_assert(diagnose<decltype(batch(over(10), for_each(over<k, 4>(), in_box{})(inout(y[each])))(of_each(k), of_each(y)))> == reason::number_of_a_problem_is_on_the_device<struct k>{});

// Working memory of groups is as long as the longest part needs; a temp that nodes count is as long as the part, which the device knows.
constexpr auto scan_of_unequal = batch(over(10), inclusive_scan(in(x), out(y)))(of_each(x).between(begins, n), of_each(y).between(begins, n));
static_assert(node_count(scan_of_unequal) == 1 && reads(scan_of_unequal, begins));
static_assert(diagnose<decltype(batch(over(10), inclusive_scan(in(x), out(y)))(of_each(x).between(begins, n), of_each(y)))> ==
              reason::parts_of_problems_differ<core::ordered_chunk_stage<core::scan_elements<true>>, struct y>{});
inline constexpr struct double_x : temp<double_x, float, elements<2 * extent(x)>> {} double_x;
static_assert(diagnose<decltype(batch(over(10), seq(fill(out(double_x), 0.0f), copy(in(double_x), out(y))))(of_each(x).between(begins, n), of_each(y)))> ==
              reason::parts_of_problems_differ<core::copy_elements, struct y>{});
inline constexpr struct other_double : temp<other_double, float, struct double_x> {} other_double;
constexpr auto of_double_x = batch(over(10), seq(fill(out(double_x), 0.0f), reduce(out(s), in(double_x))))(of_each(x).between(begins, n), of_each(s));
static_assert(node_count(of_double_x) == 1);
static_assert(diagnose<decltype(batch(over(10), seq(fill(out(double_x), 0.0f), for_each(over(x), axpy{})(tol, in(double_x[each]), inout(x[each]))))(of_each(x).between(begins, n)))> ==
              reason::parts_of_problems_differ<axpy, struct double_x>{});  // an element of two arrays with other lengths
static_assert(node_count(batch(over(10), seq(fill(out(double_x), 0.0f), inclusive_scan(in(double_x), out(other_double))))(of_each(x).between(begins, n))) == 1);
inline constexpr struct twice_double : temp<twice_double, float, elements<2 * extent(double_x)>> {} twice_double;
static_assert(diagnose<decltype(batch(over(10), seq(fill(out(double_x), 0.0f), fill(out(twice_double), 0.0f)))(of_each(x).between(begins, n)))> ==
              reason::number_of_a_problem_is_on_the_device<struct x>{});  // a formula over a formula
// Formulas of arguments are over lengths of parts and values of each problem; a formula over the elements of another temp is one over a formula, too.
struct clamp_by_number {
    COGRAPH_HD void operator()(index_t, float& element, index_t most) const { element = element < static_cast<float>(most) ? element : static_cast<float>(most); }
};
constexpr auto by_own_arguments = batch(over(10), for_each(over(x), clamp_by_number{})(inout(x[each]), extent(x) - k * 2))(of_each(x).between(begins, n), of_each(k));
static_assert(reads(by_own_arguments, begins, of_each(k)));
static_assert(diagnose<decltype(batch(over(10), seq(fill(out(double_x), 0.0f), for_each(over(x), clamp_by_number{})(inout(x[each]), extent(double_x) - 1)))(of_each(x).between(begins, n)))> ==
              reason::number_of_a_problem_is_on_the_device<struct x>{});
inline constexpr struct twice_other : temp<twice_other, float, elements<2 * extent(other_double)>> {} twice_other;
static_assert(diagnose<decltype(batch(over(10), seq(fill(out(double_x), 0.0f), copy(in(double_x), out(other_double)), fill(out(twice_other), 1.0f), reduce(out(s), in(twice_other))))(
                  of_each(x).between(begins, n), of_each(s)))> == reason::number_of_a_problem_is_on_the_device<struct x>{});
struct beside {
    COGRAPH_HD void operator()(index_t, neighbours<float, 1> at, float& to) const { to = at.at_or(0, 1); }
};
static_assert(diagnose<decltype(batch(over(10), for_each(over(n), beside{})(in(x[near<1>]), out(y[each])))(of_each(x).between(begins, n), of_each(y)))> == reason::parts_of_problems_differ<beside, struct x>{});

struct sum_up {
    template <class Group>
    COGRAPH_HD void operator()(Group const&, index_t, float& element) const {
        element = 0;
    }
};
// [group_of_a_problem_is_too_small]
constexpr auto as_large_as_its_groups = batch(over(10).group<64>(), for_each(over(y).group<64>(), sum_up{})(out(y[each])))(of_each(y));
// [/group_of_a_problem_is_too_small]
// A block of 1 024 threads has no barriers for sixteen groups, also if its size is not said.
struct term_of_group {
    template <class Group>
    COGRAPH_HD float operator()(Group const&, index_t, const float& element) const {
        return element;
    }
};
constexpr auto sixteen_groups = seq(for_each(over(y).group<1024>(), sum_up{})(out(y[each])), transform_reduce(over(y).group<64>(), term_of_group{}, plus{})(out(s), in(y[each])));
static_assert(diagnose<decltype(batch(over(10), sixteen_groups)(of_each(y)))> == reason::groups_of_a_problem_are_too_many<term_of_group, core::limit_is<15>>{});
static_assert(diagnose<decltype(batch(over(10).group<1024>(), sixteen_groups)(of_each(y)))> == diagnose<decltype(batch(over(10), sixteen_groups)(of_each(y)))>);
static_assert(diagnose<decltype(batch(in_clusters<2>(over(10)), sixteen_groups)(of_each(y)))> == diagnose<decltype(batch(over(10), sixteen_groups)(of_each(y)))>);
// [groups_of_a_problem_are_too_many]
constexpr auto eight_groups = batch(over(10).group<1024>(), transform_reduce(over(y).group<128>(), term_of_group{}, plus{})(out(s), in(y[each])))(of_each(y));
// [/groups_of_a_problem_are_too_many]
static_assert(node_count(eight_groups) == 1);

// How many threads a problem has if it is not said.
inline constexpr struct hundred : temp<hundred, float, elements<100>> {} hundred;
inline constexpr struct as_hundred : temp<as_hundred, float, struct hundred> {} as_hundred;
inline constexpr struct thousands : temp<thousands, float, elements<5000>> {} thousands;
constexpr int threads_for(const core::node_spec& tree) { return core::chosen_group(tree); }
static_assert(threads_for(decltype(single_task(first_of{})(out(s)))::tree) == 1);
static_assert(threads_for(decltype(fill(out(x), 1.0f))::tree) == 32 && threads_for(decltype(fill(out(row), 1.0f))::tree) == 32);
static_assert(threads_for(decltype(repeat(3, seq(fill(out(row), 1.0f), fill(out(as_hundred), 1.0f))))::tree) == 128);
static_assert(threads_for(decltype(fill(out(thousands), 1.0f))::tree) == 256);
// More than 256, each with an element, if shared memory has no room for temps and a thread may keep so much.
template <int Bytes>
struct some_bytes {
    char all[Bytes];
};
template <int Bytes, int Count>
struct wide : temp<wide<Bytes, Count>, some_bytes<Bytes>, elements<Count>> {};
struct clear {
    template <class T>
    COGRAPH_HD void operator()(index_t, T& element) const {
        element = {};
    }
};
template <int Bytes, int Count>
constexpr int threads_for_wide = threads_for(decltype(seq(for_each(over(wide<Bytes, Count>{}), clear{})(out(wide<Bytes, Count>{}[each])), for_each(over(wide<Bytes, Count>{}), clear{})(inout(wide<Bytes, Count>{}[each]))))::tree);
static_assert(threads_for_wide<32, 512> == 256 && threads_for_wide<33, 512> == 512 && threads_for_wide<1024, 500> == 512 && threads_for_wide<1025, 500> == 256);
static_assert(threads_for_wide<128, 257> == 512 && threads_for_wide<16, 1024> == 256 && threads_for_wide<17, 1024> == 1024 && threads_for_wide<1024, 1024> == 1024);
static_assert(threads_for_wide<1025, 1024> == 256 && threads_for_wide<128, 1025> == 256 && threads_for_wide<1024, 256> == 256);
static_assert(threads_for(decltype(seq(for_each(over(wide<1020, 512>{}), clear{})(out(wide<1020, 512>{}[each])), assign(s, 1)))::tree) == 512);
static_assert(threads_for(decltype(seq(for_each(over(wide<1020, 512>{}), clear{})(out(wide<1020, 512>{}[each])), assign(s, 1), assign(u, 1)))::tree) == 256);  // with two scalars
static_assert(threads_for(decltype(for_each(over(y).group<64>(), sum_up{})(out(y[each])))::tree) == 64);

// [not_a_group_for_a_problem]
constexpr auto a_warp_each = batch(over(10).group<32>(), step)(of_each(y));
// [/not_a_group_for_a_problem]

// [not_a_cluster_for_a_problem]
constexpr auto four_blocks_each = batch(in_clusters<4>(over(10)), step)(of_each(y));
// [/not_a_cluster_for_a_problem]
static_assert(node_count(four_blocks_each) == 1 && is_mutated(four_blocks_each, of_each(y)));
static_assert(diagnose<decltype(in_clusters<4>(over(10).group<64>()))> == reason::shape_counts_no_problems<decltype(over(10).group<64>())>{});
template <int Size>
constexpr core::launch_extent launch_for(index_t problems) {
    return core::size_of_batch<Size>({problems, 256, 1, 4});
}
static_assert(launch_for<8192>(3).blocks == 24 && launch_for<8192>(3).threads == 1024 && launch_for<2048>(1'000'000).blocks == 2 * 132);

// [shape_counts_no_problems]
constexpr auto as_many_as_s = batch(over(of_each(s)), single_task(first_of{})(out(s)))(of_each(s));
// [/shape_counts_no_problems]

// [reports_go_to_loop_outcomes]
inline constexpr struct ends : buffer<ends, loop_outcome> {} ends;
constexpr auto reported = batch(over(10), repeat(n, step))(of_each(y), report_of_each(ends));
// [/reports_go_to_loop_outcomes]
static_assert(is_output(reported, ends) && diagnose<decltype(batch(over(10), step)(of_each(y), report_of_each(ends)))> == reason::selector_names_no_loop<core::first_loop>{});

// The loops of problems have the numbers of their nodes' records, and the buffers that get their reports.
constexpr auto two_batches = seq(fill(out(of_each(x)), 1.0f), repeat(2, seq(reported, each_writes)), batch(over(10), seq(step, repeat(n, repeat(2, step))))(of_each(y), report_of_each(ends, at<2>)));
using loops_in_two = core::problem_loops_of<decltype(two_batches)::self>;
static_assert(loops_in_two::count == 3 && core::count_loops(decltype(two_batches)::tree) == 1);
static_assert(loops_in_two::loops.all[0].record == 3 && loops_in_two::loops.all[0].outcomes == &core::info_of<struct ends>);
static_assert(loops_in_two::loops.all[1].record == 9 && !loops_in_two::loops.all[1].outcomes && loops_in_two::loops.all[2].record == 10 && loops_in_two::loops.all[2].outcomes == &core::info_of<struct ends>);
static_assert(core::problem_loops_of<decltype(each_writes)::self>::count == 0);

// [summaries_go_to_a_scalar]
inline constexpr struct total : scalar<total, outcome_summary> {} total;
constexpr auto of_all = seq(reported, summarize(out(total), in(ends)));
// [/summaries_go_to_a_scalar]
static_assert(is_output(of_all, total) && edge_count(of_all) == 1);
static_assert(diagnose<decltype(summarize(out(total), in(d)))> == reason::reports_go_to_loop_outcomes<struct d>{});
constexpr loop_outcome three[] = {{5, 1, ending::limit}, {2, 1, ending::predicate}, {9, 1, ending::overflow}};
// What the host asks of an executable: summarize(exec, ends).
static_assert(core::is_fine<decltype(core::diagnose_outcomes<decltype(reported)::self, struct ends>())>);
static_assert(std::is_same_v<decltype(core::diagnose_outcomes<decltype(reported)::self, struct d>()), reason::reports_go_to_loop_outcomes<struct d>>);
static_assert(std::is_same_v<decltype(core::diagnose_outcomes<decltype(each_writes)::self, struct ends>()), reason::variable_is_not_in_the_expression<struct ends>>);
static_assert(std::is_same_v<decltype(core::diagnose_outcomes<decltype(reported)::self, int>()), reason::not_a_variable<int>>);
static_assert(summarize(std::array<loop_outcome, 2>{{{5, 1, ending::limit}, {2, 1, ending::overflow}}}).sum == 7);
static_assert(summarize(three, 3).least == 2 && summarize(three, 3).largest == 9 && summarize(three, 3).sum == 16 && summarize(three, 3).limits == 1);

// Batches are ordered by what they touch, as other nodes are.
constexpr auto around = seq(fill(out(of_each(y)), 1.0f), each_writes, batch(over(10), for_each(over(x), twice{})(inout(x[each])))(of_each(x)));
static_assert(node_count(around) == 3 && edge_count(around) == 2 && ordered(around, at<0>, at<1>) && ordered(around, at<1>, at<3>));
static_assert(!is_persistent(loop_while(u < 1.0f, seq(each_writes, assign(u, u + 1.0f))), at<0>));

// What problems write for themselves is nothing to the graph.
constexpr auto own_sum = batch(over(10), seq(reduce(out(s), in(x)), for_each(over(x), axpy{})(s, in(x[each]), inout(y[each]))))(of_each(x), of_each(y));
static_assert(!writes(own_sum, s) && !reads(own_sum, s));

// Counts that the device computes are right or known to be wrong, whatever the numbers.
constexpr index_t least = core::least_index, most = core::most_index;
constexpr bool counts(core::size_step step, index_t a, index_t b) { return core::step_of_length(step, {a, true}, {b, true}).is_right; }
static_assert(counts(core::size_step::sum, least, most) && !counts(core::size_step::sum, most, 1) && !counts(core::size_step::sum, least, -1));
static_assert(counts(core::size_step::difference, -1, least) && !counts(core::size_step::difference, 0, least) && !counts(core::size_step::difference, least, 1));
static_assert(counts(core::size_step::product, least, 1) && counts(core::size_step::product, 2, least / 2) && counts(core::size_step::product, -1, most) && counts(core::size_step::product, -2, most / 2));
static_assert(!counts(core::size_step::product, least, -1) && !counts(core::size_step::product, -1, least) && !counts(core::size_step::product, most, 2) && !counts(core::size_step::product, -3, least / 2) && !counts(core::size_step::product, 2, least));
static_assert(counts(core::size_step::quotient, least, 1) && !counts(core::size_step::quotient, least, -1) && !counts(core::size_step::remainder, least, -1) && !counts(core::size_step::quotient_up, 1, 0));

}  // namespace
