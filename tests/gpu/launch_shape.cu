// SPDX-License-Identifier: Apache-2.0
#include "../expressions/launch_shape.hpp"
#include "ways.cuh"

#include <algorithm>
#include <iterator>
#include <utility>

namespace {

namespace shapes = expressions::launch_shape;
using ways::device_array;
using ways::stream;

// Scalars and swapped buffers are no elements that a thread keeps.
#ifndef __CUDA_ARCH__
static_assert(!cograph::core::keeps_own_element<std::integer_sequence<int, 0, cograph::core::nothing_copied, cograph::core::number_of_exchanged(0, 1)>>);
static_assert(cograph::core::keeps_own_element<std::integer_sequence<int, 0, cograph::core::number_of_copy(0, true, false)>>);
#endif

struct too_many_blocks {
    static constexpr auto loop(auto predicate, auto once) { return loop_while(predicate, once, cograph::grid_of<100'000>, cograph::block_of<256>); }
};

template <class Case>
auto make(const device_array<shapes::integer>& x, const device_array<shapes::integer>& y) {
    return cograph::instantiate(Case::expression(), shapes::x(x.all()), shapes::y(y.all()), shapes::passes(3));
}
// Launches it once more, and compares with what plain C++ computes once more.
template <class Case>
void check_launch(auto& exec, Case& expected, const device_array<shapes::integer>& x, const device_array<shapes::integer>& y, const stream& on) {
    expected.compute();
    exec.launch(on);
    CHECK(exec.fetch(shapes::part) == expected.part_);
    CHECK(exec.fetch(shapes::sum) == expected.sum_);
    CHECK((x.read() == expected.x_));
    CHECK((y.read() == expected.y_));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("loops whose kernel has a given shape give what plain C++ gives", "[gpu][lowering]", expressions::launch_shape::all) {
    const stream on;
    for (const std::size_t n : {std::size_t{1}, std::size_t{1'500}, std::size_t{70'000}, std::size_t{131'073}, std::size_t{300'001}}) {
        DYNAMIC_SECTION(n << " elements") {
            TestType expected(n);
            device_array<shapes::integer> x(expected.x_), y(n);
            auto exec = make<TestType>(x, y);
            check_launch(exec, expected, x, y, on);
            CHECK(is_persistent(exec, cograph::at<1>));
        }
    }
}

// Its only kernels are those that so many elements need.
TEMPLATE_LIST_TEST_CASE("loops over a constant number of elements give what plain C++ gives", "[gpu][lowering]", expressions::launch_shape::constants) {
    const stream on;
    TestType expected;
    device_array<shapes::integer> x(expected.x_), y(expected.x_.size());
    auto exec = make<TestType>(x, y);
    CHECK(is_persistent(exec, cograph::at<1>));
    for (int launch = 0; launch < 2; ++launch) check_launch(exec, expected, x, y, on);
}

TEST_CASE("a loop of a given shape is one kernel however many elements there are; others are not", "[gpu][lowering]") {
    const std::size_t n = (std::size_t{1} << 22) + 1;
    shapes::of_shape<shapes::whole_gpu> expected(n);
    const stream on;
    device_array<shapes::integer> x(expected.x_), y(n);
    auto exec = make<shapes::of_shape<shapes::whole_gpu>>(x, y);
    exec.launch(on);
    expected.compute();
    CHECK(exec.fetch(shapes::part) == expected.part_);
    CHECK((x.read() == expected.x_));
    CHECK(is_persistent(exec, cograph::at<1>));
    CHECK(!is_persistent(make<shapes::of_shape<shapes::small_blocks>>(x, y), cograph::at<1>));
}

TEST_CASE("scalars of many bytes, which the graph keeps from launch to launch", "[gpu][lowering]") {
    shapes::of_shape<shapes::many_scalars> expected(70'000);
    const stream on;
    device_array<shapes::integer> x(expected.x_), y(70'000);
    auto exec = make<shapes::of_shape<shapes::many_scalars>>(x, y);
    for (int launch = 0; launch < 2; ++launch) {
        exec.launch(on);
        expected.compute();
        shapes::powers_of_sum powers{};
        shapes::find_powers{}(powers, expected.sum_);
        const shapes::powers_of_sum found = exec.fetch(shapes::powers);
        CHECK(std::equal(std::begin(powers.of), std::end(powers.of), std::begin(found.of)));
        CHECK((x.read() == expected.x_));
    }
}

TEST_CASE("more blocks than run at the same time are refused", "[gpu][failure]") {
    const device_array<shapes::integer> x(1'000), y(1'000);
    CHECK_THROWS_AS(make<shapes::of_shape<too_many_blocks>>(x, y), cograph::error);
}
