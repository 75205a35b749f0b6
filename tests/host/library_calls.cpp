// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"
#include "../library_programs.hpp"

#include <cograph/check.hpp>
#include <cograph/libraries/rows/known_divisor.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace library_programs;
using std::span;

namespace {

inline constexpr struct waves : buffer<waves, std::complex<double>> {} waves;
struct wave {
    float x, y;
};
inline constexpr struct f : buffer<f, float> {} f;
inline constexpr struct few : buffer<few, wave> {} few;
inline constexpr struct n : value<n, int> {} n;

using vector = std::vector<double>;

// sum over k of a(i, k) b(k, j)
vector product(const vector& a, const vector& b, int rows, int inner, int columns, bool a_transposed, bool b_transposed) {
    vector c;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            double sum = 0;
            for (int k = 0; k < inner; ++k)
                sum += a[static_cast<std::size_t>(a_transposed ? k * rows + i : i * inner + k)] * b[static_cast<std::size_t>(b_transposed ? j * inner + k : k * columns + j)];
            c.push_back(sum);
        }
    return c;
}

}  // namespace

TEST_CASE("BLAS: vectors and matrices, factors of all kinds") {
    vector xs{1, -2}, ys{9, 9, 9}, zs{1, 1, 1}, as{1, 2, 0, 1, -1, 1};
    double squares = 0, norm = 0;
    simulate(of_matrices(), x(span(xs)), y(span(ys)), z(span(zs)), A(span(as)), s(&squares), t(&norm), by(2));
    CHECK(squares == 9 + 4 + 9);
    CHECK(ys == vector{-72, -48, -72});       // 22 A x + 2 A x
    CHECK(xs == vector{-1, -2 * 264 + 2});    // 2 A^T y - x
    CHECK(zs == vector{3 * (1 - 72 * 23), 3 * (1 - 48 * 23), 3 * (1 - 72 * 23)});
    CHECK(norm == std::sqrt(1.0 + 526.0 * 526.0));
}

TEST_CASE("BLAS: products of matrices take their sides from three extents, and go by transposed ones") {
    const vector as = whole_numbers(6, 1), bs = whole_numbers(8, 2);
    vector cs(12, 100), wanted(12);
    simulate(of_products(), A(span(as.data(), 6)), B(span(bs.data(), 8)), C(span(cs)), by(5));
    const vector first = product(as, bs, 3, 2, 4, false, false), second = product(as, bs, 3, 2, 4, true, false), third = product(as, bs, 3, 2, 4, false, true),
                 fourth = product(as, bs, 3, 2, 4, true, true);
    for (std::size_t i = 0; i < 12; ++i) wanted[i] = 3 * (first[i] + 2 * second[i]) - third[i] + 5 * fourth[i];
    CHECK(cs == wanted);

    vector batch(3 * 4, 0), left = whole_numbers(3 * 6, 3), right = whole_numbers(3 * 6, 4);  // three times (2 x 3) (3 x 2)
    simulate(blas::batched_gemm(out(C), in(A), in(B), n), A(span(left)), B(span(right)), C(span(batch)), n(3));
    for (std::size_t i = 0; i < 3; ++i) {
        const vector one = product({left.begin() + static_cast<std::ptrdiff_t>(6 * i), left.begin() + static_cast<std::ptrdiff_t>(6 * i + 6)},
                                   {right.begin() + static_cast<std::ptrdiff_t>(6 * i), right.begin() + static_cast<std::ptrdiff_t>(6 * i + 6)}, 2, 3, 2, false, false);
        CHECK((vector{batch.begin() + static_cast<std::ptrdiff_t>(4 * i), batch.begin() + static_cast<std::ptrdiff_t>(4 * i + 4)} == one));
    }
}

