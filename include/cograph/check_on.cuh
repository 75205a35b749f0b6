// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/check.hpp>
#include <cograph/run/check/host_mirror.cuh>
#include <cograph/run/refused/check_on.cuh>

// A run on a GPU in several ways that are compared. cograph.cuh does not include this.

namespace cograph::core {

// The bound memory that an expression writes, in copies on the host.
class bound_results {
public:
    explicit bound_results(const frame& f) : f_(f) {
        for (int v = 0; v < f.plan.count.named; ++v)
            if (f.slots[v].bound && !f.slots[v].object && f.slots[v].count > 0 && f.plan.variables[v].written) variables_.push_back(v);
    }
    const std::vector<int>& variables() const { return variables_; }

    std::vector<std::vector<char>> read(cudaStream_t stream) const {
        std::vector<std::vector<char>> all;
        for (const int v : variables_) {
            std::vector<char> bytes(bytes_of(f_, v));
            check(cudaMemcpyAsync(bytes.data(), f_.slots[v].pointer, bytes.size(), cudaMemcpyDefault, stream), "cudaMemcpyAsync",
                  place_of(*f_.plan.variables[v].info));
            check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
            all.push_back(static_cast<std::vector<char>&&>(bytes));
        }
        return all;
    }
    void write(cudaStream_t stream, const std::vector<std::vector<char>>& all) const {
        for (std::size_t i = 0; i < variables_.size(); ++i)
            check(cudaMemcpyAsync(f_.slots[variables_[i]].pointer, all[i].data(), all[i].size(), cudaMemcpyDefault, stream), "cudaMemcpyAsync",
                  place_of(*f_.plan.variables[variables_[i]].info));
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    }

private:
    const frame& f_;
    std::vector<int> variables_;
};

// The node that writes a variable last in program order: the one to look at first.
inline place last_writer(const frame& f, int v) {
    place last = place_of(*f.plan.variables[v].info);
    for (int r = 0; r < f.plan.count.nodes; ++r) {
        const plan_node& node = f.plan.nodes[r];
        for (int a = node.first_access; node.kind == plan_node_kind::work && a < node.first_access + node.access_count; ++a)
            if (f.plan.accesses[a].variable == v && writes(f.plan.accesses[a].how)) last = place_of(f, node);
    }
    return last;
}

inline void compare_results(const frame& f, const bound_results& results, finding_kind kind, const std::vector<std::vector<char>>& of,
                            const std::vector<std::vector<char>>& with, const element_comparison& compare, check_report& report) {
    for (std::size_t i = 0; i < results.variables().size(); ++i) {
        const int v = results.variables()[i];
        finding found{.kind = kind};
        if (!compare.find(*f.plan.variables[v].info, of[i].data(), with[i].data(), static_cast<index_t>(f.slots[v].count), found)) continue;
        found.where = last_writer(f, v);
        report.add(found);
    }
}

template <class Planned, expression E, class... B>
check_report check_ways(cudaStream_t stream, E const& e, const check_options& options, B const&... bindings) {
    check_report report;
    std::vector<element_type> types;
    collect_types<Planned>(types);
    const element_comparison compare(options, types);
    frame f(plan_to_run<Planned>(), e.records);
    fill_frame(f, e, bindings...);
    const bound_results results(f);
    const auto before = results.read(stream);

    const heap_array<host_function> codes(f.plan.count.codes);
    host_codes<Planned, serial_context>::collect(codes.begin());
    run_watched(stream, e, [&](const frame& run, const void* const*) { return host_mirror(run, stream, codes.begin(), compare, report); }, bindings...);
    const auto one_by_one = results.read(stream);  // waits for the run

    results.write(stream, before);
    instantiate(as_nodes(e), bindings...).launch(stream);
    compare_results(f, results, finding_kind::differs_as_nodes, results.read(stream), one_by_one, compare, report);

    results.write(stream, before);
    instantiate(e, bindings...).launch(stream);
    compare_results(f, results, finding_kind::differs_as_graph, results.read(stream), one_by_one, compare, report);
    return report;
}

// Runs an expression node by node on a stream, together with its host implementation; as a graph with one node for
// each of its nodes; and as the graph that instantiate makes. Each run begins with the same memory. Reports results
// that differ by more than check_tolerance(t). Afterwards memory holds the results of the last run. Nodes with views
// are not compared with the host. Slow: copies memory after each node.
template <expression E, class... T>
    requires can_check_on<typename E::self, bindings_among<T...>>
check_report check_on(cudaStream_t stream, E const& e, T... bindings) {
    check_options options;
    (options.add(bindings), ...);
    return with_bindings([&](auto const&... some) { return check_ways<typename E::self>(stream, e, options, some...); }, bindings...);
}

}  // namespace cograph::core

namespace cograph {

using core::check_on;

}  // namespace cograph
