// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/holds_numbers.hpp>
#include <cograph/plan/fusion/planes_with_result.hpp>
#include <cograph/plan/fusion/steps_of_passes.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace cograph::core {

// The result in the middle of the steps, of which only the next one reads elements: as large as its variable.
template <class V>
struct in_the_middle {
    using element = typename V::element;
    static constexpr variable_kind kind = variable_kind::temp;
};
template <class V>
inline constexpr variable_info info_in_the_middle{type_name<in_the_middle<V>>(), variable_kind::temp, sizeof(typename V::element), alignof(typename V::element), std::is_signed_v<typename V::element>,
                                                  &info_of<V>, type_hash<in_the_middle<V>>(), type_name<typename V::element>(), nullptr, true};

// Over three dimensions, blocks have results of these columns and rows. Of the first step, they have one more column and row at each side. Measured on an H100
// (bench/RESULTS.md).
struct pass_tile {
    static constexpr int columns = 32, rows = 14;
    static constexpr int rows_of_thread = 2, planes_ahead = 2;  // which are on their way to shared memory
    static constexpr int blocks = 3;                            // on each SM, at least
    static constexpr unsigned threads = columns * ((rows + 2) / rows_of_thread) + (2 * (rows + 2) + 31) / 32 * 32;
};
// Over two dimensions, a lane has a few columns. A warp has results of those that have as many beside them as there are steps. Measured there, too.
struct pass_strip {
    static constexpr int columns_of_lane = 2, rows_ahead = 3;  // which are on their way to registers
    static constexpr unsigned threads = 128;
    // On each SM.
    static constexpr int blocks(int steps, std::size_t bytes) { return bytes <= 4 ? (steps == 4 ? 5 : 6) : (steps == 4 ? 3 : 4); }
};
// As many blocks as run at once: each takes some parts of the box.
template <int Rank>
constexpr launch_extent size_of_pass(const launch_request&) {
    return {index_t{1} << 24, Rank == 2 ? pass_strip::threads : pass_tile::threads};
}

// In place of parameters: elements that a step before has written, of the variable of the first step and of that of the last one.
constexpr int from_first_step = -1, from_second_step = -2;

// A step as kernels call it. Place: by argument, the parameter of the kernel, or one of those two. Near: of the argument that it reads around its element.
// MayLookUp: it may get other memory, to which elements could lead it.
template <class Stage, class Place, int Read, class Near, int Written, bool MayLookUp>
struct step_of_pass {};
template <class Reduction, class Place>
struct result_of_pass {};
struct no_result_of_pass {};
// Keeps: the result of the step before the last is written, too. Between, Last: the elements of both variables.
template <int Rank, bool Keeps, class Steps, class Result, class Between, class Last, class Parameters>
struct steps_in_a_pass_code {};

// By argument of the nodes of a pass: the parameter, of those of a step and of the reduction by themselves. All take the box as the first step does. Nodes
// may be several steps each, one after another.
template <int All, int OfSteps>
struct places_in_pass {
    int all[OfSteps + 1]{};
    int parameter[All + 1]{};
    bool is_own[All + 1]{};  // a parameter that no earlier argument is

    constexpr places_in_pass(const node_spec* const* nodes, int count, int different, int steps, bool keeps) {
        const variable_info *const between = written_by_step(*nodes[0]), *const last = written_by_step(*nodes[1]);
        int parameters = 0, at = 0;
        for (int node = 0, first = 0; node < count; first += nodes[node++]->argument_count)
            for (int i = 0; i < nodes[node]->argument_count; ++i) {
                const int side = i - nodes[node]->traits->first_side, known = first + i;
                if (node > 0 && (i == 0 || (side >= 0 && side < nodes[0]->traits->box_rank))) {
                    parameter[known] = i == 0 ? 0 : nodes[0]->traits->first_side + side;
                    continue;
                }
                if (lowering_of(*nodes[node]).turns_back && nodes[node]->arguments[i].variable != between && nodes[node]->arguments[i].variable != last) {
                    parameter[known] = parameter[i];
                    continue;
                }
                const bool is_result = node == different;
                for (int step = is_result ? steps : node; step < steps + is_result; step += different)
                    is_own[known] = is_own[known] || on_chip(nodes[node]->arguments[i], step, steps, keeps, between, last) == 0;
                if (is_own[known]) parameter[known] = parameters++;
            }
        for (int step = 0; step < steps + (count > different); ++step) {
            const int node = step < steps ? step % different : different;
            int first = 0;
            for (int before = 0; before < node; ++before) first += nodes[before]->argument_count;
            for (int i = 0; i < nodes[node]->argument_count; ++i, ++at) {
                const int chip = on_chip(nodes[node]->arguments[i], step, steps, keeps, between, last);
                all[at] = chip != 0 ? chip : parameter[first + i];
            }
        }
    }

private:
    // Of an argument of a step, or of the reduction after all steps: which elements on chip it is; 0: none.
    static constexpr int on_chip(const argument& a, int step, int steps, bool keeps, const variable_info* between, const variable_info* last) {
        if (!reaches_memory(a)) return 0;
        if (a.variable == between && (step != steps - 2 || !keeps)) return from_first_step;
        return a.variable == last && step != 0 && step != steps - 1 ? from_second_step : 0;
    }
};

