// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language, its plan, simulation and pictures, without the operators of formulas: compilers ask those whether they take part
// in every comparison of the library's own types that they read behind them, so they come behind everything else.

#include <cograph/expr/array_terms.hpp>
#include <cograph/expr/as_nodes.hpp>
#include <cograph/expr/branches.hpp>
#include <cograph/expr/captured.hpp>
#include <cograph/expr/copies.hpp>
#include <cograph/expr/events.hpp>
#include <cograph/expr/host_work.hpp>
#include <cograph/expr/kernel.hpp>
#include <cograph/expr/library.hpp>
#include <cograph/expr/loops.hpp>
#include <cograph/expr/order.hpp>
#include <cograph/host/simulate.hpp>
#include <cograph/host/without_cuda.hpp>
#include <cograph/plan/dot.hpp>
#include <cograph/plan/json.hpp>
#include <cograph/plan/lowering.hpp>
#include <cograph/plan/query.hpp>
#include <cograph/plan/selector.hpp>
#include <cograph/plan/sharing.hpp>
