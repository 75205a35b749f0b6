// SPDX-License-Identifier: Apache-2.0
// reason: loop_option_is_not_last
// row: an option before the body of a loop for the host
// expect: loop_option_is_not_last
// expect: write_at_most_and_check_every_after_the_predicate_and_the_body
#include "names.hpp"

#include <cograph/host_driven.hpp>

const auto wrong = loop_while(s > tol, at_most(10), assign(s, s / 2));  // here
