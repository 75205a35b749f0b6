// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/races.hpp>
#include <cograph/plan/analysis/definite_assignment.hpp>
#include <cograph/plan/analysis/hazard.hpp>
#include <cograph/plan/tables/build.hpp>

namespace cograph::core {

// The finished tables of one expression; one element more than needed, since no array may be empty.
template <plan_sizes Size>
struct plan_table {
    plan_node nodes[Size.nodes + 1]{};
    access accesses[Size.accesses + 1]{};
    int arguments[Size.arguments + 1]{};
    region regions[Size.regions + 1]{};
    planned_variable variables[Size.variables + Size.hidden + 1]{};
    int edges[Size.edges + 1]{};
    plan_counts count{};

    constexpr plan_tables tables() { return {nodes, accesses, arguments, regions, variables, edges}; }
};

// Working memory of the passes, wherever it is.
struct plan_workspace {
    int* last_use;
    hazard_memory hazards;
    written_part* written;
    written_change* log;
};

template <plan_sizes Size>
struct plan_memory {
    static constexpr int variables = Size.variables + Size.hidden + 1;
    static constexpr int words = (Size.nodes + 63) / 64;
    variable_numbering<Size.variables> number{};
    int last_use[variables]{};
    int stamp[variables]{};
    int last_write[variables]{};
    int readers[variables]{};
    int next_reader[Size.accesses + 1]{};
    int reader_node[Size.accesses + 1]{};
    int local[Size.nodes + 1]{};
    std::uint64_t reach[Size.nodes * words + 1]{};
    written_part written[variables]{};
    written_change log[Size.accesses + 1]{};

    constexpr plan_workspace workspace() {
        return {last_use, {stamp, last_write, readers, next_reader, reader_node, local, reach, words}, written, log};
    }
};

template <class Numbering>
constexpr plan_counts fill_nodes(const node_spec& tree, plan_tables t, Numbering& number, int* last_use) {
    plan_builder<Numbering> builder{{t, number, {}, last_use}};
    builder.name_variables(tree);
    builder.count.named = number.count;
    builder.count.variables += number.count;
    for (int v = 0; v < number.count; ++v) t.variables[v].info = number.known[v];
    for (int v = 0; v < number.count; ++v) last_use[v] = -1;
    builder.count.regions = 1;
    builder.add(tree, 0);
    return builder.count;
}

// The passes, in order: nodes, edges, flow. All memory is zeroed and as large as measure says.
template <class Numbering>
constexpr plan_counts fill_plan(const node_spec& tree, plan_tables t, Numbering& number, const plan_workspace& m) {
    plan_counts count = fill_nodes(tree, t, number, m.last_use);
    count.edges = order_nodes(t, count, m.hazards);

    find_unwritten_reads(t, count, m.written, m.log, m.hazards.stamp);
    return count;
}

template <plan_sizes Size>
constexpr plan_table<Size> make_plan(const node_spec& tree) {
    plan_table<Size> table{};
    plan_memory<Size> memory{};
    table.count = fill_plan(tree, table.tables(), memory.number, memory.workspace());
    return table;
}

// The sizes of a finished plan.
constexpr plan_sizes exact_sizes(plan_sizes size, const plan_counts& count) {
    size.accesses = count.accesses;
    size.arguments = count.arguments;
    size.variables = count.named;
    size.hidden = count.variables - count.named;
    size.edges = count.edges;
    return size;
}

template <plan_sizes Size, plan_sizes Bound>
constexpr plan_table<Size> shrink(const plan_table<Bound>& from) {
    const auto copy = [](auto* to, const auto* begin, int count) {
        for (int i = 0; i < count; ++i) to[i] = begin[i];
    };
    plan_table<Size> to{};
    copy(to.nodes, from.nodes, from.count.nodes);
    copy(to.accesses, from.accesses, from.count.accesses);
    copy(to.arguments, from.arguments, from.count.arguments);
    copy(to.regions, from.regions, from.count.regions);
    copy(to.variables, from.variables, from.count.variables);
    copy(to.edges, from.edges, from.count.edges);
    to.count = from.count;
    return to;
}

// The plan of an expression type, computed in constant evaluation.
template <class E>
struct plan_of {
    static constexpr plan_sizes bound = measure(E::tree);
    static constexpr plan_sizes size = exact_sizes(bound, make_plan<bound>(E::tree).count);
    static constexpr plan_table<size> table = shrink<size, bound>(make_plan<bound>(E::tree));  // nvcc 13.4 and 13.5 deduce no bound
    static constexpr plan_view view{table.nodes, table.accesses, table.arguments, table.regions, table.variables, table.edges, table.count};
};

}  // namespace cograph::core
