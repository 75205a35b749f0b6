// SPDX-License-Identifier: Apache-2.0

// Breadth-first search: how many edges lie between one vertex of a graph and every other. The frontier grows
// and shrinks on the device, and the loop ends there when it is empty or every vertex has been seen. The work is an ordinary __global__
// function, with a host implementation.

#include "../anywhere.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <queue>
#include <random>
#include <vector>

namespace search {

/// Compressed adjacency lists: the neighbours of v are target[first[v]] up to target[first[v + 1]].
struct adjacency {
    const int* first;
    const int* target;
};

constexpr int unseen = -1;

// [kernel]
/// Gives every unseen neighbour of the vertices in `from` the next level and a place in `to`.
#ifdef __CUDACC__
__global__ void expand(adjacency graph, const int* from, const int* from_size, const int* depth, int* level,
                       int* to, int* to_size) {
    const int threads = static_cast<int>(gridDim.x * blockDim.x);
    for (int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); k < *from_size; k += threads) {
        for (int e = graph.first[from[k]]; e < graph.first[from[k] + 1]; ++e) {
            const int neighbour = graph.target[e];
            if (atomicCAS(&level[neighbour], unseen, *depth + 1) == unseen)
                to[atomicAdd(to_size, 1)] = neighbour;
        }
    }
}
#else
void expand(adjacency, const int*, const int*, const int*, int*, int*, int*);  // only named
#endif

/// The same, for simulate.
void expand_on_host(adjacency graph, const int* from, const int* from_size, const int* depth, int* level,
                    int* to, int* to_size) {
    for (int k = 0; k < *from_size; ++k) {
        for (int e = graph.first[from[k]]; e < graph.first[from[k] + 1]; ++e) {
            const int neighbour = graph.target[e];
            if (level[neighbour] != unseen) continue;
            level[neighbour] = *depth + 1;
            to[(*to_size)++] = neighbour;
        }
    }
}
// [/kernel]

struct start_at {
    COGRAPH_HD void operator()(int from, int* level, int* frontier, int& size) const {
        level[from] = 0;
        frontier[0] = from;
        size = 1;
    }
};

// [expression]
// [step]
inline constexpr struct graph : cograph::view<graph, adjacency> {} graph;
inline constexpr struct source : cograph::value<source, int> {} source;
inline constexpr struct level : cograph::buffer<level, int> {} level;
inline constexpr struct depth : cograph::scalar<depth, int> {} depth;

// The frontier and the next one, which are swapped in every step.
inline constexpr struct odd : cograph::temp<odd, int, struct level> {} odd;
inline constexpr struct even : cograph::temp<even, int, struct level> {} even;
inline constexpr struct odd_size : cograph::scalar<odd_size, int> {} odd_size;
inline constexpr struct even_size : cograph::scalar<even_size, int> {} even_size;

template <class From, class FromSize, class To, class ToSize>
constexpr auto step(From from, FromSize from_size, To to, ToSize to_size) {
    using namespace cograph;
    return seq(assign(to_size, 0),
               kernel<expand, expand_on_host>(grid(128).block(256))(
                   in(graph), in(from), in(from_size), in(depth), inout(level), out(to), inout(to_size)),
               assign(depth, depth + 1));
}
// [/step]

constexpr auto breadth_first() {
    using namespace cograph;
    // [end]
    const auto rest = loop_while(even_size > 0 && any(level == unseen),
                                 seq(step(even, even_size, odd, odd_size), step(odd, odd_size, even, even_size)));
    // [/end]
    return seq(fill(out(level), unseen),
               single_task(start_at{})(in(source), inout(level), out(even), out(even_size)),
               assign(depth, 0), rest);
}

inline constexpr auto levels = breadth_first();
static_assert(cograph::is_output(levels, level) && !cograph::is_input(levels, level));
// Counting the depth and clearing a size need not wait for each other.
static_assert(cograph::graph_width(levels, 1) == 2);
// [/expression]

/// A ring in which every vertex has a few chords to anywhere.
struct ring {
    std::vector<int> first = {0};
    std::vector<int> target;

    explicit ring(int vertices) {
        std::mt19937 random(1);
        std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(vertices));
        const auto connect = [&](int a, int b) {
            neighbours[a].push_back(b);
            neighbours[b].push_back(a);
        };
        for (int v = 0; v < vertices; ++v) connect(v, (v + 1) % vertices);
        for (int chord = 0; chord < vertices / 50; ++chord)
            connect(static_cast<int>(random() % vertices), static_cast<int>(random() % vertices));
        for (const auto& of : neighbours) {
            target.insert(target.end(), of.begin(), of.end());
            first.push_back(static_cast<int>(target.size()));
        }
    }

    std::vector<int> levels_from(int from) const {
        std::vector<int> found(first.size() - 1, unseen);
        std::queue<int> waiting;
        found[from] = 0;
        for (waiting.push(from); !waiting.empty(); waiting.pop()) {
            const int v = waiting.front();
            for (int e = first[v]; e < first[v + 1]; ++e) {
                if (found[target[e]] != unseen) continue;
                found[target[e]] = found[v] + 1;
                waiting.push(target[e]);
            }
        }
        return found;
    }
};

template <class T>
anywhere::array<T> copy_of(const std::vector<T>& host) {
    anywhere::array<T> memory(host.size());
    std::copy(host.begin(), host.end(), memory.data());
    return memory;
}

int run() {
    constexpr int vertices = 20000;
    const ring made(vertices);
    const auto first = copy_of(made.first);
    const auto target = copy_of(made.target);
    const anywhere::array<int> found(vertices);

    int wrong = 0;
    for (const int from : {0, 7, vertices - 1}) {
        anywhere::run(levels, graph({first.data(), target.data()}), source(from), level(found.span()));
        const std::vector<int> expected = made.levels_from(from);
        const bool right = std::equal(expected.begin(), expected.end(), found.data());
        wrong += !right;
        std::printf("%s: from %d, the farthest of %d vertices is %d edges away%s\n", anywhere::way_to_run(),
                    from, vertices, *std::max_element(found.data(), found.data() + vertices),
                    right ? "" : ", which is wrong");
    }
    return wrong;
}

}  // namespace search

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    return search::run();
} catch (const std::exception& problem) {
    std::fprintf(stderr, "bfs: %s\n", problem.what());
    return 1;
}
