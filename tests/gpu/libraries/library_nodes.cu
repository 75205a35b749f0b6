// SPDX-License-Identifier: Apache-2.0
#include "../../library_programs.hpp"
#include "../ways.cuh"

#include <cmath>
#include <complex>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

// Calls of libraries against their host implementations: as a graph, updated, and on a stream.
namespace {

using namespace library_programs;
using ways::device_array;
using ways::stream;
using vector = std::vector<double>;

inline constexpr struct waves : buffer<waves, std::complex<double>> {} waves;
inline constexpr struct few : buffer<few, float2> {} few;
inline constexpr struct n : value<n, int> {} n;

bool are_close(const vector& a, const vector& b) {
    bool is = a.size() == b.size();
    for (std::size_t i = 0; is && i < a.size(); ++i) is = std::fabs(a[i] - b[i]) <= 1e-9 * (1 + std::fabs(b[i]));
    return is;
}

// Runs what a callable makes of arrays: simulated with `on_host`, then with memory of the device as a graph and on a stream. Each array
// is as it was at first, and must be as the host leaves it.
template <class Bind>
void check_ways(const std::vector<vector>& start, Bind bind) {
    std::vector<vector> wanted = start;
    bind([](auto& array) { return std::span(array); }, wanted, [](const auto& e, auto... b) { simulate(e, b...); });
    const stream on;
    const auto check = [&](auto run) {
        std::deque<device_array<double>> arrays;
        for (const vector& from : start) arrays.emplace_back(from);
        bind([](auto& array) { return array.all(); }, arrays, run);
        on.wait();
        for (std::size_t i = 0; i < start.size(); ++i) {
            CAPTURE(i);
            CHECK(are_close(arrays[i].read(), wanted[i]));
        }
    };
    check([&](const auto& e, auto... b) {
        auto exec = instantiate(e, b...);
        exec.launch(on);
        on.wait();
    });
    check([&](const auto& e, auto... b) {
        run_on(on, e, b...);
        on.wait();
    });
}

vector diagonally_dominant(std::size_t rows) {
    vector made = whole_numbers(rows * rows, 3);
    for (std::size_t i = 0; i < rows; ++i) made[i * rows + i] = 8 * static_cast<double>(rows);
    return made;
}

}  // namespace

TEST_CASE("cuBLAS as nodes: vectors, matrices and factors of all kinds", "[gpu][library_nodes]") {
    check_ways({whole_numbers(2, 1), vector(3), whole_numbers(3, 2), whole_numbers(6, 3), {0}, {0}}, [](auto all, auto& m, auto run) {
        run(of_matrices(), x(all(m[0])), y(all(m[1])), z(all(m[2])), A(all(m[3])), s(all(m[4]).data()), t(all(m[5]).data()), by(2));
    });
    const std::size_t rows = 300, columns = 200;
    check_ways({whole_numbers(columns, 1), vector(rows), whole_numbers(rows, 2), whole_numbers(rows * columns, 3), {0}, {0}}, [](auto all, auto& m, auto run) {
        run(of_matrices(), x(all(m[0])), y(all(m[1])), z(all(m[2])), A(all(m[3])), s(all(m[4]).data()), t(all(m[5]).data()), by(3));
    });
}

TEST_CASE("cuBLAS as nodes: products of matrices, also many", "[gpu][library_nodes]") {
    check_ways({whole_numbers(6, 1), whole_numbers(8, 2), vector(12)}, [](auto all, auto& m, auto run) { run(of_products(), A(all(m[0])), B(all(m[1])), C(all(m[2])), by(5)); });
    check_ways({whole_numbers(70 * 50, 1), whole_numbers(50 * 90, 2), vector(70 * 90)},
               [](auto all, auto& m, auto run) { run(of_products(), A(all(m[0])), B(all(m[1])), C(all(m[2])), by(5)); });
    check_ways({whole_numbers(5 * 6, 1), whole_numbers(5 * 6, 2), vector(5 * 4)},
               [](auto all, auto& m, auto run) { run(blas::batched_gemm(out(C), in(A), blas::transposed(in(B)), n, 2), A(all(m[0])), B(all(m[1])), C(all(m[2])), n(5)); });
}

TEST_CASE("cuBLAS as nodes: triangles in a loop", "[gpu][library_nodes]") {
    for (const std::size_t rows : {std::size_t{3}, std::size_t{150}})
        check_ways({whole_numbers(rows, 1), vector(rows), diagonally_dominant(rows)},
                   [](auto all, auto& m, auto run) { run(in_a_loop(), x(all(m[0])), y(all(m[1])), A(all(m[2]))); });
}

TEST_CASE("a handle of the user's is as it was after a call", "[gpu][library_nodes]") {
    cublasHandle_t handle = nullptr;
    REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    check_ways({whole_numbers(50, 1), whole_numbers(50, 2)},
               [&](auto all, auto& m, auto run) { run(blas::with(handle).axpy(inout(y), in(x), 3), x(all(m[0])), y(all(m[1]))); });
    cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
    cublasGetPointerMode(handle, &mode);
    CHECK(mode == CUBLAS_POINTER_MODE_DEVICE);
    cublasDestroy(handle);
}

