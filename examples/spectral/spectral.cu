// SPDX-License-Identifier: Apache-2.0

// Heat flows in a ring, by cuFFT: every iteration goes to frequencies and back, until the ring has settled. The heat of each
// frequency is known at any time.

#include "../anywhere.hpp"

#ifdef __CUDACC__
#include <cograph/fft.cuh>
#else
#include <cograph/libraries/fft.hpp>
#endif

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using namespace cograph;

// A wave, laid out as cuFFT has it.
struct wave {
    double x, y;
};
inline constexpr struct heat : buffer<heat, double> {} heat;
inline constexpr struct old_heat : temp<old_heat, double, struct heat> {} old_heat;
inline constexpr struct waves : temp<waves, wave, elements<extent(heat) / 2 + 1>> {} waves;
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct iterations : scalar<iterations, int> {} iterations;
inline constexpr struct decay : value<decay, double> {} decay;
inline constexpr struct limit : value<limit, double> {} limit;

// One step: the wave of number k fades by exp(-decay k^2); transforms there and back multiply by the size.
struct fade {
    COGRAPH_HD void operator()(index_t k, wave& w, double rate, index_t size) const {
        const double factor = exp(-rate * static_cast<double>(k * k)) / static_cast<double>(size);
        w.x *= factor;
        w.y *= factor;
    }
};
struct change {
    COGRAPH_HD double operator()(index_t, const double& now, double& before) const {
        const double difference = fabs(now - before);
        before = now;
        return difference;
    }
};

// [settle]
auto settle() {
    return seq(assign(iterations, 0), copy(in(heat), out(old_heat)),
               do_while(seq(fft::forward(out(waves), in(heat)),
                            for_each(over(waves), fade{})(inout(waves[each]), decay, extent(heat)),
                            fft::inverse(out(heat), inout(waves)),
                            transform_reduce(over(heat), change{}, maximum_or_nan{})(out(largest), in(heat[each]), inout(old_heat[each])),
                            assign(iterations, iterations + 1)),
                        largest > limit));
}
// [/settle]

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    const int size = 256;
    const double rate = 0.01;
    const anywhere::array<double> ring(size);
    const anywhere::array<int> count(1);
    for (int i = 0; i < size; ++i) ring[i] = 3 + 5 * std::cos(2 * M_PI * i / size) + 2 * std::sin(2 * M_PI * 7 * i / size);
    anywhere::run(settle(), heat(ring.span()), decay(rate), limit(1e-5), iterations(count.data()));

    double error = 0;
    for (int i = 0; i < size; ++i) {
        const double wanted = 3 + 5 * std::exp(-rate * count[0]) * std::cos(2 * M_PI * i / size) +
                              2 * std::exp(-rate * 49 * count[0]) * std::sin(2 * M_PI * 7 * i / size);
        error = std::fmax(error, std::fabs(ring[i] - wanted));
    }
    // The last step changed the slowest wave by 5 (1 - exp(-rate)) exp(-rate (count - 1)): at most the limit.
    const double step = 5 * (1 - std::exp(-rate)) * std::exp(-rate * (count[0] - 1));
    std::printf("%s: settled after %d iterations, error %.1e\n", anywhere::way_to_run(), count[0], error);
    return error < 1e-9 && step < 1.001e-5 && step > 0.98e-5 ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "spectral: %s\n", problem.what());
    return 1;
}
