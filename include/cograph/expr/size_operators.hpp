// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/elements.hpp>

namespace cograph::core {

template <class L, class R>
concept size_operands = (is_extent<L> || is_extent<R>) && is_size<L> && is_size<R>;
template <class L, class R>
concept no_size_operands = (is_extent<L> || is_extent<R>) && !(is_size<L> && is_size<R>);
// Of functions: a value alone makes no size of its operators, which are those of predicates.
template <class L, class R>
concept size_arguments = is_size<L> && is_size<R> && !(is_plain_integer<L> && is_plain_integer<R>);

template <class L, class R>
    requires size_operands<L, R>
constexpr auto operator+(L l, R r) {
    return combine_sizes(size_step::sum, as_size(l), as_size(r));
}
template <class L, class R>
    requires size_operands<L, R>
constexpr auto operator-(L l, R r) {
    return combine_sizes(size_step::difference, as_size(l), as_size(r));
}
template <class L, class R>
    requires size_operands<L, R>
constexpr auto operator*(L l, R r) {
    return combine_sizes(size_step::product, as_size(l), as_size(r));
}
template <class L, class R>
    requires size_operands<L, R>
constexpr auto operator/(L l, R r) {
    return combine_sizes(size_step::quotient, as_size(l), as_size(r));
}
template <class L, class R>
    requires size_operands<L, R>
constexpr auto operator%(L l, R r) {
    return combine_sizes(size_step::remainder, as_size(l), as_size(r));
}
// l / r, rounded up.
template <class L, class R>
    requires size_arguments<L, R>
constexpr auto ceil_div(L l, R r) {
    return combine_sizes(size_step::quotient_up, as_size(l), as_size(r));
}
template <class L, class R>
    requires size_arguments<L, R>
constexpr auto min(L l, R r) {
    return combine_sizes(size_step::smaller, as_size(l), as_size(r));
}
template <class L, class R>
    requires size_arguments<L, R>
constexpr auto max(L l, R r) {
    return combine_sizes(size_step::larger, as_size(l), as_size(r));
}

template <class L, class R>
    requires no_size_operands<L, R>
auto operator+(L const&, R const&) -> decltype(mistake_of<struct plus_operator, L, R>(diagnose_temp_sizes<L, R>()));
template <class L, class R>
    requires no_size_operands<L, R>
auto operator-(L const&, R const&) -> decltype(mistake_of<struct minus_operator, L, R>(diagnose_temp_sizes<L, R>()));
template <class L, class R>
    requires no_size_operands<L, R>
auto operator*(L const&, R const&) -> decltype(mistake_of<struct times_operator, L, R>(diagnose_temp_sizes<L, R>()));
template <class L, class R>
    requires no_size_operands<L, R>
auto operator/(L const&, R const&) -> decltype(mistake_of<struct divided_operator, L, R>(diagnose_temp_sizes<L, R>()));
template <class L, class R>
    requires no_size_operands<L, R>
auto operator%(L const&, R const&) -> decltype(mistake_of<struct modulo_operator, L, R>(diagnose_temp_sizes<L, R>()));
template <class L, class R>
    requires no_size_operands<L, R>
auto ceil_div(L const&, R const&) -> decltype(mistake_of<struct ceil_div_call, L, R>(diagnose_temp_sizes<L, R>()));
template <class L, class R>
    requires no_size_operands<L, R>
auto min(L const&, R const&) -> decltype(mistake_of<struct min_call, L, R>(diagnose_temp_sizes<L, R>()));
template <class L, class R>
    requires no_size_operands<L, R>
auto max(L const&, R const&) -> decltype(mistake_of<struct max_call, L, R>(diagnose_temp_sizes<L, R>()));

}  // namespace cograph::core
