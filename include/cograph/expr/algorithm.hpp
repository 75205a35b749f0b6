// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/functional.hpp>
#include <cograph/expr/operators.hpp>
#include <cograph/expr/stage.hpp>

namespace cograph {

template <class Stage, class Key, class Domain, class... A, class... V>
constexpr stage_node<Stage, Key, Domain, A...> make_stage(list<A...>, record where, V const&... values) {
    return {{where}, keep_pieces(keep_part<A>(values)...)};
}

// A stage that waits for its arguments; Lead... are the forms of the parameters in front of them.
template <class Stage, class Key, class Shape, class F>
struct element_stage {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using domain = typename Shape::domain;
        static_cast<void>(require<decltype(diagnose_call<F, index_t, as_argument_t<A>...>())>{});
        if constexpr (given<F>::stateless)
            return make_stage<stateless<Stage, F>, Key, domain>(list<domain, as_argument_t<A>...>{}, where, 0, arguments...);
        else
            return make_stage<Stage, Key, domain>(list<domain, given<F>, as_argument_t<A>...>{}, where, 0, function, arguments...);
    }
};

// f(i, arguments...) for every i in the shape: for_each(over(x), f)(in(p), in(x[each]), out(y[each])). Buffers arrive as
// pointers, x[each] as a reference to element i, scalars as references, values and views by value. Elements may run in any order and at once.
template <class Shape, class F>
    requires(Shape::rule == launch_rule::per_element)
constexpr element_stage<for_each_stage, F, Shape, F> for_each(Shape shape, F f, const char* file = __builtin_FILE(),
                                                              unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, shape.values}, f};
}

template <class F>
struct task_builder {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        static_cast<void>(require<decltype(diagnose_call<F, as_argument_t<A>...>())>{});
        return make_stage<task_stage, F, grid_t::domain>(list<given<F>, as_argument_t<A>...>{}, where, function, arguments...);
    }
};

// f(arguments...) in one thread: for the arithmetic between kernels.
template <class F>
constexpr task_builder<F> task(F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, grid(1).block(1).values}, f};
}

template <class Stage, class Shape, class F, class Op, class T>
struct reduce_builder {
    record where;
    F function;
    Op op;
    T identity;  // or take_identity, for the operations that have one of their own

    template <mark Out, class... A>
    constexpr auto operator()(Out result, A... arguments) const {
        using element = typename Out::element;
        using domain = typename Shape::domain;
        static_cast<void>(require<decltype(diagnose_call<F, index_t, as_argument_t<A>...>())>{});
        using forms = list<domain, given<F>, given<Op>, given<element>, scratch<reduce_scratch<element>>, reference_to<Out>,
                           as_argument_t<A>...>;
        return make_stage<Stage, F, domain>(forms{}, where, 0, function, op, identity_for<element>(), 0, result, arguments...);
    }

private:
    template <class Element>
    constexpr Element identity_for() const {
        if constexpr (std::is_same_v<T, take_identity>)
            return Op::template identity<Element>();
        else
            return static_cast<Element>(identity);
    }
};

// out = op over f(i, arguments...): transform_reduce(over(x), f, maximum{})(out(m), in(x), in(y)). The first argument is a
// scalar that receives the result. op must be associative and commutative; the order of its calls depends on the extent
// alone, so results are the same in every way to run. An operation without an identity of its own needs one.
template <class Shape, class F, class Op, class T = take_identity>
    requires(Shape::rule == launch_rule::per_element)
constexpr reduce_builder<reduce_stage, Shape, F, Op, T> transform_reduce(Shape shape, F f, Op op, T identity = {},
                                                                         const char* file = __builtin_FILE(),
                                                                         unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, shape.values}, f, op, identity};
}

struct reduce_elements : reduce_stage {
    static constexpr lazy_name name{"reduce"};
};
struct dot_product : reduce_stage {
    static constexpr lazy_name name{"dot"};
    static constexpr bool equal_extents = true;
};
struct copy_elements : for_each_stage {
    static constexpr lazy_name name{"copy"};
    static constexpr bool equal_extents = true;
};
struct fill_elements : for_each_stage {
    static constexpr lazy_name name{"fill"};
};
struct assign_formula : task_stage {
    static constexpr lazy_name name{"assign"};
};

// out = op over the elements of x.
template <class V, class W, class Op = plus, class T = take_identity>
constexpr auto reduce(out_t<V> result, in_t<W>, Op op = {}, T identity = {}, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE()) {
    return reduce_builder<reduce_elements, over_t<W>, element_at, Op, T>{{nullptr, file, line, {}}, {}, op, identity}(result, each_of<in_t<W>>{});
}

// out = the sum of x[i] * y[i]; x and y must be of one length.
template <class V, class X, class Y>
constexpr auto dot(out_t<V> result, in_t<X>, in_t<Y>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return reduce_builder<dot_product, over_t<X>, product_at, plus, take_identity>{{nullptr, file, line, {}}, {}, {}, {}}(result, each_of<in_t<X>>{}, each_of<in_t<Y>>{});
}

// copy(in(from), out(to)): to = from, element by element; both must be of one length.
template <class X, class Y>
constexpr auto copy(in_t<X>, out_t<Y>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return element_stage<copy_elements, copy_element, over_t<X>, copy_element>{{nullptr, file, line, {}}, {}}(
        each_of<in_t<X>>{}, each_of<out_t<Y>>{});
}

// fill(out(x), value): x = value in every element; value is a literal, a value variable or a scalar.
template <class X, class T>
constexpr auto fill(out_t<X>, T with, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    if constexpr (variable<T>)
        return element_stage<fill_elements, fill_element, over_t<X>, fill_element>{{nullptr, file, line, {}}, {}}(
            each_of<out_t<X>>{}, in(with));
    else
        return element_stage<fill_elements, fill_element, over_t<X>, fill_element>{{nullptr, file, line, {}}, {}}(
            each_of<out_t<X>>{}, static_cast<typename X::element>(with));
}

template <class S, class F, class... V>
constexpr auto assign_computed(formula<F, V...> f, record where) {
    return make_stage<assign_formula, assign_formula, grid_t::domain>(
        list<given<store<computed<F>>>, reference_to<out_t<S>>, reference_to<in_t<V>>...>{}, where,
        store<computed<F>>{as_operand<0>(computed<F>{as_operand<0>(f.function)})}, 0, V{}...);
}

// s = formula, in one thread: assign(alpha, rr / pAp).
template <class S, class Formula>
    requires in_memory<S> && formula_term<Formula>
constexpr auto assign(S, Formula what, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return assign_computed<S>(as_formula(what), {nullptr, file, line, grid(1).block(1).values});
}

}  // namespace cograph
