// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/host_value.hpp>
#include <cograph/plan/batch/parameter_origins.hpp>

namespace cograph::core {

// Numbers that differ from problem to problem, other than lengths of parts: formulas over those and over values of each problem. The device computes
// them.

// A number of elements as a parameter P. Steps: those of the formula, each followed by its number; Sources, Limits: origins of the lengths that it is over, and of
// those that it must not be larger than. Most: the origin of how much memory there is, if that is the size of a temp; else -1.
template <class P, int Most, class Steps, class Sources, class Limits>
struct count_of_problem {};

// An argument of a node as a P: what F computes of numbers of types T, which have these origins.
template <class P, class F, class T, class Sources>
struct value_of_problem {};
// The constants of such a formula, without the names of its variables.
template <class P, class F, class... V>
operand<0, F> constants_of(const host_value<P, F, V...>*);
template <class A>
struct kept_formula {
    using parameter = decltype(constants_of(static_cast<const A*>(nullptr)));
    static_assert(sizeof(parameter) == sizeof(A));
    static constexpr argument describe{argument_form::kept_value, access_mode::none, nullptr, bytes_among_parameters(sizeof(A), alignof(A))};
};

template <class V>
concept sized_by_formula = requires { V::like::size.parts; };

// The formula of a variable, without its name; a value of each problem is one by itself.
template <class B, class V>
struct formula_of_count {
    static constexpr size_part itself[] = {{size_step::extent, 0}};
    static constexpr const size_part* parts() {
        if constexpr (sized_by_formula<V>)
            return V::like::size.parts;
        else
            return itself;
    }
    static constexpr int part_count = sized_by_formula<V> ? info_of<V>.size_by->part_count : 1;
    static constexpr int source_count = sized_by_formula<V> ? info_of<V>.size_by->variable_count : 1;
    static constexpr std::int64_t step(int i) { return i % 2 == 0 ? static_cast<std::int64_t>(parts()[i / 2].what) : parts()[i / 2].number; }
    static constexpr int source([[maybe_unused]] int i) {
        if constexpr (sized_by_formula<V>)
            return B::from.code_of_length(B::shared_variables.all, info_of<V>.size_by->variables[i]);
        else
            return B::from.code_of_length(B::shared_variables.all, &info_of<V>);
    }
    template <int... I>
    static auto steps(std::integer_sequence<int, I...>) -> std::integer_sequence<std::int64_t, step(I)...>;
    template <int... I>
    static auto sources(std::integer_sequence<int, I...>) -> std::integer_sequence<int, source(I)...>;
};

// Parameter I of a problem as its program has it.
template <origin How>
struct problem_inner {
    template <class B, int I, class P>
    using of = P;
};
template <>
struct problem_inner<origin::argument> {
    template <class B, class P, class Q, class F, class... V>
    static auto find(word<host_value<Q, F, V...>>)
        -> value_of_problem<P, F, list<host_number_t<V>...>, std::integer_sequence<int, B::from.code_of_length(B::shared_variables.all, info_behind<V>)...>>;
    template <class B, int I, class P>
    using of = decltype(find<B, P>(word_at<I>(typename B::own_arguments{})));
};
template <>
struct problem_inner<origin::formula> {
    template <class B, int I, int... J>
    static auto limits(std::integer_sequence<int, J...>) -> std::integer_sequence<int, B::from.limit[I + 1 + J]...>;
    template <class B, int I, class P, class V>
    static auto find(word<V>) -> count_of_problem<P, B::from.most[I], decltype(formula_of_count<B, V>::steps(std::make_integer_sequence<int, 2 * formula_of_count<B, V>::part_count>{})),
                                                  decltype(formula_of_count<B, V>::sources(std::make_integer_sequence<int, formula_of_count<B, V>::source_count>{})),
                                                  decltype(limits<B, I>(std::make_integer_sequence<int, B::from.limits[I]>{}))>;
    template <class B, int I, class P>
    using of = decltype(find<B, I, P>(word_at<place_in(B::from.of[I])>(typename B::variables{})));
};

}  // namespace cograph::core
