// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vocabulary.hpp"

#include <span>

// How broken programs are asked for their reason.
namespace random_programs {

inline constexpr struct pageable : host_buffer<pageable, integer> {} pageable;
inline constexpr struct event : value<event, struct CUevent_st*> {} event;
inline constexpr struct outside : view<outside, integer*> {} outside;
struct look_on {
    void operator()(const integer*) const {}
};

inline constexpr struct stranger : buffer<stranger, integer> {} stranger;

template <class T>
T declare();

template <template <class...> class Reason, class Given>
struct is_instance : std::false_type {};
template <template <class...> class Reason, class... T>
struct is_instance<Reason, Reason<T...>> : std::true_type {};
template <template <class...> class Reason, class... R>
struct is_instance<Reason, reason::several<R...>> : std::disjunction<is_instance<Reason, R>...> {};

template <template <index_t...> class Reason, class Given>
struct is_instance_of_numbers : std::false_type {};
template <template <index_t...> class Reason, index_t... I>
struct is_instance_of_numbers<Reason, Reason<I...>> : std::true_type {};

// Whether a diagnosis is this reason, or it among others.
template <template <class...> class Reason, class Given>
constexpr bool gives(Given) {
    return is_instance<Reason, Given>::value;
}
template <template <index_t...> class Reason, class Given>
constexpr bool gives(Given) {
    return is_instance_of_numbers<Reason, Given>::value;
}

}  // namespace random_programs
