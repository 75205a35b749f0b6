// SPDX-License-Identifier: Apache-2.0

// The heat equation on a square plate, by Jacobi's method: every point becomes the mean of its four neighbours,
// until the largest change is small. Sweeps, largest change and convergence test are one expression.

#include "../anywhere.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

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
    return transform_reduce(over(from), relax{}, maximum{})(out(change), in(from), out(to[each]), in(size));
}

constexpr auto jacobi() {
    using namespace cograph;
    return seq(assign(sweeps, 0),
               do_while(seq(sweep(u, v), sweep(v, u), assign(sweeps, sweeps + 2)),
                        change > tolerance && sweeps < most));
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

struct options {
    int points = 33;  // on a side
    double tolerance = 1e-9;
    int most = 100000;
};

/// Sweeps stop while errors still shrink slowly, and the grid itself is coarse: O(1 / points^2).
double allowed_error(const options& chosen) {
    const double shrinks = 1 - std::cos(std::acos(-1.0) / (chosen.points - 1));
    return chosen.tolerance / shrinks + 1.0 / (chosen.points * chosen.points);
}

int solve(const options& chosen) {
    const int n = chosen.points;
    const anywhere::array<double> plate(static_cast<std::size_t>(n) * n);
    const anywhere::array<int> count(1);
    for (int column = 0; column < n; ++column) plate[column] = exact(n, 0, column);

    anywhere::run(solver, u(plate.span()), size(n), tolerance(chosen.tolerance), most(chosen.most),
                  sweeps(count.data()));

    double error = 0;
    for (int i = 0; i < n * n; ++i) error = std::fmax(error, std::fabs(plate[i] - exact(n, i / n, i % n)));
    std::printf("%s: %d x %d points, %d sweeps, largest error %.2e\n", anywhere::way_to_run(), n, n, count[0],
                error);
    if (count[0] >= chosen.most) {
        std::fprintf(stderr, "jacobi: not converged after %d sweeps\n", count[0]);
        return 1;
    }
    return error <= allowed_error(chosen) ? 0 : 1;
}

constexpr const char* usage =
    R"(usage: jacobi [--size N] [--tolerance T] [--max-sweeps M]
  --size N        N by N points, 3 to 8192 (default 33)
  --tolerance T   stop when no point changes by more (default 1e-9)
  --max-sweeps M  give up after so many sweeps (default 100000)
)";

/// What is wrong with the command line.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The value of an option; `argument` is null where the line ends.
double number_of(const char* option, const char* argument, double least, double largest) {
    char* end = nullptr;
    const double number = argument ? std::strtod(argument, &end) : 0;
    if (argument && end != argument && *end == '\0' && number >= least && number <= largest) return number;
    char text[200];
    std::snprintf(text, sizeof text, "%s needs a number from %g to %g, not '%.40s'", option, least, largest, argument ? argument : "");
    throw usage_error(text);
}

/// Throws usage_error.
options parse(int count, char** arguments) {
    options chosen;
    for (int i = 1; i < count; i += 2) {
        const char* const option = arguments[i];
        const char* const value = i + 1 < count ? arguments[i + 1] : nullptr;
        if (std::strcmp(option, "--size") == 0) {
            chosen.points = static_cast<int>(number_of(option, value, 3, 8192));
        } else if (std::strcmp(option, "--tolerance") == 0) {
            chosen.tolerance = number_of(option, value, 1e-300, 1e300);
        } else if (std::strcmp(option, "--max-sweeps") == 0) {
            chosen.most = static_cast<int>(number_of(option, value, 1, 2e9));
        } else {
            char text[80];
            std::snprintf(text, sizeof text, "unknown option '%.40s'", option);
            throw usage_error(text);
        }
    }
    return chosen;
}

}  // namespace heat

int main(int argc, char** argv) try {
    return heat::solve(heat::parse(argc, argv));
} catch (const heat::usage_error& problem) {
    std::fprintf(stderr, "jacobi: %s\n%s", problem.what(), heat::usage);
    return 2;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "jacobi: %s\n", problem.what());
    return 1;
}
