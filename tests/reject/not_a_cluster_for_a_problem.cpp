// SPDX-License-Identifier: Apache-2.0
// reason: not_a_cluster_for_a_problem
// expect: not_a_cluster_for_a_problem<3>
// expect: take_2_4_or_8_blocks
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(in_clusters<3>(over(10)), step)(of_each(y));  // here
// [/wrong]
