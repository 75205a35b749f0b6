// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/batch/join_warps.cuh>

namespace cograph::core {

// Asks a node whether it runs without a question: each thread has an element, and no sum has an identity of its own.
// The node has as many elements as there are threads, and no more than a tile's lanes.
template <int Threads>
struct fills_context {
    mutable bool fills = true;

    template <class F>
    __device__ void each(index_t n, F const&) const {
        fills = fills && n == Threads;
    }
    template <class F>
    __device__ void once(F const&) const {}
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T const& identity, Op const&, Term const&, void*, T*) const {
        fills = fills && n == Threads && joins_nothing<Op>(identity);
    }
};

// The same threads for a node whose elements they have copies of: no thread has two. A loop over one element would be
// another program: the compiler would compute values that are the same in each turn before it. A product that is rounded
// there differs from one that is computed in one instruction with its sum.
template <class Context>
struct one_element_context {
    Context const& threads;
    bool& overflows;

    template <class F>
    __device__ void each(index_t n, F const& f) const {
        if (Context::is_filled || threads.rank() < n) f(threads.rank());
    }
    template <class F>
    __device__ void once(F f) const {
        f();
    }
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T const& identity, Op const& op, Term const& term, void* scratch, T* out) const {
        if constexpr (Context::is_filled)
            threads.reduce_filled(identity, op, term, out);
        else if constexpr (Context::has_one_tile)
            threads.reduce_few(static_cast<int>(n), identity, op, term, out);
        else
            threads.reduce(n, identity, op, term, scratch, out);
    }
};

}  // namespace cograph::core
