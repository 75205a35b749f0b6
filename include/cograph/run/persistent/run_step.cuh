// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/program.hpp>
#include <cograph/run/persistent/group/element_group.cuh>
#include <cograph/run/persistent/exchange.cuh>
#include <cograph/run/persistent/group/rolled_group.cuh>

namespace cograph::core {

template <class Condition, int First, class Pack, int... I>
__device__ unsigned evaluate(Pack const& pack, std::integer_sequence<int, I...>) {
    return Condition::of(parameter<First + I>(pack)...);
}

template <class Step>
struct run_step;

// The groups of a program's nodes. Before its first step `fill` of all reads the copies of elements that threads keep.
template <class Found, class... Steps>
struct groups_among;
template <class... Found>
struct groups_among<list<Found...>> {
    template <class Pack>
    __device__ static void fill(auto const& context, Pack const& pack) {
        (Found::fill(context, pack), ...);
    }
};
template <class... Found, class Step, class... Steps>
struct groups_among<list<Found...>, Step, Steps...> : groups_among<list<Found...>, Steps...> {};
template <class... Found, class... Inner, class... Steps>
struct groups_among<list<Found...>, steps<Inner...>, Steps...> : groups_among<list<Found...>, Inner..., Steps...> {};
template <class... Found, class... Stage, class... Steps>
struct groups_among<list<Found...>, fused_steps<Stage...>, Steps...> : groups_among<list<Found..., element_group<Stage...>>, Steps...> {};
template <class... Found, unsigned char Number, class... Group, class... Steps>
struct groups_among<list<Found...>, rolled_steps<Number, Group...>, Steps...> : groups_among<list<Found...>, Group..., Steps...> {};
template <class... Found, class Rule, int First, int Count, barrier Before, barrier Again, class... Bodies, class... Steps>
struct groups_among<list<Found...>, control_step<Rule, First, Count, Before, Again, Bodies...>, Steps...> : groups_among<list<Found...>, Bodies..., Steps...> {};
template <class... Found, unsigned At, unsigned Bytes, class Program>
struct groups_among<list<Found...>, barrier_free_program<At, Bytes, Program>> : groups_among<list<Found...>, Program> {};
template <class Program>
using element_groups_of = groups_among<list<>, Program>;

template <class... Steps>
struct run_step<steps<Steps...>> {
    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        (run_step<Steps>::run(context, pack), ...);
    }
};

template <unsigned At, unsigned Bytes, class Program>
struct run_step<barrier_free_program<At, Bytes, Program>> : run_step<Program> {};

template <class Stage, int First, int Count, barrier Before, bool Joins>
struct run_step<stage_step<Stage, First, Count, Before, Joins>> {
    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        call(context, pack, std::make_integer_sequence<int, Count>{});
    }
    template <class Pack, int... I>
    __device__ static void call(auto const& context, Pack const& pack, std::integer_sequence<int, I...>) {
        if constexpr (Before == barrier::grid && decltype(find_parts<Stage>(parameter<First + I>(pack)...))::value) {
            Stage::run(context_before_barrier<std::remove_cvref_t<decltype(context)>>{context}, parameter<First + I>(pack)...);
        } else {
            keep_order<Before>(context);
            Stage::run(context, parameter<First + I>(pack)...);
        }
    }
};

// Buffers are swapped.
template <class Stage, int First, int Count, barrier Before, bool Joins>
    requires(Stage::traits.exchanges)
struct run_step<stage_step<Stage, First, Count, Before, Joins>> {
    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        keep_order<Before>(context);
        exchange_places<First + 1, First + 2>(whole_pack(pack));
    }
};

template <class First, class... Rest>
struct run_step<fused_steps<First, Rest...>> : element_group<First, Rest...> {};

template <unsigned char Number, class... Step>
struct run_step<rolled_steps<Number, fused_steps<Step>...>> {
    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        if constexpr (sizeof...(Step) >= least_rolled && rolled_group<Step...>::template fits<Pack>)
            rolled_group<Step...>::run(context, pack);
        else
            (run_step<fused_steps<Step>>::run(context, pack), ...);
    }
};

