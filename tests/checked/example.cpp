// SPDX-License-Identifier: Apache-2.0

// An example, with a check in place of each simulation.

#include "checked.hpp"

#include COGRAPH_EXAMPLE
