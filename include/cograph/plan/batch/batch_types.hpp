// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_counts.hpp>
#include <cograph/plan/batch/problem/problem_frame.hpp>
#include <cograph/plan/batch/problem/problem_groups.hpp>
#include <cograph/plan/batch/problem/problem_quantities.hpp>
#include <cograph/plan/batch/problem/problem_threads.hpp>
#include <cograph/plan/batch/problem/problem_variables.hpp>
#include <cograph/plan/persistent/program.hpp>

namespace cograph::core {

// A program without names. From: by parameter of a problem. Scalars, Elements: the types of its copies; their codes,
// and the parameters that lead to copies, are those of parameter_origins.
template <class Steps, class Parameters, class From, class Scalars, class ScalarCodes, class Copies, class Elements, class ElementCodes, class Unequal, class Reports>
struct problem_program;
template <int Size, class Program, class... P>
struct batch_code {};

// The first parameters of a batch: its count, its queue, and memory for the temps of problems that run at once. Then the bytes of
// each place, and the used part of those if threads have copies of their elements.
constexpr int leading_parameters = 5;
constexpr unsigned queue_bytes = 128;

template <class Domain, int Size, class E, class Reports, class... S>
struct batch_node;

// Facts that follow from the types of a batch.
template <class Domain, int Size, class E, class Reports, class... S>
struct batch_of;
template <class Domain, int Size, class E, class... Report, int... Loop, class... S>
struct batch_of<Domain, Size, E, list<report_in<Report, Loop>...>, S...> {
    using node = batch_node<Domain, Size, E, list<report_in<Report, Loop>...>, S...>;
    using expression = E;
    using domain = Domain;
    static constexpr int size = Size;
    using own_arguments = decltype(arguments_below<E>::find());
    using variables = variables_below<E>;
    static constexpr slice_list slices = core::slices<S...>::view;
    static constexpr const variable_info* reports[] = {&info_of<Report>..., nullptr};

    template <class V>
    static constexpr share share_of() {
        return core::share_of(core::slices<S...>::view, planned_in<E, V>);
    }
    template <class V>
    static constexpr auto parts_of_word(word<V>) {
        return parts_among<V>(list<S...>{});
    }
    template <class V>
    static constexpr auto whole_of(word<V>) {
        return whole_among<V>(list<S...>{});
    }

    // The parameters of a batch for a variable.
    template <access_mode Access, class W>
    static constexpr auto memory_of(word<W>) {
        return list<accessed<W, Access>>{};
    }
    // After pointer and count: the distance of parts; or their begins, the elements of all, and the value, which only
    // the host needs.
    template <class V>
    static constexpr list<> parts_of_variable(word<V>, word<equal_parts>) {
        return {};
    }
    template <class V, class Length>
    static constexpr list<problem_number<batch_of, problem_quantity::distance, V>, accessed<Length, access_mode::read>> parts_of_variable(word<V>, word<first_of_parts<Length>>) {
        return {};
    }
    template <class V, class Begins, class Longest>
    static constexpr list<accessed<Begins, access_mode::read>, problem_number<batch_of, problem_quantity::all, V>, accessed<Longest, access_mode::read>> parts_of_variable(
        word<V>, word<parts_between<Begins, Longest>>) {
        return {};
    }
    template <class V>
    static constexpr auto arguments_of_variable(word<V>) {
        constexpr share how = share_of<V>();
        constexpr access_mode only_read = planned_in<E, V>.read ? access_mode::read : access_mode::none;
        if constexpr (how == share::each_memory)
            return decltype(memory_of<use_of_whole(planned_in<E, V>, slices.has_gaps(&info_of<V>))>(whole_of(word<V>{}))){} +
                   list<problem_number<batch_of, problem_quantity::count, V>>{} + decltype(parts_of_variable(word<V>{}, parts_of_word(word<V>{}))){};
        else if constexpr (how == share::each_object)
            return memory_of<use_of_whole(planned_in<E, V>, false)>(whole_of(word<V>{}));
        else if constexpr (how == share::all_object || (how == share::all_memory && V::kind == variable_kind::scalar))
            return list<accessed<V, only_read>>{};
        else if constexpr (how == share::all_memory)
            return list<accessed<V, only_read>, extent_t<V>>{};
        else if constexpr (how == share::own_temp)
            return list<problem_number<batch_of, problem_quantity::offset, V>, problem_number<batch_of, problem_quantity::count, V>>{};
        else if constexpr (how == share::count)
            return list<problem_number<batch_of, problem_quantity::count, V>>{};
        else
            return list<>{};
    }
    // Kept values and numbers that the host computes are passed unchanged. The device computes those that differ from problem to problem.
    static constexpr bool differs(const value_rule* formula) {
        for (int i = 0; formula && i < formula->variable_count; ++i)
            if (slices.differs(formula->variables[i])) return true;
        return false;
    }
    template <class A>
    static constexpr auto kept_of_formula(word<A>) {
        if constexpr (A::describe.value->keeps)
            return list<kept_formula<A>>{};
        else
            return list<>{};
    }
    template <int I, class A>
    static constexpr auto passed(word<A>) {
        constexpr argument_form form = A::describe.form;
        if constexpr (form == argument_form::computed && differs(A::describe.value))
            return kept_of_formula(word<A>{});
        else if constexpr (form == argument_form::computed)
            return list<problem_value<batch_of, I, typename A::parameter>>{};
        else if constexpr (form == argument_form::kept_value || form == argument_form::count)
            return list<A>{};
        else
            return list<>{};
    }
    template <class... V>
    static constexpr auto of_variables(list<V...>) {
        return (list<>{} + ... + decltype(arguments_of_variable(word<V>{})){});
    }
    template <class... A, int... I>
    static constexpr auto of_nodes(list<A...>, std::integer_sequence<int, I...>) {
        return (list<>{} + ... + decltype(passed<I>(word<A>{})){});
    }
    static constexpr auto of_groups() {
        if constexpr (has_groups_with_memory(E::tree))
            return list<problem_number<batch_of, problem_quantity::group_bytes, void>>{};
        else
            return list<>{};
    }
    template <class... A>
    static constexpr int count(list<A...>) {
        return sizeof...(A);
    }
    template <class... A>
    static constexpr auto numbers(list<A...>) {
        return std::make_integer_sequence<int, sizeof...(A)>{};
    }
    using arguments = decltype(list<Domain, scratch<queue_bytes>, problem_places<batch_of>, problem_number<batch_of, problem_quantity::bytes, void>,
                                    problem_number<batch_of, problem_quantity::reached_bytes, void>,
                                    accessed<Report, access_mode::write>...>{} +
                               of_variables(variables{}) + of_nodes(own_arguments{}, numbers(own_arguments{})) + of_groups());

