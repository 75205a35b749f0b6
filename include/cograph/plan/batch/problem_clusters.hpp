// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/batch/problem_clusters.hpp>

namespace cograph::core {

// Problems of a shape, each solved by a cluster of blocks.
template <class Shape, int Blocks>
struct problem_clusters {
    using domain = typename Shape::domain;
    shape_values values;
};

// A cluster of 2, 4 or 8 blocks of 1024 threads for each problem of a batch: batch(in_clusters<4>(over(problems)), e). For few problems, each
// with many elements, on GPUs of compute capability 9.0 and later.
template <int Blocks, class Shape>
    requires is_fine<decltype(diagnose_clusters<Shape, Blocks>())>
constexpr problem_clusters<Shape, Blocks> in_clusters(Shape shape) {
    shape_values values = values_of(shape);
    values.cluster = static_cast<unsigned>(Blocks) | 1u << 8 | 1u << 16;
    return {values};
}

}  // namespace cograph::core
