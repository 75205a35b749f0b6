// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/function/thread_group.hpp>
#include <cograph/expr/refused/algorithm/group_nodes.hpp>

namespace cograph::core {

// How elements are dealt to groups: a group for each.
struct one_by_one {
    COGRAPH_HD static constexpr index_t groups_for(index_t elements) { return elements; }
};
// As many threads as make the groups of Size that Deal says. In blocks of more than 15 groups, some would have no barrier.
template <int Size, class Deal = one_by_one>
struct groups_of_threads : Deal {
    static constexpr int size = Size;
    static constexpr int most_in_block = Size > warp_lanes ? 15 : 1024 / Size;

    static constexpr launch_extent size_over_groups(const launch_request& asked) {
        const int whole = static_cast<int>(asked.block) / Size;
        const int groups = whole < 1 ? 1 : whole > most_in_block ? most_in_block : whole;
        return {asked.elements > 0 ? (Deal::groups_for(asked.elements) + groups - 1) / groups : 1, static_cast<unsigned>(groups * Size)};
    }
};

// call(i) for i in [0, groups): a context of a device has groups of threads; one of the host is a group.
COGRAPH_EXEC_CHECK_OFF
template <class Context, int Size, class F>
COGRAPH_HD void run_groups(Context const& context, thread_group<Size> const& group, index_t groups, F const& call) {
    if constexpr (requires { context.each_of_groups(group, groups, call); })
        context.each_of_groups(group, groups, call);
    else
        context.each(groups, call);
}

// Whether a function object has its work for an element in two parts as well: `finish` takes what `prepare` gives. In a persistent kernel, `prepare`
// runs between the arrival at the barrier before a node and the wait.
template <class F, int Size, class... P>
inline constexpr bool has_two_parts =
    requires(thread_group<Size> const& group, index_t i, F const& f, P const&... p) { unwrap(f).finish(group, i, unwrap(f).prepare(group, i, at_element(p, i)...), at_element(p, i)...); };

template <int Size>
struct group_stage {
    using threads = groups_of_threads<Size>;
    static constexpr node_traits traits{.rule = "per_group", .size = &threads::size_over_groups, .takes_shape = true, .counts_elements = true, .threads_of_group = Size, .groups_for = &threads::groups_for, .is_stage = true};

    // The function object of a group, called for one element.
    template <class N, class F, class... P>
    COGRAPH_HD static void at(thread_group<Size> const& group, index_t i, N const&, F const& f, P const&... p) {
        unwrap(f)(group, i, at_element(p, i)...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, P const&... p) {
        const thread_group<Size> group;
        const index_t groups = threads::groups_for(static_cast<index_t>(n));
        if constexpr (requires { context.before_barrier; })
            run_in_parts(context, group, groups, 0, f, p...);
        else
            run_groups(context, group, groups, [&](index_t i) { at(group, i, n, f, p...); });
    }

    template <class N, class F, class... P>
    static constexpr bool has_parts = has_two_parts<F, Size, P...>;
    template <class Context, class F, class... P>
    COGRAPH_HD static void run_in_parts(Context const& context, thread_group<Size> const& group, index_t groups, unsigned bytes, F const& f, P const&... p) {
        context.each_of_groups(
            group, groups, bytes, [&](index_t i) { return unwrap(f).prepare(group, i, at_element(p, i)...); },
            [&](index_t i, auto const& prepared) { unwrap(f).finish(group, i, prepared, at_element(p, i)...); });
    }
};
template <int Size, class F>
struct stateless<group_stage<Size>, F> : group_stage<Size> {
    template <class N, class... P>
    COGRAPH_HD static void at(thread_group<Size> const& group, index_t i, N const&, P const&... p) {
        F()(group, i, at_element(p, i)...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N const& n, P const&... p) {
        group_stage<Size>::run(context, n, made_on_use<F>{}, p...);
    }
    template <class N, class... P>
    static constexpr bool has_parts = has_two_parts<made_on_use<F>, Size, P...>;
};

// A stage of groups that waits for its arguments.
template <int Size, class Shape, class F>
struct group_builder {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using domain = typename Shape::domain;
        if constexpr (takes_small_extents<F, 2, A...>)
            return with_small_extents<F, 2>(*this, arguments...);
        else if constexpr (is_stateless<F>)
            return make_stage<stateless<group_stage<Size>, F>, F, domain>(list<domain, as_argument_t<A>...>{}, where, 0, arguments...);
        else
            return make_stage<group_stage<Size>, F, domain>(list<domain, given<F>, as_argument_t<A>...>{}, where, 0, function, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!(element_shape_type<Shape> && group_call<F, Size, as_argument_t<A>...>))
    auto operator()(A...) const -> decltype(mistake_of<struct group_node, Shape, F, A...>(diagnose_group_call<Shape, F, Size, as_argument_t<A>...>()));
};

// f(group, i, arguments...) for every i in the shape, called by all threads of a group:
// for_each(over(rows).group<32>(), f)(in(A), out(y[each])). All threads of a group must write the same value to one
// place, or only one of them may write it.
template <class Shape, int Size, class F>
constexpr group_builder<Size, Shape, F> for_each(group_shape<Shape, Size> shape, F f, const char* file = __builtin_FILE(),
                                                 unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f};
}

}  // namespace cograph::core
