// SPDX-License-Identifier: Apache-2.0
// reason: temp_is_only_partly_written
// expect: temp_is_only_partly_written<tile, copy_elements>
// expect: write_all_of_it_first_or_declare_it_as_long_as_the_written_part
#include "names.hpp"

void run() {
    // [wrong]
    simulate(seq(for_each(over(row), from_zero{})(out(tile[each])), copy(in(tile), out(x))), x(memory));  // here
    // [/wrong]
}
