// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/predicate.hpp>

namespace cograph::core {

// The code of a condition: the value that a loop or branch is set to, from parameters P...
template <class Condition, class... P>
struct condition_code {};

// Whether to go on, or which of two branches.
struct truth {
    COGRAPH_EXEC_CHECK_OFF
    template <class F, class... P>
    COGRAPH_HD static unsigned of(F const& f, P const&... p) {
        return unwrap(f)(unwrap(p)...) ? 1u : 0u;
    }
};

// Which of N cases; N where the selector names none.
template <unsigned N>
struct case_of {
    COGRAPH_EXEC_CHECK_OFF
    template <class F, class... P>
    COGRAPH_HD static unsigned of(F const& f, P const&... p) {
        const auto selected = unwrap(f)(unwrap(p)...);
        return less_than(selected, 0) || !less_than(selected, N) ? N : static_cast<unsigned>(selected);
    }
};

// The first test of do_while.
struct always {
    COGRAPH_EXEC_CHECK_OFF
    template <class... P>
    COGRAPH_HD static unsigned of(P const&...) {
        return 1u;
    }
};

// The tests of repeat: the first sets the counter, the others advance it.
struct first_round {
    COGRAPH_EXEC_CHECK_OFF
    template <class N>
    COGRAPH_HD static unsigned of(reference<index_t> counter, N const& rounds) {
        *counter.at = 0;
        return less_than(0, unwrap(rounds)) ? 1u : 0u;
    }
};
struct next_round {
    COGRAPH_EXEC_CHECK_OFF
    template <class N>
    COGRAPH_HD static unsigned of(reference<index_t> counter, N const& rounds) {
        return less_than(++*counter.at, unwrap(rounds)) ? 1u : 0u;
    }
};

}  // namespace cograph::core
