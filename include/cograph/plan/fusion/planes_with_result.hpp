// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/parameter.hpp>
#include <cograph/plan/fusion/elementwise_fusion.hpp>
#include <cograph/plan/persistent/word_join.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// A node over a box of three dimensions and the reduction after it as one kernel (joins_planes). The result must be the largest or the least term: its bits
// do not depend on the order in which threads find the terms.

inline constexpr node_traits planes_with_result_traits{.rule = "per_element", .size = &size_over_elements, .counts_elements = true};

// Place: by argument of the reduction, the parameter of the kernel. Those before Count are of the node.
template <class Stage, int Count, class Reduction, class Place, class Parameters>
struct planes_with_result_code {};

// The reduction takes the box, and elements that both see, as the node does: their values are known then.
template <int Count, int OfSecond>
struct places_of_arguments {
    int all[OfSecond + 1]{};

    constexpr places_of_arguments(const node_spec& node, const node_spec& reduction) {
        int parameters = Count;
        for (int j = 0; j < OfSecond; ++j) {
            const int side = j - reduction.traits->first_side;
            int same = j == 0 ? 0 : side >= 0 && side < 3 ? node.traits->first_side + side : -1;
            const argument& b = reduction.arguments[j];
            for (int i = 0; i < Count && same < 0; ++i) {
                const argument& a = node.arguments[i];
                if (reaches_memory(a) && a.variable == b.variable && a.form == argument_form::pointer && b.form == argument_form::pointer && (a.each || a.near) && b.each) same = i;
            }
            all[j] = same >= 0 ? same : parameters++;
        }
    }
};

template <class First, class Second>
struct node_with_result {
    using self = node_with_result;
    using children = list<>;
    using kept_type = kept_pieces<typename First::kept_type, typename Second::kept_type>;
    using nodes = family<First, Second>;
    static constexpr int leaves = 2, count = First::tree.argument_count, of_second = Second::tree.argument_count;
    static constexpr places_of_arguments<count, of_second> place{First::tree, Second::tree};

    template <bool IsOwn, class P>
    using own = choose<IsOwn, list<std::type_identity<P>>, list<>>;
    template <class Stage, class... P, class Reduction, class... Q, int... J>
    static auto code_of(list<stage_code<Stage, P...>>, list<stage_code<Reduction, Q...>>, std::integer_sequence<int, J...>)
        -> planes_with_result_code<Stage, count, Reduction, std::integer_sequence<int, place.all[J]...>, decltype((list<std::type_identity<P>...>{} + ... + own<(place.all[J] >= count), Q>{}))>;
    using codes = list<decltype(code_of(typename First::codes{}, typename Second::codes{}, std::make_integer_sequence<int, of_second>{}))>;

    template <class... A>
    struct argument_table {
        argument all[sizeof...(A) + 1] = {A::describe..., {argument_form::kept_value}};
        lowered_argument lowered[sizeof...(A) + 1]{};
        constexpr argument_table() {
            for (int i = 0; i < count; ++i) lowered[i] = {First::tree.traits, i == 0};
            for (int j = 0; j < of_second; ++j) lowered[count + j] = {Second::tree.traits, j == 0, place.all[j] < count};
        }
    };
    template <class... A>
    static argument_table<A...> table_of(list<A...>);
    static constexpr decltype(table_of(typename First::arguments{} + typename Second::arguments{})) table{};
    static constexpr lowered_node as_one{.parts = nodes::trees, .arguments = table.lowered, .at_once = usual_threads_at_once};
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = First::tree.name,
                               .traits = &planes_with_result_traits,
                               .arguments = table.all,
                               .argument_count = count + of_second,
                               .leaves = leaves,
                               .domain = First::tree.domain,
                               .elements_a_thread = few_planes,
                               .lowered = &as_one};
};

template <class P>
using unwrapped = std::remove_cvref_t<decltype(unwrap(std::declval<P const&>()))>;
template <class Reduction, class... P>
constexpr bool has_largest_or_least(list<stage_code<Reduction, P...>>) {
    return how_to_join<unwrapped<typename pick_type<2, P...>::type>, unwrapped<typename pick_type<3, P...>::type>>() == word_join::largest;
}
template <class First, class Second>
constexpr auto with_result() {
    if constexpr (has_largest_or_least(typename Second::codes{}))
        return std::type_identity<node_with_result<First, Second>>{};
    else
        return std::type_identity<sequence<First, Second>>{};
}

}  // namespace cograph::core
