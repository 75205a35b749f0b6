// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/group_reduce.hpp>
#include <cograph/expr/refused/iteration/first_nodes.hpp>

namespace cograph::core {

// How many of the elements that there is room for a length says, and whether it says more.
struct first_elements {
    index_t count = 0;
    bool overflows = false;

    template <class T>
    COGRAPH_HD constexpr first_elements(T said, index_t capacity) {
        if (less_than(capacity, said)) {
            count = capacity;
            overflows = capacity > 0;
        } else if (less_than(0, said)) {
            count = static_cast<index_t>(said);
        }
    }
};

// Stage over the first elements of its domain alone. After the domain come a scalar with their number, and the loop
// that ends if the number exceeds the capacity. A kernel has threads for the whole domain, and those of elements that
// do not run exit; a part of a larger kernel runs only the first elements. The order of a reduction follows from that
// number alone.
template <class Stage>
struct first_of : Stage {
    static constexpr node_traits traits = Stage::traits.with_length();

    template <class N, class T, class... P>
    COGRAPH_HD static void at(index_t i, N const& capacity, reference<T> said, enclosing_loop loop, P const&... p) {
        const first_elements n(*said.at, static_cast<index_t>(capacity));
        if (i == 0 && n.overflows) loop.overflows();
        if (i < n.count) Stage::at(i, n.count, p...);
    }
    template <int Size, class N, class T, class... P>
    COGRAPH_HD static void at(thread_group<Size> const& group, index_t i, N const& capacity, reference<T> said, enclosing_loop loop, P const&... p) {
        const first_elements n(*said.at, static_cast<index_t>(capacity));
        if (i == 0 && n.overflows) loop.overflows();
        if (i < Stage::threads::groups_for(n.count)) Stage::at(group, i, n.count, p...);
    }
    template <class N, class T, class... P>
    COGRAPH_HD static auto term(index_t i, N const& capacity, reference<T>, enclosing_loop, P const&... p) {
        return Stage::term(i, capacity, p...);
    }

    // How many run, in a context. One that has several nodes tells its loops itself.
    template <class Context, class N, class T>
    COGRAPH_HD static first_elements elements(Context const& context, N const& capacity, reference<T> said, enclosing_loop loop) {
        const first_elements n(*said.at, static_cast<index_t>(capacity));
        if (n.overflows) {
            if constexpr (requires { context.overflows; })
                context.overflows = true;
            else
                loop.overflows();
        }
        return n;
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class T, class... P>
    COGRAPH_HD static void run(Context const& context, N capacity, reference<T> said, enclosing_loop loop, P const&... p) {
        const index_t n = elements(context, capacity, said, loop).count;
        if constexpr (requires { for_a_part(context); })
            Stage::run(for_a_part(context), n, p...);
        else
            Stage::run(context, n, p...);
    }
};

// The common first parameters of nodes over first elements.
template <class Shape, class Length>
using first_arguments = list<typename Shape::domain, in_t<Length>, tells_the_loop>;

// A shape over elements, without the length that only the device knows.
template <class Shape>
struct whole_shape {
    using type = Shape;
};
template <class Shape, class Length>
struct whole_shape<first_shape<Shape, Length>> {
    using type = Shape;
};
template <class Shape>
using whole_shape_t = typename whole_shape<Shape>::type;

template <class Shape>
struct arguments_of_first;
template <class Shape, class Length>
struct arguments_of_first<first_shape<Shape, Length>> {
    using type = first_arguments<Shape, Length>;
    using length = Length;
};
template <class Shape>
using first_arguments_of = typename arguments_of_first<Shape>::type;
template <class Shape>
using length_of_shape = typename arguments_of_first<Shape>::length;

// A stage over first elements that waits for its arguments; Leads: the number of the function's parameters before
// those.
template <class Stage, int Leads, class Shape, class Length, class F>
struct first_builder {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using domain = typename Shape::domain;
        if constexpr (takes_small_extents<F, Leads, A...>)
            return with_small_extents<F, Leads>(*this, arguments...);
        else if constexpr (is_stateless<F>)
            return make_stage<first_of<stateless<Stage, F>>, F, domain>(first_arguments<Shape, Length>{} + list<as_argument_t<A>...>{}, where, 0, Length{}, 0, arguments...);
        else
            return make_stage<first_of<Stage>, F, domain>(first_arguments<Shape, Length>{} + list<given<F>, as_argument_t<A>...>{}, where, 0, Length{}, 0, function, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_first_call<Stage, Shape, F, as_argument_t<A>...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct first_node, Stage, Shape, F, A...>(diagnose_first_call<Stage, Shape, F, as_argument_t<A>...>()));
};

// A reduction over first elements.
template <class Stage, int Leads, class Shape, class Length, class F, class Op, class T>
struct first_reduce_builder {
    record where;
    F function;
    Op op;
    T identity;

    template <class Out, class... A>
    constexpr auto operator()(Out result, A... arguments) const {
        using element = typename Out::element;
        using forms = list<given<F>, given<Op>, given<element>, scratch<reduce_scratch<element>>, reference_to<Out>, as_argument_t<A>...>;
        if constexpr (takes_small_extents<F, Leads, A...>)
            return with_small_extents<F, Leads>([&](auto... small) { return (*this)(result, small...); }, arguments...);
        else
            return make_stage<first_of<Stage>, F, typename Shape::domain>(first_arguments<Shape, Length>{} + forms{}, where, 0, Length{}, 0, function, op,
                                                                          identity_of<element>(op, identity), 0, result, arguments...);
    }

    // Refused calls.
    template <class Out, class... A>
        requires(!is_fine<decltype(diagnose_first_reduce<Stage, Shape, F, Op, T, Out, as_argument_t<A>...>())>)
    auto operator()(Out, A...) const
        -> decltype(mistake_of<struct reduce_node, Stage, Shape, F, Op, T, Out, A...>(diagnose_first_reduce<Stage, Shape, F, Op, T, Out, as_argument_t<A>...>()));
    template <class... A>
    auto operator()(A const&...) const -> mistake<result_is_not_marked_out<A...>, struct begin_the_arguments_with_out_of_a_scalar>;
};

// f(i, arguments...) for i in [0, n). The scalar n has been computed by the device before:
// for_each(over(x).first(n), f)(…).
template <class Shape, class Length, class F>
constexpr first_builder<for_each_stage, 1, Shape, Length, F> for_each(first_shape<Shape, Length> shape, F f, const char* file = __builtin_FILE(),
                                                                      unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f};
}
// f(group, i, arguments...) for i in [0, n).
template <class Shape, class Length, int Size, class F>
constexpr first_builder<group_stage<Size>, 2, Shape, Length, F> for_each(group_shape<first_shape<Shape, Length>, Size> shape, F f,
                                                                         const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f};
}
// out = op over f(i, arguments...) for i in [0, n); the identity if n is not positive.
template <class Shape, class Length, class F, class Op, class T = take_identity>
constexpr first_reduce_builder<reduce_stage, 1, Shape, Length, F, Op, T> transform_reduce(first_shape<Shape, Length> shape, F f, Op op, T identity = {},
                                                                                          const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, op, identity};
}
// out = op over f(group, i, arguments...) for i in [0, n).
template <class Shape, class Length, int Size, class F, class Op, class T = take_identity>
constexpr first_reduce_builder<group_reduce_stage<Size>, 2, Shape, Length, F, Op, T> transform_reduce(group_shape<first_shape<Shape, Length>, Size> shape, F f, Op op,
                                                                                                      T identity = {}, const char* file = __builtin_FILE(),
                                                                                                      unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, op, identity};
}

}  // namespace cograph::core
