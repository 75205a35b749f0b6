// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/persistent/barriers.hpp>
#include <cograph/plan/persistent/register_copies.hpp>

#include <utility>

namespace cograph::core {

// A persistent kernel's program, without names: which stage or condition runs on which of the kernel's parameters.
template <class Stage, int First, int Count, barrier Before, bool Joins>
struct stage_step {
    using stage = Stage;
    static constexpr int first = First;
    static constexpr int count = Count;
    static constexpr barrier before = Before;
};
template <class Rule, int First, int Count, barrier Before, barrier Again, class... Bodies>
struct control_step {};
template <class... Steps>
struct steps {};
// Nodes over the elements of one domain, run in one loop.
template <class... Stages>
struct fused_steps {};

// Adds a step to the last of some groups.
template <class Before, class Step, class... Groups>
struct join_last;
template <class... Before, class Step, class... Stages>
struct join_last<list<Before...>, Step, fused_steps<Stages...>> {
    using type = list<Before..., fused_steps<Stages..., Step>>;
};
template <class... Before, class Step, class Group, class Next, class... Groups>
struct join_last<list<Before...>, Step, Group, Next, Groups...> : join_last<list<Before..., Group>, Step, Next, Groups...> {};

// Steps in program order, those of inner sequences among them, nodes that join the one before them gathered.
template <class Done, class... Steps>
struct gather_steps;
template <class... Done>
struct gather_steps<list<Done...>> {
    using type = steps<Done...>;
};
template <class... Done, class... Inner, class... Steps>
struct gather_steps<list<Done...>, steps<Inner...>, Steps...> : gather_steps<list<Done...>, Inner..., Steps...> {};
template <class... Done, class Step, class... Steps>
struct gather_steps<list<Done...>, Step, Steps...> : gather_steps<list<Done..., Step>, Steps...> {};
template <class... Done, class Stage, int First, int Count, barrier Before, class... Steps>
    requires(!Stage::traits.one_thread && (Stage::traits.threads_of_group == 0 || Stage::traits.reduces) && !Stage::traits.exchanges)
struct gather_steps<list<Done...>, stage_step<Stage, First, Count, Before, false>, Steps...>
    : gather_steps<list<Done..., fused_steps<stage_step<Stage, First, Count, Before, false>>>, Steps...> {};
template <class... Done, class Stage, int First, int Count, barrier Before, class... Steps>
struct gather_steps<list<Done...>, stage_step<Stage, First, Count, Before, true>, Steps...>
    : gather_steps<typename join_last<list<>, stage_step<Stage, First, Count, Before, true>, Done...>::type, Steps...> {};

// Slot: by parameter, what it refers to (register_copies.hpp). Source: by scalar, a parameter that refers to it. Stored: by scalar, whether the
// program writes it.
// Place: by argument of the nodes, which parameter it is.
template <class Program, class Slot, class Place, class Source, class Stored, class... P>
struct persistent_code {};

// The variables that nodes of a persistent kernel exchange, in sets of those that may stand in each other's place.
template <int Parameters>
struct exchanged_variables {
    const variable_info* variables[2 * Parameters + 1]{};
    int sets[2 * Parameters + 1]{}, members[2 * Parameters + 1]{};
    int count = 0;

