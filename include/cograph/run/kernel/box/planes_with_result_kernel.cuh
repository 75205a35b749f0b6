// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reduction/order_of_terms.hpp>
#include <cograph/plan/fusion/planes_with_result.hpp>
#include <cograph/run/kernel/box/few_planes_kernel.cuh>
#include <cograph/run/kernel/grid_reduce.cuh>
#include <cograph/run/launch/kernel_table.cuh>
#include <cograph/run/persistent/atomic_word.cuh>

namespace cograph::core {

// A node over a box of three dimensions and a reduction of it. Blocks join their results in a word, and the one that ends last reads it.

// The arguments of a term: elements that the node writes or sees around its own are only read.
template <class T>
struct known_element {
    T const& value;
};
template <class T>
__device__ T const& at_element(known_element<T> known, index_t) {
    return known.value;
}
template <class P>
__device__ P const& only_read(P const& p) {
    return p;
}
template <class T>
__device__ element_pointer<const T> only_read(element_pointer<T> p) {
    return {p.at};
}
template <class T, int... Radius>
__device__ element_pointer<const T> only_read(near_pointer<T, Radius...> p) {
    return {p.at};
}
template <class T, bool Inner, int Planes, int Rows, int Columns>
__device__ known_element<T> only_read(near_in_space<T, Inner, Planes, Rows, Columns> const& p) {
    return {p.all[sizeof(p.all) / sizeof(p.all[0]) / 2].value};
}
template <int Place, int Count, class Given>
__device__ decltype(auto) argument_of_term(Given const& given) {
    return only_read(parameter<Place>(given));
}
// With those that the node has read, which are its own but the first.
template <int Place, int Count, class Given, class Read>
__device__ decltype(auto) argument_of_term(Given const& given, Read const& read) {
    if constexpr (Place > 0 && Place < Count)
        return only_read(parameter<Place - 1>(read));
    else
        return only_read(parameter<Place>(given));
}

// In a reduction's working memory: how many blocks have joined their words, and those words.
__device__ inline unsigned* ticket_in(void* scratch) { return static_cast<unsigned*>(scratch); }
__device__ inline unsigned long long* words_in(void* scratch) { return reinterpret_cast<unsigned long long*>(static_cast<char*>(scratch) + 16); }

// The largest term as a word, and of terms that it does not tell apart, zeros and NaNs, which one counts: the first zero or the last NaN in the order of terms.
// Zero if there is none.
struct words_of_result {
    unsigned long long largest = 0, which = 0;
};
template <class Op, class T>
struct words_of_terms {
    using word = joined_word<Op, T>;
    static constexpr unsigned long long is_last = 1ull << 62;

