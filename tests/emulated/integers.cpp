// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

using namespace expressions::boxes;
using cograph::core::tile_kind;
using emulated::check;

TEST_CASE("kernels on the CPU: a box in a cluster, with a sum in every second iteration") {
    check(branching(41, 67), 9, {tile_kind::plain, 4, 8, 256, 8});
}

TEST_CASE("kernels on the CPU: tiles that overlap and run ahead of the test, which is in every fourth step") {
    check(fourth(49, 83), 9, {tile_kind::overlapping, 4, 8, 288});
    check(fourth(90, 91), 4, {tile_kind::overlapping, 8, 4, 512});
}

TEST_CASE("kernels on the CPU: three dimensions") {
    check(room(7, 20, 40), 9, {tile_kind::plain, 4, 8, 512, 8});
    check(room(9, 40, 70), 9, {tile_kind::plain, 32, 9, 512});
}

TEST_CASE("kernels on the CPU: one dimension") { check(line(20'000), 9, {tile_kind::plain, 16, 9, 256}); }
