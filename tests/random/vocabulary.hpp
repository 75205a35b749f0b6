// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

// What random programs are made of: variables, function objects and kernels. Every result is an integer below `modulus`
// where it can grow, so sums are exact in every order, as integers and as doubles.
namespace random_programs {

using namespace cograph;
using integer = long long;

constexpr integer modulus = 1009;

enum class color { red, green, blue };
struct numbers {
    integer first = 5;
    double between = 0.5;
    integer second = 70;
    bool operator==(const numbers&) const = default;
};

// One run's memory; b, t and u are as long as a, e and w as d.
struct memory {
    std::vector<integer> a, b, c;
    std::vector<double> d, e;
    integer s0 = 3, s1 = 11, s2 = 0, s3 = 500;
    double r0 = 2, r1 = 0;
    int i0 = 0, i1 = 0, i2 = 0, i3 = 0, i4 = 0, i5 = 0;
    int k = 3;
    integer v = 77;
    double limit = 400;
    color hue = color::blue, wish = color::green;
    numbers both;
    bool operator==(const memory&) const = default;
};

inline constexpr struct a : buffer<a, integer> {} a;
inline constexpr struct b : buffer<b, integer> {} b;
inline constexpr struct c : buffer<c, integer> {} c;
inline constexpr struct d : buffer<d, double> {} d;
inline constexpr struct e : buffer<e, double> {} e;
inline constexpr struct t : temp<t, integer, struct a> {} t;
inline constexpr struct u : temp<u, integer, struct t> {} u;
inline constexpr struct w : temp<w, double, struct d> {} w;
inline constexpr struct s0 : scalar<s0, integer> {} s0;
inline constexpr struct s1 : scalar<s1, integer> {} s1;
inline constexpr struct s2 : scalar<s2, integer> {} s2;
inline constexpr struct s3 : scalar<s3, integer> {} s3;
inline constexpr struct r0 : scalar<r0, double> {} r0;
inline constexpr struct r1 : scalar<r1, double> {} r1;
inline constexpr struct own : scalar<own, integer> {} own;  // never bound
inline constexpr struct i0 : scalar<i0, int> {} i0;
inline constexpr struct i1 : scalar<i1, int> {} i1;
inline constexpr struct i2 : scalar<i2, int> {} i2;
inline constexpr struct i3 : scalar<i3, int> {} i3;
inline constexpr struct i4 : scalar<i4, int> {} i4;
inline constexpr struct i5 : scalar<i5, int> {} i5;
inline constexpr struct k : value<k, int> {} k;
inline constexpr struct v : value<v, integer> {} v;
inline constexpr struct limit : value<limit, double> {} limit;
inline constexpr struct hue : scalar<hue, color> {} hue;
inline constexpr struct both : scalar<both, numbers> {} both;
inline constexpr struct wish : value<wish, color> {} wish;
inline constexpr struct p : temp<p, integer, elements<ceil_div(extent(a), 2) + k>> {} p;
inline constexpr struct q : temp<q, integer, struct p> {} q;

// What the plain form of a program has beside the memory.
struct inner_memory {
    std::vector<integer> t, u, p, q;
    std::vector<double> w;
    integer own = 0;
    explicit inner_memory(const memory& m)
        : t(m.a.size()), u(m.a.size()), p((m.a.size() + 1) / 2 + static_cast<std::size_t>(m.k)), q(p.size()), w(m.d.size()) {}
};

COGRAPH_HD constexpr integer wrap(integer x) { return (x % modulus + modulus) % modulus; }

struct combine {
    template <class X, class Y>
    COGRAPH_HD void operator()(index_t i, const X& x, Y& y, integer n) const {
        y = static_cast<Y>(wrap(3 * static_cast<integer>(x) + static_cast<integer>(y) + n + i));
    }
};
struct make {
    template <class X, class Y>
    COGRAPH_HD void operator()(index_t i, const X& x, Y& y, integer n) const {
        y = static_cast<Y>(wrap(7 * static_cast<integer>(x) - n + 5 * i));
    }
};
struct gather {
    integer stride;
    template <class X, class Y>
    COGRAPH_HD void operator()(index_t i, const X* x, index_t count, Y& y) const {
        y = count == 0 ? Y(1) : static_cast<Y>(wrap(static_cast<integer>(x[(i * stride + 1) % count]) + i));
    }
};
struct picks {
    template <class X>
    COGRAPH_HD bool operator()(const X& x) const {
        return static_cast<integer>(x) % 3 != 1;
    }
};
// An operation that is associative, and of which the order matters: the first of two that is odd.
struct first_odd {
    template <class T>
    COGRAPH_HD T operator()(T first, T second) const {
        return static_cast<integer>(first) % 2 != 0 ? first : second;
    }
};
// Of a group of threads; in plain C++ with another one, whose algorithms are loops.
struct join_some {
    template <class Group, class X, class Y>
    COGRAPH_HD void operator()(Group const& group, index_t i, const X* x, index_t count, Y& y, integer n) const {
        const int some = count == 0 ? 0 : static_cast<int>((i * 29 + n) % 151);
        const auto number = [&](int at) { return wrap(static_cast<integer>(x[(i + 3 * at) % count]) + at); };
        const integer sum = wrap(group.transform_reduce(some, number, plus{}));
        const index_t largest = group.max_element(some, number).index;
        group.sync();
        if (group.rank() == 0) y = static_cast<Y>(wrap(static_cast<integer>(y) + sum + largest));
    }
};
// The same with numbers in the group's own memory.
constexpr int most_kept = 40;
struct join_kept {
    template <class Group, class X, class Y>
    COGRAPH_HD void operator()(Group const& group, index_t i, integer* kept, const X* x, index_t count, Y& y, integer n) const {
        const int some = count == 0 ? 0 : static_cast<int>((i * 29 + n) % 151 % most_kept);
        group.for_each(some, [&](int at) { kept[at] = wrap(static_cast<integer>(x[(i + 3 * at) % count]) + at); });
        const integer sum = wrap(group.transform_reduce(some, [&](int at) { return wrap(kept[some - 1 - at] + kept[at]); }, plus{}));
        if (group.rank() == 0) y = static_cast<Y>(wrap(static_cast<integer>(y) + sum));
    }
};
struct group_of_one {
    template <class F>
    COGRAPH_HD void for_each(int n, F f) const {
        for (int at = 0; at < n; ++at) f(at);
    }
    template <class F>
    COGRAPH_HD integer transform_reduce(int n, F f, plus) const {
        integer sum = 0;
        for (int at = 0; at < n; ++at) sum += f(at);
        return sum;
    }
    struct found {
        index_t index;
    };
    template <class F>
    COGRAPH_HD found max_element(int n, F f) const {
        int best = -1;
        for (int at = 0; at < n; ++at)
            if (best < 0 || f(best) < f(at)) best = at;
        return {best};
    }
    COGRAPH_HD int rank() const { return 0; }
    COGRAPH_HD void sync() const {}
};
inline constexpr group_of_one alone{};
// Of an element and those around it, in a box or along one dimension; those outside are 1 to 4. The plain form has
// plain_neighbours.
struct relax {
    template <class Around, class Y>
    COGRAPH_HD void operator()(index_t row, index_t column, Around const& around, Y& y, integer n) const {
        const integer beside = static_cast<integer>(around.at_or(1, -1, 0)) + 2 * static_cast<integer>(around.at_or(2, 1, 0)) +
                               3 * static_cast<integer>(around.at_or(3, 0, -1)) + 4 * static_cast<integer>(around.at_or(4, 0, 1));
        y = static_cast<Y>(wrap(beside + 5 * static_cast<integer>(*around) + 7 * row + column + n));
    }
    template <class Around, class Y>
    COGRAPH_HD void operator()(index_t i, Around const& around, Y& y, integer n) const {
        const integer beside = static_cast<integer>(around.at_or(1, -2)) + 2 * static_cast<integer>(around.at_or(2, 1));
        y = static_cast<Y>(wrap(beside + 5 * static_cast<integer>(*around) + i + n));
    }
};
struct relaxed_term {
    template <class Around, class Y>
    COGRAPH_HD integer operator()(index_t row, index_t column, Around const& around, Y& y, integer n) const {
        relax{}(row, column, around, y, n);
        return static_cast<integer>(y);
    }
    template <class Around, class Y>
    COGRAPH_HD integer operator()(index_t i, Around const& around, Y& y, integer n) const {
        relax{}(i, around, y, n);
        return static_cast<integer>(y);
    }
};
// Nodes between them, over the same elements.
struct take {
    template <class X, class Y>
    COGRAPH_HD void operator()(index_t, index_t, const X& x, Y& y) const {
        y = x;
    }
    template <class X, class Y>
    COGRAPH_HD void operator()(index_t, const X& x, Y& y) const {
        y = x;
    }
};
struct drift {
    template <class Y>
    COGRAPH_HD void operator()(index_t row, index_t column, Y& y, integer n) const {
        y = static_cast<Y>(wrap(static_cast<integer>(y) + row - column + n));
    }
    template <class Y>
    COGRAPH_HD void operator()(index_t i, Y& y, integer n) const {
        y = static_cast<Y>(wrap(static_cast<integer>(y) + i + n));
    }
};
template <class X>
struct plain_neighbours {
    const X* x;
    index_t rows, columns, row, column;

