// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/tile_shape.hpp>
#include <cograph/run/tiles/exchange/exchanged.cuh>

namespace cograph::core {

// Tables with a word for each block, which they exchange in meetings. Words have numbers beside them, as elements have; so blocks wait for the words
// themselves, and no fence stands between a word and its arrival. Each is sent to several copies of a table, because it takes long if all blocks read the
// same one. All zero between launches.
template <class Tile>
class word_tables {
public:
    __device__ void begin(char* memory) { words_ = reinterpret_cast<exchanged<unsigned long long>*>(memory); }
    __device__ void begin_meeting() { ++meeting_; }

protected:
    // All blocks are here.
    __device__ void clear(int tables, int block) const {
        if (static_cast<int>(threadIdx.x) < tables) word_of<unsigned long long>(threadIdx.x, block)->clear();
    }
    template <class T>
    __device__ exchanged<T>* word_of(unsigned table, int block) const {
        static_assert(sizeof(exchanged<T>) <= sizeof(exchanged<unsigned long long>));
        return reinterpret_cast<exchanged<T>*>(words_ + table * most_tile_blocks + block);
    }
    // The copy that this block reads.
    __device__ static int own_copy() { return static_cast<int>(blockIdx.x) % word_copies; }

    exchanged<unsigned long long>* words_ = nullptr;
    unsigned meeting_ = 0;  // the number of the last one
};

}  // namespace cograph::core
