// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loops.hpp>
#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/formula/array_pass.hpp>

namespace cograph::core {

// Predicates over arrays. A term like count_if(x, f) is one pass over x: a reduction to a hidden scalar, right before the
// condition that reads it:
//   loop_while(count_if(x, f) > n, body)  is  seq(pass, loop_while(hidden > n, seq(body, pass)))

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

// The scalar that receives it: the one at position I of its predicate.
template <int I, class Pass>
struct pass_result : variable_base<pass_result<I, Pass>, typename Pass::element, variable_kind::scalar> {};
template <int I, class Stage, class Key, class T, class Front, class... A>
inline constexpr variable_info info_of<pass_result<I, array_pass<Stage, Key, T, Front, A...>>>{
    Stage::name, variable_kind::scalar, sizeof(T), alignof(T), std::is_signed_v<T>, nullptr,
    type_hash<pass_result<I, array_pass<Stage, Key, T, Front, A...>>>(), type_name<T>(), nullptr, true};

// The pass whose result is the variable at a position.
template <int I, class Pass>
constexpr Pass pass_at(formula<Pass> const& f) {
    return f.operand<0, Pass>::get();
}
template <int I, class Operation, class L>
constexpr auto pass_at(formula<Operation, L> const& f) {
    return pass_at<I>(f.operand<0, L>::get());
}
template <int I, class Operation, class L, class R>
constexpr auto pass_at(formula<Operation, L, R> const& f) {
    constexpr int of_left = formula_part<L>::function::arity;
    if constexpr (I < of_left)
        return pass_at<I>(f.operand<0, L>::get());
    else
        return pass_at<I - of_left>(f.operand<1, R>::get());
}

// A predicate whose arguments are results of passes, among others.
template <class Predicate, class Make>
struct tested : Predicate {
    Make passes;  // gives them for a place
};

// Makes the passes of a formula, those at positions I.
template <class F, int... I>
struct pass_maker {
    F made_of;

    constexpr auto operator()(record where) const { return make_group<group_kind::passes>(node<I>(where)...); }

private:
    template <int Position>
    constexpr auto node(record where) const {
        const auto pass = pass_at<Position>(made_of);
        return pass.template into<pass_result<Position, std::remove_const_t<decltype(pass)>>>(where);
    }
};

// The variables of the formula, with the scalars that receive the results of its passes, and the passes' positions.
template <class V, int I>
struct tested_variable {
    using type = V;
    using positions = list<>;
};
template <class Pass, int I>
struct tested_variable<pending<Pass>, I> {
    using type = pass_result<I, Pass>;
    using positions = list<std::integral_constant<int, I>>;
};
template <class F, class... I>
constexpr pass_maker<F, I::value...> make_passes(F const& f, list<I...>) {
    return {f};
}
template <class P, class Make>
constexpr tested<P, Make> test_passes(P predicate, Make make) {
    return {predicate, make};
}
template <class Formula, class F, class... V, std::size_t... I>
constexpr auto tested_formula(Formula const& f, computation<F, V...> c, std::index_sequence<I...>) {
    return test_passes(condition_of_computation(computation<F, typename tested_variable<V, static_cast<int>(I)>::type...>{c.function}),
                       make_passes(f, (list<>{} + ... + typename tested_variable<V, static_cast<int>(I)>::positions{})));
}
template <class Formula, class F, class... V>
constexpr auto tested_formula(Formula const& f, computation<F, V...> c) {
    return tested_formula(f, c, std::index_sequence_for<V...>{});
}
template <class Operation, class... T>
    requires(formula_part<formula<Operation, T...>>::over == formulas::of_passes)
constexpr auto as_predicate(formula<Operation, T...> f) {
    return tested_formula(f, computation_of(f));
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
template <class Rule, class P, class Make, class Body, class... Option>
constexpr auto make_loop(const char* file, unsigned line, tested<P, Make> p, Body const& body, Option... option) {
    const auto passes = p.passes({nullptr, file, line, {}});
    const auto loop = make_loop<Rule>(file, line, static_cast<const P&>(p), seq(body, passes), option...);
    if constexpr (Rule::kind == spec_kind::do_while)
        return loop;
    else
        return behind(passes, loop);
}

}  // namespace cograph::core
