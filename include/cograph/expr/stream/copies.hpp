// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/refused/stream/copies.hpp>

namespace cograph::core {

// Copies by the copy engines: between host and device, and of boxes.

struct copy_memory {};

// The code of a copy of elements T, whole or of a box.
template <class T, bool OfBox>
struct copy_code {};

// CUDA copies pageable memory at the outermost level of a graph only.
constexpr bool takes_pageable_memory(const node_spec& copy) {
    for (int i = 0; i < copy.argument_count; ++i)
        if (copy.arguments[i].variable && copy.arguments[i].variable->kind == variable_kind::host) return true;
    return false;
}
inline constexpr node_traits copy_of_a_box_traits{.kind = "memory_copy", .is_kernel = false, .is_opaque = true, .copies_memory = true,
                                                  .is_for_the_root = &takes_pageable_memory};
inline constexpr node_traits copy_of_all_traits = copy_of_a_box_traits.with_equal_extents();

// Arguments: from, to, and either the number of elements or a box.
template <class From, class To, class Size>
struct copy_node {
    using self = copy_node;
    using children = list<>;
    using arguments = list<From, To, Size>;
    using codes = list<copy_code<typename From::element, !std::is_same_v<Size, extent_t<typename From::variable>>>>;
    using kept_type = kept_pieces<kept_part_t<Size>>;
    static constexpr int leaves = 1;
    static constexpr bool whole = std::is_same_v<Size, extent_t<typename From::variable>>;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = {"copy"},
                               .traits = whole ? &copy_of_all_traits : &copy_of_a_box_traits,
                               .arguments = arguments_of<From, To, Size>,
                               .argument_count = 3,
                               .domain = whole ? extent_t<typename From::variable>::describe : argument{argument_form::kept_value},
                               .identity = &identity_of_type<copy_memory>};
    template <class Name>
    using reason_in_a_body = pageable_copy_is_in_a_body<Name>;
    record records[1];
    [[no_unique_address]] kept_type kept;
};
template <class From, class To, class Size>
word<copy_memory> word_of(const copy_node<From, To, Size>*);
template <class From, class To, class Size>
list<From, To, Size> operands_of(const copy_node<From, To, Size>*);

// copy(in(from), out(to)) between host and device; both must be of one length.
template <holds_memory X, holds_memory Y>
    requires((in_host_memory<X> || in_host_memory<Y>) && is_fine<decltype(diagnose_copied<X, Y>())>)
constexpr auto copy(in_t<X>, out_t<Y>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return copy_node<each_of<in_t<X>>, each_of<out_t<Y>>, extent_t<X>>{{{nullptr, file, line, {}}}, {}};
}

// A box of two or three dimensions, or a part of a row: copy(in(from), out(to), box{.width = 3, .height = 2,
// .from_pitch = 8}). If a part of `to` keeps its value, mark it inout. A value variable of type box is accepted too.
template <holds_memory X, access_argument M>
    requires is_fine<decltype(diagnose_copy_call(list<in_t<X>, M, box>{}))>
constexpr auto copy(in_t<X>, M, box what, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return copy_node<in_t<X>, M, given<box>>{{{nullptr, file, line, {}}}, keep_pieces(what)};
}
template <holds_memory X, access_argument M, variable B>
    requires is_fine<decltype(diagnose_copy_call(list<in_t<X>, M, B>{}))>
constexpr auto copy(in_t<X>, M, B, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return copy_node<in_t<X>, M, in_t<B>>{{{nullptr, file, line, {}}}, {}};
}

}  // namespace cograph::core
