// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph/join/persistent.hpp>
#include <cograph/launch_shape.hpp>

using namespace cograph;
using namespace cograph::reason;

namespace persistent_test {

struct quad {
    double of[64];
};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct wide : scalar<wide, quad> {} wide;

TEST_KERNEL void smooth(double*);

struct halve {
    COGRAPH_HD void operator()(index_t, double& value) const { value /= 2; }
};
struct put {
    COGRAPH_HD void operator()(double* to) const { to[0] = 1; }
};
struct norm {
    COGRAPH_HD void operator()(double& to, const quad& from) const { to = from.of[0]; }
};
struct count_up {
    COGRAPH_HD void operator()(index_t, int& counter) const { counter = 1; }
};

constexpr auto shrink = for_each(over(x), halve{})(inout(x[each]));
constexpr auto smoothing = kernel<smooth>(over(x))(x);
constexpr auto library = seq(shrink, label("first", repeat(3, shrink)), loop_while(s > 1, reduce(out(s), in(x))));
constexpr auto mixed = seq(label("one", repeat(2, shrink)), label("other", repeat(3, seq(shrink, smoothing))));

// The expression comes back, and is usable as it was.
constexpr auto same = require_persistent(library);
static_assert(std::is_same_v<decltype(same), decltype(library)> && node_count(same) == node_count(library));
constexpr auto first = require_persistent(library, at<1>);
constexpr auto labelled = require_persistent(mixed, "one");
static_assert(edge_count(first) == edge_count(library) && edge_count(labelled) == edge_count(mixed));

// [loop_is_not_one_kernel]
inline constexpr auto right = require_persistent(repeat(3, for_each(over(x), halve{})(inout(x[each]))));
// [/loop_is_not_one_kernel]

// Each rule, with the node at fault; what is counted has its number and limit.
template <class E, class... S>
constexpr auto refusal(const E& e, S... asked) {
    return diagnose<decltype(require_persistent(e, asked...))>;
}
using repeat_loop = decltype(core::name_of(core::node_at<0>(core::word<decltype(repeat(3, shrink))>{})));
template <class Loop, class... Why>
constexpr bool is_refused_for(loop_is_not_one_kernel<Loop, Why...>, core::list<Why...>) {
    return std::is_same_v<core::word<Loop>, repeat_loop>;
}
static_assert(is_refused_for(refusal(mixed), core::list<is_opaque<kernel_function<&smooth>>>{}));
static_assert(is_refused_for(refusal(mixed, at<4>), core::list<is_opaque<kernel_function<&smooth>>>{}), "the loop around it");
static_assert(is_refused_for(refusal(repeat(3, single_task(norm{})(out(s), in(wide)))), core::list<uses_a_scalar_of_bytes<norm, 512>, limit_is<256>>{}));
static_assert(is_refused_for(refusal(repeat(3, single_task(put{})(out(x)))), core::list<writes_memory_from_one_thread<put>>{}));
static_assert(is_refused_for(refusal(repeat(3, for_each(over(x), count_up{})(out(i)))), core::list<writes_a_scalar_from_many_threads<count_up>>{}));
struct shrink_by {
    double factor;
    COGRAPH_HD void operator()(index_t, double& value) const { value *= factor; }
};
constexpr auto by_half = for_each(over(x), shrink_by{0.5})(inout(x[each]));
constexpr auto ten = seq(by_half, by_half, by_half, by_half, by_half, by_half, by_half, by_half, by_half, by_half);
constexpr auto hundred = seq(ten, ten, ten, ten, ten, ten, ten, ten, ten, ten);
constexpr auto most = repeat(3, seq(hundred, hundred, ten, ten, ten, ten, ten));
static_assert(is_refused_for(refusal(most), core::list<parameters_in_all<254>, limit_is<249>>{}));
static_assert(refusal(shrink) == loop_is_not_one_kernel<halve, is_in_no_loop>{});
static_assert(refusal(library, at<0>) == loop_is_not_one_kernel<halve, is_in_no_loop>{});
static_assert(refusal(library, at<9>) == selector_matches_nothing<core::at_t<9>, among_nodes<5>>{});
static_assert(refusal(library, 3.5) == not_a_selector<double>{});

// Conditional nodes, of loops and branches.
static_assert(!has_conditional_nodes(library) && !has_conditional_nodes(shrink));
static_assert(has_conditional_nodes(mixed) && has_conditional_nodes(as_nodes(library)));
static_assert(!has_conditional_nodes(when(s < 1, shrink)), "a small branch is predicated");
static_assert(has_conditional_nodes(when(s < 1, smoothing)));

// Elements that threads keep: of variables that nodes have as their own alone, over one domain, in a loop of no given shape.
namespace kept_elements_test {

struct large {
    double of[3];
};
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct other : buffer<other, double> {} other;
inline constexpr struct triples : buffer<triples, large> {} triples;
inline constexpr struct t : temp<t, double, struct x> {} t;
struct take {
    COGRAPH_HD void operator()(index_t at, const double* all, double& to) const { to = all[at]; }
};
struct add {
    COGRAPH_HD void operator()(index_t, const double& from, double& to) const { to += from; }
};
struct sum_of {
    COGRAPH_HD double operator()(index_t, const double& a, const double& b) const { return a + b; }
};
struct add_large {
    COGRAPH_HD void operator()(index_t, const large& from, double& to) const { to += from.of[0]; }
};
struct by_group {
    COGRAPH_HD void operator()(const thread_group<32>&, index_t, double& to) const { to += 1; }
};
// [kept]
constexpr auto iteration = seq(for_each(over(x), take{})(in(z), out(y[each])), for_each(over(x), add{})(in(y[each]), inout(x[each])),
                               transform_reduce(over(x), sum_of{}, plus{})(out(s), in(x[each]), in(y[each])), for_each(over(x), add{})(in(y[each]), inout(z[each])));
constexpr auto loop = repeat(3, iteration);
static_assert(where_on_chip(loop, at<0>, x) == on_chip::kept_by_threads && where_on_chip(loop, at<0>, y) == on_chip::kept_by_threads);
static_assert(where_on_chip(loop, at<0>, z) == on_chip::used_in_other_ways);  // one node reads any element of it
// [/kept]
static_assert(where_on_chip(loop, at<0>, s) == on_chip::not_in_memory && where_on_chip(loop, at<0>, other) == on_chip::no_tiles);
static_assert(where_on_chip(repeat(3, seq(iteration, reduce(out(s), in(y)))), at<0>, y) == on_chip::used_in_other_ways, "it runs over y, which may be longer than x");
static_assert(where_on_chip(repeat(3, seq(iteration, reduce(out(s), in(y)))), at<0>, x) == on_chip::kept_by_threads);
static_assert(where_on_chip(repeat(3, seq(for_each(over(t), add{})(in(y[each]), inout(t[each])), iteration)), at<0>, t) == on_chip::kept_by_threads, "it is as long as x");
static_assert(where_on_chip(repeat(3, for_each(over(x), add_large{})(in(triples[each]), inout(x[each]))), at<0>, triples) == on_chip::elements_are_large);
static_assert(where_on_chip(repeat(3, for_each(over(x), add_large{})(in(triples[each]), inout(x[each]))), at<0>, x) == on_chip::kept_by_threads);
static_assert(where_on_chip(repeat(3, iteration, grid_of<whole_device>), at<0>, x) == on_chip::no_tiles);
static_assert(where_on_chip(repeat(3, seq(iteration, swap(x, y))), at<0>, x) == on_chip::no_tiles && where_on_chip(repeat(3, seq(iteration, swap(x, y))), at<0>, y) == on_chip::no_tiles);
static_assert(where_on_chip(repeat(3, seq(swap(x, y), iteration)), at<0>, x) == on_chip::no_tiles && where_on_chip(repeat(3, seq(swap(x, y), iteration)), at<0>, y) == on_chip::no_tiles);
static_assert(where_on_chip(repeat(3, seq(iteration, for_each(over(other).group<32>(), by_group{})(inout(other[each])))), at<0>, x) == on_chip::no_tiles);
static_assert(where_on_chip(repeat(3, seq(iteration, for_each(over(x).every<2>(), add{})(in(other[each]), inout(x[each])))), at<0>, x) == on_chip::used_in_other_ways);
struct of_four {
    COGRAPH_HD void operator()(index_t, double& a, double& b, double& c, const double& d) const { a += b += c += d; }
};
constexpr auto four = repeat(3, for_each(over(x), of_four{})(inout(x[each]), inout(y[each]), inout(z[each]), in(other[each])));
static_assert(where_on_chip(four, at<0>, z) == on_chip::kept_by_threads && where_on_chip(four, at<0>, other) == on_chip::too_many_variables, "24 bytes of an element");
static_assert(where_on_chip(as_nodes(loop), at<0>, x) == on_chip::no_tiles);
// No kernel keeps elements of these: changed scalars are large, or each thread has one element.
struct change_quad {
    COGRAPH_HD void operator()(quad& to) const { to.of[0] += 1; }
};
constexpr auto changes_quad = repeat(3, seq(single_task(change_quad{})(inout(wide)), for_each(over(x), halve{})(inout(x[each]))));
static_assert(core::persistent_plan<std::remove_cvref_t<decltype(changes_quad)>>::parts.small_blocks && where_on_chip(changes_quad, at<0>, x) == on_chip::no_tiles);
inline constexpr struct hundred : temp<hundred, double, cograph::elements<100>> {} hundred;
inline constexpr struct thousands : temp<thousands, double, cograph::elements<5000>> {} thousands;
constexpr auto of_few = repeat(3, for_each(over(hundred), halve{})(inout(hundred[each])));
static_assert(!core::persistent_node<std::remove_cvref_t<decltype(of_few)>>::keeps_elements() && where_on_chip(of_few, at<0>, hundred) == on_chip::no_tiles);
static_assert(where_on_chip(repeat(3, for_each(over(thousands), halve{})(inout(thousands[each]))), at<0>, thousands) == on_chip::kept_by_threads);
static_assert(where_on_chip(repeat(2, seq(loop, iteration)), at<0>, x) == on_chip::kept_by_threads);
static_assert(where_on_chip(repeat(2, when(s < 1, iteration)), at<0>, y) == on_chip::kept_by_threads);

// Kernels without barriers, whose blocks send results to each other.
template <class E>
constexpr bool needs_no_barrier(const E&) {
    return core::persistent_plan<std::remove_cvref_t<E>>::parts.needs_no_barrier;
}
constexpr auto halves = for_each(over(x), halve{})(inout(x[each]));
constexpr auto until = seq(halves, reduce(out(s), in(x)));
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct last : scalar<last, double> {} last;
static_assert(needs_no_barrier(loop_while(s > 1, until)) && needs_no_barrier(loop_while(s > 1, reduce(out(s), in(x)))) && needs_no_barrier(loop_while(s > 1, seq(until, reduce(out(largest), in(x), maximum{})))));
static_assert(needs_no_barrier(loop_while(s > 1, seq(until, repeat(3, seq(reduce(out(largest), in(other)), reduce(out(last), in(other))))))));
static_assert(!needs_no_barrier(repeat(3, halves)), "no reduction");
static_assert(!needs_no_barrier(loop_while(s > 1, seq(until, reduce(out(largest), in(x)), reduce(out(last), in(x))))), "more results than have room");
static_assert(!needs_no_barrier(loop_while(s > 1, seq(until, for_each(over(other), halve{})(inout(other[each]))))), "another domain: its elements stay in memory");
static_assert(!needs_no_barrier(loop_while(s > 1, seq(until, for_each(over(x), halve{})(inout(x[each])), for_each(over(other), add{})(in(x[each]), inout(other[each]))))), "two domains");
static_assert(!needs_no_barrier(loop_while(s > 1, seq(halves, reduce(out(s), in(x)), swap(x, y)))) && !needs_no_barrier(loop_while(s > 1, until, grid_of<whole_device>)) && !needs_no_barrier(loop_while(s > 1, until, block_of<512>)));
static_assert(!needs_no_barrier(loop_while(s > 1, seq(for_each(over(hundred), halve{})(inout(hundred[each])), reduce(out(s), in(hundred))))), "one block");
// Such a kernel has 128 KiB more memory of its own for each of the reductions that send at once.
template <class E>
constexpr unsigned memory_of_kernel(const E&) {
    return core::persistent_plan<std::remove_cvref_t<E>>::parts.arguments[0].size;
}
constexpr auto two_sums = seq(halves, reduce(out(s), in(x)), reduce(out(largest), in(x)));
constexpr unsigned more_for_one = memory_of_kernel(loop_while(s > 1, until)) - memory_of_kernel(loop_while(s > 1, until, grid_of<whole_device>));
constexpr unsigned more_for_two = memory_of_kernel(loop_while(s > 1, two_sums)) - memory_of_kernel(loop_while(s > 1, two_sums, grid_of<whole_device>));
static_assert(core::sent_result_bytes == 128 * 1024 && more_for_one / core::sent_result_bytes == 1 && more_for_two / core::sent_result_bytes == 2);
// Their blocks have one chunk or two. Those of a pair are half a warp apart, and no chunk is left out.
constexpr bool deals_all_chunks(int blocks) {
    bool taken[2 * core::most_chunks_in_pairs]{};
    for (int block = 0; block < blocks; ++block)
        for (int tile = 0; tile < 2; ++tile) {
            const int chunk = core::chunk_in_pairs(block, tile);
            if (chunk != core::chunk_in_pairs(block, 0) + tile * 16 || chunk / 32 != block / 16 || taken[chunk]) return false;
            taken[chunk] = true;
        }
    for (int chunk = 0; chunk < 2 * blocks; ++chunk)
        if (!taken[chunk]) return false;
    return true;
}
static_assert(deals_all_chunks(16) && deals_all_chunks(80) && deals_all_chunks(core::most_chunks_in_pairs / 2));
// Each limit, beside a loop that keeps it.
template <class T>
struct two_of {
    T first = 0, second = 0;
    friend COGRAPH_HD two_of operator+(two_of a, two_of b) { return {a.first + b.first, a.second + b.second}; }
};
template <class T>
struct in_pairs {
    struct all : buffer<all, two_of<T>> {};
    struct sum : scalar<sum, two_of<T>> {};
    static constexpr auto loop = repeat(3, reduce(out(sum{}), in(all{}), plus{}, two_of<T>{}));
};
static_assert(needs_no_barrier(in_pairs<float>::loop) && !needs_no_barrier(in_pairs<double>::loop), "results of more than 8 bytes");
template <std::size_t Numbers>
struct kept_numbers {
    double of[Numbers];
};
template <std::size_t Numbers>
struct counting {
    struct numbers : scalar<numbers, kept_numbers<Numbers>> {};
    struct next {
        COGRAPH_HD void operator()(kept_numbers<Numbers>& of, double more) const { of.of[0] += more; }
    };
    static constexpr auto loop = loop_while(s > 1, seq(until, single_task(next{})(inout(numbers{}), s)));
};
static_assert(needs_no_barrier(counting<19>::loop) && !needs_no_barrier(counting<20>::loop), "scalars of more than 160 bytes: small blocks alone");
struct read_around {
    COGRAPH_HD void operator()(index_t, neighbours<double, 1> of, double& to) const { to = *of; }
};
struct take_own_too {
    COGRAPH_HD double operator()(index_t, const double& from, double& to) const { return to = from; }
};
static_assert(needs_no_barrier(loop_while(s > 1, transform_reduce(over(x), take_own_too{}, plus{})(out(s), in(y[each]), inout(x[each])))));
static_assert(!needs_no_barrier(loop_while(s > 1, seq(until, for_each(over(x), read_around{})(in(z[near<1>]), inout(x[each]))))), "nodes that see neighbours");
static_assert(!needs_no_barrier(loop_while(s > 1, seq(until, for_each(over(other).group<32>(), by_group{})(inout(other[each]))))), "groups of threads");
static_assert(!needs_no_barrier(loop_while(s > 1, seq(until, inclusive_scan(in(other), out(z))))), "scans");

}  // namespace kept_elements_test

}  // namespace persistent_test
