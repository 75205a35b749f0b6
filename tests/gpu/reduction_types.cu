// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cstdint>
#include <random>
#include <span>
#include <vector>

// Results of so many types and sizes in one loop that several have one room; in five groups, so that halves change.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct words : buffer<words, std::uint64_t> {} words;
inline constexpr struct i : scalar<i, int> {} i;

template <class Part, int Parts, int Number>
struct several {
    using part = Part;
    static constexpr int parts = Parts, number = Number;
    static constexpr int step = Parts > 5 ? Parts / 2 : 1;  // of many parts the first, the middle and the last tell enough
    Part of[Parts];
};
template <class T>
struct spread {
    COGRAPH_HD T operator()(index_t at, const std::uint64_t* from, const int& pass) const {
        T term{};
        std::uint64_t number = from[at] + static_cast<std::uint64_t>(at + pass + T::number);
        for (int part = 0; part < T::parts; part += T::step) term.of[part] = static_cast<typename T::part>(number = number * 3 + (number >> 7));
        return term;
    }
};
struct add_parts {
    template <class T>
    COGRAPH_HD T operator()(T a, const T& b) const {
        for (int part = 0; part < T::parts; part += T::step) a.of[part] = static_cast<typename T::part>(a.of[part] + b.of[part]);
        return a;
    }
};
struct note {
    template <class... T>
    COGRAPH_HD void operator()(std::uint64_t& all, const T&... results) const {
        const auto add = [&](const auto& result) {
            for (const auto part : result.of) all = all * 31 + part;
        };
        (add(results), ...);
    }
};
inline constexpr struct others : buffer<others, std::uint64_t> {} others;
inline constexpr struct wide : scalar<wide, several<std::uint64_t, 2, 0>> {} wide;
inline constexpr struct wide_too : scalar<wide_too, several<std::uint64_t, 2, 1>> {} wide_too;
inline constexpr struct as_wide : scalar<as_wide, several<std::uint64_t, 2, 2>> {} as_wide;
inline constexpr struct of_four : scalar<of_four, several<std::uint32_t, 4, 3>> {} of_four;
inline constexpr struct of_three : scalar<of_three, several<std::uint32_t, 3, 4>> {} of_three;
inline constexpr struct of_five : scalar<of_five, several<std::uint16_t, 5, 5>> {} of_five;
inline constexpr struct of_fifteen : scalar<of_fifteen, several<unsigned char, 15, 6>> {} of_fifteen;
inline constexpr struct of_seven : scalar<of_seven, several<unsigned char, 7, 7>> {} of_seven;
inline constexpr struct of_two : scalar<of_two, several<std::uint32_t, 2, 8>> {} of_two;
inline constexpr struct of_one : scalar<of_one, several<std::uint64_t, 1, 9>> {} of_one;
inline constexpr struct little : scalar<little, several<unsigned char, 3, 10>> {} little;
inline constexpr struct noted : scalar<noted, std::uint64_t> {} noted;

constexpr auto spread_to = [](auto from, auto to) {
    using T = typename decltype(to)::element;
    // Not from[each], of which threads would keep copies: that takes one more kernel, whose reductions are the same.
    return transform_reduce(over(from), spread<T>{}, add_parts{}, T{})(out(to), in(from), in(i));
};
constexpr auto of_many_types =
    seq(assign(i, 0), assign(noted, 0),
        loop_while(i < 9, seq(spread_to(words, wide), spread_to(words, wide_too), spread_to(words, of_three), spread_to(words, of_one),
                               spread_to(others, of_three), spread_to(others, of_four), spread_to(words, as_wide), spread_to(words, of_five),
                               single_task(note{})(inout(noted), in(wide), in(wide_too), in(of_three), in(of_one)),
                               spread_to(others, of_fifteen), spread_to(others, wide), spread_to(words, of_two), spread_to(words, of_seven),
                               spread_to(words, little), single_task(note{})(inout(noted), in(of_four), in(as_wide), in(of_five), in(of_fifteen)),
                               single_task(note{})(inout(noted), in(wide), in(of_two), in(of_seven), in(little)), assign(i, i + 1))));
static_assert(is_persistent(of_many_types, at<2>));

}  // namespace

TEST_CASE("results of many types in one kernel are what simulation gives", "[gpu][reduction]") {
    std::mt19937_64 generator(9);
    std::vector<std::uint64_t> numbers(150'001);
    for (std::uint64_t& number : numbers) number = generator();
    const device_array<std::uint64_t> memory(numbers);
    device_array<std::uint64_t> result(1);
    const stream on;
    for (const std::size_t size : {300, 1'024, 1'025, 5'000, 8'192, 8'193, 33'793, 131'072, 150'001}) {
        for (const std::size_t other : {size, size / 4 + 1}) {
            if (size > 2'000 && leave_out::under_tool()) continue;  // minutes
            CAPTURE(size, other);
            std::uint64_t expected = 0;
            simulate(of_many_types, words(std::span(numbers).first(size)), others(std::span(numbers).first(other)), noted(&expected));
            auto exec = instantiate(of_many_types, words(memory.all().first(size)), others(memory.all().first(other)), noted(result.data()));
            if (leave_out::launch_of(exec.graph_ref())) return;
            exec.launch(on);
            exec.launch(on);
            on.wait();
            CHECK(result.read()[0] == expected);
        }
    }
}
