// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths from one vertex, as an expression: in each iteration, the vertices that came nearer in the iteration before offer their neighbours
// a way. Those vertices are listed in their order, so that every run does the same work.

#include <cograph.hpp>

namespace shortest_paths {

using namespace cograph;

constexpr unsigned far_away = 0xffffffffu;
constexpr int chunk = 512;         // vertices that a group lists
constexpr int edges_of_item = 64;  // at most

struct edge {
    int to, weight;
};
// Some edges of a vertex that came nearer, and how near it is.
struct alignas(16) item {
    int begin, end;
    unsigned distance;
};

// [variables]
inline constexpr struct first_edge : buffer<first_edge, int> {} first_edge;  // of each vertex, and behind the last one
inline constexpr struct edges : buffer<edges, edge> {} edges;
inline constexpr struct distance : buffer<distance, unsigned> {} distance;
inline constexpr struct source : value<source, int> {} source;
inline constexpr struct iterations : scalar<iterations, int> {} iterations;

inline constexpr struct seen : temp<seen, unsigned, struct distance> {} seen;  // the distance of which the neighbours know
inline constexpr struct counts : temp<counts, int, elements<ceil_div(extent(distance), index_t{chunk})>> {} counts;
inline constexpr struct items : temp<items, item, elements<extent(distance) + extent(edges) / index_t{edges_of_item}>> {} items;
inline constexpr struct found : scalar<found, int> {} found;  // how many items there are
// [/variables]

COGRAPH_HD inline int items_of(const int* first, index_t vertex, unsigned now, unsigned before) {
    return now < before ? (first[vertex + 1] - first[vertex] + edges_of_item - 1) / edges_of_item : 0;
}
COGRAPH_HD constexpr int vertices_of(index_t number, index_t vertices) {
    const index_t left = vertices - number * chunk;
    return static_cast<int>(left < chunk ? left : chunk);
}

struct begin_at {
    COGRAPH_HD void operator()(index_t vertex, unsigned& now, unsigned& before, int from) const {
        now = vertex == from ? 0 : far_away;
        before = far_away;
    }
};
struct count_items {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t number, const int* first, const unsigned* now, const unsigned* before, int& count, index_t vertices) const {
        const index_t begin = number * chunk;
        const int all = group.transform_reduce(vertices_of(number, vertices), [&](int k) { return items_of(first, begin + k, now[begin + k], before[begin + k]); }, plus{});
        if (group.rank() == 0) count = all;
    }
};
struct items_of_vertex {
    COGRAPH_HD int operator()(index_t vertex, const int* first, const unsigned& now, const unsigned& before) const { return items_of(first, vertex, now, before); }
};
struct list_items {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t number, const int* first, const unsigned* now, unsigned* before, const int* of_chunks, item* to,
                               index_t vertices) const {
        const index_t begin = number * chunk;
        item* const own = to + group.transform_reduce(number, [&](index_t c) { return of_chunks[c]; }, plus{});
        group.exclusive_scan(
            vertices_of(number, vertices), [&](int k) { return items_of(first, begin + k, now[begin + k], before[begin + k]); }, plus{},
            [&](int k, int at) {
                const unsigned near = now[begin + k];
                if (near >= before[begin + k]) return;
                before[begin + k] = near;
                const int end = first[begin + k + 1];
                for (int e = first[begin + k]; e < end; e += edges_of_item) own[at++] = {e, e + edges_of_item < end ? e + edges_of_item : end, near};
            });
    }
};

COGRAPH_HD inline void take_smaller(unsigned& to, unsigned offered) {
#ifdef __CUDA_ARCH__
    if (offered < to) atomicMin(&to, offered);
#else
    if (offered < to) to = offered;
#endif
}
// Smaller distances are the same in any order. A thread reads four edges before it looks at their ends, so that its loads overlap.
struct offer_ways {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t, const item& of, const edge* all, unsigned* now) const {
        constexpr int together = 4;
        for (int e = of.begin + group.rank(); e < of.end; e += together * group.size()) {
            edge read[together];
            unsigned there[together];
            for (int k = 0; k < together; ++k) read[k] = all[e + k * group.size() < of.end ? e + k * group.size() : e];
            for (int k = 0; k < together; ++k) there[k] = now[read[k].to];
            for (int k = 0; k < together; ++k)
                if (of.distance + static_cast<unsigned>(read[k].weight) < there[k]) take_smaller(now[read[k].to], of.distance + static_cast<unsigned>(read[k].weight));
        }
    }
};

// [expression]
constexpr auto find_nearer = seq(for_each(over(counts).group<256>(), count_items{})(in(first_edge), in(distance), in(seen), out(counts[each]), extent(distance)),
                                 transform_reduce(over(distance), items_of_vertex{}, plus{})(out(found), in(first_edge), in(distance[each]), in(seen[each])));
constexpr auto whole_search =
    seq(for_each(over(distance), begin_at{})(out(distance[each]), out(seen[each]), in(source)),
        assign(iterations, 0),
        find_nearer,
        label("iterations", loop_while(found > 0,
            seq(for_each(over(counts).group<256>(), list_items{})(in(first_edge), in(distance), inout(seen), in(counts), out(items), extent(distance)),
                for_each(over(items).first(found).group<8>(), offer_ways{})(in(items[each]), in(edges), inout(distance)),
                find_nearer,
                assign(iterations, iterations + 1)))));
// [/expression]

}  // namespace shortest_paths
