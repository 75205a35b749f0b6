// SPDX-License-Identifier: Apache-2.0
#include "double_it.hpp"

#include <cstdio>

double doubled_by_main() {
    double values[] = {1, 2, 3};
    cograph::simulate(double_it(), x(values));
    return values[2];
}

int main() {
    bool right = doubled_by_main() == 6 && doubled_by_other() == 6;
#ifdef CONSUMER_CUDA
    right = right && doubled_by_gpu() == 6 && doubled_by_other_gpu() == 6 && doubled_by_type(double_by_temp(), odd_size()) == 6;
#endif
    std::puts(right ? "right" : "wrong");
    return right ? 0 : 1;
}
