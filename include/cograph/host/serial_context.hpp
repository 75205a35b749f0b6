// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/expr/node/stage.hpp>

namespace cograph::core {

// One thread of the host as an execution context: elements run in ascending order.
struct serial_context {
    template <class F>
    void each(index_t n, F f) const {
        for (index_t i = 0; i < n; ++i) f(i);
    }

    template <class F>
    void once(F f) const {
        f();
    }

    template <class T, class Op, class Term>
    void reduce(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        reduce_groups<1>(n, identity, op, term, scratch, out);
    }
    // Lanes that have an element together: the first one of each group has its term.
    template <int Size, class T, class Op, class Term>
    void reduce_groups(index_t n, T identity, Op op, Term term, void*, T* out) const {
        if constexpr (Size == 1)
            join(n, identity, op, term, out);
        else
            join(n * Size, identity, op, [&](index_t lane) -> T {
                if (lane % Size == 0) return term(lane / Size);
                return identity;
            }, out);
    }

private:
    template <class T, class Op, class Term>
    static void join(index_t n, T const& identity, Op const& op, Term const& term, T* out) {
        constexpr int lanes = reduce_layout::lanes;
        const reduce_layout layout(n);
        lane_values<reduce_layout::most_chunks, T> partials(identity);
        for (int chunk = 0; chunk < layout.chunks; ++chunk)
            partials[chunk] = join_in_lane_order<lanes>(layout.first(chunk), n, layout.stride(), identity, op, term);
        *out = layout.chunks == 1 ? partials[0]
                                  : join_in_lane_order<lanes, index_t>(0, layout.chunks, lanes, identity, op, [&](index_t i) { return partials[static_cast<int>(i)]; });
    }
};

}  // namespace cograph::core
