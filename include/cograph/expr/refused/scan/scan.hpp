// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/library_calls.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// Refused calls of scans.

template <bool Inclusive>
struct scan_elements;
advises<struct write_inclusive_scan_in_x_out_y> how_to_call(scan_elements<true>*);
advises<struct write_exclusive_scan_in_x_out_y> how_to_call(scan_elements<false>*);

template <class X, class Y>
concept are_scanned = in_memory<X> && in_memory<Y> && X::kind != variable_kind::scalar && Y::kind != variable_kind::scalar;

template <bool Inclusive, class... A>
constexpr auto diagnose_scan_call(list<A...>) {
    return wrong_arguments<scan_elements<Inclusive>, A...>();
}
template <bool Inclusive, class X, class Y, class Op = plus, class T = take_identity>
    requires are_scanned<X, Y>
constexpr auto diagnose_scan_call(list<in_t<X>, out_t<Y>, Op, T>) {
    if constexpr (std::is_same_v<X, Y>)
        return scanned_in_place<X>{};
    else
        return diagnose_reduction<element_at, Op, T, each_of<in_t<X>>>(element_word(word<Y>{}));
}
template <bool Inclusive, class X, class Y>
    requires are_scanned<X, Y>
constexpr auto diagnose_scan_call(list<in_t<X>, out_t<Y>>) {
    return diagnose_scan_call<Inclusive>(list<in_t<X>, out_t<Y>, plus, take_identity>{});
}
template <bool Inclusive, class X, class Y, class Op>
    requires are_scanned<X, Y>
constexpr auto diagnose_scan_call(list<in_t<X>, out_t<Y>, Op>) {
    return diagnose_scan_call<Inclusive>(list<in_t<X>, out_t<Y>, Op, take_identity>{});
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_scan_call<true>(list<A...>{}))>)
auto inclusive_scan(A const&...) -> decltype(mistake_of<struct inclusive_scan_call, A...>(diagnose_scan_call<true>(list<A...>{})));
template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_scan_call<false>(list<A...>{}))>)
auto exclusive_scan(A const&...) -> decltype(mistake_of<struct exclusive_scan_call, A...>(diagnose_scan_call<false>(list<A...>{})));
template <class... A>
auto inclusive_scan(A const&...) -> mistake<arguments_are_not_those_of<struct inclusive_scan_call, A...>, struct write_inclusive_scan_in_x_out_y>;
template <class... A>
auto exclusive_scan(A const&...) -> mistake<arguments_are_not_those_of<struct exclusive_scan_call, A...>, struct write_exclusive_scan_in_x_out_y>;

}  // namespace cograph::core
