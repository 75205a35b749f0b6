// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vocabulary.hpp"

#include <span>

// How broken programs are asked for their reason.
namespace random_programs {

inline constexpr struct stranger : buffer<stranger, integer> {} stranger;

template <class T>
T declare();

template <template <class...> class Reason, class Given>
struct is_instance : std::false_type {};
template <template <class...> class Reason, class... T>
struct is_instance<Reason, Reason<T...>> : std::true_type {};
template <template <class...> class Reason, class... R>
struct is_instance<Reason, reason::several<R...>> : std::disjunction<is_instance<Reason, R>...> {};

// Whether a diagnosis is this reason, or it among others.
template <template <class...> class Reason, class Given>
constexpr bool gives(Given) {
    return is_instance<Reason, Given>::value;
}

}  // namespace random_programs
