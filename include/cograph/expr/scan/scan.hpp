// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/expr/refused/scan/scan.hpp>
#include <cograph/expr/scan/chunks.hpp>

namespace cograph::core {

// Scans: each chunk is joined, what chunks have is scanned, and each chunk is scanned behind what is before it.
template <bool Inclusive>
struct scan_sums {
    static constexpr lazy_name name{Inclusive ? "inclusive_scan, joins of chunks" : "exclusive_scan, joins of chunks"};
    static constexpr bool equal_extents = false;
};
template <bool Inclusive>
struct scan_between {
    static constexpr lazy_name name{Inclusive ? "inclusive_scan, between chunks" : "exclusive_scan, between chunks"};
};
template <bool Inclusive>
struct scan_elements {
    static constexpr lazy_name name{Inclusive ? "inclusive_scan" : "exclusive_scan"};
    static constexpr bool equal_extents = true;
};

// Lanes may join what is not side by side.
template <class Op>
inline constexpr bool is_commutative = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>;

template <class Join, class T>
struct join_chunk : Join {
    template <class Group, class Element>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, int count, Element const& first, T* of_chunk) const {
        const Element* const from = &first;
        const auto term = [&](int k) { return static_cast<T>(from[k]); };
        if constexpr (is_commutative<std::remove_cvref_t<decltype(this->op())>>)
            of_chunk[chunk] = group.transform_reduce(count, term, this->op(), this->template identity<T>());
        else
            of_chunk[chunk] = group.inclusive_scan(count, term, this->op(), [](int, T const&) {}, this->template identity<T>());
    }
};
template <bool Inclusive, class Join, class T>
struct scan_chunk : Join {
    template <class Group, class Element>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, int count, Element const& first, const T* before_chunk, T& first_to) const {
        const Element* const from = &first;
        T* const to = &first_to;
        const auto op = this->op();
        const T before = before_chunk[chunk];
        const auto term = [&](int k) { return static_cast<T>(from[k]); };
        const auto put = [&](int k, T value) { to[k] = op(before, value); };
        if constexpr (Inclusive)
            group.inclusive_scan(count, term, op, put, this->template identity<T>());
        else
            group.exclusive_scan(count, term, op, put, this->template identity<T>());
    }
};

template <bool Inclusive, class X, class Y, class Op, class Identity>
constexpr auto scan_nodes(record where, Op op, Identity identity) {
    using T = typename Y::element;
    using Join = joins_from<Op, Identity>;
    using sums = of_chunks<scan_elements<Inclusive>, X, Y, T>;
    const Join join{as_operand<0>(op), as_operand<1>(identity)};
    return seq(chunk_node<scan_sums<Inclusive>, X>(where, join_chunk<Join, T>{join}, each_of<in_t<X>>{}, out_t<sums>{}),
               between_chunks<scan_between<Inclusive>, sums>(where, join),
               chunk_node<scan_elements<Inclusive>, X>(where, scan_chunk<Inclusive, Join, T>{join}, each_of<in_t<X>>{}, in_t<sums>{}, each_of<out_t<Y>>{}));
}

// y[i] = op over x[0] to x[i]; x and y are of one length, and each element becomes one of y before it is joined. op is associative; it
// is plus where it is left out, and one without an identity of its own needs one.
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
