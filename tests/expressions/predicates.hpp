// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cmath>
#include <cstdint>

// What predicates compute: exactly, in any mixture, and no more than they must.
namespace expressions::predicates {

using namespace cograph;

inline constexpr struct a : scalar<a, int> {} a;
inline constexpr struct b : scalar<b, int> {} b;
inline constexpr struct c : scalar<c, int> {} c;
inline constexpr struct big : scalar<big, std::int64_t> {} big;
inline constexpr struct huge : scalar<huge, std::uint64_t> {} huge;
inline constexpr struct real : scalar<real, double> {} real;
inline constexpr struct single : scalar<single, float> {} single;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct hits : scalar<hits, int> {} hits;
inline constexpr struct last : value<last, std::int64_t> {} last;
inline constexpr struct edge : value<edge, double> {} edge;
inline constexpr struct row : buffer<row, double> {} row;
inline constexpr struct goal : buffer<goal, double> {} goal;
inline constexpr struct near : value<near, float> {} near;
enum class state : unsigned char { idle, halving, done };
enum gear { reverse = -1, neutral, drive };
inline constexpr struct how : scalar<how, state> {} how;
inline constexpr struct start : value<start, state> {} start;
inline constexpr struct shift : scalar<shift, gear> {} shift;
inline constexpr struct states : buffer<states, state> {} states;

constexpr auto count_pass = assign(passes, passes + 1);
constexpr auto hit(int weight) { return assign(hits, hits + weight); }

// Bits and logic together.
struct mixed {
    int a_ = 0, b_ = 0, c_ = 0, hits_ = 0, passes_ = 0;

