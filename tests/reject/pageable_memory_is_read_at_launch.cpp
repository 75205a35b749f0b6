// SPDX-License-Identifier: Apache-2.0
// reason: pageable_memory_is_read_at_launch
// expect: pageable_memory_is_read_at_launch<samples>
// expect: declare_it_as_a_pinned_buffer_or_write_another
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct samples : host_buffer<samples, float> {} samples;
struct make {
    void operator()(float* values) const { values[0] = 1; }
};
const auto first_made_then_copied = seq(host(make{})(out(samples)), copy(in(samples), out(x)));
float memory[4];

// [wrong]
void run() { simulate(first_made_then_copied, samples(memory), x(memory)); }  // here
// [/wrong]
