// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_order.hpp>
#include <cograph/expr/box/box_places.hpp>
#include <cograph/expr/function/operations.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

template <class Op>
inline constexpr bool takes_one_of_two = std::is_same_v<Op, maximum> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum_or_nan> || std::is_same_v<Op, minimum_or_nan>;
// Whether the order of an operation's terms may change a result.
template <class Op, class T>
inline constexpr bool has_order = !joins_in_any_order<Op> && !(std::is_integral_v<T> && (std::is_same_v<Op, plus> || takes_one_of_two<Op>)) &&
                                  !((std::is_same_v<T, float> || std::is_same_v<T, double>)&&takes_one_of_two<Op>);
template <class Op, class T>
inline constexpr bool has_order<made_on_use<Op>, T> = has_order<Op, T>;
template <class Op, class T>
inline constexpr bool has_order<Op, made_on_use<T>> = has_order<Op, T>;
template <class Op, class T>
inline constexpr bool has_order<made_on_use<Op>, made_on_use<T>> = has_order<Op, T>;
constexpr unsigned most_ordered_bytes = 8;  // of a result that blocks with tiles send to each other

// The terms of a reduction by their positions in the order of a box; some have none.
template <class Term>
struct terms_in_order {
    box_order order;
    Term const& of_element;  // of a place in the box

    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add(T& sum, Op const& op, index_t position) const {
        box_place<2> place{};
        if (!order.is_cut())
            add_element(sum, op, position);
        else if (order.find(order.corner_of(position), position, place))
            sum = op(sum, of_element(place));
    }
    // Of a box that is not cut.
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_element(T& sum, Op const& op, index_t i) const {
        sum = op(sum, of_element(place_of<2>(i, order.rows, order.columns)));
    }
    // Of a box that is cut, all terms of a lane whose first position is given.
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_lane(T& sum, Op const& op, index_t position) const {
        if (order.elements == box_order::few)
            add_patch<box_order::few>(sum, op, position, std::make_integer_sequence<int, box_order::few / 2>{});
        else if (order.elements == box_order::many)
            add_patch<box_order::many>(sum, op, position, std::make_integer_sequence<int, box_order::many / 2>{});
        else
            add_large_patch(sum, op, position);
    }

private:
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_at(T& sum, Op const& op, index_t row, index_t column) const {
        sum = op(sum, of_element(box_place<2>{row * order.columns + column, {row, column}, {order.rows, order.columns}}));
    }
    // If all exist, no tests stand between them, so that their loads overlap.
    COGRAPH_EXEC_CHECK_OFF
    template <int Elements, class T, class Op, int... I>
    COGRAPH_HD void add_patch(T& sum, Op const& op, index_t position, std::integer_sequence<int, I...>) const {
        constexpr int across = box_order::columns_of_lane(Elements), down = sizeof...(I) / across;
        const box_order::corner first = order.corner_if(Elements, position);
        if (first.row + down <= order.rows && first.column + across <= order.columns)
            add_together<across>(sum, op, first, std::integer_sequence<int, I...>{});
        else
            add_existing(sum, op, first, down, across);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_large_patch(T& sum, Op const& op, index_t position) const {
        constexpr int across = box_order::large_columns / 2, together = 4;  // columns and rows
        box_order::corner first = order.corner_if_large(position);
        int down = order.large_rows();
        if (first.row + down <= order.rows && first.column + across <= order.columns)
            for (; down >= together; down -= together, first.row += together) add_together<across>(sum, op, first, std::make_integer_sequence<int, across * together>{});
        add_existing(sum, op, first, down, across);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <int Across, class T, class Op, int... I>
    COGRAPH_HD void add_together(T& sum, Op const& op, box_order::corner const& first, std::integer_sequence<int, I...>) const {
        (add_at(sum, op, first.row + I / Across, first.column + I % Across), ...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_existing(T& sum, Op const& op, box_order::corner const& first, int down, int across) const {
        for (int row = 0; row < down && first.row + row < order.rows; ++row)
            for (int column = 0; column < across && first.column + column < order.columns; ++column) add_at(sum, op, first.row + row, first.column + column);
    }
};

}  // namespace cograph::core
