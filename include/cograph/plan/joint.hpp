// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/row.hpp>

namespace cograph::core {

// Where the nodes of a body fall apart into groups that nothing orders, and the body of another conditional runs at the same
// time, of this graph or another, launches end now and then with cudaErrorLaunchFailure (driver 580 on an H200; see
// docs/reliability.md). So the last row of such a body waits for the ends of all groups.

constexpr bool is_waited_for(const plan_view& p, int row) {
    for (int later = p.rows[row].next; later >= 0; later = p.rows[later].next)
        for (int e = p.rows[later].first_edge; e < p.rows[later].first_edge + p.rows[later].edge_count; ++e)
            if (p.edges[e] == row) return true;
    return false;
}

// Calls found(row) for the rows that the last row of a body waits for beside what its edges say. A body with one row that waits
// for nothing is one group; of others nobody asks whether they are.
template <class Found>
constexpr void for_each_joined(const plan_view& p, int last, Found found) {
    const region& body = p.regions[p.rows[last].region];
    if (body.owner < 0 || p.rows[last].next >= 0) return;
    int sources = 0;
    for (int r = body.first_row; r >= 0; r = p.rows[r].next) sources += p.rows[r].edge_count == 0;
    if (sources < 2) return;
    for (int r = body.first_row; r != last; r = p.rows[r].next)
        if (!is_waited_for(p, r)) found(r);
}

}  // namespace cograph::core
