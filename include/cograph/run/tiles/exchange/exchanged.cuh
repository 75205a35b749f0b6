// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/tile_shape.hpp>

#include <cstring>

namespace cograph::core {

// A value in memory that one block writes and others wait for. Each of its words has a number beside it, which says whether the word has arrived:
// GPUs write and read eight bytes at once. It needs no barrier and no fence. All zero before the first launch.
template <class T>
class exchanged {
public:
    __device__ void put(const T& value, unsigned number) {
        unsigned word[padded]{};
        memcpy(word, &value, sizeof(T));
        if constexpr (words == 1)
            asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(all_), "l"(with(word[0], number)) : "memory");
        else
            for (int i = 0; i < words; i += 2)
                asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(all_ + i), "l"(with(word[i], number)), "l"(with(word[i + 1], number)) : "memory");
    }
    // What is there now. The read is on its way until `value_of` looks at it, so that a thread can wait for several values together.
    struct found_words;
    __device__ found_words ask() const {
        found_words found;
        if constexpr (words == 1)
            asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(found.all[0]) : "l"(all_) : "memory");
        else
            for (int i = 0; i < words; i += 2) asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(found.all[i]), "=l"(found.all[i + 1]) : "l"(all_ + i) : "memory");
        return found;
    }
    // The same if a condition holds; without a branch, which would stand between several reads.
    __device__ void ask_if(bool holds, found_words& found) const {
        if constexpr (words == 1)
            asm volatile("{ .reg .pred asks; setp.ne.u32 asks, %2, 0; @asks ld.relaxed.gpu.global.u64 %0, [%1]; }" : "+l"(found.all[0]) : "l"(all_), "r"(holds ? 1 : 0) : "memory");
        else
            for (int i = 0; i < words; i += 2)
                asm volatile("{ .reg .pred asks; setp.ne.u32 asks, %3, 0; @asks ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2]; }"
                             : "+l"(found.all[i]), "+l"(found.all[i + 1])
                             : "l"(all_ + i), "r"(holds ? 1 : 0)
                             : "memory");
    }
    // False if it had not arrived.
    __device__ static bool value_of(found_words const& found, T& value, unsigned number) {
        unsigned word[padded];
        bool arrived = true;
        for (int i = 0; i < padded; ++i) take(found.all[i], number, word[i], arrived);
        memcpy(&value, word, sizeof(T));
        return arrived;
    }
    __device__ bool get(T& value, unsigned number) const { return value_of(ask(), value, number); }
    __device__ void clear() {
        for (int i = 0; i < padded; ++i) all_[i] = 0;
    }

private:
    static constexpr int words = (sizeof(T) + 3) / 4, padded = words == 1 ? 1 : (words + 1) / 2 * 2;

public:
    struct found_words {
        unsigned long long all[padded];
    };

private:
    __device__ static unsigned long long with(unsigned word, unsigned number) { return static_cast<unsigned long long>(number) << 32 | word; }
    __device__ static void take(unsigned long long found, unsigned number, unsigned& word, bool& arrived) {
        word = static_cast<unsigned>(found);
        arrived = arrived && static_cast<unsigned>(found >> 32) == number;
    }

    alignas(8 * (words == 1 ? 1 : 2)) unsigned long long all_[padded];
};

}  // namespace cograph::core
