// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/scan/copy_if.hpp>

namespace cograph::core {

// Refused calls of partition_copy.

struct partition_copy_elements;
advises<struct write_partition_copy_in_x_out_taken_out_others_out_count_function> how_to_call(partition_copy_elements*);

template <class... A>
constexpr auto diagnose_partition_call(list<A...>) {
    return wrong_arguments<partition_copy_elements, A...>();
}
template <class X, class Y, class Z, class C, class F>
    requires(are_scanned<X, Y> && are_scanned<X, Z>)
constexpr auto diagnose_partition_call(list<in_t<X>, out_t<Y>, out_t<Z>, out_t<C>, F>) {
    if constexpr (std::is_same_v<Y, Z>)
        return parts_are_one_variable<Y>{};
    else if constexpr (!is_fine<decltype(diagnose_copy_if_call(list<in_t<X>, out_t<Z>, out_t<C>, F>{}))>)
        return diagnose_copy_if_call(list<in_t<X>, out_t<Z>, out_t<C>, F>{});
    else
        return diagnose_copy_if_call(list<in_t<X>, out_t<Y>, out_t<C>, F>{});
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_partition_call(list<A...>{}))>)
auto partition_copy(A const&...) -> decltype(mistake_of<struct partition_copy_node_call, A...>(diagnose_partition_call(list<A...>{})));
template <class... A>
auto partition_copy(A const&...)
    -> mistake<arguments_are_not_those_of<struct partition_copy_node_call, A...>, struct write_partition_copy_in_x_out_taken_out_others_out_count_function>;

}  // namespace cograph::core
