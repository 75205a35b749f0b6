// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../command_line.hpp"

namespace heat {

using command_line::usage_error;

struct options {
    int points = 33;  // on a side
    double tolerance = 1e-9;
    int most = 100000;
};

inline constexpr const char* usage =
    R"(usage: jacobi [--size N] [--tolerance T] [--max-sweeps M]
  --size N        N by N points, 3 to 8192 (default 33)
  --tolerance T   stop when no point changes by more (default 1e-9)
  --max-sweeps M  give up after so many sweeps (default 100000)
)";

/// Takes what main takes. Throws usage_error.
inline options parse(int count, const char* const* arguments) {
    options chosen;
    command_line::read(count, arguments,
                       {{"--size", 3, 8192, chosen.points}, {"--tolerance", 1e-300, 1e300, chosen.tolerance}, {"--max-sweeps", 1, 2e9, chosen.most}});
    return chosen;
}

}  // namespace heat