    constexpr int find(const variable_info* v) const {
        int at = 0;
        while (at < count && variables[at] != v) ++at;
        return at;
    }
    constexpr int add(const variable_info* v) {
        const int at = find(v);
        if (at == count) {
            variables[count] = v;
            sets[count++] = at;
        }
        return sets[at];
    }
    constexpr exchanged_variables(const argument* all, const lowered_argument* lowered) {
        for (int i = 0; i + 2 < Parameters; ++i) {
            if (!lowered[i].counts || !lowered[i].traits->exchanges) continue;
            const int a = add(all[i + 1].variable), b = add(all[i + 2].variable);
            for (int at = 0; at < count; ++at)
                if (sets[at] == b) sets[at] = a;
        }
        for (int at = 0; at < count; ++at)
            for (int other = 0; other < at; ++other) members[at] += sets[other] == sets[at];
    }
    // Of a parameter; `here` is its place.
    constexpr int number_of(const argument& a, const lowered_argument& of, const argument* here) const {
        if (count == 0) return nothing_copied;
        if (of.counts && of.traits->exchanges) return number_of_extent(sets[find(here[1].variable)]);
        const int at = a.form == argument_form::pointer ? find(a.variable) : count;
        return at < count ? number_of_exchanged(sets[at], members[at]) : nothing_copied;
    }
};

// The parameter types of all nodes below E, in order.
template <class E>
struct parameters_of {
    template <class... A, class... Child>
    static constexpr auto join(list<A...>, list<Child...>) {
        return (list<std::type_identity<typename A::parameter>...>{} + ... + decltype(parameters_of<Child>::find()){});
    }
    static constexpr auto find() {
        if constexpr (requires { typename E::arguments; })
            return join(typename E::arguments{}, typename E::children{});
        else
            return join(list<>{}, typename E::children{});
    }
};
template <class P>
P type_in(word<P>);
template <class P>
inline constexpr char parameter_id = 0;
template <class... P>
struct parameter_ids {
    const void* of[sizeof...(P) + 1] = {&parameter_id<plain<P>>..., nullptr};
};
template <class... P>
constexpr parameter_ids<P...> ids_of(list<std::type_identity<P>...>) {
    return {};
}

// The barriers of E, a loop, as one kernel.
template <class E>
struct persistent_plan {
    static constexpr int parameters = count_parameters(E::tree);
    static constexpr int leaves = E::leaves;

    static constexpr auto find_barriers() {
        barrier_pass<2 * parameters, leaves> pass{};
        pass.pass(E::tree, 0);
        return pass;
    }
    static constexpr auto barriers = find_barriers();

