// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/program.hpp>
#include <cograph/run/launch/launch_config.cuh>
#include <cograph/run/persistent/element_group.cuh>
#include <cograph/run/persistent/exchange.cuh>

namespace cograph::core {

template <class Condition, int First, class Pack, int... I>
__device__ unsigned evaluate(Pack const& pack, std::integer_sequence<int, I...>) {
    return Condition::of(parameter<First + I>(pack)...);
}

// A step runs; before the first one, `fill` of all reads the copies of elements that threads keep.
template <class Step>
struct run_step;
template <class... Steps>
struct fill_steps {
    template <class Pack>
    __device__ static void fill(persistent_context const& context, Pack const& pack) {
        (run_step<Steps>::fill(context, pack), ...);
    }
};

template <class... Steps>
struct run_step<steps<Steps...>> : fill_steps<Steps...> {
    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        (run_step<Steps>::run(context, pack), ...);
    }
};

template <class Stage, int First, int Count, barrier Before, bool Joins>
struct run_step<stage_step<Stage, First, Count, Before, Joins>> {
    template <class Pack>
    __device__ static void fill(persistent_context const&, Pack const&) {}
    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        keep_order<Before>(context);
        call(context, pack, std::make_integer_sequence<int, Count>{});
    }
    template <class Pack, int... I>
    __device__ static void call(persistent_context const& context, Pack const& pack, std::integer_sequence<int, I...>) {
        Stage::run(context, parameter<First + I>(pack)...);
    }
};

// Buffers change places.
template <class Stage, int First, int Count, barrier Before, bool Joins>
    requires(Stage::traits.exchanges)
struct run_step<stage_step<Stage, First, Count, Before, Joins>> {
    template <class Pack>
    __device__ static void fill(persistent_context const&, Pack const&) {}
    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        keep_order<Before>(context);
        exchange_places<First + 1, First + 2>(whole_pack(pack));
    }
};

template <class First, class... Rest>
struct run_step<fused_steps<First, Rest...>> : element_group<First, Rest...> {};

// What a loop of a persistent kernel counts. Every thread does, in uniform registers (thread's own take longer, measured).
// After the program one of all adds it to the state of the loop: a loop in a loop is met often, and adding there took 200 ns.
struct loop_count {
    loop_counter to;
    mutable index_t iterations = 0, entries = 0;
    mutable unsigned answer = 0;

    __device__ void add(index_t more, unsigned last_answer) const {
        iterations += more;
        ++entries;
        answer = last_answer;
    }
};
template <class P>
__device__ void store_count(P const&) {}
__device__ inline void store_count(loop_count const& count) {
    if (count.entries == 0) return;
    loop_counter::add(count.to.at->entries, count.entries);
    count.to.leave(count.iterations, count.answer);
}

template <class Rule, int First, int Count, barrier Before, barrier Again, class Body, class... BeforeTest>
    requires(is_loop(Rule::kind))
struct run_step<control_step<Rule, First, Count, Before, Again, Body, BeforeTest...>> : fill_steps<Body, BeforeTest...> {
    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        constexpr auto numbers = std::make_integer_sequence<int, Count - 1>{};
        keep_order<Before>(context);
        [[maybe_unused]] const bool overflows_outside = context.overflows;
        if constexpr (has_lengths) context.overflows = false;
        index_t iteration = 0;
        unsigned answer = Rule::kind == spec_kind::do_while ? 1u : ask(iteration, pack, numbers);
        while (answer == 1) {
            passes(context, pack);
            (run_step<BeforeTest>::run(context, pack), ...);
            iteration += Rule::every;
            keep_order<Again>(context);
            answer = ask(iteration, pack, numbers);
            if constexpr (has_lengths)
                if (context.overflows) answer = overflow_answer;
        }
        if constexpr (has_lengths) context.overflows = overflows_outside;
        parameter<First>(pack).add(iteration, answer);
    }

private:
    static constexpr bool has_lengths = requires { Rule::has_lengths; };

    template <class Pack>
    __device__ static void passes(persistent_context const& context, Pack const& pack) {
        if constexpr (Rule::every == 1) {
            run_step<Body>::run(context, pack);
        } else {
#pragma unroll 1
            for (int pass = 0; pass < Rule::every; ++pass) run_step<Body>::run(context, pack);
        }
    }
    template <class Pack, int... I>
    __device__ static unsigned ask(index_t iteration, Pack const& pack, std::integer_sequence<int, I...>) {
        return Rule::asks::of(iteration, parameter<First + 1 + I>(pack)...);
    }
};

// The condition of a branch in a persistent kernel; if it has loops in it, a count that is not used comes first.
template <class Test, int First, int Count, class Pack>
__device__ unsigned select(Pack const& pack) {
    using first = std::remove_cvref_t<decltype(parameter<First>(pack))>;
    constexpr int counts = std::is_same_v<first, loop_count>;
    return evaluate<Test, First + counts>(pack, std::make_integer_sequence<int, Count - counts>{});
}

