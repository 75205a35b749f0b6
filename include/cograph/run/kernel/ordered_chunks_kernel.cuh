// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/iteration/first_nodes.hpp>
#include <cograph/expr/scan/ordered_chunks.hpp>

namespace cograph::core {

// The kernel of ordered chunks (expr/scan/ordered_chunks.hpp). A block has the chunk of its number. GPUs start blocks in the order of their
// numbers, which CUB's scans rely on, too; so the blocks that a block waits for run already. A block reads its chunk, makes its join known,
// waits for the joins of all chunks before it, and combines them in the order that every context keeps. No block waits for more than joins, so
// nothing passes from chunk to chunk. Joins are marked with the number of the launch, so nothing has to be cleared. The block of the last
// chunk counts launches when it knows all joins: then all blocks have read the number.

// The joins of chunks, as blocks of a launch know them. Those of up to 8 bytes come with their mark: GPUs read and write 16 bytes at once.
template <class T>
struct known_joins {
    chunk_order* order;
    T* large;
    unsigned long long launch;
    static constexpr bool is_small = sizeof(T) <= sizeof(unsigned long long);

    __device__ static unsigned long long launches_before(const chunk_order* of) {
        unsigned long long count;
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(count) : "l"(&of->launches) : "memory");
        return count;
    }
    __device__ void count_launch() const { asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(&order->launches), "l"(launch) : "memory"); }

    __device__ void set(index_t chunk, T const& own) const {
        chunk_order::known_join* const to = order->joins + chunk;
        if constexpr (is_small) {
            unsigned long long word = 0;
            memcpy(&word, &own, sizeof(T));
            asm volatile("{\n\t.reg .b128 both;\n\tmov.b128 both, {%1, %2};\n\tst.relaxed.gpu.global.b128 [%0], both;\n\t}" ::"l"(to), "l"(word), "l"(launch)
                         : "memory");
        } else {
            large[chunk] = own;
            asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(&to->launch), "l"(launch) : "memory");
        }
    }
    // Whether it is known, and if so its value.
    __device__ bool look(index_t chunk, T& join) const {
        const chunk_order::known_join* const from = order->joins + chunk;
        unsigned long long word = 0, known;
        if constexpr (is_small)
            asm volatile("{\n\t.reg .b128 both;\n\tld.relaxed.gpu.global.b128 both, [%2];\n\tmov.b128 {%0, %1}, both;\n\t}" : "=l"(word), "=l"(known) : "l"(from) : "memory");
        else
            asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(known) : "l"(&from->launch) : "memory");
        if (known != launch) return false;
        if constexpr (is_small)
            memcpy(&join, &word, sizeof(T));
        else
            join = large[chunk];
        return true;
    }
};

// As many terms as a block keeps of its chunk.
constexpr int kept_chunk_bytes = 40 * 1024;
template <class E>
inline constexpr int kept_terms = kept_chunk_bytes / static_cast<int>(sizeof(E));
template <class E>
__device__ E* room_of_chunk() {
    __shared__ alignas(16) unsigned char room[kept_chunk_bytes];
    return reinterpret_cast<E*>(room);
}

template <class Group, class Pass, class T, class Terms, class... P>
__device__ void run_chunk_in_order(Group const& group, Pass const& pass, chunk_of_elements chunk, index_t c, index_t chunks, known_joins<T> const& known, Terms const& terms,
                                   P const&... p) {
    constexpr index_t step = chunk_layout::threads;
    const T own = pass.join(group, chunk.count, terms);
    if (threadIdx.x == 0) known.set(c, own);
    // Each lane waits for its own, which are those that a reduction gives it.
    constexpr int most = chunk_layout::most_chunks / step;
    lane_values<most, T> joins(own);
    bool is_known[most], all = true;
#pragma unroll
    for (int i = 0; i < most; ++i) is_known[i] = static_cast<index_t>(threadIdx.x) + i * step >= c;
    do {
        if (!all) __nanosleep(40);
        all = true;
#pragma unroll
        for (int i = 0; i < most; ++i) {
            if (!is_known[i]) is_known[i] = known.look(threadIdx.x + i * step, joins[i]);
            all = all && is_known[i];
        }
    } while (!all);
    const auto join_of = [&](index_t at) -> T {
        if constexpr (Pass::joins_by_lanes) {
            return joins[static_cast<int>(at / step)];
        } else {
            T join = own;
            while (!known.look(at, join)) __nanosleep(40);
            return join;
        }
    };
    const T before = pass.before(group, join_of, c);
    pass.put(group, chunk, terms, before, at_element(p, 0)...);
    if constexpr (Pass::tells)
        if (c == chunks - 1 && threadIdx.x == 0) (tell_result(before + own, p), ...);
    if (c == chunks - 1 && threadIdx.x == 0) known.count_launch();
}

