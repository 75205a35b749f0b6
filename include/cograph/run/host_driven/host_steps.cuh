// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/graph_state.cuh>
#include <cograph/run/graph/materialize.cuh>
#include <cograph/run/stream/captured.cuh>

#include <vector>

namespace cograph::core {

// Memory of the host that kernels write into: the answer of each condition.
class answers_of_conditions {
public:
    explicit answers_of_conditions(int count) {
        check(cudaHostAlloc(&memory_, static_cast<std::size_t>(count + 1) * sizeof(unsigned), cudaHostAllocMapped), "cudaHostAlloc");
    }
    ~answers_of_conditions() {
        const relaxed_capture_scope allowed;
        cudaFreeHost(memory_);
    }
    answers_of_conditions(const answers_of_conditions&) = delete;
    answers_of_conditions& operator=(const answers_of_conditions&) = delete;
    unsigned* of(const frame& f, const plan_node& r) const { return static_cast<unsigned*>(memory_) + (r.condition - f.plan.count.named); }

private:
    void* memory_ = nullptr;
};

// A step of a region: a graph of nodes, or a loop or branch that the host decides about.
struct host_step {
    graph_owner graph = {};
    exec_owner exec = {};
    int decided = -1;  // the conditional node
};

// The graphs of a plan, by region; none for regions in which the device decides.
struct host_steps {
    std::vector<std::vector<host_step>> of_region;
    std::vector<cudaGraphExec_t> execs;  // by node
};

// Whether the device decides about a part of a plan.
inline bool has_conditional_nodes(const plan_view& plan) {
    for (int at = 0; at < plan.count.nodes; ++at)
        if (plan.nodes[at].kind == plan_node_kind::conditional && !is_host_driven(*plan.nodes[at].from)) return true;
    return false;
}

// Makes the graphs of a plan whose outermost regions the host runs.
class host_step_maker {
public:
    host_step_maker(const graph_state& s, made_graph& made, host_steps& steps, driver_log& log)
        : s_(s), f_(s.f), made_(made), steps_(steps), log_(log), after_(f_.plan.count.nodes), bodies_(f_.plan.count.regions), awaited_(f_.plan.count.nodes),
          in_graph_(f_.plan.count.nodes) {}

    void make_all() {
        steps_.execs.resize(static_cast<std::size_t>(f_.plan.count.nodes));
        steps_.of_region.resize(static_cast<std::size_t>(f_.plan.count.regions));
        for (int at = 0; at < f_.plan.count.nodes; ++at)
            if (const plan_node& r = f_.plan.nodes[at]; r.kind == plan_node_kind::conditional && is_host_driven(*r.from)) tell_answer(r);
        for (int region = 0; region < f_.plan.count.regions; ++region)
            if (!is_in_conditional_body(f_.plan, region)) make_steps(region);
    }

private:
    // The kernel of a condition for the host takes the address of its answer; the kernel for the device takes a handle there.
    void tell_answer(const plan_node& r) {
        unsigned* const answer = static_cast<const answers_of_conditions*>(s_.answers.get())->of(f_, r);
        static_assert(sizeof answer == sizeof(cudaGraphConditionalHandle));
        std::memcpy(&made_.handles[r.handle], &answer, sizeof answer);
    }
    void make_steps(int region) {
        std::vector<host_step>& steps = steps_.of_region[static_cast<std::size_t>(region)];
        std::vector<int> together;
        const auto end_graph = [&] {
            if (!together.empty()) make_graph_of(region, together, steps.emplace_back());
            together.clear();
        };
        for (int at = f_.plan.regions[region].first_node; at >= 0; at = f_.plan.nodes[at].next) {
            const plan_node& r = f_.plan.nodes[at];
            if (r.kind != plan_node_kind::conditional || !is_host_driven(*r.from)) {
                together.push_back(at);
                continue;
            }
            end_graph();
            steps.emplace_back().decided = at;
        }
        end_graph();
    }

