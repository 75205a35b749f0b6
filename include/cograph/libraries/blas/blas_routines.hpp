// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/libraries/library_call.hpp>

#include <cmath>
#include <cstdio>
#include <type_traits>

namespace cograph::blas {

// The names of calls.
struct axpy;
struct scal;
struct dot;
struct nrm2;
struct gemv;
struct gemm;
struct batched_gemm;
struct trsv;
reason::advises<struct write_axpy_inout_y_in_x_alpha> how_to_call(axpy*);
reason::advises<struct write_scal_inout_x_alpha> how_to_call(scal*);
reason::advises<struct write_blas_dot_out_s_in_x_in_y> how_to_call(dot*);
reason::advises<struct write_nrm2_out_s_in_x> how_to_call(nrm2*);
reason::advises<struct write_gemv_inout_y_in_A_in_x_alpha_beta> how_to_call(gemv*);
reason::advises<struct write_gemm_inout_C_in_A_in_B_alpha_beta> how_to_call(gemm*);
reason::advises<struct write_batched_gemm_inout_C_in_A_in_B_count_alpha_beta> how_to_call(batched_gemm*);
reason::advises<struct write_trsv_inout_x_in_A_lower> how_to_call(trsv*);

}  // namespace cograph::blas

// The routines of BLAS that are nodes, as plain loops for simulate and check. Matrices are stored row by row.
namespace cograph::core::blas_routine {

template <class Name>
struct real_routine {
    using name = Name;
    template <class T>
    static constexpr bool has_elements = std::is_same_v<T, float> || std::is_same_v<T, double>;
};

[[noreturn]] inline void refuse_sizes(const char* routine, const char* rule, index_t a, index_t b, index_t c) {
    char text[320];
    std::snprintf(text, sizeof text, "%s: %lld, %lld and %lld elements do not fit together: %s.", routine, static_cast<long long>(a), static_cast<long long>(b),
                  static_cast<long long>(c), rule);
    throw error({}, text);
}
inline void need(bool fits, const char* routine, const char* rule, index_t a, index_t b, index_t c) {
    if (!fits) refuse_sizes(routine, rule, a, b, c);
}
inline void need_two_of_one_length(const char* routine, index_t n, index_t m) {
    need(n == m, routine, "both vectors are of one length", n, m, n);
}
inline void need_matrix(const char* routine, index_t rows, index_t elements, index_t columns) {
    need(elements == rows * columns, routine, "the matrix (the second) has as many elements as the result times the vector", rows, elements, columns);
}

// C (rows x columns) = A (rows x inner) * B (inner x columns): three numbers of elements determine the three sides.
struct product_sides {
    index_t rows, columns, inner;
};
inline product_sides sides_of_product(const char* routine, index_t c, index_t a, index_t b) {
    if (c == 0 || a == 0 || b == 0) {
        need(c == 0 || (a == 0 && b == 0), routine, "the result C, A and B are those of C = A * B", c, a, b);
        return {c, c > 0, 0};
    }
    const auto rows = static_cast<index_t>(std::llround(std::sqrt(static_cast<double>(c) / static_cast<double>(b) * static_cast<double>(a))));
    const product_sides sides{rows, rows ? c / rows : 0, rows ? a / rows : 0};
    need(rows > 0 && sides.columns * rows == c && sides.inner * rows == a && sides.inner * sides.columns == b, routine,
         "the result C, A and B are those of C = A * B", c, a, b);
    return sides;
}

struct axpy : real_routine<blas::axpy> {
    template <class T, class A>
    static void on_host(T* y, index_t n, const T* x, index_t m, A alpha) {
        need_two_of_one_length("axpy", n, m);
        const T factor = number_at<T>(alpha);
        for (index_t i = 0; i < n; ++i) y[i] += factor * x[i];
    }
};
struct scal : real_routine<blas::scal> {
    template <class T, class A>
    static void on_host(T* x, index_t n, A alpha) {
        const T factor = number_at<T>(alpha);
        for (index_t i = 0; i < n; ++i) x[i] *= factor;
    }
};
struct dot : real_routine<blas::dot> {
    template <class T>
    static void on_host(T* result, const T* x, index_t n, const T* y, index_t m) {
        need_two_of_one_length("dot", n, m);
        T sum = 0;
        for (index_t i = 0; i < n; ++i) sum += x[i] * y[i];
        *result = sum;
    }
};
struct nrm2 : real_routine<blas::nrm2> {
    template <class T>
    static void on_host(T* result, const T* x, index_t n) {
        T sum = 0;
        for (index_t i = 0; i < n; ++i) sum += x[i] * x[i];
        *result = std::sqrt(sum);
    }
};
template <bool Transposed>
struct gemv : real_routine<blas::gemv> {
    template <class T, class A, class B>
    static void on_host(T* y, index_t m, const T* matrix, index_t elements, const T* x, index_t n, A alpha, B beta) {
        need_matrix("gemv", m, elements, n);
        const T factor = number_at<T>(alpha), old = number_at<T>(beta);
        for (index_t i = 0; i < m; ++i) {
            T sum = 0;
            for (index_t j = 0; j < n; ++j) sum += (Transposed ? matrix[j * m + i] : matrix[i * n + j]) * x[j];
            y[i] = factor * sum + (old == T(0) ? T(0) : old * y[i]);
        }
    }
};
template <bool FirstTransposed, bool SecondTransposed>
struct gemm : real_routine<blas::gemm> {
    template <class T, class A, class B>
    static void on_host(T* c, index_t c_size, const T* a, index_t a_size, const T* b, index_t b_size, A alpha, B beta) {
        const product_sides s = sides_of_product("gemm", c_size, a_size, b_size);
        const T factor = number_at<T>(alpha), old = number_at<T>(beta);
        for (index_t i = 0; i < s.rows; ++i)
            for (index_t j = 0; j < s.columns; ++j) {
                T sum = 0;
                for (index_t k = 0; k < s.inner; ++k)
                    sum += (FirstTransposed ? a[k * s.rows + i] : a[i * s.inner + k]) * (SecondTransposed ? b[j * s.inner + k] : b[k * s.columns + j]);
                T& to = c[i * s.columns + j];
                to = factor * sum + (old == T(0) ? T(0) : old * to);
            }
    }
};
inline void need_batch(index_t count, index_t c, index_t a, index_t b) {
    need(count > 0 && c % count == 0 && a % count == 0 && b % count == 0, "batched_gemm", "each is of as many matrices as the count says", c, a, b);
}
template <bool FirstTransposed, bool SecondTransposed>
struct batched_gemm : real_routine<blas::batched_gemm> {
    template <class T, class A, class B>
    static void on_host(T* c, index_t c_size, const T* a, index_t a_size, const T* b, index_t b_size, index_t count, A alpha, B beta) {
        need_batch(count, c_size, a_size, b_size);
        c_size /= count, a_size /= count, b_size /= count;
        for (index_t i = 0; i < count; ++i)
            gemm<FirstTransposed, SecondTransposed>::on_host(c + i * c_size, c_size, a + i * a_size, a_size, b + i * b_size, b_size, alpha, beta);
    }
};
// Which half of a matrix counts, of a transposed one that of the transposed, and whether its diagonal is taken for ones.
enum class half : unsigned char { lower, upper };
template <half Half, bool Unit, bool Transposed>
struct trsv : real_routine<blas::trsv> {
    template <class T>
    static void on_host(T* x, index_t n, const T* matrix, index_t elements) {
        need_matrix("trsv", n, elements, n);
        constexpr bool forward = Half == half::lower;
        for (index_t step = 0; step < n; ++step) {
            const index_t i = forward ? step : n - 1 - step;
            T sum = x[i];
            for (index_t j = forward ? 0 : i + 1; j < (forward ? i : n); ++j) sum -= (Transposed ? matrix[j * n + i] : matrix[i * n + j]) * x[j];
            x[i] = Unit ? sum : sum / matrix[i * n + i];
        }
    }
};

}  // namespace cograph::core::blas_routine
