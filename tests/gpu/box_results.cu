// SPDX-License-Identifier: Apache-2.0
#include "../documented_order.hpp"
#include "ways.cuh"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

// A node over a box of three dimensions and the largest or least of its terms in one kernel, as in loops over very many elements.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

template <class T>
struct of {
    static constexpr struct x_t : buffer<x_t, T> {} x{};
    static constexpr struct y_t : buffer<y_t, T> {} y{};
    static constexpr struct found_t : scalar<found_t, T> {} found{};
};
inline constexpr struct planes : value<planes, int> {} planes;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;
inline constexpr struct rounds : value<rounds, int> {} rounds;

// The element behind or below it, or its own.
struct take_one_around {
    template <class T>
    COGRAPH_HD void operator()(index_t i, index_t j, index_t k, neighbours<T, 1, 1, 1> around, T& to) const {
        const index_t which = (i + j + k) % 3;
        to = which == 0 && around.inside(0, 0, 1) ? around.at(0, 0, 1) : which == 1 && around.inside(-1, 0, 0) ? around.at(-1, 0, 0) : *around;
    }
};
struct one_of_two {
    template <class T>
    COGRAPH_HD T operator()(index_t i, index_t, index_t, T a, T b) const {
        return i % 2 == 0 ? a : b;
    }
    template <class T>
    COGRAPH_HD T operator()(index_t i, index_t, T a, T b) const {
        return i % 2 == 0 ? a : b;
    }
};

// One around it, and a number.
struct add_to_one_around {
    template <class T>
    COGRAPH_HD void operator()(index_t i, index_t j, index_t k, neighbours<T, 1, 1, 1> around, int added, T& to) const {
        take_one_around{}(i, j, k, around, to);
        to += static_cast<T>(added);
    }
};

template <class T, class Op>
constexpr auto loop_over(auto box) {
    using v = of<T>;
    return repeat(rounds, seq(for_each(box, take_one_around{})(in(v::y[near<1, 1, 1>]), out(v::x[each])),
                              transform_reduce(box, one_of_two{}, Op{})(out(v::found), in(v::x[each]), in(v::y[each]))));
}

// Numbers of which the largest and the least are zeros of both signs or NaNs in many places, or that differ.
template <class T>
std::vector<T> numbers(std::size_t count, int kind) {
    std::mt19937 generator(static_cast<unsigned>(7 * count) + static_cast<unsigned>(kind));
    std::vector<T> all(count);
    for (T& number : all) {
        const unsigned drawn = static_cast<unsigned>(generator());
        if (kind == 0)
            number = static_cast<T>(static_cast<int>(drawn % 2001) - 1000);
        else if (kind == 1)
            number = drawn % 4 == 0 ? T(0) : static_cast<T>(-T(0));
        else
            number = drawn % 1000 == 0 ? static_cast<T>(-T(0)) : drawn % 1000 == 1 ? T(0) : T(-1);
        if constexpr (std::is_same_v<T, double>)
            if (kind == 3 && drawn % 999 == 0) {
                const std::uint64_t bits = 0x7ff8'0000'0000'0000 | drawn;
                std::memcpy(&number, &bits, sizeof bits);
            }
    }
    return all;
}

