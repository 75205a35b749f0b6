// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/run/callable/arguments.hpp>
#include <cograph/run/callable/call_guard.cuh>
#include <cograph/run/callable/examples.cuh>
#include <cograph/run/callable/graph_of_calls.cuh>
#include <cograph/run/callable/outputs.cuh>

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

namespace cograph::core {

// A graph that is called like a function; see make_callable. Move-only. Its calls go to one stream, or their user
// orders them; its memory is on the device that was current when it was made.
template <class E, class Arguments, class... B>
class callable;
template <class E, class... M, class... B>
class callable<E, argument_list<M...>, B...> {
public:
    callable(const E& e, const callable_options& options, call_role role, std::shared_ptr<memory_of_calls> memory, B... bindings)
        : e_(e), guard_(options), role_(role), memory_(static_cast<std::shared_ptr<memory_of_calls>&&>(memory)), examples_(bindings...),
          statics_(place_argument<M>(options, example_of<M>(bindings...))...) {
        check_bindings_in(statics_);
        outputs_vary_ = check_outputs_in(statics_);
        try {
            for (int k = 0; role == call_role::warmed_up && k < options.warm_ups; ++k) warm_up();
            exec_.emplace(std::apply([&](const auto&... b) { return instantiate(e_, options.memory, replaced(b, statics_)...); }, examples_));
        } catch (const error& why) {
            guard_.tell_of_no_graph(why.what());
        }
    }

    // Enqueues one run on these arguments; the host does not wait. On a stream that is being captured it becomes a
    // part of the capture. Inputs at another address than their static memory are copied there before, outputs from
    // there afterwards. If the graph cannot serve a call, the call runs node by node, with the same result, and the
    // log says why. It runs on the arguments themselves if they do not fit static memory or must not be copied.
    void operator()(cudaStream_t stream, call_type<M>... given) {
        const call_memory all[] = {memory_of<M>(slot_of<M>(given))..., {}};
        const bool captured = call_guard::check_call(stream, all, count);
        std::apply([&](const auto&... b) { (check_beside(b, all), ...); }, examples_);
        if (role_ == call_role::backward) call_guard::check_left(*memory_, all, count);
        if (captured) return join_capture(stream, std::tuple<slot_type<M>...>(slot_of<M>(given)...));
        guard_.note_call(stream);
        const bool stays = guard_.can_copy(all, count);
        if (role_ == call_role::forward || role_ == call_role::forward_of_saved_arguments) {
            memory_->has_arguments = stays || role_ == call_role::forward;
            memory_->has_all_elements = !call_guard::is_resized(all, count);
        }
        if (!stays) return run_node_by_node(stream, std::tuple<slot_type<M>...>(slot_of<M>(given)...));
        const std::tuple<slot_type<M>...> here(static_slot<M>(given)...);
        if ((outputs_vary_ && (differs<M>(here) || ...)) || (exec_ && exec_->is_bound_anew)) {
            check_outputs_in(here);
            if (exec_) exec_->is_bound_anew = false;
        }
        const bool replays = is_graph() && set_values(here);
        call_guard::copy(all, count, true, stream);
        if (replays)
            exec_->launch(stream);
        else
            run_node_by_node(stream, here);
        call_guard::copy(all, count, false, stream);
    }

    // Whether the last call has ended, with the work enqueued on its stream before the first query; true before the
    // first call. A call that joined a capture does not count.
    bool query() { return guard_.has_ended(); }
    // The host waits for the same.
    void wait() { guard_.wait(); }

    // The static memory of an argument, with the results of the last call. A call with this memory as its argument
    // copies nothing.
    template <class V>
        requires(has_static_memory<V, M...>)
    std::span<typename V::element> static_buffer(V) const {
        const given_memory& at = std::get<number_of<V>()>(statics_);
        return {static_cast<typename V::element*>(at.memory), at.bytes / sizeof(typename V::element)};
    }

    // Whether calls replay a graph; if not, the log has said why.
    bool is_graph() const { return exec_.has_value(); }
    // The graph; there must be one. An update of it is of calls without it, too, and of no argument.
    graph_of_calls<E, M...>& graph() { return *exec_; }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_call(argument_list<M...>{}, list<A...>{}))>)
    auto operator()(A&&...) const -> decltype(mistake_of<callable, A...>(diagnose_call(argument_list<M...>{}, list<A...>{})));
    template <class V>
        requires(!has_static_memory<V, M...>)
    auto static_buffer(V) const -> decltype(mistake_of<callable, V>(has_no_static_memory<V>{}));

