// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/reduce.hpp>
#include <cograph/expr/control/order.hpp>
#include <cograph/expr/refused/scan/copy_if.hpp>
#include <cograph/expr/scan/chunks.hpp>

namespace cograph::core {

// Compaction: chunks count the elements that are taken, and then write after those before them.
struct copy_if_counts {
    static constexpr lazy_name name{"copy_if, counts of chunks"};
    static constexpr bool equal_extents = false;
};
struct copy_if_elements {
    static constexpr lazy_name name{"copy_if"};
    static constexpr bool equal_extents = false;
};

template <class F>
struct count_chunk : operand<0, F> {
    template <class Group, class Element>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, index_t count, index_t first, Element const& zero, index_t* of_chunk) const {
        const Element* const from = &zero + first;
        const auto f = operand<0, F>::get();
        of_chunk[chunk] = group.transform_reduce(count, [&](index_t k) { return f(from[k]) ? index_t{1} : index_t{0}; }, plus{});
    }
};
template <class F>
struct take_from_chunk : operand<0, F> {
    template <class Group, class Element>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, index_t count, index_t first, Element const& zero, const index_t* of_chunk, Element& zero_to) const {
        const Element* const from = &zero + first;
        const auto f = operand<0, F>::get();
        Element* const to = &zero_to + group.transform_reduce(chunk, [&](index_t c) { return of_chunk[c]; }, plus{});
        group.exclusive_scan(count, [&](index_t k) { return f(from[k]) ? 1 : 0; }, plus{}, [&](index_t k, int before) {
            if (f(from[k])) to[before] = from[k];
        });
    }
};

// Copies the elements of x for which f(element) holds, in order, to the start of y, which is at least as long as x,
// and their number to count. The other elements of y keep their values.
template <class X, class Y, class C, class F>
    requires is_fine<decltype(diagnose_copy_if_call(list<in_t<X>, out_t<Y>, out_t<C>, F>{}))>
constexpr auto copy_if(in_t<X>, out_t<Y>, out_t<C> count, F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    using counts = of_chunks<copy_if_elements, X, Y, index_t>;
    const record where{nullptr, file, line, {}};
    return seq(chunk_node<copy_if_counts, X>(where, count_chunk<F>{as_operand<0>(f)}, each_of<in_t<X>>{}, out_t<counts>{}),
               reduce(count, in_t<counts>{}, plus{}, take_identity{}, file, line),
               chunk_node<copy_if_elements, X>(where, take_from_chunk<F>{as_operand<0>(f)}, each_of<in_t<X>>{}, in_t<counts>{}, each_of<out_t<Y>>{}));
}

}  // namespace cograph::core
