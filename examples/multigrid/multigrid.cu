// SPDX-License-Identifier: Apache-2.0

// Poisson's equation on the unit square by multigrid: V cycles over eight grids, and the test that ends them, are one expression.

#include "../anywhere.hpp"
#include "../command_line.hpp"
#include "cycle.hpp"

#include <cstdio>

namespace multigrid {

struct options {
    int points = 256;
    double accuracy = 1e-8;
    int cycles = 100;
};

constexpr const char* usage =
    R"(usage: multigrid [--size N] [--tolerance T] [--max-cycles M]
  --size N        N by N points, a power of two from 256 to 4096 (default 256)
  --tolerance T   stop when the residual is T times the right side (default 1e-8)
  --max-cycles M  give up after so many cycles (default 100)
)";

options parse(int argc, char** argv) {
    options chosen;
    command_line::read(argc, argv,
                       {{"--size", 256, 4096, chosen.points}, {"--tolerance", 1e-12, 0.1, chosen.accuracy}, {"--max-cycles", 1, 1e9, chosen.cycles}});
    if ((chosen.points & (chosen.points - 1)) != 0) throw command_line::usage_error("--size needs a power of two");
    return chosen;
}

/// sin(pi x) sin(pi y) solves the equation whose right side it is times 2 pi^2.
int solve(const options& chosen) {
    const int n = chosen.points;
    const double pi = std::acos(-1.0);
    const std::size_t points = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    const anywhere::array<double> u(points), f(points);
    const anywhere::array<int> count(1);
    const auto exact = [&](std::size_t i) {
        const auto side = static_cast<std::size_t>(n);
        return std::sin(pi * static_cast<double>(i / side) / n) * std::sin(pi * static_cast<double>(i % side) / n);
    };
    for (std::size_t i = 0; i < points; ++i) f[i] = 2 * pi * pi * exact(i);

    anywhere::run(solver, solution(u.span()), right_side(f.span()), log_size(static_cast<int>(std::lround(std::log2(n)))), coarse_pairs(n / 128), tolerance(chosen.accuracy), most(chosen.cycles), cycles(count.data()));

    double error = 0;
    for (std::size_t i = 0; i < points; ++i) error = std::fmax(error, std::fabs(u[i] - exact(i)));
    std::printf("%s: %d x %d points, %d cycles, largest error %.2e\n", anywhere::way_to_run(), n, n, count[0], error);
    if (count[0] >= chosen.cycles) {
        std::fprintf(stderr, "multigrid: not converged after %d cycles\n", count[0]);
        return 1;
    }
    return error <= 2.0 / (static_cast<double>(n) * n) + chosen.accuracy ? 0 : 1;  // the grid's own error is pi^2 h^2 / 12
}

}  // namespace multigrid

int main(int argc, char** argv) {
    return command_line::run("multigrid", multigrid::usage, [&] { return multigrid::solve(multigrid::parse(argc, argv)); });
}
