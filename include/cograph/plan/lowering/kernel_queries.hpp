// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/merged_kernels.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/refused/lowering_queries.hpp>

namespace cograph::core {

// Which nodes run in one kernel, as a question about two of them.

// Whether two nodes of a plan are parts of one kernel, in a graph with such groups whose loops may be one kernel each, or not.
constexpr bool are_one_kernel(const plan_view& p, group_view groups, bool has_persistent_loops, int a, int b) {
    if (a == b) return false;
    const int loop = has_persistent_loops ? persistent_loop(p, a) : -1;
    if (loop >= 0) return persistent_loop(p, b) == loop;
    return groups.first && groups.first[a] >= 0 && groups.first[a] == groups.first[b];
}

// Whether instantiate makes one kernel of two nodes: those of a persistent loop, or others that share a kernel. Extents are not known here: a graph whose
// loops run over very many elements may have other kernels, which executables tell.
template <expression E, class A, class B>
    requires selectable<E, A, B>
constexpr bool share_kernel(const E&, A, B) {
    using self = typename E::self;
    return are_one_kernel(plan_of<self>::view, groups_of<self>::view, true, select<self, A>().node, select<self, B>().node);
}

}  // namespace cograph::core
