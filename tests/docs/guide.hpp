// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

// Expressions of the pages about variables, nodes, order and formulas, and of docs/running.md, between marks that docs/quote.py knows.
namespace guide {

using namespace cograph;

struct csr_view {
    int rows;
    const int* row_begin;
    const int* column;
    const double* value;
};

// [function objects]
struct axpy {  // a reference to x[each] is element i, a pointer is the whole buffer
    COGRAPH_HD void operator()(index_t, double a, const double& x, double& y) const { y += a * x; }
};
struct shift_left {  // reads a neighbour, so it needs the whole
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i + 1 < n ? from[i + 1] : 0;
    }
};
struct scale_by {  // with state: the value is kept in the expression
    double factor;
    COGRAPH_HD void operator()(index_t, double& x) const { x *= factor; }
};
struct square {
    COGRAPH_HD double operator()(index_t, double x) const { return x * x; }
};
struct clamp_step {
    COGRAPH_HD void operator()(double& step, double most) const {
        if (step > most) step = most;
    }
};
// [/function objects]

struct matrix_times {
    COGRAPH_HD void operator()(index_t i, const csr_view& A, const double* x, double& y) const {
        y = 0;
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) y += A.value[k] * x[A.column[k]];
    }
};

// [variables]
inline constexpr struct x : buffer<x, double> {} x;           // contiguous memory
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct norm : scalar<norm, double> {} norm;  // one value in device memory
inline constexpr struct step : scalar<step, double> {} step;
inline constexpr struct it : scalar<it, int> {} it;
inline constexpr struct limit : value<limit, double> {} limit;  // a host value: instantiate and update set it
inline constexpr struct most : value<most, int> {} most;
inline constexpr struct A : view<A, csr_view> {} A;             // any trivially copyable type, here one of yours
inline constexpr struct z : temp<z, double, struct x> {} z;     // the graph's own, as many elements as x
inline constexpr struct bins : temp<bins, int> {} bins;         // the graph's own, as many as bound
inline constexpr struct halo : temp<halo, double, elements<2 * extent(x) + most>> {} halo;  // as many as computed
inline constexpr struct table : temp<table, double, elements<256>> {} table;                // as many as said
// [/variables]

// [levels]
template <int Level>
struct coarse_t : temp<coarse_t<Level>, double, elements<extent(x) / (1 << Level)>> {};
template <int Level>
inline constexpr coarse_t<Level> coarse{};

struct mean_of_two {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to) const { to = (from[2 * i] + from[2 * i + 1]) / 2; }
};
template <int Level>
constexpr auto coarsen = for_each(over(coarse<Level>), mean_of_two{})(in(coarse<Level - 1>), out(coarse<Level>[each]));

constexpr auto mean_of_all = seq(copy(in(x), out(coarse<0>)), coarsen<1>, coarsen<2>, reduce(out(norm), in(coarse<2>)));
// [/levels]

struct at_least {
    double limit;
    COGRAPH_HD bool operator()(double number) const { return number >= limit; }
};
inline constexpr struct how_many : scalar<how_many, int> {} how_many;
inline constexpr struct best : scalar<best, found_element<double>> {} best;  // a value and its number

// [row_times]
struct row_times {  // a row of A times p
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const csr_view& matrix, const double* p, double& sum) const {
        const int begin = matrix.row_begin[row];
        const auto product = [&](int k) { return matrix.value[begin + k] * p[matrix.column[begin + k]]; };
        sum = group.transform_reduce(matrix.row_begin[row + 1] - begin, product, plus{});
    }
};
// [/row_times]

// [two_parts]
struct times_row {  // a full row of 64 numbers times p
    template <class Group>
    COGRAPH_HD auto prepare(Group const& group, index_t row, const double* matrix, const double*, double&) const {
        return group.template collect<64>([=](int k) { return matrix[64 * row + k]; });
    }
    template <class Group, class Row>
    COGRAPH_HD void finish(Group const& group, index_t, Row const& own, const double*, const double* p, double& sum) const {
        sum = group.transform_reduce(64, [&](int k) { return own(k) * p[k]; }, plus{});
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const double* matrix, const double* p, double& sum) const {
        finish(group, row, prepare(group, row, matrix, p, sum), matrix, p, sum);
    }
};
// [/two_parts]

// [operation]
struct largest_magnitude {  // any associative and commutative operation, with an identity given
    COGRAPH_HD double operator()(double a, double b) const {
        a = a < 0 ? -a : a;
        b = b < 0 ? -b : b;
        return a < b ? b : a;
    }
};
// [/operation]

// [is_small]
struct is_small {
    COGRAPH_HD bool operator()(double element, double bound) const { return element < bound && -element < bound; }
};
// [/is_small]

