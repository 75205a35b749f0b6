// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language, its plan, simulation and pictures, without the operators of formulas. Compilers consider these
// operators in every later comparison of the library's own types, so they are included after everything else.

#include <cograph/expr/algorithm/assign.hpp>
#include <cograph/expr/algorithm/copy.hpp>
#include <cograph/expr/algorithm/dot.hpp>
#include <cograph/expr/algorithm/extreme_element.hpp>
#include <cograph/expr/algorithm/fill.hpp>
#include <cograph/expr/iteration/group_memory.hpp>
#include <cograph/expr/algorithm/group_reduce.hpp>
#include <cograph/expr/algorithm/reduce.hpp>
#include <cograph/expr/box/box_nodes.hpp>
#include <cograph/expr/box/subsets.hpp>
#include <cograph/expr/control/as_nodes.hpp>
#include <cograph/expr/control/branches.hpp>
#include <cograph/expr/control/loops.hpp>
#include <cograph/expr/control/order.hpp>
#include <cograph/expr/formula/array_terms.hpp>
#include <cograph/expr/iteration/first_nodes.hpp>
#include <cograph/expr/iteration/swap.hpp>
#include <cograph/expr/node/computed_count.hpp>
#include <cograph/expr/node/kernel.hpp>
#include <cograph/expr/reduction/several_results.hpp>
#include <cograph/expr/scan/copy_if.hpp>
#include <cograph/expr/scan/partition_copy.hpp>
#include <cograph/expr/scan/scan.hpp>
#include <cograph/expr/scan/segmented_reduce.hpp>
#include <cograph/expr/scan/transform_scan.hpp>
#include <cograph/expr/stream/captured.hpp>
#include <cograph/expr/stream/copies.hpp>
#include <cograph/expr/stream/events.hpp>
#include <cograph/expr/stream/host_work.hpp>
#include <cograph/host/simulate.hpp>
#include <cograph/host/refused/without_cuda.hpp>
#include <cograph/plan/lowering/kernel_queries.hpp>
#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/report/dot.hpp>
#include <cograph/plan/report/edge_queries.hpp>
#include <cograph/plan/report/json.hpp>
#include <cograph/plan/report/memory_queries.hpp>
#include <cograph/plan/report/query.hpp>