template <class T, class Op, class Box, class... Sides>
void check_box(Box box, int height, int width, int length, Sides... sides) {
    const auto e = loop_over<T, Op>(box);
    using self = typename decltype(e)::self;
    static_assert(core::has_fused(*self::tree.children[0], core::graph_of_many<self>));
    const std::size_t count = static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * static_cast<std::size_t>(length);
    using v = of<T>;
    const stream on;
    for (int kind = 0; kind < 4; ++kind) {
        const std::vector<T> given = numbers<T>(count, kind);
        std::vector<T> expected(count), terms(count);
        std::size_t at = 0;
        for (index_t i = 0; i < height; ++i)
            for (index_t j = 0; j < width; ++j)
                for (index_t k = 0; k < length; ++k, ++at) {
                    const core::box_place<3> place{static_cast<index_t>(at), {i, j, k}, {height, width, length}};
                    take_one_around{}(i, j, k, neighbours<T, 1, 1, 1>{given.data() + at, place, static_cast<index_t>(width) * length, length}, expected[at]);
                    terms[at] = one_of_two{}(i, j, k, expected[at], given[at]);
                }
        const T largest = documented_order::join(terms, Op::template identity<T>(), Op{});
        // Results before their inputs in memory, then behind them: over very many elements, that is in the opposite order of the box.
        device_array<T> one(count), two(count), three(count), found(1);
        device_array<T>* by_place[] = {&one, &two, &three};
        std::ranges::sort(by_place, {}, [](device_array<T>* array) { return reinterpret_cast<std::uintptr_t>(array->data()); });
        device_array<T>&to = *by_place[0], &from = *by_place[1], &others = *by_place[2];
        if (count > 0) from.write(given);
        auto exec = core::executable<self>::template make<core::lowered<self, core::graph_of_many<self>>>({}, true, e, v::x(to.all()), v::y(from.all()), sides..., rounds(2), v::found(found.data()));
        const device_array<T> other(1);
        for (int launch = 0; launch < 3; ++launch) {
            if (launch == 2) exec.update(v::x(others.all()), v::found(other.data()));
            exec.launch(on);
            on.wait();
            const std::vector<T> result = (launch < 2 ? found : other).read(), elements = (launch < 2 ? to : others).read();
            CHECK(std::memcmp(result.data(), &largest, sizeof largest) == 0);
            CHECK((count == 0 || std::memcmp(elements.data(), expected.data(), count * sizeof(T)) == 0));
        }
    }
}

template <class T, class Op>
void check(int height, int width, int length, unsigned block) {
    check_box<T, Op>(over(planes, rows, columns).block(block), height, width, length, planes(height), rows(width), columns(length));
}

// All elements around, which products and sums join; of a third array its own and one beside it.
struct join_around {
    template <class T>
    COGRAPH_HD void operator()(index_t i, index_t j, index_t k, neighbours<T, 1, 1, 1> around, T of_third, neighbours<T, 2, 0, 0> third, T& to) const {
        T sum = of_third * T(3) + third.at_or(T(j), 2, 0, 0);
        for (int n = 0; n < 27; ++n) sum += around.at_or(T(i - k), n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1) * T(n - 11);
        to = sum / T(128);
    }
};
struct add_one {
    COGRAPH_HD void operator()(index_t, double& to) const { to += 1; }
};
struct mean_of_six {
    template <class T>
    COGRAPH_HD void operator()(index_t, index_t, index_t, neighbours<T, 1, 1, 1> around, T& to) const {
        const auto inside = [&](int by) { return around.inside(by, 0, 0) && around.inside(0, by, 0) && around.inside(0, 0, by); };
        to = inside(-1) && inside(1) ? (around.at(-1, 0, 0) + around.at(1, 0, 0) + around.at(0, -1, 0) + around.at(0, 1, 0) + around.at(0, 0, -1) + around.at(0, 0, 1)) / T(6) : *around;
    }
};
inline constexpr struct third : buffer<third, double> {} third;