    // A graph of nodes of one region, with the bodies of conditional nodes among them.
    void make_graph_of(int region, const std::vector<int>& together, host_step& step) {
        check(cudaGraphCreate(step.graph.put(), 0), "cudaGraphCreate", {}, &log_);
        const graph_tables t{made_.nodes, after_.begin(), awaited_.begin(), bodies_.begin(), made_.handles, {}, s_.nothing};
        for (int at = 0; at < f_.plan.count.nodes; ++at) in_graph_[at] = awaited_[at] = false;
        for (int at : together) in_graph_[at] = true;
        t.bodies[0] = t.bodies[region] = step.graph.get();
        for (int at = 0; at < f_.plan.count.nodes; ++at) {
            const plan_node& r = f_.plan.nodes[at];
            if (r.kind == plan_node_kind::conditional && is_made(at, region))
                check_node_call(cudaGraphConditionalHandleCreate(&t.handles[r.handle], step.graph.get(), 0, 0), "cudaGraphConditionalHandleCreate", f_, r, &log_);
        }
        for (int at : together) add(at, t);
        for (int inner = region + 1; inner < f_.plan.count.regions; ++inner) {
            if (!is_below(inner, region)) continue;
            node_adder adder(f_, inner, t);
            for (int at = f_.plan.regions[inner].first_node; at >= 0; at = adder.behind(at)) add(at, t, &adder);
        }
        cudaGraphInstantiateParams params{};
        for (int at = 0; at < f_.plan.count.nodes; ++at) {
            const plan_node& r = f_.plan.nodes[at];
            const bool is_of_ranks = r.kind == plan_node_kind::work && r.from->traits->of_ranks != rank_role::none;
            if ((is_of_ranks || f_.records[r.leaf].shape.priority != 0) && is_made(at, region)) params.flags = cudaGraphInstantiateFlagUseNodePriority;
        }
        const cudaError_t code = cudaGraphInstantiateWithParams(step.exec.put(), step.graph.get(), &params);
        check(code, "cudaGraphInstantiateWithParams", code == cudaSuccess ? place{} : refused_place(f_, made_, params.errNode_out), &log_);
        for (int at = 0; at < f_.plan.count.nodes; ++at)
            if (is_made(at, region)) steps_.execs[static_cast<std::size_t>(at)] = step.exec.get();
    }
    // Whether a node is in the graph that is made, or in a body of it.
    bool is_made(int at, int region) const { return in_graph_[at] || is_below(f_.plan.nodes[at].region, region); }
    // Whether a region is in a conditional node of the graph that is made.
    bool is_below(int inner, int region) const {
        while (inner > region) {
            const int owner = f_.plan.regions[inner].owner;
            if (f_.plan.nodes[owner].region == region) return in_graph_[owner];
            inner = f_.plan.nodes[owner].region;
        }
        return false;
    }
    void add(int at, const graph_tables& t, node_adder* adder = nullptr) {
        const plan_node& r = f_.plan.nodes[at];
        cudaGraphNodeParams params{};
        node_parts parts;
        if (r.kind == plan_node_kind::conditional)
            describe_conditional(r, t, params);
        else
            describe_work(f_, r, s_.kernels[r.code], t, parts, params, log_);
        check_node_call(adder ? adder->add(at, &params) : add_outermost(at, t, params), "cudaGraphAddNode", f_, r, &log_);
        if (is_moved(params)) parts.child.release();
        if (params.type == cudaGraphNodeTypeKernel) set_attributes(f_, r, t.nodes[at], log_);
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
    made_graph& made_;
    host_steps& steps_;
    driver_log& log_;
    heap_array<cudaGraphNode_t> after_;
    heap_array<cudaGraph_t> bodies_;
    heap_array<bool> awaited_, in_graph_;
};

// Makes the graphs of an executable, at first and when an update needs other ones.
inline void make_host_steps(const graph_state& s, made_graph& made, driver_log& log) {
    host_steps* const steps = new host_steps;
    made.parts = heap_object(steps, &end_object<host_steps>);
    host_step_maker(s, made, *steps, log).make_all();
    made.execs = steps->execs.data();
}

}  // namespace cograph::core
