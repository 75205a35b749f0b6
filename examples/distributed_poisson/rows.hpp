// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix of a Matrix Market file. Ranks have equal numbers of its rows, one after the other; the last ones are filled
// up with rows of the unit matrix. Ranks send each other the elements of p that they need while they multiply the columns that
// they have.

#include "../conjugate_gradient/matrix_market.hpp"
#include "solver.hpp"

#include <algorithm>
#include <vector>

namespace distributed {

inline constexpr struct own_columns : view<own_columns, sparse::csr_view> {} own_columns;
inline constexpr struct other_columns : view<other_columns, sparse::csr_view> {} other_columns;
inline constexpr struct sent_rows : buffer<sent_rows, int> {} sent_rows;  // which elements of p others need, rank by rank
inline constexpr struct sent : temp<sent, double, struct sent_rows> {} sent;
inline constexpr struct halo : temp<halo, double> {} halo;  // the elements of others that this rank needs
inline constexpr struct slices : value<slices, nccl::slices> {} slices;

struct product_of_row {
    COGRAPH_HD void operator()(index_t i, double& to, const double* from, const sparse::csr_view& A) const {
        double sum = 0;
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) sum += A.value[k] * from[A.column[k]];
        to = sum;
    }
};
struct add_product_of_row {
    COGRAPH_HD double operator()(index_t i, const double& direction, double& image, const double* from, const sparse::csr_view& A) const {
        double sum = image;
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) sum += A.value[k] * from[A.column[k]];
        image = sum;
        return direction * sum;
    }
};

struct pick_row {
    COGRAPH_HD void operator()(index_t, const int& row, double& to, const double* from) const { to = from[row]; }
};

// [rows]
constexpr auto multiply_rows() {
    return seq(for_each(over(sent_rows), pick_row{})(in(sent_rows[each]), out(sent[each]), in(p)),
               label("halo", nccl::all_to_all(world, out(halo), in(sent), slices)),
               label("interior", for_each(over(p), product_of_row{})(out(Ap[each]), in(p), in(own_columns))),
               transform_reduce(over(p), add_product_of_row{}, plus{})(out(part), in(p[each]), inout(Ap[each]), in(halo), in(other_columns)));
}
static_assert(!ordered(multiply_rows(), at<1>, at<2>));
// [/rows]

constexpr auto multiply_all_rows() {
    return seq(label("interior", for_each(over(p), product_of_row{})(out(Ap[each]), in(p), in(own_columns))), dot(out(part), in(p), in(Ap)));
}

// The rows that a rank has, and which elements of p it sends to and receives from each rank: those of the columns that rows touch.
struct halo_lists {
    int each = 0, first = 0;
    std::vector<int> sent, received;  // rows of this rank; columns, ascending
    std::vector<index_t> sent_begin, received_begin;  // by rank, and one more

    halo_lists(const sparse::csr_matrix& A, int rank, int ranks) : each((A.rows + ranks - 1) / ranks), first(each * rank) {
        for (int other = 0; other < ranks; ++other) {
            sent_begin.push_back(static_cast<index_t>(sent.size()));
            received_begin.push_back(static_cast<index_t>(received.size()));
            if (other == rank) continue;
            for (int row : columns_between(A, each * other, first)) sent.push_back(row - first);
            const std::vector<int> needed = columns_between(A, first, each * other);
            received.insert(received.end(), needed.begin(), needed.end());
        }
        sent_begin.push_back(static_cast<index_t>(sent.size()));
        received_begin.push_back(static_cast<index_t>(received.size()));
    }
    // The place of a column in the halo.
    int place_of(int column) const { return static_cast<int>(std::lower_bound(received.begin(), received.end(), column) - received.begin()); }

private:
    // Columns of a rank's rows that another rank has, ascending.
    std::vector<int> columns_between(const sparse::csr_matrix& A, int rows_from, int columns_from) const {
        std::vector<int> found;
        for (int row = rows_from; row < std::min(A.rows, rows_from + each); ++row)
            for (int k = A.row_begin[static_cast<std::size_t>(row)]; k < A.row_begin[static_cast<std::size_t>(row) + 1]; ++k)
                if (const int column = A.column[static_cast<std::size_t>(k)]; column >= columns_from && column < columns_from + each) found.push_back(column);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }
};

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
    const halo_lists lists(A, own.rank, own.size);
    const int each = lists.each, first = lists.first;
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
                outside.push_back({i, lists.place_of(column), value});
        }
        if (!(at > 0)) throw std::runtime_error("row " + std::to_string(row + 1) + " has no positive diagonal: the matrix is not positive definite");
    }
    const reachable_matrix mine(sparse::compress(each, inside)), others(sparse::compress(each, outside));
    const anywhere::array<int> rows_to_send(lists.sent.size());
    std::copy(lists.sent.begin(), lists.sent.end(), rows_to_send.data());
    const auto solved = [&](const auto& e, auto... more) {
        return run(e, own, x(solution.span()), b(rhs.span()), diagonal(center.span()), own_columns(mine.view()), tolerance(1e-24 * squares), more...);
    };
    outcome result = own.size == 1 ? solved(solve_alone(multiply_all_rows()))
                                   : solved(solve(multiply_rows()), world(own), sent_rows(rows_to_send.span()), halo(lists.received.size()),
                                            slices(nccl::slices{lists.sent_begin.data(), lists.received_begin.data()}), other_columns(others.view()));
    for (int i = 0; i < each && first + i < A.rows; ++i) result.error = maximum_or_nan{}(result.error, std::fabs(solution[static_cast<std::size_t>(i)] - 1));
    return result;
}

}  // namespace distributed
