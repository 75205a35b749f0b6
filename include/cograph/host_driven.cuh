// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executables of expressions with loops that the host drives. cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/host_driven.hpp>

#include <functional>
#include <vector>

namespace cograph::core {

// A step of a region: a graph of nodes, or a loop that the host drives.
struct host_step {
    graph_owner graph = {};
    exec_owner exec = {};
    int loop = -1;  // the conditional node
};

// Makes the graphs of a plan whose outermost regions the host runs.
class host_step_maker {
public:
    host_step_maker(const graph_state& s, const void* const* conditions_to_memory, unsigned* values)
        : s_(s), f_(s.f), conditions_(conditions_to_memory), values_(values), nodes_(f_.plan.count.nodes), after_(f_.plan.count.nodes),
          bodies_(f_.plan.count.regions), handles_(f_.plan.count.handles), awaited_(f_.plan.count.nodes), in_graph_(f_.plan.count.nodes) {}

    std::vector<host_step> steps_of(int region) {
        std::vector<host_step> steps;
        std::vector<int> together;
        const auto end_graph = [&] {
            if (!together.empty()) steps.push_back(graph_of(region, together));
            together.clear();
        };
        for (int at = f_.plan.regions[region].first_node; at >= 0; at = f_.plan.nodes[at].next) {
            const plan_node& r = f_.plan.nodes[at];
            if (r.kind != plan_node_kind::conditional || !is_host_driven(*r.from)) {
                together.push_back(at);
                continue;
            }
            end_graph();
            steps.push_back({.loop = at});
        }
        end_graph();
        return steps;
    }
    // The place of the answer of a loop's condition.
    static unsigned* value_of(unsigned* values, const frame& f, const plan_node& r) { return values + (r.condition - f.plan.count.named); }

private:
    // A graph of nodes of one region, with the bodies of conditional nodes among them.
    host_step graph_of(int region, const std::vector<int>& together) {
        host_step step;
        check(cudaGraphCreate(step.graph.put(), 0), "cudaGraphCreate", {}, &log_);
        const graph_tables t{nodes_.begin(), after_.begin(), awaited_.begin(), bodies_.begin(), handles_.begin(), {}, s_.nothing};
        for (int at = 0; at < f_.plan.count.nodes; ++at) in_graph_[at] = awaited_[at] = false;
        for (int at : together) in_graph_[at] = true;
        t.bodies[0] = t.bodies[region] = step.graph.get();
        for (int at = 0; at < f_.plan.count.nodes; ++at) {
            const plan_node& r = f_.plan.nodes[at];
            if (r.kind == plan_node_kind::conditional && (in_graph_[at] || is_below(r.region, region)))
                check_node_call(cudaGraphConditionalHandleCreate(&handles_[r.handle], step.graph.get(), 0, 0), "cudaGraphConditionalHandleCreate", f_, r, &log_);
        }
        for (int at : together) add(at, t);
        for (int inner = region + 1; inner < f_.plan.count.regions; ++inner) {
            if (!is_below(inner, region)) continue;
            node_adder adder(f_, inner, t);
            for (int at = f_.plan.regions[inner].first_node; at >= 0; at = adder.behind(at)) add(at, t, &adder);
        }
        cudaGraphInstantiateParams params{};
        check(cudaGraphInstantiateWithParams(step.exec.put(), step.graph.get(), &params), "cudaGraphInstantiateWithParams", failed_place(params.errNode_out), &log_);
        return step;
    }
    // Whether a region is in a conditional node of the graph that is made.
    bool is_below(int inner, int region) const {
        while (inner > region) {
            const int owner = f_.plan.regions[inner].owner;
            if (f_.plan.nodes[owner].region == region) return in_graph_[owner];
            inner = f_.plan.nodes[owner].region;
        }
        return false;
    }
    place failed_place(cudaGraphNode_t node) const {
        for (int at = 0; node && at < f_.plan.count.nodes; ++at)
            if (nodes_[at] == node) return place_of(f_, f_.plan.nodes[at]);
        return {};
    }
    void add(int at, const graph_tables& t, node_adder* adder = nullptr) {
        const plan_node& r = f_.plan.nodes[at];
        cudaGraphNodeParams params{};
        node_parts parts;
        unsigned* value = nullptr;
        if (r.kind == plan_node_kind::conditional) {
            describe_conditional(r, t, params);
        } else if (r.kind == plan_node_kind::condition && is_host_driven(*r.from)) {
            value = value_of(values_, f_, r);
            parts.parameters[0] = &value;
            parameter_addresses(f_, r, parts.parameters + 1);
            describe(kernel_params(launch_of(f_, r, conditions_[r.code], &log_), parts.parameters), params);
        } else {
            describe_work(f_, r, s_.kernels[r.code], t, parts, params, log_);
        }
        check_node_call(adder ? adder->add(at, &params) : add_outermost(at, t, params), "cudaGraphAddNode", f_, r, &log_);
        set_attributes(f_, r, t.nodes[at], log_);
        for (int body = 0; body < r.region_count; ++body) t.bodies[r.first_region + body] = params.conditional.phGraph_out[body];
    }
    cudaError_t add_outermost(int at, const graph_tables& t, cudaGraphNodeParams& params) {
        const plan_node& r = f_.plan.nodes[at];
        int count = 0;
        for (int e = 0; e < r.edge_count; ++e) {
            const int before = f_.plan.edges[r.first_edge + e];
            if (in_graph_[before]) t.after[count++] = t.nodes[before];
        }
        return add_node(&t.nodes[at], t.bodies[0], t.after, nullptr, count, &params);
    }

    const graph_state& s_;
    const frame& f_;
    const void* const* conditions_;
    unsigned* values_;
    heap_array<cudaGraphNode_t> nodes_, after_;
    heap_array<cudaGraph_t> bodies_;
    heap_array<cudaGraphConditionalHandle> handles_;
    heap_array<bool> awaited_, in_graph_;
    driver_log log_;
};

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
        if constexpr (has_persistent(E::tree) && !std::is_same_v<Lowered, lowered<E, false>>)
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