TEST_CASE("cuSPARSE as nodes, and triangles by rows", "[gpu][library_nodes]") {
    // Rows of 3 to 40 entries, those near the diagonal, in no order.
    const int rows = 2000;
    std::vector<int> begins{0}, columns;
    vector entries;
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < 3 + i % 38; ++k) {
            const int j = (i * 31 + k * k * 17) % rows;
            if (j == i) continue;
            columns.push_back(j);
            entries.push_back(0.001 * (k % 5 - 2));
        }
        columns.push_back(i);
        entries.push_back(2);
        begins.push_back(static_cast<int>(columns.size()));
    }
    const device_array<int> device_begins(begins), device_columns(columns);
    const device_array<double> device_entries(entries);
    const auto n_entries = static_cast<index_t>(entries.size());
    check_ways({whole_numbers(rows, 1), vector(rows), {2}, whole_numbers(4 * rows, 2), vector(4 * rows)}, [&](auto all, auto& m, auto run) {
        constexpr bool on_host = std::is_same_v<std::remove_reference_t<decltype(m[0])>, vector>;
        const sparse::csr_view<double> matrix{on_host ? begins.data() : device_begins.data(), on_host ? columns.data() : device_columns.data(),
                                              on_host ? entries.data() : device_entries.data(), rows, rows, n_entries};
        run(of_sparse(), M(matrix), x(all(m[0])), y(all(m[1])), s(all(m[2]).data()), B(all(m[3])), C(all(m[4])));
    });
}

TEST_CASE("cuFFT as nodes: there and back in a loop, in all dimensions, and updated to other lengths", "[gpu][library_nodes]") {
    const stream on;
    const auto there_and_back = [](auto... sides) {
        return seq(assign(rounds, 0), loop_while(rounds < 3, seq(fft::forward(out(waves), in(x), sides...), fft::inverse(out(y), inout(waves), sides...),
                                                                 blas::scal(inout(y), 1.0 / 512), copy(in(y), out(x)), assign(rounds, rounds + 1))));
    };
    const vector start = whole_numbers(512, 5);
    const device_array<std::complex<double>> spectrum(std::vector<std::complex<double>>(512));
    const auto check = [&](const auto& e, std::size_t complex_elements) {
        const device_array<double> xs(start), ys(start.size());
        auto exec = instantiate(e, x(xs.all()), y(ys.all()), waves(spectrum.data(), complex_elements));
        exec.launch(on);
        on.wait();
        CHECK(are_close(xs.read(), start));
        std::vector<std::complex<double>> wanted(complex_elements);
        vector from = start;
        simulate(fft::forward(out(waves), in(x)), x(std::span(from)), waves(wanted.data(), 257));
        run_on(on, fft::forward(out(waves), in(x)), x(xs.all()), waves(spectrum.data(), 257));
        on.wait();
        CHECK(std::abs(spectrum.read()[7] - wanted[7]) < 1e-9);
    };
    check(there_and_back(), 257);
    check(there_and_back(16, 32), 16 * 17);
    check(there_and_back(8, 8, 8), 8 * 8 * 5);

    // Four transforms of 8 beside each other, complex ones in place, single precision; then two of 16.
    const auto in_place = seq(fft::forward(inout(few), n), fft::inverse(inout(few), n));
    std::vector<float2> small(32);
    for (std::size_t i = 0; i < 32; ++i) small[i] = {static_cast<float>(i % 7), static_cast<float>(i % 5)};
    const device_array<float2> values(small);
    auto exec = instantiate(in_place, few(values.all()), n(8));
    exec.launch(on);
    on.wait();
    CHECK(std::fabs(values.read()[5].x - 8 * 5) < 1e-3);
    exec.update(n(16));
    exec.launch(on);
    on.wait();
    CHECK(std::fabs(values.read()[5].x - 16 * 8 * 5) < 1e-1);
}

TEST_CASE("what a library refuses is an error with the node's name and the library's words", "[gpu][library_nodes]") {
    const stream on;
    const device_array<double> two(2), three(3), five(5);
    const auto message = [&](const auto& e, auto... b) {
        try {
            auto exec = instantiate(e, b...);
        } catch (const error& problem) {
            return std::string(problem.what());
        }
        return std::string();
    };
    const std::string sizes = message(blas::gemv(out(y), in(A), in(x)), y(three.all()), A(five.all()), x(two.all()));
    CHECK(sizes.find("'gemv' (") != std::string::npos);
    CHECK(sizes.find("gemv: 3, 5 and 2 elements do not fit together") != std::string::npos);
    const auto refused = captured([](cudaStream_t, double*) { core::blas_routine::must_succeed(CUBLAS_STATUS_NOT_SUPPORTED, "cublasDgemv"); })(inout(x));
    CHECK(message(refused, x(two.all())).find("cublasDgemv: CUBLAS_STATUS_NOT_SUPPORTED: ") != std::string::npos);
}
