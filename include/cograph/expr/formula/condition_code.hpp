// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/predicate.hpp>

namespace cograph::core {

// The code of a condition: the value that a loop or branch is set to, from parameters P...
template <class Condition, class... P>
struct condition_code {};

// Whether to go on, or which of two branches.
struct truth {
    template <class F, class... P>
    COGRAPH_HD static unsigned of(F const& f, P const&... p) {
        return unwrap(f)(unwrap(p)...) ? 1u : 0u;
    }
};

// Which of N cases; N if the selector names none.
template <unsigned N>
struct case_of {
    template <class F, class... P>
    COGRAPH_HD static unsigned of(F const& f, P const&... p) {
        const auto selected = unwrap(f)(unwrap(p)...);
        return less_than(selected, 0) || !less_than(selected, N) ? N : static_cast<unsigned>(selected);
    }
};

// The same of a branch with loops in it.
template <class Test>
struct clears_below {
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter below, P const&... p) {
        below.clear();
        return Test::of(p...);
    }
};

// The test of a loop, after a number of iterations.
struct predicate_holds {
    static constexpr bool counts = false;
    template <class... P>
    COGRAPH_HD static bool of(index_t, P const&... p) {
        return truth::of(p...) != 0;
    }
};
struct iterations_are_left {
    static constexpr bool counts = true;
    template <class N>
    COGRAPH_HD static bool of(index_t iteration, N const& count) {
        return less_than(iteration, unwrap(count));
    }
    template <class F, class First, class... P>
    COGRAPH_HD static bool of(index_t iteration, F const& count, First const& first, P const&... p) {
        return less_than(iteration, unwrap(count)(unwrap(first), unwrap(p)...));
    }
};
// The same with a limit before its parameters. The answer: 0 no, 1 go on, 2 the limit.
template <class Test, bool Limited>
struct loop_test {
    static constexpr bool counts = Limited || Test::counts;
    template <class... P>
    COGRAPH_HD static unsigned of(index_t iteration, P const&... p) {
        return Test::of(iteration, p...) ? 1u : 0u;
    }
};
template <class Test>
struct loop_test<Test, true> {
    static constexpr bool counts = true;
    template <class L, class... P>
    COGRAPH_HD static unsigned of(index_t iteration, L const& limit, P const&... p) {
        if (!Test::of(iteration, p...)) return 0u;
        return less_than(iteration, unwrap(limit)) ? 1u : 2u;
    }
};

// The first test of do_while.
template <bool Counts>
struct first_iteration {
    static constexpr bool counts = Counts;
    COGRAPH_HD static unsigned of(index_t) { return 1u; }
};

// The condition of a loop on entry, and the one after every Every iterations of its body.
template <class Test>
struct loop_is_met {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        loop.enter();
        if constexpr (Test::counts) loop.at->iteration = 0;
        const unsigned answer = Test::of(0, p...);
        if (answer != 1) loop.leave(0, answer);
        return answer;
    }
};
// Lengths: whether nodes in the body may find that there are more elements than fit.
template <class Test, int Every, bool Lengths = false>
struct loop_goes_on {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        index_t iteration = 0;
        if constexpr (Test::counts)
            loop.at->iteration = iteration = loop.at->iteration + Every;
        else
            loop_counter::add(loop.at->iterations, Every);
        unsigned answer = Test::of(iteration, p...);
        if constexpr (Lengths) {
            if (loop.at->over_from != 0) answer = overflow_answer;
            loop.at->over_from = 0;
        }
        if (answer != 1) loop.leave(iteration, answer);
        return answer;
    }
};

// The same of a loop that is unrolled: its conditional node decides about some iterations at once, and between them is a test.
struct iterations_to_run {
    static constexpr unsigned all = ~0u;
    COGRAPH_HD static bool are_left(loop_counter loop) { return loop.at->over_from > loop.resets; }
};
template <class Condition>
struct meets_unrolled {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        const unsigned answer = Condition::of(loop, p...);  // which clears the state
        loop.at->over_from = iterations_to_run::all;
        return answer;
    }
};
template <class Condition>
struct test_of_unrolled {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        return loop.at->over_from == iterations_to_run::all ? Condition::of(loop, p...) : 0u;
    }
};

// The value for a conditional node.
template <class Condition>
COGRAPH_HD constexpr unsigned setting(unsigned answer) {
    if constexpr (requires { Condition::of_loop; })
        return answer == 1 ? 1u : 0u;
    else
        return answer;
}

}  // namespace cograph::core
