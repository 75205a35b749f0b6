// SPDX-License-Identifier: Apache-2.0
// reason: alignment_is_above_256_bytes
// expect: alignment_is_above_256_bytes<pages>
// expect: bind_memory_of_your_own_or_align_its_elements_less
#include <cograph.hpp>

using namespace cograph;
struct alignas(4096) page {
    char bytes[4096];
};
inline constexpr struct pages : temp<pages, page> {} pages;
struct clear {
    COGRAPH_HD void operator()(index_t, page& to) const { to.bytes[0] = 0; }
};

void run() {
    // [wrong]
    simulate(for_each(over(pages), clear{})(out(pages[each])), pages(3));  // here
    // [/wrong]
}
