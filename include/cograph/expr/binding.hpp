// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reason.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace cograph {

// What a variable stands for in one run. Bindings borrow: the memory must outlive the executable.
template <class Tag, class T>
struct range_binding {
    using tag = Tag;
    using element = T;  // const where the memory may only be read
    T* pointer;
    std::size_t count;
};

template <class Tag, class T>
struct value_binding {
    using tag = Tag;
    using element = T;
    T value;
};

template <class Tag>
struct extent_binding {
    using tag = Tag;
    using element = void;
    std::size_t count;
};

template <class R>
concept contiguous = requires(R& range) {
    { range.data() } -> std::convertible_to<const volatile void*>;
    { range.size() } -> std::convertible_to<std::size_t>;
};

template <class Tag, class T>
constexpr auto bind_range(T* pointer, std::size_t count) {
    using expected = typename Tag::element;
    if constexpr (std::is_same_v<std::remove_const_t<T>, expected>) {
        return range_binding<Tag, T>{pointer, count};
    } else {
        static_cast<void>(require<elements_differ<Tag, expected, T>>{});
        return range_binding<Tag, expected>{nullptr, 0};
    }
}

template <class Tag, class T, std::size_t N>
constexpr auto bind_range(T (&array)[N]) {
    return bind_range<Tag>(array, N);
}

template <class Tag, class Range>
    requires contiguous<Range>
constexpr auto bind_range(Range& range) {
    if constexpr (std::is_trivially_copyable_v<Range>) {
        return bind_range<Tag>(range.data(), range.size());
    } else {
        static_cast<void>(require<container_owns_memory<Tag, Range>>{});
        return range_binding<Tag, typename Tag::element>{nullptr, 0};
    }
}

}  // namespace cograph
