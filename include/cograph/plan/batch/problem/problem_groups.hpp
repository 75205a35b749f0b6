// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_threads.hpp>
#include <cograph/plan/persistent/group_memory.hpp>

namespace cograph::core {

// Shared memory of groups of threads in a problem. Problems that run at once in a block have equally much of that of the block, and the groups
// of a problem divide its part.

constexpr bool has_groups_with_memory(const node_spec& tree) {
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].of_shared_memory != 0) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (has_groups_with_memory(*tree.children[i])) return true;
    return false;
}

// In the memory of problems with Size threads: how many elements the groups of Group threads have.
template <int Size, int Group, class T, class P>
struct memory_in_problem {
    group_memory<Group, T, P> of_group;

    COGRAPH_HD constexpr unsigned bytes() const { return of_group.bytes(); }
};
#ifdef __CUDACC__
// The shared memory of one problem of a block.
template <int Size>
__device__ unsigned bytes_of_problem() {
    unsigned all;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
    return all / (threads_of_block<Size> / Size) / group_memory_alignment * group_memory_alignment;
}
// How many groups work at once on a problem, of its Threads in a block: those that have barriers, and room for so many bytes each.
template <int Size, int Group, int Threads>
__device__ unsigned groups_with_room(unsigned bytes) {
    constexpr unsigned most = groups_of_threads<Group>::most_in_block, threads_for = Threads / Group;
    unsigned groups = threads_for < most ? threads_for : most;
    if (const unsigned room = bytes_of_problem<Size>(); bytes > 0 && groups > room / bytes) groups = room / bytes;
    return groups;
}
#endif
template <int Size, int Group, class T, class P>
COGRAPH_HD T* at_element(memory_in_problem<Size, Group, T, P> const& memory, index_t) {
#ifdef __CUDA_ARCH__
    return reinterpret_cast<T*>(shared_memory_of_groups() + threadIdx.x / Size * bytes_of_problem<Size>() + threadIdx.x % Size / Group * memory.bytes());
#else
    return static_cast<T*>(memory_of_host_group(memory.bytes()));
#endif
}
template <int Size, class P>
struct parameter_in_problem {
    using type = P;
};
template <int Size, int Group, class T, class P>
struct parameter_in_problem<Size, group_memory<Group, T, P>> {
    using type = memory_in_problem<Size, Group, T, P>;
};

// The bytes of a problem, or of each block of its cluster: for as many groups as there are threads for, or as there is room for, one at least. Problems that share a block
// do not wait for each other, so each has room for all of its groups.
constexpr unsigned most_bytes_of_groups = 48 * 1024;
template <int Size>
unsigned bytes_of_groups(const frame& problem, const place& batch) {
    constexpr unsigned problems = threads_of_block<Size> / Size;
    unsigned most = 0;
    for (int r = 0; r < problem.plan.count.nodes; ++r) {
        const plan_node& here = problem.plan.nodes[r];
        for (int i = 0; i < here.argument_count; ++i) {
            if (here.from->arguments[i].of_shared_memory == 0) continue;
            const unsigned bytes = checked_bytes_of_group(problem, here, i, 0);
            unsigned groups = static_cast<unsigned>(threads_of_its_block<Size> / here.from->traits->threads_of_group);
            if (problems == 1 && bytes > 0 && groups > most_bytes_of_groups / bytes) groups = most_bytes_of_groups > bytes ? most_bytes_of_groups / bytes : 1;
            if (groups * bytes > most) most = groups * bytes;
        }
    }
    if (problems > 1 && most > most_bytes_of_groups / problems)
        refuse(batch, "has groups with %u bytes of shared memory for each problem: %u problems share a block, which has %u; let 64 threads or more solve a problem", most, problems,
               most_bytes_of_groups);
    return most;
}

}  // namespace cograph::core
