// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

#include <limits>
#include <type_traits>

using namespace cograph;
using namespace cograph::core;

namespace algorithm_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct k : scalar<k, int> {} k;
inline constexpr struct small : buffer<small, int> {} small;
inline constexpr struct n : value<n, int> {} n;

struct square {
    COGRAPH_HD double operator()(index_t i, const double* from) const { return from[i] * from[i]; }
};
struct add_scaled {
    double factor;
    COGRAPH_HD void operator()(index_t i, const double* from, double* to) const { to[i] += factor * from[i]; }
};
struct halve {
    COGRAPH_HD void operator()(double& value) const { value /= 2; }
};

// [segments]
inline constexpr struct values : buffer<values, double> {} values;
inline constexpr struct columns : buffer<columns, int> {} columns;
inline constexpr struct offsets : buffer<offsets, int> {} offsets;
struct product_of_entry {
    COGRAPH_HD double operator()(index_t, index_t at, const double* value, const int* column, const double* from) const {
        return value[at] * from[column[at]];
    }
};
constexpr auto multiply = segmented_reduce(over(values), product_of_entry{}, plus{})(out(y), in(offsets), in(values), in(columns), in(x));
// [/segments]
static_assert(node_count(multiply) == 2 && edge_count(multiply) == 1 && reads(multiply, offsets) && reads(multiply, x) && writes(multiply, y));
static_assert(is_persistent(loop_while(k < 3, seq(multiply, dot(out(s), in(y), in(x)), assign(k, k + 1))), at<0>));
// y may be what its terms are made of.
static_assert(node_count(segmented_reduce(over(values), product_of_entry{}, plus{})(out(x), in(offsets), in(values), in(columns), in(x))) == 2);

// Operations and the values that change nothing.
static_assert(plus{}(2, 3) == 5 && multiplies{}(2, 3) == 6 && minimum{}(2, 3) == 2 && maximum{}(2, 3) == 3);
static_assert(plus::identity<int>() == 0 && multiplies::identity<float>() == 1);
static_assert(minimum::identity<double>() == std::numeric_limits<double>::infinity());
static_assert(maximum::identity<double>() == -std::numeric_limits<double>::infinity());
static_assert(minimum::identity<int>() == std::numeric_limits<int>::max());
static_assert(maximum::identity<int>() == std::numeric_limits<int>::lowest());
static_assert(maximum::identity<unsigned>() == 0);

// Accesses.
constexpr auto axpy = for_each(over(x), add_scaled{0.5})(in(x), inout(y));
static_assert(reads(axpy, x, y) && writes(axpy, y) && !writes(axpy, x) && node_count(axpy) == 1);
constexpr auto sum_of_squares = transform_reduce(over(x), square{}, plus{})(out(s), in(x));
static_assert(reads(sum_of_squares, x) && writes(sum_of_squares, s) && !reads(sum_of_squares, s));
constexpr auto product = dot(out(s), in(x), in(y));
static_assert(reads(product, x, y) && writes(product, s) && !is_input(product, s));
constexpr auto copied = copy(in(x), out(y));
static_assert(reads(copied, x) && !reads(copied, y) && writes(copied, y));
constexpr auto filled = fill(out(x), 1);
static_assert(decltype(copied)::tree.elements_a_thread == 2 && decltype(filled)::tree.elements_a_thread == 2);
static_assert(decltype(fill(out(small), 1))::tree.elements_a_thread == 4 && decltype(axpy)::tree.elements_a_thread == 1);
static_assert(!reads(filled, x) && writes(filled, x));
static_assert(reads(fill(out(x), s), s) && reads(fill(out(x), n), n));
constexpr auto halved = single_task(halve{})(inout(s));
static_assert(is_mutated(halved, s));

// Names in pictures and errors, and types in queries.
static_assert(decltype(axpy)::tree.name.read() == "add_scaled" &&
              decltype(sum_of_squares)::tree.name.read() == "square");
static_assert(decltype(product)::tree.name.read() == "dot" && decltype(copied)::tree.name.read() == "copy");
static_assert(decltype(filled)::tree.name.read() == "fill" &&
              decltype(reduce(out(s), in(x)))::tree.name.read() == "reduce");
static_assert(has_edge(seq(sum_of_squares, halved), calls<square>, calls<halve>));

// Shapes and places.
static_assert(decltype(axpy)::tree.traits == &cograph::core::for_each_stage::traits &&
              decltype(halved)::tree.traits == &cograph::core::single_task_stage::traits);
