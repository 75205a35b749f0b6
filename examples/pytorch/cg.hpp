// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#include <cograph.cuh>
#else
#include <cograph.hpp>
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>

// Conjugate gradients with Jacobi preconditioning on rows of a sparse matrix, as one expression for every number and index type.
namespace cg {

using cograph::index_t;

/// A sparse matrix in compressed rows.
template <class T, class I>
struct csr {
    const I* row_begins;
    const I* columns;
    const T* values;
};

struct begin {
    template <class T, class I>
    COGRAPH_HD T operator()(index_t i, csr<T, I> A, const T& b, T& x, T& r, T& inverse, T& z, T& p, T& q) const {
        T diagonal = 1;
        for (I k = A.row_begins[i]; k < A.row_begins[i + 1]; ++k)
            if (A.columns[k] == i && A.values[k] != 0) diagonal = A.values[k];
        inverse = 1 / diagonal;
        x = 0;
        r = b;
        z = inverse * r;
        p = q = 0;
        return b * b;
    }
};
struct precondition {
    template <class T>
    COGRAPH_HD T operator()(index_t, const T& r, const T& z) const { return r * z; }
};
/// The next direction d, z + beta times the one before, is made where it is needed, and kept: directions are in p and q by turns, so that
/// an iteration passes over the vectors twice. Gives a row's share of d'A d.
struct multiply {
    template <class T, class I>
    COGRAPH_HD T operator()(index_t i, csr<T, I> A, const int& iteration, const T& beta, const T* z, T* p, T* q, T& Ap) const {
        constexpr int together = 5;  // elements of a row, whose reads do not wait for each other
        const T* const before = iteration % 2 == 0 ? p : q;
        T* const now = iteration % 2 == 0 ? q : p;
        const I end = A.row_begins[i + 1];
        T sum = 0;
        for (I k = A.row_begins[i]; k < end; k += together) {
            I column[together];
            T value[together], d[together];
            for (int j = 0; j < together; ++j) column[j] = k + j < end ? A.columns[k + j] : 0;
            for (int j = 0; j < together; ++j) value[j] = k + j < end ? A.values[k + j] : 0;
            for (int j = 0; j < together; ++j) d[j] = k + j < end ? z[column[j]] + beta * before[column[j]] : 0;
            for (int j = 0; j < together; ++j) sum += value[j] * d[j];
        }
        const T own = z[i] + beta * before[i];
        now[i] = own;
        Ap = sum;
        return sum * own;
    }
};
/// One step; gives the square of the residual after it.
struct step {
    template <class T>
    COGRAPH_HD T operator()(index_t i, const int& iteration, const T* p, const T* q, const T& Ap, const T& inverse, T& x, T& r, T& z, const T& rz,
                            const T& pAp) const {
        const T alpha = rz / pAp;
        x += alpha * (iteration % 2 == 0 ? q : p)[i];
        r -= alpha * Ap;
        z = inverse * r;
        return r * r;
    }
};

template <class T, class I>
struct A_of : cograph::view<A_of<T, I>, csr<T, I>> {};
template <class T>
struct b_of : cograph::buffer<b_of<T>, T> {};
template <class T>
struct x_of : cograph::buffer<x_of<T>, T> {};
/// Whether working memory belongs to the executables, which get it from the framework's allocator, or comes with each call.
#ifdef CG_OWNS_MEMORY
inline constexpr bool owns_memory = true;
#else
inline constexpr bool owns_memory = false;
#endif
template <class Tag, class T, bool Owns>
struct working_memory : cograph::buffer<Tag, T> {};
template <class Tag, class T>
struct working_memory<Tag, T, true> : cograph::temp<Tag, T, x_of<T>> {};
template <class T>
struct r_of : working_memory<r_of<T>, T, owns_memory> {};
template <class T>
struct z_of : working_memory<z_of<T>, T, owns_memory> {};
template <class T>
struct p_of : working_memory<p_of<T>, T, owns_memory> {};
template <class T>
struct q_of : working_memory<q_of<T>, T, owns_memory> {};
template <class T>
struct Ap_of : working_memory<Ap_of<T>, T, owns_memory> {};
template <class T>
struct inverse_of : working_memory<inverse_of<T>, T, owns_memory> {};
inline constexpr int vectors = 6;  // of working memory
template <class T>
struct tolerance_of : cograph::value<tolerance_of<T>, T> {};
inline constexpr struct most : cograph::value<most, int> {} most;
inline constexpr struct iterations : cograph::scalar<iterations, int> {} iterations;
template <class T>
struct bb_of : cograph::scalar<bb_of<T>, T> {};
template <class T>
struct rr_of : cograph::scalar<rr_of<T>, T> {};
template <class T>
struct rz_of : cograph::scalar<rz_of<T>, T> {};
template <class T>
struct rz_next_of : cograph::scalar<rz_next_of<T>, T> {};
template <class T>
struct pAp_of : cograph::scalar<pAp_of<T>, T> {};
template <class T>
struct beta_of : cograph::scalar<beta_of<T>, T> {};

/// Solves A x = b from zero, until |b - A x| <= tolerance |b|, at most `most` iterations. It ends, too, where p'Ap <= 0 shows that A is not
/// positive definite, and where a sum is NaN.
template <class T, class I>
constexpr auto conjugate_gradient() {
    using namespace cograph;
    constexpr A_of<T, I> A;
    constexpr b_of<T> b;
    constexpr x_of<T> x;
    constexpr r_of<T> r;
    constexpr z_of<T> z;
    constexpr p_of<T> p;
    constexpr q_of<T> q;
    constexpr Ap_of<T> Ap;
    constexpr inverse_of<T> inverse;
    constexpr tolerance_of<T> tolerance;
    constexpr bb_of<T> bb;
    constexpr rr_of<T> rr;
    constexpr rz_of<T> rz;
    constexpr rz_next_of<T> rz_next;
    constexpr pAp_of<T> pAp;
    constexpr beta_of<T> beta;

    return seq(assign(iterations, 0), assign(pAp, T(1)), assign(beta, T(0)),
               transform_reduce(over(x), begin{}, plus{})(out(bb), in(A), in(b[each]), out(x[each]), out(r[each]), out(inverse[each]), out(z[each]),
                                                          out(p[each]), out(q[each])),
               transform_reduce(over(x), precondition{}, plus{})(out(rz), in(r[each]), in(z[each])),
               assign(rr, bb),
               label("cg", loop_while(rr > tolerance * tolerance * bb && iterations < most && pAp > T(0),
                                      seq(transform_reduce(over(x), multiply{}, plus{})(out(pAp), in(A), iterations, beta, in(z), inout(p), inout(q),
                                                                                        out(Ap[each])),
                                          transform_reduce(over(x), step{}, plus{})(out(rr), iterations, in(p), in(q), in(Ap[each]), in(inverse[each]),
                                                                                    inout(x[each]), inout(r[each]), out(z[each]), rz, pAp),
                                          transform_reduce(over(x), precondition{}, plus{})(out(rz_next), in(r[each]), in(z[each])),
                                          assign(beta, rz_next / rz), assign(rz, rz_next), assign(iterations, iterations + 1)))));
}
template <class T, class I>
inline constexpr auto solver = conjugate_gradient<T, I>();
static_assert(cograph::is_persistent(solver<double, int>, "cg"));

/// One system of n equations. Everything is in the memory where it is solved, a GPU's or the host's.
struct equations {
    std::int64_t n;
    bool is_double;    // numbers: double or float
    bool is_64_bit;    // indices: 64 or 32 bits
    const void* row_begins;
    const void* columns;
    const void* values;
    const void* b;
    void* x;
    void* workspace;   // of vectors * n numbers, if it comes with each call
    int* iterations;   // one
    double tolerance;
    int most;
    void* (*allocate)(std::size_t bytes) = nullptr;  // of the framework, for working memory of executables
    void (*deallocate)(void* memory) = nullptr;
};

/// The bindings of a system, handed to f.
template <class T, class I, class F>
void with_bindings(const equations& s, F f) {
    const auto n = static_cast<std::size_t>(s.n);
    const auto with = [&](auto... work) {
        f(A_of<T, I>{}(csr<T, I>{static_cast<const I*>(s.row_begins), static_cast<const I*>(s.columns), static_cast<const T*>(s.values)}),
          b_of<T>{}(static_cast<const T*>(s.b), n), x_of<T>{}(static_cast<T*>(s.x), n), tolerance_of<T>{}(static_cast<T>(s.tolerance)), most(s.most),
          iterations(s.iterations), work...);
    };
    if constexpr (owns_memory) {
        with();
    } else {
        T* const work = static_cast<T*>(s.workspace);
        with(r_of<T>{}(work, n), z_of<T>{}(work + n, n), p_of<T>{}(work + 2 * n, n), q_of<T>{}(work + 3 * n, n), Ap_of<T>{}(work + 4 * n, n),
             inverse_of<T>{}(work + 5 * n, n));
    }
}
template <class F>
void for_types_of(const equations& s, F f) {
    if (s.is_double)
        s.is_64_bit ? f(double{}, std::int64_t{}) : f(double{}, std::int32_t{});
    else
        s.is_64_bit ? f(float{}, std::int64_t{}) : f(float{}, std::int32_t{});
}

/// On the host. Throws std::exception.
inline void solve_on_host(const equations& s) {
    for_types_of(s, [&](auto number, auto index) {
        using T = decltype(number);
        using I = decltype(index);
        with_bindings<T, I>(s, [](auto... bindings) { cograph::simulate(solver<T, I>, bindings...); });
    });
}

/// On the current device, on a stream; also on one that is being captured, whose graph owns what it needs. Does not wait. Throws std::exception.
/// In cg.cu.
void solve_on_device(const equations& s, void* stream, int device);
/// For tests: how many calls became a part of a capture.
int captured_calls();
/// For measurements: an empty kernel, and the median of the microseconds of so many launches of one executable, each of which is waited for.
void launch_nothing(void* stream);
double time_launches(const equations& s, void* stream, int times);

}  // namespace cg
