// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/core/naming.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
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
    requires(in_memory<typename A::variable> && !A::describe.each)
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

// How an argument arrives at a kernel: all memory by its address.
template <class A>
    requires(!access_argument<A> && !has_tag<A>)
constexpr auto kernel_arrival(const A* a) {
    return arrival(a);
}
template <class V, access_mode Access>
constexpr auto kernel_arrival(const accessed<V, Access>*) {
    return arrival_of<by_value<V> ? arrives_as::value : arrives_as::pointer, !writes(Access)>(element_word(word<V>{}));
}
template <class M>
constexpr auto kernel_arrival(const each_of<M>* a) {
    return arrival(a);
}
template <has_tag V>
constexpr auto kernel_arrival(const V*) {
    return arrival_of<by_value<V> ? arrives_as::value : arrives_as::pointer, false>(element_word(word<V>{}));
}

template <class A>
constexpr auto kernel_arrival_of(word<A>) {
    return decltype(kernel_arrival(static_cast<const A*>(nullptr))){};
}

// The first argument that does not fit, as a reason.
template <int Position, class F, class P, class A, class T>
constexpr auto misfit(word<F>, word<P>, word<A>, word<T>) {
    if constexpr (misnamed<A>)
        return diagnose_tag<A>();
    else if constexpr (fit<P, A>::result == fitness::writes_const)
        return writes_through_const<F, at_parameter<Position, P>, A>{};
    else if constexpr (fit<P, A>::result == fitness::not_copied)
        return argument_is_not_trivially_copyable<F, P>{};
    else if constexpr (fit<P, A>::result == fitness::lacks_access_mode)
        return access_mode_is_missing<F, at_parameter<Position, P>, A>{};
    else if constexpr (fit<P, A>::result == fitness::on_the_host)
        return device_code_takes_host_memory<F, A>{};
    else if constexpr (is_given_formula<given<A>>)
        return given_formula(word<F>{}, word<given<A>>{});
    else if constexpr (is_given_expression<given<A>>)
        return given_expression(word<F>{}, word<given<A>>{});
    else
        return argument_does_not_fit<F, at_parameter<Position, P>, given_argument<A, T>>{};
}
template <auto F, class... P, class... A>
constexpr auto diagnose_arguments(list<P...> parameters, list<A...> arguments) {
    constexpr int at = fitted<list<P...>, A...>::first_misfit;
    if constexpr (at == -1)
        return fine{};
    else if constexpr (at < 0)
        return argument_count_differs<kernel_function<F>, takes_parameters<sizeof...(P)>, given_arguments<sizeof...(A)>>{};
    else
        return misfit<at + 1>(word<kernel_function<F>>{}, word_at<at>(parameters), word_at<at>(arguments),
                                                                      kernel_arrival_of(word_at<at>(arguments)));
}

}  // namespace cograph::core