// Two launches of steps in passes, also of those that were bound to another box first, and node by node.
template <class T, class E, class... Side, class... More>
void compare_passes(E e, int times, std::size_t count, std::tuple<Side...> other_sides, std::tuple<Side...> sides, More... more) {
    using self = typename E::self;
    using v = of<T>;
    const stream on;
    device_array<T> one(count), two(count), three(count), few(64), others(64);
    device_array<T> found(1);
    const auto bind = [&](auto make, device_array<T>& to, device_array<T>& from, int in_turn, const std::tuple<Side...>& of) {
        return std::apply([&](auto... side) { return make(v::x(to.all()), v::y(from.all()), rounds(in_turn), v::found(found.data()), side..., more...); }, of);
    };
    const auto in_passes = [&](auto... all) { return core::executable<self>::template make<core::lowered<self, core::graph_for::many_elements>>({}, true, e, all...); };
    auto plain = bind([&](auto... all) { return instantiate(as_nodes(e), all...); }, one, two, times, sides);
    auto passes = bind(in_passes, one, two, times, sides), updated = bind(in_passes, few, others, 1, other_sides);
    updated.launch(on);
    bind([&](auto... all) { return updated.update(all...), 0; }, one, two, times, sides);
    on.wait();  // that launch uses found, too
    CHECK((passes.memory_usage().bytes >= count * sizeof(T) && updated.memory_usage().bytes >= count * sizeof(T)));  // the result in the middle
    for (int kind = 0; kind < 3; ++kind) {
        const std::vector<T> given = numbers<T>(count, kind);
        std::vector<T> left[3][3];
        for (int way = 0; way < 3; ++way) {
            if (count > 0) one.write(given);
            found.write({T(1)});
            if (way == 0)
                plain.launch(on);
            else
                (way == 1 ? passes : updated).launch(on);
            on.wait();
            left[way][0] = one.read();
            left[way][1] = two.read();
            left[way][2] = found.read();
        }
        CHECK((plain.iterations(at<0>) == passes.iterations(at<0>) && plain.iterations(at<0>) == updated.iterations(at<0>)));
        for (int way = 1; way < 3; ++way)
            for (int of_what = 0; of_what < 3; ++of_what) CHECK((left[0][of_what].empty() || std::memcmp(left[0][of_what].data(), left[way][of_what].data(), left[0][of_what].size() * sizeof(T)) == 0));
    }
    if (count > 0) one.write(numbers<T>(count, 0));
    passes.update(v::x(one.all()), v::y(three.all()));
    passes.launch(on);
    on.wait();
}
template <class T, class Op>
void check_passes(int height, int width, int length) {
    using v = of<T>;
    constexpr auto box = over(planes, rows, columns);
    constexpr auto there = for_each(box, mean_of_six{})(in(v::x[near<1, 1, 1>]), out(v::y[each]));
    constexpr auto back = for_each(box, mean_of_six{})(in(v::y[near<1, 1, 1>]), out(v::x[each]));
    constexpr auto result = transform_reduce(box, one_of_two{}, Op{})(out(v::found), in(v::x[each]), in(v::y[each]));
    const std::size_t count = static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * static_cast<std::size_t>(length);
    compare_passes<T>(repeat(rounds, seq(there, back, there, back, result)), 2, count, std::tuple(planes(3), rows(2), columns(5)), std::tuple(planes(height), rows(width), columns(length)));
    if constexpr (std::is_same_v<T, double>) {
        constexpr auto joining = for_each(box, join_around{})(in(v::x[near<1, 1, 1>]), in(third[each]), in(third[near<2, 0, 0>]), out(v::y[each]));
        constexpr auto joining_back = for_each(box, join_around{})(in(v::y[near<1, 1, 1>]), in(third[each]), in(third[near<2, 0, 0>]), out(v::x[each]));
        const device_array<double> of_third(numbers<double>(count + 64, 0));
        compare_passes<double>(repeat(rounds, seq(joining, back, there, joining_back, result)), 2, count, std::tuple(planes(3), rows(2), columns(5)), std::tuple(planes(height), rows(width), columns(length)), third(of_third.all()));
    }
}

