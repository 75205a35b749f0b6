// SPDX-License-Identifier: Apache-2.0
// reason: ranks_decide_by_their_own
// row: `ranks_decide_by_their_own`
// expect: ranks_decide_by_their_own<s>
// expect: reduce_or_broadcast_it_over_all_ranks_first
#include "names.hpp"

#include <cograph/libraries/nccl.hpp>

inline constexpr struct world : value<world, nccl::communicator> {} world;

void wrong(float* memory, index_t count) {
    // [wrong]
    const auto e = do_while(seq(reduce(out(s), in(x)), nccl::all_reduce(world, out(y), in(x))), s > 1.0);
    simulate(e, x(memory, count), y(memory, count), world(nccl::communicator{}));  // here
    // [/wrong]
}
