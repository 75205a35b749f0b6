// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

#include <type_traits>
#include <utility>

namespace cograph {
template <int Size>
class thread_group;
}

namespace cograph::core {

// Refused calls of groups of threads.

template <int Size>
struct call_value<thread_group<Size>> {
    using type = thread_group<Size> const&;
};

// A parameter that is a group and no reference takes a group that is made for it, and not one that is there already.
template <class T>
T made_for_a_call();
template <class F, class Group, class... T>
inline constexpr bool takes_group_by_value =
    requires(const F& f) { f(made_for_a_call<Group>(), std::declval<T>()...); } && !requires(const F& f) { f(std::declval<Group>(), std::declval<T>()...); };
template <class F, class Group, class... A, class... T>
constexpr auto group_call_fails(list<A...> arguments, word<T>...) {
    if constexpr (takes_group_by_value<F, Group, T...>)
        return group_is_taken_by_value<F>{};
    else
        return element_call_fails<F>(arguments, word<Group const&>{}, word<index_t>{});
}

// Work in two parts: a function object with both names has functions that fit. The names of a class are found by another one that has them too.
struct names_of_parts {
    int prepare, finish;
};
template <class F>
struct with_names_of_parts : F, names_of_parts {};
template <class F>
concept names_two_parts = __is_class(F) && !__is_final(F) && !requires { &with_names_of_parts<F>::prepare; } && !requires { &with_names_of_parts<F>::finish; };
template <class F, class Group, class... A>
concept parts_fit = !names_two_parts<F> || requires(const F& f, Group const& group, index_t i, typename call_value<A>::type... value) {
    std::declval<std::remove_cvref_t<decltype(f.prepare(group, i, value...))>&>() = std::remove_cvref_t<decltype(f.prepare(group, i, value...))>{};
    f.finish(group, i, f.prepare(group, i, value...), value...);
};

// A node that calls F with a group for each element.
template <class F, int Size, class... A>
concept group_call = !((A::describe.near != nullptr) || ...) && callable_with<F, thread_group<Size>, index_t, A...> && is_function_object<F> && passing_to<F, A...>::fits &&
                     first_lost_write<F, 2, A...> < 0 && writes_something<A...> && parts_fit<F, thread_group<Size>, A...>;

template <class Shape, class F, int Size, class... A>
constexpr auto diagnose_group_call() {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (((A::describe.near != nullptr) || ...))
        return diagnose_neighbours<F>(word_at<first_true<(A::describe.near != nullptr)...>()>(list<A...>{}));
    else if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, 3, A...>();
    else if constexpr (!callable_with<F, thread_group<Size>, index_t, A...>)
        return group_call_fails<F, thread_group<Size>>(list<A...>{}, word<index_t>{}, arrival(static_cast<const A*>(nullptr))...);
    else if constexpr (first_lost_write<F, 2, A...> >= 0)
        return diagnose_lost_write<F, 2>(list<A...>{});
    else if constexpr (!is_fine<decltype(diagnose_passing<F, A...>())>)
        return diagnose_passing<F, A...>();
    else if constexpr (!parts_fit<F, thread_group<Size>, A...>)
        return prepare_and_finish_do_not_fit<F>{};
    else
        return loses_result<F>(word<result_of<F, thread_group<Size> const&, index_t, typename call_value<A>::type...>>{});
}

// A reduction that calls F with a group for each element.
template <class Shape, int Size, class F, class Op, class Identity, class Out, class... A>
constexpr auto diagnose_group_reduce() {
    using Group = thread_group<Size>;
    if constexpr (is_for_function_objects<Shape>)
        return groups_are_for_for_each<F>{};
    else if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (!requires { requires access_argument<Out> && writes(Out::describe.access) && receives<typename Out::variable>; })
        return diagnose_receiver<Out>();
    else if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, 3, A...>();
    else if constexpr (!callable_with<F, Group, index_t, A...>)
        return group_call_fails<F, Group>(list<A...>{}, word<index_t>{}, arrival(static_cast<const A*>(nullptr))...);
    else if constexpr (first_lost_write<F, 2, A...> >= 0)
        return diagnose_lost_write<F, 2>(list<A...>{});
    else if constexpr (!is_fine<decltype(diagnose_passing<F, A...>())>)
        return diagnose_passing<F, A...>();
    else
        return diagnose_join<F, Op, Identity, result_of<F, Group const&, index_t, typename call_value<A>::type...>>(
            element_word(decltype(variable_of(static_cast<const Out*>(nullptr))){}));
}

template <class Shape, int Size, class F, class Op, class T>
struct group_reduce_builder;
template <class Shape, int Size, class F, class Op, class T>
constexpr arguments_are_missing<F> why_no_expression(const group_reduce_builder<Shape, Size, F, Op, T>*) {
    return {};
}

template <int Size, class Shape, class F>
struct group_builder;
template <int Size, class Shape, class F>
constexpr arguments_are_missing<F> why_no_expression(const group_builder<Size, Shape, F>*) {
    return {};
}

}  // namespace cograph::core
