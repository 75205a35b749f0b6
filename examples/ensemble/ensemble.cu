// SPDX-License-Identifier: Apache-2.0

// Balls that are thrown at different angles, each followed with steps of its own until it meets the ground: an ensemble of adaptive
// integrations that end by an event.

#include "../anywhere.hpp"

#ifdef __CUDACC__
#include <cograph/batch.cuh>
#else
#include <cograph/batch.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace thrown {

constexpr double speed = 30, gravity = 9.81, pi = 3.14159265358979323846;

struct throw_ball {
    COGRAPH_HD void operator()(double angle, double& x, double& y, double& vx, double& vy) const {
        x = y = 0;
        vx = speed * std::cos(angle);
        vy = speed * std::sin(angle);
    }
};

/// One step of Heun's method; its difference to Euler's estimates the error.
struct heun {
    COGRAPH_HD void operator()(double drag, double step, double x, double y, double vx, double vy, double& next_x, double& next_y, double& next_vx,
                               double& next_vy, double& error) const {
        const double slow = drag * std::sqrt(vx * vx + vy * vy);
        const double ax = -slow * vx, ay = -gravity - slow * vy;
        const double ux = vx + step * ax, uy = vy + step * ay;
        const double slow_then = drag * std::sqrt(ux * ux + uy * uy);
        next_x = x + step / 2 * (vx + ux);
        next_y = y + step / 2 * (vy + uy);
        next_vx = vx + step / 2 * (ax - slow_then * ux);
        next_vy = vy + step / 2 * (ay - gravity - slow_then * uy);
        error = std::fmax(std::fabs(next_vx - ux), std::fabs(next_vy - uy)) + step * std::fmax(std::fabs(ax), std::fabs(ay)) * step / 2;
    }
};

// [variables]
inline constexpr struct angle : cograph::value<angle, double> {} angle;
inline constexpr struct drag : cograph::value<drag, double> {} drag;
inline constexpr struct x : cograph::scalar<x, double> {} x;
inline constexpr struct y : cograph::scalar<y, double> {} y;
inline constexpr struct vx : cograph::scalar<vx, double> {} vx;
inline constexpr struct vy : cograph::scalar<vy, double> {} vy;
inline constexpr struct next_x : cograph::scalar<next_x, double> {} next_x;
inline constexpr struct next_y : cograph::scalar<next_y, double> {} next_y;
inline constexpr struct next_vx : cograph::scalar<next_vx, double> {} next_vx;
inline constexpr struct next_vy : cograph::scalar<next_vy, double> {} next_vy;
inline constexpr struct error : cograph::scalar<error, double> {} error;
inline constexpr struct step : cograph::scalar<step, double> {} step;
inline constexpr struct time : cograph::scalar<time, double> {} time;
inline constexpr struct tried : cograph::scalar<tried, int> {} tried;
// [/variables]

// [problem]
constexpr auto follow_one() {
    using namespace cograph;

    const auto take_step = seq(assign(x, next_x), assign(y, next_y), assign(vx, next_vx), assign(vy, next_vy),
                               assign(time, time + step), assign(step, step * 1.25));

    return seq(single_task(throw_ball{})(angle, out(x), out(y), out(vx), out(vy)),
               assign(time, 0), assign(step, 0.01), assign(tried, 0),
               loop_while(step > 1e-9,  // the ground is met
                          seq(single_task(heun{})(drag, step, x, y, vx, vy, out(next_x), out(next_y), out(next_vx), out(next_vy), out(error)),
                              when(error > 1e-4 || next_y < 0, assign(step, step / 2), otherwise(take_step)),
                              assign(tried, tried + 1)),
                          at_most(100'000)));
}
// [/problem]

// [batch]
constexpr auto follow = follow_one();
constexpr auto follow_all = cograph::batch(cograph::over(cograph::of_each(angle)), follow)
    (cograph::of_each(angle), cograph::of_each(x), cograph::of_each(time), cograph::of_each(tried));
// [/batch]

constexpr int balls = 1'000;
double angle_of(int ball) { return pi / 2 * (ball + 1) / (balls + 1); }

/// Throws all balls and checks where they land.
bool check(double with_drag) {
    const anywhere::array<double> angles(balls), lands_at(balls), takes(balls);
    const anywhere::array<int> steps(balls);
    for (int ball = 0; ball < balls; ++ball) angles[ball] = angle_of(ball);
    // [run]
    anywhere::run(follow_all, cograph::of_each(angle)(angles.span()), cograph::of_each(x)(lands_at.span()),
                  cograph::of_each(time)(takes.span()), cograph::of_each(tried)(steps.span()), drag(with_drag));
    // [/run]
    bool right = true;
    for (int ball = 0; ball < balls; ++ball) {
        const double exact_time = 2 * speed * std::sin(angle_of(ball)) / gravity, exact_x = speed * std::cos(angle_of(ball)) * exact_time;
        if (with_drag > 0)
            right = right && lands_at[ball] < exact_x && takes[ball] < exact_time;
        else
            right = right && std::fabs(lands_at[ball] - exact_x) < 1e-3 && std::fabs(takes[ball] - exact_time) < 1e-4;
    }
    const int* const first = steps.data();
    const auto [least, most] = std::minmax_element(first, first + balls);
    const double* const farthest = std::max_element(lands_at.data(), lands_at.data() + balls);
    right = right && *least < *most && *most < 100'000;
    std::printf("%s: drag %g: %d balls in %d to %d steps each; %.2f m at most, thrown at %.1f degrees%s\n", anywhere::way_to_run(), with_drag, balls, *least, *most,
                *farthest, angle_of(static_cast<int>(farthest - lands_at.data())) * 180 / pi, right ? "" : ", which is wrong");
    return right;
}

}  // namespace thrown

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    const bool without = thrown::check(0), with = thrown::check(0.01);
    return without && with ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "ensemble: %s\n", problem.what());
    return 1;
}
