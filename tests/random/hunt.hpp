// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace random_programs {

inline int more_launches = 0;  // of each graph, behind those whose results are compared
inline int only = -1;          // the number of the one program that is run; negative: all

}  // namespace random_programs
