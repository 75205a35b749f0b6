// SPDX-License-Identifier: Apache-2.0

// The heat equation on a square plate, by Jacobi's method: every point becomes the mean of its four neighbours,
// until the largest change is small. Sweeps, largest change and convergence test are one expression. A NaN on the plate ends it at once.

#include "../anywhere.hpp"
#include "options.hpp"

#include <cmath>
#include <cstdio>

namespace heat {

using cograph::index_t;

// [relax]
/// One point of a sweep: `to` becomes the mean of the neighbours; gives the change. The border stays.
struct relax {
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, int size) const {
        const int row = static_cast<int>(i) / size;
        const int column = static_cast<int>(i) % size;
        const bool inner = row > 0 && row < size - 1 && column > 0 && column < size - 1;
        const double here = from[i];
        to = inner ? (from[i - size] + from[i - 1] + from[i + 1] + from[i + size]) / 4 : here;
        return to < here ? here - to : to - here;
    }
};
// [/relax]

// [expression]
inline constexpr struct u : cograph::buffer<u, double> {} u;  // the plate, row by row
inline constexpr struct v : cograph::temp<v, double, struct u> {} v;
inline constexpr struct size : cograph::value<size, int> {} size;
inline constexpr struct tolerance : cograph::value<tolerance, double> {} tolerance;
inline constexpr struct most : cograph::value<most, int> {} most;
inline constexpr struct change : cograph::scalar<change, double> {} change;
inline constexpr struct sweeps : cograph::scalar<sweeps, int> {} sweeps;

/// One sweep over the plate.
template <class From, class To>
constexpr auto sweep(From from, To to) {
    using namespace cograph;
    return transform_reduce(over(from), relax{}, maximum_or_nan{})(out(change), in(from), out(to[each]), in(size));
}

constexpr auto jacobi() {
    using namespace cograph;
    return seq(assign(sweeps, 0),
               do_while(seq(sweep(u, v), sweep(v, u), assign(sweeps, sweeps + 2)),
                        change > tolerance && sweeps < most));  // a NaN is not greater: the loop ends
}

inline constexpr auto solver = jacobi();
static_assert(cograph::is_mutated(solver, u) && !cograph::is_input(solver, v));
// [/expression]

/// sin(pi x) on the lower edge of the unit square and zero on the others; known inside too.
double exact(int n, int row, int column) {
    const double pi = std::acos(-1.0);
    const double x = static_cast<double>(column) / (n - 1);
    const double y = static_cast<double>(row) / (n - 1);
    return std::sin(pi * x) * std::sinh(pi * (1 - y)) / std::sinh(pi);
}

/// Sweeps stop while errors still shrink slowly, and the grid itself is coarse: O(1 / points^2).
double allowed_error(const options& chosen) {
    const double shrinks = 1 - std::cos(std::acos(-1.0) / (chosen.points - 1));
    return chosen.tolerance / shrinks + 1.0 / (chosen.points * chosen.points);
}

int solve(const options& chosen) {
    const int n = chosen.points;
    const anywhere::array<double> plate(static_cast<std::size_t>(n) * n);
    const anywhere::array<int> count(1);
    const anywhere::array<double> last(1);
    for (int column = 0; column < n; ++column) plate[column] = exact(n, 0, column);

    anywhere::run(solver, u(plate.span()), size(n), tolerance(chosen.tolerance), most(chosen.most),
                  sweeps(count.data()), change(last.data()));

    double error = 0;
    for (int i = 0; i < n * n; ++i) error = std::fmax(error, std::fabs(plate[i] - exact(n, i / n, i % n)));
    std::printf("%s: %d x %d points, %d sweeps, largest error %.2e\n", anywhere::way_to_run(), n, n, count[0],
                error);
    if (!(last[0] <= chosen.tolerance)) {  // the limit of sweeps, or a NaN
        std::fprintf(stderr, "jacobi: not converged after %d sweeps, the last of which changed a point by %g\n", count[0], last[0]);
        return 1;
    }
    return error <= allowed_error(chosen) ? 0 : 1;
}

}  // namespace heat

int main(int argc, char** argv) {
    return command_line::run("jacobi", heat::usage, [&] { return heat::solve(heat::parse(argc, argv)); });
}
