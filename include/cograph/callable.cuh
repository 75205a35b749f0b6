// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/callable/call.cuh>
#include <cograph/run/callable/stream_call.cuh>

// Expressions and stream functions as calls that replay a graph on memory of their own. cograph.cuh does not include this.

namespace cograph::core {

template <class E, class... M, class... B>
auto make_call(const E& e, argument_list<M...>, const callable_options& options, bool warms_up, std::shared_ptr<static_memory> memory, B... bindings) {
    return callable<typename E::self, argument_list<M...>, B...>(e, options, warms_up, static_cast<std::shared_ptr<static_memory>&&>(memory), bindings...);
}

// Makes an expression a call: auto step = make_callable(e, arguments(in(x), out(y)), {}, x(xs), y(ys), tol(1e-6)). Then
// step(stream, xs, ys) replays a graph on static memory. The bindings of arguments are examples: they give the extents that
// the graph is for. Other bindings stay. Throws error where a binding is at fault; where no graph can be made, the log says
// why and calls run node by node.
template <expression E, class... M, binding... B>
    requires is_fine<decltype(diagnose_callable<typename E::self>(argument_list<M...>{}, list<B...>{}))>
auto make_callable(const E& e, argument_list<M...> arguments, const callable_options& options, B... bindings) {
    return make_call(e, arguments, options, false, std::make_shared<static_memory>(), bindings...);
}
template <expression E, class... M, class... B>
auto make_callable(const E&, argument_list<M...>, const callable_options&, B...)
    -> decltype(mistake_of(diagnose_callable<typename E::self>(argument_list<M...>{}, list<B...>{})));

// Makes host code that enqueues work on a stream a call: auto g = make_callable(f, {}, std::span<const float>(x), output(y), n)
// then g(stream, x, output(y), n) does what f(stream, x, output(y), n) does. Spans of const are inputs, output() is written
// alone, other spans are both; values are values, and other ones than the example's capture f anew. f is called once before it
// is captured, with copies of what the examples hold, unless options.warm_up is false. captured(f).mode<m>() in place of f chooses
// the mode of its captures.
template <class F, class... A>
    requires(!expression<F> && is_stream_function<F, A...>)
auto make_callable(F f, const callable_options& options, A... examples) {
    return [&]<std::size_t... I>(std::index_sequence<I...> numbers) {
        const auto e = call_of(as_captured(f), numbers, list<A...>{}, (list<>{} + ... + typename positional<I, A>::extents{}));
        return make_call(e, argument_list<typename positional<I, A>::access...>{}, options, options.warm_up, std::make_shared<static_memory>(),
                         positional<I, A>::bind(examples)...);
    }(std::index_sequence_for<A...>{});
}
template <class F, class... A>
    requires(!expression<F> && !is_stream_function<F, A...>)
auto make_callable(F, const callable_options&, A...) -> decltype(mistake_of(diagnose_stream_function<F, A...>()));
template <expression E, class... B>
auto make_callable(E, const callable_options&, B...) -> decltype(mistake_of<E, B...>(arguments_are_not_those_of<make_callable_call>{}));
template <class... A>
auto make_callable(A const&...) -> decltype(mistake_of<A...>(arguments_are_not_those_of<make_callable_call>{}));
// The same where {} stands for the options, which the other cannot take. nvcc calls it where an argument is a mistake, too, and says
// nothing more then.
template <class E, class Arguments, class... B>
auto make_callable(const E&, Arguments, const callable_options&, B...)
    -> mistake<arguments_are_not_those_of<make_callable_call>,
               struct write_make_callable_expression_arguments_options_bindings_or_function_options_examples, list<Arguments, B...>>;
template <class F, class... A>
auto make_callable(F, const callable_options&, A...)
    -> mistake<arguments_are_not_those_of<make_callable_call>,
               struct write_make_callable_expression_arguments_options_bindings_or_function_options_examples, list<F, A...>>;

// And where the marks stand without arguments(...) around them.
template <expression E, access_argument M, access_argument M2, class... B>
auto make_callable(const E&, M, M2, const callable_options&, B...) -> decltype(mistake_of<E, M, M2, B...>(arguments_are_not_those_of<make_callable_call>{}));
template <expression E, access_argument M, access_argument M2, access_argument M3, class... B>
auto make_callable(const E&, M, M2, M3, const callable_options&, B...)
    -> decltype(mistake_of<E, M, M2, M3, B...>(arguments_are_not_those_of<make_callable_call>{}));

// Those of some bindings whose variables E uses.
template <class E, class... B>
auto used_by(const B&... bindings) {
    const auto one = []<class Binding>(const Binding& b) {
        if constexpr (knows_variable<E, typename Binding::tag>)
            return std::tuple<Binding>(b);
        else
            return std::tuple<>();
    };
    return std::tuple_cat(one(bindings)...);
}

// Memory that a forward graph leaves for its backward graph: saved(h, count) in place of a binding of h.
template <class Tag, class T>
struct saved_binding {
    using tag = Tag;
    using element = T;
    std::size_t count;
};
template <variable V>
    requires(V::kind == variable_kind::buffer)
saved_binding<V, typename V::element> saved(V, std::size_t count) {
    return {count};
}
template <class... A>
inline constexpr bool stays_in_registers_between = false;
template <variable V, class Count>
inline constexpr bool stays_in_registers_between<V, Count> = V::kind == variable_kind::buffer && std::is_convertible_v<Count, std::size_t>;
template <class... A>
    requires(!stays_in_registers_between<A...>)
auto saved(A const&...) -> mistake<arguments_are_not_those_of<struct saved_call, A...>, struct write_saved_of_a_buffer_and_its_number_of_elements>;
template <class B>
B placed(const B& b, static_memory&) {
    return b;
}
template <class Tag, class T>
range_binding<Tag, T> placed(const saved_binding<Tag, T>& b, static_memory& memory) {
    return {{memory.place_of(info_of<Tag>, {nullptr, bytes_of(info_of<Tag>, b.count)}, false), b.count}};
}

// What the backward call writes does not lie where a forward input's example is, aliased or not.
template <class... M, class B>
void give_own_place(const B&, static_memory&) {}
template <class... M, class Tag, class T>
    requires((std::is_same_v<typename M::tag, Tag> && writes(M::describe.access)) || ...)
void give_own_place(const range_binding<Tag, T>& b, static_memory& memory) {
    const given_memory example = {const_cast<void*>(b.pointer), bytes_of(info_of<Tag>, b.count)};
    memory.place_of(info_of<Tag>, example, false);
}

// What is wrong with two calls on one memory; each is asked with those bindings that it uses.
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
        return used_by_neither<E, E2>(add(found, name_of_binding(word<B>{})), list<Rest...>{});
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
        if constexpr (is_fine<std::remove_const_t<decltype(forward)>>)
            return join(list<>{}, backward, neither);
        else
            return join(list<>{}, forward, neither);
    }
}