    static constexpr auto expression() {
        return seq(assign(a, 0),
                   repeat(8, seq(assign(b, a >> 1), assign(c, a & 1), when((a & b) | c, hit(1)),
                                 when(a & (b | c), hit(100)), when((a > 2 && b < 3) || !c, hit(10'000)),
                                 when(a > 2 && (b < 3 || !c), hit(1'000'000)), assign(a, a + 1))),
                   assign(a, 12), assign(b, 6), assign(c, 0),
                   loop_while((a & b) | c, seq(assign(a, a >> 1), count_pass)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), c(at(c_)), hits(at(hits_)), passes(at(passes_)));
    }
    void compute() {
        for (a_ = 0; a_ < 8; ++a_) {
            b_ = a_ >> 1;
            c_ = a_ & 1;
            if ((a_ & b_) | c_) hits_ += 1;
            if (a_ & (b_ | c_)) hits_ += 100;
            if ((a_ > 2 && b_ < 3) || !c_) hits_ += 10'000;
            if (a_ > 2 && (b_ < 3 || !c_)) hits_ += 1'000'000;
        }
        b_ = 6;
        c_ = 0;
        for (a_ = 12; a_ & b_; a_ >>= 1) ++passes_;
    }
    bool operator==(const mixed&) const = default;
};

// Integers beyond 2^53, where a double skips every other number, and up to the ends of their types.
struct large_integers {
    static constexpr std::int64_t two_53 = std::int64_t{1} << 53;
    std::int64_t big_ = 0;
    std::uint64_t huge_ = 0;
    double real_ = 0;
    int passes_ = 0, hits_ = 0;

    static constexpr auto expression() {
        return seq(
            assign(big, two_53), loop_while(big < last, seq(assign(big, big + 1), count_pass)),
            when(big > edge, hit(1)), when(big == edge, hit(2)), when(big != edge, hit(4)), assign(huge, big),
            loop_while(huge <= 9007199254740996.0, seq(assign(huge, huge + 1), count_pass)), assign(big, -1),
            when(big < huge, hit(8)), when(huge > big, hit(16)), when(big == 18446744073709551615u, hit(32)),
            assign(huge, big), when(huge > 18446744073709549568.0, hit(64)),
            when(huge < 18446744073709551616.0, hit(128)), assign(big, 9223372036854775807),
            when(huge > big, hit(256)), when(big < 9223372036854775808.0, hit(512)),
            assign(real, 9007199254740992.0), assign(big, 9007199254740993),
            loop_while(real < big, seq(assign(real, real + 2), count_pass)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(big(at(big_)), huge(at(huge_)), real(at(real_)), passes(at(passes_)),
                          hits(at(hits_)), last(two_53 + 3), edge(static_cast<double>(two_53)));
    }
    void compute() {
        passes_ += 3;  // 2^53 .. 2^53 + 3
        hits_ += 1 + 4;
        passes_ += 2;  // 2^53 + 3 .. 2^53 + 5
        hits_ += 8 + 16 + 64 + 128 + 256 + 512;
        huge_ = ~std::uint64_t{0};
        big_ = two_53 + 1;
        passes_ += 1;
        real_ = static_cast<double>(two_53 + 2);
    }
    bool operator==(const large_integers&) const = default;
};

// && and || compute their right side only when the left side leaves it open.
struct short_circuit {
    int a_ = 0, b_ = 0, hits_ = 0;

    static constexpr auto expression() {
        return seq(
            assign(hits, 0), assign(a, -2),
            loop_while(a < 3, seq(when(a != 0 && 6 % a == 0, hit(1)), when(a == 0 || 6 / a > 2, hit(10)),
                                  when(!(a != 0 && 12 / a < 0) && a < 2, hit(100)), assign(b, a),
                                  assign(a, a + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), hits(at(hits_)));
    }
    void compute() {
        hits_ = 0;
        for (a_ = -2; a_ < 3; ++a_) {
            if (a_ != 0 && 6 % a_ == 0) hits_ += 1;
            if (a_ == 0 || 6 / a_ > 2) hits_ += 10;
            if (!(a_ != 0 && 12 / a_ < 0) && a_ < 2) hits_ += 100;
            b_ = a_;
        }
    }
    bool operator==(const short_circuit&) const = default;
};

// Arithmetic of several types, variables met several times, both sides a formula.
struct arithmetic {
    int a_ = 7, b_ = 0, hits_ = 0;
    double real_ = 0.5;
    float single_ = 0.25f;

    static constexpr auto expression() {
        return seq(when(a * a - a == 42, hit(1)), when(real + single == 0.75, hit(2)),
                   when(-a < b - 6, hit(4)), when((a ^ 5) == 2 && ~b == -1, hit(8)),
                   when(a / 2 == 3 && a % 4 == 3 && a / 2.0 == 3.5, hit(16)), assign(b, (a << 2) - (a >> 1)),
                   assign(real, real * b + single), assign(single, real / 2), assign(b, b - a * 3.75),
                   when(b, hit(32)), assign(b, 0), assign(real, 0.5), assign(single, 0.25));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), real(at(real_)), single(at(single_)), hits(at(hits_)));
    }
    void compute() { hits_ += 1 + 2 + 4 + 8 + 16 + ((static_cast<int>(25 - 7 * 3.75)) ? 32 : 0); }
    bool operator==(const arithmetic&) const = default;
};

// min, max, abs and sqrt of scalars, of elements and of the results of passes.
struct functions {
    std::vector<double> row_ = {64, -20, 3.5, 0}, goal_ = {1, -1, 0, -0.0};
    int a_ = 0, b_ = 0, hits_ = 0, passes_ = 0;
    double real_ = 6561;
    float single_ = 0;

    static constexpr auto expression() {
        return seq(
            assign(a, -9), assign(b, 4), assign(hits, max(a, b) + 10 * abs(a) + 1000 * min(b, 3)),
            loop_while(sqrt(real) > abs(a), seq(assign(real, real / 9), count_pass)),
            loop_while(!all(abs(row - goal) <= near), seq(for_each(over(row), towards{})(inout(row[each]), in(goal[each])), count_pass)),
            when(max(max_abs(row), 2) == 2 && sqrt(b) == 2, hit(1'000'000)), when(any(max(row, goal) == min(goal, row)), hit(2'000'000)),
            assign(single, sqrt(near) - abs(near - 1)), assign(a, ceil_div(a, 2)));
    }
    struct towards {
        COGRAPH_HD void operator()(index_t, double& at, double to) const { at = (at + to) / 2; }
    };
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(row(at(row_)), goal(at(goal_)), a(at(a_)), b(at(b_)), real(at(real_)), single(at(single_)), passes(at(passes_)),
                          hits(at(hits_)), near(0.25f));
    }
    void compute() {
        a_ = -9;
        b_ = 4;
        hits_ = 4 + 90 + 3000;
        for (; real_ > 81; real_ /= 9) ++passes_;
        const auto far = [&] {
            for (std::size_t k = 0; k < row_.size(); ++k)
                if (row_[k] - goal_[k] > 0.25 || goal_[k] - row_[k] > 0.25) return true;
            return false;
        };
        for (; far(); ++passes_)
            for (std::size_t k = 0; k < row_.size(); ++k) row_[k] = (row_[k] + goal_[k]) / 2;
        hits_ += 1'000'000 + 2'000'000;
        single_ = 0.5f - 0.75f;
        a_ = -4;
    }
    bool operator==(const functions&) const = default;
};

// The functions of <cmath>. What they round exactly is compared exactly; of the others, a device may give other last bits.
struct functions_of_cmath {
    std::vector<double> row_ = std::vector<double>(4), goal_ = {0.25, 2.5, -1.75, 40};
    int a_ = 0, b_ = 3, hits_ = 0, passes_ = 0;
    double real_ = 0;
    float single_ = 0;

    static constexpr auto expression() {
        return seq(copy(in(goal), out(row)), assign(real, 0.375), assign(single, 1.5), assign(passes, 0), assign(a, round(1000 * exp(real)) + round(1000 * log(real)) + round(1000 * pow(real, 3)) + round(1000 * pow(single, single))),
                   assign(hits, round(1000 * sin(real)) + round(1000 * cos(single)) + round(1000 * tan(real)) - round(1000 * tanh(-single))),
                   assign(single, fma(single, single, 0.1f) - floor(single) + ceil(single / 4)),
                   loop_while(isfinite(exp(real)) && passes < 20, seq(assign(real, fma(real, 1.75, floor(real))), count_pass)),
                   when(isnan(real - real) || isfinite(log(b - b)), hit(1'000'000)), when(isnan(sqrt(-b)) && !isfinite(exp(1000 * b)), hit(2'000'000)),
                   when(all(isfinite(row)) && any(floor(row) == 2) && none(fma(row, 2, 1) == row), hit(4'000'000)),
                   loop_while(any(exp(row) > 3), seq(for_each(over(row), closer{})(inout(row[each])), assign(a, a + 1))),
                   when(count_if(row, is_small{}) + floor(max_abs(row)) == 4, hit(8'000'000)));
    }
    struct closer {
        COGRAPH_HD void operator()(index_t, double& at) const { at /= 2; }
    };
    struct is_small {
        COGRAPH_HD bool operator()(const double& at) const { return at < 1; }
    };
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(row(at(row_)), goal(at(goal_)), a(at(a_)), b(at(b_)), real(at(real_)), single(at(single_)), passes(at(passes_)), hits(at(hits_)));
    }
    void compute() {
        row_ = goal_;
        real_ = 0.375;
        passes_ = 0;
        a_ = 1455 - 981 + 53 + 1837;
        hits_ = 366 + 71 + 394 + 905;
        single_ = std::fma(1.5f, 1.5f, 0.1f) - 1.f + 1.f;
        for (; std::isfinite(std::exp(real_)) && passes_ < 20; ++passes_) real_ = std::fma(real_, 1.75, std::floor(real_));
        hits_ += 2'000'000 + 4'000'000 + 8'000'000;
        for (int k = 0; k < 6; ++k, ++a_)
            for (double& at : row_) at /= 2;
    }
    bool operator==(const functions_of_cmath&) const = default;
};

// Members of a struct that is a scalar, of a value and of elements; the others stay as they are.
struct step_control {
    float step;
    state how;
    short rejected;
    bool operator==(const step_control&) const = default;
};
struct solver_state {
    double time, error[3];
    step_control control;
    std::int64_t steps;
    int shifted;
    bool operator==(const solver_state&) const = default;
};
inline constexpr struct solver : scalar<solver, solver_state> {} solver;
inline constexpr struct backup : scalar<backup, solver_state> {} backup;
inline constexpr struct wanted : value<wanted, step_control> {} wanted;
inline constexpr struct controls : buffer<controls, step_control> {} controls;

struct members {
    solver_state solver_ = {}, backup_ = {0, {0.5, 0.25, 0.125}, {0.125f, state::idle, 0}, 40, neutral};
    std::vector<step_control> controls_ = {{1, state::idle, 0}, {2, state::halving, 1}, {4, state::done, 2}};
    std::vector<double> row_ = {1, 2, 3};
    int hits_ = 0, passes_ = 0;

    static constexpr auto step = member<&solver_state::control, &step_control::step>(solver);
    static constexpr auto time = member<&solver_state::time>(solver);
    static constexpr auto steps = member<&solver_state::steps>(solver);

    static constexpr auto expression() {
        return seq(
            copy(in(backup), out(solver)), assign(passes, 0),
            loop_while(time < member<&step_control::step>(wanted) && member<&solver_state::control, &step_control::how>(solver) == state::idle,
                       seq(single_task(spread{})(inout(solver)), assign(time, time + step), assign(steps, steps + 1),
                           for_each(over(row), scale{})(inout(row[each]), solver), transform_reduce(over(row), scaled{}, plus{})(out(real), in(row[each]), in(solver)),
                           when(steps % 4 == 0, assign(step, min(step * 2, 1)), otherwise(assign(member<&solver_state::shifted>(solver), member<&solver_state::shifted>(solver) + 1))),
                           count_pass)),
            assign(member<&solver_state::control, &step_control::how>(solver), state::done),
            when(member<&solver_state::control, &step_control::how>(solver) == member<&step_control::how>(wanted), hit(1)),
            when(any(member<&step_control::how>(controls) == state::done) && all(member<&step_control::step>(controls) * 2 > passes - 8) &&
                     none(member<&step_control::rejected>(controls) > member<&solver_state::steps>(backup)),
                 hit(10)),
            loop_while(member<&solver_state::steps>(solver) > 0, assign(steps, steps / 3)), assign(a, member<&solver_state::shifted>(solver) - drive));
    }
    struct spread {
        COGRAPH_HD void operator()(solver_state& all) const {
            for (double& one : all.error) one /= 2;
        }
    };
    struct scale {
        COGRAPH_HD void operator()(index_t, double& at, const solver_state& now) const { at *= static_cast<double>(now.steps); }
    };
    struct scaled {
        COGRAPH_HD double operator()(index_t, double at, const solver_state& now) const { return at * now.error[0]; }
    };
    int a_ = 0;
    double real_ = 0;
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(solver(at(solver_)), backup(at(backup_)), wanted(step_control{2, state::done, 0}), controls(at(controls_)), row(at(row_)),
                          real(at(real_)), a(at(a_)), hits(at(hits_)), passes(at(passes_)));
    }
    void compute() {
        solver_state& now = solver_;
        now = backup_;
        passes_ = 0;
        while (now.time < 2) {
            spread{}(now);
            now.time += now.control.step;
            ++now.steps;
            real_ = 0;
            for (double& at : row_) {
                scale{}(0, at, now);
                real_ += scaled{}(0, at, now);
            }
            if (now.steps % 4 == 0)
                now.control.step = std::fmin(now.control.step * 2, 1.f);
            else
                ++now.shifted;
            ++passes_;
        }
        now.control.how = state::done;
        hits_ += 11;
        now.steps = 0;
        a_ = now.shifted - drive;
    }
    bool operator==(const members&) const = default;
};

// Extents, also of what a loop counts, and rounds that are computed.
struct extents {
    std::vector<double> row_, goal_;
    std::int64_t big_ = 0;
    int a_ = 0, hits_ = 0, passes_ = 0;
    double real_ = 0;

