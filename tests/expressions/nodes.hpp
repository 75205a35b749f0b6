// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

// Nodes of every kind, and everything that can be an argument.
namespace expressions::nodes {

using namespace cograph;

struct strided {
    double* values;
    int step;
};

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct small : buffer<small, int> {} small;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct r : scalar<r, double> {} r;
inline constexpr struct k : scalar<k, int> {} k;
inline constexpr struct shift : value<shift, double> {} shift;
inline constexpr struct factor : value<factor, int> {} factor;
inline constexpr struct A : view<A, strided> {} A;
inline constexpr struct B : view<B, strided> {} B;

// Function objects with state, values, scalars and extents.
struct scale_and_shift {
    double by;
    COGRAPH_HD void operator()(index_t i, const double* from, double* to, double more,
                               const double& even_more, index_t n) const {
        to[i] = by * from[i] + more + even_more + static_cast<double>(n - i);
    }
};
struct elementwise {
    std::vector<double> x_ = {1, 2, 3, 4, 5}, y_ = {0, 0, 0, 0, 0};
    double s_ = 0.25;

    static constexpr auto expression() {
        return seq(for_each(over(x), scale_and_shift{0.5})(in(x), out(y), shift, s, extent(x)),
                   for_each(over(y).block(32), scale_and_shift{-2})(in(y), out(x), 0.125, in(s), 7));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), s(at(s_)), shift(8));
    }
    void compute() {
        for (int i = 0; i < 5; ++i) y_[i] = 0.5 * x_[i] + 8 + s_ + (5 - i);
        for (int i = 0; i < 5; ++i) x_[i] = -2 * y_[i] + 0.125 + s_ + (7 - i);
    }
    bool operator==(const elementwise&) const = default;
};

// Opaque kernels: unmarked pointers, extents as integers of two sizes, values and literals of the parameter's
// type.
template <class T>
DEFINE_TEST_KERNEL void combine(const T* from, T* to, int n, T by, index_t wide, const int times) {
    const index_t i = thread_number();
    if (i < n) to[i] += times * by * from[i] + static_cast<T>(wide);
}
template <class T>
void combine_on_host(const T* from, T* to, int n, T by, index_t wide, const int times) {
    for (int i = 0; i < n; ++i) to[i] += times * by * from[i] + static_cast<T>(wide);
}
template <class T>
DEFINE_TEST_KERNEL void set(T* to, T what) {
    *to = what;
}
template <class T>
void set_on_host(T* to, T what) {
    *to = what;
}
struct opaque {
    std::vector<double> x_ = {1, 2, 3}, y_ = {4, 5, 6};
    double s_ = 0;

    static constexpr auto expression() {
        return seq(
            kernel<combine<double>, combine_on_host<double>>(over(x))(x, y, extent(x), 2, extent(y), factor),
            label("set s", kernel<set<double>, set_on_host<double>>(grid(1).block(1))(out(s), 1.5f)),
            kernel<combine<double>, combine_on_host<double>>(over(x).block(2))(in(y), inout(x), extent(x),
                                                                               shift, 1, 1),
            kernel<combine<double>, combine_on_host<double>>(grid(1))(s, s, 1, 3, extent(s), 4));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(factor(3), x(at(x_)), y(at(y_)), s(at(s_)), shift(0.5));
    }
    void compute() {
        for (int i = 0; i < 3; ++i) y_[i] += 3 * 2 * x_[i] + 3;
        for (int i = 0; i < 3; ++i) x_[i] += 0.5 * y_[i] + 1;
        s_ = 1.5 + (4 * 3 * 1.5 + 1);
    }
    bool operator==(const opaque&) const = default;
};

// A grid of two dimensions with dynamic shared memory: each block reverses a tile of 4 x 2.
DEFINE_TEST_KERNEL void reverse_tiles([[maybe_unused]] const double* from, [[maybe_unused]] double* to) {
#ifdef __CUDACC__
    extern __shared__ double tile[];
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned line = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned inside = threadIdx.y * blockDim.x + threadIdx.x;
    tile[inside] = from[line * 8 + column];
    __syncthreads();
    to[line * 8 + column] = tile[blockDim.x * blockDim.y - 1 - inside];
#endif
}
inline void reverse_tiles_on_host(const double* from, double* to) {
    for (int line = 0; line < 6; ++line)
        for (int column = 0; column < 8; ++column) {
            const int first_line = line / 2 * 2, first_column = column / 4 * 4;
            to[line * 8 + column] = from[(first_line + 1 - line % 2) * 8 + first_column + 3 - column % 4];
        }
}
struct two_dimensions {
    std::vector<double> x_ = std::vector<double>(48), y_ = std::vector<double>(48);
    two_dimensions() {
        for (int i = 0; i < 48; ++i) x_[i] = i;
    }
    static constexpr auto expression() {
        return seq(kernel<reverse_tiles, reverse_tiles_on_host>(
                       grid(2, 3).block(4, 2).shared(8 * sizeof(double)))(x, out(y)),
                   copy(in(y), out(x)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)));
    }
    void compute() {
        for (int block = 0; block < 6; ++block)
            for (int inside = 0; inside < 8; ++inside) {
                const auto place = [&](int at) {
                    return (block / 2 * 2 + at / 4) * 8 + block % 2 * 4 + at % 4;
                };
                y_[place(inside)] = x_[place(7 - inside)];
            }
        x_ = y_;
    }
    bool operator==(const two_dimensions&) const = default;
};

