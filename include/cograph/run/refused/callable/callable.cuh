// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/callable/saved_memory.cuh>
#include <cograph/run/callable/stream_call.cuh>

namespace cograph::core {

// Refused calls of make_callable, make_callable_pair and saved.

template <class F>
call_operator_is_not_const<F> lacks_const(const F&);
template <class F, class... A>
constexpr auto diagnose_stream_function() {
    if constexpr (std::is_invocable_v<stream_function_in<F>&, cudaStream_t, A...> && !std::is_invocable_v<const stream_function_in<F>&, cudaStream_t, A...>)
        return decltype(lacks_const(as_captured(std::declval<const F&>()).function)){};
    else if constexpr (stream_arguments<A...> > most_arguments)
        return too_many_parameters<stream_function_in<F>, takes_parameters<stream_arguments<A...>>, limit_is<most_arguments>>{};
    else
        return function_takes_no_such_examples<stream_function_in<F>, A...>{};
}

template <expression E, class... M, class... B>
auto make_callable(const E&, argument_list<M...>, const callable_options&, B...)
    -> decltype(mistake_of(diagnose_callable<typename E::self>(argument_list<M...>{}, list<B...>{})));
template <class F, class... A>
    requires(!expression<F> && !is_stream_function<F, A...>)
auto make_callable(F, const callable_options&, A...) -> decltype(mistake_of(diagnose_stream_function<F, A...>()));
template <expression E, class... B>
auto make_callable(E, const callable_options&, B...) -> decltype(mistake_of<E, B...>(arguments_are_not_those_of<make_callable_call>{}));
template <class... A>
auto make_callable(A const&...) -> decltype(mistake_of<A...>(arguments_are_not_those_of<make_callable_call>{}));
// The same with {} for the options, which the other cannot take. nvcc calls it if an argument is a mistake, too, and
// then reports nothing more.
template <class E, class Arguments, class... B>
auto make_callable(const E&, Arguments, const callable_options&, B...)
    -> mistake<arguments_are_not_those_of<make_callable_call>,
               struct write_make_callable_expression_arguments_options_bindings_or_function_options_examples, list<Arguments, B...>>;
template <class F, class... A>
auto make_callable(F, const callable_options&, A...)
    -> mistake<arguments_are_not_those_of<make_callable_call>,
               struct write_make_callable_expression_arguments_options_bindings_or_function_options_examples, list<F, A...>>;

// And with access modes without arguments(...) around them.
template <expression E, access_argument M, access_argument M2, class... B>
auto make_callable(const E&, M, M2, const callable_options&, B...) -> decltype(mistake_of<E, M, M2, B...>(arguments_are_not_those_of<make_callable_call>{}));
template <expression E, access_argument M, access_argument M2, access_argument M3, class... B>
auto make_callable(const E&, M, M2, M3, const callable_options&, B...)
    -> decltype(mistake_of<E, M, M2, M3, B...>(arguments_are_not_those_of<make_callable_call>{}));

template <class... A>
inline constexpr bool stays_in_registers_between = false;
template <variable V, class Count>
inline constexpr bool stays_in_registers_between<V, Count> = V::kind == variable_kind::buffer && std::is_convertible_v<Count, std::size_t>;
template <class... A>
    requires(!stays_in_registers_between<A...>)
auto saved(A const&...) -> mistake<arguments_are_not_those_of<struct saved_call, A...>, struct write_saved_of_a_buffer_and_its_number_of_elements>;

// The mistake in two calls on one memory; each is checked with the bindings that it uses.
template <class B>
using placed_t = decltype(placed(std::declval<const B&>(), std::declval<static_memory&>()));
template <class E, class... M, class... B>
constexpr auto diagnose_one_of_pair(argument_list<M...> arguments, word<std::tuple<B...>>) {
    return diagnose_callable<E>(arguments, list<placed_t<B>...>{});
}
template <class E, class E2, class... Found>
constexpr auto used_by_neither(list<Found...> found, list<>) {
    return found;
}
template <class E, class E2, class... Found, class B, class... Rest>
constexpr auto used_by_neither(list<Found...> found, list<B, Rest...>) {
    if constexpr (knows_variable<E, typename B::tag> || knows_variable<E2, typename B::tag>)
        return used_by_neither<E, E2>(found, list<Rest...>{});
    else
        return used_by_neither<E, E2>(found + name_of_binding(word<B>{}), list<Rest...>{});
}
// The arguments of one call that the other one uses without receiving them: it would see the sample argument. A use
// of only the extent refers to the sample argument's memory.
template <class E, class M, class... Others>
inline constexpr bool is_missing_among = !(std::is_same_v<typename M::tag, typename Others::tag> || ...) &&
                                         (by_value<typename M::variable> ? knows_variable<E, typename M::variable>
                                                                         : planned<E, typename M::variable>().read || planned<E, typename M::variable>().written);
template <class E, class... Others, class... B, class... Found>
constexpr auto missing_arguments(list<Others...>, list<B...>, list<Found...> found, list<>) {
    return found;
}
template <class E, class... Others, class... B, class... Found, class M, class... Rest>
constexpr auto missing_arguments(list<Others...> others, list<B...> bindings, list<Found...> found, list<M, Rest...>) {
    if constexpr (is_missing_among<E, M, Others...> && !(is_saved_argument<B, M> || ...))
        return missing_arguments<E>(others, bindings, found + decltype(variable_of(static_cast<const M*>(nullptr))){}, list<Rest...>{});
    else
        return missing_arguments<E>(others, bindings, found, list<Rest...>{});
}
template <class E, class E2, class... M, class... M2, class... B>
constexpr auto diagnose_both_of_pair(list<M...> to_forward, list<M2...> to_backward, list<B...> bindings) {
    const auto missing_in_backward = missing_arguments<E2>(to_backward, bindings, list<>{}, to_forward);
    return about<variable_is_an_argument_of_only_one_call>(missing_arguments<E>(to_forward, bindings, missing_in_backward, to_backward));
}

template <class E, class E2, class... M, class... M2, class... B>
constexpr auto diagnose_pair(argument_list<M...> to_forward, argument_list<M2...> to_backward, list<B...>) {
    constexpr list<placed_t<B>...> all;
    if constexpr (!(binding<B> && ...)) {
        return why_no_binding(word_at<first_true<!binding<B>...>()>(all));
    } else {
        const auto forward = diagnose_one_of_pair<E>(to_forward, word<decltype(used_by<E>(std::declval<const B&>()...))>{});
        const auto backward = diagnose_one_of_pair<E2>(to_backward, word<decltype(used_by<E2>(std::declval<const B&>()...))>{});
        const auto neither = about<unknown_variable>(used_by_neither<E, E2>(list<>{}, all));
        if constexpr (is_fine<decltype(join(list<>{}, forward, backward))>)
            return join(list<>{}, diagnose_both_of_pair<E, E2>(list<M...>{}, list<M2...>{}, list<B...>{}), neither);
        else if constexpr (is_fine<std::remove_const_t<decltype(forward)>>)
            return join(list<>{}, backward, neither);
        else
            return join(list<>{}, forward, neither);
    }
}

template <expression E, class... M, expression E2, class... M2, class... B>
auto make_callable_pair(const E&, argument_list<M...>, const E2&, argument_list<M2...>, const callable_options&, B...)
    -> decltype(mistake_of<E, E2>(diagnose_pair<typename E::self, typename E2::self>(argument_list<M...>{}, argument_list<M2...>{}, list<B...>{})));
template <class... A>
auto make_callable_pair(A const&...) -> decltype(mistake_of<A...>(arguments_are_not_those_of<make_callable_pair_call>{}));
template <class E, class Arguments, class E2, class Arguments2, class... B>
auto make_callable_pair(const E&, Arguments, const E2&, Arguments2, const callable_options&, B...)
    -> mistake<arguments_are_not_those_of<make_callable_pair_call>,
               struct write_make_callable_pair_with_two_expressions_and_their_arguments_options_bindings, list<Arguments, Arguments2, B...>>;

}  // namespace cograph::core
