// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/argument.hpp>

#include <boost/hana/basic_tuple.hpp>

#include <type_traits>

namespace cograph::core {

// The questions of std::is_trivially_copy_constructible_v and std::is_trivially_destructible_v, asked of the compiler
// directly, without the 44 templates that libstdc++ instantiates for one type.
template <class T>
inline constexpr bool copies_its_bytes = __is_trivially_constructible(T, const T&);
template <class T>
#if __has_builtin(__is_trivially_destructible)
inline constexpr bool ends_without_code = __is_trivially_destructible(T);
#else
inline constexpr bool ends_without_code = __has_trivial_destructor(T);
#endif

template <class T>
inline constexpr bool is_pointer = false;
template <class T>
inline constexpr bool is_pointer<T*> = true;

// Whether the bytes of a T are a T: CUDA copies those to kernels. nvcc erases the types of extended lambdas for the host.
template <class T>
inline constexpr bool is_copied_to_kernels =
#ifdef __CUDACC_EXTENDED_LAMBDA__
    __nv_is_extended_host_device_lambda_closure_type(T) || __nv_is_extended_device_lambda_closure_type(T) ||
#endif
    (copies_its_bytes<T> && ends_without_code<T>);

// Used if an argument leaves nothing to keep.
struct nothing {};

// The part of an argument that a node keeps: the value of a literal or of a function object with state.
template <class A>
struct kept_part {
    using type = nothing;
};
template <class T>
    requires(!is_stateless<T>)
struct kept_part<given<T>> {
    using type = T;
};
template <class A>
using kept_part_t = typename kept_part<A>::type;

template <class... P>
using pieces = boost::hana::basic_tuple<P...>;

// The kept_values of an expression's children, sixteen at a time: one flat tuple of a thousand takes nvcc a minute.
template <class... P>
struct kept_chain;

template <class P>
inline constexpr int kept_size = 1;
template <>
inline constexpr int kept_size<nothing> = 0;

template <class... P>
constexpr int total_kept_values() {
    constexpr int sizes[] = {kept_size<P>..., 0};
    int total = 0;
    for (int size : sizes) total += size;
    return total;
}
template <class... P>
inline constexpr int kept_size<pieces<P...>> = total_kept_values<P...>();
template <class... P>
inline constexpr int kept_size<kept_chain<P...>> = total_kept_values<P...>();

template <class P, class... Rest>
    requires(sizeof...(Rest) < 16)
struct kept_chain<P, Rest...> {
    pieces<P, Rest...> members;
};
template <class P0, class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10,
          class P11, class P12, class P13, class P14, class P15, class P16, class... Rest>
struct kept_chain<P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, Rest...> {
    pieces<P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15> members;
    kept_chain<P16, Rest...> rest;
};

template <class P, class... Rest>
    requires(sizeof...(Rest) < 16)
constexpr kept_chain<P, Rest...> chain(P const& p, Rest const&... rest) {
    return {pieces<P, Rest...>{p, rest...}};
}
template <class P0, class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10,
          class P11, class P12, class P13, class P14, class P15, class P16, class... Rest>
constexpr auto chain(P0 const& p0, P1 const& p1, P2 const& p2, P3 const& p3, P4 const& p4, P5 const& p5, P6 const& p6,
                     P7 const& p7, P8 const& p8, P9 const& p9, P10 const& p10, P11 const& p11, P12 const& p12,
                     P13 const& p13, P14 const& p14, P15 const& p15, P16 const& p16, Rest const&... rest)
    -> kept_chain<P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, Rest...> {
    return {pieces<P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15>{
                p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15},
            chain(p16, rest...)};
}

// Empty if no piece has state.
template <class... P>
using kept_pieces = std::conditional_t<total_kept_values<P...>() == 0, nothing, kept_chain<P...>>;

template <class... P>
constexpr kept_pieces<P...> keep_pieces(P const&... p) {
    if constexpr (total_kept_values<P...>() == 0)
        return {};
    else
        return chain(p...);
}

template <class A, class T>
constexpr kept_part_t<A> keep_part(T const& value) {
    if constexpr (std::is_same_v<kept_part_t<A>, nothing>)
        return {};
    else
        return static_cast<kept_part_t<A>>(value);
}

// Writes the address of each kept value, in the order of the arguments, and returns the place after the last.
constexpr const void** addresses(nothing const&, const void** to) { return to; }
template <class T>
const void** addresses(T const& object, const void** to) {
    *to = &object;
    return to + 1;
}
template <class... P>
const void** addresses(pieces<P...> const& members, const void** to) {
    boost::hana::unpack_impl<boost::hana::basic_tuple_tag>::apply(members, [&](auto const&... member) { ((to = addresses(member, to)), ...); });
    return to;
}
template <class... P>
const void** addresses(kept_chain<P...> const& chain, const void** to) {
    to = addresses(chain.members, to);
    if constexpr (sizeof...(P) > 16) to = addresses(chain.rest, to);
    return to;
}

}  // namespace cograph::core
