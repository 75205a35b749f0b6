// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/fft_routines.hpp>

// Fourier transforms as nodes: their language and their simulation. cograph/fft.cuh implements them with cuFFT.

namespace cograph::core {

template <class M>
concept fourier_memory = whole_memory<M> && M::variable::kind != variable_kind::scalar;

template <class Routine, class Y, class X>
constexpr auto transforms_differ(word<Y>, word<X>) {
    return elements_of_a_call_differ<typename Routine::name, Y, X>{};
}
template <class Routine, class X>
constexpr auto overwrites(word<X>) {
    return input_is_overwritten<typename Routine::name, X>{};
}
// Whether elements T are transformed into elements U; by the inverse transform if Inverse.
template <class T, class U, bool Inverse>
inline constexpr bool are_transformed = std::is_same_v<fft_routine::real_t<T>, fft_routine::real_t<U>> &&
                                        (Inverse ? !fft_routine::is_real<U> : !fft_routine::is_real<T>);
template <bool Inverse, class Y, class X>
constexpr auto diagnose_transformed() {
    using routine = fft_routine::transform<Inverse>;
    if constexpr (std::is_void_v<fft_routine::real_t<typename Y::element>>)
        return no_such_elements<routine>(variable_word<Y>{});
    else if constexpr (!are_transformed<typename Y::element, typename X::element, Inverse>)
        return transforms_differ<routine>(variable_word<Y>{}, variable_word<X>{});
    else if constexpr (fft_routine::is_real<typename Y::element> && !writes(X::describe.access))
        return overwrites<routine>(variable_word<X>{});
    else
        return fine{};
}
template <class>
inline constexpr bool is_transform_side = false;
template <class A>
    requires is_count<A>
inline constexpr bool is_transform_side<A> = true;
// Sides that are left out.
struct no_transform_side {};
template <class A, class B, class C>
inline constexpr bool are_transform_sides = (is_transform_side<A> || std::is_same_v<A, no_transform_side>) && (is_transform_side<B> || std::is_same_v<B, no_transform_side>) && (is_transform_side<C> || std::is_same_v<C, no_transform_side>);

template <bool Inverse, class Y = void, class X = void, class A = no_transform_side, class B = no_transform_side, class C = no_transform_side, class... More>
constexpr auto diagnose_transform() {
    if constexpr (fourier_memory<Y> && fourier_memory<X> && are_transform_sides<A, B, C> && sizeof...(More) == 0) {
        if constexpr (Y::describe.access != access_mode::read && reads(X::describe.access))
            return diagnose_transformed<Inverse, Y, X>();
        else
            return not_called_so{};
    } else if constexpr (fourier_memory<Y> && are_transform_sides<X, A, B> && sizeof...(More) == 0) {
        if constexpr (Y::describe.access == access_mode::read_write && std::is_same_v<C, no_transform_side>)
            return diagnose_transformed<Inverse, Y, Y>();
        else
            return not_called_so{};
    } else
        return not_called_so{};
}

// forward(out(y), in(x)): one transform of all; forward(out(y), in(x), n), (…, rows, columns), (…, depth, rows,
// columns): as many transforms of these sizes as fit, one after the other. Complex elements may be transformed in
// place: forward(inout(x), …). inverse does not divide by the number of elements, and needs inout(x) if y is real,
// because it works in x.
template <bool Inverse>
struct transform_function {
    template <class Y, class X = no_transform_side, class A = no_transform_side, class B = no_transform_side, class C = no_transform_side>
        requires is_fine<decltype(diagnose_transform<Inverse, Y, X, A, B, C>())>
    constexpr auto operator()(Y y, X x = {}, A a = {}, B b = {}, C c = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        const record where = at_place(file, line);
        if constexpr (fourier_memory<X>)
            return with_sides(fft_routine::transform<Inverse>{}, where, list<A, B, C>{}, a, b, c, y, extent_of(y), x, extent_of(x));
        else
            return with_sides(fft_routine::transform_in_place<Inverse>{}, where, list<X, A, B>{}, x, a, b, y, extent_of(y));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_transform<Inverse, A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<transform_function, A...>(
                                               explain_library_call<typename fft_routine::transform<Inverse>::name, A...>(diagnose_transform<Inverse, A...>())));

private:
    template <class Routine, class A, class B, class C, class... M>
    static constexpr auto with_sides(Routine routine, record where, list<A, B, C>, A a, B b, C c, M... memory) {
        if constexpr (is_transform_side<C>)
            return library_node(routine, handle_of_the_library{}, where, memory..., count_of(a), count_of(b), count_of(c));
        else if constexpr (is_transform_side<B>)
            return library_node(routine, handle_of_the_library{}, where, memory..., count_of(a), count_of(b));
        else if constexpr (is_transform_side<A>)
            return library_node(routine, handle_of_the_library{}, where, memory..., count_of(a));
        else
            return library_node(routine, handle_of_the_library{}, where, memory...);
    }
};

}  // namespace cograph::core

namespace cograph::fft {

inline constexpr core::transform_function<false> forward{};
inline constexpr core::transform_function<true> inverse{};

}  // namespace cograph::fft
