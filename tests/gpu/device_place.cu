// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <stdexcept>
#include <vector>

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

TEST_CASE("tests notice what is written beside their arrays", "[gpu][storage]") {
    if (leave_out::under_tool()) return;
    const auto write = [](int at, bool reads) {
        ways::device_array<int> three(std::vector<int>{1, 2, 3});
        write_at<<<1, 1>>>(three.data(), at);
        if (reads) three.read();
    };
    for (const bool reads : {true, false}) {
        for (const int at : {-1, 3}) CHECK_THROWS_AS(write(at, reads), std::runtime_error);
        CHECK_NOTHROW(write(2, reads));
    }
}
