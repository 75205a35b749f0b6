// SPDX-License-Identifier: Apache-2.0

// The solver of the examples for PyTorch and JAX, on the host as they call it there, with a check in place of the simulation.

#include "checked.hpp"

#include "../../examples/pytorch/cg.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

// A rod of n points whose ends are cold, and which loses heat if the diagonal is more than 2. Gives the largest element of b - A x.
template <class T, class I>
double residual_of_solution(std::size_t n, T diagonal = 2) {
    std::vector<I> row_begins{0}, columns;
    std::vector<T> values, x(n);
    std::vector<std::byte> workspace(cg::workspace_bytes<T, I>(static_cast<std::int64_t>(n)));
    const std::vector<T> b(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::size_t j : {i - 1, i, i + 1})
            if (j < n) {
                columns.push_back(static_cast<I>(j));
                values.push_back(i == j ? diagonal : T(-1));
            }
        row_begins.push_back(static_cast<I>(columns.size()));
    }
    int iterations = 0;
    cg::equations system{};
    system.n = static_cast<std::int64_t>(n);
    system.is_double = sizeof(T) == 8;
    system.is_64_bit = sizeof(I) == 8;
    system.row_begins = row_begins.data();
    system.columns = columns.data();
    system.values = values.data();
    system.b = b.data();
    system.x = x.data();
    system.workspace = workspace.data();
    system.iterations = &iterations;
    system.tolerance = 1e-5;
    system.most = 200;
    cg::solve_on_host(system);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double left = b[i];
        for (I k = row_begins[i]; k < row_begins[i + 1]; ++k)
            left -= static_cast<double>(values[static_cast<std::size_t>(k)]) * static_cast<double>(x[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])]);
        largest = std::fmax(largest, std::fabs(left));
    }
    std::printf("%zu-byte numbers, %zu-byte indices: %d iterations, residual %.1e\n", sizeof(T), sizeof(I), iterations, largest);
    return largest;
}

}  // namespace

int main() try {
    bool right = true;
    for (const double residual : {residual_of_solution<float, std::int32_t>(40), residual_of_solution<float, std::int64_t>(40), residual_of_solution<double, std::int32_t>(40),
                                  residual_of_solution<double, std::int64_t>(40)})
        right = right && residual < 1e-3;
    right = right && residual_of_solution<double, std::int32_t>(static_cast<std::size_t>(cg::most_in_small) + 1, 4) < 1e-3;  // the form for many equations
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "frameworks: %s\n", problem.what());
    return 1;
}
