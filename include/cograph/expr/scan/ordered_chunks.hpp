// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/scan/chunks.hpp>

namespace cograph::core {

// Nodes whose chunks need the join of all chunks before them. A kernel of their own reads each chunk once: it keeps the terms of its chunk
// while it waits for the joins of those before it. As a part of a larger kernel, and on the host, all
// chunks are joined first, and then gone over again. The joins are combined in one order, which follows from the extent.
struct chunks_in_order {
    static constexpr int size = chunk_layout::threads;
    COGRAPH_HD static constexpr index_t groups_for(index_t elements) { return chunk_layout::groups_for(elements); }
    static constexpr launch_extent size_over_chunks(const launch_request& asked) {
        return {asked.elements > 0 ? groups_for(asked.elements) : 1, static_cast<unsigned>(size)};
    }
};

struct chunk_of_elements {
    index_t first, count;

    COGRAPH_HD constexpr chunk_of_elements(chunk_layout layout, index_t chunk, index_t n) : first(chunk * layout.elements), count(n - first) {
        if (count > layout.elements) count = layout.elements;
        if (count < 0) count = 0;
    }
};

// A result that is a scalar, among other parameters.
template <class T, class R>
COGRAPH_HD void tell_result(T const& all, reference<R> to) {
    *to.at = static_cast<R>(all);
}
template <class T, class P>
COGRAPH_HD void tell_result(T const&, P const&) {}

template <class F>
using pass_in = std::remove_cvref_t<decltype(unwrap(*static_cast<const F*>(nullptr)))>;

// F has term(i, arguments...), join(group, count, terms) of a chunk, and before(group, joins, chunk) of the
// chunks before one (joins_by_lanes: as group.transform_reduce does). It has put(group, chunk, terms, before,
// arguments...), and `tells` if scalars get the join of all. The first of the other parameters are the joins of chunks and working memory.
template <class Node>
struct ordered_chunk_stage {
    static constexpr lazy_name name = Node::name;
    using threads = chunks_in_order;
    using group_type = thread_group<chunk_layout::threads>;
    static constexpr node_traits traits{.rule = "per_group", .size = &threads::size_over_chunks, .counts_elements = true, .threads_of_group = threads::size,
                                        .groups_for = &threads::groups_for, .writes_results = true, .equal_extents = Node::equal_extents, .is_stage = true};

    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class T, class... P>
    COGRAPH_HD static void run(Context const& context, N domain, F const& f, T* joins, void*, P const&... p) {
        const index_t n = static_cast<index_t>(domain), chunks = threads::groups_for(n);
        const chunk_layout layout(n);
        const group_type group;
        const auto& pass = unwrap(f);
        run_groups(context, group, chunks, [&](index_t c) {
            const chunk_of_elements chunk(layout, c, n);
            const T own = pass.join(group, chunk.count, [&](index_t k) { return pass.term(chunk.first + k, at_element(p, chunk.first + k)...); });
            if (group.rank() == 0) joins[c] = own;
        });
        if constexpr (requires { context.meet(); }) context.meet();
        const auto join_of = [&](index_t c) -> T { return joins[c]; };
        run_groups(context, group, chunks, [&](index_t c) {
            const chunk_of_elements chunk(layout, c, n);
            pass.put(group, chunk, [&](index_t k) { return pass.term(chunk.first + k, at_element(p, chunk.first + k)...); }, pass.before(group, join_of, c), at_element(p, 0)...);
        });
        if constexpr (pass_in<F>::tells) (tell_result(pass.before(group, join_of, chunks), p), ...);
    }

};

// The working memory of such a kernel: how many launches have been, and joins, each with the number of the launch that made it.
struct alignas(16) chunk_order {
    struct alignas(16) known_join {
        unsigned long long value, launch;
    };
    unsigned long long launches, apart;
    known_join joins[chunk_layout::most_chunks];
};

// The forms of its parameters before those of its arguments.
template <class Domain, class F, class Joins>
using ordered_chunk_arguments = list<Domain, given<F>, out_t<Joins>, scratch<sizeof(chunk_order)>>;
template <class Node, class Key, class Shape, class F, class Joins, class... A, class... V>
constexpr auto ordered_chunk_node(word<Joins>, list<A...>, record where, F const& f, V const&... values) {
    using domain = typename Shape::domain;
    return make_stage<ordered_chunk_stage<Node>, Key, domain>(ordered_chunk_arguments<domain, F, Joins>{} + list<A...>{}, where, 0, f, 0, 0, values...);
}

}  // namespace cograph::core