// The counters of a loop in a persistent kernel. Every thread does, in uniform registers (thread's own take longer, measured).
// After the program one of all adds it to the state of the loop: a loop in a loop is met often, and adding there took 200 ns.
struct loop_count {
    loop_counter to;
    mutable index_t iterations = 0, entries = 0;
    mutable unsigned answer = 0;

    __device__ void go_on(index_t more) const { iterations += more; }
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
// The same of a block whose threads have no registers for it: its first thread counts, in shared memory.
struct count_of_block {
    struct counts {
        index_t iterations, entries;
        unsigned answer;
    };
    loop_counter to;
    counts* at = nullptr;

    __device__ void go_on(index_t more) const {
        if (threadIdx.x == 0) at->iterations += more;
    }
    __device__ void add(index_t more, unsigned last_answer) const {
        if (threadIdx.x == 0) *at = {at->iterations + more, at->entries + 1, last_answer};
    }
};
__device__ inline void store_count(count_of_block const& count) { store_count(loop_count{count.to, count.at->iterations, count.at->entries, count.at->answer}); }

template <class Rule, int First, int Count, barrier Before, barrier Again, class Body, class... BeforeTest>
    requires(is_loop(Rule::kind))
struct run_step<control_step<Rule, First, Count, Before, Again, Body, BeforeTest...>> {
    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        constexpr auto numbers = std::make_integer_sequence<int, Count - 1>{};
        keep_order<Before>(context);
        [[maybe_unused]] const bool overflows_outside = context.overflows;
        if constexpr (has_lengths) context.overflows = false;
        index_t iteration = 0;
        unsigned answer = Rule::kind == spec_kind::do_while ? 1u : ask(iteration, pack, numbers);
        while (goes_on<Pack>(answer)) {
            run_body(context, pack);
            (run_step<BeforeTest>::run(context, pack), ...);
            if constexpr (counts)
                iteration += Rule::every;
            else
                parameter<First>(pack).go_on(Rule::every);
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
    static constexpr bool counts = Rule::asks::counts;  // those of this time; else those of all times are enough

    // If threads have no registers to spare, and the condition does not count: all have the same answer, and if they ask their warp, the compiler knows that, and keeps
    // numbers in registers of the warp.
    template <class Pack>
    static constexpr bool is_tight = requires { requires Pack::is_tight; };
    template <class Pack>
    __device__ static bool goes_on(unsigned answer) {
        if constexpr (is_tight<Pack> && !counts)
            return __any_sync(~0u, answer == 1);
        else
            return answer == 1;
    }

    template <class Pack>
    __device__ static void run_body(auto const& context, Pack const& pack) {
        if constexpr (Rule::every == 1) {
            run_step<Body>::run(context, pack);
        } else {
#pragma unroll 1
            for (int i = 0; i < Rule::every; ++i) run_step<Body>::run(context, pack);
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
    constexpr int counts = std::is_same_v<first, loop_count> || std::is_same_v<first, count_of_block>;
    return evaluate<Test, First + counts>(pack, std::make_integer_sequence<int, Count - counts>{});
}

template <int First, int Count, barrier Before, barrier Again, class... Bodies>
struct run_step<control_step<branch, First, Count, Before, Again, Bodies...>> {
    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        keep_order<Before>(context);
        const bool taken = select<truth, First, Count>(pack);
        int body = 0;
        ((taken == (body++ == 0) ? run_step<Bodies>::run(context, pack) : void()), ...);
    }
};

template <unsigned Cases, int First, int Count, barrier Before, barrier Again, class... Bodies>
struct run_step<control_step<selection<Cases>, First, Count, Before, Again, Bodies...>> {
    template <class Pack>
    __device__ static void run(auto const& context, Pack const& pack) {
        keep_order<Before>(context);
        const unsigned selected = select<case_of<Cases>, First, Count>(pack);
        unsigned body = 0;
        ((selected == body++ ? run_step<Bodies>::run(context, pack) : void()), ...);
    }
};

}  // namespace cograph::core
