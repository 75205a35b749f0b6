// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#include <cograph.cuh>
#else
#include <cograph.hpp>
#endif
#include <cograph/launch_shape.hpp>

// PageRank as an expression: how often a walker visits each vertex who follows a random edge, or, now and then, goes to any vertex.
namespace pagerank {

using namespace cograph;

// Edges that arrive at vertex v: first_edge[v] to first_edge[v + 1] - 1, from these vertices.
inline constexpr struct first_edge : buffer<first_edge, int> {} first_edge;
inline constexpr struct from : buffer<from, int> {} from;
inline constexpr struct per_edge : buffer<per_edge, double> {} per_edge;  // one over the number of edges that leave; 0: none leaves
inline constexpr struct rank : buffer<rank, double> {} rank;
inline constexpr struct share : temp<share, double, struct rank> {} share;  // what each edge that leaves gets
inline constexpr struct arrived : temp<arrived, double, struct rank> {} arrived;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct at_ends : scalar<at_ends, double> {} at_ends;  // of all vertices without an edge that leaves
inline constexpr struct iterations : scalar<iterations, int> {} iterations;
inline constexpr struct damping : value<damping, double> {} damping;
inline constexpr struct tolerance : value<tolerance, double> {} tolerance;
inline constexpr struct most_iterations : value<most_iterations, int> {} most_iterations;

struct start {
    COGRAPH_HD void operator()(index_t, double of_edge, double& own, double& shared, index_t n) const {
        own = 1.0 / static_cast<double>(n);
        shared = own * of_edge;
    }
};
// [terms]
struct share_of_edge {
    COGRAPH_HD double operator()(index_t, index_t edge, const int* vertex, const double* shared) const { return shared[vertex[edge]]; }
};
// [/terms]
// Gives the change.
struct step {
    COGRAPH_HD double operator()(index_t, double came, double of_edge, double& own, double& shared, double lost, double follows, index_t n) const {
        const double count = static_cast<double>(n), before = own;
        own = (1 - follows) / count + follows * (came + lost / count);
        shared = own * of_edge;
        return own > before ? own - before : before - own;
    }
};
struct rank_at_end {
    COGRAPH_HD double operator()(index_t, double of_edge, double own) const { return of_edge == 0 ? own : 0; }
};

inline constexpr auto sum_at_ends = transform_reduce(over(rank), rank_at_end{}, plus{})(out(at_ends), in(per_edge[each]), in(rank[each]));
// [whole]
inline constexpr auto whole =
    seq(for_each(over(rank), start{})(in(per_edge[each]), out(rank[each]), out(share[each]), extent(rank)), sum_at_ends, assign(change, 1.0), assign(iterations, 0),
        label("iterations", loop_while(change > tolerance && iterations < most_iterations,
                                   seq(segmented_reduce(over(from), share_of_edge{}, plus{})(out(arrived), in(first_edge), in(from), in(share)),
                                       transform_reduce(over(rank), step{}, plus{})(out(change), in(arrived[each]), in(per_edge[each]), inout(rank[each]),
                                                                                    out(share[each]), in(at_ends), damping, extent(rank)),
                                       sum_at_ends, assign(iterations, iterations + 1)), block_of<512>)));
// [/whole]
static_assert(is_persistent(whole, "iterations"));

}  // namespace pagerank
