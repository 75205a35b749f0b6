// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/flow.hpp>
#include <cograph/plan/hazard.hpp>

namespace cograph {

// The finished tables of one expression; one element more than needed, since no array may be empty.
template <plan_sizes Size>
struct plan_table {
    row rows[Size.rows + 1]{};
    access accesses[Size.accesses + 1]{};
    bound_argument arguments[Size.arguments + 1]{};
    region regions[Size.regions + 2]{};
    planned_variable variables[Size.variables + Size.hidden + 1]{};
    int edges[3 * Size.accesses + 2 * Size.rows + 1]{};
    plan_counts count{};

    constexpr plan_tables tables() { return {rows, accesses, arguments, regions, variables, edges}; }
};

template <plan_sizes Size>
struct plan_memory {
    static constexpr int variables = Size.variables + Size.hidden + 1;
    static constexpr int words = (Size.rows + 63) / 64;
    variable_numbering<Size.variables> number{};
    int last_use[variables]{};
    int stamp[variables]{};
    int last_write[variables]{};
    int readers[variables]{};
    int next_reader[Size.accesses + 1]{};
    int reader_row[Size.accesses + 1]{};
    int local[Size.rows + 1]{};
    std::uint64_t reach[Size.rows * words + 1]{};
    bool definite[variables]{};
    int log[Size.accesses + 1]{};
};

// The passes, in order: rows, edges, flow.
template <plan_sizes Size>
constexpr plan_table<Size> make_plan(const seed& tree) {
    plan_table<Size> table{};
    plan_memory<Size> memory{};
    for (int& use : memory.last_use) use = -1;

    plan_builder<variable_numbering<Size.variables>> builder{table.tables(), memory.number, {}, memory.last_use};
    builder.name_variables(tree);
    builder.count.named = builder.count.variables = memory.number.count;
    for (int v = 0; v < memory.number.count; ++v) table.variables[v].info = memory.number.known[v];
    builder.count.regions = 1;
    builder.add(tree, 0);
    table.count = builder.count;

    table.count.edges = order_rows(table.tables(), table.count,
                                   {memory.stamp, memory.last_write, memory.readers, memory.next_reader, memory.reader_row,
                                    memory.local, memory.reach, plan_memory<Size>::words});

    flow_pass{table.tables(), memory.definite, memory.log, memory.stamp}.pass_region(0);
    return table;
}

// The plan of an expression type, computed once, in constant evaluation.
template <class E>
struct plan_of {
    static constexpr plan_sizes size = measure(E::tree);
    static constexpr plan_table<size> table = make_plan<size>(E::tree);
    static constexpr plan_view view{table.rows, table.accesses, table.arguments, table.regions, table.variables, table.edges, table.count};
};

}  // namespace cograph
