// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/libraries/library_call.hpp>

#include <cstdio>
#include <type_traits>

// Products and triangular solves with sparse matrices as nodes: their language and their simulation.
// cograph/sparse.cuh implements them with cuSPARSE.

struct cusparseContext;  // the target of a cusparseHandle_t

namespace cograph::sparse {

// A matrix in compressed rows: entries rows[i] to rows[i + 1] - 1 are those of row i. View of memory that the user owns.
template <class T>
struct csr_view {
    using element = T;
    const int* rows = nullptr;  // row_count + 1 numbers, of which the first is 0
    const int* columns = nullptr;
    const T* entries = nullptr;
    index_t row_count = 0;
    index_t column_count = 0;
    index_t entry_count = 0;
};

}  // namespace cograph::sparse

namespace cograph::sparse {

// The names of calls.
struct spmv;
struct spmm;
struct solve;
reason::advises<struct write_spmv_inout_y_in_A_in_x_alpha_beta> how_to_call(spmv*);
reason::advises<struct write_spmm_inout_Y_in_A_in_X_alpha_beta> how_to_call(spmm*);
reason::advises<struct write_solve_inout_x_in_A_lower> how_to_call(solve*);

}  // namespace cograph::sparse

namespace cograph::core::sparse_routine {

template <class Name>
struct sparse_calls {
    using name = Name;
    template <class T>
    static constexpr bool has_elements = std::is_same_v<T, float> || std::is_same_v<T, double>;
};

inline void need_lengths(bool fit, const char* routine, index_t result, index_t rows, index_t columns, index_t given) {
    if (fit) return;
    char text[320];
    std::snprintf(text, sizeof text, "%s: a result of %lld elements, a matrix of %lld rows and %lld columns, and %lld elements do not fit together.", routine,
                  static_cast<long long>(result), static_cast<long long>(rows), static_cast<long long>(columns), static_cast<long long>(given));
    throw error({}, text);
}
// How many columns the result and the factor of a product have.
template <class T>
index_t columns_of_product(const char* routine, index_t y_size, const sparse::csr_view<T>& a, index_t x_size) {
    const index_t columns = a.row_count ? y_size / a.row_count : a.column_count ? x_size / a.column_count : 0;
    need_lengths(columns * a.row_count == y_size && columns * a.column_count == x_size, routine, y_size, a.row_count, a.column_count, x_size);
    return columns;
}

struct spmm : sparse_calls<sparse::spmm> {
    template <class T, class A, class B>
    static void on_host(T* y, index_t y_size, const sparse::csr_view<T>& a, const T* x, index_t x_size, A alpha, B beta) {
        multiply(columns_of_product("spmm", y_size, a, x_size), y, a, x, number_at<T>(alpha), number_at<T>(beta));
    }
    template <class T>
    static void multiply(index_t columns, T* y, const sparse::csr_view<T>& a, const T* x, T factor, T old) {
        for (index_t i = 0; i < a.row_count; ++i)
            for (index_t j = 0; j < columns; ++j) {
                T sum = 0;
                for (int e = a.rows[i]; e < a.rows[i + 1]; ++e) sum += a.entries[e] * x[a.columns[e] * columns + j];
                T& to = y[i * columns + j];
                to = factor * sum + (old == T(0) ? T(0) : old * to);
            }
    }
};
struct spmv : sparse_calls<sparse::spmv> {
    template <class T>
    static void need(index_t y_size, const sparse::csr_view<T>& a, index_t x_size) {
        need_lengths(y_size == a.row_count && x_size == a.column_count, "spmv", y_size, a.row_count, a.column_count, x_size);
    }
    template <class T, class A, class B>
    static void on_host(T* y, index_t y_size, const sparse::csr_view<T>& a, const T* x, index_t x_size, A alpha, B beta) {
        need(y_size, a, x_size);
        spmm::multiply(1, y, a, x, number_at<T>(alpha), number_at<T>(beta));
    }
};
enum class half : unsigned char { lower, upper };
template <half Half, bool Unit>
struct solve : sparse_calls<sparse::solve> {
    static constexpr bool forward = Half == half::lower;
    template <class T>
    static void need(index_t n, const sparse::csr_view<T>& a) {
        need_lengths(n == a.row_count && n == a.column_count, "solve", n, a.row_count, a.column_count, n);
    }
    // Entries of the other half are left out; the diagonal may stand anywhere in its row.
    template <class T>
    static void on_host(T* x, index_t n, const sparse::csr_view<T>& a) {
        need(n, a);
        for (index_t step = 0; step < n; ++step) {
            const index_t i = forward ? step : n - 1 - step;
            T sum = 0, diagonal = 1;
            for (int e = a.rows[i]; e < a.rows[i + 1]; ++e) {
                const index_t j = a.columns[e];
                if (j == i) diagonal = a.entries[e];
                if (forward ? j < i : j > i) sum += a.entries[e] * x[j];
            }
            x[i] = Unit ? x[i] - sum : (x[i] - sum) / diagonal;
        }
    }
};

}  // namespace cograph::core::sparse_routine

