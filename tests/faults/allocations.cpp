// SPDX-License-Identifier: Apache-2.0
#include "allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace allocations {
namespace {

thread_local long live_now = 0;
thread_local int made = 0;
thread_local int failing = -1;

void* make(std::size_t bytes) {
    if (made++ == failing) throw std::bad_alloc();
    void* const memory = std::malloc(bytes + (bytes == 0));
    if (!memory) throw std::bad_alloc();
    ++live_now;
    return memory;
}
void end(void* memory) {
    if (memory) --live_now;
    std::free(memory);
}

}  // namespace

long live() { return live_now; }
int calls() { return made; }
void expect(int first) {
    made = 0;
    failing = first;
}

}  // namespace allocations

void* operator new(std::size_t bytes) { return allocations::make(bytes); }
void* operator new[](std::size_t bytes) { return allocations::make(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
    return allocations::make(bytes);
} catch (const std::bad_alloc&) {
    return nullptr;
}
void operator delete(void* memory) noexcept { allocations::end(memory); }
void operator delete[](void* memory) noexcept { allocations::end(memory); }
void operator delete(void* memory, std::size_t) noexcept { allocations::end(memory); }
void operator delete[](void* memory, std::size_t) noexcept { allocations::end(memory); }
