// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/program.hpp>
#include <cograph/run/launch/launch_config.cuh>
#include <cograph/run/persistent/group/element_group.cuh>
#include <cograph/run/persistent/exchange.cuh>
#include <cograph/run/persistent/run_step.cuh>

#include <type_traits>
#include <utility>

namespace cograph::core {

template <class Sequence>
inline constexpr int length_of = 0;
template <int... I>
inline constexpr int length_of<std::integer_sequence<int, I...>> = sizeof...(I);

// Large parameters stay in the kernel's own.
constexpr std::size_t most_kept_parameter_bytes = 256;
template <class P>
using kept_parameter = std::conditional_t<std::is_same_v<P, loop_counter>, loop_count, std::conditional_t<(sizeof(P) > most_kept_parameter_bytes), P const&, P>>;

// The scalar that a parameter, a reference or element_pointer, refers to.
template <class P>
using scalar_of = std::remove_cvref_t<decltype(*std::declval<P>().at)>;

// A parameter that refers to a scalar, turned to the thread's copy of it; one that leads to a loop's state, to its count.
template <int Slot, class Kept, class P, class Copies>
__device__ Kept local_parameter(P const& p, Copies& copies) {
    if constexpr (Slot >= 0)
        return P{&own_parameter<Slot>(copies)};
    else
        return {p};
}

template <class... P, int... I>
__device__ void store_counts(parameter_pack<std::integer_sequence<int, I...>, P...> const& pack) {
    (store_count(parameter<I>(pack)), ...);
}

template <bool Stored, class P, class T>
__device__ void store_scalar(P const& to, T const& copy) {
    if constexpr (Stored) *const_cast<T*>(to.at) = copy;
}

// The elements of which threads keep copies: none, their only one, or all of some variables.
enum class keeping : unsigned char { nothing, one_element, elements };

// The numbers of a barrier-free program: where in the kernel's own memory blocks send results to, and how many bytes these take.
template <class Program>
inline constexpr unsigned sent_at = 0;
template <class Program>
inline constexpr unsigned sent_bytes = 0;
template <unsigned At, unsigned Bytes, class Program>
inline constexpr unsigned sent_at<barrier_free_program<At, Bytes, Program>> = At;
template <unsigned At, unsigned Bytes, class Program>
inline constexpr unsigned sent_bytes<barrier_free_program<At, Bytes, Program>> = Bytes;

// Whether a node reduces in the order of a box.
template <class Pack>
struct follows_box_order {
    template <class Stage, int First, int Count>
    static constexpr bool of() {
        if constexpr (Stage::traits.reduces && Stage::traits.box_rank == 2)
            return Stage::template is_in_box_order<parameter_type<First, Pack>, parameter_type<First + 1, Pack>, std::remove_cvref_t<parameter_type<First + 2, Pack>>,
                                                   std::remove_cvref_t<parameter_type<First + 3, Pack>>>;
        else
            return false;
    }
};

// Whether blocks send results to each other, over a grid whose threads have one element at most: of one chunk, or of two.
enum class sending : unsigned char { nothing, of_chunk, of_pair };

// Threads that keep no copies of their one element need no kernel for it, except if a reduction writes memory, too. Jacobi's method in strips over 256^2 takes 2 % less with it.
template <class Slots>
inline constexpr bool keeps_own_element = false;
template <int... Slot>
inline constexpr bool keeps_own_element<std::integer_sequence<int, Slot...>> = ((copy_numbered(Slot) >= 0) || ...);
template <class Pack>
struct reduces_and_writes {
    template <class Stage, int First, int Count>
    static constexpr bool of() {
        if constexpr (Stage::traits.reduces && Stage::traits.threads_of_group == 0)
            return writes_memory<First>(std::make_integer_sequence<int, Count>{});
        else
            return false;
    }
    template <int First, int... I>
    static constexpr bool writes_memory(std::integer_sequence<int, I...>) {
        return ((written_by<parameter_type<First + I, Pack>, Pack::slot_of(First + I)> == written::elsewhere) || ...);
    }
};
template <class Program, class Slot, class Place, class... P>
inline constexpr bool has_kernel_of_one_element = keeps_own_element<Slot> || any_node<reduces_and_writes<program_pack<Slot, Place, kept_parameter<P>...>>, Program>;

// A whole loop as one kernel. Every thread keeps a copy of the scalars and computes them alike; the block that leaves last
// writes them back.
template <keeping Keeping, bool Compact, sending Sending, class Program, class Place, int... Slot, int... Source, bool... Stored, int... Scalar, class... P>
__device__ void run_program(char* memory, std::integer_sequence<int, Slot...>, std::integer_sequence<int, Source...>,
                            std::integer_sequence<bool, Stored...>, std::integer_sequence<int, Scalar...> scalars, P const&... p) {
    constexpr bool sends = Sending != sending::nothing, in_pairs = Sending == sending::of_pair;
    using numbers = std::make_integer_sequence<int, sizeof...(P)>;
    const parameter_pack<numbers, std::conditional_t<(sizeof(P) > most_kept_parameter_bytes), P const&, P>...> given(p...);
    [[maybe_unused]] parameter_pack<decltype(scalars), scalar_of<decltype(parameter<Source>(given))>...> copies(*parameter<Source>(given).at...);
    using plain_pack = program_pack<std::integer_sequence<int, Slot...>, Place, kept_parameter<P>...>;
    constexpr bool keeps = Keeping == keeping::elements, of_many = keeps || (Keeping == keeping::nothing && has_kernel_of_one_element<Program, std::integer_sequence<int, Slot...>, Place, P...>);
    using local_pack = choose<Compact, compact_pack<plain_pack>, choose<sends, sending_pack<plain_pack, in_pairs>, choose<of_many, pack_of_many<plain_pack>, plain_pack>>>;
    local_pack local(local_parameter<Slot, kept_parameter<P>>(p, copies)...);  // not const: buffers may be swapped

    static_assert(sizeof(barrier_memory) == persistent_meeting_bytes);
    kernel_barrier<> all(reinterpret_cast<barrier_memory*>(memory), std::bool_constant<sends || keeps>{});
    unsigned iteration = sends ? all.last_sent() : 0;
    char* const results = memory + (sends ? sent_at<Program> : persistent_meeting_bytes);
    bool overflows = false;
    kept_numbers of_first, of_second;  // not an array: then a kernel without such nodes would have memory for them
    of_first.clear();
    of_second.clear();
    constexpr bool in_order = any_node<follows_box_order<local_pack>, Program>;
    const persistent_context<> context = [&] {
        if constexpr (Keeping == keeping::elements)
            return persistent_context<>{.barrier_all = all, .memory = results, .round = iteration, .overflows = overflows, .kept = {&of_first, &of_second},
                                        .tile = keep(tile_if_kept(threadIdx.x / reduce_layout::lanes)), .in_order = in_order};
        else if constexpr (in_pairs)
            return persistent_context<>{.barrier_all = all, .memory = results, .round = iteration, .overflows = overflows, .kept = {&of_first, &of_second},
                                        .tile = keep(chunk_in_pairs(static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x) / reduce_layout::lanes)),
                                        .sent_bytes = sent_bytes<Program>, .in_order = in_order};
        else
            return persistent_context<>{.barrier_all = all, .memory = results, .round = iteration, .overflows = overflows, .kept = {&of_first, &of_second}, .sent_bytes = sent_bytes<Program>, .in_order = in_order};
    }();
    if (context.leads()) parameter<0>(given).clear();
    if constexpr (Keeping == keeping::elements) {
        const pack_of_kept<local_pack> kept{local};
        element_groups_of<Program>::fill(context, kept);
        run_step<Program>::run(context, kept);
        if (parameter<0>(local).iterations != 0) element_groups_of<Program>::fill(context, pack_of_kept<local_pack, true>{local});
    } else if constexpr (Keeping == keeping::one_element) {
        element_copies<local_pack> copied;
        const pack_of_element<local_pack> of_element{local, copied};
        element_groups_of<Program>::fill(context, of_element);
        run_step<Program>::run(context, of_element);
        if constexpr (local_pack::keeps)
            if (parameter<0>(local).iterations != 0) element_groups_of<Program>::fill(context, pack_that_leaves<local_pack>{of_element});
    } else {
        run_step<Program>::run(context, local);
    }
    if (context.leads()) store_counts<kept_parameter<P>...>(local.all);
    if constexpr (local_pack::sets() > 0) put_all_back(context, given, local);

