// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/phases/rolled_nodes.hpp>
#include <cograph/run/persistent/group/element_group.cuh>

namespace cograph::core {

// What the parameters of a node refer to if it is alone: the numbers of copies begin with the first.
template <int Count>
struct slots_of_node {
    int of[Count]{};
    constexpr explicit slots_of_node(const int (&slot)[Count]) {
        int copies = 0;
        for (int i = 0; i < Count; ++i) {
            of[i] = nothing_copied;
            if (copy_numbered(slot[i]) < 0) continue;
            for (int j = 0; j < i; ++j)
                if (slot[j] == slot[i]) of[i] = of[j];
            if (of[i] == nothing_copied) of[i] = number_of_copy(copies++, true, false);
        }
    }
};
template <int... Slot>
inline constexpr slots_of_node<sizeof...(Slot)> slots_if_alone{{Slot...}};

// The parameters of a node of a program, without those of others.
template <class Step, class Pack, class Numbers = std::make_integer_sequence<int, Step::count>>
struct node_of_program;
template <class Step, class Pack, int... I>
struct node_of_program<Step, Pack, std::integer_sequence<int, I...>> {
    using pack = program_pack<std::integer_sequence<int, slots_if_alone<Pack::slot_of(Step::first + I)...>.of[I]...>, std::integer_sequence<int, I...>, parameter_type<Step::first + I, Pack>...>;

    barrier before;
    pack parameters;
    __device__ explicit node_of_program(Pack const& all) : before(Step::before), parameters(parameter<Step::first + I>(all)...) {}
};

// Nodes of one code, in a loop over the nodes.
template <class First, class... Rest>
struct rolled_group {
    // Whether the nodes' parameters are of the same types, and can be replaced by those of the next node.
    template <class Pack>
    static constexpr bool fits = std::is_copy_assignable_v<typename node_of_program<First, Pack>::pack> && (std::is_same_v<typename node_of_program<First, Pack>::pack, typename node_of_program<Rest, Pack>::pack> && ...);

    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        using code = element_group<stage_step<typename First::stage, 0, First::count, barrier::none, false>>;
        auto parameters = node_of_program<First, Pack>(pack).parameters;
        barrier before = First::before;
#pragma unroll 1
        for (int node = 0; node <= static_cast<int>(sizeof...(Rest)); ++node) {
            int other = 1;
            ((node == other++ ? take<Rest>(pack, parameters, before) : void()), ...);
            if (before != barrier::none) context.barrier_all.wait_before(before, code::is_in_first_block(context, parameters));
            code::run_alone(context, parameters);
        }
    }

private:
    template <class Step, class Pack, class Parameters>
    __device__ static void take(Pack const& pack, Parameters& parameters, barrier& before) {
        asm volatile("");  // a branch is better than a choice of every parameter
        parameters = node_of_program<Step, Pack>(pack).parameters;
        before = Step::before;
    }
};

}  // namespace cograph::core
