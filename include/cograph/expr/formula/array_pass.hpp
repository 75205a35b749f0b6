// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loops.hpp>
#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/formula/array_pass.hpp>

namespace cograph::core {

// Predicates over arrays. A term like count_if(x, f) is one pass over x, a reduction to a hidden scalar right before the
// condition that reads it: loop_while(count_if(x, f) > n, body) is seq(pass, loop_while(hidden > n, seq(body, pass))).

// A pass: a reduction without the scalar that receives its result. Front: domain, function, operation, identity, scratch.
template <class Stage, class Key, class T, class Front, class... A>
struct array_pass;
template <class Stage, class Key, class T, class Domain, class... Front, class... A>
struct array_pass<Stage, Key, T, list<Domain, Front...>, A...> {
    using element = T;
    using kept_type = kept_pieces<nothing, kept_part_t<Front>..., nothing, kept_part_t<A>...>;
    [[no_unique_address]] kept_type kept;

    template <class Result>
    using node = stage_node<Stage, Key, Domain, Domain, Front..., reference_to<out_t<Result>>, A...>;
    template <class Result>
    constexpr node<Result> into(record where) const {
        return {{where}, kept};
    }
};

// Stands in a formula for the result of a pass.
template <class Pass>
struct pending : variable_base<pending<Pass>, typename Pass::element, variable_kind::scalar> {
    static constexpr bool is_pass = true;
};
template <class Pass>
struct term_leaf : operand<0, Pass> {
    static constexpr int arity = 1;
};

// The scalar that receives it: the one at position I of its predicate.
template <int I, class Pass>
struct pass_result : variable_base<pass_result<I, Pass>, typename Pass::element, variable_kind::scalar> {};
template <int I, class Stage, class Key, class T, class Front, class... A>
inline constexpr variable_info info_of<pass_result<I, array_pass<Stage, Key, T, Front, A...>>>{
    Stage::name, variable_kind::scalar, sizeof(T), alignof(T), std::is_signed_v<T>, nullptr,
    type_hash<pass_result<I, array_pass<Stage, Key, T, Front, A...>>>(), type_name<T>(), nullptr, true};

// A formula without passes, and the pass at a position.
template <class F>
constexpr F without_passes(F f) {
    return f;
}
template <class Pass>
constexpr placeholder without_passes(term_leaf<Pass>) {
    return {};
}
template <class Operation, class L>
constexpr auto without_passes(apply_unary<Operation, L> f) {
    const auto left = without_passes(f.operand<0, L>::get());
    return apply_unary<Operation, std::remove_const_t<decltype(left)>>{as_operand<0>(left)};
}
template <class Operation, class L, class R>
constexpr auto without_passes(apply<Operation, L, R> f) {
    const auto left = without_passes(f.operand<0, L>::get());
    const auto right = without_passes(f.operand<1, R>::get());
    return apply<Operation, std::remove_const_t<decltype(left)>, std::remove_const_t<decltype(right)>>{as_operand<0>(left), as_operand<1>(right)};
}
template <int I, class Pass>
constexpr Pass pass_at(term_leaf<Pass> f) {
    return f.get();
}
template <int I, class Operation, class L>
constexpr auto pass_at(apply_unary<Operation, L> f) {
    return pass_at<I>(f.operand<0, L>::get());
}
template <int I, class Operation, class L, class R>
constexpr auto pass_at(apply<Operation, L, R> f) {
    if constexpr (I < L::arity)
        return pass_at<I>(f.operand<0, L>::get());
    else
        return pass_at<I - L::arity>(f.operand<1, R>::get());
}

// A predicate whose arguments are results of passes, among others.
template <class Predicate, class Make>
struct tested : Predicate {
    Make passes;  // gives them for a place
};

template <class V, int I>
struct term_variable {
    using type = V;
};
template <class Pass, int I>
struct term_variable<pending<Pass>, I> {
    using type = pass_result<I, Pass>;
};

// Makes the passes of a formula.
template <class F, class... V>
struct pass_maker {
    F function;

    constexpr auto operator()(record where) const { return make(where, std::make_index_sequence<sizeof...(V)>{}); }

private:
    template <std::size_t... I>
    constexpr auto make(record where, std::index_sequence<I...>) const {
        return select(where, chosen<static_cast<int>(I)...>(list<>{}));
    }
    template <int... I>
    static constexpr auto chosen(list<>) {
        return (list<>{} + ... + pick_position<I, typename pick_type<I, V...>::type>());
    }
    template <int I, class W>
    static constexpr auto pick_position() {
        if constexpr (is_pass_result<W>)
            return list<std::integral_constant<int, I>>{};
        else
            return list<>{};
    }
    template <class... I>
    constexpr auto select(record where, list<I...>) const {
        return make_group<group_kind::passes>(node<I::value>(where)...);
    }
    template <int I>
    constexpr auto node(record where) const {
        const auto pass = pass_at<I>(function);
        return pass.template into<pass_result<I, std::remove_const_t<decltype(pass)>>>(where);
    }
};

template <class F, class... V, std::size_t... I>
constexpr auto tested_formula(formula<F, V...> f, std::index_sequence<I...>) {
    const auto plain_formula = without_passes(f.function);
    using P = decltype(as_predicate(
        formula<std::remove_const_t<decltype(plain_formula)>, typename term_variable<V, static_cast<int>(I)>::type...>{plain_formula}));
    return tested<P, pass_maker<F, V...>>{
        as_predicate(formula<std::remove_const_t<decltype(plain_formula)>, typename term_variable<V, static_cast<int>(I)>::type...>{plain_formula}),
        {f.function}};
}
template <class F, class... V>
    requires(formula_kind_of<V...>() == formulas::of_passes)
constexpr auto as_predicate(formula<F, V...> f) {
    return tested_formula(f, std::index_sequence_for<V...>{});
}

// A loop or branch with such a predicate.
template <class... Node, class Control>
constexpr auto behind(array_passes<Node...> const& passes, Control const& control) {
    return seq(passes, control);
}
template <class Rule, class P, class Make, class... Bodies>
constexpr auto make_control(record where, tested<P, Make> p, Bodies const&... bodies) {
    return behind(p.passes(where), make_control<Rule>(where, static_cast<const P&>(p), bodies...));
}
template <class Rule, class P, class Make, class Body, class First, class Second>
constexpr auto make_loop(const char* file, unsigned line, tested<P, Make> p, Body const& body, First first, Second second) {
    const auto passes = p.passes({nullptr, file, line, {}});
    const auto loop = make_loop<Rule>(file, line, static_cast<const P&>(p), seq(body, passes), first, second);
    if constexpr (Rule::kind == spec_kind::do_while)
        return loop;
    else
        return behind(passes, loop);
}

}  // namespace cograph::core