    extents() : row_(12, 1.5), goal_(5) {}
    static constexpr auto expression() {
        return seq(
            reduce(out(real), in(row)), assign(real, real / extent(row)), assign(big, extent(row) - 2 * extent(goal)), assign(a, 0),
            loop_while(a < extent(goal), seq(assign(a, a + 1), fill(out(goal), real))), repeat(extent(row), count_pass),
            repeat(min(extent(row), 100 / extent(goal)) - big, seq(count_pass, when(big < 4, assign(big, big + 1)))),
            switch_on(extent(goal) % 3, hit(1), hit(2), hit(4)), when(all(goal < extent(goal)) && extent(row) > -1, hit(8)),
            repeat(count_if(row, is_small{}) - 10, hit(100)));
    }
    struct is_small {
        COGRAPH_HD bool operator()(double element) const { return element < 2; }
    };
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(row(at(row_)), goal(at(goal_)), big(at(big_)), a(at(a_)), real(at(real_)), passes(at(passes_)), hits(at(hits_)));
    }
    void compute() {
        real_ = 1.5;
        a_ = 5;
        for (double& value : goal_) value = real_;
        passes_ += 12;
        big_ = 2;
        for (std::int64_t pass = 0; pass < 12 - big_; ++pass) {
            ++passes_;
            if (big_ < 4) ++big_;
        }
        hits_ += 4 + 8 + 200;
    }
    bool operator==(const extents&) const = default;
};

// A machine whose state is an enumeration; one that becomes an integer by itself.
struct enumerations {
    std::vector<state> states_;
    state how_ = state::done;
    gear shift_ = reverse;
    int a_ = 0, b_ = 0, hits_ = 0, passes_ = 0;