    COGRAPH_HD const X& operator*() const { return x[row * columns + column]; }
    COGRAPH_HD X at_or(X otherwise, index_t down, index_t right) const {
        const index_t i = row + down, j = column + right;
        return i >= 0 && i < rows && j >= 0 && j < columns ? x[i * columns + j] : otherwise;
    }
    COGRAPH_HD X at_or(X otherwise, index_t right) const { return at_or(otherwise, 0, right); }
};
template <class Run>
void for_each_place(index_t rows, index_t columns, Run run) {
    for (index_t row = 0; row < rows; ++row)
        for (index_t column = 0; column < columns; ++column) run(row, column);
}
struct spread {
    template <class Y, class S>
    COGRAPH_HD void operator()(index_t i, Y* y, const S& s) const {
        y[i] = static_cast<Y>(wrap(static_cast<integer>(s) + 13 * i));
    }
};
struct term {
    template <class X>
    COGRAPH_HD integer operator()(index_t i, const X& x, integer n) const {
        return wrap(static_cast<integer>(x) * n + i);
    }
};
struct storing_term {
    template <class X, class Y>
    COGRAPH_HD integer operator()(index_t i, const X& x, Y& y) const {
        y = static_cast<Y>(wrap(static_cast<integer>(y) + static_cast<integer>(x) + i));
        return static_cast<integer>(y);
    }
};
struct look {
    template <class X>
    COGRAPH_HD void operator()(integer& s, const X* x, index_t count, integer n) const {
        s = wrap(3 * s + n + (count == 0 ? 0 : static_cast<integer>(x[n % count])));
    }
};
struct poke {
    template <class X, class S>
    COGRAPH_HD void operator()(X* x, index_t count, const S& s) const {
        if (count > 0) x[wrap(static_cast<integer>(s)) % count] += X(1);
    }
};
struct holds {
    template <class X>
    COGRAPH_HD bool operator()(const X* x, index_t count, integer n) const {
        return count > 0 && static_cast<integer>(x[n % count]) % 2 == 1;
    }
};
struct divides {
    template <class X>
    COGRAPH_HD bool operator()(const X& x, integer n) const {
        return (static_cast<integer>(x) + n) % 3 == 0;
    }
};

#ifdef __CUDACC__
template <class X, class Y>
__global__ void raw_combine(const X* x, Y* y, int count, integer n) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();  // for where it is programmatic
    cudaGridDependencySynchronize();
#endif
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) combine{}(i, x[i], y[i], n);
}
template <class X, class Y>
struct enqueue_combine {
    void operator()(cudaStream_t stream, const X* x, Y* y, index_t count, integer n) const {
        if (count > 0) raw_combine<<<static_cast<unsigned>((count + 127) / 128), 128, 0, stream>>>(x, y, static_cast<int>(count), n);
    }
};
template <class X>
__global__ void raw_pick(const X* x, index_t count, integer* s, integer n) {
    if (blockIdx.x == 0 && threadIdx.x == 0) look{}(*s, x, count, n);
}
#else
template <class X, class Y>
void raw_combine(const X*, Y*, int, integer) {}
template <class X, class Y>
struct enqueue_combine {
    void operator()(struct CUstream_st*, const X*, Y*, index_t, integer) const {}
};
template <class X>
void raw_pick(const X*, index_t, integer*, integer) {}
#endif
template <class X, class Y>
void host_combine(const X* x, Y* y, int count, integer n) {
    for (index_t i = 0; i < count; ++i) combine{}(i, x[i], y[i], n);
}
template <class X>
void host_pick(const X* x, index_t count, integer* s, integer n) {
    look{}(*s, x, count, n);
}