    struct flat {
        argument arguments[parameters + 1]{};
        lowered_argument lowered[parameters + 1]{};
        int slot[parameters + 1]{};   // by parameter
        int place[parameters + 1]{};  // by argument
        int first[parameters + 1]{};  // by parameter, the argument that it is
        int source[parameters + 1]{};
        bool stored[parameters + 1]{};
        int scalars = 0, count = 0;
    };
    // The kernel's own memory comes first: the place for its threads to meet, then of each reduction of a group the chunks' results,
    // twice; large results after all others that there could be.
    static constexpr unsigned result_bytes = 2 * reduce_layout::most_chunks * small_result_bytes;
    static constexpr unsigned all_result_bytes = has_large_results(E::tree)
                                                     ? most_joined_reductions * result_bytes + 2 * reduce_layout::most_chunks * persistent_result_bytes
                                                     : static_cast<unsigned>(barriers.most_reductions) * result_bytes;
    static constexpr flat flatten() {
        flat all{};
        all.arguments[0] = {argument_form::scratch, access_mode::none, nullptr, persistent_meeting_bytes + all_result_bytes};
        argument* to = all.arguments + 1;
        lowered_argument* of = all.lowered + 1;
        int leaf = 0;
        flatten_parameters(E::tree, to, of, leaf);
        const variable_info* known[parameters + 1]{};
        int copies = 0, slot_of[parameters + 1]{};
        const exchanged_variables<parameters> exchanged(all.arguments + 1, all.lowered + 1);
        for (int i = 0; i < parameters; ++i) {
            const argument& a = all.arguments[i + 1];
            slot_of[i] = exchanged.number_of(a, all.lowered[i + 1], all.arguments + i + 1);
            if (slot_of[i] != nothing_copied) continue;
            if (a.form != argument_form::pointer) continue;
            if (a.variable->kind != variable_kind::scalar) {
                if (!is_own_element(a, all.lowered[i + 1]) || !fits_register_copies(a.variable, all.arguments + 1, all.lowered + 1, parameters)) continue;
                int same = 0;
                while (!(all.arguments[same + 1].variable == a.variable && is_own_element(all.arguments[same + 1], all.lowered[same + 1]))) ++same;
                slot_of[i] = same < i ? slot_of[same] : number_of_copy(copies++, needs_filling(a.variable, E::tree));
                continue;
            }
            int s = 0;
            while (s < all.scalars && known[s] != a.variable) ++s;
            if (s == all.scalars) {
                known[s] = a.variable;
                all.source[all.scalars++] = i;
            }
            slot_of[i] = s;
            all.stored[s] = all.stored[s] || writes(a.access);
        }
        place_parameters(all, slot_of);
        for (int s = 0; s < all.scalars; ++s) all.source[s] = all.place[all.source[s]];
        return all;
    }
    // Arguments that are one parameter stand at the place of the first of them.
    static constexpr void place_parameters(flat& all, const int* slot_of) {
        const auto types = ids_of(decltype(parameters_of<E>::find()){});
        for (int i = 0; i < parameters; ++i) {
            int k = sees_neighbours(E::tree) ? all.count : 0;
            while (k < all.count && !(are_one_parameter(all.arguments[all.first[k] + 1], all.arguments[i + 1]) && types.of[all.first[k]] == types.of[i] &&
                                      slot_of[all.first[k]] == slot_of[i]))
                ++k;
            all.place[i] = k;
            all.lowered[i + 1].again = k < all.count;
            if (k < all.count) continue;
            all.slot[k] = slot_of[i];
            all.first[k] = i;
            ++all.count;
        }
    }
    static constexpr flat parts = flatten();
    static_assert(parts.count < most_parameters);
};

template <class... Steps>
using gathered = typename gather_steps<list<>, Steps...>::type;

// The steps of the part E of a whole: Leaf nodes and First parameters come before it.
template <class Whole, class E, int Leaf, int First>
struct program_of;

template <class Whole, int Leaf, int First, class... E>
struct programs_of {
    static constexpr int leaves_before(int child) {
        constexpr int sizes[] = {E::leaves..., 0};
        return sum_of(sizes, child);
    }
    static constexpr int parameters_before(int child) {
        constexpr int sizes[] = {count_parameters(E::tree)..., 0};
        return sum_of(sizes, child);
    }
    template <template <class...> class Holder, int... I>
    static auto held(std::integer_sequence<int, I...>)
        -> Holder<typename program_of<Whole, E, Leaf + leaves_before(I), First + parameters_before(I)>::type...>;
    template <template <class...> class Holder>
    using in = decltype(held<Holder>(std::make_integer_sequence<int, sizeof...(E)>{}));
};

template <class Whole, class Stage, class Key, class Domain, class... A, int Leaf, int First>
struct program_of<Whole, stage_node<Stage, Key, Domain, A...>, Leaf, First> {
    using type = stage_step<Stage, First, sizeof...(A), persistent_plan<Whole>::barriers.before[Leaf],
                            !persistent_plan<Whole>::barriers.splits[Leaf]>;
};
template <class Whole, group_kind Kind, class... E, int Leaf, int First>
struct program_of<Whole, group<Kind, E...>, Leaf, First> {
    using type = typename programs_of<Whole, Leaf, First, typename E::self...>::template in<steps>;
};
template <class Whole, class Rule, class... A, class... Bodies, int Leaf, int First>
struct program_of<Whole, control<Rule, condition<A...>, Bodies...>, Leaf, First> {
    using control_type = control<Rule, condition<A...>, Bodies...>;
    static constexpr int own = control_type::tree.argument_count;
    template <class... Steps>
    using step = control_step<typename control_type::conditions::steps, First, own, persistent_plan<Whole>::barriers.before[Leaf],
                              persistent_plan<Whole>::barriers.again[Leaf], gathered<Steps>...>;
    using type = typename programs_of<Whole, Leaf + 1, First + own, typename Bodies::self...>::template in<step>;
};
// Passes of a predicate over arrays are made once for each test.
template <class Whole, class Rule, int Every, class... Limit, class... A, class Body, class... Pass, int Leaf, int First>
    requires(Every > 1)
struct program_of<Whole, control<rule_with_options<Rule, Every, Limit...>, condition<A...>, sequence<Body, array_passes<Pass...>>>, Leaf, First> {
    using control_type = control<rule_with_options<Rule, Every, Limit...>, condition<A...>, sequence<Body, array_passes<Pass...>>>;
    static constexpr int own = control_type::tree.argument_count;
    template <class... Steps>
    using step = control_step<typename control_type::conditions::steps, First, own, persistent_plan<Whole>::barriers.before[Leaf],
                              persistent_plan<Whole>::barriers.again[Leaf], gathered<Steps>...>;
    using type = typename programs_of<Whole, Leaf + 1, First + own, typename Body::self, array_passes<Pass...>>::template in<step>;
};

// A given shape is the kernel's.
template <class Whole, class Rule, int Grid, int Block, class... A, class... Bodies, int Leaf, int First>
struct program_of<Whole, control<rule_with_shape<Rule, Grid, Block>, condition<A...>, Bodies...>, Leaf, First>
    : program_of<Whole, control<Rule, condition<A...>, Bodies...>, Leaf, First> {};

// The code of a loop whose blocks have Threads threads. Exact: the number of blocks is given as well, so one kernel is enough, which handles any
// number of elements.
template <class Plain, int Threads, bool Exact>
struct shaped_code {};

// Of loops whose nodes see neighbours, in tile_program.hpp.
template <class E, class Code>
constexpr auto code_with_tiles();
template <class E>
constexpr const argument* arguments_with_tiles();
template <class E>
constexpr const tile_layout* layout_of_tiles();

inline constexpr node_traits persistent_traits{.rule = "persistent", .persistent = true, .writes_partly = true};

// A loop as a node: one kernel that runs it whole.
template <class E>
struct persistent_node {
    using self = persistent_node;
    using plan = persistent_plan<E>;
    using children = list<>;

