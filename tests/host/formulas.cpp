// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

using namespace cograph;

namespace formulas_test {

// [functions]
inline constexpr struct energy : scalar<energy, double> {} energy;
inline constexpr struct temperature : scalar<temperature, double> {} temperature;
inline constexpr struct steps : scalar<steps, int> {} steps;
inline constexpr struct field : buffer<field, float> {} field;

struct relax {
    COGRAPH_HD void operator()(index_t, float& value) const { value *= 0.5f; }
};
constexpr auto anneal = loop_while(isfinite(energy) && temperature > 0.01 && any(exp(-field) < 0.9f),
                                   seq(for_each(over(field), relax{})(inout(field[each])),
                                       assign(temperature, temperature * exp(-0.1 * steps)),
                                       assign(energy, fma(temperature, log(temperature), energy)),
                                       assign(steps, steps + 1)));
// [/functions]

// [members]
struct control {
    float step;
    int rejected;
};
struct integration {
    double time, end, error;
    control steps;
};
inline constexpr struct state : scalar<state, integration> {} state;
inline constexpr struct limits : value<limits, control> {} limits;

constexpr auto step = member<&integration::steps, &control::step>(state);
constexpr auto rejected = member<&integration::steps, &control::rejected>(state);

constexpr auto advance =
    loop_while(member<&integration::time>(state) < member<&integration::end>(state) && rejected < member<&control::rejected>(limits),
               when(member<&integration::error>(state) > 1, seq(assign(rejected, rejected + 1), assign(step, step / 2),
                                                                assign(member<&integration::error>(state), 0.5)),
                    otherwise(assign(member<&integration::time>(state), member<&integration::time>(state) + step))));
// [/members]

// [structs]
struct particle {
    float position[3], mass;
};
struct moments {
    double mass, torque;
    float fastest;
};
inline constexpr struct particles : buffer<particles, particle> {} particles;
inline constexpr struct velocities : buffer<velocities, particle> {} velocities;
inline constexpr struct total : scalar<total, moments> {} total;
inline constexpr struct momentum : scalar<momentum, float> {} momentum;
inline constexpr struct unit : scalar<unit, double> {} unit;

struct moments_of {
    COGRAPH_HD moments operator()(index_t, const particle& at, const particle& velocity) const {
        return {at.mass, at.mass * at.position[0], velocity.position[0]};
    }
};
struct join {
    template <class T>
    COGRAPH_HD static constexpr T identity() {
        return {0, 0, 0};
    }
    COGRAPH_HD moments operator()(const moments& a, const moments& b) const {
        return {a.mass + b.mass, a.torque + b.torque, a.fastest < b.fastest ? b.fastest : a.fastest};
    }
};
struct along_x {
    COGRAPH_HD float operator()(const particle& at, const particle& velocity) const { return at.mass * velocity.position[0]; }
};
struct height {
    COGRAPH_HD float operator()(const particle& at) const { return at.position[2]; }
};

constexpr auto one_pass = seq(transform_reduce(over(particles), moments_of{}, join{})(out(total), in(particles[each]), in(velocities[each])),
                              assign(unit, member<&moments::torque>(total) / member<&moments::mass>(total)));
constexpr auto by_operations = seq(dot(out(momentum), in(particles), in(velocities), along_x{}, plus{}),
                                   when(max_abs(particles, height{}) > 2 || any(member<&particle::mass>(particles) <= 0), assign(momentum, 0)));
// [/structs]

}  // namespace formulas_test

using namespace formulas_test;

TEST_CASE("functions of formulas decide a loop and give scalars their values") {
    double e = 1, t = 2;
    int n = 0;
    std::vector<float> values = {1, 2, 4};
    simulate(anneal, energy(&e), temperature(&t), steps(&n), field(std::span(values)));
    double energy_then = 1, temperature_then = 2;
    std::vector<float> field_then = {1, 2, 4};
    int count = 0;
    for (; std::isfinite(energy_then) && temperature_then > 0.01 && field_then[2] > -std::log(0.9f); ++count) {
        for (float& value : field_then) value *= 0.5f;
        temperature_then = temperature_then * std::exp(-0.1 * count);
        energy_then = std::fma(temperature_then, std::log(temperature_then), energy_then);
    }
    CHECK(n == count);
    CHECK(t == temperature_then);
    CHECK(e == energy_then);
    CHECK(values == field_then);
}

TEST_CASE("a member of a struct is read and written, and the others stay as they are") {
    integration now{0, 1, 2, {0.5f, 0}};
    simulate(advance, state(&now), limits(control{0, 3}));
    CHECK(now.time == 1);
    CHECK(now.end == 1);
    CHECK(now.error == 0.5);
    CHECK(now.steps.step == 0.25f);
    CHECK(now.steps.rejected == 1);
    now = {0, 1, 2, {0.5f, 3}};
    simulate(advance, state(&now), limits(control{0, 3}));
    CHECK(now.time == 0);
}

TEST_CASE("a member is neither set nor lost where the struct was never written") {
    constexpr auto one_half = assign(step, 0.5);
    STATIC_REQUIRE(reads(one_half, state));
    STATIC_REQUIRE(writes(one_half, state));
    STATIC_REQUIRE(edge_count(seq(one_half, assign(rejected, 1))) == 1);
    integration now{1, 2, 3, {4, 5}};
    simulate(one_half, state(&now));
    CHECK(now.steps.step == 0.5f);
    CHECK(now.steps.rejected == 5);
}

TEST_CASE("a struct as result gives several numbers in one pass, and operations are for elements of any type") {
    std::vector<particle> at = {{{1, 0, 1}, 2}, {{2, 0, -1.5f}, 4}, {{3, 0, 0}, 2}}, speed = {{{1, 0, 0}, 0}, {{5, 0, 0}, 0}, {{2, 0, 0}, 0}};
    moments all{};
    double center = 0;
    float sum = 0;
    simulate(one_pass, particles(std::span(at)), velocities(std::span(speed)), total(&all), unit(&center));
    CHECK(all.mass == 8);
    CHECK(all.torque == 16);
    CHECK(all.fastest == 5);
    CHECK(center == 2);
    simulate(by_operations, particles(std::span(at)), velocities(std::span(speed)), momentum(&sum));
    CHECK(sum == 26);
    at[1].position[2] = -2.5f;
    simulate(by_operations, particles(std::span(at)), velocities(std::span(speed)), momentum(&sum));
    CHECK(sum == 0);
}
