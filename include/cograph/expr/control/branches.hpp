// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/expr/refused/control/branches.hpp>

namespace cograph::core {

template <class Body>
struct otherwise_t {
    Body body;
};

// The other branch of when.
template <expression Body>
constexpr otherwise_t<Body> otherwise(Body const& body) {
    return {body};
}

// The first branch when the predicate holds, else the second, or nothing.
template <class P, class Then>
    requires is_fine<decltype(diagnose_branches_of<false, P, Then>())>
constexpr auto when(P p, Then const& then, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), then);
}

template <class P, class Then, class Else>
    requires is_fine<decltype(diagnose_branches_of<false, P, Then, Else>())>
constexpr auto when(P p, Then const& then, otherwise_t<Else> const& other, const char* file = __builtin_FILE(),
                    unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), then, other.body);
}

// Runs the case with the number of the integer selector, from 0; none if there is no such case. Its position is that
// of its first case.
template <class P, class First, class... Rest>
    requires is_fine<decltype(diagnose_branches_of<true, P, First, Rest...>())>
constexpr auto switch_on(P p, First const& first, Rest const&... rest) {
    const record where{nullptr, first.records[0].file, first.records[0].line, {}};
    return make_control<selection<1 + sizeof...(Rest)>>(where, as_predicate(p), first, rest...);
}

}  // namespace cograph::core
