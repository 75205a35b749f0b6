// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/copy.hpp>
#include <cograph/host/check/check_report.hpp>
#include <cograph/host/replay/checked_memory.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace cograph::core {

// Elements that a node has left unchanged in an out variable, and those of a temp that no node has written: their contents are undefined
// until a node writes them.
struct unset_memory {
    std::vector<index_t> elements;  // ascending
    place origin{};                 // the node, if there is one
    bool is_new = false;            // a temp of which no element is written: `elements` is empty
};

// How many elements a node runs over, on the host: all of its domain, or as many as its length says now.
inline index_t elements_now(const frame& f, const plan_node& r) {
    const index_t n = domain_size(f, r);
    if (!r.from->traits->has_length) return n;
    const std::int64_t said = integer_value(*r.from->arguments[1].variable, f.slots[f.plan.arguments[r.first_argument + 1]].pointer);
    return said < 0 ? 0 : said < n ? said : n;
}

class unset_elements {
public:
    explicit unset_elements(const frame& f) : f_(f), all_(static_cast<std::size_t>(f.plan.count.named)) {
        for (int v = 0; v < f.plan.count.named; ++v) of(v).is_new = f.plan.variables[v].info->kind == variable_kind::temp && !f.plan.variables[v].info->internal;
    }

    unset_memory& of(int v) { return all_[static_cast<std::size_t>(v)]; }

    // After a node that was not checked: all that it writes is set. A copy copies the state of unset elements as
    // well.
    void saw(const plan_node& r) {
        if (r.from->traits->exchanges) return std::swap(of(f_.plan.arguments[r.first_argument + 1]), of(f_.plan.arguments[r.first_argument + 2]));
        int from = -1;
        const bool copies = r.from->traits->copies_memory || r.from->identity == &identity_of_type<copy_element>;
        for (int i = 0; i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            if (!reaches_memory(a)) continue;
            const int v = f_.plan.arguments[r.first_argument + i];
            if (a.access == access_mode::read) from = v;
            if (!writes(a.access)) continue;
            set(v, a.each && r.from->traits->counts_elements ? elements_now(f_, r) : static_cast<index_t>(f_.slots[v].count));
            if (copies && a.each && from >= 0 && from != v) of(v) = of(from);
        }
    }
    // The first elements of a variable are written.
    void set(int v, index_t count) {
        begin(v, count);
        std::vector<index_t>& elements = of(v).elements;
        elements.erase(elements.begin(), std::lower_bound(elements.begin(), elements.end(), count));
    }
    // Some elements are, given in ascending order.
    void set(int v, const std::vector<index_t>& some) {
        begin(v, 0);
        std::erase_if(of(v).elements, [&](index_t i) { return std::binary_search(some.begin(), some.end(), i); });
    }
    // The first unset element that a library reduction reads; -1 if there is none.
    index_t read_by(const plan_node& r, int& v) {
        for (int i = 0; r.from->traits->reduces && i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            if (!reaches_memory(a) || !a.each || writes(a.access)) continue;
            v = f_.plan.arguments[r.first_argument + i];
            if (!of(v).elements.empty() && of(v).elements[0] < elements_now(f_, r)) return of(v).elements[0];
        }
        return -1;
    }

    // Whether a node over a number of elements may access some of them.
    bool may_reach(const touched_variable& t, index_t elements) {
        const std::vector<index_t>& unset = of(t.variable).elements;
        return !unset.empty() && (!t.by_element || elements == 0 || unset[0] < elements);
    }

private:
    // The first node that writes a temp writes its elements up to one.
    void begin(int v, index_t written) {
        if (!std::exchange(of(v).is_new, false)) return;
        for (index_t i = written; i < static_cast<index_t>(f_.slots[v].count); ++i) of(v).elements.push_back(i);
    }

    const frame& f_;
    std::vector<unset_memory> all_;  // by variable
};

}  // namespace cograph::core
