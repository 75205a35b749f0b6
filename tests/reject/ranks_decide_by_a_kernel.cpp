// SPDX-License-Identifier: Apache-2.0
// reason: ranks_decide_by_their_own
// row: `ranks_decide_by_their_own`, by a kernel
// expect: ranks_decide_by_their_own<s>
// expect: reduce_or_broadcast_it_over_all_ranks_first
#include "decided.hpp"

#include <cograph/libraries/nccl.hpp>

inline constexpr struct world : value<world, nccl::communicator> {} world;

#ifdef __CUDACC__
#define KERNEL __global__
#else
#define KERNEL
#endif
KERNEL void goes_on(const float*, unsigned long long);
#undef KERNEL
int goes_on_host(const float*);

void wrong(float* memory, index_t count) {
    // [wrong]
    const auto e = do_while(seq(reduce(out(s), in(x)), nccl::all_reduce(world, out(y), in(x))), decided_by<goes_on, goes_on_host>(grid(1))(in(s), conditional_handle));
    simulate(e, x(memory, count), y(memory, count), world(nccl::communicator{}));  // here
    // [/wrong]
}
