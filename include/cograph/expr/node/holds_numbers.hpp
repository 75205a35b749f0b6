// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>
#include <cograph/expr/variable/argument.hpp>

#include <type_traits>

namespace cograph::core {

// Some kernels also call a node's function for elements whose results are not used, with any values around them. They may if the function has no memory in
// which such values could be an index: no pointer may hide in its arguments and members.

// Only for questions: it becomes any number, or an empty part of a class. The other one becomes anything.
struct any_number {
    template <class T>
        requires(std::is_arithmetic_v<T> || __is_enum(T) || __is_empty(T))
    operator T() const;
};
struct anything {
    template <class T>
    operator T() const;
};

// Whether T is an aggregate whose members are numbers, those of its members counted. A member that is a reference leaves it no
// default. A union among the members counts as its first one.
constexpr int most_numbers_of_aggregate = 32;
template <class T, class... Number>
constexpr bool are_numbers() {
    if constexpr (!__is_class(T) || !__is_aggregate(T) || !requires { T(); })
        return false;
    else if constexpr (sizeof...(Number) < most_numbers_of_aggregate && requires { T{Number()..., any_number()}; })
        return are_numbers<T, Number..., any_number>();
    else
        return sizeof...(Number) > 0 && !requires { T{Number()..., anything()}; };
}

// Whether T is a type of complex numbers, of any library.
template <class T>
inline constexpr bool is_complex = requires { typename T::value_type; requires std::is_arithmetic_v<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type); };

// A lambda that captures nothing is a function, for both sides of nvcc. The host compiler sees another type in its place, of another size (closure_kind.hpp).
template <class T>
inline constexpr bool is_closure_for_both_sides =
#ifdef __CUDACC_EXTENDED_LAMBDA__
    __nv_is_extended_host_device_lambda_closure_type(T);
#else
    false;
#endif
template <class T>
inline constexpr bool becomes_function = requires(T const& f) { requires std::is_function_v<std::remove_pointer_t<decltype(+f)>>; };

// Whether a T holds only numbers, and no pointer.
template <class T>
constexpr bool holds_numbers() {
    if constexpr (std::is_arithmetic_v<T> || __is_enum(T))
        return true;
    else if constexpr (is_closure_for_both_sides<T>)
        return becomes_function<T>;
    else
        return sizeof(T) < sizeof(void*) || is_complex<T> || are_numbers<T>();
}

// The same of an argument A of a node: its value, or its elements.
template <class A>
constexpr bool gets_numbers() {
    constexpr argument_form form = A::describe.form;
    if constexpr (form == argument_form::kept_value || form == argument_form::object)
        return holds_numbers<std::remove_cv_t<typename A::parameter>>();
    else if constexpr (form == argument_form::pointer && requires { typename A::element; })
        return holds_numbers<std::remove_cv_t<typename A::element>>();
    else
        return true;
}

}  // namespace cograph::core