TEST_CASE("BLAS: triangles are solved in a loop") {
    const vector as{2, 7, 9, 3, 4, 8, -1, 2, 1};
    vector xs{2, 16, 9}, ys(3);
    int count = 0;
    simulate(in_a_loop(), x(span(xs)), y(span(ys)), A(span(as)), rounds(&count));
    // By hand: unit_lower forward, then A^T's upper half as stored (rows of A^T), then A x.
    vector wanted{2, 16, 9};
    for (int round = 0; round < 3; ++round) {
        double a = wanted[0], b = wanted[1] - 3 * a, c = wanted[2] + a - 2 * b;
        c = c / 1, b = (b - 2 * c) / 4, a = (a - 3 * b + c) / 2;
        wanted = {2 * a + 7 * b + 9 * c, 3 * a + 4 * b + 8 * c, -a + 2 * b + c};
    }
    CHECK(xs == wanted);
    CHECK(count == 3);
}

TEST_CASE("sparse products and triangles, on a view of compressed rows") {
    const std::vector<int> row_begins{0, 2, 4, 7}, columns{0, 2, 1, 0, 2, 0, 1};
    const vector entries{1, 3, 1, 2, 1, -1, 4};  // 1 0 3; 2 1 0; -1 4 1
    const sparse::csr_view<double> matrix{row_begins.data(), columns.data(), entries.data(), 3, 3, 7};
    const vector full{1, 0, 3, 2, 1, 0, -1, 4, 1}, bs = whole_numbers(6, 5);
    vector xs{1, 2, 3}, ys(3), cs(6);
    double factor = 2;
    simulate(of_sparse(), M(matrix), x(span(xs)), y(span(ys)), s(&factor), B(span(bs.data(), 6)), C(span(cs)));
    vector wanted{1, 2, 3};
    for (int round = 0; round < 2; ++round) {
        vector v = product(full, wanted, 3, 3, 1, false, false);
        for (double& element : v) element *= 3;
        v[1] -= 2 * v[0], v[2] -= -v[0] + 4 * v[1];
        v[0] -= 3 * v[2];
        wanted = v;
    }
    CHECK(xs == wanted);
    CHECK(cs == product(full, bs, 3, 3, 2, false, false));
    CHECK(check(of_sparse(), M(matrix), x(span(xs)), y(span(ys)), s(&factor), B(span(bs.data(), 6)), C(span(cs))).findings().empty());
}

TEST_CASE("Fourier transforms: one, two and three dimensions, one after the other, real and complex, there and back") {
    const vector start = whole_numbers(24, 3);
    vector xs = start, ys(24);
    std::vector<std::complex<double>> ws(24);
    const auto near_start = [&](double factor) {
        double worst = 0;
        for (std::size_t i = 0; i < 24; ++i) worst = std::fmax(worst, std::fabs(ys[i] / factor - start[i]));
        return worst < 1e-13;
    };
    simulate(seq(fft::forward(out(waves), in(x)), fft::inverse(out(y), inout(waves))), x(span(xs)), y(span(ys)), waves(ws.data(), 13));
    CHECK(near_start(24));
    CHECK(std::abs(ws[0] - std::accumulate(start.begin(), start.end(), 0.0)) < 1e-13);
    std::complex<double> seventh = 0;
    for (int i = 0; i < 24; ++i) seventh += start[static_cast<std::size_t>(i)] * std::polar(1.0, -2 * 3.14159265358979323846 * 7 * i / 24);
    CHECK(std::abs(ws[7] - seventh) < 1e-13);
    simulate(seq(fft::forward(out(waves), in(x), n), fft::inverse(out(y), inout(waves), n)), x(span(xs)), y(span(ys)), waves(ws.data(), 16), n(6));
    CHECK(near_start(6));
    simulate(seq(fft::forward(out(waves), in(x), 4, 6), fft::inverse(out(y), inout(waves), 4, 6)), x(span(xs)), y(span(ys)), waves(ws.data(), 16));
    CHECK(near_start(24));
    simulate(seq(fft::forward(out(waves), in(x), 2, 3, 4), fft::inverse(out(y), inout(waves), 2, 3, 4)), x(span(xs)), y(span(ys)), waves(ws.data(), 18));
    CHECK(near_start(24));

    std::vector<float> fs(8);
    std::vector<wave> fews(5);
    for (int i = 0; i < 8; ++i) fs[static_cast<std::size_t>(i)] = static_cast<float>(i % 2);
    simulate(fft::forward(out(few), in(f)), f(span(fs)), few(span(fews)));
    CHECK((std::fabs(fews[0].x - 4) < 1e-5 && std::fabs(fews[4].x + 4) < 1e-5 && std::fabs(fews[1].x) < 1e-5 && std::fabs(fews[1].y) < 1e-5));
    std::vector<std::complex<double>> cs{{1, 2}, {3, -1}, {0, 1}, {2, 2}};
    simulate(seq(fft::forward(inout(waves), 2, 2), fft::inverse(inout(waves), 2, 2)), waves(span(cs)));
    CHECK(std::abs(cs[1] - std::complex<double>(12, -4)) < 1e-13);
}