// The library's own: copy, fill, single_task, assign.
struct rotate {
    COGRAPH_HD void operator()(double& first, double& second, int& count) const {
        const double was = first;
        first = second;
        second = was;
        ++count;
    }
};
struct library {
    std::vector<double> x_ = {1, 2, 3, 4}, y_ = {0, 0, 0, 0}, z_ = {0, 0};
    std::vector<int> small_ = {1, 2, 3};
    double s_ = 2, r_ = 5;
    int k_ = 0;

    static constexpr auto expression() {
        return seq(copy(in(x), out(y)), fill(out(x), 7), fill(out(z), shift),
                   single_task(rotate{})(inout(s), inout(r), inout(k)), fill(out(small), k), assign(s, s * r - k),
                   fill(out(s), 3.5), assign(r, s + r), copy(in(s), out(r)), assign(k, k * factor + 2.75));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), z(at(z_)), small(at(small_)), s(at(s_)), r(at(r_)), k(at(k_)),
                          shift(-0.5), factor(3));
    }
    void compute() {
        y_ = x_;
        x_ = {7, 7, 7, 7};
        z_ = {-0.5, -0.5};
        k_ += 1;
        small_ = {k_, k_, k_};
        s_ = 3.5;
        r_ = 3.5;
        k_ = k_ * 3 + 2;
    }
    bool operator==(const library&) const = default;
};

// Views, which arrive by value.
struct gather {
    COGRAPH_HD void operator()(index_t i, const strided& from, strided to) const {
        to.values[i * to.step] = 10 * from.values[i * from.step];
    }
};
DEFINE_TEST_KERNEL void bump_view(strided what, int n) {
    const index_t i = thread_number();
    if (i < n) what.values[i * what.step] += 1;
}
inline void bump_view_on_host(strided what, int n) {
    for (int i = 0; i < n; ++i) what.values[i * what.step] += 1;
}
struct views {
    std::vector<double> x_ = {1, 2, 3, 4, 5, 6}, y_ = {0, 0, 0};

