// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language, its plan, simulation and pictures: plain C++20, no CUDA.

#include <cograph/expr/algorithm.hpp>
#include <cograph/expr/control.hpp>
#include <cograph/expr/kernel.hpp>
#include <cograph/expr/order.hpp>
#include <cograph/host/simulate.hpp>
#include <cograph/plan/dot.hpp>
#include <cograph/plan/query.hpp>
