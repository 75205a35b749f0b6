// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <stdexcept>

namespace {

__global__ void write_at(int* memory, int at) { memory[at] = 7; }

}  // namespace

TEST_CASE("tests notice what is written beside their memory", "[gpu][storage]") {
    if (leave_out::under_tool()) return;  // which notices itself
    for (const int at : {-1, 3}) {
        std::vector<int> three = {1, 2, 3};
        ways::device_place place;
        const std::span<int> there = place(three);
        place.bring_back();
        write_at<<<1, 1>>>(there.data(), at);
        CHECK_THROWS_AS(place.bring_back(), std::runtime_error);
    }
}
