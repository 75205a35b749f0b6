// SPDX-License-Identifier: Apache-2.0
// reason: memory_alone_is_device_updatable
// expect: leave_often_away
#include <cograph.hpp>
using namespace cograph;

inline constexpr struct tol : value<tol, float> {} tol;

// [wrong]
auto bound = device_updatable(tol(1.0f));  // here
// [/wrong]