namespace cograph::core {

template <class T>
inline constexpr bool has_compressed_rows = false;
template <class T>
inline constexpr bool has_compressed_rows<sparse::csr_view<T>> = true;
template <class M>
inline constexpr bool is_csr_view = false;
template <access_argument M>
inline constexpr bool is_csr_view<M> = M::describe.access == access_mode::read && has_compressed_rows<typename M::element>;
// A matrix as a factor: its entries must be those of the vectors.
template <class T, class M>
    requires is_csr_view<M>
inline constexpr bool is_factor_of<T, M> = std::is_same_v<T, typename M::element::element>;

template <sparse_routine::half Half, bool Unit>
struct sparse_triangle {};
template <class A>
inline constexpr bool is_sparse_triangle = false;
template <sparse_routine::half Half, bool Unit>
inline constexpr bool is_sparse_triangle<sparse_triangle<Half, Unit>> = true;
template <sparse_routine::half Half, bool Unit>
constexpr sparse_routine::solve<Half, Unit> solve_of(sparse_triangle<Half, Unit>) {
    return {};
}

template <class Routine, class Y = void, class M = void, class X = void, class Alpha = one, class Beta = zero, class... More>
constexpr auto diagnose_sparse_product() {
    if constexpr (result_memory<Y> && is_csr_view<M> && memory_input<X> && is_factor<Alpha> && is_factor<Beta> && sizeof...(More) == 0)
        return diagnose_with_beta<Routine, Y, Beta, M, X, Alpha>();
    else
        return not_called_so{};
}
// spmv(out(y), in(A), in(x)), spmv(inout(y), in(A), in(x), alpha, beta): y = alpha * A * x + beta * y. For spmm:
// The same for several columns, which are those of dense matrices stored row by row.
template <class Routine, class Handle>
struct sparse_product_function {
    [[no_unique_address]] Handle handle;
    template <class Y, class M, class X, class Alpha = one, class Beta = zero>
        requires is_fine<decltype(diagnose_sparse_product<Routine, Y, M, X, Alpha, Beta>())>
    constexpr auto operator()(Y y, M matrix, X x, Alpha alpha = {}, Beta beta = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(Routine{}, handle, at_place(file, line), y, extent_of(y), matrix, x, extent_of(x), factor_of<memory_element_t<Y>>(alpha),
                            factor_of<memory_element_t<Y>>(beta));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_sparse_product<Routine, A...>())>)
    auto operator()(A const&...) const
        -> decltype(mistake_of<sparse_product_function, A...>(explain_library_call<typename Routine::name, A...>(diagnose_sparse_product<Routine, A...>())));
};

template <class X = void, class M = void, class Half = void, class... More>
constexpr auto diagnose_sparse_solve() {
    if constexpr (result_memory<X> && is_csr_view<M> && is_sparse_triangle<Half> && sizeof...(More) == 0)
        return diagnose_updated<sparse_routine::solve<sparse_routine::half::lower, false>, X, M>();
    else
        return not_called_so{};
}
// solve(inout(x), in(A), lower): solves A * y = x, and x = y. Only one half of A is read.
struct sparse_solve_function {
    template <class X, class M, class Half>
        requires is_fine<decltype(diagnose_sparse_solve<X, M, Half>())>
    constexpr auto operator()(X x, M matrix, Half half, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(solve_of(half), handle_of_the_library{}, at_place(file, line), x, extent_of(x), matrix);
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_sparse_solve<A...>())>)
    auto operator()(A const&...) const
        -> decltype(mistake_of<sparse_solve_function, A...>(explain_library_call<sparse::solve, A...>(diagnose_sparse_solve<A...>())));
};

// The products, with a handle of the user's.
template <class Handle>
struct sparse_products {
    sparse_product_function<sparse_routine::spmv, Handle> spmv;
    sparse_product_function<sparse_routine::spmm, Handle> spmm;
};

}  // namespace cograph::core

namespace cograph::sparse {

inline constexpr core::sparse_triangle<core::sparse_routine::half::lower, false> lower{};
inline constexpr core::sparse_triangle<core::sparse_routine::half::upper, false> upper{};
inline constexpr core::sparse_triangle<core::sparse_routine::half::lower, true> unit_lower{};
inline constexpr core::sparse_triangle<core::sparse_routine::half::upper, true> unit_upper{};

inline constexpr core::sparse_product_function<core::sparse_routine::spmv, core::handle_of_the_library> spmv{};
inline constexpr core::sparse_product_function<core::sparse_routine::spmm, core::handle_of_the_library> spmm{};
inline constexpr core::sparse_solve_function solve{};

// The products with a handle of yours, which must outlive the executables: with(handle).spmv(...).
constexpr core::sparse_products<cusparseContext*> with(cusparseContext* handle) { return {{handle}, {handle}}; }

}  // namespace cograph::sparse
