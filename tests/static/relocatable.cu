// SPDX-License-Identifier: Apache-2.0

// Variables and function objects in an unnamed namespace, to which nvcc gives a name where code is relocatable: to compile without
// a warning is to pass.
#include <cograph.cuh>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct s : scalar<s, double> {} s;

struct add_two {
    COGRAPH_HD void operator()(index_t, double& element) const { element += 2; }
};
struct add {
    double what;
    COGRAPH_HD void operator()(index_t, double& element) const { element += what; }
};
struct square {
    COGRAPH_HD double operator()(index_t, double element) const { return element * element; }
};
struct larger {
    COGRAPH_HD double operator()(double a, double b) const { return a < b ? b : a; }
};
struct halve {
    COGRAPH_HD void operator()(double& number) const { number /= 2; }
};
struct positive {
    COGRAPH_HD bool operator()(double number) const { return number > 0; }
};
struct scalar_is_positive {
    COGRAPH_HD bool operator()(const double& number) const { return number > 0; }
};

constexpr auto all_kinds =
    seq(for_each(over(x), add_two{})(inout(x[each])), for_each(over(x), add{3})(inout(x[each])),
        transform_reduce(over(x), square{}, larger{}, 0.0)(out(s), in(x[each])), single_task(halve{})(inout(s)),
        loop_while(s > 0 && all_of(x, positive{}), seq(for_each(over(x), add{-1})(inout(x[each])), assign(s, s - 1))),
        when(predicate(scalar_is_positive{})(s), fill(out(x), s)));

}  // namespace

void run_all_kinds(double* elements, index_t count, double* result) {
    simulate(all_kinds, x(elements, count), s(result));
    run_on(nullptr, all_kinds, x(elements, count), s(result));
    instantiate(all_kinds, x(elements, count), s(result)).launch(nullptr);
}
