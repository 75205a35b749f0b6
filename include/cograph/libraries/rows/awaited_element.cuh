// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <cstddef>

namespace cograph::core::sparse_routine {

// An element that other threads wait for, in words. Each holds 32 bits of it and a mark, which is not zero, so a thread that sees all marks has the
// element, and needs no order of other memory. The mark is the level of its row: 1, or more by 1 than those of the rows that it needs.
template <class T>
struct awaited_element;
template <>
struct alignas(8) awaited_element<float> {
    unsigned long long word;

    __device__ void tell(float value, unsigned mark) {
        asm volatile("st.volatile.global.u64 [%0], %1;" ::"l"(this), "l"(static_cast<unsigned long long>(mark) << 32 | __float_as_uint(value)) : "memory");
    }
    // The mark; 0 if it is not there yet, or if it is not wanted. Without a branch: a thread looks for several elements at once.
    __device__ unsigned look(float& value, bool is_wanted = true) const {
        unsigned long long found = 0;
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.volatile.global.u64 %0, [%1]; }" : "+l"(found) : "l"(this), "r"(static_cast<unsigned>(is_wanted)) : "memory");
        value = __uint_as_float(static_cast<unsigned>(found));
        return static_cast<unsigned>(found >> 32);
    }
    __device__ unsigned mark() const { return static_cast<unsigned>(__ldcg(&word) >> 32); }  // of one that is there
};
template <>
struct alignas(16) awaited_element<double> {
    unsigned long long words[2];

    __device__ void tell(double value, unsigned mark) {
        const auto marked = [mark](int half) { return static_cast<unsigned long long>(mark) << 32 | static_cast<unsigned>(half); };
        asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(this), "l"(marked(__double2loint(value))), "l"(marked(__double2hiint(value))) : "memory");
    }
    __device__ unsigned look(double& value, bool is_wanted = true) const {
        unsigned long long low = 0, high = 0;
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.volatile.global.v2.u64 {%0, %1}, [%2]; }"
                     : "+l"(low), "+l"(high)
                     : "l"(this), "r"(static_cast<unsigned>(is_wanted))
                     : "memory");
        value = __hiloint2double(static_cast<int>(high), static_cast<int>(low));
        return low >> 32 != 0 ? static_cast<unsigned>(high >> 32) : 0;
    }
    __device__ unsigned mark() const { return static_cast<unsigned>(__ldcg(&words[0]) >> 32); }
};
// The workspace of a solve, zeros at first: counts, and the elements of the solution.
template <class T>
struct alignas(16) solve_progress {
    unsigned begun_in_order;  // chunks of rows, as warps take them
    unsigned begun, ended;    // the same of blocks that take rows in their own order
    unsigned has_given_up;    // a warp, since the order is that of another structure

    COGRAPH_HD static constexpr std::size_t bytes(index_t rows) { return sizeof(solve_progress) + static_cast<std::size_t>(rows) * sizeof(awaited_element<T>); }
    __device__ awaited_element<T>* elements() { return reinterpret_cast<awaited_element<T>*>(this + 1); }
};

}  // namespace cograph::core::sparse_routine