    __device__ static T better(T a, T b) { return Op()(a, b); }
    // A comparison may take denormal numbers for zero.
    __device__ static bool is_zero(T value) { return value <= 0 && value >= 0; }
    __device__ static bool has_alike(T value) {
        if constexpr (std::is_floating_point_v<T>)
            return is_zero(value) || value != value;
        else
            return false;
    }
    // Whether a block has a larger term than zero: none of the zeros is the result.
    __device__ static bool is_beyond_zero(void* scratch) {
        if constexpr (std::is_floating_point_v<T>)
            return *static_cast<volatile unsigned long long*>(words_in(scratch)) > word::of(T(0));
        else
            return false;
    }
    __device__ static void join(words_of_result& all, T value) {
        const unsigned long long own = word::of(value);
        if (own > all.largest) all.largest = own;
    }
    __device__ static void join(words_of_result& all, T value, index_t element) {
        if (has_alike(value)) {
            const bool zero = value == value;
            const unsigned long long place = order_of_terms::place_of(element), which = zero ? is_last - 1 - place : is_last + place;
            if (which > all.which) all.which = which;
            if (zero) value = 0;
        }
        join(all, value);
    }
    // The result, or the element whose term it is.
    __device__ static bool tells(words_of_result const& all, T& value, index_t& element) {
        if constexpr (std::is_floating_point_v<T>) {
            if (all.largest == word::of(T(0)) || all.largest == ~0ull) {
                element = order_of_terms::element_at(all.which >= is_last ? all.which - is_last : is_last - 1 - all.which);
                return false;
            }
        }
        word::tells(all.largest, value);
        return true;
    }
};

// The largest of all threads of a block, valid in the first. The last warp may be a part of one.
__device__ inline unsigned long long largest_of_block(unsigned long long value, unsigned long long* of_warps) {
    const auto among = [&](unsigned lanes) {
        const unsigned mask = lanes < warp_lanes ? (1u << lanes) - 1 : ~0u, lane = threadIdx.x % warp_lanes;
        for (unsigned offset = warp_lanes / 2; offset > 0; offset /= 2) {
            const unsigned long long other = __shfl_down_sync(mask, value, offset);
            if (lane + offset < lanes && other > value) value = other;
        }
    };
    const unsigned warp = threadIdx.x / warp_lanes, warps = (blockDim.x + warp_lanes - 1) / warp_lanes, left = blockDim.x - warp * warp_lanes;
    among(left < warp_lanes ? left : warp_lanes);
    if (threadIdx.x % warp_lanes == 0) of_warps[warp] = value;
    __syncthreads();
    if (threadIdx.x < warps) {
        value = of_warps[threadIdx.x];
        among(warps);
    }
    return value;
}
__device__ inline void join_word(unsigned long long* at, unsigned long long word) {
    if (word > *static_cast<volatile unsigned long long*>(at)) atomicMax(at, word);
}

// Joins the words of all blocks. True in a thread of the block that ends last, which gets those of all and leaves none behind.
__device__ inline bool join_blocks(words_of_result& words, void* scratch) {
    __shared__ unsigned long long of_warps[2 * most_warps];
    const bool is_told = __syncthreads_or(words.which != 0) == 0;
    words.largest = largest_of_block(words.largest, of_warps);
    if (!is_told) words.which = largest_of_block(words.which, of_warps + most_warps);
    if (threadIdx.x != 0) return false;
    unsigned* const ticket = ticket_in(scratch);
    unsigned long long* const joined = words_in(scratch);
    join_word(joined, words.largest);
    if (!is_told) join_word(joined + 1, words.which);
    unsigned before = 0;
    asm volatile("atom.release.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(ticket), "r"(gridDim.x - 1) : "memory");
    if (before != gridDim.x - 1) return false;
    __threadfence();
    words = {atomicExch(joined, 0), atomicExch(joined + 1, 0)};
    return true;
}

// The terms of a thread.
template <class Words, class T, class TermOf>
struct terms_of_thread {
    TermOf const& term_of;
    words_of_result all{};

    template <class... Known>
    __device__ T term(Known const&... known) const {
        return term_of(known...);
    }
    __device__ void join(index_t element, T value) { Words::join(all, value, element); }
    // The largest alone, unless it matters which one that is.
    __device__ void join_all(element_of_box const& first, const T (&values)[few_planes]) {
        T best = values[0];
        for (int k = 1; k < few_planes; ++k) best = Words::better(best, values[k]);
        if (Words::has_alike(best)) {
            for (int k = 0; k < few_planes; ++k) Words::join(all, values[k], first.behind(k).number());
        } else {
            Words::join(all, best);
        }
    }
};

template <class Stage, int Count, class Reduction, int... Place, class N, class... P>
__device__ void run_planes_with_result(std::integer_sequence<int, Place...>, N const& n, P const&... p) {
    const parameter_pack<std::make_integer_sequence<int, 1 + sizeof...(P)>, N, P...> given(n, p...);
    constexpr int place[] = {Place...};
    const auto& op = unwrap(parameter<place[2]>(given));
    const auto identity = unwrap(parameter<place[3]>(given));
    using T = std::remove_const_t<decltype(identity)>;
    using words = words_of_terms<std::remove_cvref_t<decltype(op)>, T>;
    const auto term_of = [&](auto const& at, auto const&... read) -> T { return op(identity, Reduction::term(at, argument_of_term<Place, Count>(given, read...)...)); };
    terms_of_thread<words, T, decltype(term_of)> terms{term_of};
    const auto run = [&]<int... I>(std::integer_sequence<int, I...>) { run_few_planes<Stage>(terms, n, parameter<1 + I>(given)...); };
    run(std::make_integer_sequence<int, Count - 1>{});
    if (!join_blocks(terms.all, parameter<place[4]>(given))) return;
    T result = identity;
    index_t element = 0;
    if (terms.all.largest != 0 && !words::tells(terms.all, result, element)) result = term_of(element);
    *parameter<place[5]>(given).at = result;
}
template <class Stage, int Count, class Reduction, class Place, class N, class... P>
__global__ void __launch_bounds__(1024) planes_with_result_kernel(N n, P... p) {
    run_planes_with_result<Stage, Count, Reduction>(Place{}, n, p...);
}
template <class Stage, int Count, class Reduction, class Place, class... P, class Target>
inline constexpr auto kernel_of<planes_with_result_code<Stage, Count, Reduction, Place, list<std::type_identity<P>...>>, Target> = &planes_with_result_kernel<Stage, Count, Reduction, Place, plain<P>...>;

}  // namespace cograph::core
