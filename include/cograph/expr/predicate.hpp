// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/functional.hpp>
#include <cograph/expr/operators.hpp>
#include <cograph/expr/payload.hpp>

namespace cograph {

// What decides a branch or a loop: a function object and its arguments.
template <class... A>
struct predicate {
    using kept_type = kept_pieces<kept_part_t<A>...>;
    [[no_unique_address]] kept_type kept;
};

template <class F>
struct test_t {
    F function;

    template <class... A>
    constexpr predicate<given<F>, as_argument_t<A>...> operator()(A... arguments) const {
        return {keep_pieces(keep_part<given<F>>(function), keep_part<as_argument_t<A>>(arguments)...)};
    }
};

// A device function as a predicate: test(f)(in(x), in(n), 3). One thread calls f with pointers to buffers, references to
// scalars and values by value; f gives bool or an integer.
template <class F>
constexpr test_t<F> test(F function) {
    return {function};
}

template <class... A>
constexpr predicate<A...> as_predicate(predicate<A...> p) {
    return p;
}
template <class F, class... V>
constexpr predicate<given<computed<F>>, reference_to<in_t<V>>...> as_predicate(formula<F, V...> f) {
    return {keep_pieces(keep_part<given<computed<F>>>(computed<F>{as_operand<0>(f.function)}), keep_part<reference_to<in_t<V>>>(V{})...)};
}
template <formula_variable V>
constexpr auto as_predicate(V v) {
    return as_predicate(as_formula(v));
}

template <class P>
concept predicate_like = requires(P p) { as_predicate(p); };

// The type of what a predicate's function gives.
template <class P>
struct predicate_result;
template <class F, class... A>
    requires std::is_invocable_v<const F&, typename call_value<A>::type...>
struct predicate_result<predicate<given<F>, A...>> {
    using type = std::invoke_result_t<const F&, typename call_value<A>::type...>;
};

template <class P>
constexpr auto diagnose_condition() {
    if constexpr (requires { typename predicate_result<P>::type; }) {
        using result = typename predicate_result<P>::type;
        if constexpr (std::is_integral_v<result>)
            return fine{};
        else
            return not_a_condition<P>{};
    } else {
        return not_a_condition<P>{};
    }
}

}  // namespace cograph
