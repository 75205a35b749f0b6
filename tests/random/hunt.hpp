// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace random_programs {

inline int more_launches = 0;  // of each graph, behind those whose results are compared
inline int only = -1;          // the number of the one program that is run; negative: all
inline std::atomic<int> batches = 0;          // programs that also ran as a batch with equal parts
inline std::atomic<int> unequal_batches = 0;  // and with unequal ones
inline std::atomic<int> with_phases = 0;      // programs in which one block may run a part of a loop

constexpr int programs_with_phases = 6;  // at least one of so many has phases
constexpr int programs_a_batch = 16;  // at least one of so many is a batch of each kind

}  // namespace random_programs
