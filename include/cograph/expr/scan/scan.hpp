// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/expr/refused/scan/scan.hpp>
#include <cograph/expr/scan/chunks.hpp>

namespace cograph::core {

// Scans: each chunk is combined, and then scanned starting with the result of those before it.
template <bool Inclusive>
struct scan_joins {
    static constexpr lazy_name name{Inclusive ? "inclusive_scan, joins of chunks" : "exclusive_scan, joins of chunks"};
    static constexpr bool equal_extents = false;
};
template <bool Inclusive>
struct scan_elements {
    static constexpr lazy_name name{Inclusive ? "inclusive_scan" : "exclusive_scan"};
    static constexpr bool equal_extents = true;
};

template <class Join, class T>
struct join_chunk : Join {
    template <class Group, class Element>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, index_t count, index_t first, Element const& zero, T* of_chunk) const {
        const Element* const from = &zero + first;
        of_chunk[chunk] = join_in_order(group, count, [&](index_t k) { return static_cast<T>(from[k]); }, this->op(), this->template identity<T>());
    }
};
template <bool Inclusive, class Join, class T>
struct scan_chunk : Join {
    template <class Group, class Element>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, index_t count, index_t first, Element const& zero, const T* of_chunk, T& zero_to) const {
        const Element* const from = &zero + first;
        T* const to = &zero_to + first;
        const auto op = this->op();
        const T none = this->template identity<T>();
        const T before = join_in_order(group, chunk, [&](index_t c) { return of_chunk[c]; }, op, none);
        const auto term = [&](index_t k) { return static_cast<T>(from[k]); };
        const auto put = [&](index_t k, T value) { to[k] = op(before, value); };
        if constexpr (Inclusive)
            group.inclusive_scan(count, term, op, put, none);
        else
            group.exclusive_scan(count, term, op, put, none);
    }
};

template <bool Inclusive, class X, class Y, class Op, class Identity>
constexpr auto scan_nodes(record where, Op op, Identity identity) {
    using T = typename Y::element;
    using Join = joins_from<Op, Identity>;
    using joins = of_chunks<scan_elements<Inclusive>, X, Y, T>;
    const Join join{as_operand<0>(op), as_operand<1>(identity)};
    return seq(chunk_node<scan_joins<Inclusive>, X>(where, join_chunk<Join, T>{join}, each_of<in_t<X>>{}, out_t<joins>{}),
               chunk_node<scan_elements<Inclusive>, X>(where, scan_chunk<Inclusive, Join, T>{join}, each_of<in_t<X>>{}, in_t<joins>{}, each_of<out_t<Y>>{}));
}

// y[i] = op over x[0] to x[i]. x and y have one length. Each element is converted to the type of y before it is combined.
// op is associative, and plus by default. An operation without a known identity needs one.
template <class X, class Y, class Op = plus, class T = take_identity>
    requires is_fine<decltype(diagnose_scan_call<true>(list<in_t<X>, out_t<Y>, Op, T>{}))>
constexpr auto inclusive_scan(in_t<X>, out_t<Y>, Op op = {}, T identity = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return scan_nodes<true, X, Y>({nullptr, file, line, {}}, op, identity);
}
// y[i] = op over x[0] to x[i - 1], the identity for the first.
template <class X, class Y, class Op = plus, class T = take_identity>
    requires is_fine<decltype(diagnose_scan_call<false>(list<in_t<X>, out_t<Y>, Op, T>{}))>
constexpr auto exclusive_scan(in_t<X>, out_t<Y>, Op op = {}, T identity = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return scan_nodes<false, X, Y>({nullptr, file, line, {}}, op, identity);
}

}  // namespace cograph::core