private:
    static constexpr int count = sizeof...(M);

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
    call_memory memory_of(const slot_type<A>& given) const {
        if constexpr (by_value<typename A::variable>)
            return {};
        else
            return {&info_of<typename A::tag>, given, std::get<number_of<typename A::tag>()>(statics_), reads(A::describe.access),
                    writes(A::describe.access)};
    }

    template <class Binding, class Slots>
    static Binding replaced(const Binding& b, const Slots& by) {
        if constexpr (is_argument_of<Binding, M...>)
            return rebound(b, std::get<number_of<typename Binding::tag>()>(by));
        else
            return b;
    }

    // Runs once without a graph, for libraries that initialize themselves in their first call: on static memory,
    // which every call fills again, with copies of the sample arguments. Returns when all of it is done, also after a
    // failure.
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
            cudaGetLastError();  // clears the error for the next call
            throw;
        }
        check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
    }

    void run_node_by_node(cudaStream_t stream, const std::tuple<slot_type<M>...>& on) {
        if (exec_) exec_->check_complete();
        std::apply([&](const auto&... b) { run_on(stream, e_, bound_now(b, on)...); }, examples_);
    }

    // A call on a stream that is being captured: the expression itself becomes a part of the capture, on the arguments themselves. Its static
    // memory lives as long as that graph, too.
    void join_capture(cudaStream_t stream, const std::tuple<slot_type<M>...>& on) {
        if (role_ == call_role::forward_of_saved_arguments)
            throw error({}, "A forward call is captured whose arguments the backward call reads in static memory, but a capture copies nothing there: make the backward call take them as arguments.");
        if (exec_) exec_->check_complete();
        if (outputs_vary_) check_outputs_in(on);
        const relaxed_capture_scope allowed;
        using shared_memory = std::shared_ptr<memory_of_calls>;
        heap_object kept(new shared_memory(memory_), &end_object<shared_memory>);
        std::apply(
            [&](const auto&... b) {
                graph_to_join(executable<E>::template make<lowered<E>>(guard_.memory(), false, e_, bound_now(b, on)...)).join(stream, {"call"}, static_cast<heap_object&&>(kept));
            },
            examples_);
    }

    // A binding as the graph has it now, if there is one, with the arguments in some slots.
    template <class Binding>
    Binding bound_now(const Binding& b, const std::tuple<slot_type<M>...>& by) const {
        if constexpr (is_argument_of<Binding, M...>)
            return replaced(b, by);
        else
            return exec_ ? exec_->now(b) : b;
    }
    // Memory that stays bound and is written must not be an output of a call.
    template <class Binding>
    void check_beside(const Binding& b, const call_memory* all) const {
        if constexpr (!is_argument_of<Binding, M...> && std::is_base_of_v<bound_range, Binding> && is_written<E, typename Binding::tag>) {
            const Binding now = exec_ ? exec_->now(b) : b;
            const variable_info& info = info_of<typename Binding::tag>;
            call_guard::check_apart(all, count, {&info, {const_cast<void*>(now.pointer), now.count * info.size}, {}, false, true});
        }
    }
    void check_bindings_in(const std::tuple<slot_type<M>...>& here) const {
        std::apply([&](const auto&... b) { check_bindings(e_, bound_now(b, here)...); }, examples_);
    }
    bool check_outputs_in(const std::tuple<slot_type<M>...>& here) const {
        static constexpr const variable_info* outputs[] = {(reads(M::describe.access) ? nullptr : &info_of<typename M::tag>)..., nullptr};
        return std::apply([&](const auto&... b) { return check_outputs(outputs, count, e_, bound_now(b, here)...); }, examples_);
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
                std::apply([&](const auto&... value) { static_cast<executable<E>&>(*exec_).update(value...); }, std::tuple_cat(value_in<M>(here)...));
            } catch (const error& why) {
                check_bindings_in(here);
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
    call_role role_;
    bool outputs_vary_ = false;  // only the values of a call decide whether it writes all of an out argument
    std::shared_ptr<memory_of_calls> memory_;
    std::tuple<B...> examples_;
    std::tuple<slot_type<M>...> statics_;
    std::optional<graph_of_calls<E, M...>> exec_;
};

}  // namespace cograph::core
