// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/groups.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/fusion/elementwise_fusion.hpp>
#include <cograph/plan/fusion/planes_with_result.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// Temporal blocking: of four steps over a box of three dimensions, two go over memory once. The steps alternate: the first and the third read a variable W
// around each element and write V, the others read V and write W. A kernel takes the first two, and writes W of then to memory that only the lowered
// expression has; it keeps V on chip, which the third step writes anew. Another takes the last two, and may join a reduction (joins_planes). This is done
// only if no loop is one kernel: it pays if the box fits in no cache.

// The argument by which a node writes elements, if it writes nothing else; -1: it does not.
constexpr int only_written(const node_spec& node) {
    int found = -1;
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (is_hidden_memory(a.form) || a.form == argument_form::counter || a.form == argument_form::loop_around) return -1;
        if (!a.variable || !writes(a.access)) continue;
        if (found >= 0 || !a.each || a.access != access_mode::write || a.variable->size > most_number_bytes) return -1;
        found = i;
    }
    return found;
}
// The argument by which a node reads a variable around its element, if it uses that for nothing else; -1: it does not.
constexpr int only_read_near(const node_spec& node, const variable_info* variable) {
    int found = -1;
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (a.variable != variable || !variable) continue;
        if (found >= 0 || !a.near) return -1;
        for (const int radius : a.near->along)
            if (radius > 1) return -1;
        found = i;
    }
    return found;
}
// Whether a node is a step from one variable to another.
constexpr bool is_step(const node_spec& node, const variable_info* from, const variable_info* to) {
    if (node.kind != spec_kind::work || !node.traits->is_elementwise() || node.traits->box_rank != 3 || node.elements_a_thread != few_planes) return false;
    const int written = only_written(node);
    if (written < 0 || node.arguments[written].variable != to || only_read_near(node, from) < 0) return false;
    for (int i = 0; i < node.argument_count; ++i)
        if (i != written && node.arguments[i].variable == to) return false;
    return true;
}
constexpr const variable_info* written_by_step(const node_spec& node) {
    const int written = node.kind == spec_kind::work ? only_written(node) : -1;
    return written < 0 ? nullptr : node.arguments[written].variable;
}

constexpr int steps_of_passes = 4;

// How many nodes from one on become two kernels: four steps, and perhaps the reduction after them; or 0.
constexpr int nodes_in_passes(const node_spec* const* nodes, int first, int count) {
    if (count - first < steps_of_passes) return 0;
    const node_spec* const* const steps = nodes + first;
    const variable_info *const between = written_by_step(*steps[0]), *const last = written_by_step(*steps[1]);
    if (!between || !last || between == last) return 0;
    int arguments = 0;
    unsigned bytes = 0;
    for (int i = 0; i < steps_of_passes; ++i) {
        if (!is_step(*steps[i], i % 2 == 0 ? last : between, i % 2 == 0 ? between : last) || !have_same_box(*steps[0], *steps[i], graph_for::many_elements)) return 0;
        arguments += steps[i]->argument_count;
        bytes += own_parameter_bytes(*steps[i]);
    }
    const bool has_result = count - first > steps_of_passes && joins_planes(*steps[steps_of_passes - 1], *steps[steps_of_passes], graph_for::many_elements) && !conflict(*steps[steps_of_passes - 2], *steps[steps_of_passes]);
    if (has_result) {
        arguments += steps[steps_of_passes]->argument_count;
        bytes += own_parameter_bytes(*steps[steps_of_passes]);
    }
    return arguments > most_fused_arguments || bytes > most_shared_parameter_bytes ? 0 : steps_of_passes + has_result;
}

// The second step's result, of which only the third one reads elements: as large as its variable.
template <class V>
struct in_the_middle {
    using element = typename V::element;
    static constexpr variable_kind kind = variable_kind::temp;
};
template <class V>
inline constexpr variable_info info_in_the_middle{type_name<in_the_middle<V>>(), variable_kind::temp, sizeof(typename V::element), alignof(typename V::element), std::is_signed_v<typename V::element>,
                                                  &info_of<V>, type_hash<in_the_middle<V>>(), type_name<typename V::element>(), nullptr, true};

// Input: the nodes of a sequence, and the graph. Output: the first node of each group, and one more; whether it becomes passes.
template <int Nodes>
struct fused_groups {
    int first[Nodes + 2]{};
    bool passes[Nodes + 1]{};
    int count = 0;

