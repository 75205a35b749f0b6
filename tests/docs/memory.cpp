// SPDX-License-Identifier: Apache-2.0

// What docs/memory.md says of the examples' temps. The examples are read as they are, without their main functions.

#define main rebinding_main
#include "../../examples/rebinding/rebinding.cu"
#undef main
#define main conjugate_gradient_main
#include "../../examples/conjugate_gradient/conjugate_gradient.cu"
#undef main
#define main jacobi_main
#include "../../examples/jacobi/jacobi.cu"
#undef main
#define main bfs_main
#include "../../examples/bfs/bfs.cu"
#undef main

#include "../catch.hpp"

#include <cstddef>
#include <vector>

namespace {

constexpr std::size_t block = 1024;

/// What a run owns of one more block of elements: of temps alone, since nothing else grows.
struct growth {
    std::size_t shared, apart;
};
template <class Arena>
growth of_a_block(const Arena& arena) {
    const cograph::memory_footprint one = arena(block), two = arena(2 * block);
    return {two.bytes - one.bytes, two.without_aliasing - one.without_aliasing};
}

}  // namespace

TEST_CASE("docs/memory.md: what temps of the examples take, shared and apart") {
    std::vector<float> from(2 * block), to(2 * block);
    std::vector<double> right_side(2 * block), solution(2 * block);
    std::vector<int> levels(2 * block);

    const growth filter = of_a_block([&](std::size_t n) {
        using namespace signals;
        return memory_usage(signals::filter, input(from.data(), n), output(to.data(), n));
    });
    CHECK(filter.apart == 3 * block * sizeof(float));
    CHECK(3 * filter.shared == 2 * filter.apart);

    const growth solver = of_a_block([&](std::size_t n) {
        using namespace sparse;
        return memory_usage(sparse::solver, A(csr_view{}), b(right_side.data(), n), x(solution.data(), n), tolerance(1e-8), max_it(1));
    });
    CHECK(solver.apart == 5 * block * sizeof(double));
    CHECK(5 * solver.shared == 4 * solver.apart);

    const growth plate = of_a_block([&](std::size_t n) {
        using namespace heat;
        return memory_usage(heat::solver, u(solution.data(), n), size(1), tolerance(1e-9), most(1));
    });
    CHECK(plate.apart == block * sizeof(double));
    CHECK(plate.shared == plate.apart);

    const growth breadth_first = of_a_block([&](std::size_t n) {
        using namespace search;
        return memory_usage(search::levels, graph(adjacency{}), source(0), level(levels.data(), n));
    });
    CHECK(breadth_first.apart == 2 * block * sizeof(int));
    CHECK(breadth_first.shared == breadth_first.apart);
}
