// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/variable/variable_info.hpp>

namespace cograph::core {

// The operations that can be parts of a size.
template <class Operation>
inline constexpr size_step step_of = size_step::number;  // none
template <>
inline constexpr size_step step_of<operation::sum> = size_step::sum;
template <>
inline constexpr size_step step_of<operation::difference> = size_step::difference;
template <>
inline constexpr size_step step_of<operation::product> = size_step::product;
template <>
inline constexpr size_step step_of<operation::quotient> = size_step::quotient;
template <>
inline constexpr size_step step_of<operation::quotient_up> = size_step::quotient_up;
template <>
inline constexpr size_step step_of<operation::remainder> = size_step::remainder;
template <>
inline constexpr size_step step_of<operation::smaller> = size_step::smaller;
template <>
inline constexpr size_step step_of<operation::larger> = size_step::larger;

constexpr bool divides(size_step what) {
    return what == size_step::quotient || what == size_step::quotient_up || what == size_step::remainder;
}

// Whether the result does not fit into 64 bits with a sign. Not by the compilers' own functions, which nvcc has only at run time.
constexpr bool wraps_around(size_step what, std::int64_t a, std::int64_t b) {
    switch (what) {
        case size_step::sum: return b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b;
        case size_step::difference: return b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b;
        case size_step::product:
            if (a == 0 || b == 0) return false;
            if (a > 0) return b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a;
            return b > 0 ? a < INT64_MIN / b : a < INT64_MAX / b;
        default: return divides(what) && b == -1 && a == INT64_MIN;
    }
}

// One operation in signed 64-bit arithmetic; overflow is a fault.
constexpr size_result compute_step(size_step what, std::int64_t a, std::int64_t b) {
    if (divides(what) && b == 0) return {0, "has a size that divides by zero"};
    if (wraps_around(what, a, b)) return {0, "has a size that wraps around in 64 bits"};
    switch (what) {
        case size_step::sum: return {a + b, nullptr};
        case size_step::difference: return {a - b, nullptr};
        case size_step::product: return {a * b, nullptr};
        case size_step::smaller: return {b < a ? b : a, nullptr};
        case size_step::larger: return {a < b ? b : a, nullptr};
        case size_step::remainder: return {a % b, nullptr};
        case size_step::quotient: return {a / b, nullptr};
        default: return {a / b + (a % b != 0 && (a < 0) == (b < 0)), nullptr};
    }
}

// Computes the parts of a formula from the last to the first.
struct size_reader {
    const size_rule& rule;
    size_result (*read)(const void* run, const variable_info&);
    const void* run;
    int at;  // after the part that comes next

    constexpr size_result next() {
        const size_part here = rule.parts[--at];
        if (here.what == size_step::number) return {here.number, nullptr};
        if (here.what == size_step::extent) return read(run, *rule.variables[here.number]);
        const size_result right = next();
        const size_result left = next();
        if (left.fault || right.fault) return left.fault ? left : right;
        return compute_step(here.what, left.value, right.value);
    }
};
constexpr size_result compute_size(const size_rule& rule, size_result (*read)(const void*, const variable_info&), const void* run) {
    return size_reader{rule, read, run, rule.part_count}.next();
}

}  // namespace cograph::core
