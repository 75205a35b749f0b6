// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix of a Matrix Market file. Ranks have equal numbers of its rows, one after the other; the last ones are filled
// up with rows of the unit matrix. Ranks gather p while they multiply the columns that they have.

#include "../conjugate_gradient/matrix_market.hpp"
#include "solver.hpp"

namespace distributed {

inline constexpr struct own_columns : view<own_columns, sparse::csr_view> {} own_columns;
inline constexpr struct other_columns : view<other_columns, sparse::csr_view> {} other_columns;
inline constexpr struct gathered : temp<gathered, double> {} gathered;

struct product_of_row {
    COGRAPH_HD void operator()(index_t i, double& to, const double* from, const sparse::csr_view& A) const {
        double sum = 0;
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) sum += A.value[k] * from[A.column[k]];
        to = sum;
    }
};
struct add_product_of_row {
    COGRAPH_HD void operator()(index_t i, double& to, const double* from, const sparse::csr_view& A) const {
        double sum = to;
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) sum += A.value[k] * from[A.column[k]];
        to = sum;
    }
};

// [rows]
constexpr auto multiply_rows() {
    return seq(label("gather", nccl::all_gather(world, out(gathered), in(p))),
               label("interior", for_each(over(p), product_of_row{})(out(Ap[each]), in(p), in(own_columns))),
               for_each(over(p), add_product_of_row{})(inout(Ap[each]), in(gathered), in(other_columns)));
}
static_assert(!ordered(multiply_rows(), at<0>, at<1>));
// [/rows]

// A matrix in memory that the GPU reaches.
class reachable_matrix {
public:
    explicit reachable_matrix(const sparse::csr_matrix& A) : rows_(A.rows), begin_(A.row_begin.size()), column_(A.column.size()), value_(A.value.size()) {
        std::copy(A.row_begin.begin(), A.row_begin.end(), begin_.data());
        std::copy(A.column.begin(), A.column.end(), column_.data());
        std::copy(A.value.begin(), A.value.end(), value_.data());
    }
    sparse::csr_view view() const { return {rows_, begin_.data(), column_.data(), value_.data()}; }

private:
    int rows_;
    anywhere::array<int> begin_, column_;
    anywhere::array<double> value_;
};

// One rank's rows, a right side of ones times the matrix, and how large the residual is beside the right side.
inline outcome run_rows(const sparse::csr_matrix& A, nccl::communicator own) {
    const int each = (A.rows + own.size - 1) / own.size, first = each * own.rank;
    std::vector<sparse::coordinate> inside, outside;
    const anywhere::array<double> solution(static_cast<std::size_t>(each)), rhs(solution.size()), center(solution.size());
    double largest = 0, squares = 0;  // of the whole right side
    for (int row = 0; row < A.rows; ++row) {
        double sum = 0;
        for (int k = A.row_begin[static_cast<std::size_t>(row)]; k < A.row_begin[static_cast<std::size_t>(row) + 1]; ++k) sum += A.value[static_cast<std::size_t>(k)];
        largest = std::max(largest, std::fabs(sum));
        squares += sum * sum;
        if (row >= first && row < first + each) rhs[static_cast<std::size_t>(row - first)] = sum;
    }
    for (int i = 0; i < each; ++i) {
        const int row = first + i;
        double& at = center[static_cast<std::size_t>(i)] = 1;
        if (row >= A.rows) {
            inside.push_back({i, i, 1});
            continue;
        }
        for (int k = A.row_begin[static_cast<std::size_t>(row)]; k < A.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
            const int column = A.column[static_cast<std::size_t>(k)];
            const double value = A.value[static_cast<std::size_t>(k)];
            if (column == row) at = value;
            if (column >= first && column < first + each)
                inside.push_back({i, column - first, value});
            else
                outside.push_back({i, column, value});
        }
        if (!(at > 0)) throw std::runtime_error("row " + std::to_string(row + 1) + " has no positive diagonal: the matrix is not positive definite");
    }
    const reachable_matrix mine(sparse::compress(each, inside)), others(sparse::compress(each, outside));
    outcome result = run(solve(multiply_rows()), own, x(solution.span()), b(rhs.span()), diagonal(center.span()), gathered(static_cast<std::size_t>(each) * static_cast<std::size_t>(own.size)),
                         own_columns(mine.view()), other_columns(others.view()), tolerance(1e-24 * squares));
    for (int i = 0; i < each && first + i < A.rows; ++i) result.error = maximum_or_nan{}(result.error, std::fabs(solution[static_cast<std::size_t>(i)] - 1));
    return result;
}

}  // namespace distributed
