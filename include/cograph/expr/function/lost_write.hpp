// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/variable/narrow_extent.hpp>

namespace cograph::core {

// Arguments that are written, of functions whose parameters cannot write them: a copy, or a const reference. The
// parameters of templates are unknown, and so are the targets of other classes.

enum class parameter_kind : unsigned char { any, copy_of_a_number, leads_to_const };
template <class P>
inline constexpr parameter_kind kind_of_parameter = is_number<P> ? parameter_kind::copy_of_a_number : parameter_kind::any;
template <class T>
inline constexpr parameter_kind kind_of_parameter<const T*> = parameter_kind::leads_to_const;
template <class T>
inline constexpr parameter_kind kind_of_parameter<const T&> = parameter_kind::leads_to_const;
template <class T>
inline constexpr parameter_kind kind_of_parameter<T* const&> = kind_of_parameter<T*>;

// Two of one type have one address.
template <class T>
inline constexpr char address_of_type{};
template <class A>
inline constexpr const char* address_of_element = nullptr;
template <access_argument A>
    requires(writes(A::describe.access) && in_memory<typename A::variable>)
inline constexpr const char* address_of_element<A> = &address_of_type<typename A::element>;

template <class... A, class... P>
constexpr int first_lost(int lead, list<P...>) {
    constexpr parameter_kind kinds[] = {kind_of_parameter<P>..., parameter_kind::any};
    constexpr const char* types[] = {&address_of_type<P>..., nullptr};
    constexpr const char* written[] = {address_of_element<A>..., nullptr};
    for (int i = 0; i < static_cast<int>(sizeof...(A)) && lead + i < static_cast<int>(sizeof...(P)); ++i)
        if (written[i] && (kinds[lead + i] != parameter_kind::any || types[lead + i] == written[i])) return i;
    return -1;
}
// The first of A... that F, called with a number of values and then with these, cannot write although it is marked as
// written; or -1.
template <class F, int Lead, class... A>
inline constexpr int first_lost_write = -1;
template <class F, int Lead, class... A>
    requires requires { call_parameters(&F::operator()); }
inline constexpr int first_lost_write<F, Lead, A...> = first_lost<A...>(Lead, decltype(call_parameters(&F::operator())){});  // known_parameters is a template more

}  // namespace cograph::core
