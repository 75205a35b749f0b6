// SPDX-License-Identifier: Apache-2.0

// Signals of different lengths through one graph: it is made once and bound anew for each of them. Its temps share memory,
// and a second graph, which never runs at the same time, works in the same. A formula says how large one of them is. A third
// graph works on two signals in turns.

#include "../anywhere.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <vector>

namespace signals {

using cograph::index_t;

/// The mean of an element and its neighbours; the ends stay as they are.
struct smooth {
    COGRAPH_HD void operator()(index_t i, const float* from, float& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i] + from[i + 1]) / 3;
    }
};
struct amplify {
    COGRAPH_HD void operator()(index_t, const float& from, float by, float& to) const { to = from * by; }
};
struct square {
    COGRAPH_HD double operator()(index_t, float x) const { return double{x} * x; }
};
/// The energy of one window; the last may be shorter.
constexpr index_t window = 256;
struct measure_window {
    COGRAPH_HD void operator()(index_t i, const float* from, double& energy, index_t n) const {
        energy = 0;
        for (index_t k = i * window; k < n && k < (i + 1) * window; ++k) energy += double{from[k]} * from[k];
    }
};

// [expression]
inline constexpr struct input : cograph::buffer<input, float> {} input;
inline constexpr struct output : cograph::buffer<output, float> {} output;
inline constexpr struct gain : cograph::value<gain, float> {} gain;
inline constexpr struct energy : cograph::scalar<energy, double> {} energy;
inline constexpr struct loudest : cograph::scalar<loudest, double> {} loudest;  // the energy of the window that has most
inline constexpr struct once : cograph::temp<once, float, struct input> {} once;
inline constexpr struct twice : cograph::temp<twice, float, struct input> {} twice;
inline constexpr struct thrice : cograph::temp<thrice, float, struct input> {} thrice;
inline constexpr struct windows : cograph::temp<windows, double, cograph::elements<ceil_div(extent(input), window)>> {} windows;

constexpr auto smoothed(auto from, auto to) {
    return cograph::for_each(over(from), smooth{})(in(from), out(to[cograph::each]), extent(from));
}
inline constexpr auto filter = cograph::seq(
    smoothed(input, once), smoothed(once, twice), smoothed(twice, thrice), smoothed(thrice, output));
inline constexpr auto measure = cograph::seq(
    cograph::for_each(over(input), amplify{})(in(input[cograph::each]), gain, out(once[cograph::each])),
    cograph::transform_reduce(over(input), square{}, cograph::plus{})(out(energy), in(once[cograph::each])),
    cograph::for_each(over(windows), measure_window{})(in(once), out(windows[cograph::each]), extent(once)),
    cograph::reduce(out(loudest), in(windows), cograph::maximum{}));

static_assert(may_alias(filter, once, thrice), "once is not needed when thrice is written");
static_assert(!may_alias(filter, once, twice), "one node uses both");
// [/expression]

// Sixteen passes in place. Every node takes `input`: where that changes often, the device writes it into all of them at once.
inline constexpr auto two_passes = cograph::seq(smoothed(input, once), smoothed(once, input));
inline constexpr auto eight_passes = cograph::seq(two_passes, two_passes, two_passes, two_passes);
inline constexpr auto blur = cograph::seq(eight_passes, eight_passes);

void blur_in_turns(std::span<float> left, std::span<float> right, int turns) {
#ifdef __CUDACC__
    if (anywhere::has_gpu()) {
        auto blurring = instantiate(blur, device_updatable(input(left)));
        for (int turn = 0; turn < turns; ++turn) {
            blurring.update(input(turn % 2 == 0 ? left : right));  // notes the pointer
            blurring.launch(nullptr);
        }
        anywhere::succeed(cudaDeviceSynchronize());
        return;
    }
#endif
    for (int turn = 0; turn < turns; ++turn) cograph::simulate(blur, input(turn % 2 == 0 ? left : right));
}

