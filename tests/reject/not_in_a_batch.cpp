// SPDX-License-Identifier: Apache-2.0
// reason: not_in_a_batch
// expect: not_in_a_batch<set_first, 
// expect: one_thread_writes_memory
// expect: put_it_before_or_after_the_batch
#include "names.hpp"

#include <cograph/batch.hpp>

struct set_first {
    COGRAPH_HD void operator()(float* to) const { to[0] = 1; }
};
// [wrong]
const auto wrong = batch(over(10), single_task(set_first{})(inout(y)))(of_each(y));  // here
// [/wrong]
