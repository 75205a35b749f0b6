// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/callable/saved_memory.cuh>
#include <cograph/run/callable/stream_call.cuh>
#include <cograph/run/refused/callable/callable.cuh>

// Expressions and stream functions as calls that replay a graph on memory of their own. cograph.cuh does not include this.

namespace cograph::core {

template <class E, class... M, class... B>
auto make_call(const E& e, argument_list<M...>, const callable_options& options, call_role role, std::shared_ptr<memory_of_calls> memory, B... bindings) {
    return callable<typename E::self, argument_list<M...>, B...>(e, options, role, static_cast<std::shared_ptr<memory_of_calls>&&>(memory), bindings...);
}

// Makes an expression a call: auto step = make_callable(e, arguments(in(x), out(y)), {}, x(xs), y(ys), tol(1e-6)).
// Then step(stream, xs, ys) replays a graph on static memory. The bindings of arguments are sample arguments, which
// fix the extents of the graph. Other bindings are permanent. Throws error for a wrong binding; if no graph can be
// made, the log says why and calls run node by node.
template <expression E, class... M, binding... B>
    requires is_fine<decltype(diagnose_callable<typename E::self>(argument_list<M...>{}, list<B...>{}))>
auto make_callable(const E& e, argument_list<M...> arguments, const callable_options& options, B... bindings) {
    return make_call(e, arguments, options, call_role::alone, std::make_shared<memory_of_calls>(), bindings...);
}

// Makes a call of host code that enqueues work on a stream: auto g = make_callable(f, {}, std::span<const float>(x), output(y), n).
// Then g(stream, x, output(y), n) does the same as f(stream, x, output(y), n). Spans of const are inputs, output() is only written,
// other spans are both. Everything else is a value. A value that differs from the sample captures f again. Unless options.warm_up is
// false, f is called once before it is captured, with copies of the sample arguments. The mode of its captures can be chosen:
// captured(f).mode<m>() in place of f.
template <class F, class... A>
    requires(!expression<F> && is_stream_function<F, A...>)
auto make_callable(F f, const callable_options& options, A... examples) {
    return [&]<std::size_t... I>(std::index_sequence<I...> numbers) {
        const auto e = call_of(as_captured(f), numbers, list<A...>{}, (list<>{} + ... + typename positional<I, A>::extents{}));
        return make_call(e, argument_list<typename positional<I, A>::access...>{}, options, options.warm_up ? call_role::warmed_up : call_role::alone,
                         std::make_shared<memory_of_calls>(), positional<I, A>::bind(examples)...);
    }(std::index_sequence_for<A...>{});
}

template <class Forward, class Backward>
struct callable_pair {
    Forward forward;
    Backward backward;
};

// Two calls on one static memory: the backward graph reads the results of the forward graph there, without a copy.
// Each gets the bindings that it uses; an argument that both use is an argument of both, or saved.
template <expression E, class... M, expression E2, class... M2, class... B>
    requires is_fine<decltype(diagnose_pair<typename E::self, typename E2::self>(argument_list<M...>{}, argument_list<M2...>{}, list<B...>{}))>
auto make_callable_pair(const E& forward, argument_list<M...> to_forward, const E2& backward, argument_list<M2...> to_backward,
                        const callable_options& options, B... bindings) {
    const auto memory = std::make_shared<memory_of_calls>();
    (give_own_place<M2...>(bindings, *memory), ...);
    const auto make = [&](const auto& e, auto arguments, call_role role) {
        using expression_type = typename std::remove_cvref_t<decltype(e)>::self;
        return std::apply(
            [&](const auto&... b) { return make_call(e, arguments, options, role, memory, placed(b, *memory)...); }, used_by<expression_type>(bindings...));
    };
    constexpr bool saves_arguments = (is_saved_argument<B, M...> || ...);
    return callable_pair{make(forward, to_forward, saves_arguments ? call_role::forward_of_saved_arguments : call_role::forward),
                         make(backward, to_backward, call_role::backward)};
}

}  // namespace cograph::core

namespace cograph {

using core::arguments;
using core::callable_options;
using core::callable_pair;
using core::free_memory_of_graphs;
using core::saved;
using core::log_hook;
using core::make_callable;
using core::make_callable_pair;
using core::output;
using core::output_span;

}  // namespace cograph
