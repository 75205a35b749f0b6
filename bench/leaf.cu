// SPDX-License-Identifier: Apache-2.0
// Leaf kernels of function objects, against kernels written by hand with the same index arithmetic: 64-bit index, one
// thread an element. leaf_sass.py compares their machine code; this program their time.
#include "bench.cuh"

#include <cograph.cuh>

#include <cstddef>
#include <string>

struct csr {
    const int *rows, *columns;
    const double* values;
};

struct axpy {
    COGRAPH_HD void operator()(cograph::index_t i, const double* x, double* y, double a) const { y[i] += a * x[i]; }
};

struct spmv {
    COGRAPH_HD void operator()(cograph::index_t i, const csr& m, const double* x, double* y) const {
        double sum = 0;
        for (int k = m.rows[i]; k < m.rows[i + 1]; ++k) sum += m.values[k] * x[m.columns[k]];
        y[i] = sum;
    }
};

struct stencil {
    COGRAPH_HD void operator()(cograph::index_t i, int width, int height, const double* x, double* y) const {
        const cograph::index_t row = i / width, column = i % width;
        const bool edge = row == 0 || column == 0 || row == height - 1 || column == width - 1;
        y[i] = edge ? x[i] : 0.25 * (x[i - 1] + x[i + 1] + x[i - width] + x[i + width]);
    }
};

struct rotate {
    COGRAPH_HD void operator()(const double& a, double& b) const { b = b < 1 ? b + a : b - a; }
};

__device__ inline std::ptrdiff_t own_index() {
    return std::ptrdiff_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void by_hand_axpy(std::ptrdiff_t n, const double* x, double* y, double a) {
    if (const auto i = own_index(); i < n) y[i] += a * x[i];
}

__global__ void by_hand_spmv(std::ptrdiff_t n, csr m, const double* x, double* y) {
    const auto i = own_index();
    if (i >= n) return;
    double sum = 0;
    for (int k = m.rows[i]; k < m.rows[i + 1]; ++k) sum += m.values[k] * x[m.columns[k]];
    y[i] = sum;
}

__global__ void by_hand_stencil(std::ptrdiff_t n, int width, int height, const double* x, double* y) {
    const auto i = own_index();
    if (i >= n) return;
    const auto row = i / width, column = i % width;
    const bool edge = row == 0 || column == 0 || row == height - 1 || column == width - 1;
    y[i] = edge ? x[i] : 0.25 * (x[i - 1] + x[i + 1] + x[i - width] + x[i + width]);
}

__global__ void by_hand_rotate(const double* a, double* b) {
    *b = *b < 1 ? *b + *a : *b - *a;
}

namespace {

inline constexpr struct input : cograph::buffer<input, double> {} input;
inline constexpr struct output : cograph::buffer<output, double> {} output;
inline constexpr struct factor : cograph::value<factor, double> {} factor;
inline constexpr struct matrix : cograph::view<matrix, csr> {} matrix;
inline constexpr struct delta : cograph::scalar<delta, double> {} delta;
inline constexpr struct angle : cograph::scalar<angle, double> {} angle;

struct problem {
    int side;
    int n = side * side;
    bench::device_array<double> x{std::size_t(n)}, y{std::size_t(n)}, values{std::size_t(n) * 5};
    bench::device_array<int> rows{std::size_t(n) + 1}, columns{std::size_t(n) * 5};

    csr view() const { return {rows.data, columns.data, values.data}; }
};

// A matrix with five entries a row, near the diagonal, and a vector that is not constant.
__global__ void fill(int n, int* rows, int* columns, double* values, double* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    rows[i] = 5 * i;
    if (i == n) return;
    x[i] = 1 + i % 7;
    for (int k = 0; k < 5; ++k) {
        columns[5 * i + k] = (i + k * 31) % n;
        values[5 * i + k] = 0.1 * (k + 1);
    }
}

template <class Library>
void measure(const bench::gpu& g, const std::string& what, by_hand::graph& hand, Library library,
             double target = 1.02) {
    hand.instantiate();
    bench::row(what.c_str(),
               bench::compare(
                   15, [&] { return bench::back_to_back(g, 20, [&] { hand.launch(g.stream); }); },
                   [&] { return bench::back_to_back(g, 20, [&] { library.launch(g.stream); }); }),
               target);
}

void measure_side(const bench::gpu& g, int side) {
    using namespace cograph;
    problem p{side};
    const auto n = p.n;
    const by_hand::shape over_n{unsigned(n + 255) / 256, 256};
    fill<<<n / 256 + 1, 256, 0, g.stream>>>(n, p.rows.data, p.columns.data, p.values.data, p.x.data);
    bench::check(cudaGetLastError());
    g.wait();
    const std::string suffix = ", n = " + std::to_string(n) + " (us)";

    by_hand::graph axpys, spmvs, stencils;
    by_hand::add_kernel(axpys.handle, {}, by_hand_axpy, over_n, n, p.x.data, p.y.data, 1e-3);
    by_hand::add_kernel(spmvs.handle, {}, by_hand_spmv, over_n, n, p.view(), p.x.data, p.y.data);
    by_hand::add_kernel(stencils.handle, {}, by_hand_stencil, over_n, n, side, side, p.x.data, p.y.data);
    cudaGraphNode_t node;
    by_hand::graph copies, fills;
    cudaMemsetParams zeros{};
    zeros.dst = p.y.data;
    zeros.elementSize = 4;
    zeros.width = 2 * std::size_t(n);
    zeros.height = 1;
    bench::check(cudaGraphAddMemcpyNode1D(&node, copies.handle, nullptr, 0, p.y.data, p.x.data, n * sizeof(double),
                                          cudaMemcpyDeviceToDevice));
    bench::check(cudaGraphAddMemsetNode(&node, fills.handle, nullptr, 0, &zeros));
    measure(g, "axpy" + suffix, axpys,
            instantiate(for_each(over(output), axpy{})(in(input), inout(output), factor), input(p.x.data, n),
                        output(p.y.data, n), factor(1e-3)));
    measure(g, "spmv row" + suffix, spmvs,
            instantiate(for_each(over(output), spmv{})(in(matrix), in(input), out(output)), matrix(p.view()),
                        input(p.x.data, n), output(p.y.data, n)));
    measure(g, "stencil" + suffix, stencils,
            instantiate(for_each(over(output), stencil{})(side, side, in(input), out(output)), input(p.x.data, n),
                        output(p.y.data, n)));
    measure(g, "copy against memcpy node" + suffix, copies,
            instantiate(copy(in(input), out(output)), input(p.x.data, n), output(p.y.data, n)), 0);
    measure(g, "fill with 0 against memset node" + suffix, fills,
            instantiate(fill(out(output), 0.0), output(p.y.data, n)), 0);
}

}  // namespace

int main() {
    using namespace cograph;
    bench::gpu g;
    bench::title("leaf kernels, device time");
    bench::device_array<double> two(2);
    by_hand::graph single;
    by_hand::add_kernel(single.handle, {}, by_hand_rotate, {1, 1}, two.data, two.data + 1);
    measure(g, "single_task (us)", single,
            instantiate(single_task(rotate{})(in(delta), inout(angle)), delta(two.data), angle(two.data + 1)));
    measure_side(g, 1000);
    measure_side(g, 8000);
}
