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
#include <utility>

// Conjugate gradients with Jacobi preconditioning on rows of a sparse matrix, as two expressions for every number and index type: one for few
// equations, whose time is what threads wait for each other, and one for many, whose time is what they read.
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
        for (index_t k = A.row_begins[i]; k < end; k += together) {  // wider than I, of which the last row may end at the largest
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

// Few equations. The sums of an iteration follow its product with the matrix, as Chronopoulos and Gear (1989) order them, so threads wait twice:
// for neighbours' z and for the sums. The first elements of a row are in arrays of their own, of which a thread with one row keeps copies.
inline constexpr index_t most_in_small = 8192;  // equations, of one cluster
inline constexpr int kept = 10;                 // elements of a row
template <class T, class I>
struct alignas(sizeof(T) + sizeof(I) > 8 ? 16 : 8) element {
    T value;
    I column;
};
/// The others of a row.
template <class I>
struct alignas(2 * sizeof(I)) further {
    I begin, count;
};
/// z'r and z'A z.
template <class T>
struct alignas(2 * sizeof(T)) products {
    T zr, zAz;
};
struct add {
    template <class T>
    COGRAPH_HD products<T> operator()(const products<T>& a, const products<T>& b) const { return {a.zr + b.zr, a.zAz + b.zAz}; }
};
struct begin_small {
    template <class T, class I, class... Element>
    COGRAPH_HD T operator()(index_t i, csr<T, I> A, const T& b, T& x, T& r, T& inverse, T& z, T& p, T& Ap, further<I>& others, Element&... elements) const {
        index_t k = A.row_begins[i];
        const index_t end = A.row_begins[i + 1];
        T diagonal = 1;
        for (index_t j = k; j < end; ++j)
            if (A.columns[j] == i && A.values[j] != 0) diagonal = A.values[j];
        ((elements = k < end ? element<T, I>{A.values[k], A.columns[k]} : element<T, I>{0, static_cast<I>(i)}, k += k < end), ...);
        others = {static_cast<I>(k), static_cast<I>(end - k)};
        inverse = 1 / diagonal;
        x = p = Ap = 0;
        r = b;
        z = inverse * r;
        return b * b;
    }
};
struct step_small {
    template <class T>
    COGRAPH_HD void operator()(index_t, const T& alpha, const T& beta, const T& inverse, const T& Az, T& x, T& r, T& z, T& p, T& Ap) const {
        p = z + beta * p;
        Ap = Az + beta * Ap;
        x += alpha * p;
        r -= alpha * Ap;
        z = inverse * r;
    }
};
struct multiply_small {
    template <class T, class I, class... Element>
    COGRAPH_HD products<T> operator()(index_t, csr<T, I> A, const T* z, const T& r, const T& inverse, T& Az, const further<I>& others, const Element&... elements) const {
        const T of_columns[] = {z[elements.column]...};  // reads do not wait for each other
        T sum = 0;
        constexpr int together = 4;
        for (I k = 0; k < others.count; k += together) {
            T value[together], of[together];
            for (int j = 0; j < together; ++j) {
                const I at = others.begin + (k + j < others.count ? k + j : others.count - 1);
                value[j] = k + j < others.count ? A.values[at] : 0;
                of[j] = z[A.columns[at]];
            }
            for (int j = 0; j < together; ++j) sum += value[j] * of[j];
        }
        const T* next = of_columns;
        ((sum += elements.value * *next++), ...);
        Az = sum;
        const T own = inverse * r;
        return {own * r, own * sum};
    }
};
struct square {
    template <class T>
    COGRAPH_HD T operator()(index_t, const T& r) const { return r * r; }
};
struct first_factors {
    template <class T>
    COGRAPH_HD void operator()(const products<T>& now, T& zr, T& pAp, T& alpha) const {
        pAp = now.zAz;
        zr = now.zr;
        alpha = zr / pAp;
    }
};
struct next_factors {
    template <class T>
    COGRAPH_HD void operator()(const products<T>& now, T& zr, T& pAp, T& alpha, T& beta) const {
        beta = now.zr / zr;
        pAp = now.zAz - beta * beta * pAp;
        zr = now.zr;
        alpha = zr / pAp;
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
template <class Tag, class T, bool Owns, class Element = T>
struct working_memory : cograph::buffer<Tag, Element> {};
template <class Tag, class T, class Element>
struct working_memory<Tag, T, true, Element> : cograph::temp<Tag, Element, x_of<T>> {};
template <class T>
struct solution_of : working_memory<solution_of<T>, T, owns_memory> {};
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
inline constexpr int vectors = 7;  // of working memory
template <class T, class I>
struct others_of : working_memory<others_of<T, I>, T, owns_memory, further<I>> {};
template <class T, class I, int Number>
struct element_of : working_memory<element_of<T, I, Number>, T, owns_memory, element<T, I>> {};
template <class T>
struct tolerance_of : cograph::value<tolerance_of<T>, T> {};
inline constexpr struct most : cograph::value<most, int> {} most;
inline constexpr struct iterations : cograph::scalar<iterations, int> {} iterations;
inline constexpr struct taken : cograph::scalar<taken, int> {} taken;  // iterations, until the end
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
template <class T>
struct alpha_of : cograph::scalar<alpha_of<T>, T> {};
template <class T>
struct zr_of : cograph::scalar<zr_of<T>, T> {};
template <class T>
struct products_of : cograph::scalar<products_of<T>, products<T>> {};

/// Solves A x = b from zero, until |b - A x| <= tolerance |b|, at most `most` iterations. It ends, too, after a step where p'Ap <= 0 shows that A is
/// not positive definite, and after one that makes x NaN. Only the last two nodes have the results' addresses: often those move, and the kernel of
/// the loop has too many parameters to be told often.
template <class T, class I>
constexpr auto conjugate_gradient() {
    using namespace cograph;
    constexpr A_of<T, I> A;
    constexpr b_of<T> b;
    constexpr x_of<T> x;
    constexpr solution_of<T> solution;
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

    return seq(assign(taken, 0), assign(pAp, T(1)), assign(beta, T(0)),
               transform_reduce(over(x), begin{}, plus{})(out(bb), in(A), in(b[each]), out(solution[each]), out(r[each]), out(inverse[each]), out(z[each]),
                                                          out(p[each]), out(q[each])),
               transform_reduce(over(x), precondition{}, plus{})(out(rz), in(r[each]), in(z[each])),
               assign(rr, bb),
               label("cg", loop_while(!(rr <= tolerance * tolerance * bb) && taken < most && pAp > T(0),
                                      seq(transform_reduce(over(x), multiply{}, plus{})(out(pAp), in(A), taken, beta, in(z), inout(p), inout(q),
                                                                                        out(Ap[each])),
                                          transform_reduce(over(x), step{}, plus{})(out(rr), taken, in(p), in(q), in(Ap[each]), in(inverse[each]),
                                                                                    inout(solution[each]), inout(r[each]), out(z[each]), rz, pAp),
                                          transform_reduce(over(x), precondition{}, plus{})(out(rz_next), in(r[each]), in(z[each])),
                                          assign(beta, rz_next / rz), assign(rz, rz_next), assign(taken, taken + 1)))),
               copy(in(solution), out(x)), assign(iterations, taken));
}
/// The same for few equations, with the first step also where p'Ap <= 0. Alpha, beta and the sums are those of the step that follows.
template <class T, class I, int... Number>
constexpr auto small_conjugate_gradient(std::integer_sequence<int, Number...>) {
    using namespace cograph;
    constexpr A_of<T, I> A;
    constexpr b_of<T> b;
    constexpr x_of<T> x;
    constexpr solution_of<T> solution;
    constexpr r_of<T> r;
    constexpr z_of<T> z;
    constexpr p_of<T> p;
    constexpr q_of<T> Az;
    constexpr Ap_of<T> Ap;
    constexpr inverse_of<T> inverse;
    constexpr others_of<T, I> others;
    constexpr tolerance_of<T> tolerance;
    constexpr bb_of<T> bb;
    constexpr rr_of<T> rr;
    constexpr products_of<T> products;
    constexpr zr_of<T> zr;
    constexpr pAp_of<T> pAp;
    constexpr alpha_of<T> alpha;
    constexpr beta_of<T> beta;

    const auto sums = seq(transform_reduce(over(x), multiply_small{}, add{}, cg::products<T>{})(out(products), in(A), in(z), in(r[each]), in(inverse[each]), out(Az[each]),
                                                                                                in(others[each]), in(element_of<T, I, Number>{}[each])...),
                          transform_reduce(over(x), square{}, plus{})(out(rr), in(r[each])));
    return seq(assign(taken, 0), assign(beta, T(0)),
               transform_reduce(over(x), begin_small{}, plus{})(out(bb), in(A), in(b[each]), out(solution[each]), out(r[each]), out(inverse[each]), out(z[each]), out(p[each]),
                                                                out(Ap[each]), out(others[each]), out(element_of<T, I, Number>{}[each])...),
               sums, single_task(first_factors{})(in(products), out(zr), out(pAp), out(alpha)),
               label("cg", loop_while(!(rr <= tolerance * tolerance * bb) && taken < most && (taken == 0 || pAp > T(0)),
                                      seq(for_each(over(x), step_small{})(alpha, beta, in(inverse[each]), in(Az[each]), inout(solution[each]), inout(r[each]), inout(z[each]),
                                                                          inout(p[each]), inout(Ap[each])),
                                          sums, single_task(next_factors{})(in(products), inout(zr), inout(pAp), out(alpha), out(beta)),
                                          assign(taken, taken + 1)))),
               copy(in(solution), out(x)), assign(iterations, taken));
}
/// The solver of few equations, or of many.
template <class T, class I, bool Small>
inline constexpr auto solver = conjugate_gradient<T, I>();
template <class T, class I>
inline constexpr auto solver<T, I, true> = small_conjugate_gradient<T, I>(std::make_integer_sequence<int, kept>{});
static_assert(cograph::is_persistent(solver<double, int, false>, "cg") && cograph::is_persistent(solver<double, int, true>, "cg"));

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
    void* workspace;   // if it comes with each call: of workspace_bytes(*this)
    int* iterations;   // one
    double tolerance;
    int most;
    void* (*allocate)(std::size_t bytes) = nullptr;  // of the framework, for working memory of executables
    void (*deallocate)(void* memory) = nullptr;
};

/// The bytes of working memory: first elements of rows, where the others are, and vectors.
template <class T, class I>
constexpr std::size_t workspace_bytes(std::int64_t n) {
    return static_cast<std::size_t>(n) * (n <= most_in_small ? vectors * sizeof(T) + kept * sizeof(element<T, I>) + sizeof(further<I>) : vectors * sizeof(T));
}

/// The bindings of a system, handed to f.
template <class T, class I, bool Small, class F>
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
        const auto with_vectors = [&](T* work, auto... others) {
            with(r_of<T>{}(work, n), z_of<T>{}(work + n, n), p_of<T>{}(work + 2 * n, n), q_of<T>{}(work + 3 * n, n), Ap_of<T>{}(work + 4 * n, n),
                 inverse_of<T>{}(work + 5 * n, n), solution_of<T>{}(work + 6 * n, n), others...);
        };
        if constexpr (Small) {
            auto* const elements = static_cast<element<T, I>*>(s.workspace);  // the largest alignment first
            auto* const others = reinterpret_cast<further<I>*>(elements + kept * n);
            [&]<int... Number>(std::integer_sequence<int, Number...>) {
                with_vectors(reinterpret_cast<T*>(others + n), others_of<T, I>{}(others, n), element_of<T, I, Number>{}(elements + Number * n, n)...);
            }(std::make_integer_sequence<int, kept>{});
        } else {
            with_vectors(static_cast<T*>(s.workspace));
        }
    }
}
/// f<T, I, Small>() for a system.
template <class F>
void for_types_of(const equations& s, F f) {
    const auto of_size = [&]<class T, class I>(T, I) { s.n <= most_in_small ? f.template operator()<T, I, true>() : f.template operator()<T, I, false>(); };
    if (s.is_double)
        s.is_64_bit ? of_size(double{}, std::int64_t{}) : of_size(double{}, std::int32_t{});
    else
        s.is_64_bit ? of_size(float{}, std::int64_t{}) : of_size(float{}, std::int32_t{});
}
inline std::size_t workspace_bytes(const equations& s) {
    std::size_t bytes = 0;
    for_types_of(s, [&]<class T, class I, bool>() { bytes = workspace_bytes<T, I>(s.n); });
    return bytes;
}

/// On the host. Throws std::exception.
inline void solve_on_host(const equations& s) {
    for_types_of(s, [&]<class T, class I, bool Small>() {
        with_bindings<T, I, Small>(s, [](auto... bindings) { cograph::simulate(solver<T, I, Small>, bindings...); });
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
