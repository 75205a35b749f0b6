// SPDX-License-Identifier: Apache-2.0
// reason: not_a_selector
// row: is_host_driven of a number
// expect: not_a_selector
#include "names.hpp"

#include <cograph/host_driven.hpp>

const bool wrong = is_host_driven(repeat(3, fill(out(x), 1)), 0);  // here
