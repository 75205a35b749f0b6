// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/expr/algorithm/transform_reduce.hpp>
#include <cograph/expr/iteration/first_nodes.hpp>
#include <cograph/expr/refused/reduction/several_results.hpp>

namespace cograph::core {

// Reductions to several scalars in one pass: a reduction of all terms to one hidden scalar, and a `single_task` that gives each scalar its part.
template <class... V>
struct results_together : variable_base<results_together<V...>, terms<typename V::element...>, variable_kind::scalar> {};
template <class... V>
inline constexpr variable_info info_of<results_together<V...>>{{"results"}, variable_kind::scalar, sizeof(terms<typename V::element...>), alignof(terms<typename V::element...>),
                                                               false, nullptr, type_hash<results_together<V...>>(), type_name<terms<typename V::element...>>(), nullptr, true};

struct give_results {
    static constexpr lazy_name name{"results"};
    template <class... T>
    COGRAPH_HD void operator()(terms<T...> const& all, T&... results) const {
        give(all, results...);
    }

private:
    template <class T, class... More>
    COGRAPH_HD static void give(terms<T, More...> const& all, T& first, More&... more) {
        first = all.first;
        if constexpr (sizeof...(More) > 0) give(all.others, more...);
    }
};

template <class Operations, class Terms>
struct own_identities;
template <class Numbers, class... Op, class... T>
struct own_identities<joined_operations<Numbers, Op...>, terms<T...>> {
    static constexpr terms<T...> find() { return terms<T...>(static_cast<T>(Op::template identity<T>())...); }
};

template <class Shape, class F, class Operations, class T>
struct several_results_builder {
    record where;
    F function;
    Operations operations;
    T identity;  // of all terms, or take_identity

    template <class... A>
        requires is_fine<decltype(diagnose_several_results<whole_shape_t<Shape>, F, Operations, T, as_argument_t<A>...>())>
    constexpr auto operator()(A... arguments) const {
        return split(list<>{}, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_several_results<whole_shape_t<Shape>, F, Operations, T, as_argument_t<A>...>())>)
    auto operator()(A const&...) const
        -> decltype(mistake_of<struct reduce_node, Shape, F, Operations, T, A...>(diagnose_several_results<whole_shape_t<Shape>, F, Operations, T, as_argument_t<A>...>()));

private:
    template <class... Out, class... A>
    constexpr auto split(list<Out...>, A... arguments) const {
        if constexpr (sizeof...(Out) == Operations::count)
            return nodes(list<typename Out::variable...>{}, arguments...);
        else
            return next(list<Out...>{}, arguments...);
    }
    template <class... Out, class First, class... A>
    constexpr auto next(list<Out...>, First, A... arguments) const {
        return split(list<Out..., First>{}, arguments...);
    }
    template <class... V, class... A>
    constexpr auto nodes(list<V...> results, A... arguments) const {
        if constexpr (takes_small_extents<F, 1, A...>) {
            return with_small_extents<F, 1>([&](auto... small) { return nodes(results, small...); }, arguments...);
        } else {
            using together = results_together<V...>;
            return seq(reduction<together>(whole_identity(word<typename together::element>{}), converted_terms<F, typename V::element...>{as_operand<0>(function)}, arguments...),
                       make_stage<single_task_stage, give_results, grid_t::domain>(list<given<give_results>, in_t<together>, out_t<V>...>{},
                                                                                  {nullptr, where.file, where.line, grid(1).block(1).values}, give_results{}, 0,
                                                                                  nothing_kept<V>...));
        }
    }
    template <class>
    static constexpr int nothing_kept = 0;
    template <class Terms>
    constexpr Terms whole_identity(word<Terms>) const {
        if constexpr (std::is_same_v<T, take_identity>)
            return own_identities<Operations, Terms>::find();
        else
            return identity;
    }
    template <class Together, class G, class... A>
    constexpr auto reduction(typename Together::element const& none, G const& g, A... arguments) const {
        using element = typename Together::element;
        using domain = typename Shape::domain;
        using forms = list<given<G>, given<Operations>, given<element>, scratch<reduce_scratch<element>>, reference_to<out_t<Together>>, as_argument_t<A>...>;
        if constexpr (has_length<Shape>)
            return make_stage<first_of<reduce_stage>, F, domain>(first_arguments_of<Shape>{} + forms{}, where, 0, length_of_shape<Shape>{}, 0, g, operations, none, 0, 0, arguments...);
        else
            return make_stage<reduce_stage, F, domain>(list<domain>{} + forms{}, where, 0, g, operations, none, 0, 0, arguments...);
    }
};

// Each scalar = its operation over its term of f(i, arguments...), which gives terms{…}, in one pass:
// transform_reduce(over(x), f, operations(plus{}, maximum{}))(out(total), out(most), in(x[each])). Each has the bits that a reduction of its
// own would give. Operations without an identity of their own need one, terms{…}.
template <class Shape, class F, class Numbers, class... Op, class T = take_identity>
    requires launch_shape_type<Shape>
constexpr several_results_builder<Shape, F, joined_operations<Numbers, Op...>, T> transform_reduce(Shape shape, F f, joined_operations<Numbers, Op...> operations, T identity = {},
                                                                                                   const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, operations, identity};
}
template <class Shape, class Length, class F, class Numbers, class... Op, class T = take_identity>
constexpr several_results_builder<first_shape<Shape, Length>, F, joined_operations<Numbers, Op...>, T> transform_reduce(
    first_shape<Shape, Length> shape, F f, joined_operations<Numbers, Op...> operations, T identity = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, operations, identity};
}
}  // namespace cograph::core
