// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/batch/problem_pack.hpp>

namespace cograph::core {

// The program of a problem, step by step, in a context: a thread of the host, or a group of threads of a GPU, which
// synchronize at the barriers of the one kernel. Every thread has copies of the scalars and computes them alike.
COGRAPH_EXEC_CHECK_OFF
template <barrier B, class Context>
COGRAPH_HD void meet_before(Context const& context) {
    if constexpr (B == barrier::grid) context.meet();
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
            for (int pass = 0; pass < Rule::every; ++pass) problem_step<Body>::run(context, pack);
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

// A parameter of a problem whose threads have one element at most: that of a copy leads there.
template <bool Through, class P>
struct copied_parameter;
template <class T>
struct copied_parameter<false, element_pointer<T>> {
    using type = own_element<T>;
};
template <class T>
struct copied_parameter<true, element_pointer<T>> {
    using type = through_element<T>;
};
template <int Copy, class P>
struct parameter_of_thread {
    using type = typename copied_parameter<Copy % 2 == 1, P>::type;
};
template <class P>
struct parameter_of_thread<-1, P> {
    using type = problem_parameter<P>;
};

// One problem as a whole.
template <class Steps, class... Inner, int... From, class... Scalar, int... ScalarCode, int... Copy, class... Element, int... ElementCode, int... Unequal, int... Report>
struct problem_program<Steps, list<Inner...>, std::integer_sequence<int, From...>, list<Scalar...>, std::integer_sequence<int, ScalarCode...>,
                       std::integer_sequence<int, Copy...>, list<Element...>, std::integer_sequence<int, ElementCode...>, std::integer_sequence<int, Unequal...>,
                       std::integer_sequence<int, Report...>> {
    using scalar_numbers = std::make_integer_sequence<int, sizeof...(Scalar)>;
    using copies = copies_of<scalar_numbers, Scalar...>;
    using element_numbers = std::make_integer_sequence<int, sizeof...(Element)>;
    using elements = copies_of<element_numbers, Element...>;
    static constexpr bool keeps_elements = sizeof...(Element) > 0;

    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Batch>
    COGRAPH_HD static void run(Context const& context, Batch const& batch, index_t q, char* place) {
        if (has_no_part(context, batch, q)) return;
        copies own;
        take(own, batch, q, scalar_numbers{});
        const pack_of<problem_parameter<Inner>...> pack(parameter_of_problem<From, Inner>(batch, own, q, place)...);
        problem_step<Steps>::run(context, pack);
        context.meet();
        if (!context.leads()) return;
        give(own, batch, q, scalar_numbers{});
        (report<Report>(batch, pack, q), ...);
    }

    // Whether each of a number of threads has at most one element of all that it may keep copies of.
    template <class Batch>
    COGRAPH_HD static bool has_one_element([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t threads) {
        return keeps_elements && ((held_at<place_in(ElementCode / 8) + 1>(batch) <= threads) && ...);
    }
    // The same if it does.
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Batch>
    COGRAPH_HD static void run_one_element(Context const& context, Batch const& batch, index_t q, char* place) {
        if (has_no_part(context, batch, q)) return;
        copies own;
        elements own_elements;
        take(own, batch, q, scalar_numbers{});
        fill(context.rank(), own_elements, batch, q, place, element_numbers{});
        const pack_of<typename parameter_of_thread<Copy, Inner>::type...> pack(one_element_parameter<From, Copy, Inner>(batch, own, own_elements, q, place)...);
        if constexpr (Context::has_one_tile) {
            if (problem_step<Steps>::template is_filled<typename Context::asks_whether_filled>(pack))
                problem_step<Steps>::run(typename Context::filled{}, pack);
            else
                problem_step<Steps>::run(context, pack);
        } else {
            problem_step<Steps>::run(context, pack);
        }
        context.meet();
        empty(context.rank(), own_elements, batch, q, place, element_numbers{});
        if (!context.leads()) return;
        give(own, batch, q, scalar_numbers{});
        (report<Report>(batch, pack, q), ...);
    }

private:
    // A problem with a part that is not in its array, or too long, is not solved.
    template <class Context, class Batch>
    COGRAPH_HD static bool has_no_part([[maybe_unused]] Context const& context, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr (sizeof...(Unequal) > 0) {
            if ((is_part<place_in(Unequal)>(batch, q) && ...)) return false;
            if (context.leads()) ((held_at<Report % most_parameters_of_batch>(batch)[q] = {0, 0, ending::overflow}), ...);
            return true;
        } else {
            return false;
        }
    }
    template <int Code, class Batch, class Pack>
    COGRAPH_HD static void report(Batch const& batch, Pack const& pack, index_t q) {
        const problem_count& count = held_at<Code / most_parameters_of_batch>(pack);
        held_at<Code % most_parameters_of_batch>(batch)[q] = {count.iterations, static_cast<unsigned>(count.entries), count.entries == 0 ? ending::none : ending_for(count.answer)};
    }
    template <class Batch, int... S>
    COGRAPH_HD static void take([[maybe_unused]] copies& own, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, std::integer_sequence<int, S...>) {
        (take_one<ScalarCode / 2>(copy_at<S>(own), batch, q), ...);
    }
    template <int Code, class Copied, class Batch>
    COGRAPH_HD static void take_one([[maybe_unused]] Copied& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr (how_of(Code) == origin::element) copy.take(held_at<place_in(Code)>(batch)[q]);
        if constexpr (how_of(Code) == origin::given) copy.take(*held_at<place_in(Code)>(batch).at);
    }
    template <class Batch, int... S>
    COGRAPH_HD static void give([[maybe_unused]] copies& own, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, std::integer_sequence<int, S...>) {
        (give_one<ScalarCode>(copy_at<S>(own), batch, q), ...);
    }
    template <int Code, class Copied, class Batch>
    COGRAPH_HD static void give_one([[maybe_unused]] Copied const& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr (Code % 2 == 1) copy.give(held_at<place_in(Code / 2)>(batch)[q]);
    }

    template <int Code, class T, class Batch>
    COGRAPH_HD static T* memory_of(Batch const& batch, index_t q, char* place) {
        if constexpr (how_of(Code) == origin::slice)
            return const_cast<T*>(held_at<place_in(Code)>(batch) + q * held_at<place_in(Code) + 1>(batch));
        else if constexpr (how_of(Code) == origin::distant)
            return const_cast<T*>(held_at<place_in(Code)>(batch) + q * held_at<place_in(Code) + 2>(batch));
        else if constexpr (how_of(Code) == origin::between)
            return const_cast<T*>(held_at<place_in(Code)>(batch) + static_cast<index_t>(held_at<place_in(Code) + 2>(batch)[q]));
        else if constexpr (how_of(Code) == origin::own_temp)
            return reinterpret_cast<T*>(place + held_at<place_in(Code)>(batch));
        else
            return const_cast<T*>(held_at<place_in(Code)>(batch));
    }
    template <int Code, class Batch>
    COGRAPH_HD static bool has_element([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, index_t i) {
        if constexpr (how_of(Code) == origin::between)
            return i < static_cast<index_t>(held_at<place_in(Code) + 2>(batch)[q + 1]) - static_cast<index_t>(held_at<place_in(Code) + 2>(batch)[q]);
        else
            return i < held_at<place_in(Code) + 1>(batch);
    }
    template <int FromCode, int CopyCode, class P, class Batch>
    COGRAPH_HD static auto one_element_parameter(Batch const& batch, copies& own, [[maybe_unused]] elements& own_elements, index_t q, char* place) {
        using type = typename parameter_of_thread<CopyCode, P>::type;
        if constexpr (CopyCode < 0)
            return parameter_of_problem<FromCode, P>(batch, own, q, place);
        else if constexpr (CopyCode % 2 == 1)
            return type{&copy_at<CopyCode / 2>(own_elements).value, parameter_of_problem<FromCode, P>(batch, own, q, place).at};
        else
            return type{&copy_at<CopyCode / 2>(own_elements).value};
    }
    template <class Batch, int... C>
    COGRAPH_HD static void fill(index_t i, elements& own, Batch const& batch, index_t q, char* place, std::integer_sequence<int, C...>) {
        (fill_one<ElementCode, Element>(i, copy_at<C>(own), batch, q, place), ...);
    }
    template <int Code, class T, class Copied, class Batch>
    COGRAPH_HD static void fill_one([[maybe_unused]] index_t i, [[maybe_unused]] Copied& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, [[maybe_unused]] char* place) {
        if constexpr ((Code & copy_filled) != 0)
            if (has_element<Code / 8>(batch, q, i)) copy.take(memory_of<Code / 8, T>(batch, q, place)[i]);
    }
    template <class Batch, int... C>
    COGRAPH_HD static void empty(index_t i, elements& own, Batch const& batch, index_t q, char* place, std::integer_sequence<int, C...>) {
        (empty_one<ElementCode, Element>(i, copy_at<C>(own), batch, q, place), ...);
    }
    template <int Code, class T, class Copied, class Batch>
    COGRAPH_HD static void empty_one([[maybe_unused]] index_t i, [[maybe_unused]] Copied const& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, [[maybe_unused]] char* place) {
        if constexpr ((Code & copy_at_end) != 0)
            if (has_element<Code / 8>(batch, q, i)) copy.give(memory_of<Code / 8, T>(batch, q, place)[i]);
    }
};

}  // namespace cograph::core
