// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>
#include <cograph/expr/variable/variable_info.hpp>

#include <cstdint>

namespace cograph::core {

// How a floating-point number lies in memory: sign, exponent, fraction. `words` of them make an element.
struct number_format {
    int bytes = 0;
    int words = 0;
    std::uint64_t infinity = 0;  // the exponent's bits, all set: as large or larger is no finite number (IEEE 754)
};
// By the name of an element's type: the half types of CUDA are in headers that not everybody includes.
inline number_format format_of(const variable_info& v) {
    struct named {
        name_view name;
        number_format format;
    };
    static constexpr number_format half{2, 1, 0x7c00}, brain{2, 1, 0x7f80}, single{4, 1, 0x7f800000}, full{8, 1, 0x7ff0000000000000};
    static constexpr named formats[] = {{"float", single},           {"double", full},
                                        {"__half", half},            {"__nv_bfloat16", brain},
                                        {"float1", single}, {"float2", {4, 2, single.infinity}}, {"float3", {4, 3, single.infinity}},
                                        {"float4", {4, 4, single.infinity}}, {"double1", full}, {"double2", {8, 2, full.infinity}},
                                        {"double3", {8, 3, full.infinity}}, {"double4", {8, 4, full.infinity}},
                                        {"double4_16a", {8, 4, full.infinity}}, {"double4_32a", {8, 4, full.infinity}},
                                        {"__half2", {2, 2, half.infinity}},  {"__nv_bfloat162", {2, 2, brain.infinity}},
                                        {"complex<float>", {4, 2, single.infinity}}, {"complex<double>", {8, 2, full.infinity}}};
    const name_view name = v.element.read();
    for (const named& known : formats)
        if (known.name == name && static_cast<unsigned>(known.format.bytes * known.format.words) == v.size) return known.format;
    return {};
}

// Whether a word without its sign is `least` or larger.
template <class Word>
COGRAPH_HD bool is_large(Word word, Word least) {
    constexpr Word magnitude = static_cast<Word>(static_cast<Word>(~Word{0}) >> 1);
    return (word & magnitude) >= least;
}

// The number of the first word, of `count`, that is NaN; -1 if none is. In host memory.
template <class Word>
index_t first_nan_word(const void* memory, index_t count, std::uint64_t infinity) {
    const Word* const words = static_cast<const Word*>(memory);
    for (index_t begin = 0; begin < count; begin += 256) {
        const index_t end = begin + 256 < count ? begin + 256 : count;
        bool any = false;
        for (index_t i = begin; i < end; ++i) any |= is_large(words[i], static_cast<Word>(infinity + 1));
        for (index_t i = begin; any && i < end; ++i)
            if (is_large(words[i], static_cast<Word>(infinity + 1))) return i;
    }
    return -1;
}
// The same of elements of a format: the number of the first of `count` that holds a NaN.
inline index_t first_nan(const number_format& format, const void* memory, index_t count) {
    if (format.words == 0) return -1;
    const index_t words = count * format.words;
    const index_t found = format.bytes == 2   ? first_nan_word<std::uint16_t>(memory, words, format.infinity)
                          : format.bytes == 4 ? first_nan_word<std::uint32_t>(memory, words, format.infinity)
                                              : first_nan_word<std::uint64_t>(memory, words, format.infinity);
    return found < 0 ? -1 : found / format.words;
}

}  // namespace cograph::core
