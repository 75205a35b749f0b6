// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../conjugate_gradient/matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pagerank {

/// A directed graph by the edges that arrive at each vertex.
struct graph {
    std::vector<int> first, from;
    std::vector<double> per_edge;

    int vertices() const { return static_cast<int>(first.size()) - 1; }
    int most_edges() const {
        int most = 0;
        for (std::size_t v = 0; v + 1 < first.size(); ++v) most = std::max(most, first[v + 1] - first[v]);
        return most;
    }
};

constexpr int most_vertices = 1 << 22;

/// Edges are pairs of vertices, from the first one to the second one.
inline graph graph_of(int vertices, const std::vector<std::pair<int, int>>& edges) {
    const auto n = static_cast<std::size_t>(vertices);
    graph g{std::vector<int>(n + 1), std::vector<int>(edges.size()), std::vector<double>(n)};
    for (const auto& [a, b] : edges) {
        ++g.first[static_cast<std::size_t>(b) + 1];
        ++g.per_edge[static_cast<std::size_t>(a)];
    }
    for (std::size_t v = 0; v < n; ++v) g.first[v + 1] += g.first[v];
    std::vector<int> at(g.first.begin(), g.first.end() - 1);
    for (const auto& [a, b] : edges) g.from[static_cast<std::size_t>(at[static_cast<std::size_t>(b)]++)] = a;
    for (double& count : g.per_edge) count = count > 0 ? 1 / count : 0;
    return g;
}

/// Entry (i, j) is an edge from i to j, whatever its value.
inline graph graph_of(const sparse::csr_matrix& A) {
    if (A.rows > most_vertices) throw std::runtime_error("the graph has more than " + std::to_string(most_vertices) + " vertices");
    std::vector<std::pair<int, int>> edges;
    edges.reserve(A.column.size());
    for (int i = 0; i < A.rows; ++i)
        for (int k = A.row_begin[static_cast<std::size_t>(i)]; k < A.row_begin[static_cast<std::size_t>(i) + 1]; ++k)
            edges.emplace_back(i, A.column[static_cast<std::size_t>(k)]);
    return graph_of(A.rows, edges);
}

/// 2^scale vertices and `degree` times as many edges, drawn so that a few vertices have very many (R-MAT).
inline graph random_graph(int scale, int degree) {
    std::mt19937_64 random(7);
    const int n = 1 << scale;
    std::vector<std::pair<int, int>> edges(static_cast<std::size_t>(n) * static_cast<std::size_t>(degree));
    for (auto& [a, b] : edges) {
        a = b = 0;
        for (int level = 0; level < scale; ++level) {
            const double r = static_cast<double>(random() >> 11) * 0x1p-53;
            a = 2 * a + (r >= 0.76);
            b = 2 * b + ((r >= 0.57 && r < 0.76) || r >= 0.95);
        }
    }
    std::sort(edges.begin(), edges.end());  // neighbours in memory arrive from neighbours
    return graph_of(n, edges);
}

/// The ranks by plain loops; gives the number of iterations.
inline int plain_ranks(const graph& g, double damping, double tolerance, int most_iterations, std::vector<double>& rank) {
    const std::size_t n = g.per_edge.size();
    const double count = static_cast<double>(n);
    rank.assign(n, 1 / count);
    std::vector<double> next(n);
    double change = 1;
    int iterations = 0;
    for (; change > tolerance && iterations < most_iterations; ++iterations) {
        double at_ends = 0;
        for (std::size_t v = 0; v < n; ++v)
            if (g.per_edge[v] == 0) at_ends += rank[v];
        change = 0;
        for (std::size_t v = 0; v < n; ++v) {
            double came = 0;
            for (int e = g.first[v]; e < g.first[v + 1]; ++e) {
                const auto other = static_cast<std::size_t>(g.from[static_cast<std::size_t>(e)]);
                came += rank[other] * g.per_edge[other];
            }
            next[v] = (1 - damping) / count + damping * (came + at_ends / count);
            change += std::fabs(next[v] - rank[v]);
        }
        rank.swap(next);
    }
    return iterations;
}

}  // namespace pagerank
