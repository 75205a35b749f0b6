// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/kernel_arguments.hpp>

#include <cstdint>

namespace cograph::core {

// The common part of nodes of host code: their function objects are called with values, with pointers to memory, and
// with the literals that the node keeps.

// Memory of Ts, whose address is kept as a pointer to void.
template <class T>
struct address_of_memory;

// How an argument arrives at host code.
template <class A>
struct host_arrival {
    using type = typename A::parameter;
};
template <access_argument M>
    requires(!by_value<typename M::variable>)
struct host_arrival<M> {
    using type = address_of_memory<typename M::pointee>;
};
template <class T>
    requires(!is_stateless<T>)
struct host_arrival<given<T>> {
    using type = T const&;
};
template <class A>
using host_arrival_t = plain<typename host_arrival<A>::type>;

// A parameter found at an address.
template <class P>
struct parameter_at {
    static P read(const void* address) { return *static_cast<const P*>(address); }
};
template <class T>
struct parameter_at<address_of_memory<T>> {
    static T* read(const void* address) { return static_cast<T*>(*static_cast<void* const*>(address)); }
};
template <class T>
struct parameter_at<T const&> {
    static T const& read(const void* address) { return *static_cast<const T*>(address); }
};
template <class T>
struct parameter_at<made_on_use<T>> {
    static T read(const void*) { return {}; }
};
template <>
struct parameter_at<index_t> {
    static index_t read(const void* address) { return *static_cast<const index_t*>(address); }
};

template <class P>
using read_parameter_t = decltype(parameter_at<P>::read(nullptr));

// The result type of a call of F with these, or a mark that there is none.
template <class F, class... T>
concept host_callable = requires(const F& f, T... value) { f(static_cast<T&&>(value)...); };
template <class F, class... T>
using host_result = decltype(std::declval<const F&>()(std::declval<T>()...));

// Valid results of a call: nothing, or a status with zero for success.
template <class R>
inline constexpr bool is_status = std::is_void_v<R> || std::is_enum_v<R> || (std::is_integral_v<R> && !std::is_same_v<R, bool>);

template <class F, class... T>
std::int64_t status_of(const F& f, T&&... value) {
    if constexpr (std::is_void_v<decltype(f(static_cast<T&&>(value)...))>) {
        f(static_cast<T&&>(value)...);
        return 0;
    } else {
        return static_cast<std::int64_t>(f(static_cast<T&&>(value)...));
    }
}

// Arguments of host code: memory needs an access mode, and is passed as a whole.
enum class host_fault : unsigned char { none, no_access_mode, one_element };
template <class A>
inline constexpr host_fault host_argument_fault = host_fault::none;
template <variable V>
inline constexpr host_fault host_argument_fault<V> = V::kind == variable_kind::value ? host_fault::none : host_fault::no_access_mode;
template <access_argument M>
inline constexpr host_fault host_argument_fault<M> = is_by_element(M::describe) ? host_fault::one_element : host_fault::none;
template <class V>
inline constexpr host_fault host_argument_fault<elements_of<V>> = host_fault::one_element;


}  // namespace cograph::core
