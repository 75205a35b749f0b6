// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Boxes and the elements around one.

template <class Variable, class Near>
struct radius_is_out_of_range : if_met<Variable>::template advises<struct give_one_to_three_numbers_from_0_to_8_that_are_not_all_0> {};

template <class Variable>
struct neighbours_are_only_read : if_met<Variable>::template advises<struct mark_x_near_in_and_write_another_variable> {};

template <class Function, class Variable>
struct neighbours_are_for_for_each_and_transform_reduce : if_met<Variable>::template advises<struct pass_the_whole> {};

template <class Function, class Variable, class Near>
struct function_takes_neighbours : if_met<Function>::template advises<struct write_this_near_in_brackets_after_the_variable> {};

template <int Numbers>
struct dimensions {};
template <class Function, class Variable, class Radius, class Shape>
struct radius_has_other_dimensions : if_met<Variable>::template advises<struct give_near_a_number_for_each_dimension_of_the_shape> {};

template <class Shape>
struct shape_has_no_such_subset : if_met<Shape>::template advises<struct write_every_after_over_of_one_dimension_and_checkerboard_after_a_box> {};

template <class Shape>
struct shape_has_no_patches : if_met<Shape>::template advises<struct write_in_patches_after_a_box_of_two_dimensions> {};

template <int Stride, int Offset>
struct not_a_subset : if_met<dimensions<Stride>>::template advises<struct give_a_stride_above_the_offset_or_a_colour_of_0_or_1> {};

template <class First, class... More>
struct not_sides_of_a_box : if_met<First>::template advises<struct give_only_integers_or_only_extents_and_values_or_write_them_in_angle_brackets> {};

}  // namespace cograph::reason
