// SPDX-License-Identifier: Apache-2.0
// reason: host_work_returns_something
// expect: host_work_returns_something<count_lines, int>
// expect: let_it_write_through_a_pointer
#include <cograph.hpp>

using namespace cograph;
struct count_lines {
    int operator()() const { return 3; }
};

// [wrong]
const auto wrong = host(count_lines{})();  // here
// [/wrong]
