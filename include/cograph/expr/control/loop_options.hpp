// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/refused/control/loop_options.hpp>
#include <cograph/expr/variable/argument.hpp>

namespace cograph::core {

// Options of a loop, after its body: at_most(n) and check_every<k>.

// A limit: how it reaches the conditions of its loop, and its number if it is not a variable's.
template <class Argument>
struct iteration_limit {
    using argument = Argument;
    index_t most = 0;
};
template <int K>
struct test_interval {};
struct no_loop_option {};

// Ends a loop after n iterations, an integer or an integer value variable, whether its predicate holds or not.
template <class N>
    requires is_fine<decltype(diagnose_limit<N>())>
constexpr auto at_most(N n) {
    if constexpr (variable<N>)
        return iteration_limit<in_t<N>>{};
    else
        return iteration_limit<constant_extent>{less_than(index_t{PTRDIFF_MAX}, n) ? index_t{PTRDIFF_MAX} : static_cast<index_t>(n)};
}

// The same for a number that the compiler knows and checks: at_most<100>().
template <index_t N>
    requires is_fine<decltype(diagnose_limit<N>())>
constexpr auto at_most() {
    return at_most(N);
}

// The body runs K times from one test to the next, so a loop may do up to K - 1 iterations more than it needs.
template <int K>
inline constexpr test_interval<K> check_every{};

// The contents of a list of loop options.
template <class... A>
struct loop_options {
    using limit = void;
    static constexpr int every = 1;
    static constexpr int limits = 0, intervals = 0, grids = 0, blocks = 0;  // the last two by cograph/launch_shape.hpp
    template <class Rule>
    using with_shape = Rule;
    static constexpr fine fault() { return {}; }
    static constexpr index_t limit_of(A const&...) { return 0; }
};
template <class... A>
struct loop_options<no_loop_option, A...> : loop_options<A...> {
    static constexpr index_t limit_of(no_loop_option, A const&... more) { return loop_options<A...>::limit_of(more...); }
};
template <class Argument, class... A>
struct loop_options<iteration_limit<Argument>, A...> : loop_options<A...> {
    using limit = Argument;
    static constexpr int limits = loop_options<A...>::limits + 1;
    static constexpr index_t limit_of(iteration_limit<Argument> own, A const&...) { return own.most; }
};
template <int K, class... A>
struct loop_options<test_interval<K>, A...> : loop_options<A...> {
    static constexpr int every = K;
    static constexpr int intervals = loop_options<A...>::intervals + 1;
    static constexpr index_t limit_of(test_interval<K>, A const&... more) { return loop_options<A...>::limit_of(more...); }
};

template <class T>
inline constexpr bool is_loop_option = std::is_same_v<T, no_loop_option>;
template <class Argument>
inline constexpr bool is_loop_option<iteration_limit<Argument>> = true;
template <int K>
inline constexpr bool is_loop_option<test_interval<K>> = true;

}  // namespace cograph::core
