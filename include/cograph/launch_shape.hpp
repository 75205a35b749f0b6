// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/all_but_operators.hpp>
#include <cograph/expr/refused/control/launch_shape.hpp>

// The launch shape of a loop that is one kernel, as loop options: loop_while(p, body, grid_of<whole_device>, block_of<512>).

namespace cograph::core {

template <int Blocks>
struct grid_option {};
template <int Threads>
struct block_option {};

// A block on each SM.
inline constexpr int whole_device = -1;

// A number of blocks. They must run at the same time: instantiate throws if the GPU cannot run as many.
template <int Blocks>
inline constexpr grid_option<Blocks> grid_of{};
// Blocks of 256, 512, 768 or 1024 threads; more if a group of threads in the loop is larger.
template <int Threads>
inline constexpr block_option<Threads> block_of{};

template <int Blocks>
inline constexpr bool is_loop_option<grid_option<Blocks>> = true;
template <int Threads>
inline constexpr bool is_loop_option<block_option<Threads>> = true;

template <class Rule, int Grid, int Block>
struct shaped {
    using type = rule_with_shape<Rule, Grid, Block>;
};
template <class Rule, int OldGrid, int OldBlock, int Grid, int Block>
struct shaped<rule_with_shape<Rule, OldGrid, OldBlock>, Grid, Block> {
    using type = rule_with_shape<Rule, (Grid != 0 ? Grid : OldGrid), (Block != 0 ? Block : OldBlock)>;
};
template <int Blocks, class... A>
struct loop_options<grid_option<Blocks>, A...> : loop_options<A...> {
    static constexpr int grids = loop_options<A...>::grids + 1;
    static constexpr auto fault() { return diagnose_grid<Blocks, loop_options<A...>>(); }
    template <class Rule>
    using with_shape = typename shaped<typename loop_options<A...>::template with_shape<Rule>, Blocks, 0>::type;
    static constexpr index_t limit_of(grid_option<Blocks>, A const&... more) { return loop_options<A...>::limit_of(more...); }
};
template <int Threads, class... A>
struct loop_options<block_option<Threads>, A...> : loop_options<A...> {
    static constexpr int blocks = loop_options<A...>::blocks + 1;
    static constexpr auto fault() { return diagnose_block<Threads, loop_options<A...>>(); }
    template <class Rule>
    using with_shape = typename shaped<typename loop_options<A...>::template with_shape<Rule>, 0, Threads>::type;
    static constexpr index_t limit_of(block_option<Threads>, A const&... more) { return loop_options<A...>::limit_of(more...); }
};

// Loops with more than two options, and repeat with more than one.
template <class P, class Body, class First, class Second, class Third, class Fourth = no_loop_option>
    requires(is_loop_option<Third> && is_loop_option<Fourth> && is_fine<decltype(diagnose_loop<while_loop, P, Body, First, Second, Third, Fourth>())>)
constexpr auto loop_while(P p, Body const& body, First first, Second second, Third third, Fourth fourth = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_loop<while_loop>(file, line, as_predicate(p), body, first, second, third, fourth);
}
template <class Body, class P, class First, class Second, class Third, class Fourth = no_loop_option>
    requires(is_loop_option<Third> && is_loop_option<Fourth> && is_fine<decltype(diagnose_loop<do_loop, P, Body, First, Second, Third, Fourth>())>)
constexpr auto do_while(Body const& body, P p, First first, Second second, Third third, Fourth fourth = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_loop<do_loop>(file, line, as_predicate(p), body, first, second, third, fourth);
}
template <class N, class Body, class First, class Second, class Third = no_loop_option>
    requires(is_loop_option<Second> && is_loop_option<Third> && is_fine<decltype(diagnose_repeat<N, Body, First, Second, Third>())>)
constexpr auto repeat(N n, Body const& body, First first, Second second, Third third = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_loop<counted_loop>(file, line, as_iteration_count(n), body, first, second, third);
}

}  // namespace cograph::core

namespace cograph {

using core::block_of;
using core::grid_of;
using core::whole_device;

}  // namespace cograph
