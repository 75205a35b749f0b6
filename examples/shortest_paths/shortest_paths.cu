// SPDX-License-Identifier: Apache-2.0

// The lengths of the shortest paths from one vertex of a graph, read from a Matrix Market file or drawn.

#include "../anywhere.hpp"
#include "../command_line.hpp"
#include "graph.hpp"

#include <algorithm>
#include <cstdio>

namespace shortest_paths {

struct options {
    const char* file = nullptr;
    int scale = 12, degree = 16;
    int from = 0;  // counted from 1; 0: the vertex of most edges
};

constexpr const char* usage =
    R"(usage: shortest_paths [--file GRAPH.mtx] [--from V] [--scale S] [--degree D]
  --file F        a square matrix in a Matrix Market file: entry (i, j) is the length of an edge from i to j
  --from V        the vertex where paths begin, from 1 on (default: the one of most edges)
  --scale S       without a file: draw a graph of 2^S vertices, S from 4 to 20 (default 12)
  --degree D      and of D times as many edges, D from 1 to 64 (default 16)
)";

options parse(int argc, char** argv) {
    options chosen;
    command_line::read(argc, argv,
                       {{"--file", chosen.file}, {"--from", 1, most_vertices, chosen.from}, {"--scale", 4, 20, chosen.scale}, {"--degree", 1, 64, chosen.degree}});
    return chosen;
}

int search(const options& chosen) {
    const graph g = chosen.file ? graph_of(sparse::read_matrix_market(std::string(chosen.file))) : random_graph(chosen.scale, chosen.degree);
    if (chosen.from > g.vertices()) throw command_line::usage_error("--from: the graph has fewer vertices");
    const int from = chosen.from > 0 ? chosen.from - 1 : vertex_of_most_edges(g);
    const anywhere::array<int> first(g.first.size()), count(1);
    const anywhere::array<edge> all(g.all.size());
    const anywhere::array<unsigned> near(static_cast<std::size_t>(g.vertices()));
    std::copy(g.first.begin(), g.first.end(), first.data());
    std::copy(g.all.begin(), g.all.end(), all.data());

    anywhere::run(whole_search, first_edge(first.span()), edges(all.span()), distance(near.span()), source(from), iterations(count.data()));

    const std::vector<unsigned> expected = plain_distances(g, from);
    std::size_t reached = 0, wrong = 0;
    unsigned longest = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
        wrong += near[v] != expected[v];
        if (near[v] == far_away) continue;
        ++reached;
        longest = std::max(longest, near[v]);
    }
    std::printf("%s: %d vertices, %zu edges, from %d: %zu reached in %d iterations, the farthest at %u\n", anywhere::way_to_run(), g.vertices(), g.all.size(), from + 1,
                reached, count[0], longest);
    if (wrong > 0) std::fprintf(stderr, "shortest_paths: %zu distances are wrong\n", wrong);
    return wrong > 0;
}

}  // namespace shortest_paths

int main(int argc, char** argv) {
    return command_line::run("shortest_paths", shortest_paths::usage, [&] { return shortest_paths::search(shortest_paths::parse(argc, argv)); });
}
