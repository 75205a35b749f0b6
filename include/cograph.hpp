// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language, its plan, simulation and pictures: plain C++20, no CUDA.

// First: compilers print by which files they came to these.
#include <cograph/expr/core/reason.hpp>
#include <cograph/expr/variable/variable.hpp>

#include <cograph/all_but_operators.hpp>

#include <cograph/expr/formula/operators.hpp>
#include <cograph/expr/math/functions.hpp>
#include <cograph/expr/math/member.hpp>
#include <cograph/expr/refused/formula/functions.hpp>
#include <cograph/expr/refused/formula/operators.hpp>
#include <cograph/expr/refused/formula/unknown.hpp>

// The names for users, but for those of nodes of one file, which stand there. All other names are in cograph::core and may change.

namespace cograph {

// Variables and arguments.
using core::box;
using core::buffer;
using core::each;
using core::expression;
using core::extent;
using core::host_buffer;
using core::in;
using core::inout;
using core::near;
using core::out;
using core::pinned_buffer;
using core::scalar;
using core::temp;
using core::value;
using core::variable;
using core::view;
#ifdef __NVCC__
using core::elements;
#else
inline namespace spelled_out {  // so that g++ prints the mistake in a size; nvcc loses the argument of such an alias
template <auto Size>
using elements = core::elements<Size, core::checked_size_t<Size>>;
}
#endif

// Nodes and their shapes.
using core::assign;
using core::capture_mode;
using core::captured;
using core::copy;
using core::copy_if;
using core::cub_call;
using core::dot;
using core::exclusive_scan;
using core::for_each;
using core::grid;
using core::host;
using core::inclusive_scan;
using core::kernel;
using core::label;
using core::max_element;
using core::min_element;
using core::over;
using core::partition_copy;
using core::reduce;
using core::segmented_reduce;
using core::single_task;
using core::swap;
using core::transform_exclusive_scan;
using core::transform_inclusive_scan;
using core::transform_reduce;

// Operations of reductions, and several at once.
using core::maximum;
using core::maximum_or_nan;
using core::minimum;
using core::minimum_or_nan;
using core::multiplies;
using core::operations;
using core::plus;

// Order and control.
using core::as_nodes;
using core::at_most;
using core::check_every;
using core::nodes::barrier;
using core::nodes::record;
using core::nodes::wait;
using core::do_while;
using core::loop_while;
using core::otherwise;
using core::par;
using core::repeat;
using core::seq;
using core::switch_on;
using core::predicate;
using core::when;

// Predicates over arrays, and structs in formulas.
using core::all;
using core::all_of;
using core::any;
using core::any_of;
using core::count_if;
using core::max_abs;
using core::member;
using core::none;
using core::none_of;

// Questions about an expression.
using core::at;
using core::calls;
using core::graph_depth;
using core::edge_count;
using core::has_edge;
using core::is_input;
using core::is_mutated;
using core::is_output;
using core::is_persistent;
using core::nesting_depth;
using core::node_count;
using core::ordered;
using core::lowering_status;
using core::on_chip;
using core::phase_status;
using core::tile_status;
using core::reads;
using core::region_count;
using core::may_alias;
using core::share_kernel;
using core::where_on_chip;
using core::why_no_phase;
using core::why_no_tiles;
using core::why_not_persistent;
using core::graph_width;
using core::writes;

// Reports of loops.
using core::ending;
using core::loop_report;

// Ways to run it.
using core::memory_usage;
using core::memory_footprint;
using core::error;
using core::instantiate;
using core::device_updatable;
using core::place;
using core::run_on;
using core::simulate;
using core::write_dot;
using core::write_json;

}  // namespace cograph
