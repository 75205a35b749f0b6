// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/scan/scan.hpp>
#include <cograph/expr/scan/ordered_chunks.hpp>

namespace cograph::core {

// Scans: a chunk starts with the join of those before it.
template <bool Inclusive>
struct scan_elements {
    static constexpr lazy_name name{Inclusive ? "inclusive_scan" : "exclusive_scan"};
    static constexpr bool equal_extents = true;
};

// A scan of f(i, arguments...) into elements of type T, the first of the arguments.
template <bool Inclusive, class F, class Join, class T>
struct scan_pass : Join, operand<2, F> {
    static constexpr bool tells = false, joins_by_lanes = is_commutative<decltype(std::declval<Join>().op())>;

    template <class... A>
    COGRAPH_HD T term(index_t i, T&, A const&... arguments) const {
        return static_cast<T>(operand<2, F>::get()(i, arguments...));
    }
    template <class Group, class Terms>
    COGRAPH_HD T join(Group const& group, index_t count, Terms const& terms) const {
        return join_in_order(group, count, terms, this->op(), this->template identity<T>());
    }
    template <class Group, class Joins>
    COGRAPH_HD T before(Group const& group, Joins const& joins, index_t chunk) const {
        return join_in_order(group, chunk, joins, this->op(), this->template identity<T>());
    }
    template <class Group, class Terms, class... A>
    COGRAPH_HD void put(Group const& group, chunk_of_elements chunk, Terms const& terms, T const& before, T& zero_to, A const&...) const {
        T* const to = &zero_to + chunk.first;
        const auto op = this->op();
        const auto leave = [&](index_t k, T value) { to[k] = op(before, value); };
        if constexpr (Inclusive)
            group.inclusive_scan(chunk.count, terms, op, leave, this->template identity<T>());
        else
            group.exclusive_scan(chunk.count, terms, op, leave, this->template identity<T>());
    }
};

template <class Node, bool Inclusive, class Key, class Shape, class Y, class F, class Op, class Identity, class... A, class... V>
constexpr auto scan_node(list<A...>, record where, F f, Op op, Identity identity, V const&... values) {
    using T = typename Y::element;
    using Join = joins_from<Op, Identity>;
    using Pass = scan_pass<Inclusive, F, Join, T>;
    const Pass pass{{as_operand<0>(op), as_operand<1>(identity)}, as_operand<2>(f)};
    return ordered_chunk_node<Node, Key, Shape>(word<of_chunks<Node, Y, Y, T>>{}, list<each_of<out_t<Y>>, A...>{}, where, pass, 0, values...);
}

// y[i] = op over x[0] to x[i]. x and y have one length. Each element is converted to the type of y before it is combined.
// op is associative, and plus by default. An operation without a known identity needs one.
template <class X, class Y, class Op = plus, class T = take_identity>
    requires is_fine<decltype(diagnose_scan_call<true>(list<in_t<X>, out_t<Y>, Op, T>{}))>
constexpr auto inclusive_scan(in_t<X>, out_t<Y>, Op op = {}, T identity = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return scan_node<scan_elements<true>, true, Op, over_t<X>, Y>(list<each_of<in_t<X>>>{}, {nullptr, file, line, {}}, element_at{}, op, identity, 0);
}
// y[i] = op over x[0] to x[i - 1], the identity for the first.
template <class X, class Y, class Op = plus, class T = take_identity>
    requires is_fine<decltype(diagnose_scan_call<false>(list<in_t<X>, out_t<Y>, Op, T>{}))>
constexpr auto exclusive_scan(in_t<X>, out_t<Y>, Op op = {}, T identity = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return scan_node<scan_elements<false>, false, Op, over_t<X>, Y>(list<each_of<in_t<X>>>{}, {nullptr, file, line, {}}, element_at{}, op, identity, 0);
}

}  // namespace cograph::core
