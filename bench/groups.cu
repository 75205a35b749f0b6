// SPDX-License-Identifier: Apache-2.0
// What groups of threads save in loops over rows: a thread a row, groups, and NVIDIA's libraries in a WHILE by hand.
#include "cg.cuh"

#include <cublas_v2.h>
#include <cusparse.h>

#include <algorithm>

// y = A x, x = y / max y, for a full square matrix of floats.
namespace power {

using namespace cograph;
using bench::check;

inline constexpr struct A : buffer<A, float> {
} A;
inline constexpr struct x : buffer<x, float> {
} x;
inline constexpr struct y : buffer<y, float> {
} y;
inline constexpr struct largest : scalar<largest, float> {
} largest;
inline constexpr struct it : scalar<it, int> {
} it;

constexpr int iterations = 200, repetitions = 7;

struct row_times {
    COGRAPH_HD void operator()(index_t row, const float* matrix, const float* v, index_t n, float& sum) const {
        float own = 0;
        for (index_t k = 0; k < n; ++k) own += matrix[row * n + k] * v[k];
        sum = own;
    }
};
struct row_times_of_group {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float4* matrix, const float4* v, int n, float& sum) const {
        const float4* const own = matrix + row * (n / 4);
        sum = group.transform_reduce(n / 4, [&](int k) {
            const float4 a = own[k], b = v[k];
            return a.x * b.x + a.y * b.y + (a.z * b.z + a.w * b.w);
        }, plus{});
    }
};
inline constexpr struct A4 : buffer<A4, float4> {
} A4;
inline constexpr struct x4 : buffer<x4, float4> {
} x4;
struct divide {
    COGRAPH_HD void operator()(index_t, const float& from, float by, float& to) const { to = from / by; }
};
constexpr auto again = it < iterations;
constexpr auto next = seq(reduce(out(largest), in(y), maximum{}), for_each(over(x), divide{})(in(y[each]), largest, out(x[each])), assign(it, it + 1));
constexpr auto by_thread = seq(assign(it, 0), loop_while(again, seq(for_each(over(y), row_times{})(in(A), in(x), extent(y), out(y[each])), next)));
struct divide4 {
    COGRAPH_HD void operator()(index_t i, const float* from, float by, float4& to) const {
        to = {from[4 * i] / by, from[4 * i + 1] / by, from[4 * i + 2] / by, from[4 * i + 3] / by};
    }
};
template <int Size>
constexpr auto by_group = seq(assign(it, 0), loop_while(again, seq(for_each(over(y).group<Size>(), row_times_of_group{})(in(A4), in(x4), extent(y), out(y[each])),
                                                                   reduce(out(largest), in(y), maximum{}),
                                                                   for_each(over(x4), divide4{})(in(y), largest, out(x4[each])), assign(it, it + 1))));

static __global__ void scale_and_count(int n, const float* from, const int* at, float* to, int* done, cudaGraphConditionalHandle handle) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) to[i] = from[i] / fabsf(from[*at - 1]);
    if (i == 0) {
        *done += 1;
        cudaGraphSetConditional(handle, *done < iterations);
    }
}

struct blas_loop : by_hand::graph {
    bench::device_array<int> at{1}, done{1};
    bench::device_array<char> workspace{32 << 20};
    bench::device_array<float> constants{2};
    cublasHandle_t blas = nullptr;

