// SPDX-License-Identifier: Apache-2.0
// reason: lengths_are_for_library_nodes
// expect: lengths_are_for_library_nodes<kernel_function<saxpy>>
// expect: give_the_kernel_the_scalar_and_test_it_there
#include "names.hpp"

// [wrong]
const auto wrong = kernel<saxpy>(over(x).first(i))(n, tol, x, y);  // here
// [/wrong]