template <class Forward, class Backward>
struct callable_pair {
    Forward forward;
    Backward backward;
};

// Two calls on one static memory: what the forward graph wrote there, the backward graph reads, without a copy. Each gets those
// bindings that it uses; a variable that both use is one piece of memory.
template <expression E, class... M, expression E2, class... M2, class... B>
    requires is_fine<decltype(diagnose_pair<typename E::self, typename E2::self>(argument_list<M...>{}, argument_list<M2...>{}, list<B...>{}))>
auto make_callable_pair(const E& forward, argument_list<M...> to_forward, const E2& backward, argument_list<M2...> to_backward,
                        const callable_options& options, B... bindings) {
    const auto memory = std::make_shared<static_memory>();
    (give_own_place<M2...>(bindings, *memory), ...);
    const auto make = [&](const auto& e, auto arguments) {
        using expression_type = typename std::remove_cvref_t<decltype(e)>::self;
        return std::apply(
            [&](const auto&... b) { return make_call(e, arguments, options, false, memory, placed(b, *memory)...); }, used_by<expression_type>(bindings...));
    };
    return callable_pair{make(forward, to_forward), make(backward, to_backward)};
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

namespace cograph {

using core::arguments;
using core::callable_options;
using core::callable_pair;
using core::saved;
using core::log_hook;
using core::make_callable;
using core::make_callable_pair;
using core::output;
using core::output_span;

}  // namespace cograph