    enumerations() : states_(3, state::halving) { states_[0] = state::idle; }
    static constexpr auto expression() {
        return seq(
            assign(how, start), assign(a, 40), assign(b, shift - 1),
            loop_while(how != state::done && passes < 20,
                       seq(count_pass, switch_on(how, assign(how, state::halving),
                                                 seq(assign(a, a / 2), when(a < 3, assign(how, state::done)))))),
            when(any(states == state::halving) && !all(how == states), hit(1)), when(state::idle < how, hit(2)),
            when(shift == reverse && max(shift, drive) == 1, seq(hit(4), assign(shift, drive))), when(shift, hit(8)),
            repeat(shift + 1, hit(100)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(states(at(states_)), how(at(how_)), shift(at(shift_)), a(at(a_)), b(at(b_)), passes(at(passes_)), hits(at(hits_)),
                          start(state::idle));
    }
    void compute() {
        how_ = state::done;
        a_ = 2;
        b_ = shift_ - 1;
        passes_ += 1 + 4;
        hits_ += 1 + 2 + (shift_ == reverse ? 4 : 0) + 8 + 200;
        shift_ = drive;
    }
    bool operator==(const enumerations&) const = default;
};

using cases = std::tuple<mixed, large_integers, short_circuit, arithmetic, functions, functions_of_cmath, members, extents, enumerations>;

}  // namespace expressions::predicates