    constexpr explicit fused_groups(const node_spec* const* nodes, graph_for graph = graph_for::few_elements) {
        for (int i = 0; i < Nodes;) {
            const int in_passes = graph == graph_for::many_elements ? nodes_in_passes(nodes, i, Nodes) : 0;
            passes[count] = in_passes > 0;
            first[count++] = i;
            if (in_passes > 0) {
                i += in_passes;
                continue;
            }
            do ++i;
            while (i < Nodes && joins_group(nodes, first[count - 1], i, graph) && (graph != graph_for::many_elements || nodes_in_passes(nodes, i, Nodes) == 0));
        }
        first[count] = Nodes;
    }
};
constexpr bool has_fused(const node_spec& tree, graph_for graph = graph_for::few_elements) {
    for (int i = 1; tree.kind == spec_kind::sequence && i < tree.child_count; ++i)
        if (joins_group(tree.children, i - 1, i, graph) || (graph == graph_for::many_elements && nodes_in_passes(tree.children, i - 1, tree.child_count) > 0)) return true;
    return false;
}
// The bytes of the smallest element that steps in passes write; 0 if there are no such steps.
constexpr unsigned bytes_in_passes(const node_spec& tree) {
    unsigned least = 0;
    for (int i = 0; i < tree.child_count && !tree.as_nodes; ++i) {
        const bool begins = tree.kind == spec_kind::sequence && nodes_in_passes(tree.children, i, tree.child_count) > 0;
        const unsigned bytes = begins ? written_by_step(*tree.children[i])->size : bytes_in_passes(*tree.children[i]);
        if (bytes != 0 && (least == 0 || bytes < least)) least = bytes;
    }
    return least;
}
constexpr bool has_passes(const node_spec& tree) { return bytes_in_passes(tree) != 0; }

// Blocks have results of these columns and rows. Of the first step, they have one more column and row at each side. Measured on an H100 (bench/RESULTS.md).
struct pass_tile {
    static constexpr int columns = 32, rows = 14;
    static constexpr int rows_of_thread = 2, planes_ahead = 2;  // which are on their way to shared memory
    static constexpr int blocks = 3;                            // on each SM, at least
    static constexpr unsigned threads = columns * ((rows + 2) / rows_of_thread) + (2 * (rows + 2) + 31) / 32 * 32;
};
// As many blocks as run at once: each takes some parts of the box.
constexpr launch_extent size_of_pass(const launch_request&) { return {index_t{1} << 24, pass_tile::threads}; }

// In place of parameters: elements of the first step's result, and of the second one's.
constexpr int from_first_step = -1, from_second_step = -2;

// A step as kernels call it. Place: by argument, the parameter of the kernel, or one of those two. Near: of the argument that it reads around its element.
template <class Stage, class Place, int Read, class Near, int Written>
struct step_of_pass {};
template <class Reduction, class Place>
struct result_of_pass {};
struct no_result_of_pass {};
// Two steps. Keeps: the result of the first one is written, too. Between, Last: the elements of both results.
template <bool Keeps, class First, class Second, class Result, class Between, class Last, class Parameters>
struct steps_in_a_pass_code {};

// By argument of the nodes of a pass: the parameter. The second step and the reduction take the box as the first step does.
template <int All>
struct places_in_pass {
    int all[All + 1]{};

    constexpr places_in_pass(const node_spec* const* nodes, int count, bool keeps) {
        const variable_info *const between = written_by_step(*nodes[0]), *const last = written_by_step(*nodes[1]);
        int parameters = 0, at = 0;
        for (int node = 0; node < count; ++node)
            for (int i = 0; i < nodes[node]->argument_count; ++i, ++at) {
                const argument& a = nodes[node]->arguments[i];
                const int side = i - nodes[node]->traits->first_side;
                const bool is_between = reaches_memory(a) && a.variable == between, is_last = reaches_memory(a) && a.variable == last;
                if (node > 0 && i == 0)
                    all[at] = 0;
                else if (node > 0 && side >= 0 && side < 3)
                    all[at] = nodes[0]->traits->first_side + side;
                else if (is_between && (node > 0 || !keeps))
                    all[at] = from_first_step;
                else if (is_last && node > 1)
                    all[at] = from_second_step;
                else
                    all[at] = parameters++;
            }
    }
    // Whether an argument is a parameter that no earlier one is.
    constexpr bool is_own(int argument) const {
        int before = -1;
        for (int i = 0; i < argument; ++i) before = all[i] > before ? all[i] : before;
        return all[argument] > before;
    }
};

// Keeps: the second pass of two, whose first step reads the result in the middle.
template <bool Keeps, class First, class Second, class... Result>
struct steps_in_a_pass {
    using self = steps_in_a_pass;
    using children = list<>;
    using nodes = family<First, Second, Result...>;
    using kept_type = kept_pieces<typename First::kept_type, typename Second::kept_type, typename Result::kept_type...>;
    static constexpr int leaves = 2 + sizeof...(Result), of_first = First::tree.argument_count, of_two = of_first + Second::tree.argument_count, count = (of_two + ... + Result::tree.argument_count);
    static constexpr int written_by_first = only_written(First::tree), written_by_second = only_written(Second::tree);
    static constexpr int read_by_first = only_read_near(First::tree, Second::tree.arguments[written_by_second].variable);
    static constexpr int read_by_second = only_read_near(Second::tree, First::tree.arguments[written_by_first].variable);
    static constexpr places_in_pass<count> place{nodes::trees, leaves, Keeps};