/// Runs both expressions on signal after signal: on a GPU as two graphs that are bound anew.
class runner {
public:
    void run(std::span<float> from, std::span<float> to, float by, double* result) {
#ifdef __CUDACC__
        if (anywhere::has_gpu()) {
            run_graphs(from, to, by, result);
            return;
        }
#endif
        cograph::simulate(filter, input(from), output(to));
        cograph::simulate(measure, input(to), gain(by), energy(result), loudest(result + 1));
    }

private:
#ifdef __CUDACC__
    // [update]
    void run_graphs(std::span<float> from, std::span<float> to, float by, double* result) {
        if (!filtering) {
            filtering.emplace(instantiate(filter, use(memory), input(from), output(to)));
            measuring.emplace(instantiate(measure, use(memory), input(to), gain(by), energy(result), loudest(result + 1)));
        } else {
            filtering->update(input(from), output(to));
            measuring->update(input(to), gain(by), energy(result), loudest(result + 1));
        }
        filtering->launch(nullptr);
        measuring->launch(nullptr);
        anywhere::succeed(cudaDeviceSynchronize());
    }

    cograph::pool memory;  // for the temps of both
    std::optional<cograph::executable<decltype(filter)::self>> filtering;
    std::optional<cograph::executable<decltype(measure)::self>> measuring;
    // [/update]
#endif
};

std::vector<float> smoothed_on_host(std::vector<float> x) {
    for (int pass = 0; pass < 4; ++pass) {
        const std::vector<float> was = x;
        for (std::size_t i = 1; i + 1 < x.size(); ++i) x[i] = (was[i - 1] + was[i] + was[i + 1]) / 3;
    }
    return x;
}

/// Two signals in turns, each twice, checked against plain C++.
bool check_turns() {
    const anywhere::array<float> left(1000), right(1000);
    for (std::size_t i = 0; i < left.size(); ++i) {
        left[i] = i % 2 == 0 ? 1.0f : 0.0f;
        right[i] = i < 500 ? 1.0f : -1.0f;
    }
    std::vector<float> of_left(left.data(), left.data() + left.size()), of_right(right.data(), right.data() + right.size());
    for (int four_passes = 0; four_passes < 8; ++four_passes) {
        of_left = smoothed_on_host(of_left);
        of_right = smoothed_on_host(of_right);
    }
    blur_in_turns(left.span(), right.span(), 4);
    double worst = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
        worst = std::fmax(worst, std::fmax(std::fabs(double{left[i]} - double{of_left[i]}), std::fabs(double{right[i]} - double{of_right[i]})));
    return worst < 1e-5;
}

/// One signal, checked against plain C++.
bool check_signal(runner& run, std::size_t length, float by) {
    const anywhere::array<float> from(length), to(length);
    const anywhere::array<double> result(2);
    for (std::size_t i = 0; i < length; ++i) from[i] = std::sin(0.01f * static_cast<float>(i)) + (i % 7 == 0 ? 0.5f : 0.0f);
    const std::vector<float> expected = smoothed_on_host({from.data(), from.data() + length});
    run.run(from.span(), to.span(), by, result.data());

    double sum = 0, worst = 0, most = 0, in_window = 0;
    for (std::size_t i = 0; i < length; ++i) {
        worst = std::fmax(worst, std::fabs(double{to[i]} - double{expected[i]}));
        const double energy_here = double{expected[i]} * expected[i] * by * by;
        sum += energy_here;
        in_window = (i % window == 0 ? 0 : in_window) + energy_here;
        most = std::fmax(most, in_window);
    }
    const bool right = worst < 1e-5 && std::fabs(result[0] - sum) <= 1e-4 * (sum + 1) && std::fabs(result[1] - most) <= 1e-4 * (most + 1);
    std::printf("%s: %zu elements, energy %.6g, %.6g of it in one window%s\n", anywhere::way_to_run(), length, result[0], result[1],
                right ? "" : ", which is wrong");
    return right;
}

}  // namespace signals

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    using namespace signals;
    runner run;
    int wrong = !check_turns();
    for (const std::size_t length : {1000u, 1000u, 50'000u, 3u, 200'000u, 1000u})
        for (const float by : {1.0f, 2.0f}) wrong += !check_signal(run, length, by);

    const anywhere::array<float> from(200'000), to(200'000);
    const cograph::memory_footprint use = memory_usage(filter, input(from.span()), output(to.span()));
    std::printf("temps: %zu bytes, %zu if they did not share memory\n", use.bytes, use.without_aliasing);
    return wrong + (use.bytes >= use.without_aliasing);
} catch (const std::exception& problem) {
    std::fprintf(stderr, "rebinding: %s\n", problem.what());
    return 1;
}