    const bool is_last = all.leaves_last();
    if constexpr (sends)
        if (is_last && threadIdx.x == 0) all.leave_sent(iteration);
    if (is_last && threadIdx.x == 0) (store_scalar<Stored>(parameter<Source>(given), parameter<Scalar>(copies)), ...);
}

template <int Threads, bool OneElement, class Program, class Slot, class Place, class Source, class Stored, class... P>
__global__ void __launch_bounds__(Threads, 1) persistent_kernel(void* memory, P... p) {
    run_program<OneElement ? keeping::one_element : keeping::nothing, false, sending::nothing, Program, Place>(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}

// That of a barrier-free program over a grid, in blocks of up to small_block threads that have one element at most. It has no code for clusters, whose loops took longer
// when their kernels had this code; and its code for blocks of one size is apart from that for the other.
template <class Program, class Slot, class Place, class Source, class Stored, class... P>
__global__ void __launch_bounds__(small_block, 1) sending_kernel(void* memory, P... p) {
    if (blockDim.x == reduce_layout::lanes)
        run_program<keeping::one_element, false, sending::of_chunk, Program, Place>(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
    else
        run_program<keeping::one_element, false, sending::of_pair, Program, Place>(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}

// The only kernel of a loop of a given shape.
template <int Threads, class Program, class Slot, class Place, class Source, class Stored, class... P>
__global__ void __launch_bounds__(Threads, 1) compact_kernel(void* memory, P... p) {
    run_program<keeping::nothing, true, sending::nothing, Program, Place>(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}

// That of a loop whose threads may keep several elements, for any number of them.
template <class Program, class Slot, class Place, class Source, class Stored, class... P>
__global__ void __launch_bounds__(persistent_threads, 1) kept_kernel(void* memory, P... p) {
    run_program<keeping::elements, false, sending::nothing, Program, Place>(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}
template <class Program, class Place, class Source, class Stored, class... P, int... Slot>
consteval auto choose_kept_kernel(std::integer_sequence<int, Slot...>) {
    if constexpr ((is_kept(Slot) || ...))
        return &kept_kernel<Program, std::integer_sequence<int, Slot...>, Place, Source, Stored, P...>;
    else
        return nullptr;
}

template <class Program, class Slot, class Place, class Source, class Stored, class... P, int Threads>
inline constexpr auto sized_kernel<persistent_code<Program, Slot, Place, Source, Stored, P...>, Threads> =
    &persistent_kernel<Threads, false, Program, Slot, Place, Source, Stored, P...>;
template <class Program, class Slot, class Place, class Source, class Stored, class... P, int Threads>
inline constexpr auto sized_kernel_of_one_element<persistent_code<Program, Slot, Place, Source, Stored, P...>, Threads> =
    &persistent_kernel<Threads, has_kernel_of_one_element<Program, Slot, Place, P...>, Program, Slot, Place, Source, Stored, P...>;
template <class Program, class Slot, class Place, class Source, class Stored, class... P>
inline constexpr auto kernel_that_keeps<persistent_code<Program, Slot, Place, Source, Stored, P...>> = choose_kept_kernel<Program, Place, Source, Stored, P...>(Slot{});
template <unsigned At, unsigned Bytes, class Program, class Slot, class Place, class Source, class Stored, class... P>
inline constexpr auto kernel_that_sends<persistent_code<barrier_free_program<At, Bytes, Program>, Slot, Place, Source, Stored, P...>> =
    &sending_kernel<barrier_free_program<At, Bytes, Program>, Slot, Place, Source, Stored, P...>;
template <class Program, class Slot, class Place, class Source, class Stored, class... P, int Threads>
inline constexpr auto sized_compact_kernel<persistent_code<Program, Slot, Place, Source, Stored, P...>, Threads> =
    &compact_kernel<Threads, Program, Slot, Place, Source, Stored, P...>;

}  // namespace cograph::core
