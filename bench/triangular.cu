// SPDX-License-Identifier: Apache-2.0

// Triangular solves with lower halves: sparse::solve against cusparseSpSV_solve, captured after its analysis, behind an update of its
// numbers and alone; and the first launch, which learns the order of rows, against later ones.

#include "bench.cuh"

#include <cograph/sparse.cuh>
#include <cusparse.h>

#include <cstdint>
#include <string>

namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct A : view<A, sparse::csr_view<double>> {} A;

void succeed(cusparseStatus_t status, const char* call) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    std::fprintf(stderr, "%s: %s\n", call, cusparseGetErrorName(status));
    std::exit(1);
}
template <class T>
void fill_from(const bench::device_array<T>& to, const std::vector<T>& from) {
    bench::check(cudaMemcpy(to.data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    bench::check(cudaDeviceSynchronize());
}

// A matrix whose rows are the points of a square or cube: its lower half, or all of it.
struct grid_matrix {
    std::vector<int> row_begins{0}, columns;
    std::vector<double> entries;

    // Neighbours differ in one dimension, or also in several.
    grid_matrix(int width, int dimensions, bool diagonally, bool is_whole = false) {
        const int depth = dimensions == 3 ? width : 1;
        for (int i = 0; i < depth * width * width; ++i) {
            const int at[3] = {i / (width * width), i / width % width, i % width};
            for (int neighbour = 0; neighbour <= (is_whole ? 26 : 13); ++neighbour) {
                const int by[3] = {neighbour / 9 - 1, neighbour / 3 % 3 - 1, neighbour % 3 - 1};
                int differ = 0;
                bool is_inside = true;
                for (int d = 0; d < 3; ++d) {
                    differ += by[d] != 0;
                    const int there = at[d] + by[d];
                    is_inside = is_inside && there >= 0 && there < (d == 0 ? depth : width);
                }
                if (!is_inside || (differ > 1 && !diagonally)) continue;
                columns.push_back(i + (by[0] * width + by[1]) * width + by[2]);
                entries.push_back(differ == 0 ? (diagonally ? 20 : 1.5) + i % 3 : -0.25);
            }
            row_begins.push_back(static_cast<int>(columns.size()));
        }
    }
};

void measure(const bench::gpu& g, const char* name, const grid_matrix& of_grid, int times) {
    const auto& [row_begins, columns, entries] = of_grid;
    const int n = static_cast<int>(row_begins.size()) - 1;
    std::vector<double> right(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) right[static_cast<std::size_t>(i)] = 1 + i % 7;
    const bench::device_array<int> drows(row_begins.size()), dcolumns(columns.size());
    const bench::device_array<double> dentries(entries.size()), db(right.size()), theirs(right.size()), ours(right.size());
    fill_from(drows, row_begins);
    fill_from(dcolumns, columns);
    fill_from(dentries, entries);
    fill_from(db, right);

    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t b, solution;
    cusparseSpSVDescr_t plan;
    const cusparseFillMode_t half = CUSPARSE_FILL_MODE_LOWER;
    const cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
    const double one = 1;
    std::size_t bytes = 0;
    succeed(cusparseCreate(&handle), "cusparseCreate");
    succeed(cusparseSetStream(handle, g.stream), "cusparseSetStream");
    succeed(cusparseCreateCsr(&matrix, n, n, static_cast<std::int64_t>(columns.size()), drows.data, dcolumns.data, dentries.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
            "cusparseCreateCsr");
    succeed(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, const_cast<cusparseFillMode_t*>(&half), sizeof half), "cusparseSpMatSetAttribute");
    succeed(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_DIAG_TYPE, const_cast<cusparseDiagType_t*>(&diagonal), sizeof diagonal), "cusparseSpMatSetAttribute");
    succeed(cusparseCreateDnVec(&b, n, db.data, CUDA_R_64F), "cusparseCreateDnVec");
    succeed(cusparseCreateDnVec(&solution, n, theirs.data, CUDA_R_64F), "cusparseCreateDnVec");
    succeed(cusparseSpSV_createDescr(&plan), "cusparseSpSV_createDescr");
    constexpr auto as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
    succeed(cusparseSpSV_bufferSize(handle, as_it_is, &one, matrix, b, solution, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan, &bytes), "cusparseSpSV_bufferSize");
    const bench::device_array<char> workspace(bytes);
    const auto analyse = [&] {
        succeed(cusparseSpSV_analysis(handle, as_it_is, &one, matrix, b, solution, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan, workspace.data), "cusparseSpSV_analysis");
        g.wait();
    };
    analyse();
    const auto capture = [&](bool updates) {
        cudaGraph_t graph;
        cudaGraphExec_t captured;
        bench::check(cudaStreamBeginCapture(g.stream, cudaStreamCaptureModeThreadLocal));
        if (updates) succeed(cusparseSpSV_updateMatrix(handle, plan, dentries.data, CUSPARSE_SPSV_UPDATE_GENERAL), "cusparseSpSV_updateMatrix");
        succeed(cusparseSpSV_solve(handle, as_it_is, &one, matrix, b, solution, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan), "cusparseSpSV_solve");
        bench::check(cudaStreamEndCapture(g.stream, &graph));
        bench::check(cudaGraphInstantiate(&captured, graph, 0));
        cudaGraphDestroy(graph);
        return captured;
    };
    const cudaGraphExec_t captured = capture(false), with_update = capture(true);
    const sparse::csr_view<double> view{drows.data, dcolumns.data, dentries.data, n, n, static_cast<index_t>(columns.size())};
    const auto e = sparse::solve(inout(x), in(A), sparse::lower);
    auto exec = instantiate(e, x(ours.data, right.size()), A(view));

    // The first launch, and one in the order that it has learned.
    std::vector<double> of_all[3];
    for (int i = 0; i < 3; ++i) {
        if (i == 0) bench::check(cudaGraphLaunch(with_update, g.stream));
        if (i > 0) fill_from(ours, right);
        if (i > 0) exec.launch(g.stream);
        g.wait();
        of_all[i].resize(right.size());
        bench::check(cudaMemcpy(of_all[i].data(), i == 0 ? theirs.data : ours.data, right.size() * sizeof(double), cudaMemcpyDeviceToHost));
    }
    for (std::size_t i = 0; i < right.size(); ++i) bench::expect(std::fabs(of_all[0][i] - of_all[1][i]) <= 1e-12 * std::fabs(of_all[0][i]), "both solve the same system");
    bench::expect(of_all[1] == of_all[2], "the order changes no bit");

    const std::string of_rows = std::string(name) + ", " + std::to_string(n) + " rows (us)";
    const auto timed = [&](auto launch) {
        fill_from(ours, right);  // each solve divides by the diagonal
        return bench::back_to_back(g, times, launch);
    };
    const auto compare = [&](const char* with, cudaGraphExec_t theirs_in_graph, double target) {
        bench::row((with + of_rows).c_str(),
                   bench::compare(5, [&] { return timed([&] { bench::check(cudaGraphLaunch(theirs_in_graph, g.stream)); }); }, [&] { return timed([&] { exec.launch(g.stream); }); }), target);
    };
    compare("against an update and a solve: ", with_update, 1.02);
    compare("against a solve alone: ", captured, 0);
    // On a stream nothing is learned. First launches are those of executables that are made anew.
    const double by_rows = timed([&] { run_on(g.stream, e, x(ours.data, right.size()), A(view)); });
    std::vector<double> first;
    for (int i = 0; i < 5; ++i) {
        auto made = instantiate(e, x(ours.data, right.size()), A(view));
        made.upload(g.stream);
        fill_from(ours, right);
        const double begin = bench::now();
        made.launch(g.stream);
        g.wait();
        first.push_back(bench::now() - begin);
    }
    const double begin = bench::now();
    for (int i = 0; i < 3; ++i) analyse();
    const double analysis = (bench::now() - begin) / 3;
    std::printf("  in the rows' own order %.0f us, a first launch %.0f us, cuSPARSE's analysis %.0f us\n", by_rows, bench::median(first), analysis);

    cudaGraphExecDestroy(captured);
    cudaGraphExecDestroy(with_update);
    cusparseSpSV_destroyDescr(plan);
    cusparseDestroyDnVec(solution);
    cusparseDestroyDnVec(b);
    cusparseDestroySpMat(matrix);
    cusparseDestroy(handle);
}

}  // namespace

int main() {
    const bench::gpu g;
    bench::title("triangular solves");
    measure(g, "five-point", grid_matrix(32, 2, false), 20);
    measure(g, "five-point", grid_matrix(256, 2, false), 20);
    measure(g, "five-point", grid_matrix(1024, 2, false), 3);
    measure(g, "seven-point", grid_matrix(100, 3, false), 5);
    measure(g, "27-point", grid_matrix(64, 3, true), 5);
    measure(g, "whole seven-point", grid_matrix(100, 3, false, true), 5);
    measure(g, "whole 27-point", grid_matrix(64, 3, true, true), 5);
}