    template <class... A>
    static auto variable_of(list<A...>) -> typename pick_type<written_by_second, A...>::type::tag;
    template <class... A>
    static auto element_of(list<A...>) -> typename pick_type<written_by_first, A...>::type::element;
    using last = decltype(variable_of(typename Second::arguments{}));
    using between = decltype(element_of(typename First::arguments{}));

    template <int From, int... I>
    static std::integer_sequence<int, place.all[From + I]...> places(std::integer_sequence<int, I...>);
    template <int From, class... P, int... I>
    static auto own_parameters(list<P...>, std::integer_sequence<int, I...>) -> decltype((choose<(From >= 0), list<>, list<int>>{} + ... + choose<place.is_own(From + I), list<std::type_identity<P>>, list<>>{}));
    template <int From, class Stage, class... P>
    static auto parameters(list<stage_code<Stage, P...>>) -> decltype(own_parameters<From>(list<P...>{}, std::make_integer_sequence<int, sizeof...(P)>{}));
    template <int From, int Read, int Written, class Stage, class... P>
    static auto step(list<stage_code<Stage, P...>>) -> step_of_pass<Stage, decltype(places<From>(std::make_integer_sequence<int, sizeof...(P)>{})), Read, typename pick_type<Read, plain<P>...>::type, Written>;
    template <class Stage, class... P>
    static auto result(list<stage_code<Stage, P...>>) -> result_of_pass<Stage, decltype(places<of_two>(std::make_integer_sequence<int, sizeof...(P)>{}))>;
    static no_result_of_pass result();
    using codes = list<steps_in_a_pass_code<Keeps, decltype(step<0, read_by_first, written_by_first>(typename First::codes{})), decltype(step<of_first, read_by_second, written_by_second>(typename Second::codes{})),
                                            decltype(result(typename Result::codes{}...)), plain<between>, plain<typename last::element>,
                                            decltype(((parameters<0>(typename First::codes{}) + parameters<of_first>(typename Second::codes{})) + ... + parameters<of_two>(typename Result::codes{})))>>;

    template <class... A>
    struct argument_table {
        argument all[sizeof...(A) + 1] = {A::describe..., {argument_form::kept_value}};
        lowered_argument lowered[sizeof...(A) + 1]{};
        constexpr argument_table() {
            int at = 0;
            for (int node = 0; node < leaves; ++node)
                for (int i = 0; i < nodes::trees[node]->argument_count; ++i, ++at) {
                    lowered[at] = {nodes::trees[node]->traits, i == 0, !place.is_own(at)};
                    if (node < 2 && place.all[at] == from_first_step) all[at].access = access_mode::none;
                }
            argument& in_the_middle = all[Keeps ? read_by_first : of_first + written_by_second];
            in_the_middle.variable = &info_in_the_middle<last>;
        }
    };
    template <class... A>
    static argument_table<A...> table_of(list<A...>);
    static constexpr decltype(table_of(((typename First::arguments{} + typename Second::arguments{}) + ... + typename Result::arguments{}))) table{};
    static constexpr lowered_node as_one{.parts = nodes::trees, .arguments = table.lowered, .at_once = true};
    static constexpr node_traits traits{.rule = "per_element", .size = &size_of_pass, .counts_elements = true};
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = First::tree.name,
                               .traits = &traits,
                               .arguments = table.all,
                               .argument_count = count,
                               .leaves = leaves,
                               .domain = First::tree.domain,
                               .lowered = &as_one};
};

template <class Pass>
inline constexpr bool has_numbers = std::is_arithmetic_v<typename Pass::last::element> && std::is_arithmetic_v<typename Pass::between>;

template <class A, class B, class C, class D>
constexpr auto four_steps() {
    if constexpr (has_numbers<steps_in_a_pass<false, A, B>>)
        return std::type_identity<sequence<steps_in_a_pass<false, A, B>, steps_in_a_pass<true, C, D>>>{};
    else
        return std::type_identity<sequence<A, B, C, D>>{};
}
template <class A, class B, class C, class D, class Result>
constexpr auto four_steps() {
    if constexpr (!has_numbers<steps_in_a_pass<false, A, B>>)
        return std::type_identity<sequence<A, B, C, typename decltype(with_result<D, Result>())::type>>{};
    else if constexpr (has_largest_or_least(typename Result::codes{}))
        return std::type_identity<sequence<steps_in_a_pass<false, A, B>, steps_in_a_pass<true, C, D, Result>>>{};
    else
        return std::type_identity<sequence<typename decltype(four_steps<A, B, C, D>())::type, Result>>{};
}

}  // namespace cograph::core