static_assert(decltype(product)::tree.traits->reduces);
static_assert(for_each(over(x).block(32), add_scaled{1})(in(x), inout(y)).records[0].shape.block[0] == 32);
constexpr unsigned line_here = __LINE__ + 1;
constexpr auto placed = reduce(out(s), in(x), maximum{});
static_assert(placed.records[0].line == line_here &&
              name_view(placed.records[0].file) == name_view(__FILE__));

// Function objects without state take no room; others, literals and identities do.
static_assert(std::is_same_v<decltype(halved)::kept_type, nothing>);
static_assert(std::is_same_v<decltype(copied)::kept_type, nothing>);
static_assert(kept_size<decltype(axpy)::kept_type> == 1 &&
              kept_size<decltype(sum_of_squares)::kept_type> == 1);
static_assert(kept_size<decltype(seq(axpy, axpy, filled, halved))::kept_type> == 3);

// How reductions cut their work: it follows from the number of elements alone.
static_assert(reduce_layout(0).chunks == 1 && reduce_layout(1).chunks == 1 && reduce_layout(256).chunks == 1);
constexpr bool covers(index_t count) {
    const reduce_layout layout(count);
    return layout.chunks >= 1 && layout.chunks <= reduce_layout::most_chunks &&
           layout.stride() == layout.first(layout.chunks) && layout.first(layout.chunks - 1) <= count &&
           (layout.stride() >= count || layout.chunks == reduce_layout::most_chunks);
}
static_assert(covers(0) && covers(1) && covers(255) && covers(1'000'003) && covers(123'456'789) &&
              covers(index_t{1} << 40));

// Partial results lie as their type is aligned, behind the ticket.
struct alignas(32) aligned_pair {
    double first, second;
};
static_assert(reduce_partials<char> == 16 && reduce_partials<double> == 16 && reduce_partials<aligned_pair> == 32);
static_assert(reduce_scratch<double> == 16 + 512 * 8 && reduce_scratch<aligned_pair> == 32 + 512 * 32);

// Reductions that call code of the user's have a second kernel, with more registers; others need none.
template <class Node>
constexpr bool has_two_kernels(const Node&) {
    return Node::tree.two_kernels;
}
struct pair_of_sums {
    double first, second;
    friend COGRAPH_HD pair_of_sums operator+(pair_of_sums a, pair_of_sums b) { return {a.first + b.first, a.second + b.second}; }
};
struct farther {
    COGRAPH_HD double operator()(double a, double b) const { return a * a < b * b ? b : a; }
};
struct is_positive {
    COGRAPH_HD bool operator()(double a) const { return a > 0; }
};
inline constexpr struct pairs : buffer<pairs, pair_of_sums> {} pairs;
inline constexpr struct both_sums : scalar<both_sums, pair_of_sums> {} both_sums;
static_assert(has_two_kernels(sum_of_squares) && has_two_kernels(reduce(out(s), in(x), farther{}, 0.0)));
static_assert(has_two_kernels(reduce(out(both_sums), in(pairs), plus{}, pair_of_sums{})));
static_assert(!has_two_kernels(product) && !has_two_kernels(placed) && !has_two_kernels(reduce(out(s), in(x))));
static_assert(!has_two_kernels(axpy) && !has_two_kernels(halved) && !has_two_kernels(copied));
template <class Predicate>
constexpr int passes_with_two_kernels(Predicate p) {
    const auto loop = loop_while(p, filled, at_most(3));
    constexpr const plan_view& plan = plan_of<typename std::remove_const_t<decltype(loop)>::self>::view;
    int found = 0;
    for (int r = 0; r < plan.count.nodes; ++r) found += plan.nodes[r].from->two_kernels;
    return found;
}
static_assert(passes_with_two_kernels(all_of(x, is_positive{}) && s > 1) == 2, "before the loop, and in its body");
static_assert(passes_with_two_kernels(all(x < y) && max_abs(x) > 1) == 0);

// A library node is the same stage whatever it is called, so that one kernel serves all of a kind.
template <class Node>
using code_of = typename Node::codes;
static_assert(!std::is_same_v<decltype(axpy), decltype(for_each(over(y), add_scaled{2})(in(y), inout(x)))>);
static_assert(std::is_same_v<code_of<decltype(axpy)>,
                             code_of<decltype(for_each(over(y), add_scaled{2})(in(y), inout(x)))>>);
static_assert(std::is_same_v<code_of<decltype(assign(s, s + 1.0))>, code_of<decltype(assign(s, s + 2.0))>>);

}  // namespace algorithm_test
