// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/variable/narrow_extent.hpp>

namespace cograph::core {

template <class F>
struct signature;
template <class R, class... P>
struct signature<R (*)(P...)> {
    using parameters = list<P...>;
    static constexpr int count = sizeof...(P);
};
template <class R, class... P>
struct signature<R (*)(P...) noexcept> : signature<R (*)(P...)> {};

enum class fitness : unsigned char { fits, differs, writes_const, lacks_access_mode, not_copied, on_the_host };

// Whether argument A, as the user wrote it, can be passed to a parameter of type P, and the form in which a node holds it.
template <class P, class A>
struct fit {
    using type = given<std::remove_cv_t<P>>;
    static constexpr fitness result = !std::is_convertible_v<A, P>                     ? fitness::differs
                                      : !is_copied_to_kernels<std::remove_cv_t<P>> ? fitness::not_copied
                                                                                   : fitness::fits;
};
template <class P, access_argument A>
    requires(in_memory<typename A::variable> && !is_by_element(A::describe))
struct fit<P, A> {
    using type = A;
    using pointee = std::remove_pointer_t<P>;
    static constexpr fitness result =
        !std::is_pointer_v<P> || !std::is_same_v<std::remove_const_t<pointee>, typename A::element> ? fitness::differs
        : std::is_const_v<pointee> && writes(A::describe.access)                                    ? fitness::writes_const
                                                                                                    : fitness::fits;
};
template <class P, access_argument A>
    requires by_value<typename A::variable>
struct fit<P, A> {
    using type = A;
    static constexpr fitness result =
        std::is_same_v<std::remove_cv_t<P>, typename A::element> ? fitness::fits : fitness::differs;
};
template <class P, in_memory V>
struct fit<P, V> {
    using type = std::conditional_t<std::is_const_v<std::remove_pointer_t<P>>, in_t<V>, inout_t<V>>;
    static constexpr fitness result = fit<P, type>::result;
};
template <class P, by_value V>
struct fit<P, V> {
    using type = in_t<V>;
    static constexpr fitness result =
        V::kind == variable_kind::view ? fitness::lacks_access_mode : fit<P, in_t<V>>::result;
};
template <class P, class A>
    requires(!is_for_the_device<A>)
struct fit<P, A> {
    using type = A;
    static constexpr fitness result = fitness::on_the_host;
};
template <class P, class V>
struct fit<P, extent_t<V>> {
    using type = extent_t<V>;
    static constexpr fitness result =
        std::is_integral_v<P> && (sizeof(P) == 4 || sizeof(P) == 8) ? fitness::fits : fitness::differs;
};

template <auto F, auto Host, class Shape, class... A>
struct kernel_node;

// The arguments A... of a call against parameters P...; shared by all kernels with such parameters.
template <class Parameters, class... A>
struct fitted {
    static constexpr int first_misfit = -2;  // another number of arguments
};
template <class... P, class... A>
    requires(sizeof...(P) == sizeof...(A))
struct fitted<list<P...>, A...> {
    static constexpr int find() {
        constexpr fitness results[] = {fit<P, A>::result..., fitness::fits};
        for (int i = 0; i < static_cast<int>(sizeof...(P)); ++i)
            if (results[i] != fitness::fits) return i;
        return -1;
    }
    static constexpr int first_misfit = find();
    template <auto F, auto Host, class Shape>
    using node = kernel_node<F, Host, Shape, typename fit<P, A>::type...>;
    static constexpr auto keep(A const&... arguments) { return keep_pieces(keep_part<typename fit<P, A>::type>(arguments)...); }
};

}  // namespace cograph::core
