// SPDX-License-Identifier: Apache-2.0
#include "../../examples/distributed_poisson/rows.hpp"
#include "../catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <random>
#include <span>
#include <string>
#include <vector>

// The solver of examples/distributed_poisson over a matrix: ranks that send the needed elements, against ranks that gather all.
namespace {

using namespace distributed;

inline constexpr struct gathered : temp<gathered, double> {} gathered;

constexpr auto multiply_by_all() {
    return seq(nccl::all_gather(world, out(gathered), in(p)), for_each(over(p), product_of_row{})(out(Ap[each]), in(p), in(own_columns)),
               transform_reduce(over(p), add_product_of_row{}, plus{})(out(part), in(p[each]), inout(Ap[each]), in(gathered), in(other_columns)));
}

struct solved {
    std::vector<double> by_halo, by_all;
    int iterations_by_halo = 0, iterations_by_all = 0;
    std::size_t received = 0;
};

// One rank's rows, in both ways.
solved solve_both(const sparse::csr_matrix& A, nccl::communicator own) {
    const halo_lists lists(A, own.rank, own.size);
    const auto size = static_cast<std::size_t>(lists.each);
    std::vector<sparse::coordinate> inside, outside, outside_in_halo;
    std::vector<double> rhs(size, 0), center(size, 1);
    for (int i = 0; i < lists.each; ++i) {
        const int row = lists.first + i;
        if (row >= A.rows) {
            inside.push_back({i, i, 1});
            continue;
        }
        rhs[static_cast<std::size_t>(i)] = 1 + row % 3;
        for (int k = A.row_begin[static_cast<std::size_t>(row)]; k < A.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
            const int column = A.column[static_cast<std::size_t>(k)];
            const double value = A.value[static_cast<std::size_t>(k)];
            if (column == row) center[static_cast<std::size_t>(i)] = value;
            if (column >= lists.first && column < lists.first + lists.each) {
                inside.push_back({i, column - lists.first, value});
            } else {
                outside.push_back({i, column, value});
                outside_in_halo.push_back({i, lists.place_of(column), value});
            }
        }
    }
    const sparse::csr_matrix mine = sparse::compress(lists.each, inside), all = sparse::compress(lists.each, outside), of_halo = sparse::compress(lists.each, outside_in_halo);
    const auto view = [](const sparse::csr_matrix& of) { return sparse::csr_view{of.rows, of.row_begin.data(), of.column.data(), of.value.data()}; };
    solved both{std::vector<double>(size), std::vector<double>(size), 0, 0, lists.received.size()};
    simulate(solve(multiply_rows()), x(std::span(both.by_halo)), b(std::span(rhs)), diagonal(std::span(center)), sent_rows(std::span(lists.sent)), halo(lists.received.size()),
             slices(nccl::slices{lists.sent_begin.data(), lists.received_begin.data()}), own_columns(view(mine)), other_columns(view(of_halo)), tolerance(1e-16), world(own),
             iterations(&both.iterations_by_halo));
    simulate(solve(multiply_by_all()), x(std::span(both.by_all)), b(std::span(rhs)), diagonal(std::span(center)), gathered(size * static_cast<std::size_t>(own.size)),
             own_columns(view(mine)), other_columns(view(all)), tolerance(1e-16), world(own), iterations(&both.iterations_by_all));
    return both;
}

void check_both(const sparse::csr_matrix& A) {
    for (int ranks = 2; ranks <= 5; ++ranks) {
        std::vector<solved> of(static_cast<std::size_t>(ranks));
        nccl::run_ranks(ranks, [&](nccl::communicator own) { of[static_cast<std::size_t>(own.rank)] = solve_both(A, own); });
        for (const solved& both : of) {
            CHECK((both.by_halo == both.by_all));
            CHECK(both.iterations_by_halo == both.iterations_by_all);
            CHECK(both.iterations_by_halo > 1);
            CHECK(both.received < static_cast<std::size_t>(A.rows));
        }
    }
}

// Symmetric and diagonally dominant. Some rows have many columns, some only their own.
sparse::csr_matrix irregular(int rows, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<sparse::coordinate> all;
    std::vector<double> sums(static_cast<std::size_t>(rows), 1);
    for (int row = 0; row < rows; ++row) {
        const int others = row % 11 == 0 ? 7 : row % 4 == 3 ? 0 : 2;
        for (int i = 0; i < others; ++i) {
            const int column = static_cast<int>(random() % static_cast<unsigned>(rows));
            const double value = -0.1 - static_cast<double>(random() % 100) / 64;
            if (column == row) continue;
            all.push_back({row, column, value});
            all.push_back({column, row, value});
            sums[static_cast<std::size_t>(row)] -= value;
            sums[static_cast<std::size_t>(column)] -= value;
        }
    }
    for (int row = 0; row < rows; ++row) all.push_back({row, row, sums[static_cast<std::size_t>(row)]});
    return sparse::compress(rows, all);
}

}  // namespace

TEST_CASE("ranks of a matrix exchange what their rows need, with the bits of those that gather all") {
    check_both(irregular(97, 1));
    check_both(irregular(40, 2));
}

#ifdef COGRAPH_TEST_DATA  // clang-tidy does not know the folder
TEST_CASE("ranks of a matrix of a file exchange what their rows need") {
    const std::filesystem::path file = std::filesystem::path(COGRAPH_TEST_DATA) / "494_bus.mtx";
    if (!std::filesystem::exists(file)) {
        std::cout << "no " << file << ": skipped\n";
        return;
    }
    check_both(sparse::read_matrix_market(file.string().c_str()));
}
#endif
