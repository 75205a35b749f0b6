// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/batch/problem_pack.hpp>

namespace cograph::core {

// The program of a problem, step by step, in a context: a thread of the host, or a group of threads of a GPU, which
// synchronize at the barriers of the one kernel. Every thread has copies of the scalars and computes them alike.
COGRAPH_EXEC_CHECK_OFF
template <barrier B, class Context>
COGRAPH_HD void meet_before(Context const& context) {
    if constexpr (is_of_grid(B)) context.meet();
}

//
// is_filled: whether a context that asks finds each of its threads to have one element of each node that takes copies.
template <class Step>
struct problem_step;

template <class... Steps>
struct problem_step<steps<Steps...>> {
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Pack>
    COGRAPH_HD static void run(Context const& context, Pack const& pack) {
        (problem_step<Steps>::run(context, pack), ...);
    }
    template <class Asks, class Pack>
    COGRAPH_HD static bool is_filled(Pack const& pack) {
        return (problem_step<Steps>::template is_filled<Asks>(pack) && ...);
    }
};

template <class Stage, int First, int Count, barrier Before, bool Joins>
struct problem_step<stage_step<Stage, First, Count, Before, Joins>> {
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Pack>
    COGRAPH_HD static void run(Context const& context, Pack const& pack) {
        meet_before<Before>(context);
        call(context, pack, std::make_integer_sequence<int, Count>{});
    }
    template <class Asks, class Pack>
    COGRAPH_HD static bool is_filled(Pack const& pack) {
        return is_filled<Asks>(pack, std::make_integer_sequence<int, Count>{});
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Asks, class Pack, int... I>
    COGRAPH_HD static bool is_filled([[maybe_unused]] Pack const& pack, std::integer_sequence<int, I...>) {
        if constexpr ((__is_same(std::remove_cvref_t<decltype(held_at<First + I>(pack))>, enclosing_loop) || ...)) {
            return false;  // the number of its elements changes
        } else if constexpr ((is_copied_element<std::remove_cvref_t<decltype(held_at<First + I>(pack))>> || ...)) {
            const Asks asks;
            Stage::run(asks, held_at<First + I>(pack)...);
            return asks.fills;
        } else {
            return true;
        }
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Pack, int... I>
    COGRAPH_HD static void call(Context const& context, Pack const& pack, std::integer_sequence<int, I...>) {
        if constexpr (Stage::traits.exchanges) context.meet();  // elements move, which barriers leave out of account
        if constexpr ((is_copied_element<std::remove_cvref_t<decltype(held_at<First + I>(pack))>> || ...))
            Stage::run(context.of_one_element(), held_at<First + I>(pack)...);
        else
            Stage::run(context.of_stages(), held_at<First + I>(pack)...);
        if constexpr (Stage::traits.counts_elements) {
            const index_t n = static_cast<index_t>(held_at<First>(pack));
            (write_through(context, n, held_at<First + I>(pack)), ...);
            // No barrier after a reduction, which has one before it writes in this way.
            if constexpr (Stage::traits.exchanges) context.meet();
            if constexpr (Stage::traits.reduces && (writes_through<std::remove_cvref_t<decltype(held_at<First + I>(pack))>> || ...)) context.meet();
        }
    }
};

// Nodes over the same elements: a thread has the same ones in each.
template <class... Steps>
struct problem_step<fused_steps<Steps...>> : problem_step<steps<Steps...>> {};
template <unsigned char Number, class... Groups>
struct problem_step<rolled_steps<Number, Groups...>> : problem_step<steps<Groups...>> {};

template <class Rule, int First, int Count, barrier Before, barrier Again, class Body, class... BeforeTest>
    requires(is_loop(Rule::kind))
struct problem_step<control_step<Rule, First, Count, Before, Again, Body, BeforeTest...>> {
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Pack>
    COGRAPH_HD static void run(Context const& context, Pack const& pack) {
        constexpr auto numbers = std::make_integer_sequence<int, Count - 1>{};
        meet_before<Before>(context);
        [[maybe_unused]] bool& overflows = context.of_stages().overflows;
        [[maybe_unused]] const bool overflows_outside = overflows;
        if constexpr (has_lengths) overflows = false;
        index_t iteration = 0;
        unsigned answer = Rule::kind == spec_kind::do_while ? 1u : ask(iteration, pack, numbers);
        while (answer == 1) {
            for (int i = 0; i < Rule::every; ++i) problem_step<Body>::run(context, pack);
            (problem_step<BeforeTest>::run(context, pack), ...);
            iteration += Rule::every;
            meet_before<Again>(context);
            answer = ask(iteration, pack, numbers);
            if constexpr (has_lengths)
                if (overflows) answer = overflow_answer;
        }
        if constexpr (has_lengths) overflows = overflows_outside;
        held_at<First>(pack).add(iteration, answer);
    }
    template <class Asks, class Pack>
    COGRAPH_HD static bool is_filled(Pack const& pack) {
        return (problem_step<Body>::template is_filled<Asks>(pack) && ... && problem_step<BeforeTest>::template is_filled<Asks>(pack));
    }

private:
    static constexpr bool has_lengths = requires { Rule::has_lengths; };
    COGRAPH_EXEC_CHECK_OFF
    template <class Pack, int... I>
    COGRAPH_HD static unsigned ask(index_t iteration, Pack const& pack, std::integer_sequence<int, I...>) {
        return Rule::asks::of(iteration, held_at<First + 1 + I>(pack)...);
    }
};

// The condition of a branch; if it contains loops, an unused count comes first.
COGRAPH_EXEC_CHECK_OFF
template <class Test, int First, class Pack, int... I>
COGRAPH_HD unsigned select_of_problem(Pack const& pack, std::integer_sequence<int, I...>) {
    return Test::of(held_at<First + I>(pack)...);
}
COGRAPH_EXEC_CHECK_OFF
template <class Test, int First, int Count, class Pack>
COGRAPH_HD unsigned select_of_problem(Pack const& pack) {
    constexpr int counts = __is_same(std::remove_cvref_t<decltype(held_at<First>(pack))>, problem_count);
    return select_of_problem<Test, First + counts>(pack, std::make_integer_sequence<int, Count - counts>{});
}

template <int First, int Count, barrier Before, barrier Again, class... Bodies>
struct problem_step<control_step<branch, First, Count, Before, Again, Bodies...>> {
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Pack>
    COGRAPH_HD static void run(Context const& context, Pack const& pack) {
        meet_before<Before>(context);
        const bool taken = select_of_problem<truth, First, Count>(pack);
        int body = 0;
        ((taken == (body++ == 0) ? problem_step<Bodies>::run(context, pack) : void()), ...);
    }
    template <class Asks, class Pack>
    COGRAPH_HD static bool is_filled(Pack const& pack) {
        return (problem_step<Bodies>::template is_filled<Asks>(pack) && ...);
    }
};

template <unsigned Cases, int First, int Count, barrier Before, barrier Again, class... Bodies>
struct problem_step<control_step<selection<Cases>, First, Count, Before, Again, Bodies...>> {
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Pack>
    COGRAPH_HD static void run(Context const& context, Pack const& pack) {
        meet_before<Before>(context);
        const unsigned selected = select_of_problem<case_of<Cases>, First, Count>(pack);
        unsigned body = 0;
        ((selected == body++ ? problem_step<Bodies>::run(context, pack) : void()), ...);
    }
    template <class Asks, class Pack>
    COGRAPH_HD static bool is_filled(Pack const& pack) {
        return (problem_step<Bodies>::template is_filled<Asks>(pack) && ...);
    }
};

}  // namespace cograph::core
