// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/run/callable/arguments.hpp>
#include <cograph/run/callable/examples.cuh>
#include <cograph/run/memory/static_memory.cuh>

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

namespace cograph::core {

// A graph whose launches may be on streams that are gone when it is changed.
template <class E>
struct graph_of_calls : executable<E> {
    explicit graph_of_calls(executable<E>&& made) : executable<E>(static_cast<executable<E>&&>(made)) { mark_launches(this->state()); }
};

// A graph behind an ordinary call; see make_callable. Move-only. Its calls go to one stream, or their user orders them; its
// memory is on the device that was current when it was made.
template <class E, class Arguments, class... B>
class callable;
template <class E, class... M, class... B>
class callable<E, argument_list<M...>, B...> {
public:
    callable(const E& e, const callable_options& options, bool warms_up, std::shared_ptr<static_memory> memory, B... bindings)
        : e_(e), guard_(options), memory_(static_cast<std::shared_ptr<static_memory>&&>(memory)), examples_(bindings...),
          statics_(place_argument<M>(options, example_of<M>(bindings...))...) {
        std::apply([&](const auto&... b) { check_bindings(e_, replaced(b, statics_)...); }, examples_);
        try {
            if (warms_up) warm_up();
            exec_.emplace(std::apply([&](const auto&... b) { return instantiate(e_, options.memory, replaced(b, statics_)...); }, examples_));
        } catch (const error& why) {
            guard_.tell_of_no_graph(why.what());
        }
    }

    // Enqueues one run on these arguments; the host does not wait. Inputs at another address than their static memory are
    // copied there before, outputs from there behind. Where the graph cannot serve a call, the call runs node by node, with the
    // same result, and the log says why; on the arguments themselves where they do not fit static memory or must not be copied.
    void operator()(cudaStream_t stream, call_type<M>... given) {
        const call_memory all[] = {memory_of<M>(slot_of<M>(given))..., {}};
        if (!guard_.can_copy(all, count)) return run_node_by_node(stream, std::tuple<slot_type<M>...>(slot_of<M>(given)...));
        const std::tuple<slot_type<M>...> here(static_slot<M>(given)...);
        const bool replays = is_graph() && set_values(here);
        call_guard::copy(all, count, true, stream);
        if (replays)
            exec_->launch(stream);
        else
            run_node_by_node(stream, here);
        call_guard::copy(all, count, false, stream);
    }

    // The static memory of an argument: what the last call left there. A call that gets it as its argument copies nothing.
    template <class V>
        requires(has_static_memory<V, M...>)
    std::span<typename V::element> static_buffer(V) const {
        const given_memory& at = std::get<number_of<V>()>(statics_);
        return {static_cast<typename V::element*>(at.memory), at.bytes / sizeof(typename V::element)};
    }

    // Whether calls replay a graph; if not, the log has said why.
    bool is_graph() const { return exec_.has_value(); }
    // The graph; there must be one.
    executable<E>& graph() { return *exec_; }

    // What it refuses.
    template <class... A>
        requires(!is_fine<decltype(diagnose_call(argument_list<M...>{}, list<A...>{}))>)
    auto operator()(A&&...) const -> decltype(mistake_of<callable, A...>(diagnose_call(argument_list<M...>{}, list<A...>{})));
    template <class V>
        requires(!has_static_memory<V, M...>)
    auto static_buffer(V) const -> decltype(mistake_of<callable, V>(has_no_static_memory<V>{}));

private:
    static constexpr int count = sizeof...(M);
    template <class A>
    using slot_type = std::conditional_t<by_value<typename A::variable>, typename A::element, given_memory>;

    template <class Tag>
    static constexpr int number_of() {
        return first_true<std::is_same_v<typename M::tag, Tag>...>();
    }

    template <class A, class Example>
    slot_type<A> place_argument(const callable_options& options, const Example& example) {
        if constexpr (by_value<typename A::variable>) {
            return slot_of_example<A>(example);
        } else {
            const given_memory given = slot_of_example<A>(example);
            return {memory_->place_of(info_of<typename A::tag>, given, options.aliases_inputs && !writes(A::describe.access)), given.bytes};
        }
    }

