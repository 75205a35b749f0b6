// SPDX-License-Identifier: Apache-2.0
// reason: branches_race_on
// row: two mistakes, and what is built on them
// expect: branches_race_on<x
// expect: predicate_never_changes<s, tol>
// errors: 2
#include "names.hpp"

auto race() { return par(fill(out(x), 1), copy(in(x), out(y))); }  // here
auto loop() { return loop_while(s > tol, fill(out(y), 1)); }       // here

void run() {
    const auto both = seq(race(), loop(), fill(out(x), 2));
    const auto more = par(when(s > tol, both), repeat(3, loop()), label("again", race()));
    simulate(seq(both, more), x(memory), y(more_memory), tol(1.0f));
}
