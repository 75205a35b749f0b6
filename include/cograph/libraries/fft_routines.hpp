// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/libraries/library_call.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <type_traits>
#include <vector>

namespace cograph::fft {

// The names of calls.
struct forward;
struct inverse;
reason::advises<struct write_forward_out_y_in_x_sizes> how_to_call(forward*);
reason::advises<struct write_inverse_out_y_inout_x_sizes> how_to_call(inverse*);

}  // namespace cograph::fft

// Fourier transforms by the definition, along one axis after the other, for simulate and check.
namespace cograph::core::fft_routine {

// The real numbers that elements consist of: float or double for themselves, for float2, double2 and complex numbers.
template <class T>
struct real_part_of {
    using type = void;
};
template <class T>
    requires std::is_same_v<T, float> || std::is_same_v<T, double>
struct real_part_of<T> {
    using type = T;
};
template <class T>
    requires requires { typename T::value_type; } && (sizeof(T) == 2 * sizeof(typename T::value_type))
struct real_part_of<T> : real_part_of<typename T::value_type> {};
template <class T>
    requires requires(T t) { t.x, t.y; } && (sizeof(T) == 2 * sizeof(T::x))
struct real_part_of<T> : real_part_of<decltype(T::x)> {};
template <class T>
using real_t = typename real_part_of<std::remove_cv_t<T>>::type;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<std::remove_cv_t<T>>;

// The sides of a transform, of which a row has the last one, and how many there are one after the other.
struct transform_sides {
    index_t side[3] = {1, 1, 1};
    int dimensions = 1;
    index_t count = 0;

    index_t elements() const { return side[0] * side[1] * side[2]; }
    index_t half() const { return side[0] * side[1] * (side[2] / 2 + 1); }  // the elements whose other half is conjugate
};
template <class To, class From, class... Side>
transform_sides sides_of_transform(index_t to_size, index_t from_size, Side... side) {
    transform_sides s;
    const index_t given[] = {static_cast<index_t>(side)..., is_real<To> ? to_size : from_size};
    s.dimensions = sizeof...(Side) ? static_cast<int>(sizeof...(Side)) : 1;
    for (int i = 0; i < s.dimensions; ++i) s.side[3 - s.dimensions + i] = given[i];
    if (to_size == 0 && from_size == 0) return s;
    const index_t to = is_real<From> ? s.half() : s.elements(), from = is_real<To> ? s.half() : s.elements();
    if (s.elements() > 0) s.count = to_size / to;
    if (s.count > 0 && s.count * to == to_size && s.count * from == from_size) return s;
    char text[320];
    std::snprintf(text, sizeof text, "transforms of %lld x %lld x %lld: %lld elements do not become %lld. A real transform of n is n / 2 + 1 complex elements.",
                  static_cast<long long>(s.side[0]), static_cast<long long>(s.side[1]), static_cast<long long>(s.side[2]), static_cast<long long>(from_size),
                  static_cast<long long>(to_size));
    throw error({}, text);
}

template <class R>
void transform_axes(std::vector<std::complex<R>>& values, const transform_sides& s, bool inverse) {
    index_t stride = 1;
    for (int axis = 2; axis >= 0; stride *= s.side[axis--]) {
        const index_t n = s.side[axis];
        std::vector<std::complex<R>> root(static_cast<std::size_t>(n)), line(root.size());
        for (index_t k = 0; k < n; ++k) {
            const double angle = (inverse ? 2 : -2) * 3.14159265358979323846 * static_cast<double>(k) / static_cast<double>(n);
            root[static_cast<std::size_t>(k)] = {static_cast<R>(std::cos(angle)), static_cast<R>(std::sin(angle))};
        }
        for (index_t first = 0; first < s.elements(); ++first) {
            if (first / stride % n != 0) continue;
            for (index_t k = 0; k < n; ++k) {
                std::complex<R> sum = 0;
                for (index_t i = 0; i < n; ++i) sum += values[static_cast<std::size_t>(first + i * stride)] * root[static_cast<std::size_t>(i * k % n)];
                line[static_cast<std::size_t>(k)] = sum;
            }
            for (index_t k = 0; k < n; ++k) values[static_cast<std::size_t>(first + k * stride)] = line[static_cast<std::size_t>(k)];
        }
    }
}
// The complex number that half a spectrum has at a place: that there, or the conjugate of the one opposite.
template <class R>
std::complex<R> in_half(const R* half, const transform_sides& s, index_t at) {
    index_t k[] = {at / s.side[2] / s.side[1], at / s.side[2] % s.side[1], at % s.side[2]};
    const bool opposite = k[2] > s.side[2] / 2;
    if (opposite)
        for (int axis = 0; axis < 3; ++axis) k[axis] = (s.side[axis] - k[axis]) % s.side[axis];
    const R* number = half + 2 * ((k[0] * s.side[1] + k[1]) * (s.side[2] / 2 + 1) + k[2]);
    return {number[0], opposite ? -number[1] : number[1]};
}
template <class To, class From>
void transform_on_host(To* to, const From* from, const transform_sides& s, bool inverse) {
    using R = real_t<To>;
    for (index_t which = 0; which < s.count; ++which) {
        std::vector<std::complex<R>> values(static_cast<std::size_t>(s.elements()));
        const auto* read = reinterpret_cast<const R*>(from + which * (is_real<To> ? s.half() : s.elements()));
        auto* written = reinterpret_cast<R*>(to + which * (is_real<From> ? s.half() : s.elements()));
        for (index_t i = 0; i < s.elements(); ++i) {
            const std::complex<R> value = is_real<From> ? std::complex<R>(read[i]) : is_real<To> ? in_half(read, s, i) : std::complex<R>(read[2 * i], read[2 * i + 1]);
            values[static_cast<std::size_t>(i)] = value;
        }
        transform_axes(values, s, inverse);
        const index_t row = is_real<From> ? s.side[2] / 2 + 1 : s.side[2];
        for (index_t i = 0; i < s.side[0] * s.side[1] * row; ++i) {
            const std::complex<R> value = values[static_cast<std::size_t>(i / row * s.side[2] + i % row)];
            written[is_real<To> ? i : 2 * i] = value.real();
            if (!is_real<To>) written[2 * i + 1] = value.imag();
        }
    }
}

template <bool Inverse>
struct transform {
    using name = choose<Inverse, fft::inverse, fft::forward>;
    template <class To, class From, class... Side>
    static void on_host(To* to, index_t to_size, From* from, index_t from_size, Side... side) {
        transform_on_host(to, from, sides_of_transform<To, From>(to_size, from_size, side...), Inverse);
    }
};
template <bool Inverse>
struct transform_in_place {
    using name = choose<Inverse, fft::inverse, fft::forward>;
    template <class T, class... Side>
    static void on_host(T* values, index_t size, Side... side) {
        transform_on_host(values, values, sides_of_transform<T, T>(size, size, side...), Inverse);
    }
};

}  // namespace cograph::core::fft_routine
