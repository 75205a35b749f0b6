// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/batch_node.hpp>
#include <cograph/plan/refused/batch/batch.hpp>
#include <cograph/plan/report/loop_report.hpp>

namespace cograph::core {

template <class Shape>
inline constexpr int group_of_shape = 0;
template <class Shape, int Size>
inline constexpr int group_of_shape<group_shape<Shape, Size>> = Size;
template <class Shape, int Blocks>
inline constexpr int group_of_shape<problem_clusters<Shape, Blocks>> = Blocks * most_threads;
template <class Shape>
constexpr shape_values problem_shape(Shape const& shape) {
    return values_of(shape);
}
template <class Shape, int Blocks>
constexpr shape_values problem_shape(problem_clusters<Shape, Blocks> const& shape) {
    return shape.values;
}

// The loop that a report is about.
template <class E, class Selector>
constexpr int reported_loop() {
    if constexpr (std::is_same_v<Selector, first_loop>)
        return 0;
    else
        return loop_number<E, Selector>();
}
template <class Domain, int Size, class E, class... W, class... Selector, class... S>
constexpr std::type_identity<batch_node<Domain, Size, E, list<report_in<W, reported_loop<E, Selector>()>...>, S...>> node_of(list<report_by<W, Selector>...>, list<S...>) {
    return {};
}

// A batch that waits for the variables of each problem.
template <class Shape, class E>
struct batch_builder {
    record where;
    E problem;

    template <class... A>
        requires is_fine<decltype(diagnose_batch<Shape, E, A...>())>
    constexpr auto operator()(A...) const {
        using self = typename E::self;
        constexpr int size = group_of_shape<Shape> > 0 ? group_of_shape<Shape> : chosen_group(self::tree);
        using given = list<typename as_slices<A>::type...>;
        typename decltype(node_of<typename Shape::domain, size, self>(all_reports(given{}), all_slices(given{})))::type node{{where}, problem.kept};
        append(node.records + 1, problem.records, self::leaves);
        return node;
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_batch<Shape, E, A...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct batch_arguments, Shape, E, A...>(diagnose_batch<Shape, E, A...>()));
};

// The expression once for each problem, with its own loops and branches: batch(over(problems), e)(of_each(x),
// of_each(b)). Problems share variables that they only read, unless these are listed; scalars and temps that they
// write are their own.
template <class Shape, expression E>
constexpr batch_builder<Shape, E> batch(Shape shape, E const& e, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, problem_shape(shape)}, e};
}

}  // namespace cograph::core