    static constexpr auto expression() {
        return seq(for_each(over(3), gather{})(in(A), out(B)),
                   kernel<bump_view, bump_view_on_host>(over(factor))(inout(A), factor),
                   for_each(over(2), gather{})(in(B), inout(A)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(A(strided{at(x_).data(), 2}), B(strided{at(y_).data(), 1}), factor(3));
    }
    void compute() {
        for (int i = 0; i < 3; ++i) y_[i] = 10 * x_[2 * i];
        for (int i = 0; i < 3; ++i) x_[2 * i] += 1;
        for (int i = 0; i < 2; ++i) x_[2 * i] = 10 * y_[i];
    }
    bool operator==(const views&) const = default;
};

// Literals of any kind: structs, bool, and function objects that cannot be made from nothing.
struct line {
    double slope, start;
    char name[3];
};
struct along {
    COGRAPH_HD void operator()(index_t i, double* to, const line& l, bool negative,
                               unsigned char more) const {
        const double value = l.slope * static_cast<double>(i) + l.start + l.name[1] + more;
        to[i] = negative ? -value : value;
    }
};
struct add_fixed {
    constexpr explicit add_fixed(int by) : by_(by) {}
    COGRAPH_HD void operator()(double& to) const { to += by_; }

private:
    int by_;
};
struct literals {
    std::vector<double> x_ = {0, 0, 0}, y_ = {0, 0, 0};
    double s_ = 1;

    static constexpr auto expression() {
        return seq(
            for_each(over(x), along{})(out(x), line{2, 1, {1, 2, 3}}, false, static_cast<unsigned char>(200)),
            single_task(add_fixed{5})(inout(s)),
            for_each(over(y), along{})(out(y), line{0.5, 0, {}}, true, static_cast<unsigned char>(1)),
            single_task(add_fixed{-3})(inout(s)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), s(at(s_)));
    }
    void compute() {
        for (int i = 0; i < 3; ++i) x_[i] = 2 * i + 1 + 2 + 200;
        for (int i = 0; i < 3; ++i) y_[i] = -(0.5 * i + 1);
        s_ += 2;
    }
    bool operator==(const literals&) const = default;
};

// Buffers without elements: nodes over them run nothing, reductions give the identity.
struct nothing_there {
    std::vector<double> x_, y_;
    std::vector<double> z_ = {1, 2};
    double s_ = 3, r_ = 4;

    static constexpr auto expression() {
        return seq(for_each(over(x), scale_and_shift{1})(in(x), out(y), 1, s, 1), copy(in(x), out(y)),
                   fill(out(x), 1),
                   kernel<combine<double>, combine_on_host<double>>(over(y))(x, y, extent(x), 2, 3, 4),
                   dot(out(s), in(x), in(y)), reduce(out(r), in(x), multiplies{}),
                   for_each(over(0), along{})(inout(z), line{}, true, static_cast<unsigned char>(1)),
                   for_each(over(factor), along{})(inout(z), line{}, true, static_cast<unsigned char>(1)),
                   repeat(2, for_each(over(x), scale_and_shift{1})(in(x), inout(z), 1, s, 1)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), z(at(z_)), s(at(s_)), r(at(r_)), factor(0));
    }
    void compute() {
        s_ = 0;
        r_ = 1;
    }
    bool operator==(const nothing_there&) const = default;
};

// Function objects that see one element of some arguments and all of others.
struct blend {
    COGRAPH_HD void operator()(index_t i, const double& own, const double* all, double& to, int weight,
                               index_t n) const {
        to = own * weight + all[n - 1 - i];
    }
};
struct swap_signs {
    COGRAPH_HD void operator()(index_t i, double& a, double& b) const {
        if (i % 2 == 1) a = -a;
        if (i % 2 == 0) b = -b;
    }
};
struct product_of {
    COGRAPH_HD double operator()(index_t, const double& left, const double& right) const {
        return left * right;
    }
};
struct one_element {
    std::vector<double> x_ = {1, 2, 3, 4}, y_ = {0, 0, 0, 0};
    double s_ = 0;

    static constexpr auto expression() {
        return seq(for_each(over(x), blend{})(in(x[each]), in(x), out(y[each]), factor, extent(x)),
                   for_each(over(y), swap_signs{})(inout(y[each]), inout(x[each])),
                   transform_reduce(over(x), product_of{}, plus{})(out(s), in(x[each]), y[each]));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), s(at(s_)), factor(3));
    }
    void compute() {
        for (std::size_t i = 0; i < 4; ++i) y_[i] = x_[i] * 3 + x_[3 - i];
        s_ = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            (i % 2 == 1 ? y_ : x_)[i] *= -1;
            s_ += x_[i] * y_[i];
        }
    }
    bool operator==(const one_element&) const = default;
};

// Function objects of which one kernel has room for one, not for two.
struct step_by {
    int by[5000];
    COGRAPH_HD void operator()(int& number) const { number += by[number % 5000]; }
    COGRAPH_HD void operator()(index_t, int& number) const { number += by[number % 5000]; }
};
constexpr step_by steps(int first) {
    step_by made{};
    for (int i = 0; i < 5000; ++i) made.by[i] = first + i % 7;
    return made;
}
constexpr step_by first_steps = steps(1), second_steps = steps(2), third_steps = steps(3), fourth_steps = steps(4);
struct large_function_objects {
    std::vector<int> small_ = {1, 200, 3000};
    int k_ = 0;

    static constexpr auto expression() {
        return seq(single_task(first_steps)(inout(k)), single_task(second_steps)(inout(k)),
                   repeat(3, seq(for_each(over(small), third_steps)(inout(small[each])), for_each(over(small), fourth_steps)(inout(small[each])))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(small(at(small_)), k(at(k_)));
    }
    void compute() {
        first_steps(k_);
        second_steps(k_);
        for (int pass = 0; pass < 3; ++pass)
            for (int& number : small_) {
                third_steps(number);
                fourth_steps(number);
            }
    }
    bool operator==(const large_function_objects&) const = default;
};

using cases =
    std::tuple<elementwise, opaque, two_dimensions, library, views, literals, nothing_there, one_element, large_function_objects>;

}  // namespace expressions::nodes
