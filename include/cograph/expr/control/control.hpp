// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control_rules.hpp>

namespace cograph::core {

// Loops and branches as nodes.

template <class Rule, class Predicate, class... Bodies>
struct control;
template <class Rule, class... A, class... Bodies>
struct control<Rule, condition<A...>, Bodies...> {
    using self = control;
    using children = list<typename Bodies::self...>;
    using conditions = conditions_of<Rule, concerns_conditions(Rule::kind, family<Bodies...>::trees, sizeof...(Bodies))>;
    using arguments = decltype(typename conditions::front{} + list<A...>{});
    using kept_type = kept_pieces<typename condition<A...>::kept_type, typename Bodies::kept_type...>;
    template <class... B>
    static constexpr auto code(list<B...>) -> typename conditions::template codes<plain<typename B::parameter>...>;
    using codes = decltype(code(arguments{}));
    template <class... B>
    static constexpr node_spec make_tree(list<B...>) {
        return {.kind = Rule::kind,
                .name = Rule::name,
                .arguments = arguments_of<B...>,
                .argument_count = sizeof...(B),
                .children = family<Bodies...>::trees,
                .child_count = sizeof...(Bodies),
                .every = conditions::every,
                .grid = conditions::grid,
                .block = conditions::block};
    }
    static constexpr int leaves = 1 + family<Bodies...>::leaves;
    static constexpr node_spec tree = make_tree(arguments{});
    record records[leaves];
    [[no_unique_address]] kept_type kept;
};

template <class Rule, class... A, class... Bodies>
constexpr control<Rule, condition<A...>, Bodies...> make_control(record where, condition<A...> p, Bodies const&... bodies) {
    control<Rule, condition<A...>, Bodies...> whole{{where}, keep_pieces(p.kept, bodies.kept...)};
    family<Bodies...>::gather(whole.records + 1, bodies...);
    return whole;
}

template <class Rule, class P, class... Bodies>
word<Rule> word_of(const control<Rule, P, Bodies...>*);
template <class Rule, int Every, class... Limit, class P, class... Bodies>
word<Rule> word_of(const control<rule_with_options<Rule, Every, Limit...>, P, Bodies...>*);
template <class Rule, int Grid, int Block, class P, class... Bodies>
auto word_of(const control<rule_with_shape<Rule, Grid, Block>, P, Bodies...>*) -> decltype(word_of(static_cast<const control<Rule, P, Bodies...>*>(nullptr)));
template <class Rule, class... A, class... Bodies>
constexpr auto operands_of(const control<Rule, condition<A...>, Bodies...>*) {
    return typename control<Rule, condition<A...>, Bodies...>::conditions::front{} + list<A...>{};
}
template <class Rule, class P, class... Bodies>
list<Bodies...> members_of(const control<Rule, P, Bodies...>*);

}  // namespace cograph::core