// The same over boxes of two dimensions, whose passes have two or four steps.
struct join_in_plane {
    template <class T>
    COGRAPH_HD void operator()(index_t i, index_t j, neighbours<T, 1, 1> around, T of_third, neighbours<T, 2, 0> around_third, T& to) const {
        T sum = of_third * T(3) + around_third.at_or(T(j), 2, 0);
        for (int n = 0; n < 9; ++n) sum += around.at_or(T(i - j), n / 3 - 1, n % 3 - 1) * T(n - 3);
        to = sum / T(16);
    }
};
struct mean_of_four {
    template <class T>
    COGRAPH_HD void operator()(index_t, index_t, neighbours<T, 1, 1> around, T& to) const {
        const auto inside = [&](int by) { return around.inside(by, 0) && around.inside(0, by); };
        to = inside(-1) && inside(1) ? (around.at(-1, 0) * T(3) + around.at(1, 0) + around.at(0, -1) * T(2) + around.at(0, 1)) / T(7) : *around;
    }
};
template <class T, class Op>
void check_strips(int height, int width) {
    using v = of<T>;
    constexpr auto box = over(rows, columns);
    constexpr auto there = for_each(box, mean_of_four{})(in(v::x[near<1, 1>]), out(v::y[each]));
    constexpr auto back = for_each(box, mean_of_four{})(in(v::y[near<1, 1>]), out(v::x[each]));
    constexpr auto result = transform_reduce(box, one_of_two{}, Op{})(out(v::found), in(v::x[each]), in(v::y[each]));
    const std::size_t count = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    compare_passes<T>(repeat(rounds, seq(there, back, there, back, there, back, there, back, result)), 2, count, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)));
    if constexpr (std::is_same_v<T, double>) {
        constexpr auto joining = for_each(box, join_in_plane{})(in(v::x[near<1, 1>]), in(third[each]), in(third[near<2, 0>]), out(v::y[each]));
        constexpr auto joining_back = for_each(box, join_in_plane{})(in(v::y[near<1, 1>]), in(third[each]), in(third[near<2, 0>]), out(v::x[each]));
        const device_array<double> of_third(numbers<double>(count + 64, 0));
        compare_passes<double>(repeat(rounds, seq(joining, back, there, joining_back, result)), 2, count, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)), third(of_third.all()));
    }
}

