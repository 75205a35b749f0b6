// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>

#include <new>

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
    void reduce(index_t n, T identity, Op op, Term term, void*, T* out) const {
        const reduce_layout layout(n);
        alignas(T) unsigned char room[reduce_layout::most_chunks * sizeof(T)];
        T* const partials = results_in<T>(room);
        for (int chunk = 0; chunk < layout.chunks; ++chunk)
            ::new (static_cast<void*>(partials + chunk)) T(join(layout.first(chunk), n, layout.stride(), identity, op, term));
        *out = layout.chunks == 1 ? partials[0]
                                  : join(0, layout.chunks, reduce_layout::lanes, identity, op, [&](index_t i) { return partials[i]; });
    }

private:
    static constexpr int warp = 32;

    // A result need not have a default constructor: each is made of another one.
    template <class T>
    static T* results_in(unsigned char* room) {
        return std::launder(reinterpret_cast<T*>(room));
    }

    // A tile's result: lane sums, then a tree in each warp, then one over the warps.
    template <class T, class Op, class Term>
    static T join(index_t first, index_t n, index_t stride, T identity, Op op, Term term) {
        alignas(T) unsigned char room[reduce_layout::lanes * sizeof(T)];
        T* const lanes = results_in<T>(room);
        for (int lane = 0; lane < reduce_layout::lanes; ++lane) {
            ::new (static_cast<void*>(lanes + lane)) T(identity);
            for (index_t i = first + lane; i < n; i += stride) lanes[lane] = op(lanes[lane], term(i));
        }
        for (int w = 0; w < reduce_layout::lanes; w += warp) tree(lanes + w, warp, op);
        for (int w = 0; w < reduce_layout::lanes / warp; ++w) lanes[w] = lanes[w * warp];
        tree(lanes, reduce_layout::lanes / warp, op);
        return lanes[0];
    }

    template <class T, class Op>
    static void tree(T* values, int count, Op op) {
        for (int offset = count / 2; offset > 0; offset /= 2)
            for (int i = 0; i < offset; ++i) values[i] = op(values[i], values[i + offset]);
    }
};

}  // namespace cograph::core
