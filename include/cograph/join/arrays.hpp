// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>  // first: compilers print by which files they came to it

#include <cograph/join/refused/arrays.hpp>

#include <cograph.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cograph::core {

// Tensors of DLPack and mdspans as bindings of variables: x(tensor). A binding borrows, so the tensor's owner must
// keep it as long as memory of any other kind. Recognized by their members: no header of others is needed.

template <class T>
concept dl_tensor = requires(const T& t) {
    static_cast<char*>(t.data);
    static_cast<int>(t.device.device_type);
    static_cast<int>(t.ndim);
    static_cast<int>(t.dtype.code);
    static_cast<int>(t.dtype.bits);
    static_cast<int>(t.dtype.lanes);
    static_cast<const std::int64_t*>(t.shape);
    static_cast<const std::int64_t*>(t.strides);
    static_cast<std::uint64_t>(t.byte_offset);
};
template <class T>
concept dl_managed_tensor = requires(const T& t) { requires dl_tensor<std::remove_cvref_t<decltype(t.dl_tensor)>>; };
template <class T>
concept dl_versioned_tensor = dl_managed_tensor<T> && requires(const T& t) { static_cast<std::uint64_t>(t.flags); };

// Codes of DLPack.
enum class dl_code : int { signed_integer = 0, unsigned_integer = 1, floating_point = 2, bfloat = 4, complex = 5, boolean = 6 };
enum class dl_device : int { host = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

// Whether elements of a type match a code; for classes only their size is known.
template <class T>
constexpr bool has_code(int code) {
    if constexpr (std::is_same_v<T, bool>)
        return code == static_cast<int>(dl_code::boolean);
    else if constexpr (std::is_enum_v<T>)
        return code == static_cast<int>(std::is_signed_v<std::underlying_type_t<T>> ? dl_code::signed_integer : dl_code::unsigned_integer);
    else if constexpr (std::is_integral_v<T>)
        return code == static_cast<int>(std::is_signed_v<T> ? dl_code::signed_integer : dl_code::unsigned_integer);
    else if constexpr (std::is_floating_point_v<T>)
        return code == static_cast<int>(dl_code::floating_point);
    else
        return code >= static_cast<int>(dl_code::floating_point) && code != static_cast<int>(dl_code::boolean);
}

// The part that does not depend on types: the number of elements of a tensor in row-major order without gaps.
struct tensor_shape {
    int dimensions;
    const std::int64_t *shape, *strides;
};
inline std::size_t count_elements(const variable_info& v, const tensor_shape& t) {
    std::int64_t count = 1;
    bool is_dense = true;
    for (int d = t.dimensions - 1; d >= 0; --d) {
        if (t.strides && t.shape[d] != 1) is_dense &= t.strides[d] == count;
        count *= t.shape[d];
    }
    if (!is_dense && count > 0) refuse_tensor(v, "has strides: its elements do not follow each other in row-major order. Make it contiguous");
    return static_cast<std::size_t>(count);
}
inline void check_tensor(const variable_info& v, bool has_elements_of_v, int code, int bits, int lanes, int device) {
    if (!has_elements_of_v) refuse_elements(v, code, bits, lanes);
    const bool on_host = device == static_cast<int>(dl_device::host) || device == static_cast<int>(dl_device::cuda_host) || device == static_cast<int>(dl_device::cuda_managed);
    if (!on_host && device != static_cast<int>(dl_device::cuda)) refuse_tensor(v, "is on a device of another kind: bind memory that CUDA or the host reaches");
    if (!on_host && (v.kind == variable_kind::host || v.kind == variable_kind::pinned)) refuse_tensor(v, "is on a GPU, and the variable is memory of the host");
}

template <dl_tensor T>
struct array_of_others<T> {
    static constexpr bool is_known = true;
    template <class Tag, class Element>
    static constexpr auto diagnose() {
        return diagnose_elements<Tag, Element>(word<Element>{});
    }
    template <class Tag>
    static auto bind(const T& t) {
        using element = typename Tag::element;
        const variable_info& v = info_of<Tag>;
        const int code = static_cast<int>(t.dtype.code), bits = static_cast<int>(t.dtype.bits), lanes = static_cast<int>(t.dtype.lanes);
        check_tensor(v, has_code<element>(code) && (lanes == 1 || std::is_class_v<element>) && static_cast<std::size_t>(bits * lanes) == 8 * sizeof(element), code, bits, lanes, static_cast<int>(t.device.device_type));
        const std::size_t count = count_elements(v, {static_cast<int>(t.ndim), t.shape, t.strides});
        char* const first = count > 0 ? static_cast<char*>(t.data) + t.byte_offset : nullptr;
        if (reinterpret_cast<std::uintptr_t>(first) % v.alignment != 0) refuse_tensor(v, "begins at an address that is not aligned to its elements: its byte_offset is wrong");
        return range_binding<Tag, element>{{first, count}};
    }
};
template <dl_managed_tensor T>
struct array_of_others<T> {
    using tensor = std::remove_cvref_t<decltype(T::dl_tensor)>;
    static constexpr bool is_known = true;
    template <class Tag, class Element>
    static constexpr auto diagnose() {
        return array_of_others<tensor>::template diagnose<Tag, Element>();
    }
    template <class Tag>
    static auto bind(const T& t) {
        if constexpr (dl_versioned_tensor<T>)
            if (t.flags & 1) refuse_tensor(info_of<Tag>, "may only be read: bind the pointer to its const elements and their number");
        return array_of_others<tensor>::template bind<Tag>(t.dl_tensor);
    }
};

// std::mdspan, cuda::std::mdspan and other types with their members.
template <class T>
concept mdspan_like = requires(const T& m) {
    typename T::element_type;
    requires std::is_same_v<decltype(m.data_handle()), typename T::element_type*>;
    static_cast<bool>(m.is_exhaustive());
    static_cast<std::size_t>(m.mapping().required_span_size());
};
template <mdspan_like T>
struct array_of_others<T> {
    static constexpr bool is_known = true;
    template <class Tag, class Element>
    static constexpr auto diagnose() {
        return diagnose_elements<Tag, Element>(word<typename T::element_type>{});
    }
    template <class Tag>
    static constexpr auto bind(const T& m) {
        if (!m.is_exhaustive()) refuse_tensor(info_of<Tag>, "leaves out elements between its own: bind an mdspan whose mapping is exhaustive");
        return range_binding<Tag, typename T::element_type>{{m.data_handle(), static_cast<std::size_t>(m.mapping().required_span_size())}};
    }
};

}  // namespace cograph::core
