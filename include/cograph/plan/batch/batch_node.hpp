// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/batch_types.hpp>
#include <cograph/plan/batch/problem/problem_numbers.hpp>

namespace cograph::core {

// A batch as a node: the program of E, which a persistent kernel would run for all, run for each problem.
template <class Domain, int Size, class E, class Reports, class... S>
struct batch_node {
    using self = batch_node;
    using children = list<>;
    using batch = batch_of<Domain, Size, E, Reports, S...>;
    using codes = typename batch::codes;
    using arguments = typename batch::arguments;
    using kept_type = typename E::kept_type;
    static constexpr int leaves = 1 + E::leaves;
    static constexpr inner_expression problem{&E::tree, &plan_of<E>::view};
    static constexpr node_spec tree{.kind = spec_kind::work,
                                    .name = {"batch"},
                                    .traits = &batch_traits<Size>,
                                    .arguments = batch::table.all,
                                    .argument_count = batch::count(arguments{}),
                                    .leaves = leaves,
                                    .domain = Domain::describe,
                                    .inside = &problem};
    record records[leaves];
    [[no_unique_address]] kept_type kept;
};

template <class Domain, int Size, class E, class Reports, class... S>
word<struct batch_of_problems> word_of(const batch_node<Domain, Size, E, Reports, S...>*);
template <class Domain, int Size, class E, class Reports, class... S>
typename batch_of<Domain, Size, E, Reports, S...>::arguments operands_of(const batch_node<Domain, Size, E, Reports, S...>*);
template <class Domain, int Size, class E, class Reports, class... S>
list<E> members_of(const batch_node<Domain, Size, E, Reports, S...>*);

}  // namespace cograph::core
