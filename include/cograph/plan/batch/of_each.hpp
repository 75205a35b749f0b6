// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/variable/access_mode.hpp>
#include <cograph/plan/batch/outcomes.hpp>

namespace cograph::core {

// How the parts of an array lie that problems have: equal ones, one after the other; the first elements of those, as
// many as a value says; or parts from one element to another. The numbers of these elements are in an array.
struct equal_parts {};
template <class Length>
struct first_of_parts {};
template <class Begins, class Longest>
struct parts_between {};

template <class V, class... How>
constexpr auto diagnose_parts_of() {
    if constexpr (requires { requires V::kind == variable_kind::buffer || V::kind == variable_kind::temp; })
        return fine{};
    else
        return not_parts_of_problems<V, How...>{};
}
template <class T>
inline constexpr bool is_integer_value = requires { requires T::kind == variable_kind::value && std::is_integral_v<typename T::element>; };
template <class T>
inline constexpr bool is_integer_array = requires { requires (T::kind == variable_kind::buffer || T::kind == variable_kind::temp) && std::is_integral_v<typename T::element>; };
template <class V, class Length>
constexpr auto diagnose_first() {
    if constexpr (is_integer_value<Length>)
        return diagnose_parts_of<V, Length>();
    else
        return not_parts_of_problems<V, Length>{};
}
template <class V, class Begins, class Longest>
constexpr auto diagnose_between() {
    if constexpr (is_integer_array<Begins> && is_integer_value<Longest>)
        return diagnose_parts_of<V, Begins, Longest>();
    else
        return not_parts_of_problems<V, Begins, Longest>{};
}

// The V of each problem of a batch is in W, one problem after the other. For a buffer or temp these are the elements, as many
// for each unless other parts are named. For a scalar, value or view it is one element.
template <class V, class W, class Parts = equal_parts>
struct slices_of;
template <class V, class W>
struct part_calls {
    template <class Length>
        requires is_fine<decltype(diagnose_first<V, Length>())>
    constexpr slices_of<V, W, first_of_parts<Length>> first(Length) const {
        return {};
    }
    template <class Begins, class Longest>
        requires is_fine<decltype(diagnose_between<V, Begins, Longest>())>
    constexpr slices_of<V, W, parts_between<Begins, Longest>> between(Begins, Longest) const {
        return {};
    }

    // Refused calls.
    template <class Length>
    auto first(Length) const -> decltype(mistake_of<struct first_of_each, V, Length>(diagnose_first<V, Length>()));
    template <class Begins, class Longest>
    auto between(Begins, Longest) const -> decltype(mistake_of<struct between_of_each, V, Begins, Longest>(diagnose_between<V, Begins, Longest>()));
};
template <class V, class W, class Parts>
struct slices_of {};
template <class V, class W>
struct slices_of<V, W, equal_parts> : part_calls<V, W> {};

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

// V of each problem of a batch: batch(over(problems), e)(of_each(x)), if e uses x. It is itself a buffer, bound as
// one, of_each(x)(all_of_them), and other nodes may use it. With of_each(x).in(xs) the elements are in xs. With of_each(x).first(n)
// a problem has the first n of its elements. With of_each(x).between(begins, longest) problem q has the elements
// from begins[q] to begins[q + 1], at most as many as longest.
template <class V>
struct of_each : buffer<of_each<V>, typename V::element>, part_calls<V, of_each<V>> {
    constexpr of_each() = default;
    constexpr explicit of_each(V) {}

    template <class W>
        requires is_fine<decltype(diagnose_slices<V, W>())>
    constexpr slices_of<V, W> in(W) const {
        return {};
    }

    // Refused calls.
    template <class W>
    auto in(W) const -> decltype(mistake_of<struct in_call_of_each, V, W>(diagnose_slices<V, W>()));
};
template <class V>
of_each(V) -> of_each<V>;

// Loop number Loop of each problem reports to W, an array of loop_outcome; the form before the expression is known;
// and the first loop.
template <class W, int Loop>
struct report_in {};
template <class W, class Selector>
struct report_by {};
struct first_loop {};

// The report of a loop in each problem goes to an array of loop_outcome: report_of_each(outcomes), or for another
// loop than the first report_of_each(outcomes, at<3>).
template <variable W, class Selector = first_loop>
    requires(W::kind == variable_kind::buffer || W::kind == variable_kind::temp)
constexpr report_by<W, Selector> report_of_each(W, Selector = {}) {
    return {};
}

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
template <class V, class W, class Parts>
struct as_slices<slices_of<V, W, Parts>> {
    using type = slices_of<V, W, Parts>;
};
template <class W, class Selector>
struct as_slices<report_by<W, Selector>> {
    using type = report_by<W, Selector>;
};

// Those of a batch that are slices, and those that are reports.
template <class A>
constexpr list<> slices_among(const A*) {
    return {};
}
template <class V, class W, class Parts>
constexpr list<slices_of<V, W, Parts>> slices_among(const slices_of<V, W, Parts>*) {
    return {};
}
template <class A>
constexpr list<> reports_among(const A*) {
    return {};
}
template <class W, class Selector>
constexpr list<report_by<W, Selector>> reports_among(const report_by<W, Selector>*) {
    return {};
}
template <class... A>
constexpr auto all_slices(list<A...>) {
    return (list<>{} + ... + decltype(slices_among(static_cast<const A*>(nullptr))){});
}
template <class... A>
constexpr auto all_reports(list<A...>) {
    return (list<>{} + ... + decltype(reports_among(static_cast<const A*>(nullptr))){});
}

}  // namespace cograph::core
