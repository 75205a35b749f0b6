// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/variable/argument.hpp>

struct CUevent_st;  // the target of a cudaEvent_t

namespace cograph::core {

// The code of nodes that are known by their form alone.
struct no_code {};

template <class Rule, class... A>
struct form_node {
    using self = form_node;
    using children = list<>;
    using arguments = list<A...>;
    using codes = list<no_code>;
    using kept_type = kept_pieces<kept_part_t<A>...>;
    static constexpr int leaves = 1;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = Rule::name,
                               .traits = &Rule::traits,
                               .arguments = arguments_of<A...>,
                               .argument_count = sizeof...(A),
                               .identity = &identity_of_type<Rule>};
    template <class Name>
    using reason_in_a_body = event_is_in_a_body<Name>;
    record records[1];
    [[no_unique_address]] kept_type kept;
};
template <class Rule, class... A>
word<Rule> word_of(const form_node<Rule, A...>*);
template <class Rule, class... A>
list<A...> operands_of(const form_node<Rule, A...>*);

struct record_event {
    static constexpr lazy_name name{"record"};
    static constexpr node_traits traits{.kind = "record", .is_kernel = false, .is_opaque = true, .can_be_disabled = false, .is_for_the_root = &is_always_for_the_root,
                                        .writes_nothing = true};
};
struct wait_for_event {
    static constexpr lazy_name name{"wait"};
    static constexpr node_traits traits{.kind = "wait", .is_kernel = false, .is_opaque = true, .can_be_disabled = false,
                                        .is_for_the_root = &is_always_for_the_root, .writes_partly = true, .written_elsewhere = true};
};
struct order_all {
    static constexpr lazy_name name{"barrier"};
    static constexpr node_traits traits{.kind = "barrier", .is_kernel = false, .is_opaque = true, .can_be_disabled = false};
};

using event_handle = CUevent_st*;
template <class E>
inline constexpr bool is_event = std::is_convertible_v<E, event_handle>;
template <variable V>
inline constexpr bool is_event<V> = V::kind == variable_kind::value && std::is_same_v<typename V::element, event_handle>;

// An event as a node holds it.
template <class E>
struct event_argument {
    using type = given<event_handle>;
};
template <variable V>
struct event_argument<V> {
    using type = in_t<V>;
};

template <class M>
inline constexpr bool is_whole_access = false;
template <access_argument M>
inline constexpr bool is_whole_access<M> = !is_by_element(M::describe) && !by_value<typename M::variable>;

}  // namespace cograph::core
