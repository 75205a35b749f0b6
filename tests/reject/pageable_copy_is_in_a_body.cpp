// SPDX-License-Identifier: Apache-2.0
// reason: pageable_copy_is_in_a_body
// expect: pageable_copy_is_in_a_body
// expect: declare_the_memory_as_a_pinned_buffer
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct seen : host_buffer<seen, float> {} seen;

// [wrong]
const auto wrong = repeat(3, seq(fill(out(x), 1), copy(in(x), out(seen))));  // here
// [/wrong]
