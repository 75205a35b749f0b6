// SPDX-License-Identifier: Apache-2.0

// Writes the plans of some expressions as one JSON array, for check.py.

#include "../test_kernel.hpp"

#include <cograph/batch.hpp>
#include <cograph/host_driven.hpp>
#include <cograph/page/several.hpp>

#include <iostream>

using namespace cograph;

namespace json_plans {

struct matrix {
    const double* values;
    int rows;
};
template <class T>
struct scale_by {
    T factor;
    COGRAPH_HD void operator()(index_t, T& value) const { value *= factor; }
};
struct row_sum {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const double* from, float& to) const {
        to = group.transform_reduce(4, [=](int k) { return static_cast<float>(from[4 * row + k]); }, plus{});
    }
};
struct is_negative {
    COGRAPH_HD bool operator()(double value) const { return value < 0; }
};
struct scaled_term {
    COGRAPH_HD double operator()(index_t, const double& value) const { return 2 * value; }
};
struct set_first {
    COGRAPH_HD void operator()(double* to, const matrix& from) const { to[0] = from.values[0]; }
};
struct count_up {
    COGRAPH_HD void operator()(double* to, int& at) const { to[0] = ++at; }
};
TEST_KERNEL void smooth(const double*, double*);

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct A : view<A, matrix> {} A;
inline constexpr struct y : temp<y, double, struct x> {} y;
inline constexpr struct w : temp<w, float, elements<2 * extent(x) - n>> {} w;
inline constexpr struct z : temp<z, float> {} z;

constexpr auto scaled = for_each(over(x), scale_by<double>{2})(inout(x[each]));

const auto everything =
    seq(label("init: <\"x\">", fill(out(x), 1)), copy(in(x), out(y)), fill(out(w), 0), single_task(set_first{})(inout(x), in(A)),
        kernel<smooth>(grid(4, 2).block(32, 4).shared(1024))(in(x), out(y)), kernel<smooth>(over(x).block(64))(in(y), out(x)),
        for_each(over<extent(x) - n>(), scale_by<double>{2})(inout(x[each])), fill(out(x), n - extent(x)),
        for_each(over(n), scale_by<float>{3})(inout(z[each])), for_each(over(77), scale_by<float>{3})(inout(z[each])),
        dot(out(rr), in(x), in(y)),
        repeat(3, seq(kernel<smooth>(over(x))(in(y), inout(x)), loop_while(rr > 1, seq(scaled, reduce(out(rr), in(x)))))),
        label("checked", loop_while(rr > 3, seq(label("checked body", kernel<smooth>(over(x))(in(y), inout(x))), assign(rr, rr / 2)),
                                    check_every<2>, at_most(50))),
        when(any_of(x, is_negative{}), fill(out(x), 0)),
        do_while(seq(repeat(n, scaled), reduce(out(rr), in(x))), rr > 2),
        when(rr < 1, scaled, otherwise(assign(rr, 0))), switch_on(i, seq(), scaled, assign(i, i + 1)),
        for_each(over(z).group<4>(), row_sum{})(in(x), out(z[each])));

// A length in a branch, too.
const auto lengths =
    loop_while(rr > 7, seq(for_each(over(x).first(i), scale_by<double>{2})(inout(x[each])), when(rr > 9, for_each(over(x).first(i).group<32>(), row_sum{})(in(x), out(z[each]))),
                         transform_reduce(over(x).first(i), scaled_term{}, plus{})(out(rr), in(x[each])), kernel<smooth>(over(x))(in(y), inout(x))));

// The kernels of its further passes are no nodes of the plan.
const auto unrolled = do_while(single_task(count_up{})(inout(x), inout(i)), i < 7);

// The host drives a loop and decides about a branch in it; an inner loop is one kernel all the same.
struct look {
    void operator()(const int*) const {}
};
const auto driven = loop_while(i < 7, seq(assign(i, i + 1), when(i > 3, host(look{})(in(i))), repeat(2, for_each(over(x), scale_by<double>{2})(inout(x[each])))));

const auto solved_each = seq(fill(out(of_each(x)), 1), batch(over(3), loop_while(rr > 1, seq(scaled, when(rr > 5, label("in a problem", fill(out(x), 0))), reduce(out(rr), in(x)))))(of_each(x), of_each(rr)));

// Over very many elements, the largest term of a box is found in the kernel of the node before it.
struct move {
    COGRAPH_HD void operator()(index_t, index_t, index_t, neighbours<double, 1, 1, 1> from, double& to) const { to = *from; }
};
struct larger {
    COGRAPH_HD double operator()(index_t, index_t, index_t, double a, double b) const { return a < b ? b : a; }
};
inline constexpr struct u : buffer<u, double> {} u;
constexpr auto cube = over(n, n, n);
constexpr auto moved = for_each(cube, move{})(in(x[near<1, 1, 1>]), out(u[each]));
const auto cubes = seq(loop_while(rr > 1, seq(moved, transform_reduce(cube, larger{}, maximum{})(out(rr), in(x[each]), in(u[each])))),
                       repeat(3, seq(moved, for_each(cube, move{})(in(u[near<1, 1, 1>]), out(x[each])))));

// Each string as a label; check.py knows what must be read.
constexpr const char* labels[] = {
    "plain", "quote \" backslash \\ slash /", "tab \t newline \n return \r feed \f back \b", "\x01\x02\x1f\x7f",
    "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80",
    "bad \xff \xc3 \xe2\x82 \xed\xa0\x80 \xc0\x80 \xf5\x80\x80\x80 end",
    "\xf4\x90\x80\x80|\xf4\x8f\xbf\xbf|\xe0\x9f\xbf|\xc3", "",
    "</script> \xe2\x80\xa8"};

}  // namespace json_plans

int main() {
    using namespace json_plans;
    std::cout << "[";
    write_json(std::cout, everything);
    std::cout << ",";
    write_json(std::cout, seq());
    std::cout << ",";
    write_json(std::cout, unrolled);
    std::cout << ",";
    write_json(std::cout, lengths);
    std::cout << ",";
    write_json(std::cout, driven);
    std::cout << ",";
    write_json(std::cout, solved_each);
    std::cout << ",";
    write_json(std::cout, cubes);
    std::cout << ",";
    write_json(std::cout, named("first", scaled), named("an \"empty\" one", seq()), named("all", everything));
    for (const char* text : labels) {
        std::cout << ",";
        write_json(std::cout, label(text, scaled));
    }
    std::cout << "]\n";
}
