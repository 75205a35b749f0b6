// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/run/kernel/box/planes_with_result_kernel.cuh>

#include <type_traits>
#include <utility>

namespace cograph::core {

// The terms of a reduction after the last step.
struct no_terms_of_pass {
    template <class At, class U, class T>
    __device__ int term(At const&, U const&, T const&) const {
        return 0;
    }
    __device__ void join(index_t, int) const {}
    __device__ void meet() const { __syncthreads(); }
    __device__ void tell_warp() const {}
    template <int Rows, class Number>
    __device__ void join_some(const bool (&)[Rows], const int (&)[Rows], Number const&) const {}
};
template <class Words, class T, class TermOf>
struct terms_of_steps {
    TermOf const& term_of;
    bool is_beyond_zero;  // a block, perhaps this one, has a larger term: no zero matters
    unsigned long long* which;  // of the block: rarely used, and thus in shared memory
    unsigned long long largest = 0;

    template <class... Known>
    __device__ T term(Known const&... known) const {
        return term_of(known...);
    }
    // A barrier of the block.
    __device__ void meet() {
        if constexpr (std::is_floating_point_v<T>)
            is_beyond_zero = __syncthreads_or(is_beyond_zero || largest > Words::word::of(T(0))) != 0;
        else
            __syncthreads();
    }
    // The same of a warp, which need not wait.
    __device__ void tell_warp() {
        if constexpr (std::is_floating_point_v<T>) is_beyond_zero = __any_sync(~0u, is_beyond_zero || largest > Words::word::of(T(0)));
    }
    __device__ void join(T value) {
        words_of_result one;
        Words::join(one, value);
        if (one.largest > largest) largest = one.largest;
    }
    __device__ void join(index_t element, T value) {
        words_of_result one;
        Words::join(one, value, element);
        if (one.largest > largest) largest = one.largest;
        if (one.which != 0) atomicMax(which, one.which);
    }
    // The largest alone, unless it matters which one that is.
    template <int Rows, class Number>
    __device__ void join_some(const bool (&has_term)[Rows], const T (&values)[Rows], Number const& number) {
        T best{};
        bool any = false;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (has_term[r]) {
                best = any ? Words::better(best, values[r]) : values[r];
                any = true;
            }
        if (!any) return;
        if constexpr (std::is_floating_point_v<T>)
            if (is_beyond_zero && Words::is_zero(best)) return;
        if (!Words::has_alike(best)) {
            join(best);
            return;
        }
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (has_term[r]) join(number(r), values[r]);
    }
};
template <class Result>
struct terms_of_pass {
    template <class Given, class U, class T, class Pass>
    __device__ static void run(Given const&, U*, T*, Pass const& pass) {
        no_terms_of_pass none;
        pass(none);
    }
};
template <class Reduction, int... Place>
struct terms_of_pass<result_of_pass<Reduction, std::integer_sequence<int, Place...>>> {
    static constexpr int place[] = {Place...};

    template <class Given, class U, class T, class Pass>
    __device__ static void run(Given const& given, U* between, T* last, Pass const& pass) {
        const auto identity = unwrap(parameter<place[3]>(given));
        using R = std::remove_const_t<decltype(identity)>;
        using words = words_of_terms<std::remove_cvref_t<decltype(unwrap(parameter<place[2]>(given)))>, R>;
        const auto of_known = [&](auto const& at, U const& of_first, T const& of_second) -> R { return term_of<R>(given, at, known_element<U>{of_first}, known_element<T>{of_second}); };
        __shared__ unsigned long long which;
        if (threadIdx.x == 0) which = 0;
        __syncthreads();
        terms_of_steps<words, R, decltype(of_known)> terms{of_known, words::is_beyond_zero(parameter<place[4]>(given)), &which};
        pass(terms);
        __syncthreads();
        words_of_result all{terms.largest, threadIdx.x == 0 ? which : 0};
        if (!join_blocks(all, parameter<place[4]>(given))) return;
        R result = identity;
        index_t element = 0;
        if (all.largest != 0 && !words::tells(all, result, element)) result = term_of_element<R>(given, element, element_pointer<const U>{between}, element_pointer<const T>{last});
        *parameter<place[5]>(given).at = result;
    }

private:
    template <class R, class Given, class At, class OfFirst, class OfSecond>
    __device__ static R term_of(Given const& given, At const& at, OfFirst const& of_first, OfSecond const& of_second) {
        return unwrap(parameter<place[2]>(given))(unwrap(parameter<place[3]>(given)), Reduction::term(at, argument<Place>(given, of_first, of_second)...));
    }
    // No part of the kernel: with its division of 64 bits, threads would have fewer registers.
    template <class R, class Given, class OfFirst, class OfSecond>
    __device__ __noinline__ static R term_of_element(Given given, index_t element, OfFirst of_first, OfSecond of_second) {
        return term_of<R>(given, element, of_first, of_second);
    }
    template <int At, class Given, class U, class T>
    __device__ static decltype(auto) argument(Given const& given, U const& of_first, T const& of_second) {
        if constexpr (At == from_first_step)
            return (of_first);
        else if constexpr (At == from_second_step)
            return (of_second);
        else
            return only_read(parameter<At>(given));
    }
};

}  // namespace cograph::core
