// SPDX-License-Identifier: Apache-2.0

// The ranks of the vertices of a graph, read from a Matrix Market file or drawn.

#include "../anywhere.hpp"
#include "../command_line.hpp"
#include "graph.hpp"
#include "ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace pagerank {

struct options {
    const char* file = nullptr;
    int scale = 12, degree = 16;
    int percent = 85;
};

constexpr const char* usage =
    R"(usage: pagerank [--file GRAPH.mtx] [--damping P] [--scale S] [--degree D]
  --file F        a square matrix in a Matrix Market file: entry (i, j) is an edge from i to j, whatever its value
  --damping P     how often the walker follows an edge, in percent, from 1 to 99 (default 85)
  --scale S       without a file: draw a graph of 2^S vertices, S from 4 to 20 (default 12)
  --degree D      and of D times as many edges, D from 1 to 64 (default 16)
)";

options parse(int argc, char** argv) {
    options chosen;
    command_line::read(argc, argv,
                       {{"--file", chosen.file}, {"--damping", 1, 99, chosen.percent}, {"--scale", 4, 20, chosen.scale}, {"--degree", 1, 64, chosen.degree}});
    return chosen;
}

int compute(const options& chosen) {
    constexpr double small_change = 1e-10;
    constexpr int limit = 1000;
    const double follows = chosen.percent / 100.0;
    const graph g = chosen.file ? graph_of(sparse::read_matrix_market(std::string(chosen.file))) : random_graph(chosen.scale, chosen.degree);
    const std::size_t n = g.per_edge.size();
    const anywhere::array<int> first(g.first.size()), others(g.from.size()), count(1);
    const anywhere::array<double> each_edge(n), ranks(n), last_change(1);
    std::copy(g.first.begin(), g.first.end(), first.data());
    std::copy(g.from.begin(), g.from.end(), others.data());
    std::copy(g.per_edge.begin(), g.per_edge.end(), each_edge.data());

    anywhere::run(whole, first_edge(first.span()), from(others.span()), per_edge(each_edge.span()), rank(ranks.span()), change(last_change.data()),
                  iterations(count.data()), damping(follows), tolerance(small_change), most_iterations(limit));

    std::vector<double> expected;
    const int expected_iterations = plain_ranks(g, follows, small_change, limit, expected);
    double sum = 0, apart = 0;
    std::size_t highest = 0;
    for (std::size_t v = 0; v < n; ++v) {
        sum += ranks[v];
        apart += std::fabs(ranks[v] - expected[v]);
        if (ranks[v] > ranks[highest]) highest = v;
    }
    std::printf("%s: %d vertices, %zu edges, at most %d at one; %d iterations; the first is vertex %zu with %.6f\n", anywhere::way_to_run(), g.vertices(), g.from.size(),
                g.most_edges(), count[0], highest + 1, ranks[highest]);
    const bool right = std::fabs(sum - 1) < 1e-9 && apart < 2 * small_change / (1 - follows) && std::abs(count[0] - expected_iterations) <= 1;
    if (!right) std::fprintf(stderr, "pagerank: the ranks are wrong: their sum is %.12f, and they are apart by %.3g\n", sum, apart);
    return !right;
}

}  // namespace pagerank

int main(int argc, char** argv) {
    return command_line::run("pagerank", pagerank::usage, [&] { return pagerank::compute(pagerank::parse(argc, argv)); });
}