// The plain forms of functions in formulas.
template <class T>
concept number = std::is_arithmetic_v<T>;
template <number A, number B>
constexpr auto min(A l, B r) {
    return std::min<std::common_type_t<A, B>>(l, r);
}
template <number A, number B>
constexpr auto max(A l, B r) {
    return std::max<std::common_type_t<A, B>>(l, r);
}
template <number T>
constexpr T abs(T x) {
    return x < 0 ? -x : x;
}
template <number T>
double sqrt(T x) {
    return std::sqrt(static_cast<double>(x));
}
template <number T>
double exp(T x) {
    return std::exp(static_cast<double>(x));
}
template <number T>
double log(T x) {
    return std::log(static_cast<double>(x));
}
template <number T>
double sin(T x) {
    return std::sin(static_cast<double>(x));
}
template <number T>
double cos(T x) {
    return std::cos(static_cast<double>(x));
}
template <number T>
double tan(T x) {
    return std::tan(static_cast<double>(x));
}
template <number T>
double tanh(T x) {
    return std::tanh(static_cast<double>(x));
}
template <number T>
double floor(T x) {
    return std::floor(static_cast<double>(x));
}
template <number T>
double ceil(T x) {
    return std::ceil(static_cast<double>(x));
}
template <number T>
double round(T x) {
    return std::round(static_cast<double>(x));
}
template <number A, number B>
double pow(A x, B y) {
    return std::pow(static_cast<double>(x), static_cast<double>(y));
}
template <number A, number B, number C>
double fma(A x, B y, C z) {
    return std::fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
template <number T>
bool isfinite(T x) {
    return std::isfinite(static_cast<double>(x));
}
template <number T>
bool isnan(T x) {
    return std::isnan(static_cast<double>(x));
}
template <number A, number B>
constexpr auto ceil_div(A l, B r) {
    return l / r + (l % r != 0 && (l > 0) == (r > 0) ? 1 : 0);
}

template <auto Member, class T>
    requires requires(const T& of) { of.*Member; }
constexpr auto member(const T& of) {
    return of.*Member;
}

// The plain forms of reductions, and of questions about arrays.
template <class T, class Op, class Term>
T fold(std::size_t count, T start, Op op, Term of) {
    for (std::size_t i = 0; i < count; ++i) start = op(start, of(static_cast<index_t>(i)));
    return start;
}
template <class Holds>
index_t number_where(index_t count, Holds holds) {
    index_t found = 0;
    for (index_t i = 0; i < count; ++i) found += holds(i) ? 1 : 0;
    return found;
}
template <class X>
double largest(const X* x, index_t count) {
    double found = 0;
    for (index_t i = 0; i < count; ++i) found = std::max(found, std::abs(static_cast<double>(x[i])));
    return found;
}

}  // namespace random_programs
