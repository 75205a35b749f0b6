// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/tile_shape.hpp>

#include <cstring>

namespace cograph::core {

// A value in memory that one block writes and others wait for. Each of its words has a number beside it, which says whether the word has arrived:
// GPUs write and read eight bytes at once. It needs no barrier and no fence. All zero between launches.
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
    // False if it has not arrived.
    __device__ bool get(T& value, unsigned number) const {
        unsigned word[padded];
        bool arrived = true;
        if constexpr (words == 1) {
            unsigned long long found;
            asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(found) : "l"(all_) : "memory");
            take(found, number, word[0], arrived);
        } else {
            for (int i = 0; i < words; i += 2) {
                unsigned long long one, two;
                asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(one), "=l"(two) : "l"(all_ + i) : "memory");
                take(one, number, word[i], arrived);
                take(two, number, word[i + 1], arrived);
            }
        }
        memcpy(&value, word, sizeof(T));
        return arrived;
    }
    __device__ void clear() {
        for (int i = 0; i < padded; ++i) all_[i] = 0;
    }

private:
    static constexpr int words = (sizeof(T) + 3) / 4, padded = words == 1 ? 1 : (words + 1) / 2 * 2;
    __device__ static unsigned long long with(unsigned word, unsigned number) { return static_cast<unsigned long long>(number) << 32 | word; }
    __device__ static void take(unsigned long long found, unsigned number, unsigned& word, bool& arrived) {
        word = static_cast<unsigned>(found);
        arrived = arrived && static_cast<unsigned>(found >> 32) == number;
    }

    alignas(8 * (words == 1 ? 1 : 2)) unsigned long long all_[padded];
};

}  // namespace cograph::core
