// SPDX-License-Identifier: Apache-2.0
// reason: only_memory_is_device_updatable
// expect: remove_device_updatable
#include <cograph.hpp>
using namespace cograph;

inline constexpr struct tol : value<tol, float> {} tol;

// [wrong]
auto bound = device_updatable(tol(1.0f));  // here
// [/wrong]
