// SPDX-License-Identifier: Apache-2.0
#include "double_it.hpp"

double doubled_by_other() {
    double values[] = {1, 2, 3};
    cograph::simulate(double_it(), x(values));
    return values[2];
}
