// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/group_nodes.hpp>
#include <cograph/expr/variable/temp_size.hpp>

namespace cograph::core {

// The parts of scans and compactions: a group of threads for each chunk of elements, which combines the results of
// the chunks before it. All of it follows from the extent, so every way to run gives the same bits.
struct chunk_layout {
    static constexpr int threads = 256, least_elements = 2048;
    static constexpr index_t most_chunks = 1024;

    index_t elements;  // of a chunk, but perhaps the last ones
    COGRAPH_HD constexpr explicit chunk_layout(index_t n) : elements((n + least_elements * most_chunks - 1) / (least_elements * most_chunks) * least_elements) {}
    COGRAPH_HD static constexpr index_t groups_for(index_t n) {
        const index_t needed = (n + least_elements - 1) / least_elements;
        return needed < most_chunks ? needed : most_chunks;
    }
    COGRAPH_HD constexpr index_t chunk_of(index_t element) const {
        const index_t least = element / least_elements;
        return elements == least_elements ? least : least / (elements / least_elements);
    }
};

// f(group, c, count, first, arguments...) for chunk c, which has `count` elements from number `first` on; x[each] arrives as a reference to
// element 0. Node has the name, and whether all memory that it takes by element is of one length.
template <class Node>
struct chunk_stage {
    static constexpr lazy_name name = Node::name;
    using threads = groups_of_threads<chunk_layout::threads, chunk_layout>;
    using group_type = thread_group<chunk_layout::threads>;
    static constexpr node_traits traits{.rule = "per_group", .size = &threads::size_over_groups, .takes_shape = true, .counts_elements = true,
                                        .threads_of_group = chunk_layout::threads, .groups_for = &threads::groups_for,
                                        .equal_extents = Node::equal_extents, .is_stage = true};

    template <class N, class F, class... P>
    COGRAPH_HD static void at(group_type const& group, index_t chunk, N const& n, F const& f, P const&... p) {
        const chunk_layout layout(static_cast<index_t>(n));
        const index_t first = chunk * layout.elements, left = static_cast<index_t>(n) - first;
        unwrap(f)(group, chunk, left < 0 ? 0 : left < layout.elements ? left : layout.elements, first, at_element(p, 0)...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, P const&... p) {
        const group_type group;
        run_groups(context, group, threads::groups_for(static_cast<index_t>(n)), [&](index_t chunk) { at(group, chunk, n, f, p...); });
    }
};

// A value for each chunk of X, for Node, which writes Y.
template <class X>
using number_of_chunks = elements<combine<operation::smaller>(combine<operation::quotient_up>(extent_t<X>{}, index_t{chunk_layout::least_elements}), index_t{chunk_layout::most_chunks})>;
template <class Node, class X, class Y, class T>
struct of_chunks : temp<of_chunks<Node, X, Y, T>, T, number_of_chunks<X>> {};
template <class Node, class X, class Y, class T>
inline constexpr variable_info info_of<of_chunks<Node, X, Y, T>>{{"chunks"}, variable_kind::temp, sizeof(T), alignof(T), std::is_signed_v<T>, nullptr,
                                                                 type_hash<of_chunks<Node, X, Y, T>>(), type_name<T>(), rule_of<number_of_chunks<X>>};

// An operation with its identity, which it has itself or not.
template <class Op, class Identity>
struct joins_from : operand<0, Op>, operand<1, Identity> {
    template <class T>
    COGRAPH_HD constexpr T identity() const {
        if constexpr (std::is_same_v<Identity, take_identity>)
            return own_identity<T, Op>();
        else
            return static_cast<T>(operand<1, Identity>::get());
    }
    COGRAPH_HD constexpr Op op() const { return operand<0, Op>::get(); }
};

// Lanes may combine elements that are not adjacent.
template <class Op>
inline constexpr bool is_commutative = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
                                      std::is_same_v<Op, minimum_or_nan> || std::is_same_v<Op, maximum_or_nan>;

// The join of f(0) to f(n - 1), in their order.
COGRAPH_EXEC_CHECK_OFF
template <class Group, class N, class F, class Op, class T>
COGRAPH_HD T join_in_order(Group const& group, N n, F const& f, Op const& op, T const& identity) {
    if constexpr (is_commutative<Op>)
        return group.transform_reduce(n, f, op, identity);
    else
        return group.inclusive_scan(n, f, op, [](N, T const&) {}, identity);
}

template <class Node, class X, class F, class... A>
constexpr auto chunk_node(record where, F f, A... arguments) {
    using domain = typename over_t<X>::domain;
    return make_stage<chunk_stage<Node>, F, domain>(list<domain, given<F>, A...>{}, where, 0, f, arguments...);
}

}  // namespace cograph::core
