// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/scan/partition_copy.hpp>
#include <cograph/expr/scan/copy_if.hpp>

namespace cograph::core {

struct partition_copy_elements {
    static constexpr lazy_name name{"partition_copy"};
    static constexpr bool equal_extents = false;
};

// Those that are not taken are as many as have come before, without those that are.
template <class F, class Element>
struct partition_pass : copy_if_pass<F, Element> {
    template <class Group, class Terms, class... A>
    COGRAPH_HD void put(Group const& group, chunk_of_elements chunk, Terms const& terms, index_t before, Element const&, Element& zero_taken, Element& zero_others,
                        A&...) const {
        Element* const taken = &zero_taken + before;
        Element* const others = &zero_others + (chunk.first - before);
        const auto f = operand<0, F>::get();
        group.exclusive_scan(chunk.count, [&](index_t k) { return f(terms(k)) ? 1 : 0; }, plus{}, [&](index_t k, int of_taken) {
            const Element element = terms(k);
            if (f(element))
                taken[of_taken] = element;
            else
                others[k - of_taken] = element;
        });
    }
};

// Copies the elements of x for which f(element) holds to the start of y, and the others to the start of z, both in order. The number of
// the former goes to count. y and z are at least as long as x; their other elements keep their values.
template <class X, class Y, class Z, class C, class F>
    requires is_fine<decltype(diagnose_partition_call(list<in_t<X>, out_t<Y>, out_t<Z>, out_t<C>, F>{}))>
constexpr auto partition_copy(in_t<X>, out_t<Y>, out_t<Z>, out_t<C>, F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    using Pass = partition_pass<F, typename X::element>;
    return ordered_chunk_node<partition_copy_elements, F, over_t<X>>(word<of_chunks<partition_copy_elements, Y, Y, index_t>>{},
                                                                     list<each_of<in_t<X>>, each_of<out_t<Y>>, each_of<out_t<Z>>, reference_to<out_t<C>>>{},
                                                                     {nullptr, file, line, {}}, Pass{{as_operand<0>(f)}}, 0, 0, 0, 0);
}

}  // namespace cograph::core
