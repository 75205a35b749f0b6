// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.cuh>

#include <cstdint>
#include <span>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct largest : scalar<largest, double> {} largest;

}  // namespace

// The host compiler sees other types in place of such lambdas. A kernel that is chosen by what those are is none that CUDA knows,
// and the tests' own runtime refuses it.
TEST_CASE("the kernels of lambdas for both sides are those that nvcc makes", "[faults]") {
    const double limit = 100;
    const auto flat =
        seq(for_each(over(x), [] COGRAPH_HD(index_t i, double& element) { element = 2 * element + static_cast<double>(i); })(inout(x[each])),
            transform_reduce(over(x), [] COGRAPH_HD(index_t, double element) -> double { return element; },
                             [] COGRAPH_HD(double a, double b) -> double { return a < b ? b : a; }, 0.0)(out(largest), in(x[each])),
            single_task([limit] COGRAPH_HD(double& number) { number += limit; })(inout(largest)));
    const auto nested = do_while(seq(flat, when(all_of(x, [] COGRAPH_HD(double element) -> bool { return element > 0; }), fill(out(x), 1))),
                                 predicate([limit] COGRAPH_HD(double number) -> bool { return number < limit; })(largest));
    const std::span<double> elements(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 5);
    double* const one = reinterpret_cast<double*>(std::uintptr_t{2} << 52);
    CHECK_NOTHROW(instantiate(nested, x(elements), largest(one)));
    CHECK_NOTHROW(instantiate(as_nodes(nested), x(elements), largest(one)));
    CHECK_NOTHROW(run_on(nullptr, flat, x(elements), largest(one)));
}
