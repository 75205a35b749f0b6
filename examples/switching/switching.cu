// SPDX-License-Identifier: Apache-2.0

// Bodies that cool at different rates, followed with an adaptive time step: loops in a loop, a step that is
// taken or tried again, and a switch that chooses what to report. Nothing of it asks the host.

#include "../anywhere.hpp"

#include <cograph/launch_shape.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>

namespace cooling {

using cograph::index_t;

COGRAPH_HD inline double slope(double rate, double temperature) { return -rate * temperature; }

/// One step of Heun's method for one body; gives the difference to Euler's, which estimates the error.
struct heun {
    COGRAPH_HD double operator()(index_t, double rate, double now, double& then, double step) const {
        const double first = slope(rate, now);
        const double second = slope(rate, now + step * first);
        then = now + step / 2 * (first + second);
        const double difference = step / 2 * (second - first);
        return difference < 0 ? -difference : difference;
    }
};

struct record_result {
    COGRAPH_HD void operator()(index_t i, double result, int frame, double& reported) const {
        if (i == frame) reported = result;
    }
};

// [expression]
inline constexpr struct rate : cograph::buffer<rate, double> {} rate;
inline constexpr struct temperature : cograph::buffer<temperature, double> {} temperature;
inline constexpr struct trial : cograph::temp<trial, double, struct temperature> {} trial;
inline constexpr struct reports : cograph::buffer<reports, double> {} reports;
inline constexpr struct frames : cograph::value<frames, int> {} frames;
inline constexpr struct report : cograph::value<report, int> {} report;  // 0 hottest, 1 coldest, 2 the sum
inline constexpr struct tolerance : cograph::value<tolerance, double> {} tolerance;

inline constexpr struct now : cograph::scalar<now, double> {} now;
inline constexpr struct step : cograph::scalar<step, double> {} step;
inline constexpr struct estimate : cograph::scalar<estimate, double> {} estimate;  // of the error
inline constexpr struct result : cograph::scalar<result, double> {} result;
inline constexpr struct frame : cograph::scalar<frame, int> {} frame;
inline constexpr struct taken : cograph::scalar<taken, int> {} taken;
inline constexpr struct refused : cograph::scalar<refused, int> {} refused;

constexpr auto follow() {
    using namespace cograph;

    const auto try_step = transform_reduce(over(temperature), heun{}, maximum{})(
        out(estimate), in(rate[each]), in(temperature[each]), out(trial[each]), in(step));

    const auto take_step = seq(copy(in(trial), out(temperature)),
                               assign(now, now + step),
                               assign(step, step * 1.25),
                               assign(taken, taken + 1));

    const auto try_again = seq(assign(step, step / 2),
                               assign(refused, refused + 1));

    const auto advance = seq(when(now + step > frame + 1, assign(step, frame + 1 - now)),
                             try_step,
                             when(estimate <= tolerance, take_step, otherwise(try_again)));

    const auto choose_result = switch_on(report,
                                         reduce(out(result), in(temperature), maximum{}),
                                         reduce(out(result), in(temperature), minimum{}),
                                         reduce(out(result), in(temperature)));

    return seq(par(assign(now, 0), assign(step, 1), assign(frame, 0), assign(taken, 0), assign(refused, 0)),
               repeat(frames, seq(loop_while(now < frame + 1, advance),
                                  assign(result, 0),
                                  choose_result,
                                  for_each(over(reports), record_result{})
                                      (in(result), in(frame), inout(reports[each])),
                                  assign(frame, frame + 1)), block_of<512>));  // for 500 bodies; blocks of other sizes are not compiled
}

inline constexpr auto cool = follow();
static_assert(cograph::nesting_depth(cool) == 3 && cograph::region_count(cool) == 9);
// [/expression]

constexpr int bodies = 500;
constexpr int frame_count = 8;

double rate_of(int body) { return 0.1 + 0.005 * body; }

/// What a report must say, from the exact solution.
double exact(int kind, double time) {
    double largest = 0, smallest = 100, sum = 0;
    for (int body = 0; body < bodies; ++body) {
        const double there = 100 * std::exp(-rate_of(body) * time);
        largest = std::fmax(largest, there);
        smallest = std::fmin(smallest, there);
        sum += there;
    }
    return kind == 0 ? largest : kind == 1 ? smallest : kind == 2 ? sum : 0;
}

/// Follows the bodies once and checks every report.
bool check_report(int kind) {
    const char* const name = std::array{"hottest", "coldest", "sum", "nothing"}[kind];
    const anywhere::array<double> rates(bodies), temperatures(bodies), reported(frame_count);
    const anywhere::array<int> counts(2);
    for (int body = 0; body < bodies; ++body) {
        rates[body] = rate_of(body);
        temperatures[body] = 100;
    }
    anywhere::run(cool, rate(rates.span()), temperature(temperatures.span()), reports(reported.span()),
                  frames(frame_count), report(kind), tolerance(1e-3), taken(&counts[0]), refused(&counts[1]));

    double worst = 0;
    for (int at = 0; at < frame_count; ++at) {
        const double expected = exact(kind, at + 1);
        worst = std::fmax(worst, std::fabs(reported[at] - expected) / std::fmax(expected, 1));
    }
    const bool right = worst < 1e-2 && counts[0] > frame_count && counts[1] > 0;
    std::printf("%s: %s after %d s: %.4g; %d steps taken, %d refused%s\n", anywhere::way_to_run(), name,
                frame_count, reported[frame_count - 1], counts[0], counts[1],
                right ? "" : ", which is wrong");
    return right;
}

}  // namespace cooling

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    int wrong = 0;
    for (int kind = 0; kind < 4; ++kind) wrong += !cooling::check_report(kind);
    return wrong;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "switching: %s\n", problem.what());
    return 1;
}
