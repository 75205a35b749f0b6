// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executables of expressions with loops that the host drives. cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/host_driven.hpp>
#include <cograph/run/host_driven/host_steps.cuh>

#include <functional>

namespace cograph::core {

// An expression with loops or branches that the host decides about. Move-only. Memory that is bound to it must live as
// long as its launches.
template <class E>
class host_driven_executable : executable<E> {
    using base = executable<E>;

public:
    // Runs it once, after its last launch, on whatever stream that was. Returns after the last test that the host makes;
    // the nodes after that loop or branch are enqueued then.
    void launch(cudaStream_t stream) {
        check_stream_of_loops(stream);
        graph_state& s = this->state();
        if (s.launched) check(cudaStreamWaitEvent(stream, event_behind_launch(s, "launch"), 0), "cudaStreamWaitEvent", {"launch"});
        try {
            run(s, 0, stream);
        } catch (...) {  // the next launch follows what is running; it cannot ask the stream, which may be gone
            if (s.launched && !s.is_marked) {
                s.is_marked = cudaEventRecord(s.over.get(), stream) == cudaSuccess;
                if (!s.is_marked) cudaGetLastError();
            }
            throw;
        }
        if (!s.launched || s.is_marked) return;
        record_behind_launch(s.over.get(), stream);
        s.is_marked = true;
    }
    // How the host waits for a stream before it reads an answer, in place of cudaStreamSynchronize: nccl::wait gives up after a while.
    void wait_by(std::function<void(cudaStream_t)> way) { wait_ = static_cast<std::function<void(cudaStream_t)>&&>(way); }

    // As those of executable. An update makes the graphs again if it gives a node of host code other memory.
    using base::disable;
    using base::enable;
    using base::ended_by;
    using base::entries;
    using base::fetch;
    using base::is_enabled;
    using base::iterations;
    using base::loops;
    using base::memory;
    using base::memory_usage;
    using base::query;
    using base::update;
    using base::wait;

    template <class Lowered, expression E_, class... B>
    static host_driven_executable make(memory_choice const& memory, E_ const& e, B const&... bindings) {
        E* const kept = new E(static_cast<E const&>(e));
        host_driven_executable made(plan_to_run<Lowered, E>(), heap_object(kept, &end_object<E>), kept->records);
        graph_state& s = made.state();
        s.f.moves_children = true;
        fill_frame(s.f, *kept, bindings...);
        if constexpr (may_be_another_graph<E>)
            if (makes_another_graph<E, Lowered>(s.f, [&]<class Other>() { made = make<Other>(memory, e, bindings...); })) return made;
        collect_kernels(kernels_of<to_graph, list<>, list<Lowered>>::entries, s.kernels);
        take_conditions_for_the_host(s, kernels_of<to_memory, list<>, list<Lowered>>::entries);
        if constexpr (loop_report<E>::count > 0) {
            const record* first = kept->records;
            const char** to = s.labels;
            label_loops(E::tree, first, to);
        }
        s.nothing = reinterpret_cast<const void*>(&do_nothing<1>);
        s.make_parts = &make_host_steps;
        s.answers = heap_object(new answers_of_conditions(s.f.plan.count.conditions), &end_object<answers_of_conditions>);
        graph_needs needs;
        needs.check_driver = &check_driver;
        if (has_conditional_nodes(s.f.plan)) needs.serialize_launches = &serialize_launches;
        if constexpr ((is_value_binding<B> || ...) || may_own<Lowered> >= 2) needs.own_values = &own_values;
        if constexpr (may_own<Lowered> % 2 == 1) needs.take_memory = &take_memory;
        made.complete(memory, needs);
        make_event_of_launches(s, "instantiate");
        return made;
    }

private:
    using base::base;

    template <class Entries>
    static void take_conditions_for_the_host(graph_state& s, const Entries& entries) {
        const heap_array<const void*> to_memory_of(s.f.plan.count.codes);
        collect_kernels(entries, to_memory_of.begin());
        for (int at = 0; at < s.f.plan.count.nodes; ++at)
            if (const plan_node& r = s.f.plan.nodes[at]; r.kind == plan_node_kind::condition && is_host_driven(*r.from)) s.kernels[r.code] = to_memory_of.begin()[r.code];
    }
    static void check_stream_of_loops(cudaStream_t stream) {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing", {"launch"});
        if (status != cudaStreamCaptureStatusNone) throw error({"launch"}, "The stream is being captured: loops that the host drives wait for their work.");
    }
    void run(graph_state& s, int region, cudaStream_t stream) {
        if constexpr (has_initial_scalars(E::tree))
            if (region == 0) store_initial_scalars<initial_bytes_of<E>>(s.f, stream);
        for (host_step& step : static_cast<host_steps*>(s.made.parts.get())->of_region[static_cast<std::size_t>(region)]) {
            if (step.decided < 0)
                launch_graph(s, step, stream);
            else
                decide(s, s.f.plan.nodes[step.decided], stream);
        }
    }
    // The graph before a loop or branch, and the last graph of a loop's body, end with the kernel that writes the answer.
    void decide(graph_state& s, const plan_node& r, cudaStream_t stream) {
        const volatile unsigned* const place = static_cast<const answers_of_conditions*>(s.answers.get())->of(s.f, r);
        const auto answer = [&]() -> unsigned {
            if (wait_)
                wait_(stream);
            else
                check_node_call(cudaStreamSynchronize(stream), "cudaStreamSynchronize", s.f, r, nullptr);
            return *place;
        };
        if (is_loop(r.control)) {
            while (answer() == 1) run(s, r.first_region, stream);
        } else {
            const unsigned chosen = r.control == spec_kind::when ? 1 - answer() : answer();
            if (chosen < static_cast<unsigned>(r.region_count)) run(s, r.first_region + static_cast<int>(chosen), stream);
        }
    }
    static void launch_graph(graph_state& s, host_step& step, cudaStream_t stream) {
        struct taken {  // launches take the executable's graph
            graph_state& s;
            host_step& step;
            void exchange() {
                exec_owner other = static_cast<exec_owner&&>(s.made.exec);
                s.made.exec = static_cast<exec_owner&&>(step.exec);
                step.exec = static_cast<exec_owner&&>(other);
            }
            taken(graph_state& of, host_step& with) : s(of), step(with) { exchange(); }
            ~taken() { exchange(); }
        } now(s, step);
        s.launch ? s.launch(s, stream) : launch_now(s, stream);
    }

    std::function<void(cudaStream_t)> wait_;
};

// As instantiate of other expressions, for loops that the host drives.
template <expression E, class... B>
    requires(has_host_driven(E::self::tree) && can_run<typename E::self, B...>)
host_driven_executable<typename E::self> instantiate(E const& e, memory_choice memory, B... bindings) {
    return host_driven_executable<typename E::self>::template make<lowered<typename E::self>>(memory, e, bindings...);
}
template <expression E, class... B>
    requires(has_host_driven(E::self::tree) && can_run<typename E::self, B...>)
host_driven_executable<typename E::self> instantiate(E const& e, B... bindings) {
    return host_driven_executable<typename E::self>::template make<lowered<typename E::self>>({}, e, bindings...);
}

}  // namespace cograph::core

namespace cograph {

using core::instantiate;

}  // namespace cograph