template <class Stage, class F, class T, class... P>
__device__ void run_in_order(word<Stage>, index_t n, F const& f, T* joins, void* scratch, P const&... p) {
    chunk_order* const order = static_cast<chunk_order*>(scratch);
    const index_t c = blockIdx.x, chunks = Stage::threads::groups_for(n);
    if (c >= chunks) {
        if constexpr (pass_in<F>::tells)
            if (chunks == 0 && c == 0 && threadIdx.x == 0) (tell_result(T(), p), ...);
        return;
    }
    const auto& pass = unwrap(f);
    __shared__ unsigned long long launch;
    const unsigned long long launches = threadIdx.x == 0 ? known_joins<T>::launches_before(order) : 0;
    const typename Stage::group_type group;
    const chunk_layout layout(n);
    const chunk_of_elements chunk(layout, c, n);
    const auto term = [&](index_t k) { return pass.term(chunk.first + k, at_element(p, chunk.first + k)...); };
    using E = decltype(term(0));
    if constexpr (chunk_layout::least_elements <= kept_terms<E>) {
        if (layout.elements <= kept_terms<E>) {
            E* const room = room_of_chunk<E>();
            index_t k = threadIdx.x;
            constexpr index_t step = chunk_layout::threads;
#pragma unroll 1
            for (; k + 7 * step < chunk.count; k += 8 * step) {  // loads of eight overlap
                const E read[] = {term(k), term(k + step), term(k + 2 * step), term(k + 3 * step), term(k + 4 * step), term(k + 5 * step), term(k + 6 * step), term(k + 7 * step)};
#pragma unroll
                for (int i = 0; i < 8; ++i) ::new (static_cast<void*>(room + k + i * step)) E(read[i]);
            }
#pragma unroll 1
            for (; k < chunk.count; k += step) ::new (static_cast<void*>(room + k)) E(term(k));
            if (threadIdx.x == 0) launch = launches + 1;
            __syncthreads();
            run_chunk_in_order(group, pass, chunk, c, chunks, known_joins<T>{order, joins, launch}, [&](index_t k) -> E const& { return room[k]; }, p...);
            return;
        }
    }
    if (threadIdx.x == 0) launch = launches + 1;
    __syncthreads();
    run_chunk_in_order(group, pass, chunk, c, chunks, known_joins<T>{order, joins, launch}, term, p...);
}
template <class Stage, class N, class F, class T, class... P>
__device__ void run_in_order(word<Stage> stage, N const& n, F const& f, T* joins, void* scratch, P const&... p)
    requires(!std::is_same_v<N, index_t>)
{
    run_in_order(stage, static_cast<index_t>(n), f, joins, scratch, p...);
}
// Over first elements alone.
template <class Stage, class N, class L, class... P>
__device__ void run_in_order(word<first_of<Stage>>, N const& capacity, reference<L> said, enclosing_loop loop, P const&... p) {
    const first_elements n(*said.at, static_cast<index_t>(capacity));
    if (blockIdx.x == 0 && threadIdx.x == 0 && n.overflows) loop.overflows();
    run_in_order(word<Stage>{}, n.count, p...);
}

template <class Stage, class... P>
__global__ void __launch_bounds__(chunk_layout::threads) ordered_chunks_kernel(P... p) {
    run_in_order(word<Stage>{}, p...);
}

}  // namespace cograph::core
