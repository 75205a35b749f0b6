// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/node/computed_count.hpp>
#include <cograph/expr/refused/box/box_shape.hpp>

#include <cstdint>
#include <utility>

namespace cograph::core {

// Boxes of two or three dimensions: over(rows, columns), over(planes, rows, columns). Elements are numbered row by row.

// A side is a constant, or V: an integer value, or the extent of a variable in memory.
template <index_t Size>
struct constant_side {
    COGRAPH_HD constexpr operator index_t() const { return Size; }
};

// Stands before the sides of a box whose sums are joined in patches.
struct patch_mark {};

// The size of a box as a formula, sides and products in postfix order.
template <class... Side>
struct box_formula {
    size_part parts[2 * sizeof...(Side) - 1]{};
    const variable_info* variables[sizeof...(Side) + 1]{};
    int part_count = 0, variable_count = 0;

    constexpr box_formula() { (add(static_cast<const Side*>(nullptr)), ...); }
    template <index_t Size>
    constexpr void add(const constant_side<Size>*) {
        add_part({size_step::number, Size});
    }
    constexpr void add(const patch_mark*) {}
    template <class V>
    constexpr void add(const V*) {
        variables[variable_count] = &info_of<V>;
        add_part({size_step::extent, variable_count++});
    }
    constexpr void add_part(size_part side) {
        parts[part_count++] = side;
        if (part_count > 1) parts[part_count++] = {size_step::product, 0};
    }
};
// A box with a negative side has as many elements as that side, which is refused.
constexpr size_result compute_box(const size_rule& rule, size_result (*read)(const void* run, const variable_info&), const void* run) {
    for (int i = 0; i < rule.variable_count; ++i) {
        const size_result side = read(run, *rule.variables[i]);
        if (side.fault || side.value < 0) return side;
    }
    return compute_size(rule, read, run);
}
template <class... Side>
inline constexpr box_formula<Side...> formula_of_box{};
template <class... Side>
inline constexpr size_rule rule_of_box{formula_of_box<Side...>.parts, formula_of_box<Side...>.part_count, formula_of_box<Side...>.variables,
                                       formula_of_box<Side...>.variable_count, &compute_box};

// To the plan, a variable that has as many elements as the box and no memory.
template <class... Side>
struct box_count : variable_base<box_count<Side...>, char, variable_kind::count> {};
template <class... Side>
inline constexpr variable_info info_of<box_count<Side...>>{{"over(...)"}, variable_kind::count, 1, 1, true, nullptr,
                                                          type_hash<box_count<Side...>>(), {"none"}, &rule_of_box<Side...>};

// The domain of a box whose sums are joined in patches. Its number of elements is another variable, so that no thread is taken to have the same elements of both.
struct patched_extent : constant_extent {};
template <class Domain>
struct domain_in_patches {
    using type = patched_extent;
};
template <class... Side>
struct domain_in_patches<extent_t<box_count<Side...>>> {
    using type = extent_t<box_count<patch_mark, Side...>>;
};
template <class... Side>
struct domain_in_patches<extent_t<box_count<patch_mark, Side...>>> {
    using type = extent_t<box_count<patch_mark, Side...>>;
};
template <class Domain>
inline constexpr bool in_patches = std::is_same_v<Domain, patched_extent>;
template <class... Side>
inline constexpr bool in_patches<extent_t<box_count<patch_mark, Side...>>> = true;

// A side as an argument of a node.
template <class Side>
struct side_argument {
    using type = extent_t<box_count<Side>>;
};
template <index_t Size>
struct known_side : given<constant_side<Size>> {
    static constexpr argument describe{argument_form::stateless, access_mode::none, nullptr, 0, false, nullptr, nullptr, 0, Size};
};
template <index_t Size>
struct side_argument<constant_side<Size>> {
    using type = known_side<Size>;
};
template <>
struct side_argument<index_t> {
    using type = given<index_t>;
};

// A thread for each element. Side: constant_side, a variable, or index_t, whose number the shape keeps.
template <class Domain, class... Side>
struct box_shape : shape_base<box_shape<Domain, Side...>> {
    using domain = Domain;
    static constexpr bool counts_elements = true;
    static constexpr int rank = sizeof...(Side);
    index_t sides[rank] = {};
};
template <class Domain, class... Side>
constexpr auto shape_in_patches(box_shape<Domain, Side...> const& shape) {
    box_shape<typename domain_in_patches<Domain>::type, Side...> made{};
    made.values = shape.values;
    for (int d = 0; d < shape.rank; ++d) made.sides[d] = shape.sides[d];
    return made;
}

// The elements of a box whose sides are known; too many are as many as there can be.
constexpr index_t box_size(const index_t* sides, int rank) {
    index_t size = 1;
    for (int d = 0; d < rank; ++d) {
        if (sides[d] < 0) return sides[d];
        size = sides[d] != 0 && size > PTRDIFF_MAX / sides[d] ? PTRDIFF_MAX : size * sides[d];
    }
    return size;
}
template <class... Side>
constexpr box_shape<constant_extent, Side...> constant_box(std::initializer_list<index_t> sides) {
    box_shape<constant_extent, Side...> shape{};
    int d = 0;
    for (index_t side : sides) shape.sides[d++] = side;
    shape.values.count = box_size(shape.sides, shape.rank);
    return shape;
}

// The size of a side: in angle brackets, a formula too.
template <class V>
word<V> side_of(const V*);
template <class V>
word<V> side_of(const extent_t<V>*);
template <auto Side>
constexpr auto side_in_brackets() {
    using type = std::remove_cvref_t<decltype(Side)>;
    if constexpr (is_variable_side<type>)
        return decltype(side_of(static_cast<const type*>(nullptr))){};
    else if constexpr (__is_class(type))
        return word<computed_count<Side>>{};
    else
        return word<constant_side<Side>>{};
}
template <class... Side>
constexpr auto box_of(word<Side>...) {
    return box_shape<extent_t<box_count<Side...>>, Side...>{};
}
template <index_t... Size>
constexpr auto box_of(word<constant_side<Size>>...) {
    return constant_box<constant_side<Size>...>({Size...});
}

// From integers, from value variables and extents, and in angle brackets from all of these and formulas over them.
template <class A, class B, class... C>
    requires(sizeof...(C) < 2 && are_sides<A, B, C...>)
constexpr auto over(A a, B b, C... c) {
    if constexpr (is_launch_size<A> && sizeof...(C) == 0)
        return constant_box<index_t, index_t>({static_cast<index_t>(a), static_cast<index_t>(b)});
    else if constexpr (is_launch_size<A>)
        return constant_box<index_t, index_t, index_t>({static_cast<index_t>(a), static_cast<index_t>(b), static_cast<index_t>(c)...});
    else
        return box_of(decltype(side_of(static_cast<const A*>(nullptr))){}, decltype(side_of(static_cast<const B*>(nullptr))){},
                      decltype(side_of(static_cast<const C*>(nullptr))){}...);
}
template <auto A, auto B, auto... C>
    requires(sizeof...(C) < 2 && is_fine<decltype(diagnose_sides<A, B, C...>())>)
constexpr auto over() {
    return box_of(side_in_brackets<A>(), side_in_brackets<B>(), side_in_brackets<C>()...);
}
// From the extents of an mdspan, or of a type with their members.
template <class E>
    requires has_extents<E>
constexpr auto over(E const& extents) {
    if constexpr (E::rank() == 2)
        return over(static_cast<index_t>(extents.extent(0)), static_cast<index_t>(extents.extent(1)));
    else
        return over(static_cast<index_t>(extents.extent(0)), static_cast<index_t>(extents.extent(1)), static_cast<index_t>(extents.extent(2)));
}

}  // namespace cograph::core
