// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/graph_state.cuh>
#include <cograph/run/graph/materialize.cuh>

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

}  // namespace cograph::core
