// SPDX-License-Identifier: Apache-2.0

// Writes a picture of the documentation for Graphviz: draw NAME | dot -Tsvg. The examples are read as they are, without
// their main functions.

#include "guide.hpp"

#include <cograph/plan/program.hpp>

#define main conjugate_gradient_main
#include "../../examples/conjugate_gradient/conjugate_gradient.cu"
#undef main
#define main switching_main
#include "../../examples/switching/switching.cu"
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
    core::dot_writer(std::cout, core::plan_of<core::lowered<E>>::view, e.records).write();
}

int draw(const std::string& name) {
    if (name == "quickstart") plan(smooth);
    else if (name == "quickstart_lowered") lowered(smooth);
    else if (name == "inspect") plan(roots::twice);
    else if (name == "order") plan(guide::two_norms);
    else if (name == "bfs") plan(search::levels);
    else if (name == "switching") plan(cooling::cool);
    else if (name == "conjugate_gradient") plan(sparse::solver);
    else if (name == "conjugate_gradient_lowered") lowered(sparse::solver);
    else return 1;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && draw(argv[1]) == 0) return 0;
    std::cerr << "usage: draw NAME, where NAME is a picture in docs/pictures\n";
    return 1;
}
