// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/join/arrays.hpp>

#include <cstdint>
#include <cstdio>
#include <span>
#include <type_traits>

namespace cograph::core {

// Arrays whose elements have gaps or another order, for gather and scatter (cograph/join/gather.cuh).

constexpr int most_dimensions = 8;

// Elements in the order of their indices, the last one fastest; strides are elements, and may be negative or 0.
template <class T>
struct strided_array {
    T* data = nullptr;
    int dimensions = 0;
    index_t extents[most_dimensions] = {};
    index_t strides[most_dimensions] = {};

    constexpr index_t size() const {
        index_t count = 1;
        for (int d = 0; d < dimensions; ++d) count *= extents[d];
        return count;
    }
    // The offset of element number i.
    COGRAPH_HD constexpr index_t offset_of(index_t i) const {
        index_t at = 0;
        for (int d = dimensions - 1; d >= 0; --d) {
            at += i % extents[d] * strides[d];
            i /= extents[d];
        }
        return at;
    }
    COGRAPH_HD constexpr T& operator[](index_t i) const { return data[offset_of(i)]; }
};

// Elements at equal distances, from an address on.
template <class T>
constexpr strided_array<T> strided(T* data, index_t count, index_t stride) {
    return {data, 1, {count}, {stride}};
}

inline void check_dimensions(int dimensions) {
    if (dimensions < 0 || dimensions > most_dimensions) throw error({"strided"}, "is given an array of more than eight dimensions");
}
[[noreturn]] inline void refuse_strided(const char* why) { throw error({"strided"}, why); }

// The array of a DLPack tensor with elements of type T, or of an mdspan.
template <class T, dl_tensor Tensor>
strided_array<T> strided(const Tensor& t) {
    using element = std::remove_const_t<T>;
    check_dimensions(static_cast<int>(t.ndim));
    const int lanes = static_cast<int>(t.dtype.lanes);
    if (!has_code<element>(static_cast<int>(t.dtype.code)) || (lanes != 1 && !std::is_class_v<element>) || static_cast<std::size_t>(static_cast<int>(t.dtype.bits) * lanes) != 8 * sizeof(element))
        refuse_strided("is given a tensor with elements of another type");
    const int device = static_cast<int>(t.device.device_type);
    if (device != static_cast<int>(dl_device::host) && device != static_cast<int>(dl_device::cuda) && device != static_cast<int>(dl_device::cuda_host) && device != static_cast<int>(dl_device::cuda_managed))
        refuse_strided("is given a tensor on a device of another kind");
    char* const first = static_cast<char*>(t.data) + t.byte_offset;
    if (reinterpret_cast<std::uintptr_t>(first) % alignof(element) != 0) refuse_strided("is given a tensor that is not aligned to its elements: its byte_offset is wrong");
    strided_array<T> made{reinterpret_cast<T*>(first), static_cast<int>(t.ndim), {}, {}};
    index_t dense = 1;
    for (int d = made.dimensions - 1; d >= 0; --d) {
        made.extents[d] = t.shape[d];
        made.strides[d] = t.strides ? t.strides[d] : dense;
        dense *= t.shape[d];
    }
    return made;
}
template <class T, dl_managed_tensor Tensor>
strided_array<T> strided(const Tensor& t) {
    if constexpr (dl_versioned_tensor<Tensor> && !std::is_const_v<T>)
        if (t.flags & 1) refuse_strided("is given a tensor that may only be read, for elements that may be written: name a const type");
    return strided<T>(t.dl_tensor);
}
template <mdspan_like M>
    requires requires(const M& m) { m.stride(0); }
strided_array<typename M::element_type> strided(const M& m) {
    check_dimensions(static_cast<int>(M::rank()));
    strided_array<typename M::element_type> made{m.data_handle(), static_cast<int>(M::rank()), {}, {}};
    for (std::size_t d = 0; d < M::rank(); ++d) {
        made.extents[d] = static_cast<index_t>(m.extent(d));
        made.strides[d] = static_cast<index_t>(m.stride(d));
    }
    return made;
}

inline void check_size(index_t array, std::size_t memory, const char* what) {
    if (array == static_cast<index_t>(memory)) return;
    char text[160];
    std::snprintf(text, sizeof text, "is given an array of %lld elements, and memory for %lld", static_cast<long long>(array), static_cast<long long>(memory));
    throw error({what}, text);
}

// Copies the elements of an array to memory without gaps, on the host; returns that memory.
template <class T, class U>
    requires std::is_same_v<std::remove_const_t<U>, T>
std::span<T> gather(strided_array<U> from, std::span<T> to) {
    check_size(from.size(), to.size(), "gather");
    for (index_t i = 0; i < from.size(); ++i) to[static_cast<std::size_t>(i)] = from[i];
    return to;
}
// Copies from memory without gaps to an array.
template <class T, class U>
    requires std::is_same_v<std::remove_const_t<U>, T>
void scatter(std::span<U> from, strided_array<T> to) {
    check_size(to.size(), from.size(), "scatter");
    for (index_t i = 0; i < to.size(); ++i) to[i] = from[static_cast<std::size_t>(i)];
}

}  // namespace cograph::core

namespace cograph {

using core::gather;
using core::scatter;
using core::strided;
using core::strided_array;

}  // namespace cograph
