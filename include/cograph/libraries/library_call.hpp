// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/all_but_operators.hpp>
#include <cograph/libraries/library_reasons.hpp>

#include <cstddef>
#include <type_traits>

namespace cograph::core {

// A call of a library is a captured call that is asked for its workspace first, outside of any capture: there handles and plans are made.
// A routine is a class with a host implementation, on_host. On the device enqueue_call works, which a library's .cuh has.

// Stands for a handle that the library makes and keeps, one for each device.
struct handle_of_the_library {};

template <class Routine, class Handle, class... P>
struct library_call {
    using routine = Routine;
    [[no_unique_address]] Handle handle;
    void operator()(void* work, std::size_t& bytes, P... value, stream_handle on) const {
        enqueue_call(Routine{}, handle, work, bytes, on, value...);
    }
};
template <class Routine, class... P>
struct library_call_on_host {
    void operator()(P... value) const { Routine::on_host(value...); }
};
template <class Routine, class Handle, class... P>
struct named_as<library_call<Routine, Handle, P...>> {
    using type = typename Routine::name;
    static constexpr const node_traits* find_traits() {
        if constexpr (requires { Routine::template traits<P...>; })
            return &Routine::template traits<P...>;
        else
            return &captured_traits;
    }
    static constexpr const node_traits* traits = find_traits();
};

// Calls of libraries use only the given stream, so other threads are not restricted while one is captured.
using library_capture = capture_options<capture_mode::thread, false>;

// Collectives connect their ranks in the first call, by work that may not be captured.
using collective_capture = capture_options<capture_mode::thread, true>;

template <class Capture = library_capture, class Routine, class Handle, class... A>
constexpr auto library_node(Routine, Handle handle, record where, A... argument) {
    using call = library_call<Routine, Handle, read_parameter_t<host_arrival_t<as_argument_t<A>>>...>;
    using on_host = library_call_on_host<Routine, read_parameter_t<host_arrival_t<as_argument_t<A>>>...>;
    return captured_t<stream_last, Capture, call, on_host>{{handle}, {}, where}(argument...);
}

// All elements of memory in device memory, as a library takes it.
template <class M>
concept whole_memory = access_argument<M> && in_memory<typename M::variable> && !M::describe.each;
template <class M>
concept memory_input = whole_memory<M> && M::describe.access == access_mode::read && M::variable::kind != variable_kind::scalar;
template <class M>
concept result_memory = whole_memory<M> && writes(M::describe.access) && M::variable::kind != variable_kind::scalar;
template <class M>
concept result_scalar = whole_memory<M> && M::describe.access == access_mode::write && M::variable::kind == variable_kind::scalar;

// A factor: a number, a value, a formula over extents and values, or a scalar that is read on the device.
struct one {};
struct zero {};
template <class A>
inline constexpr bool is_factor = std::is_arithmetic_v<A> || std::is_same_v<A, one> || std::is_same_v<A, zero> || is_host_value<as_argument_t<A>>;
template <variable V>
inline constexpr bool is_factor<V> = V::kind == variable_kind::value;
template <access_argument M>
inline constexpr bool is_factor<M> = M::describe.access == access_mode::read && (by_value<typename M::variable> || M::variable::kind == variable_kind::scalar);

template <class T, class A>
constexpr auto factor_of(A given) {
    if constexpr (std::is_same_v<A, one>)
        return T(1);
    else if constexpr (std::is_same_v<A, zero>)
        return T(0);
    else if constexpr (std::is_arithmetic_v<A>)
        return static_cast<T>(given);
    else
        return given;
}
template <class T, class A>
constexpr T number_at(const A& given) {
    return static_cast<T>(given);
}
template <class T>
constexpr T number_at(const T* given) {
    return *given;
}

// Numbers of matrices and the like.
template <class A>
inline constexpr bool is_count = std::is_integral_v<A> || is_extent<A> || is_host_value<as_argument_t<A>>;
template <variable V>
inline constexpr bool is_count<V> = V::kind == variable_kind::value && std::is_integral_v<typename V::element>;
template <class A>
constexpr auto count_of(A given) {
    if constexpr (std::is_integral_v<A>)
        return static_cast<index_t>(given);
    else
        return given;
}

// Whether a factor is of memory, and of which elements.
template <class T, class A>
inline constexpr bool is_factor_of = true;
template <class T, whole_memory M>
inline constexpr bool is_factor_of<T, M> = std::is_same_v<T, typename M::element>;

// Rules that all libraries have. Numbers and values among A... are of any type.
template <class Routine, class V, class X>
constexpr auto elements_are_different(word<V>, word<X>) {
    return elements_of_a_call_differ<typename Routine::name, V, X>{};
}
template <class M>
using variable_word = decltype(variable_of(static_cast<const M*>(nullptr)));
template <class Routine, class V>
constexpr auto no_such_elements(word<V>) {
    return library_has_no_such_elements<typename Routine::name, V>{};
}
template <class Routine, class V>
constexpr auto reads_result(word<V>) {
    return result_is_read_too<typename Routine::name, V>{};
}
template <class Routine, class Y, class... A>
constexpr auto diagnose_elements_of_call() {
    constexpr int at = first_true<!is_factor_of<typename Y::element, A>...>();
    if constexpr (!Routine::template has_elements<typename Y::element>)
        return no_such_elements<Routine>(variable_word<Y>{});
    else if constexpr (at < static_cast<int>(sizeof...(A)))
        return elements_are_different<Routine>(variable_word<Y>{}, accessed_variable(word_at<at>(list<A...>{})));
    else
        return fine{};
}

// Why a call is none of a routine's.
struct not_called_so {};
template <class Call, class... A, class Reason>
constexpr Reason explain_library_call(Reason) {
    return {};
}
template <class Call, class... A>
constexpr arguments_are_not_those_of<Call, A...> explain_library_call(not_called_so) {
    return {};
}

// in(A) of a matrix that is stored the other way: column by column.
template <class M>
struct transposed_matrix {
    M memory;
};
template <class M>
constexpr M memory_of(M) {
    return {};
}
template <class M>
constexpr M memory_of(transposed_matrix<M>) {
    return {};
}
template <class M>
using memory_of_t = decltype(memory_of(M{}));

template <class M>
using memory_element_t = typename memory_of_t<M>::element;
template <class M>
constexpr auto extent_of(M) {
    return extent_t<typename memory_of_t<M>::variable>{};
}
constexpr record at_place(const char* file, unsigned line) { return {nullptr, file, line, {}}; }

// Whether a result that is only written is said to be read, by a factor beta.
template <class Routine, class Y, class Beta, class... A>
constexpr auto diagnose_with_beta() {
    if constexpr (!is_fine<decltype(diagnose_elements_of_call<Routine, Y, A..., Beta>())>)
        return diagnose_elements_of_call<Routine, Y, A..., Beta>();
    else if constexpr (Y::describe.access == access_mode::write && !std::is_same_v<Beta, zero>)
        return reads_result<Routine>(variable_word<Y>{});
    else
        return fine{};
}
// A result that a routine changes must be marked inout.
template <class Routine, class Y, class... A>
constexpr auto diagnose_updated() {
    if constexpr (!is_fine<decltype(diagnose_elements_of_call<Routine, Y, A...>())>)
        return diagnose_elements_of_call<Routine, Y, A...>();
    else if constexpr (Y::describe.access == access_mode::write)
        return reads_result<Routine>(variable_word<Y>{});
    else
        return fine{};
}

}  // namespace cograph::core
