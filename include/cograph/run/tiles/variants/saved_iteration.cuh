// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/persistent/chunk_exchange.cuh>
#include <cograph/run/tiles/tile_of_block.cuh>

#include <cstring>

namespace cograph::core {

// What a block that runs ahead keeps of the iteration before: the elements of its tile, in registers if they are few, otherwise in shared memory. If tiles
// may be large, the second variable has the elements of the first at the end of each iteration, and those of the first are enough: others are only read.
template <int ElementsAThread, bool FirstAlone, class Numbers, class... T>
class saved_elements;
template <int ElementsAThread, bool FirstAlone, int... K, class... T>
class saved_elements<ElementsAThread, FirstAlone, std::integer_sequence<int, K...>, T...> {
public:
    template <class Variables>
    __device__ void save(Variables& variables) {
        (save_variable<K>(variables.template memory<K>()), ...);
    }
    template <class Variables>
    __device__ void restore(Variables& variables) {
        (restore_variable<K>(variables.template memory<K>()), ...);
    }

private:
    template <class E>
    struct in_registers {
        copy_of_element<E> elements[ElementsAThread];
        bool changed;
        __device__ void save(int e, copy_of_element<E> const& from, int) { elements[e].fill(from.value); }
        __device__ void restore(int e, copy_of_element<E>& to, int) const { to.fill(elements[e].value); }
    };
    template <class E>
    struct in_memory {
        bool changed;
        __device__ static E* place(int e, int at) { return reinterpret_cast<E*>(tile_memory + at) + e * static_cast<int>(blockDim.x) + threadIdx.x; }
        __device__ static void save(int e, copy_of_element<E> const& from, int at) { from.write_back(*place(e, at)); }
        __device__ static void restore(int e, copy_of_element<E>& to, int at) { to.fill(*place(e, at)); }
    };
    struct table : numbered<K, choose<ElementsAThread <= most_with_spare_registers, in_registers<T>, in_memory<T>>>... {};

    template <int I>
    static constexpr bool has_its_own = I == 0 || !FirstAlone;
    template <int I>
    static constexpr bool may_change = I < 2 || !FirstAlone;
    template <int I, class M>
    __device__ void save_variable(M const& variable) {
        auto& saved = own_parameter<I>(all_);
        if constexpr (has_its_own<I>)
#pragma unroll
            for (int e = 0; e < ElementsAThread; ++e) saved.save(e, variable.own[e], at);
        saved.changed = variable.changed;
    }
    template <int I, class M>
    __device__ void restore_variable(M& variable) {
        const auto& saved = own_parameter<has_its_own<I> ? I : 0>(all_);
        if constexpr (may_change<I>)
#pragma unroll
            for (int e = 0; e < ElementsAThread; ++e) saved.restore(e, variable.own[e], at);
        variable.changed = own_parameter<I>(all_).changed;
    }

    table all_;

public:
    int at = 0;  // the place in shared memory, in bytes
};

// A thread's sum of the last iteration and of the one before, for results that words do not tell.
class saved_sum {
public:
    template <class T>
    __device__ void keep(T const& sum, bool earlier_is_told) {
        earlier_told_ = earlier_is_told;
        earlier_ = latest_;
        memcpy(&latest_, &sum, sizeof(T));
    }
    __device__ bool earlier_is_told() const { return earlier_told_; }
    template <class T>
    __device__ T earlier() const {
        copy_of_element<T> sum;
        memcpy(&sum.value, &earlier_, sizeof(T));
        return sum.value;
    }

private:
    unsigned long long earlier_ = 0, latest_ = 0;
    bool earlier_told_ = true;
};

}  // namespace cograph::core