    template <class A>
    static slot_type<A> slot_of(const call_type<A>& given) {
        if constexpr (by_value<typename A::variable>)
            return given;
        else
            return {const_cast<typename A::element*>(given.data()), given.size_bytes()};
    }
    template <class A, class Example>
    static slot_type<A> slot_of_example(const Example& example) {
        if constexpr (by_value<typename A::variable>)
            return example.value;
        else
            return {const_cast<void*>(example.pointer), bytes_of(info_of<typename A::tag>, example.count)};
    }
    template <class A>
    call_memory memory_of(const slot_type<A>& given) const {
        if constexpr (by_value<typename A::variable>)
            return {};
        else
            return {&info_of<typename A::tag>, given, std::get<number_of<typename A::tag>()>(statics_), reads(A::describe.access),
                    writes(A::describe.access)};
    }

    template <class Binding, class Slots>
    static Binding replaced(const Binding& b, const Slots& by) {
        if constexpr ((is_example<M, Binding> || ...))
            return rebound(b, std::get<number_of<typename Binding::tag>()>(by));
        else
            return b;
    }

    // Runs once without a graph, for libraries that initialize themselves in their first call: on static memory, which every
    // call fills anew, with what the examples hold. Returns when all of it is done, whatever fails.
    void warm_up() {
        stream_owner stream;
        check(cudaStreamCreate(stream.put()), "cudaStreamCreate");
        try {
            std::apply(
                [&](const auto&... b) {
                    const call_memory all[] = {memory_of<M>(slot_of_example<M>(example_of<M>(b...)))..., {}};
                    call_guard::copy(all, count, true, stream.get());
                    run_on(stream.get(), e_, replaced(b, statics_)...);
                },
                examples_);
        } catch (...) {
            cudaStreamSynchronize(stream.get());
            cudaGetLastError();  // leaves no error behind for the next call
            throw;
        }
        check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
    }

    void run_node_by_node(cudaStream_t stream, const std::tuple<slot_type<M>...>& on) {
        std::apply([&](const auto&... b) { run_on(stream, e_, replaced(b, on)...); }, examples_);
    }

    // An argument of a call as the graph gets it: static memory, or the value.
    template <class A>
    slot_type<A> static_slot(const call_type<A>& given) const {
        if constexpr (by_value<typename A::variable>)
            return given;
        else
            return std::get<number_of<typename A::tag>()>(statics_);
    }

    // Tells the graph values that differ from those of the last call, all at once: some are right only together. Returns false
    // when it cannot have them, though nothing is wrong with them; the log says why.
    bool set_values(const std::tuple<slot_type<M>...>& here) {
        if constexpr ((by_value<typename M::variable> || ...)) {
            if (!(differs<M>(here) || ...)) return true;
            try {
                std::apply([&](const auto&... value) { exec_->update(value...); }, std::tuple_cat(value_in<M>(here)...));
            } catch (const error& why) {
                std::apply([&](const auto&... b) { check_bindings(e_, replaced(b, here)...); }, examples_);
                guard_.tell_of_graph_as_it_was(why.what());
                return false;
            }
            statics_ = here;
        }
        return true;
    }
    template <class A>
    bool differs(const std::tuple<slot_type<M>...>& here) const {
        if constexpr (by_value<typename A::variable>) {
            constexpr int number = number_of<typename A::tag>();
            return std::memcmp(&std::get<number>(here), &std::get<number>(statics_), sizeof(typename A::element)) != 0;
        } else {
            return false;
        }
    }
    template <class A>
    static auto value_in(const std::tuple<slot_type<M>...>& here) {
        if constexpr (by_value<typename A::variable>)
            return std::tuple(value_binding<typename A::tag, typename A::element>{std::get<number_of<typename A::tag>()>(here)});
        else
            return std::tuple<>();
    }

    E e_;
    call_guard guard_;
    std::shared_ptr<static_memory> memory_;
    std::tuple<B...> examples_;
    std::tuple<slot_type<M>...> statics_;
    std::optional<graph_of_calls<E>> exec_;
};

}  // namespace cograph::core
