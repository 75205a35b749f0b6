// SPDX-License-Identifier: Apache-2.0
// reason: predicate_never_changes
// row: a loop for the host whose predicate never changes
// expect: predicate_never_changes<s, tol>
// expect: write_one_of_these_variables_in_the_body
#include "names.hpp"

#include <cograph/host_driven.hpp>

struct print {
    void operator()(const float*) const {}
};
const auto wrong = loop_while(s > tol, host(print{})(in(x)));  // here
