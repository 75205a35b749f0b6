// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executables of expressions with loops that the host drives. cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/host_driven.hpp>
#include <cograph/run/host_driven/host_steps.cuh>

#include <functional>
#include <vector>

namespace cograph::core {

// Memory of the host that kernels write into.
class answers_of_loops {
public:
    explicit answers_of_loops(int count) { check(cudaHostAlloc(&memory_, static_cast<std::size_t>(count + 1) * sizeof(unsigned), cudaHostAllocMapped), "cudaHostAlloc"); }
    ~answers_of_loops() {
        const relaxed_capture_scope allowed;
        cudaFreeHost(memory_);
    }
    answers_of_loops(const answers_of_loops&) = delete;
    answers_of_loops& operator=(const answers_of_loops&) = delete;
    unsigned* get() const { return static_cast<unsigned*>(memory_); }

private:
    void* memory_ = nullptr;
};

// The graphs of an expression with loops that the host drives, by region, and its answers.
struct host_driven_graphs {
    answers_of_loops answers;
    std::vector<std::vector<host_step>> steps;  // by region; empty if the device decides
    explicit host_driven_graphs(int conditions) : answers(conditions) {}
};

// An expression whose loops the host drives, or some of them. Move-only. Memory that is bound to it must live as long as its launches.
template <class E>
class host_driven_executable : graph_run {
public:
    // Runs it once. Returns after the last test of a loop that the host drives; the nodes after that loop are enqueued then.
    void launch(cudaStream_t stream) {
        check_stream_of_loops(stream);
        run(this->state(), 0, stream);
    }
    // How the host waits for a stream before it reads an answer, in place of cudaStreamSynchronize: nccl::wait gives up after a while.
    void wait_by(std::function<void(cudaStream_t)> wait) { wait_ = static_cast<std::function<void(cudaStream_t)>&&>(wait); }

    // Wait for the last launch; as those of executable.
    template <class V>
        requires is_fine<decltype(diagnose_fetch<E, V>())>
    typename V::element fetch(V) const {
        struct {
            alignas(typename V::element) unsigned char all[sizeof(typename V::element)];
        } bytes{};
        this->fetch_memory(&info_of<typename V::tag>, bytes.all);
        return std::bit_cast<typename V::element>(bytes);
    }
    loop_report<E> loops() const {
        loop_report<E> report;
        this->fetch_loops(report.loops);
        report.read_labels(this->state().f.records);
        return report;
    }
    using graph_run::ended_by;
    using graph_run::entries;
    using graph_run::iterations;
    using graph_run::memory_usage;

    template <class Lowered, expression E_, class... B>
    static host_driven_executable make(memory_choice const& memory, E_ const& e, B const&... bindings) {
        E* const kept = new E(static_cast<E const&>(e));
        host_driven_executable made(plan_to_run<Lowered, E>(), heap_object(kept, &end_object<E>), kept->records);
        graph_state& s = made.state();
        fill_frame(s.f, *kept, bindings...);
        if constexpr (has_persistent(E::tree) && !std::is_same_v<Lowered, lowered<E, false>> && !persists_always(E::tree))
            if (is_too_large(s.f)) return make<lowered<E, false>>(memory, e, bindings...);
        collect_kernels(kernels_of<to_graph, list<>, list<Lowered>>::entries, s.kernels);
        const heap_array<const void*> conditions(s.f.plan.count.codes);
        collect_kernels(kernels_of<to_memory, list<>, list<Lowered>>::entries, conditions.begin());
        if constexpr (loop_report<E>::count > 0) {
            const record* first = kept->records;
            const char** to = s.labels;
            label_loops(E::tree, first, to);
        }
        graph_needs needs;
        needs.makes_graph = false;
        needs.check_driver = &check_driver;
        s.nothing = reinterpret_cast<const void*>(&do_nothing<1>);
        if constexpr ((is_value_binding<B> || ...) || may_own<Lowered> >= 2) needs.own_values = &own_values;
        if constexpr (may_own<Lowered> % 2 == 1) needs.take_memory = &take_memory;
        made.complete(memory, needs);
        made.make_steps(s, conditions.begin());
        return made;
    }

private:
    using graph_run::graph_run;

    void make_steps(graph_state& s, const void* const* conditions) {
        const plan_view& plan = s.f.plan;
        graphs_ = new host_driven_graphs(plan.count.conditions);
        kept_graphs_ = heap_object(graphs_, &end_object<host_driven_graphs>);
        graphs_->steps.resize(static_cast<std::size_t>(plan.count.regions));
        host_step_maker maker(s, conditions, graphs_->answers.get());
        for (int region = 0; region < plan.count.regions; ++region)
            if (!is_in_conditional_body(plan, region)) graphs_->steps[static_cast<std::size_t>(region)] = maker.steps_of(region);
        driver_log log;
        bool has_conditional_nodes = false;
        for (int at = 0; at < plan.count.nodes; ++at)
            has_conditional_nodes |= plan.nodes[at].kind == plan_node_kind::conditional && !is_host_driven(*plan.nodes[at].from);
        if (has_conditional_nodes) serialize_launches(s, log);
    }
    static void check_stream_of_loops(cudaStream_t stream) {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing", {"launch"});
        if (status != cudaStreamCaptureStatusNone) throw error({"launch"}, "The stream is being captured: loops that the host drives wait for what they enqueue.");
    }
    void run(graph_state& s, int region, cudaStream_t stream) {
        if constexpr (has_initial_scalars(E::tree))
            if (region == 0) store_initial_scalars<initial_bytes_of<E>>(s.f, stream);
        for (host_step& step : graphs_->steps[static_cast<std::size_t>(region)]) {
            if (step.loop < 0)
                launch_graph(s, step, stream);
            else
                drive(s, s.f.plan.nodes[step.loop], stream);
        }
    }
    // The graph before a loop, and the last graph of its body, end with the kernel that writes the answer.
    void drive(graph_state& s, const plan_node& r, cudaStream_t stream) {
        const volatile unsigned* const answer = host_step_maker::value_of(graphs_->answers.get(), s.f, r);
        const auto goes_on = [&] {
            if (wait_)
                wait_(stream);
            else
                check_node_call(cudaStreamSynchronize(stream), "cudaStreamSynchronize", s.f, r, nullptr);
            return *answer == 1;
        };
        while (goes_on()) run(s, r.first_region, stream);
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

    heap_object kept_graphs_{nullptr, nullptr};
    host_driven_graphs* graphs_ = nullptr;
    std::function<void(cudaStream_t)> wait_;
};

// As instantiate of other expressions, for loops that the host drives.
template <expression E, class... B>
    requires(has_host_driven(E::self::tree))
host_driven_executable<typename E::self> instantiate(E const& e, memory_choice memory, B... bindings) {
    return host_driven_executable<typename E::self>::template make<lowered<typename E::self>>(memory, e, bindings...);
}
template <expression E, class... B>
    requires(has_host_driven(E::self::tree))
host_driven_executable<typename E::self> instantiate(E const& e, B... bindings) {
    return host_driven_executable<typename E::self>::template make<lowered<typename E::self>>({}, e, bindings...);
}

}  // namespace cograph::core

namespace cograph {

using core::instantiate;

}  // namespace cograph