    blas_loop(cudaStream_t stream, int n, const float* matrix, float* from, float* to) {
        using solver::hand::check;
        const float numbers[] = {1, 0};
        bench::check(cudaMemcpy(constants.data, numbers, sizeof numbers, cudaMemcpyHostToDevice));
        check(cublasCreate(&blas));
        check(cublasSetStream(blas, stream));
        check(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
        check(cublasSetWorkspace(blas, workspace.data, workspace.count));
        const auto libraries = [&] {
            check(cublasSgemv(blas, CUBLAS_OP_T, n, n, constants.data, matrix, n, from, 1, constants.data + 1, to, 1));
            check(cublasIsamax(blas, n, to, 1, at.data));
        };
        libraries();
        bench::check(cudaStreamSynchronize(stream));
        const auto handle_of_loop = condition(1);
        const auto loop = by_hand::add_conditional(handle, {}, handle_of_loop, cudaGraphCondTypeWhile);
        bench::check(cudaStreamBeginCaptureToGraph(stream, loop.body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
        libraries();
        scale_and_count<<<(n + 255) / 256, 256, 0, stream>>>(n, to, at.data, from, done.data, handle_of_loop);
        cudaGraph_t captured;
        bench::check(cudaStreamEndCapture(stream, &captured));
        instantiate();
    }
    ~blas_loop() { cublasDestroy(blas); }
};

inline void measure(const bench::gpu& g, int n) {
    const std::size_t rows = static_cast<std::size_t>(n);
    bench::device_array<float> matrix(rows * rows), from(rows), to(rows), top(1);
    bench::device_array<int> count(1);
    std::vector<float> numbers(rows * rows), ones(rows, 1.f);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 7919 % 1000) / 1000;
    check(cudaMemcpy(matrix.data, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemcpy(from.data, ones.data(), rows * sizeof(float), cudaMemcpyHostToDevice));
    const auto vectors = [&](const auto& e) {
        return instantiate(e, A4(reinterpret_cast<float4*>(matrix.data), rows * rows / 4), x4(reinterpret_cast<float4*>(from.data), rows / 4), y(to.data, rows), largest(top.data), it(count.data));
    };
    auto thread = instantiate(by_thread, A(matrix.data, rows * rows), x(from.data, rows), y(to.data, rows), largest(top.data), it(count.data));
    auto group32 = vectors(by_group<32>);
    auto group128 = vectors(by_group<128>);
    auto nodes = vectors(as_nodes(by_group<32>));
    blas_loop blas(g.stream, n, matrix.data, from.data, to.data);
    const auto time = [&](auto& graph) {
        check(cudaMemcpy(from.data, ones.data(), rows * sizeof(float), cudaMemcpyHostToDevice));
        count.zero();
        blas.done.zero();
        return lowering::duration(g, [&] { graph.launch(g.stream); }) / iterations;
    };
    const auto cost = lowering::medians(repetitions, [&] { return time(blas); }, [&] { return time(nodes); }, [&] { return time(group32); },
                                        [&] { return time(group128); }, [&] { return time(thread); });
    time(thread);
    const float expected = top.first();
    time(group32);
    bench::expect(std::abs(top.first() - expected) < 1e-3f * expected, "the largest element");
    std::printf("%-44s %9.2f %9.2f %9.2f %9.2f %9.2f\n", ("power iteration, " + std::to_string(n) + "^2 floats").c_str(), cost[0], cost[1], cost[4], cost[2], cost[3]);
}

}  // namespace power

namespace solver {

struct row_of_group {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const csr& A, const double* v, double& product) const {
        const int begin = A.row_begin[row];
        product = group.transform_reduce(A.row_begin[row + 1] - begin, [&](int k) { return A.value[begin + k] * v[A.column[begin + k]]; }, plus{});
    }
};
template <int Size>
constexpr auto by_groups() {
    return three_passes(for_each(over(x).group<Size>(), row_of_group{})(in(matrix<csr>{}), in(p), out(Ap[each])));
}

// Rows as segments of the entries. The vectors have the length of x, so that nodes share loops.
inline constexpr struct row_begin : buffer<row_begin, int> {} row_begin;
inline constexpr struct columns : buffer<columns, int> {} columns;
inline constexpr struct values : buffer<values, double> {} values;
inline constexpr struct residual : temp<residual, double, struct x> {} residual;
inline constexpr struct direction : temp<direction, double, struct x> {} direction;
inline constexpr struct product : temp<product, double, struct x> {} product;
struct product_of_entry {
    COGRAPH_HD double operator()(index_t, index_t at, const double* value, const int* column, const double* of) const { return value[at] * of[column[at]]; }
};
struct begin {
    COGRAPH_HD void operator()(index_t, double& at, double& rest, double& way) const {
        at = 0;
        rest = way = 1;
    }
};
constexpr auto by_segments() {
    const auto multiply = segmented_reduce(over(values), product_of_entry{}, plus{})(out(product), in(row_begin), in(values), in(columns), in(direction));
    return seq(for_each(over(x), begin{})(out(x[each]), out(residual[each]), out(direction[each])), dot(out(rr), in(residual), in(residual)), assign(it, 0),
               loop_while(unsolved, seq(multiply, dot(out(pAp), in(direction), in(product)), assign(alpha, rr / pAp),
                                        for_each(over(x), step_down{})(alpha, in(product[each]), inout(residual[each])), dot(out(rr_next), in(residual), in(residual)),
                                        count_iteration,
                                        for_each(over(x), step_on{})(alpha, beta, in(residual[each]), inout(x[each]), inout(direction[each])))));
}

// The same with both sums of an iteration at once, after Chronopoulos and Gear: p'Ap and Ap follow from r'Ar and Ar.
inline constexpr struct product_of_direction : temp<product_of_direction, double, struct x> {} product_of_direction;
inline constexpr struct rAr : scalar<rAr, double> {} rAr;
struct begin_at_once {
    COGRAPH_HD void operator()(index_t, double& at, double& rest, double& way, double& product_of_way) const {
        at = way = product_of_way = 0;
        rest = 1;
    }
};
struct step_at_once {
    COGRAPH_HD void operator()(index_t, double length, double share, double product_of_rest, double& at, double& rest, double& way, double& product_of_way) const {
        way = rest + share * way;
        product_of_way = product_of_rest + share * product_of_way;
        at += length * way;
        rest -= length * product_of_way;
    }
};
constexpr auto by_segments_at_once() {
    const auto sums = seq(segmented_reduce(over(values), product_of_entry{}, plus{})(out(product), in(row_begin), in(values), in(columns), in(residual)),
                          dot(out(rr_next), in(residual), in(residual)), dot(out(rAr), in(residual), in(product)), assign(beta, rr_next / rr),
                          assign(pAp, rAr - beta * beta * pAp), assign(alpha, rr_next / pAp), assign(rr, rr_next));
    return seq(for_each(over(x), begin_at_once{})(out(x[each]), out(residual[each]), out(direction[each]), out(product_of_direction[each])), assign(rr, 1.0), assign(pAp, 0.0),
               assign(it, 0), sums,
               loop_while(unsolved, seq(for_each(over(x), step_at_once{})(alpha, beta, in(product[each]), inout(x[each]), inout(residual[each]), inout(direction[each]),
                                                                          inout(product_of_direction[each])),
                                        sums, assign(it, it + 1))));
}

// A band of so many entries on both sides of the diagonal, with one full row and column.
inline sparse::csr_matrix arrow(int n, int half_width) {
    std::vector<sparse::coordinate> entries;
    for (int i = 0; i < n; ++i) {
        entries.push_back({i, i, i == 0 ? 3.0 * n : 2.0 * half_width + 4.0});
        if (i > 0) entries.push_back({0, i, -1}), entries.push_back({i, 0, -1});
        for (int k = std::max(1, i - half_width); i > 0 && k <= std::min(n - 1, i + half_width); ++k)
            if (k != i) entries.push_back({i, k, -1});
    }
    return sparse::compress(n, entries);
}
// So many entries on both sides of the diagonal.
inline sparse::csr_matrix banded(int n, int half_width) {
    std::vector<sparse::coordinate> entries;
    for (int i = 0; i < n; ++i) {
        entries.push_back({i, i, 2.0 * half_width + 0.01});
        for (int k = 1; k <= half_width; ++k) {
            if (i >= k) entries.push_back({i, i - k, -1});
            if (i + k < n) entries.push_back({i, i + k, -1});
        }
    }
    return sparse::compress(n, entries);
}

inline void measure_rows(const bench::gpu& g, const char* name, const sparse::csr_matrix& A, int iterations) {
    const device_csr here(A);
    const std::size_t rows = static_cast<std::size_t>(A.rows);
    bench::device_array<double> xs(rows), rs(rows), ps(rows), qs(rows), Aps(rows);
    bench::device_array<scalars> s(1);
    const limits until{1e-300, iterations};
    const auto bind = [&](const auto& e) {
        return instantiate(e, matrix<csr>{}(here.view()), x(xs.data, rows), r(rs.data, rows), p(ps.data, rows), Ap(Aps.data, rows), rr(&s.data->rr),
                           alpha(&s.data->alpha), beta(&s.data->beta), it(&s.data->it), least_rr(until.rr), most_it(until.it));
    };
    auto thread = bind(three_passes(multiply_by_threads()));
    auto eight = bind(by_groups<8>());
    auto warp = bind(by_groups<32>());
    auto block = bind(by_groups<256>());
    const csr view = here.view();
    const auto bind_segments = [&](const auto& e) {
        return instantiate(e, row_begin(view.row_begin, rows + 1), columns(view.column, A.value.size()), values(view.value, A.value.size()), x(xs.data, rows), rr(&s.data->rr),
                           alpha(&s.data->alpha), beta(&s.data->beta), it(&s.data->it), least_rr(until.rr), most_it(until.it));
    };
    auto segments = bind_segments(by_segments());
    auto at_once = bind_segments(by_segments_at_once());
    hand::library_loop libraries(g.stream, here.view(), {xs.data, rs.data, ps.data, qs.data, Aps.data}, s.data, until);
    const auto time = [&](auto& graph) {
        set_all<<<1024, 256, 0, g.stream>>>(xs.data, A.rows, 0);
        set_all<<<1024, 256, 0, g.stream>>>(rs.data, A.rows, 1);
        set_all<<<1024, 256, 0, g.stream>>>(ps.data, A.rows, 1);
        scalars state{};
        state.rr = A.rows;
        bench::check(cudaMemcpyAsync(s.data, &state, sizeof state, cudaMemcpyDefault, g.stream));
        const double cost = lowering::duration(g, [&] { graph.launch(g.stream); });
        return cost / s.first().it;
    };
    const auto cost = lowering::medians(7, [&] { return time(libraries); }, [&] { return time(thread); }, [&] { return time(eight); }, [&] { return time(warp); },
                                        [&] { return time(block); }, [&] { return time(segments); }, [&] { return time(at_once); });
    time(thread);
    const double expected = s.first().rr;
    const auto expect_as_expected = [&] { bench::expect(std::abs(s.first().rr - expected) <= 1e-6 * expected + 1e-12 * A.rows, name); };
    time(warp);
    expect_as_expected();
    time(segments);
    expect_as_expected();
    time(at_once);
    expect_as_expected();
    std::printf("%-44s %9.2f %9s %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n", name, cost[0], "-", cost[1], cost[2], cost[3], cost[4], cost[5], cost[6]);
}

}  // namespace solver

int main() {
    const bench::gpu g;
    cudaDeviceProp device;
    bench::check(cudaGetDeviceProperties(&device, 0));
    std::printf("rows by groups of threads (us an iteration) (%s)\n", device.name);
    std::printf("%-44s %9s %9s %9s %9s %9s\n", "what", "by hand", "as nodes", "thread", "group 32", "group 128");
    for (int n : {512, 1024, 2048, 4096}) power::measure(g, n);
    std::printf("%-44s %9s %9s %9s %9s %9s %9s %9s %9s\n", "what", "by hand", "as nodes", "thread", "group 8", "group 32", "group 256", "segments", "at once");
    solver::measure_rows(g, "CG, 1000 rows, 13 000 entries", solver::banded(1000, 6), 200);
    solver::measure_rows(g, "CG, arrow of 1 000", solver::arrow(1'000, 0), 100);
    solver::measure_rows(g, "CG, arrow of 1 000 in a band, 13 000 entries", solver::arrow(1'000, 5), 200);
    solver::measure_rows(g, "CG, arrow of 10 000", solver::arrow(10'000, 0), 100);
}
