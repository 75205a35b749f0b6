// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/group_nodes.hpp>
#include <cograph/expr/algorithm/transform_reduce.hpp>

namespace cograph::core {

// A reduction whose terms are each found by a group of threads. Lanes of a tile are dealt to groups, of which the first lane has the term and
// the others the identity, so the order is that of a reduction over all lanes. A group of more lanes has tiles in a row.
template <int Size>
struct group_reduce_stage : reduce_stage {
    static constexpr launch_extent size_over_groups(const launch_request& asked) {
        constexpr int with_barriers = (Size > warp_lanes ? 15 * Size : 1024) / reduce_layout::lanes;
        const int chunks = reduce_layout(asked.elements * Size).chunks, most = asked.most_tiles < with_barriers ? asked.most_tiles : with_barriers;
        launch_extent size = size_of_tiles(chunks, (chunks + most - 1) / most, most);
        if constexpr (Size > reduce_layout::lanes) size.threads = (size.threads + Size - 1) / Size * Size;
        return size;
    }
    static constexpr node_traits traits{.rule = "per_chunk", .size = &size_over_groups, .counts_elements = true, .threads_of_group = Size,
                                        .groups_for = &one_by_one::groups_for, .reduces = true, .is_stage = true};
    template <class... P>
    static constexpr bool has_two_kernels = Size <= 2 * reduce_layout::lanes && reduce_stage::has_two_kernels<P...>;

    // The term of a lane.
    template <class N, class F, class Op, class T, class... P>
    COGRAPH_HD static T term(index_t lane, N const&, F const& f, Op const&, T const& identity, void*, reference<T> const&, P const&... p) {
        const thread_group<Size> group;
        const T found = unwrap(f)(group, lane / Size, at_element(p, lane / Size)...);
        if constexpr (Size > warp_lanes) group.sync();  // before the next element's group uses the same room
        if (lane % Size == 0) return found;
        return identity;
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class Op, class T, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, Op const& op, T const& identity, void* scratch, reference<T> out, P const&... p) {
        const thread_group<Size> group;
        const auto of_element = [&](index_t i) -> T { return unwrap(f)(group, i, at_element(p, i)...); };
        context.template reduce_groups<Size>(static_cast<index_t>(n), identity, unwrap(op), of_element, scratch, out.at);
    }
};

template <class Shape, int Size, class F, class Op, class T>
struct group_reduce_builder {
    record where;
    F function;
    Op op;
    T identity;  // or take_identity

    template <class Out, class... A>
    constexpr auto operator()(Out result, A... arguments) const {
        using element = typename Out::element;
        using domain = typename Shape::domain;
        using forms = list<domain, given<F>, given<Op>, given<element>, scratch<reduce_scratch<element>>, reference_to<Out>, as_argument_t<A>...>;
        if constexpr (takes_small_extents<F, 2, A...>)
            return with_small_extents<F, 2>([&](auto... small) { return (*this)(result, small...); }, arguments...);
        else
            return make_stage<group_reduce_stage<Size>, F, domain>(forms{}, where, 0, function, op, identity_of<element>(op, identity), 0, result, arguments...);
    }

    // Refused calls.
    template <class Out, class... A>
        requires(!is_fine<decltype(diagnose_group_reduce<Shape, Size, F, Op, T, Out, as_argument_t<A>...>())>)
    auto operator()(Out, A...) const
        -> decltype(mistake_of<struct group_reduce_node, Shape, F, Op, T, Out, A...>(diagnose_group_reduce<Shape, Size, F, Op, T, Out, as_argument_t<A>...>()));
    template <class... A>
    auto operator()(A const&...) const -> mistake<result_is_not_marked_out<A...>, struct begin_the_arguments_with_out_of_a_scalar>;
};

// out = op over f(group, i, arguments...), called by all threads of a group: transform_reduce(over(rows).group<32>(), f, plus{})(out(s), in(A)).
// All threads of a group give one value, that of the first one.
template <class Shape, int Size, class F, class Op, class T = take_identity>
constexpr group_reduce_builder<Shape, Size, F, Op, T> transform_reduce(group_shape<Shape, Size> shape, F f, Op op, T identity = {},
                                                                       const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, op, identity};
}

}  // namespace cograph::core