// Keeps: the second pass of two, whose first step reads the result in the middle. Node: those of the steps, which are taken again and again, and perhaps a
// reduction.
template <bool Keeps, int Steps, int Different, class... Node>
struct steps_in_a_pass {
    using self = steps_in_a_pass;
    using children = list<>;
    using nodes = family<Node...>;
    using kept_type = kept_pieces<typename Node::kept_type...>;
    static constexpr int members = sizeof...(Node), leaves = (Node::leaves + ...), count = (Node::tree.argument_count + ...), rank = nodes::trees[0]->traits->box_rank;
    template <int Step>
    using node_of = typename pick_type<(Step < Steps ? Step % Different : Different), Node...>::type;
    static constexpr const node_spec& tree_of(int step) { return *nodes::trees[step < Steps ? step % Different : Different]; }

    // Of a node: where its arguments begin, and those by which a step reads and writes.
    static constexpr int first_of(int node) { return node == 0 ? 0 : first_of(node - 1) + nodes::trees[node - 1]->argument_count; }
    static constexpr int first_of_step(int step) { return step == 0 ? 0 : first_of_step(step - 1) + tree_of(step - 1).argument_count; }
    static constexpr int written_by(int step) { return only_written(tree_of(step)); }
    static constexpr int read_by(int step) { return only_read_near(tree_of(step), written_by_step(tree_of(step == 0 ? 1 : step - 1))); }
    static constexpr places_in_pass<count, first_of_step(Steps + members - Different)> place{nodes::trees, members, Different, Steps, Keeps};

    // Whether a step may get other memory than the elements that it reads and writes.
    template <int Step, class... A>
    static constexpr bool may_look_up(list<A...>) {
        const node_spec& node = tree_of(Step);
        for (int i = 0; i < node.argument_count; ++i) {
            const argument& a = node.arguments[i];
            if (reaches_memory(a) && a.variable->kind != variable_kind::scalar && i != written_by(Step) && i != read_by(Step)) return true;
        }
        return !(gets_numbers<A>() && ...);
    }

    template <int Written, class... A>
    static auto variable_of(list<A...>) -> typename pick_type<Written, A...>::type::tag;
    template <int Step>
    using variable_written = decltype(variable_of<written_by(Step)>(typename node_of<Step>::arguments{}));
    using last = variable_written<1>;
    using between = variable_written<0>;

    template <int From, int... I>
    static std::integer_sequence<int, place.all[From + I]...> places(std::integer_sequence<int, I...>);
    template <int From, class... P, int... I>
    static auto own_parameters(list<P...>, std::integer_sequence<int, I...>) -> decltype((choose<(From >= 0), list<>, list<int>>{} + ... + choose<place.is_own[From + I], list<std::type_identity<P>>, list<>>{}));
    template <int I, class Stage, class... P>
    static auto parameters(list<stage_code<Stage, P...>>) -> decltype(own_parameters<first_of(I)>(list<P...>{}, std::make_integer_sequence<int, sizeof...(P)>{}));
    template <int I, class Stage, class... P>
    static auto step(list<stage_code<Stage, P...>>)
        -> step_of_pass<Stage, decltype(places<first_of_step(I)>(std::make_integer_sequence<int, sizeof...(P)>{})), read_by(I), typename pick_type<read_by(I), plain<P>...>::type, written_by(I), may_look_up<I>(typename node_of<I>::arguments{})>;
    template <class Stage, class... P>
    static auto result(list<stage_code<Stage, P...>>) -> result_of_pass<Stage, decltype(places<first_of_step(Steps)>(std::make_integer_sequence<int, sizeof...(P)>{}))>;
    static no_result_of_pass result();
    template <int... I, int... OfResult, int... All>
    static auto code(std::integer_sequence<int, I...>, std::integer_sequence<int, OfResult...>, std::integer_sequence<int, All...>)
        -> steps_in_a_pass_code<rank, Keeps, list<decltype(step<I>(typename node_of<I>::codes{}))...>, decltype(result(typename node_of<Steps + OfResult>::codes{}...)),
                                plain<typename between::element>, plain<typename last::element>, decltype((parameters<All>(typename Node::codes{}) + ...))>;
    using codes = list<decltype(code(std::make_integer_sequence<int, Steps>{}, std::make_integer_sequence<int, members - Different>{}, std::make_integer_sequence<int, members>{}))>;

