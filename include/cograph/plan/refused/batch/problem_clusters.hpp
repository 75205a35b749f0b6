// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>

#include <cograph/expr/node/launch_shape.hpp>

namespace cograph::core {

// Refused calls of in_clusters.
template <class Shape, int Blocks>
constexpr auto diagnose_clusters() {
    if constexpr (!(Blocks == 2 || Blocks == 4 || Blocks == 8))
        return not_a_cluster_for_a_problem<Blocks>{};
    else if constexpr (!element_shape_type<Shape>)
        return shape_counts_no_problems<Shape>{};
    else
        return fine{};
}
template <int Blocks, class Shape>
    requires(!is_fine<decltype(diagnose_clusters<Shape, Blocks>())>)
auto in_clusters(Shape) -> decltype(mistake_of<struct in_clusters_call, Shape>(diagnose_clusters<Shape, Blocks>()));

}  // namespace cograph::core
