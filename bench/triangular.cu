// SPDX-License-Identifier: Apache-2.0

// A triangular solve with the lower half of a five-point matrix: sparse::solve against cusparseSpSV_solve, captured after its analysis.

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
}

void measure(const bench::gpu& g, int width, int times) {
    const int n = width * width;
    std::vector<int> row_begins{0}, columns;
    std::vector<double> entries, right(static_cast<std::size_t>(n));
    const auto put = [&](int column, double entry) {
        columns.push_back(column);
        entries.push_back(entry);
    };
    for (int i = 0; i < n; ++i) {
        if (i >= width) put(i - width, -0.25);
        if (i % width != 0) put(i - 1, -0.25);
        put(i, 1.5 + i % 3);
        row_begins.push_back(static_cast<int>(columns.size()));
        right[static_cast<std::size_t>(i)] = 1 + i % 7;
    }
    const bench::device_array<int> drows(row_begins.size()), dcolumns(columns.size());
    const bench::device_array<double> dentries(entries.size()), db(right.size()), theirs(right.size()), ours(right.size());
    fill_from(drows, row_begins);
    fill_from(dcolumns, columns);
    fill_from(dentries, entries);
    fill_from(db, right);
    fill_from(ours, right);

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
    cudaGraph_t graph;
    cudaGraphExec_t captured;
    bench::check(cudaStreamBeginCapture(g.stream, cudaStreamCaptureModeThreadLocal));
    succeed(cusparseSpSV_solve(handle, as_it_is, &one, matrix, b, solution, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan), "cusparseSpSV_solve");
    bench::check(cudaStreamEndCapture(g.stream, &graph));
    bench::check(cudaGraphInstantiate(&captured, graph, 0));
    auto exec = instantiate(sparse::solve(inout(x), in(A), sparse::lower), x(ours.data, right.size()),
                            A(sparse::csr_view<double>{drows.data, dcolumns.data, dentries.data, n, n, static_cast<index_t>(columns.size())}));

    bench::check(cudaGraphLaunch(captured, g.stream));
    exec.launch(g.stream);
    g.wait();
    std::vector<double> of_both[2];
    for (std::vector<double>& one_of_them : of_both) one_of_them.resize(right.size());
    bench::check(cudaMemcpy(of_both[0].data(), theirs.data, right.size() * sizeof(double), cudaMemcpyDeviceToHost));
    bench::check(cudaMemcpy(of_both[1].data(), ours.data, right.size() * sizeof(double), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < right.size(); ++i) bench::expect(std::fabs(of_both[0][i] - of_both[1][i]) <= 1e-12 * std::fabs(of_both[0][i]), "both solve the same system");

    const std::string rows = std::to_string(n) + " rows (us)";
    bench::row(("sparse::solve against cusparseSpSV_solve in a graph, " + rows).c_str(),
               bench::compare(5, [&] { return bench::back_to_back(g, times, [&] { bench::check(cudaGraphLaunch(captured, g.stream)); }); },
                              [&] { return bench::back_to_back(g, times, [&] { exec.launch(g.stream); }); }));
    const double begin = bench::now();
    for (int i = 0; i < 3; ++i) analyse();
    std::printf("  its analysis %.0f us\n", (bench::now() - begin) / 3);

    cudaGraphExecDestroy(captured);
    cudaGraphDestroy(graph);
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
    measure(g, 32, 20);
    measure(g, 256, 20);
    measure(g, 1024, 3);
}