    // The origins of a problem's parameters.
    template <int Variables>
    struct variable_table {
        shared_variable all[Variables + 1];
    };
    template <class V>
    static constexpr parts_of_problem parts_of() {
        const int at = slices.as_long_as(&info_of<V>);
        if (at < 0) return {nullptr, false, slices.formula_of(&info_of<V>)};
        return {slices.is_between(at) ? slices.variables[at] : nullptr, slices.is_distant(at) && slices.variables[at] == &info_of<V>};
    }
    template <class... V>
    static constexpr variable_table<sizeof...(V)> describe_variables(list<V...>) {
        return {{{&info_of<V>, share_of<V>(), planned_in<E, V>.written, count(decltype(arguments_of_variable(word<V>{})){}), parts_of<V>()}..., {nullptr, share::count, false, 0, {}}}};
    }
    static constexpr auto shared_variables = describe_variables(variables{});
    static constexpr parameter_origins<count_parameters(E::tree), count(variables{})> from{E::tree, shared_variables.all,
                                                                                          leading_parameters + static_cast<int>(sizeof...(Report))};
    static bool is_only_copied(const variable_info* info) { return from.is_only_copied(shared_variables.all, info); }
    // Whether a thread has one element at most of all that it may keep copies of.
    static bool has_one_element(const frame& problem) {
        bool has = from.elements > 0;
        for (int c = 0; c < from.elements; ++c) has = has && problem.slots[number_of(problem, shared_variables.all[from.element_variable[c]].info)].count <= Size;
        return has;
    }

    // Its code.
    template <class T>
    static constexpr list<plain<typename T::element>> element_type_of(word<T>) {
        return {};
    }
    template <int... At, class... V>
    static constexpr auto element_types(list<V...> all) {
        return (list<>{} + ... + decltype(element_type_of(word_at<At>(all))){});
    }
    template <int... I, int... C, int... D, int... U, int... R, class... A, class... P>
    static auto code(std::integer_sequence<int, I...>, std::integer_sequence<int, C...>, std::integer_sequence<int, D...>, std::integer_sequence<int, U...>,
                     std::integer_sequence<int, R...>, list<A...>, list<P...>)
        -> batch_code<Size,
                      problem_program<gathered<typename program_of<E, E, 0, 0>::type>, list<typename problem_inner<how_of(from.of[I])>::template of<batch_of, I, plain<typename parameter_in_problem<Size, typename A::parameter>::type>>...>,
                                      std::integer_sequence<int, from.of[I]...>, decltype(element_types<from.scalar_variable[C]...>(variables{})),
                                      std::integer_sequence<int, from.scalar[C]...>, std::integer_sequence<int, from.copy[I]...>,
                                      decltype(element_types<from.element_variable[D]...>(variables{})), std::integer_sequence<int, from.element[D]...>, std::integer_sequence<int, from.between[U]...>,
                                      std::integer_sequence<int, code_of_report(from.counter[Loop], leading_parameters + R)...>>,
                      plain<typename P::parameter>...>;
    using codes = list<decltype(code(numbers(own_arguments{}), std::make_integer_sequence<int, from.scalars>{}, std::make_integer_sequence<int, from.elements>{}, std::make_integer_sequence<int, from.betweens>{},
                                     std::make_integer_sequence<int, sizeof...(Report)>{}, own_arguments{}, arguments{}))>;

    // As data: numbers of its own record come first, followed by those of its nodes.
    struct argument_table {
        argument all[count(arguments{}) + 1]{};
    };
    template <class... P>
    static constexpr argument_table describe(list<P...>) {
        argument_table described{{P::describe..., argument{argument_form::kept_value}}};
        for (int i = 0; i < count_parameters(E::tree); ++i)
            if (from.record[i] > 0) described.all[place_in(from.of[i])].size = from.record[i];
        return described;
    }
    static constexpr argument_table table = describe(arguments{});
};

}  // namespace cograph::core
