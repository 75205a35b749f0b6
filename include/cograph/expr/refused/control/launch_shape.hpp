// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/variable/variable.hpp>

namespace cograph::core {

// Rules of grid_of and block_of, and of the options after them.

template <int Blocks, class Others>
constexpr auto diagnose_grid() {
    if constexpr (Blocks < 1 && Blocks != -1)
        return grid_has_no_blocks<Blocks>{};
    else
        return Others::fault();
}
template <int Threads, class Others>
constexpr auto diagnose_block() {
    if constexpr (Threads != 256 && Threads != 512 && Threads != 768 && Threads != 1024)
        return block_is_not_made_of_tiles<Threads>{};
    else
        return Others::fault();
}

}  // namespace cograph::core
