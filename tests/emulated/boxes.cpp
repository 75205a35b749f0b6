// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

using namespace expressions::boxes;
using cograph::core::tile_kind;
using emulated::check;

TEST_CASE("kernels on the CPU: tiles that overlap, whose warps fill 256 threads or not") {
    check(settled_by_function(130, 140), 9, {tile_kind::overlapping, 8, 9, 480});
    check(settled_by_function(50, 70), 9, {tile_kind::overlapping, 4, 9, 256});
    check(tested_rarely(49, 83), 9, {tile_kind::overlapping, 4, 8, 288});
}

TEST_CASE("kernels on the CPU: tiles of sixteen elements a thread, which several warps join") {
    check(settled_by_function(200, 120), 4, {tile_kind::plain, 16, 4, 512});
    check(tested_rarely(200, 120), 4, {tile_kind::plain, 16, 4, 512});
}

TEST_CASE("kernels on the CPU: large tiles") {
    check(settled_by_function(129, 200), 4, {tile_kind::large, 36, 4, 256});
    check(tested_rarely(131, 130), 4, {tile_kind::large, 36, 4, 256});
    check(there_and_told(129, 200), 4, {tile_kind::large, 36, 4, 256});
}

TEST_CASE("kernels on the CPU: large tiles of which a part is on chip, more or less of it") {
    check(tested_rarely(514, 130), 4, {tile_kind::in_part, 36, 4, 512});
    check(tested_rarely(258, 130), 2, {tile_kind::in_part, 36, 2, 512}, 163);
    check(there_and_told(514, 130), 4, {tile_kind::in_part, 36, 4, 512});
}

TEST_CASE("kernels on the CPU: a box in one block") { check(settled_by_function(37, 53), 9, {tile_kind::plain, 16, 1, 256}); }

TEST_CASE("kernels on the CPU: variables that are only read, on chip and in memory") {
    check(conducted(50, 70), 9, {tile_kind::overlapping, 4, 9, 256});
    check(conducted(130, 140), 9, {tile_kind::overlapping, 8, 9, 480});
    check(conducted(129, 200), 4, {tile_kind::large, 36, 4, 256});
}
