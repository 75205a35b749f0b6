// SPDX-License-Identifier: Apache-2.0
// Jacobi's method over squares that no cache holds, by two nodes that take turns: a kernel for each node, and two or four steps in a pass over memory. The
// loop has two nodes in an iteration, or four or eight. The largest change is found after four or eight steps, or never.
#include "boxes.cuh"

namespace boxes {

constexpr auto back = for_each(square, relax{})(in(y[near<1, 1>]), out(x[each]));
constexpr auto two = repeat(jacobi::max_it, seq(relaxing, back));
constexpr auto two_tested = loop_while(jacobi::change > jacobi::tolerance, seq(relaxing, back, largest_change), at_most(jacobi::max_it), check_every<4>);
constexpr auto four = repeat(jacobi::max_it, seq(relaxing, back, relaxing, back));
constexpr auto eight = repeat(jacobi::max_it, seq(relaxing, back, relaxing, back, relaxing, back, relaxing, back));
constexpr auto four_tested = until_settled(seq(relaxing, back, relaxing, back, largest_change));
constexpr auto eight_tested = until_settled(seq(relaxing, back, relaxing, back, relaxing, back, relaxing, back, largest_change));

void measure(square_of of) {
    const auto time = [&](auto graph) { return of.time(graph, of.from.data); };
    const auto untested = [&](const auto& loop, int nodes) { return time(of.bind(loop, of.steps / nodes)); };
    const auto tested = [&](const auto& loop, int nodes) { return time(of.bind_tested(loop, of.steps / nodes)); };
    const double two_and_test = time(of.bind(two_tested, of.steps / 2, jacobi::change(&of.found.data->change), jacobi::tolerance(-1)));
    std::printf("%5d^2 untested %8.2f %8.2f %8.2f %8.2f %8.2f\n", of.n, untested(two, 2), untested(as_nodes(four), 4), untested(four, 4), untested(as_nodes(eight), 8), untested(eight, 8));
    std::printf("%5d^2 tested   %8.2f %8.2f %8.2f %8.2f %8.2f\n", of.n, two_and_test, tested(as_nodes(four_tested), 4), tested(four_tested, 4), tested(as_nodes(eight_tested), 8), tested(eight_tested, 8));
    std::fflush(stdout);
}

}  // namespace boxes

int main() {
    const bench::gpu g;
    std::printf("Jacobi by turns over a box of doubles (us a step): two nodes in passes; four nodes, node by node and in passes; eight nodes, the same\n");
    boxes::measure({g, 12, 64});
    boxes::measure({g, 13, 64});
}
