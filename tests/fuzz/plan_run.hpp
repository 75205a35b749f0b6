// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tables/plan.hpp>

#include <cstring>
#include <memory>

// Runs the planner at run time.
namespace plan_fuzz {

using cograph::core::plan_node;
using cograph::core::plan_node_kind;
using cograph::core::node_spec;

// Zeroed memory of exactly so many elements; what lies behind must stay as it is.
template <class T, std::size_t Bytes = 256>
class guarded {
public:
    explicit guarded(std::size_t elements) : count_(elements), memory_(new T[elements + guard]{}) {
        std::memset(static_cast<void*>(memory_.get() + elements), pattern, guard * sizeof(T));
    }
    T* data() const { return memory_.get(); }
    bool intact() const {
        const auto* behind = reinterpret_cast<const unsigned char*>(memory_.get() + count_);
        return guard == 0 ||
               (*behind == pattern && std::memcmp(behind, behind + 1, guard * sizeof(T) - 1) == 0);
    }

private:
#ifdef COGRAPH_FUZZ_EXACT  // an address sanitizer sees what lies behind
    static constexpr std::size_t guard = 0;
#else
    static constexpr std::size_t guard = 1 + Bytes / sizeof(T);
#endif
    static constexpr unsigned char pattern = 0xa5;
    std::size_t count_;
    std::unique_ptr<T[]> memory_;
};

// Calls `f` with the smallest of some capacities that is enough.
template <int Capacity = 4, class F>
auto with_capacity(int needed, F f) {
    if constexpr (Capacity < 4096) {
        if (needed > Capacity) return with_capacity<4 * Capacity>(needed, f);
    }
    return f(std::integral_constant<int, Capacity>{});
}

// The tables of one tree.
struct run_time_plan {
    cograph::core::plan_sizes size;
    std::size_t variables, words;
    guarded<plan_node> nodes;
    guarded<cograph::core::access> accesses;
    guarded<int> arguments;
    guarded<cograph::core::region> regions;
    guarded<cograph::core::planned_variable> planned;  // variables
    guarded<int, 1 << 16> edges;
    cograph::core::plan_counts count;
    bool intact = false;

    explicit run_time_plan(const node_spec& tree)
        : size(cograph::core::measure(tree)),
          variables(size.variables + size.hidden),
          words((size.nodes + 63) / 64),
          nodes(size.nodes),
          accesses(size.accesses),
          arguments(size.arguments),
          regions(size.regions),
          planned(variables),
          edges(size.edges) {
        guarded<int> of_variables[] = {guarded<int>(variables), guarded<int>(variables),
                                       guarded<int>(variables), guarded<int>(variables)};
        guarded<int> of_accesses[] = {guarded<int>(size.accesses), guarded<int>(size.accesses)};
        guarded<int> local(size.nodes);
        guarded<std::uint64_t> reach(size.nodes * words);
        guarded<cograph::core::written_part> written(variables);
        guarded<cograph::core::written_change> log(size.accesses);
        const cograph::core::plan_workspace memory{
            of_variables[0].data(),
            {of_variables[1].data(), of_variables[2].data(), of_variables[3].data(), of_accesses[0].data(),
             of_accesses[1].data(), local.data(), reach.data(), static_cast<int>(words)},
            written.data(),
            log.data()};
        const cograph::core::plan_tables tables{nodes.data(),    accesses.data(), arguments.data(),
                                          regions.data(), planned.data(),  edges.data()};
        count = with_capacity(size.variables, [&](auto capacity) {
            cograph::core::variable_numbering<capacity> number{};
            return fill_plan(tree, tables, number, memory);
        });
        intact = nodes.intact() && accesses.intact() && arguments.intact() && regions.intact() &&
                 planned.intact() && edges.intact() && local.intact() && reach.intact() && written.intact() && log.intact();
        for (const auto& part : of_variables) intact = intact && part.intact();
        for (const auto& part : of_accesses) intact = intact && part.intact();
    }

    cograph::core::plan_view view() const {
        return {nodes.data(), accesses.data(), arguments.data(), regions.data(), planned.data(), edges.data(), count};
    }
};

}  // namespace plan_fuzz
