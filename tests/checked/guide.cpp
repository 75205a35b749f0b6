// SPDX-License-Identifier: Apache-2.0

// The code of the guide and of the page on memory, with a check in place of each simulation.

#include "checked.hpp"

#include "../docs/guide.cpp"
#include "../docs/memory.cpp"