// [formulas]
enum class phase { searching, found };
inline constexpr struct now : scalar<now, phase> {} now;

constexpr auto approach = seq(
    assign(it, 0), assign(now, phase::searching), dot(out(norm), in(x), in(x)),
    loop_while(now != phase::found && it < 10 * extent(x),
               seq(assign(step, min(sqrt(norm / extent(x)), limit)),
                   when(all(abs(x - y) <= step), assign(now, phase::found)),
                   assign(norm, norm / 4), assign(it, it + 1))),
    repeat(most - it, assign(step, step / 2)));  // as often as the formula says before each iteration
// [/formulas]

// [formulas as arguments]
struct add_next {  // to the last element the first
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, int last) const { to = from[i] + from[i < last ? i + 1 : 0]; }
};
constexpr auto in_a_ring = seq(for_each(over(x), add_next{})(in(x), out(y[each]), extent(x) - 1), fill(out(x), most / (2.0 * extent(y))));

struct subtract_next {
    COGRAPH_HD void operator()(index_t i, double& element, const double* from) const { element -= from[i + 1]; }
};
constexpr auto differences = for_each(over<extent(x) - 1>(), subtract_next{})(inout(y[each]), in(x));
// [/formulas as arguments]

// [order]
constexpr auto two_norms = seq(
    for_each(over(x), axpy{})(1.0, in(y[each]), inout(x[each])),  // 0
    dot(out(norm), in(x), in(x)),                                 // 1
    dot(out(step), in(x), in(y)),                                 // 2
    for_each(over(x), scale_by{0.5})(inout(x[each])));            // 3

static_assert(has_edge(two_norms, at<0>, at<1>) && has_edge(two_norms, at<0>, at<2>));  // read after write
static_assert(has_edge(two_norms, at<1>, at<3>) && has_edge(two_norms, at<2>, at<3>));  // write after read
static_assert(!ordered(two_norms, at<1>, at<2>));                                       // two readers
static_assert(edge_count(two_norms) == 4 && graph_depth(two_norms) == 3 && graph_width(two_norms) == 2);
// [/order]

// [par]
constexpr auto independent = par(dot(out(norm), in(x), in(x)),
                                 seq(copy(in(x), out(z)), copy(in(z), out(y))));
// [/par]
static_assert(node_count(independent) == 3);

// [test]
struct is_sorted {  // called as by one thread; gives bool or an integer
    COGRAPH_HD bool operator()(const double* values, index_t n) const {
        for (index_t i = 1; i < n; ++i)
            if (values[i] < values[i - 1]) return false;
        return true;
    }
};
constexpr auto reset_unless_sorted = when(limit > 0.0 && !(it == 3 || it < 0),
                                          when(predicate(is_sorted{})(in(x), extent(x)),
                                               assign(it, 1),
                                               otherwise(fill(out(x), 0))));
// [/test]

// [reuse]
template <class From, class To>
constexpr auto multiply(From from, To to) {  // a part of an expression, over variables to be named
    return label("A times", for_each(over(to), matrix_times{})(in(A), in(from), out(to[each])));
}

struct squared_twice {  // a type can name an expression
    static constexpr auto once = seq(multiply(x, z), multiply(z, x));
    static constexpr auto expression = seq(once, once);
};
// [/reuse]

// [queries]
constexpr auto descend = seq(assign(it, 0),
                             reduce(out(norm), in(x), maximum_or_nan{}),
                             loop_while(norm > limit && it < most,
                                        seq(for_each(over(x), scale_by{0.5})(inout(x[each])),
                                            reduce(out(norm), in(x), maximum_or_nan{}),
                                            assign(it, it + 1))));

static_assert(reads(descend, x, limit, most) && writes(descend, x, norm, it));
static_assert(is_input(descend, x) && is_mutated(descend, x) && is_output(descend, norm));
static_assert(!is_input(descend, it));          // written before it is read: the graph can own it
static_assert(node_count(descend) == 8);        // a loop: its two conditions and itself
static_assert(region_count(descend) == 2 && nesting_depth(descend) == 1);
static_assert(graph_depth(descend) == 3 && graph_width(descend) == 2);        // of the graph
static_assert(graph_depth(descend, 1) == 3 && graph_width(descend, 1) == 2);  // of the loop's body
static_assert(!ordered(descend, at<0>, at<1>));                   // the count and the norm do not meet
static_assert(ordered(descend, at<0>, at<2>));                    // at<2> is the loop, at<3> its first node
static_assert(has_edge(descend, calls<scale_by>, at<4>));         // by type of function object
// [/queries]

}  // namespace guide
