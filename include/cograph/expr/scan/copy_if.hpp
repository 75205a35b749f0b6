// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/scan/copy_if.hpp>
#include <cograph/expr/scan/ordered_chunks.hpp>

namespace cograph::core {

// Compaction: a chunk counts the elements that are taken, and writes its own after those of the chunks before it.
struct copy_if_elements {
    static constexpr lazy_name name{"copy_if"};
    static constexpr bool equal_extents = false;
};

template <class F, class Element>
struct copy_if_pass : operand<0, F> {
    static constexpr bool tells = true, joins_by_lanes = true;

    template <class... A>
    COGRAPH_HD Element term(index_t, Element const& element, A const&...) const {
        return element;
    }
    template <class Group, class Terms>
    COGRAPH_HD index_t join(Group const& group, index_t count, Terms const& terms) const {
        const auto f = operand<0, F>::get();
        return group.transform_reduce(count, [&](index_t k) { return f(terms(k)) ? index_t{1} : index_t{0}; }, plus{});
    }
    template <class Group, class Joins>
    COGRAPH_HD index_t before(Group const& group, Joins const& joins, index_t chunk) const {
        return group.transform_reduce(chunk, joins, plus{});
    }
    template <class Group, class Terms, class... A>
    COGRAPH_HD void put(Group const& group, chunk_of_elements chunk, Terms const& terms, index_t before, Element const&, Element& zero_to, A&...) const {
        Element* const to = &zero_to + before;
        const auto f = operand<0, F>::get();
        group.exclusive_scan(chunk.count, [&](index_t k) { return f(terms(k)) ? 1 : 0; }, plus{}, [&](index_t k, int taken) {
            const Element element = terms(k);
            if (f(element)) to[taken] = element;
        });
    }
};

// Copies the elements of x for which f(element) holds, in order, to the start of y, which is at least as long as x,
// and their number to count. The other elements of y keep their values.
template <class X, class Y, class C, class F>
    requires is_fine<decltype(diagnose_copy_if_call(list<in_t<X>, out_t<Y>, out_t<C>, F>{}))>
constexpr auto copy_if(in_t<X>, out_t<Y>, out_t<C>, F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    using Pass = copy_if_pass<F, typename X::element>;
    return ordered_chunk_node<copy_if_elements, F, over_t<X>>(word<of_chunks<copy_if_elements, Y, Y, index_t>>{},
                                                              list<each_of<in_t<X>>, each_of<out_t<Y>>, reference_to<out_t<C>>>{}, {nullptr, file, line, {}},
                                                              Pass{as_operand<0>(f)}, 0, 0, 0);
}

}  // namespace cograph::core
