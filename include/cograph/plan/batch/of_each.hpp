// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/variable/access_mode.hpp>

namespace cograph::core {

// What each problem of a batch has of V lies in W, one problem behind the other: of a buffer or temp the elements, as many for each; of a
// scalar, value or view one.
template <class V, class W>
struct slices_of {};

template <class V, class W>
constexpr auto diagnose_slices() {
    if constexpr (!(in_memory<V> || by_value<V>))
        return not_a_variable<V>{};
    else if constexpr (!(variable<W> && (W::kind == variable_kind::buffer || W::kind == variable_kind::temp)))
        return not_an_array<W>{};
    else if constexpr (!std::is_same_v<typename V::element, typename W::element>)
        return elements_of_problems_differ<V, W>{};
    else
        return fine{};
}

// V of each problem of a batch: batch(over(problems), e)(of_each(x)), where e uses x. It is itself a buffer, bound as one,
// of_each(x)(all_of_them), and other nodes may use it. of_each(x).in(xs): those lie in xs.
template <class V>
struct of_each : buffer<of_each<V>, typename V::element> {
    constexpr of_each() = default;
    constexpr explicit of_each(V) {}

    template <class W>
        requires is_fine<decltype(diagnose_slices<V, W>())>
    constexpr slices_of<V, W> in(W) const {
        return {};
    }

    // What it refuses.
    template <class W>
    auto in(W) const -> decltype(mistake_of<struct in_call_of_each, V, W>(diagnose_slices<V, W>()));
};
template <class V>
of_each(V) -> of_each<V>;

// An argument of a batch as it is kept; of others, void.
template <class A>
struct as_slices {
    using type = void;
};
template <class V>
    requires(in_memory<V> || by_value<V>)
struct as_slices<of_each<V>> {
    using type = slices_of<V, of_each<V>>;
};
template <class V, class W>
struct as_slices<slices_of<V, W>> {
    using type = slices_of<V, W>;
};

}  // namespace cograph::core
