// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

// Copies the own element of those that it sees in a box of three dimensions.
struct move_in_space {
    COGRAPH_HD void operator()(cograph::index_t, cograph::index_t, cograph::index_t, cograph::neighbours<double, 1, 1, 1> from, double& to) const { to = *from; }
};
