// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/group_nodes.hpp>
#include <cograph/expr/variable/temp_size.hpp>

namespace cograph::core {

// What scans and compactions are made of: a group of threads for each chunk of elements, and between two passes over the chunks one
// group that scans what each of them has. All of it follows from the extent, so every way to run gives the same bits.
struct chunk_layout {
    static constexpr int threads = 256, elements = 2048;
    static constexpr int threads_between = 1024;
};

// f(group, c, count, arguments...) for chunk c, which has `count` elements; x[each] arrives as a reference to its first one. Node has the name,
// and whether all memory that it takes by element is of one length.
template <class Node>
struct chunk_stage {
    static constexpr lazy_name name = Node::name;
    using threads = a_group_an_element<chunk_layout::threads, chunk_layout::elements>;
    using group_type = thread_group<chunk_layout::threads>;
    static constexpr node_traits traits{.rule = "per_group", .size = &threads::size_over_groups, .takes_shape = true, .counts_elements = true,
                                        .threads_of_group = chunk_layout::threads, .elements_of_group = chunk_layout::elements,
                                        .equal_extents = Node::equal_extents, .is_stage = true};

    template <class N, class F, class... P>
    COGRAPH_HD static void at(group_type const& group, index_t chunk, N const& n, F const& f, P const&... p) {
        const index_t first = chunk * chunk_layout::elements, left = static_cast<index_t>(n) - first;
        unwrap(f)(group, chunk, static_cast<int>(left < chunk_layout::elements ? left : chunk_layout::elements), at_element(p, first)...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, P const&... p) {
        const group_type group;
        const index_t chunks = (static_cast<index_t>(n) + chunk_layout::elements - 1) / chunk_layout::elements;
        const auto call = [&](index_t chunk) { at(group, chunk, n, f, p...); };
        if constexpr (requires { context.each_of_groups(group, chunks, call); })
            context.each_of_groups(group, chunks, call);
        else
            context.each(chunks, call);
    }
};

// A value for each chunk of X, for Node, which writes Y.
template <class X>
using number_of_chunks = elements<combine<operation::quotient_up>(extent_t<X>{}, index_t{chunk_layout::elements})>;
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

// What each chunk has becomes the join of those before it.
template <class Join>
struct join_before : Join {
    template <class T>
    COGRAPH_HD void operator()(thread_group<chunk_layout::threads_between> const& group, index_t, T* of_chunk, index_t chunks) const {
        group.exclusive_scan(chunks, [&](index_t c) { return of_chunk[c]; }, this->op(), [&](index_t c, T before) { of_chunk[c] = before; }, this->template identity<T>());
    }
};
template <class Node>
struct between_stage : group_stage<chunk_layout::threads_between> {
    static constexpr lazy_name name = Node::name;
};

template <class Node, class X, class F, class... A>
constexpr auto chunk_node(record where, F f, A... arguments) {
    using domain = typename over_t<X>::domain;
    return make_stage<chunk_stage<Node>, F, domain>(list<domain, given<F>, A...>{}, where, 0, f, arguments...);
}
template <class Node, class Of, class Join>
constexpr auto between_chunks(record where, Join join) {
    using F = join_before<Join>;
    where.shape.count = 1;
    return make_stage<between_stage<Node>, F, constant_extent>(list<constant_extent, given<F>, inout_t<Of>, extent_t<Of>>{}, where, 0, F{join}, inout_t<Of>{}, extent_t<Of>{});
}

}  // namespace cograph::core
