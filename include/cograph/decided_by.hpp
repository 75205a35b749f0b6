// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/all_but_operators.hpp>
#include <cograph/expr/refused/control/decided_by.hpp>

// Loops and branches that a kernel of the user's decides about. cograph/decided_by.cuh runs them on a GPU.

namespace cograph::core {

template <bool OverElements>
inline constexpr node_traits decider_traits = [] {
    node_traits traits = kernel_traits<OverElements>;
    traits.decides = true;
    traits.can_be_disabled = false;
    return traits;
}();

// The code of such a kernel, whose parameter At is the handle, and how a run without a graph launches it.
template <auto F, auto Host, int At>
struct decider_code {};
struct decider_run {};

template <auto F, auto Host, class Shape, class... A>
struct decider_node {
    using self = decider_node;
    using children = list<>;
    using codes = list<decider_code<F, Host, position_of_handle<A...>>, decider_run>;
    using arguments = list<A...>;
    using kept_type = kept_pieces<kept_part_t<A>...>;
    static constexpr int leaves = 1;
    static constexpr node_spec tree{.kind = spec_kind::work,
                                    .name = function_name<F>(),
                                    .traits = &decider_traits<Shape::counts_elements>,
                                    .arguments = arguments_as<typename signature<decltype(F)>::parameters, A...>,
                                    .argument_count = sizeof...(A),
                                    .domain = Shape::domain::describe,
                                    .device_only = std::is_null_pointer_v<decltype(Host)>};
    record records[1];
    [[no_unique_address]] kept_type kept;
};
template <auto F, auto Host, class Shape, class... A>
word<kernel_function<F>> word_of(const decider_node<F, Host, Shape, A...>*);
template <auto F, auto Host, class Shape, class... A>
list<A..., Shape> operands_of(const decider_node<F, Host, Shape, A...>*);

// The decision of a loop or branch.
template <class Node>
struct decided {
    Node node;
};

template <auto F, auto Host, class Shape>
struct shaped_decider {
    record where;

    template <class... A>
        requires is_fine<decltype(diagnose_decider<F, Host, Shape, A...>())>
    constexpr auto operator()(A... arguments) const {
        return make(typename signature<decltype(F)>::parameters{}, arguments...);
    }

    // Refused calls.
    template <class... A>
    auto operator()(A...) const -> decltype(mistake_of<struct kernel_call_of, kernel_function<F>, Shape, A...>(diagnose_decider<F, Host, Shape, A...>()));

private:
    template <class... P, class... A>
    constexpr auto make(list<P...>, A... arguments) const {
        return decided<decider_node<F, Host, Shape, decider_argument<P, A>...>>{{{where}, keep_pieces(keep_part<decider_argument<P, A>>(arguments)...)}};
    }
};
template <auto F, auto Host>
struct decider_builder {
    template <class Shape>
    constexpr shaped_decider<F, Host, bare_shape_t<Shape>> operator()(Shape shape, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return {{nullptr, file, line, values_of(shape)}};
    }

    // Refused calls.
    template <class... A>
    auto operator()(A const&...) const -> mistake<shape_is_missing<kernel_function<F>>, struct call_it_with_a_shape_and_then_with_its_arguments>;
};

// A __global__ function that decides about a loop or branch: loop_while(decided_by<f>(over(x))(in(x), conditional_handle), body).
// In every run, one of its threads calls cudaGraphSetConditional with the handle that it gets for conditional_handle. Host, an ordinary function with the same parameters but the handle, returns the decision; simulate calls it instead.
template <auto F, auto Host = nullptr>
inline constexpr decider_builder<F, Host> decided_by{};

// The decision as the condition of a loop or branch, for the functions that make those.
template <class Node>
constexpr decided<Node> as_predicate(decided<Node> p) {
    return p;
}

// Before the kernel decides, when a loop is entered: it is to begin, or not, unless the kernel says otherwise.
template <unsigned First>
struct loop_is_decided {
    static constexpr bool of_loop = true;
    COGRAPH_HD static unsigned of(loop_counter loop) {
        loop.enter();
        loop.at->ended = ending::kernel;
        return First;
    }
};
template <bool HasLoops>
struct branch_is_decided {
    using front = list<>;
    using codes = list<>;
};
struct no_branch {
    COGRAPH_HD static unsigned of() { return 0; }
};
template <>
struct branch_is_decided<true> {
    using front = list<counters_below>;
    using codes = list<condition_code<clears_below<no_branch>, loop_counter>>;
};
template <class Rule>
struct loop_before_decision {
    using front = list<counter>;
    using codes = list<condition_code<loop_is_decided<Rule::kind == spec_kind::do_while>, loop_counter>>;
};

template <class Rule, class Node, class... Bodies>
struct control<Rule, decided<Node>, Bodies...> {
    using self = control;
    using children = list<Node, typename Bodies::self...>;
    using before = choose<is_loop(Rule::kind), loop_before_decision<Rule>, branch_is_decided<(count_loops(family<Bodies...>::trees, sizeof...(Bodies)) > 0)>>;
    using arguments = typename before::front;
    using codes = typename before::codes;
    using kept_type = kept_pieces<typename Node::kept_type, typename Bodies::kept_type...>;
    template <class... B>
    static constexpr node_spec make_tree(list<B...>) {
        return {.kind = Rule::kind,
                .name = Rule::name,
                .arguments = arguments_of<B...>,
                .argument_count = sizeof...(B),
                .children = family<Node, Bodies...>::trees,
                .child_count = 1 + sizeof...(Bodies),
                .decided = true};
    }
    static constexpr int leaves = 1 + family<Node, Bodies...>::leaves;
    static constexpr node_spec tree = make_tree(arguments{});
    record records[leaves];
    [[no_unique_address]] kept_type kept;
};
template <class Rule, class Node, class... Bodies>
constexpr control<Rule, decided<Node>, Bodies...> make_control(record where, decided<Node> p, Bodies const&... bodies) {
    control<Rule, decided<Node>, Bodies...> whole{{where}, keep_pieces(p.node.kept, bodies.kept...)};
    family<Node, Bodies...>::gather(whole.records + 1, p.node, bodies...);
    return whole;
}
template <class Rule, class Node, class Body, class First, class Second>
constexpr auto make_loop(const char* file, unsigned line, decided<Node> p, Body const& body, First, Second) {
    return make_control<Rule>({nullptr, file, line, {}}, p, body);
}
template <class Rule, class Node, class... Bodies>
constexpr auto operands_of(const control<Rule, decided<Node>, Bodies...>*) {
    return list<>{};
}
template <class Rule, class Node, class... Bodies>
list<Node, Bodies...> members_of(const control<Rule, decided<Node>, Bodies...>*);

// On the host, the other function decides.
template <auto F, auto Host, int At, class Context>
struct host_code<decider_code<F, Host, At>, Context> {
    static std::int64_t run(const void*, const void* const* parameters) {
        if constexpr (std::is_null_pointer_v<decltype(Host)>)
            return 0;
        else
            return call(parameters, typename signature<decltype(Host)>::parameters{});
    }
    template <class... P>
    static std::int64_t call(const void* const* parameters, list<P...>) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Host(host_parameter<P>(parameters[I < At ? I : I + 1])...) ? 1 : 0;
        }(std::index_sequence_for<P...>{});
    }
};
template <class Context>
struct host_code<decider_run, Context> : host_code<no_code, Context> {};

}  // namespace cograph::core

namespace cograph {

using core::conditional_handle;
using core::decided_by;

}  // namespace cograph
