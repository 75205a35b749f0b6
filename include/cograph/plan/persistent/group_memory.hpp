// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/iteration/group_memory.hpp>
#include <cograph/plan/bind/check.hpp>

namespace cograph::core {

// Shared memory of groups of threads, which launches ask for.
constexpr bool has_shared_memory_of_groups(const plan_view& p) {
    for (int r = 0; r < p.count.nodes; ++r)
        for (int i = 0; i < p.nodes[r].argument_count; ++i)
            if (p.nodes[r].from->arguments[i].of_shared_memory != 0) return true;
    return false;
}

// The number of elements that an argument says.
inline index_t elements_of_group(const frame& f, const plan_node& r, int argument) {
    const int at = f.plan.arguments[r.first_argument + argument];
    index_t computed = 0;
    switch (r.from->arguments[argument].form) {
        case argument_form::kept_value: return *static_cast<const index_t*>(f.kept_values[at]);
        case argument_form::computed: std::memcpy(&computed, f.slots[at].number, sizeof computed); return computed;
        default: return extent_of(f, r.from->arguments[argument].form, at);
    }
}
inline unsigned checked_bytes_of_group(const frame& f, const plan_node& r, int argument, int part) {
    const index_t elements = elements_of_group(f, r, argument);
    const unsigned size = r.from->arguments[argument].of_shared_memory;
    if (elements < 0) refuse(place_of(f, r, part), "asks for a negative number of elements of shared memory for each group: %lld", static_cast<long long>(elements));
    if (elements > most_shared_bytes / size)
        refuse(place_of(f, r, part), "asks for %lld elements of %u bytes of shared memory for each group: no GPU gives a block more than %d bytes", static_cast<long long>(elements),
               size, static_cast<int>(most_shared_bytes));
    return bytes_of_group(elements, size);
}

// As many groups as a block with that number of threads has room for, one at least; of a persistent kernel, the bytes of that part that needs most.
inline groups_of_block shared_of_groups(const frame& f, const plan_node& r, unsigned threads, unsigned room) {
    const lowered_argument* const lowered = lowering_of(*r.from).arguments;
    const node_traits* traits = r.from->traits;
    groups_of_block most{0, 0};
    int part = -1;
    for (int i = 0; i < r.argument_count; ++i) {
        if (lowered && lowered[i].counts) {
            traits = lowered[i].traits;
            ++part;
        }
        if (r.from->arguments[i].of_shared_memory == 0) continue;
        const unsigned bytes = checked_bytes_of_group(f, r, i, part < 0 ? 0 : part), size = static_cast<unsigned>(traits->threads_of_group);
        unsigned groups = threads > size ? threads / size : 1;
        if (bytes > 0 && groups > room / bytes) groups = room > bytes ? room / bytes : 1;
        if (groups * bytes >= most.bytes) most = {groups, groups * bytes};
    }
    return most;
}

}  // namespace cograph::core
