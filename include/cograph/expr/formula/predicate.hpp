// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/refused/formula/predicate.hpp>

namespace cograph::core {

// The decision of a branch or a loop: a function object and its arguments.
template <class... A>
struct condition {
    using kept_type = kept_pieces<kept_part_t<A>...>;
    [[no_unique_address]] kept_type kept;
};

template <class F>
struct predicate_builder {
    F function;

    template <class... A>
        requires is_fine<decltype(diagnose_test<F, as_argument_t<A>...>())>
    constexpr auto operator()(A... arguments) const {
        if constexpr (takes_small_extents<F, 0, A...>)
            return with_small_extents<F, 0>(*this, arguments...);
        else
            return condition<given<F>, as_argument_t<A>...>{keep_pieces(keep_part<given<F>>(function), keep_part<as_argument_t<A>>(arguments)...)};
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_test<F, as_argument_t<A>...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct predicate_call, F, A...>(diagnose_test<F, as_argument_t<A>...>()));
    template <class... A>
    auto operator()(A...) const -> mistake<arguments_are_not_those_of<F, A...>, struct pass_variables_and_values>;
};

// A device function as a predicate: predicate(f)(in(x), in(n), 3). One thread calls f with pointers to buffers, references to
// scalars and values by value; f gives bool or an integer.
template <class F>
constexpr predicate_builder<F> predicate(F function) {
    return {function};
}

template <class... A>
constexpr condition<A...> as_predicate(condition<A...> p) {
    return p;
}
template <class F, class... V>
constexpr condition<given<computed<F>>, formula_argument_t<V>...> condition_of_computation(computation<F, V...> c) {
    return {keep_pieces(keep_part<given<computed<F>>>(computed<F>{as_operand<0>(c.function)}), keep_part<formula_argument_t<V>>(V{})...)};
}
template <class T>
    requires is_formula<T>
constexpr auto as_predicate(T f) {
    return condition_of_computation(computation_of(f));
}

template <class P>
concept predicate_like = requires(P p) { as_predicate(p); };

}  // namespace cograph::core