template <int First, int Count, barrier Before, barrier Again, class... Bodies>
struct run_step<control_step<branch, First, Count, Before, Again, Bodies...>> : fill_steps<Bodies...> {
    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        keep_order<Before>(context);
        const bool taken = select<truth, First, Count>(pack);
        int body = 0;
        ((taken == (body++ == 0) ? run_step<Bodies>::run(context, pack) : void()), ...);
    }
};

template <unsigned Cases, int First, int Count, barrier Before, barrier Again, class... Bodies>
struct run_step<control_step<selection<Cases>, First, Count, Before, Again, Bodies...>> : fill_steps<Bodies...> {
    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        keep_order<Before>(context);
        const unsigned selected = select<case_of<Cases>, First, Count>(pack);
        unsigned body = 0;
        ((selected == body++ ? run_step<Bodies>::run(context, pack) : void()), ...);
    }
};

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
template <int Slot, class P, class Copies>
__device__ kept_parameter<P> local_parameter(P const& p, Copies& copies) {
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

// A whole loop as one kernel. Every thread keeps a copy of the scalars and computes them alike; the block that leaves last
// writes them back. If a thread has one element at most (OneElement), it keeps copies of that, too.
template <bool OneElement, bool Compact, class Program, class Place, int... Slot, int... Source, bool... Stored, int... Scalar, class... P>
__device__ void run_program(char* memory, std::integer_sequence<int, Slot...>, std::integer_sequence<int, Source...>,
                            std::integer_sequence<bool, Stored...>, std::integer_sequence<int, Scalar...> scalars, P const&... p) {
    using numbers = std::make_integer_sequence<int, sizeof...(P)>;
    const parameter_pack<numbers, std::conditional_t<(sizeof(P) > most_kept_parameter_bytes), P const&, P>...> given(p...);
    [[maybe_unused]] parameter_pack<decltype(scalars), scalar_of<decltype(parameter<Source>(given))>...> copies(*parameter<Source>(given).at...);
    using plain_pack = program_pack<std::integer_sequence<int, Slot...>, Place, kept_parameter<P>...>;
    using local_pack = choose<Compact, compact_pack<plain_pack>, plain_pack>;
    local_pack local(local_parameter<Slot>(p, copies)...);  // not const: buffers may change places

    static_assert(sizeof(barrier_memory) == persistent_meeting_bytes);
    kernel_barrier all(reinterpret_cast<barrier_memory*>(memory));
    unsigned iteration = 0;
    bool overflows = false;
    const persistent_context context{all, memory + persistent_meeting_bytes, iteration, overflows};
    if (context.leads()) parameter<0>(given).clear();
    if constexpr (OneElement) {
        element_copies<local_pack> copied;
        const pack_of_element<local_pack> of_element{local, copied};
        run_step<Program>::fill(context, of_element);
        run_step<Program>::run(context, of_element);
    } else {
        run_step<Program>::run(context, local);
    }
    if (context.leads()) store_counts<kept_parameter<P>...>(local);
    if constexpr (local_pack::sets() > 0) put_all_back(context, given, local);

    if (all.leaves_last() && threadIdx.x == 0) (store_scalar<Stored>(parameter<Source>(given), parameter<Scalar>(copies)), ...);
}

template <int Threads, bool OneElement, class Program, class Slot, class Place, class Source, class Stored, class... P>
__global__ void __launch_bounds__(Threads, 1) persistent_kernel(void* memory, P... p) {
    run_program<OneElement, false, Program, Place>(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}

// The only kernel of a loop of a given shape.
template <int Threads, class Program, class Slot, class Place, class Source, class Stored, class... P>
__global__ void __launch_bounds__(Threads, 1) compact_kernel(void* memory, P... p) {
    run_program<false, true, Program, Place>(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}

template <class Program, class Slot, class Place, class Source, class Stored, class... P, int Threads>
inline constexpr auto sized_kernel<persistent_code<Program, Slot, Place, Source, Stored, P...>, Threads> =
    &persistent_kernel<Threads, false, Program, Slot, Place, Source, Stored, P...>;
template <class Program, class Slot, class Place, class Source, class Stored, class... P, int Threads>
inline constexpr auto sized_kernel_of_one_element<persistent_code<Program, Slot, Place, Source, Stored, P...>, Threads> =
    &persistent_kernel<Threads, true, Program, Slot, Place, Source, Stored, P...>;
template <class Program, class Slot, class Place, class Source, class Stored, class... P, int Threads>
inline constexpr auto sized_compact_kernel<persistent_code<Program, Slot, Place, Source, Stored, P...>, Threads> =
    &compact_kernel<Threads, Program, Slot, Place, Source, Stored, P...>;

}  // namespace cograph::core