// Several iterations of two nodes are two passes, and those that are left over have a kernel for each node.
template <class T>
void check_iterations(int planes_of_box, int height, int width) {
    using v = of<T>;
    constexpr auto box = over(rows, columns);
    constexpr auto cube = over(planes, rows, columns);
    constexpr auto there = for_each(box, mean_of_four{})(in(v::x[near<1, 1>]), out(v::y[each]));
    constexpr auto back = for_each(box, mean_of_four{})(in(v::y[near<1, 1>]), out(v::x[each]));
    constexpr auto result = transform_reduce(box, one_of_two{}, maximum{})(out(v::found), in(v::x[each]), in(v::y[each]));
    constexpr auto there_in_cube = for_each(cube, mean_of_six{})(in(v::x[near<1, 1, 1>]), out(v::y[each]));
    constexpr auto back_in_cube = for_each(cube, mean_of_six{})(in(v::y[near<1, 1, 1>]), out(v::x[each]));
    constexpr auto result_in_cube = transform_reduce(cube, one_of_two{}, maximum{})(out(v::found), in(v::x[each]), in(v::y[each]));
    constexpr auto tested = do_while(seq(there, back, result), v::found < 1000, at_most(rounds), check_every<9>);
    // With a copy, some steps take turns between the passes and the last iteration.
    constexpr auto adding = for_each(cube, add_to_one_around{})(in(v::x[near<1, 1, 1>]), in(rounds), out(v::y[each]));
    constexpr auto adding_tested = do_while(seq(adding, result_in_cube, copy(in(v::y), out(v::x))), v::found < 1000, at_most(rounds), check_every<8>);
    constexpr auto copying_tested = do_while(seq(there, result, copy(in(v::y), out(v::x))), v::found < 1000, at_most(rounds), check_every<10>);
    constexpr auto copying_by_four = loop_while(v::found < rounds, seq(there_in_cube, copy(in(v::y), out(v::x)), assign(v::found, v::found + 1)), check_every<4>);
    const std::size_t count = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    for (const int times : {0, 3, 11, 14}) {
        compare_passes<T>(copying_by_four, times, count + 5, std::tuple(planes(3), rows(2), columns(5)), std::tuple(planes(planes_of_box), rows(height / planes_of_box), columns(width)));
        compare_passes<T>(adding_tested, times, count + 5, std::tuple(planes(3), rows(2), columns(5)), std::tuple(planes(planes_of_box), rows(height / planes_of_box), columns(width)));
        compare_passes<T>(repeat(rounds, seq(adding, copy(in(v::y), out(v::x)), assign(v::found, v::found * 3))), times, count + 5, std::tuple(planes(3), rows(2), columns(5)), std::tuple(planes(planes_of_box), rows(height / planes_of_box), columns(width)));
        compare_passes<T>(copying_tested, times, count + 5, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)));
        compare_passes<T>(seq(repeat(rounds, seq(there, back)), repeat<2>(seq(repeat(rounds, seq(back, there)), result))), times, count, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)));
        compare_passes<T>(tested, times, count, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)));
        compare_passes<T>(seq(repeat(rounds, seq(there, copy(in(v::y), out(v::x)))), result), times, count + 5, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)));
        compare_passes<T>(repeat(rounds, seq(there, back, assign(v::found, v::found * 3))), times, count, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)));
        compare_passes<T>(loop_while(v::found < rounds, seq(there, copy(in(v::y), out(v::x)), assign(v::found, v::found + 1)), check_every<9>), times, count, std::tuple(rows(3), columns(7)), std::tuple(rows(height), columns(width)));
        compare_passes<T>(seq(repeat(rounds, seq(there_in_cube, back_in_cube)), result_in_cube), times, count, std::tuple(planes(3), rows(2), columns(5)), std::tuple(planes(planes_of_box), rows(height / planes_of_box), columns(width)));
    }
}

// Whether a loop over three dimensions becomes passes: neither one kernel nor a kernel for each node.
template <class T, class E>
bool becomes_passes(E e, int height, int width, int length) {
    using v = of<T>;
    const std::size_t count = static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * static_cast<std::size_t>(length);
    const device_array<T> one(count), two(count);
    const auto made = instantiate(e, v::x(one.all()), v::y(two.all()), planes(height), rows(width), columns(length), rounds(4));
    return !is_persistent(made, at<0>) && made.memory_usage().bytes >= count * sizeof(T);  // the result in the middle
}

}  // namespace

