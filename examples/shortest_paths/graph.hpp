// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../conjugate_gradient/matrix_market.hpp"
#include "paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace shortest_paths {

/// A directed graph: the edges that leave vertex v are first[v] and on, up to first[v + 1].
struct graph {
    std::vector<int> first;
    std::vector<edge> all;

    int vertices() const { return static_cast<int>(first.size()) - 1; }
};

constexpr double most_weight = 1'000'000;
constexpr int most_vertices = 1 << 22;

/// Entry (i, j) is an edge from i to j as long as its value. Throws where a value is no length.
inline graph graph_of(const sparse::csr_matrix& A) {
    if (A.rows > most_vertices) throw std::runtime_error("the graph has more than " + std::to_string(most_vertices) + " vertices");
    graph g{A.row_begin, {}};
    g.all.reserve(A.column.size());
    double longest = 0;
    for (std::size_t k = 0; k < A.column.size(); ++k) {
        const double length = A.value[k];
        if (!(length >= 0 && length <= most_weight && length == std::floor(length)))
            throw std::runtime_error("an entry in column " + std::to_string(A.column[k] + 1) + " is no length: lengths are whole numbers from 0 to 1000000");
        g.all.push_back({A.column[k], static_cast<int>(length)});
        longest = std::max(longest, length);
    }
    if (longest * A.rows >= far_away) throw std::runtime_error("paths may be longer than 4294967294");
    return g;
}

/// 2^scale vertices and `degree` times as many edges, drawn so that a few vertices have very many (R-MAT), of lengths from 1 to 100.
inline graph random_graph(int scale, int degree) {
    std::mt19937_64 random(3);
    const int n = 1 << scale;
    std::vector<int> name(static_cast<std::size_t>(n));
    for (int v = 0; v < n; ++v) name[static_cast<std::size_t>(v)] = v;
    for (int v = n - 1; v > 0; --v) std::swap(name[static_cast<std::size_t>(v)], name[random() % static_cast<unsigned>(v + 1)]);
    std::vector<std::pair<int, edge>> drawn(static_cast<std::size_t>(n) * static_cast<std::size_t>(degree));
    for (auto& [from, e] : drawn) {
        int a = 0, b = 0;
        for (int level = 0; level < scale; ++level) {
            const double r = static_cast<double>(random() >> 11) * 0x1p-53;
            a = 2 * a + (r >= 0.76);
            b = 2 * b + ((r >= 0.57 && r < 0.76) || r >= 0.95);
        }
        from = name[static_cast<std::size_t>(a)];
        e = {name[static_cast<std::size_t>(b)], 1 + static_cast<int>(random() % 100)};
    }
    graph g{std::vector<int>(static_cast<std::size_t>(n) + 1), std::vector<edge>(drawn.size())};
    for (const auto& [from, e] : drawn) ++g.first[static_cast<std::size_t>(from) + 1];
    for (std::size_t v = 0; v < static_cast<std::size_t>(n); ++v) g.first[v + 1] += g.first[v];
    std::vector<int> at(g.first.begin(), g.first.end() - 1);
    for (const auto& [from, e] : drawn) g.all[static_cast<std::size_t>(at[static_cast<std::size_t>(from)]++)] = e;
    return g;
}

inline int vertex_of_most_edges(const graph& g) {
    int best = 0;
    const auto degree = [&](int v) { return g.first[static_cast<std::size_t>(v) + 1] - g.first[static_cast<std::size_t>(v)]; };
    for (int v = 1; v < g.vertices(); ++v)
        if (degree(v) > degree(best)) best = v;
    return best;
}

/// The distances by Dijkstra's method.
inline std::vector<unsigned> plain_distances(const graph& g, int from) {
    std::vector<unsigned> near(static_cast<std::size_t>(g.vertices()), far_away);
    using entry = std::pair<unsigned, int>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> waiting;
    near[static_cast<std::size_t>(from)] = 0;
    for (waiting.push({0, from}); !waiting.empty();) {
        const auto [d, v] = waiting.top();
        waiting.pop();
        if (d > near[static_cast<std::size_t>(v)]) continue;
        for (int e = g.first[static_cast<std::size_t>(v)]; e < g.first[static_cast<std::size_t>(v) + 1]; ++e) {
            const edge& way = g.all[static_cast<std::size_t>(e)];
            unsigned& there = near[static_cast<std::size_t>(way.to)];
            if (d + static_cast<unsigned>(way.weight) < there) waiting.push({there = d + static_cast<unsigned>(way.weight), way.to});
        }
    }
    return near;
}

}  // namespace shortest_paths
