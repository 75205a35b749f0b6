// SPDX-License-Identifier: Apache-2.0

// Writes a picture of the documentation for Graphviz: draw NAME | dot -Tsvg. The examples are read as they are, without
// their main functions.

#include "guide.hpp"
#include "recipes.hpp"

#include <cograph/plan/lowering/lower.hpp>

namespace guide {

// A loop around a kernel of the user's, with a branch, counters, and neighbours over the same elements.
#ifdef __CUDACC__
__global__
#endif
    void
    my_kernel(const double*, double*) {}
const auto around = seq(assign(it, 0), loop_while(it < 100 && norm > limit,
                                         seq(kernel<my_kernel>(over(x))(in(x), out(y)), for_each(over(y), scale_by{0.5})(inout(y[each])),
                                             copy(in(y), out(x)), dot(out(norm), in(x), in(y)), assign(it, it + 1),
                                             when(norm > 1, for_each(over(x), scale_by{0.1})(inout(x[each]))))));

}  // namespace guide

#define main conjugate_gradient_main
#include "../../examples/conjugate_gradient/conjugate_gradient.cu"
#undef main
#define main switching_main
#include "../../examples/switching/switching.cu"
#undef main
#define main ensemble_main
#include "../../examples/ensemble/ensemble.cu"
#undef main
#define main bfs_main
#include "../../examples/bfs/bfs.cu"
#undef main
#define main inspect_main
#include "../../examples/inspect/inspect.cu"
#undef main
#define main quickstart_main
#include "../../examples/quickstart/quickstart.cu"
#undef main

// At global scope its names clash with those of the quickstart, and its sparse matrices with those of the solver above.
#include <cograph/libraries/blas/blas.hpp>
#include <cograph/libraries/sparse.hpp>
namespace library_solver {
namespace sparse = cograph::sparse;
#define main library_solver_main
#include "../../examples/library_solver/library_solver.cu"
#undef main
}  // namespace library_solver

#include "../../examples/cloth/cloth.hpp"
#include "../../examples/decoding/transformer.hpp"
#include "../../examples/distributed_poisson/planes.hpp"
#include "../../examples/linear_program/problem.hpp"
#include "../../examples/linear_program/steps.hpp"
#include "../../examples/multigrid/cycle.hpp"
#include "../../examples/pagerank/ranks.hpp"
#include "../../examples/shortest_paths/paths.hpp"

#include <iostream>
#include <string>

namespace {

template <class E>
void plan(const E& e) {
    cograph::write_dot(std::cout, e);
}

/// What instantiate makes of an expression.
template <class E>
void lowered(const E& e) {
    namespace core = cograph::core;
    using made = core::lowered<E>;
    const core::kernel_groups<core::plan_of<made>::size.nodes, made::leaves, core::plan_of<made>::size.nodes> groups(core::plan_of<made>::view, core::plan_of<made>::view, core::merged_of<made>::nodes.head);
    core::dot_writer(std::cout, core::plan_of<made>::view, e.records, nullptr, core::group_view{groups.first}).write();
}

int draw(const std::string& name) {
    if (name == "quickstart") plan(smooth);
    else if (name == "quickstart_lowered") lowered(smooth);
    else if (name == "around_a_kernel") plan(guide::around);
    else if (name == "around_a_kernel_lowered") lowered(guide::around);
    else if (name == "inspect") plan(roots::twice);
    else if (name == "inspect_page") cograph::write_html(std::cout, roots::twice);
    else if (name == "order") plan(guide::two_norms);
    else if (name == "bfs") plan(search::levels);
    else if (name == "tutorial_body") plan(tutorial::sweep);
    else if (name == "tutorial_loop") plan(tutorial::smooth);
    else if (name == "tutorial_loop_lowered") lowered(tutorial::smooth);
    else if (name == "tutorial_two_sweeps") plan(tutorial::without_copy);
    else if (name == "library_solver") plan(library_solver::conjugate_gradients());
    else if (name == "switching") plan(cooling::cool);
    else if (name == "ensemble") plan(thrown::follow);
    else if (name == "conjugate_gradient") plan(::sparse::solver);
    else if (name == "conjugate_gradient_lowered") lowered(::sparse::solver);
    else if (name == "cloth") plan(cloth::program);
    else if (name == "linear_program") plan(lp::solve);
    else if (name == "multigrid") plan(multigrid::solver);
    else if (name == "halos") plan(distributed::multiply_planes());
    else if (name == "decoding") plan(decoding::whole);
    else if (name == "pagerank") plan(pagerank::whole);
    else if (name == "shortest_paths") plan(shortest_paths::whole_search);
    else return 1;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && draw(argv[1]) == 0) return 0;
    std::cerr << "usage: draw NAME, where NAME is a picture in docs/pictures\n";
    return 1;
}
