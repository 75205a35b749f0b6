// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/register_copies.hpp>

namespace cograph::core {

// The variables that nodes of a persistent kernel exchange, in sets of those that may stand in each other's place.
template <int Parameters>
struct exchanged_variables {
    const variable_info* variables[2 * Parameters + 1]{};
    int sets[2 * Parameters + 1]{}, members[2 * Parameters + 1]{};
    int count = 0;

    constexpr int find(const variable_info* v) const {
        int at = 0;
        while (at < count && variables[at] != v) ++at;
        return at;
    }
    constexpr int add(const variable_info* v) {
        const int at = find(v);
        if (at == count) {
            variables[count] = v;
            sets[count++] = at;
        }
        return sets[at];
    }
    constexpr exchanged_variables(const argument* all, const lowered_argument* lowered) {
        for (int i = 0; i + 2 < Parameters; ++i) {
            if (!lowered[i].counts || !lowered[i].traits->exchanges) continue;
            const int a = add(all[i + 1].variable), b = add(all[i + 2].variable);
            for (int at = 0; at < count; ++at)
                if (sets[at] == b) sets[at] = a;
        }
        for (int at = 0; at < count; ++at)
            for (int other = 0; other < at; ++other) members[at] += sets[other] == sets[at];
    }
    // The number of a parameter whose place is `here`.
    constexpr int number_of(const argument& a, const lowered_argument& of, const argument* here) const {
        if (count == 0) return nothing_copied;
        if (of.counts && of.traits->exchanges) return number_of_extent(sets[find(here[1].variable)]);
        const int at = a.form == argument_form::pointer ? find(a.variable) : count;
        return at < count ? number_of_exchanged(sets[at], members[at]) : nothing_copied;
    }
};

}  // namespace cograph::core