    template <class... A>
    struct argument_table {
        argument all[sizeof...(A) + 1] = {A::describe..., {argument_form::kept_value}};
        lowered_argument lowered[sizeof...(A) + 1]{};
        constexpr argument_table() {
            int at = 0;
            for (int node = 0; node < members; ++node)
                for (int i = 0; i < nodes::trees[node]->argument_count; ++i, ++at) {
                    lowered[at] = {nodes::trees[node]->traits, i == 0, !place.is_own[at]};
                    const bool is_only_on_chip = node < Different && !place.is_own[at] && (i == written_by(node) || i == read_by(node));
                    if (is_only_on_chip) all[at].access = access_mode::none;
                    if (lowering_of(*nodes::trees[node]).turns_back && (keeps_value(all[at]) || all[at].value)) all[at] = {argument_form::stateless};
                }
            argument& in_the_middle = all[Keeps ? read_by(0) : first_of((Steps - 1) % Different) + written_by(Steps - 1)];
            in_the_middle.variable = &info_in_the_middle<last>;
        }
    };
    template <class... A>
    static argument_table<A...> table_of(list<A...>);
    static constexpr decltype(table_of((typename Node::arguments{} + ...))) table{};
    struct part_table {
        const node_spec* of[leaves + 1]{};  // by record
        constexpr part_table() {
            int to = 0;
            for (int node = 0; node < members; ++node)
                for (int leaf = 0; leaf < nodes::sizes[node]; ++leaf) of[to++] = nodes::trees[node];
        }
    };
    static constexpr part_table parts{};
    static constexpr bool turns_back = lowering_of(*nodes::trees[1]).turns_back;
    static constexpr lowered_node as_one{.parts = parts.of, .iterations = turns_back ? Steps : Steps / Different, .arguments = table.lowered, .at_once = rank == 2 ? pass_strip::blocks(Steps, sizeof(typename last::element)) * pass_strip::threads : usual_threads_at_once, .is_pass = true};
    static constexpr node_traits traits{.rule = "per_element", .size = &size_of_pass<rank>, .counts_elements = true};
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = nodes::trees[0]->name,
                               .traits = &traits,
                               .arguments = table.all,
                               .argument_count = count,
                               .leaves = leaves,
                               .domain = nodes::trees[0]->domain,
                               .lowered = &as_one};
};

// Steps, and perhaps a reduction after them, as two passes.
template <class... E>
struct in_passes {
    static constexpr int steps = sizeof...(E) / 4 * 4, half = steps / 2;
    template <int I>
    using node = typename pick_type<I, E...>::type;
    template <int... I, int... Result>
    static constexpr auto find(std::integer_sequence<int, I...>, std::integer_sequence<int, Result...>) {
        using first = steps_in_a_pass<false, half, half, node<I>...>;
        using second = steps_in_a_pass<true, half, half, node<half + I>...>;
        if constexpr ((has_largest_or_least(typename node<steps + Result>::codes{}) && ...))
            return std::type_identity<sequence<first, steps_in_a_pass<true, half, half, node<half + I>..., node<steps + Result>...>>>{};
        else
            return std::type_identity<sequence<first, second, node<steps + Result>...>>{};
    }
    using type = typename decltype(find(std::make_integer_sequence<int, half>{}, std::make_integer_sequence<int, sizeof...(E) - steps>{}))::type;
};

}  // namespace cograph::core
