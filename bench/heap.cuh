// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdlib>

// Counts what this thread takes from the heap, in this program and in the libraries it loads: replaces malloc and
// operator new of glibc. Include it in one translation unit.
namespace heap {

struct counts {
    long long calls;      // malloc and its kin
    long long news;       // operator new, which ends in malloc too
    long long live;       // bytes in use
};

inline thread_local counts now{};

inline void* taken(void* p) noexcept {
    if (p) {
        ++now.calls;
        now.live += static_cast<long long>(malloc_usable_size(p));
    }
    return p;
}

inline void given(void* p) noexcept {
    if (p) now.live -= static_cast<long long>(malloc_usable_size(p));
}

inline counts operator-(counts a, counts b) {
    return {a.calls - b.calls, a.news - b.news, a.live - b.live};
}

}  // namespace heap

// nvcc takes the standard functions for its device's too: keep these to the host.
#ifndef __CUDA_ARCH__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20014, 20094, 20095

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t n) noexcept { return heap::taken(__libc_malloc(n)); }
void* calloc(std::size_t n, std::size_t size) noexcept { return heap::taken(__libc_calloc(n, size)); }
void* realloc(void* p, std::size_t n) noexcept {
    heap::given(p);
    return heap::taken(__libc_realloc(p, n));
}
void* memalign(std::size_t alignment, std::size_t n) noexcept { return heap::taken(__libc_memalign(alignment, n)); }
void* aligned_alloc(std::size_t alignment, std::size_t n) noexcept { return memalign(alignment, n); }
int posix_memalign(void** p, std::size_t alignment, std::size_t n) noexcept {
    *p = memalign(alignment, n);
    return *p ? 0 : 12;
}
void free(void* p) noexcept {
    heap::given(p);
    __libc_free(p);
}
}

void* operator new(std::size_t n) {
    ++heap::now.news;
    if (void* p = std::malloc(n)) return p;
    std::abort();
}
void* operator new[](std::size_t n) { return operator new(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

#pragma nv_diagnostic pop
#endif
