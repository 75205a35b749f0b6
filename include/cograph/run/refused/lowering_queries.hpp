// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/lowering_queries.hpp>

namespace cograph::core {

// Refused calls of why_not_persistent, is_persistent, why_no_tiles and share_kernel of an executable.
template <class E>
class executable;

template <class E, class S>
auto why_not_persistent(const executable<E>&, S) -> decltype(mistake_of<struct why_not_persistent_query, executable<E>, S>(diagnose_lowering_query<E, S>()));
template <class E, class S>
auto is_persistent(const executable<E>&, S) -> decltype(mistake_of<struct is_persistent_query, executable<E>, S>(diagnose_lowering_query<E, S>()));
template <class E, class S>
auto why_no_tiles(const executable<E>&, S) -> decltype(mistake_of<struct why_no_tiles_query, executable<E>, S>(diagnose_lowering_query<E, S>()));
template <class E, class A, class B>
auto share_kernel(const executable<E>&, A, B) -> decltype(mistake_of<struct share_kernel_query, executable<E>, A, B>(diagnose_selectors<E>(A{}, B{})));

}  // namespace cograph::core