    template <int... I, int... A, int... S, class... P>
    static auto plain_code(std::integer_sequence<int, I...>, std::integer_sequence<int, A...>, std::integer_sequence<int, S...>, list<std::type_identity<P>...> all)
        -> persistent_code<typename program_of<E, E, 0, 0>::type, std::integer_sequence<int, plan::parts.slot[I]...>,
                           std::integer_sequence<int, plan::parts.place[A]...>, std::integer_sequence<int, plan::parts.source[S]...>,
                           std::integer_sequence<bool, plan::parts.stored[S]...>, core::plain<typename decltype(type_in(word_at<plan::parts.first[I]>(all)))::type>...>;
    using plain = decltype(plain_code(std::make_integer_sequence<int, plan::parts.count>{}, std::make_integer_sequence<int, plan::parameters>{},
                                      std::make_integer_sequence<int, plan::parts.scalars>{}, decltype(parameters_of<E>::find()){}));
    // With tiles if nodes see neighbours (tile_program.hpp), and all that the node has otherwise.
    static constexpr auto choose_code() {
        if constexpr (sees_neighbours(E::tree))
            return code_with_tiles<E, plain>();
        else if constexpr (given_block(E::tree) != 0)
            return list<shaped_code<plain, given_block(E::tree), has_given_shape(E::tree)>>{};
        else
            return list<plain>{};
    }
    using codes = decltype(choose_code());
    static constexpr const argument* arguments() {
        if constexpr (sees_neighbours(E::tree))
            return arguments_with_tiles<E>();
        else
            return plan::parts.arguments;
    }
    static constexpr const tile_layout* tiles() {
        if constexpr (sees_neighbours(E::tree))
            return layout_of_tiles<E>();
        else
            return nullptr;
    }
    using kept_type = typename E::kept_type;
    static constexpr lowered_node as_persistent{.arguments = plan::parts.lowered, .tiles = tiles(), .grid = given_grid(E::tree), .block = given_block(E::tree)};
    static constexpr int leaves = E::leaves;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = E::tree.name,
                               .traits = &persistent_traits,
                               .arguments = arguments(),
                               .argument_count = plan::parameters + 1,
                               .leaves = E::leaves,
                               .lowered = &as_persistent,
                               .two_kernels = true};
};

}  // namespace cograph::core
