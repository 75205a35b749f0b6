// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the files that must not compile speak of, and the right calls beside them: at global scope, as users write it, and
// expressions that nobody runs.
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#ifdef __NVCC__
#pragma nv_diag_suppress 177
#endif

#include <cograph.hpp>

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace cograph;

struct csr {
    const float* values;
    int rows;
};

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct d : buffer<d, double> {} d;
inline constexpr struct s : scalar<s, float> {} s;
inline constexpr struct u : scalar<u, float> {} u;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct tol : value<tol, float> {} tol;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct A : view<A, csr> {} A;
inline constexpr struct t : temp<t, float> {} t;
inline constexpr struct z : temp<z, float, struct x> {} z;
inline constexpr struct tile : temp<tile, float, elements<32>> {} tile;
inline constexpr struct row : temp<row, float, elements<16>> {} row;
inline constexpr struct words : buffer<words, std::string> {} words;
inline constexpr struct owning_view : view<owning_view, std::vector<float>> {} owning_view;

inline float memory[16], more_memory[16];
inline const float constants[16] = {};
inline std::vector<float> owner(16);
inline int count = 0;

struct twice {
    COGRAPH_HD void operator()(index_t, float& element) const { element *= 2; }
};
struct takes_a_copy {
    COGRAPH_HD void operator()(index_t, float) const {}
};
struct axpy {
    COGRAPH_HD void operator()(index_t, float a, const float& from, float& to) const { to += a * from; }
};
struct weigh {
    COGRAPH_HD void operator()(index_t k, float& to, float from, const float* weights) const { to = from * weights[k]; }
};
struct slope {
    COGRAPH_HD void operator()(index_t, neighbours<float, 1> around, float& to) const { to = around.at_or(0.0f, 1) - *around; }
};
struct flux {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<float, 1, 1> around, float& to) const { to = around.at_or(0.0f, 0, 1) - *around; }
};
struct from_zero {
    COGRAPH_HD void operator()(index_t k, float& element) const { element = static_cast<float>(k); }
};
struct square {
    COGRAPH_HD float operator()(index_t, float element) const { return element * element; }
};
struct clamp {
    COGRAPH_HD void operator()(float& number, float most) const { number = number < most ? number : most; }
};
struct clamp_each {
    COGRAPH_HD void operator()(index_t, float& element, float most) const { element = element < most ? element : most; }
};
struct positive {
    COGRAPH_HD bool operator()(float number) const { return number > 0; }
};
struct advance {
    COGRAPH_HD bool operator()(int& number) const { return number++ < 5; }
};
// Made by no default, and not to be assigned.
struct fixed {
    const int number;
    COGRAPH_HD explicit constexpr fixed(int is) : number(is) {}
};
inline constexpr struct fixed_numbers : buffer<fixed_numbers, fixed> {} fixed_numbers;
inline constexpr struct other_fixed : buffer<other_fixed, fixed> {} other_fixed;
inline constexpr struct one_fixed : scalar<one_fixed, fixed> {} one_fixed;
struct number_of {
    COGRAPH_HD int operator()(index_t, const fixed& from) const { return from.number; }
};
struct larger {
    COGRAPH_HD float operator()(float a, float b) const { return a < b ? b : a; }
};
struct first_of {
    COGRAPH_HD void operator()(csr matrix, float& to) const { to = matrix.values[0]; }
};
struct scale {
    void operator()(index_t, std::string const&, float& element) const { element *= 2; }
};
template <int Count>
struct moments {
    double of[Count];
};
template <int Count>
struct moments_of {
    COGRAPH_HD moments<Count> operator()(index_t, const double& number) const { return {{number}}; }
};
struct add_moments {
    template <int Count>
    COGRAPH_HD moments<Count> operator()(moments<Count> a, const moments<Count>& b) const {
        for (int k = 0; k < Count; ++k) a.of[k] += b.of[k];
        return a;
    }
};
inline constexpr struct few : scalar<few, moments<4>> {} few;
inline constexpr struct many : scalar<many, moments<200>> {} many;
inline void double_it(index_t, float& element) { element *= 2; }

struct table {
    double rows[5000];
};
struct pair {
    int first, second;
};

// Kernels; where there is no nvcc they are only named.
#ifdef __CUDACC__
#define KERNEL __global__
#else
#define KERNEL
#endif
KERNEL void saxpy(int, float, const float*, float*);
KERNEL void multiply(csr, const float*, float*);
KERNEL void takes_table(table, float*);
KERNEL void reads_table(const float*, float*);
KERNEL void takes_pair(pair, float*);
#undef KERNEL
float positive_sum(float*);
template <std::size_t... I>
auto function_of_ints(std::index_sequence<I...>) -> void(*)(decltype(static_cast<void>(I), 0)...);
std::remove_pointer_t<decltype(function_of_ints(std::make_index_sequence<257>()))> takes_many;
inline void saxpy_on_host(int size, float a, const float* from, float* to) {
    for (int k = 0; k < size; ++k) to[k] += a * from[k];
}
inline void other_on_host(float*) {}
