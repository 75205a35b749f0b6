// SPDX-License-Identifier: Apache-2.0
#include "../../library_programs.hpp"
#include "../ways.cuh"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

template <class T>
struct unknown : buffer<unknown<T>, T> {};
template <class T>
struct triangle : view<triangle<T>, sparse::csr_view<T>> {};

enum class diagonals { one, missing, two };
// Rows with those entries that `has(row, column)` holds for, and the diagonal; every other row has them in descending order. Rows 0, 1, 4, 5 and so on
// may be without a diagonal; or all rows have two, of which the last one counts.
template <class T>
struct rows_of_a_shape {
    std::vector<int> begins{0}, columns;
    std::vector<T> entries;

    template <class Has>
    rows_of_a_shape(int rows, Has has, diagonals stored = diagonals::one) {
        for (int i = 0; i < rows; ++i) {
            for (int k = 0; k < rows; ++k) {
                const int j = i % 2 == 0 ? k : rows - 1 - k;
                if (i != j ? !has(i, j) : stored == diagonals::missing && i / 2 % 2 == 0) continue;
                if (i == j && stored == diagonals::two) add(j, T(9));
                add(j, static_cast<T>(i == j ? 2 + i % 3 : 0.01 * ((i * 7 + j * 5) % 11 - 5)));
            }
            begins.push_back(static_cast<int>(columns.size()));
        }
    }
    void add(int column, T entry) {
        columns.push_back(column);
        entries.push_back(entry);
    }
    index_t rows() const { return static_cast<index_t>(begins.size()) - 1; }
    sparse::csr_view<T> on(const int* at_begins, const int* at_columns, const T* at_entries) const {
        return {at_begins, at_columns, at_entries, rows(), rows(), static_cast<index_t>(columns.size())};
    }
};

template <class T>
bool are_near(const std::vector<T>& a, const std::vector<T>& b) {
    bool are = a.size() == b.size();
    for (std::size_t i = 0; are && i < a.size(); ++i) are = std::abs(a[i] - b[i]) <= (sizeof(T) == 4 ? 1e-4 : 1e-12) * (1 + std::abs(b[i]));
    return are;
}

// On a stream and as a graph, which is launched once more after the matrix has other entries. The bits are the same each time.
template <class T, class Half>
void check_solve(rows_of_a_shape<T> matrix, Half half) {
    static constexpr unknown<T> unknowns;
    static constexpr triangle<T> of_rows;
    const auto e = sparse::solve(inout(unknowns), in(of_rows), half);
    std::vector<T> right(static_cast<std::size_t>(matrix.rows()));
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<T>(1 + i % 7);
    const device_array<int> begins(matrix.begins), columns(matrix.columns);
    device_array<T> entries(matrix.entries), x(right);
    const auto on_device = of_rows(matrix.on(begins.data(), columns.data(), entries.data()));
    const stream on;
    auto exec = instantiate(e, unknowns(x.all()), on_device);
    for (int round = 0; round < 2; ++round) {
        std::vector<T> wanted = right;
        simulate(e, unknowns(std::span(wanted)), of_rows(matrix.on(matrix.begins.data(), matrix.columns.data(), matrix.entries.data())));
        x.write(right);
        exec.launch(on);
        on.wait();
        const std::vector<T> found = x.read();
        CHECK(are_near(found, wanted));
        x.write(right);
        run_on(on, e, unknowns(x.all()), on_device);
        on.wait();
        CHECK(x.read() == found);
        for (T& entry : matrix.entries) entry *= static_cast<T>(1.25);
        entries.write(matrix.entries);
    }
}
template <class T, class Has>
void check_halves(int rows, Has has, diagonals stored = diagonals::one) {
    CAPTURE(rows, static_cast<int>(stored));
    const rows_of_a_shape<T> matrix(rows, has, stored);
    check_solve(matrix, sparse::lower);
    check_solve(matrix, sparse::upper);
    check_solve(matrix, sparse::unit_lower);
    check_solve(matrix, sparse::unit_upper);
}

}  // namespace

TEMPLATE_TEST_CASE("sparse triangles of all shapes are solved, also after their entries have changed", "[gpu][library_nodes]", float, double) {
    check_halves<TestType>(0, [](int, int) { return true; });
    check_halves<TestType>(1, [](int, int) { return true; });
    check_halves<TestType>(33, [](int, int) { return true; });
    // A chain through all warps, pairs in different warps, a grid, two long rows, long rows between short ones, only long ones.
    check_halves<TestType>(700, [](int i, int j) { return std::abs(i - j) == 1; });
    check_halves<TestType>(701, [](int i, int j) { return (i + 1) / 2 == (j + 1) / 2; });
    check_halves<TestType>(900, [](int i, int j) { return std::abs(i - j) == 30 || (std::abs(i - j) == 1 && i / 30 == j / 30); });
    check_halves<TestType>(500, [](int i, int j) { return i % 499 == 0 || j % 499 == 0; });
    check_halves<TestType>(400, [](int i, int j) { return i % 50 == 3 || std::abs(i - j) == 2; });
    check_halves<TestType>(150, [](int, int) { return true; });
    // Bands: a row for each lane, and for each warp.
    check_halves<TestType>(300, [](int i, int j) { return std::abs(i - j) <= 13; });
    check_halves<TestType>(300, [](int i, int j) { return std::abs(i - j) <= 25; });
}

// Of few entries in a row, and of so many that a warp shares them.
TEMPLATE_TEST_CASE("a row of a sparse triangle without a diagonal has 1 there, and of two the last one counts", "[gpu][library_nodes]", float, double) {
    for (const diagonals stored : {diagonals::missing, diagonals::two}) {
        check_halves<TestType>(100, [](int i, int j) { return std::abs(i - j) == 1; }, stored);
        check_halves<TestType>(300, [](int i, int j) { return std::abs(i - j) <= 25; }, stored);
        check_halves<TestType>(150, [](int, int) { return true; }, stored);
        check_halves<TestType>(400, [](int i, int j) { return i % 50 == 3 || std::abs(i - j) == 2; }, stored);
    }
}
