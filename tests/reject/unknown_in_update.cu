// SPDX-License-Identifier: Apache-2.0
// reason: unknown_variable
// row: `unknown_variable` (update)
// expect: remove_its_binding_or_use_it_in_the_expression
#include <cograph.cuh>
using namespace cograph;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
constexpr auto e = fill(out(x), 1.0f);

void rebind(executable<decltype(e)::self>& exec, float* memory) {
    exec.update(y(memory, 3));  // here
}