TEST_CASE("sizes that do not fit together stop a call of a library") {
    vector two(2), three(3), five(5);
    std::vector<std::complex<double>> ws(3);
    const auto says = [](const char* words, const auto& e, auto... bindings) {
        try {
            simulate(e, bindings...);
        } catch (const error& problem) {
            return std::string(problem.what()).find(words) != std::string::npos;
        }
        return false;
    };
    CHECK(says("gemv: 3, 5 and 2 elements do not fit", blas::gemv(out(y), in(A), in(x)), y(span(three)), A(span(five)), x(span(two))));
    CHECK(says("both vectors are of one length", blas::axpy(inout(y), in(x)), y(span(three)), x(span(two))));
    CHECK(says("those of C = A * B", blas::gemm(out(C), in(A), in(B)), C(span(two)), A(span(three)), B(span(five))));
    CHECK(says("as many matrices", blas::batched_gemm(out(C), in(A), in(B), 2), C(span(three)), A(span(two)), B(span(two))));
    CHECK(says("3 elements do not become 3", fft::forward(out(waves), in(x)), waves(span(ws)), x(span(three))));
    CHECK(says("a result of 3 elements", sparse::spmv(out(y), in(M), in(x)), y(span(three)), M({nullptr, nullptr, nullptr, 2, 2, 0}), x(span(two))));
}

// Of all exponents and signs, with mantissas that are hard to round: few ones, few zeros, and any.
template <class T, class Bits>
T any_number(std::mt19937_64& random, int mantissa_bits, Bits exponents) {
    const Bits ones = (Bits{1} << mantissa_bits) - 1, any = static_cast<Bits>(random());
    const Bits mantissas[] = {any & ones, any % 8, ones - any % 8, (any % 1024) << (mantissa_bits - 10)};
    const Bits middle = exponents / 2 - 20 + static_cast<Bits>(random() % 40), exponent = random() % 4 == 0 ? static_cast<Bits>(random()) % exponents : middle;
    return std::bit_cast<T>(static_cast<Bits>((random() % 2) << (sizeof(T) * 8 - 1)) | exponent << mantissa_bits | mantissas[random() % 4]);
}
template <class T, class Bits>
int wrong_quotients(int mantissa_bits, Bits exponents) {
    std::mt19937_64 random(1);
    int wrong = 0;
    for (int i = 0; i < 300000; ++i) {
        const T divisor = any_number<T>(random, mantissa_bits, exponents), factor = any_number<T>(random, mantissa_bits, exponents);
        const T dividend = i % 2 == 0 ? factor : factor * divisor;
        const T found = core::sparse_routine::known_divisor<T>(divisor).divide(dividend), wanted = dividend / divisor;
        wrong += std::bit_cast<Bits>(found) != std::bit_cast<Bits>(wanted) && !(std::isnan(found) && std::isnan(wanted));
    }
    return wrong;
}

TEST_CASE("a quotient by a known divisor has the bits of a division") {
    CHECK(wrong_quotients<double, std::uint64_t>(52, 2048) == 0);
    CHECK(wrong_quotients<float, std::uint32_t>(23, 256) == 0);
    CHECK(std::isinf(core::sparse_routine::known_divisor(0.0).divide(1.0)));
}
