// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#include <cograph.cuh>
#else
#include <cograph.hpp>
#endif
#include <cograph/launch_shape.hpp>

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
        constexpr bool values_last = sizeof(T) == 8;  // of doubles: a GPU's thread has registers for the other reads then
        const T* const before = iteration % 2 == 0 ? p : q;
        T* const now = iteration % 2 == 0 ? q : p;
        const I first = A.row_begins[i];
        const I* columns = A.columns + first;
        const T* values = A.values + first;
        T sum = 0;
        for (I left = A.row_begins[i + 1] - first; left > 0; left -= together, columns += together, values += together) {
            I column[together];
            T value[together], d[together];
            for (int j = 0; j < together; ++j) column[j] = j < left ? columns[j] : 0;
            if constexpr (!values_last)
                for (int j = 0; j < together; ++j) value[j] = j < left ? values[j] : 0;
            for (int j = 0; j < together; ++j) d[j] = j < left ? z[column[j]] + beta * before[column[j]] : 0;
            if constexpr (values_last)
                for (int j = 0; j < together; ++j) value[j] = j < left ? values[j] : 0;
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

// Few equations. An iteration waits once, for neighbours' elements and for sums together: Chen and Carson's pipelined method that predicts and computes
// again (2020), with M the preconditioner and z'Ap = p'Ap. While threads add up, they find A z and A M Ap; from both follows A z after the step, which
// the next iteration finds again. The method needs more digits than the one above, so vectors are doubles. The first elements of a row are in arrays
// of their own, of which a thread with one row keeps copies.
inline constexpr index_t most_in_small = 1 << 15;  // equations: a large GPU has a thread for each
inline constexpr int kept = 18;                    // elements of a row
/// One of a row; column -1 if the row has fewer.
struct alignas(16) element {
    double value;
    std::int32_t column;
};
/// The others of a row.
template <class I>
struct alignas(2 * sizeof(I)) further {
    I begin, count;
};
/// What other rows read: z = M r, and M Ap.
struct alignas(16) published {
    double z, MAp;
};
/// p'Ap and z'r.
struct alignas(16) products {
    double pAp, zr;
};
/// Ap'M Ap and r'r.
struct alignas(16) squares {
    double Ap, r;
};
struct add {
    COGRAPH_HD products operator()(const products& a, const products& b) const { return {a.pAp + b.pAp, a.zr + b.zr}; }
    COGRAPH_HD squares operator()(const squares& a, const squares& b) const { return {a.Ap + b.Ap, a.r + b.r}; }
};
struct begin_small {
    template <class T, class I, class... Element>
    COGRAPH_HD double operator()(index_t i, csr<T, I> A, const T& b, double& x, double& r, double& inverse, double& p, double& Ap, published& even, published& odd,
                                 further<I>& others, Element&... elements) const {
        index_t k = A.row_begins[i];
        const index_t end = A.row_begins[i + 1];
        double diagonal = 1;
        for (index_t j = k; j < end; ++j)
            if (A.columns[j] == i && A.values[j] != 0) diagonal = A.values[j];
        ((elements = k < end ? element{A.values[k], static_cast<std::int32_t>(A.columns[k])} : element{0, -1}, k += k < end), ...);
        others = {static_cast<I>(k), static_cast<I>(end - k)};
        inverse = 1 / diagonal;
        x = p = Ap = 0;
        r = b;
        even = odd = {inverse * r, 0};
        return r * r;
    }
};
/// Sums with which the first iteration makes no step, or makes x NaN if b'b overflows.
struct begin_sums {
    COGRAPH_HD void operator()(const double& bb, products& of_direction, squares& of_vectors) const {
        const double none = 0 * bb;
        of_direction = {1, none};
        of_vectors = {0, bb + none};
    }
};
/// One step, the next direction p, and A times it. After a step where p'Ap <= 0 the next p'Ap is 0, with which the loop ends.
struct step_small {
    template <class T, class I, class... Element>
    COGRAPH_HD products operator()(index_t i, csr<T, I> A, const int& taken, const products& of_direction, const squares& of_vectors, published* even, published* odd,
                                   const double& inverse, double& x, double& r, double& p, double& Ap, const further<I>& others, const Element&... elements) const {
        const published* const before = taken % 2 == 0 ? odd : even;
        published* const now = taken % 2 == 0 ? even : odd;
        const published of_columns[] = {elements.column >= 0 ? before[elements.column] : published{}...};  // reads do not wait for each other, nor for alpha
        const double inverse_of_pAp = 1 / of_direction.pAp;
        const double alpha = of_direction.zr * inverse_of_pAp;
        const double beta = alpha * (of_vectors.Ap * inverse_of_pAp) - 1;  // z'r after the step over z'r before it, predicted
        double Az = 0, AMAp = 0;
        constexpr int together = 4;
        for (I k = 0; k < others.count; k += together) {
            double value[together];
            published of[together];
            for (int j = 0; j < together; ++j) {
                const I at = others.begin + (k + j < others.count ? k + j : others.count - 1);
                value[j] = k + j < others.count ? A.values[at] : 0;
                of[j] = before[A.columns[at]];
            }
            for (int j = 0; j < together; ++j) Az += value[j] * of[j].z, AMAp += value[j] * of[j].MAp;
        }
        const published* next = of_columns;
        ((Az += elements.value * next->z, AMAp += elements.value * next->MAp, ++next), ...);
        x += alpha * p;
        r -= alpha * Ap;
        const double z = inverse * r;
        p = z + beta * p;
        Ap = Az - alpha * AMAp + beta * Ap;
        now[i] = {z, inverse * Ap};
        return {of_direction.pAp > 0 ? p * Ap : 0, z * r};
    }
};
struct square {
    COGRAPH_HD squares operator()(index_t, const double& inverse, const double& Ap, const double& r) const { return {inverse * Ap * Ap, r * r}; }
};
struct round_to {
    template <class T>
    COGRAPH_HD void operator()(index_t, const double& from, T& x) const { x = static_cast<T>(from); }
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
/// Of few equations: x, r, p, Ap and the inverse of the diagonal.
template <class T, int Number>
struct small_vector_of : working_memory<small_vector_of<T, Number>, T, owns_memory, double> {};
template <class T, bool Even>
struct published_of : working_memory<published_of<T, Even>, T, owns_memory, published> {};
template <class T, class I>
struct others_of : working_memory<others_of<T, I>, T, owns_memory, further<I>> {};
template <class T, int Number>
struct element_of : working_memory<element_of<T, Number>, T, owns_memory, element> {};
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
inline constexpr struct bb_of_small : cograph::scalar<bb_of_small, double> {} bb_of_small;
inline constexpr struct products_of : cograph::scalar<products_of, products> {} products_of;
inline constexpr struct squares_of : cograph::scalar<squares_of, squares> {} squares_of;

/// Solves A x = b from zero, until |b - A x| <= tolerance |b|, at most `most` iterations. It ends, too, after a step where p'Ap <= 0 shows that A is
/// not positive definite, and after one that makes x NaN, which the first one does if b'b overflows. Only the last two nodes have the results'
/// addresses: often those move, and the kernel of the loop has too many parameters to be told often.
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

    return seq(assign(taken, 0), assign(pAp, T(1)),
               transform_reduce(over(x), begin{}, plus{})(out(bb), in(A), in(b[each]), out(solution[each]), out(r[each]), out(inverse[each]), out(z[each]),
                                                          out(p[each]), out(q[each])),
               transform_reduce(over(x), precondition{}, plus{})(out(rz), in(r[each]), in(z[each])),
               assign(beta, T(0) * bb), assign(rr, bb + T(0) * bb),  // NaN if b'b overflows
               label("cg", loop_while(!(rr <= tolerance * tolerance * bb) && taken < most && pAp > T(0),
                                      seq(transform_reduce(over(x), multiply{}, plus{})(out(pAp), in(A), taken, beta, in(z), inout(p), inout(q),
                                                                                        out(Ap[each])),
                                          transform_reduce(over(x), step{}, plus{})(out(rr), taken, in(p), in(q), in(Ap[each]), in(inverse[each]),
                                                                                    inout(solution[each]), inout(r[each]), out(z[each]), rz, pAp),
                                          transform_reduce(over(x), precondition{}, plus{})(out(rz_next), in(r[each]), in(z[each])),
                                          assign(beta, rz_next / rz), assign(rz, rz_next), assign(taken, taken + 1)))),
               copy(in(solution), out(x)), assign(iterations, taken));
}
/// The same for few equations. Only the first step is also made where p'Ap <= 0. A first iteration makes no step, only the first direction.
template <class T, class I, int... Number>
constexpr auto small_conjugate_gradient(std::integer_sequence<int, Number...>) {
    using namespace cograph;
    constexpr A_of<T, I> A;
    constexpr b_of<T> b;
    constexpr x_of<T> x;
    constexpr small_vector_of<T, 0> solution;
    constexpr small_vector_of<T, 1> r;
    constexpr small_vector_of<T, 2> p;
    constexpr small_vector_of<T, 3> Ap;
    constexpr small_vector_of<T, 4> inverse;
    constexpr published_of<T, true> even;
    constexpr published_of<T, false> odd;
    constexpr others_of<T, I> others;
    constexpr tolerance_of<T> tolerance;
    const auto& bb = bb_of_small;

    return seq(transform_reduce(over(x), begin_small{}, plus{})(out(bb), in(A), in(b[each]), out(solution[each]), out(r[each]), out(inverse[each]), out(p[each]), out(Ap[each]),
                                                                out(even[each]), out(odd[each]), out(others[each]), out(element_of<T, Number>{}[each])...),
               single_task(begin_sums{})(in(bb), out(products_of), out(squares_of)), assign(taken, -1),
               label("cg", loop_while(!(member<&squares::r>(squares_of) <= tolerance * tolerance * bb) && taken < most &&
                                          (taken == 0 || member<&products::pAp>(products_of) > 0.0),
                                      seq(transform_reduce(over(x), step_small{}, add{}, products{})(out(products_of), in(A), taken, products_of, squares_of, inout(even), inout(odd),
                                                                                                     in(inverse[each]), inout(solution[each]), inout(r[each]), inout(p[each]),
                                                                                                     inout(Ap[each]), in(others[each]), in(element_of<T, Number>{}[each])...),
                                          transform_reduce(over(x), square{}, add{}, squares{})(out(squares_of), in(inverse[each]), in(Ap[each]), in(r[each])),
                                          assign(taken, taken + 1)),
                                      block_of<256>)),
               for_each(over(x), round_to{})(in(solution[each]), out(x[each])), assign(iterations, max(taken, 0)));
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

/// The bytes of working memory: first elements of rows, what rows publish, where the others are, and vectors.
template <class T, class I>
constexpr std::size_t workspace_bytes(std::int64_t n) {
    constexpr std::size_t of_small = kept * sizeof(element) + 2 * sizeof(published) + sizeof(further<I>) + 5 * sizeof(double);
    return static_cast<std::size_t>(n) * (n <= most_in_small ? of_small : vectors * sizeof(T));
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
    } else if constexpr (Small) {
        auto* const elements = static_cast<element*>(s.workspace);  // the largest alignment first
        auto* const pairs = reinterpret_cast<published*>(elements + kept * n);
        auto* const others = reinterpret_cast<further<I>*>(pairs + 2 * n);
        auto* const work = reinterpret_cast<double*>(others + n);
        [&]<int... Vector, int... Number>(std::integer_sequence<int, Vector...>, std::integer_sequence<int, Number...>) {
            with(small_vector_of<T, Vector>{}(work + Vector * n, n)..., published_of<T, true>{}(pairs, n), published_of<T, false>{}(pairs + n, n),
                 others_of<T, I>{}(others, n), element_of<T, Number>{}(elements + Number * n, n)...);
        }(std::make_integer_sequence<int, 5>{}, std::make_integer_sequence<int, kept>{});
    } else {
        auto* const work = static_cast<T*>(s.workspace);
        with(r_of<T>{}(work, n), z_of<T>{}(work + n, n), p_of<T>{}(work + 2 * n, n), q_of<T>{}(work + 3 * n, n), Ap_of<T>{}(work + 4 * n, n),
             inverse_of<T>{}(work + 5 * n, n), solution_of<T>{}(work + 6 * n, n));
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
