// SPDX-License-Identifier: Apache-2.0
// reason: branches_race_on
// row: six levels deep, among sixty nodes
// expect: branches_race_on<x, in_branch<1, twice>, in_branch<2, fill_elements>>
#include "names.hpp"

constexpr auto step = for_each(over(y), twice{})(inout(y[each]));
constexpr auto ten = seq(step, step, step, step, step, step, step, step, step, step);
constexpr auto other = for_each(over(x), twice{})(inout(x[each]));

const auto wrong = seq(
    ten,
    loop_while(s > tol, seq(
        ten, assign(s, s / 2),
        when(i < 3, seq(
            ten,
            repeat(5, seq(
                ten,
                do_while(seq(
                    ten, assign(u, u / 2),
                    par(seq(ten, other),  // here
                        when(i > 0, seq(fill(out(z), 3), fill(out(x), 1))))), u > tol))))))));