TEST_CASE("the largest term of a box in the kernel of the node before it: as in the order of terms, bit for bit", "[gpu][lowering]") {
    for (const unsigned block : {256u, 96u, 40u, 7u, 1024u}) {
        check<double, maximum>(9, 17, 33, block);
        check<double, maximum>(40, 63, 65, block);
    }
    check<double, maximum>(1, 1, 1, 256);
    check<double, maximum>(0, 3, 3, 256);
    check<double, maximum>(3, 200, 201, 32);
    check<double, maximum>(131, 127, 129, 256);  // more than 2^21 elements
    check_box<double, maximum>(over<40, 63, 65>(), 40, 63, 65);
    check_box<double, maximum>(over(40, 63, 65), 40, 63, 65);
}
TEST_CASE("the same with NaN, and of integers", "[gpu][lowering]") {
    for (const unsigned block : {256u, 40u}) {
        check<double, maximum_or_nan>(40, 63, 65, block);
        check<int, minimum>(40, 63, 65, block);
    }
}
TEST_CASE("four steps over a box in two passes: as node by node, bit for bit", "[gpu][lowering]") {
    check_passes<double, maximum>(40, 63, 65);
    check_passes<double, maximum>(17, 14, 32);
    check_passes<double, maximum>(1, 3, 8);
    check_passes<double, maximum>(7, 2, 200);
    check_passes<double, maximum>(70, 31, 5);
    check_passes<double, maximum>(0, 20, 20);
    check_passes<double, maximum>(131, 127, 129);  // more than 2^21 elements
    check_passes<float, minimum_or_nan>(33, 43, 97);
    check_passes<int, minimum>(18, 29, 34);
}
TEST_CASE("four and eight steps over a box of two dimensions in two passes: as node by node, bit for bit", "[gpu][lowering]") {
    check_strips<double, maximum>(400, 630);
    check_strips<double, maximum>(1401, 1203);
    check_strips<double, maximum>(1, 4003);
    check_strips<double, maximum>(4003, 2);
    check_strips<double, maximum>(0, 20);
    check_strips<float, minimum_or_nan>(331, 970);
    check_strips<int, minimum>(57, 3004);
    check_strips<std::int16_t, maximum>(301, 402);
}
TEST_CASE("iterations of two steps over a box in two passes: as node by node, bit for bit", "[gpu][lowering]") {
    check_iterations<double>(8, 400, 630);
    check_iterations<double>(1, 40, 3);
    check_iterations<float>(30, 330, 971);
}
TEST_CASE("loops over three dimensions become passes where tiles do not fit and caches hold one array of two", "[gpu][lowering]") {
    constexpr auto cube = over(planes, rows, columns);
    constexpr auto there_in = [](auto v) { return for_each(cube, mean_of_six{})(in(v.x[near<1, 1, 1>]), out(v.y[each])); };
    constexpr auto back_in = [](auto v) { return for_each(cube, mean_of_six{})(in(v.y[near<1, 1, 1>]), out(v.x[each])); };
    constexpr of<double> of_doubles;
    constexpr of<float> of_floats;
    constexpr auto by_turns = repeat(rounds, seq(there_in(of_doubles), back_in(of_doubles)));
    CHECK((becomes_passes<double>(by_turns, 130, 130, 130) && !becomes_passes<double>(by_turns, 110, 110, 120)));
    constexpr auto beside_another = seq(by_turns, repeat(rounds, for_each(over(of_doubles.x), add_one{})(inout(of_doubles.x[each]))));
    CHECK(!becomes_passes<double>(beside_another, 130, 130, 130));  // the other loop is one kernel
    CHECK(!becomes_passes<double>(by_turns, 640, 480, 8));  // parts of passes would have few columns of the box
    constexpr auto four_nodes = repeat(rounds, seq(there_in(of_doubles), back_in(of_doubles), there_in(of_doubles), back_in(of_doubles)));
    CHECK((becomes_passes<double>(four_nodes, 150, 150, 150) && !becomes_passes<double>(four_nodes, 130, 130, 130)));
    constexpr auto with_a_copy = repeat(rounds, seq(there_in(of_floats), copy(in(of_floats.y), out(of_floats.x))));
    CHECK((becomes_passes<float>(with_a_copy, 130, 130, 130) && !becomes_passes<float>(with_a_copy, 120, 130, 130)));
    // In passes, too, both arrays of a copy have one length.
    constexpr auto by_four = loop_while(of_floats.found < rounds, seq(there_in(of_floats), copy(in(of_floats.y), out(of_floats.x)), assign(of_floats.found, of_floats.found + 1)), check_every<4>);
    const std::size_t count = std::size_t{130} * 130 * 130;
    const device_array<float> one(count), two(count), longer(count + 1), found(1);
    const auto made = [&](const device_array<float>& to, const device_array<float>& from) {
        return instantiate(by_four, of_floats.x(to.all()), of_floats.y(from.all()), planes(130), rows(130), columns(130), rounds(4), of_floats.found(found.data()));
    };
    CHECK_NOTHROW(made(one, two));
    CHECK_THROWS_AS(made(longer, two), error);
    CHECK_THROWS_AS(made(one, longer), error);
}
