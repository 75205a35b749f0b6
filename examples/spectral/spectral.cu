// SPDX-License-Identifier: Apache-2.0

// Heat flows in a ring, by cuFFT and CUB: every pass goes to frequencies and back, and a reduction of CUB decides whether the
// ring has settled. The heat of each frequency is known at any time.

#include "../anywhere.hpp"

#include <cub/device/device_reduce.cuh>
#include <cufft.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <vector>

using namespace cograph;

inline constexpr struct heat : buffer<heat, double> {} heat;
inline constexpr struct old_heat : temp<old_heat, double, struct heat> {} old_heat;
inline constexpr struct waves : temp<waves, double2> {} waves;
inline constexpr struct changes : temp<changes, double, struct heat> {} changes;
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct decay : value<decay, double> {} decay;
inline constexpr struct limit : value<limit, double> {} limit;
inline constexpr struct work : temp<work, char> {} work;

// Plans for a ring of some size. They work in memory that the expression owns.
struct plans {
    cufftHandle to_waves{}, to_heat{};
    std::size_t bytes = 16;

    explicit plans(int size) {
        if (!anywhere::has_gpu()) return;
        std::size_t first = 0, second = 0;
        make(to_waves, size, CUFFT_D2Z, first);
        make(to_heat, size, CUFFT_Z2D, second);
        bytes = std::max({bytes, first, second});
    }
    ~plans() {
        if (!anywhere::has_gpu()) return;
        cufftDestroy(to_waves);
        cufftDestroy(to_heat);
    }
    plans(const plans&) = delete;
    plans& operator=(const plans&) = delete;

private:
    static void make(cufftHandle& plan, int size, cufftType type, std::size_t& needed) {
        if (cufftCreate(&plan) != CUFFT_SUCCESS || cufftSetAutoAllocation(plan, 0) != CUFFT_SUCCESS ||
            cufftMakePlan1d(plan, size, type, 1, &needed) != CUFFT_SUCCESS)
            throw std::runtime_error("no plan of cuFFT");
    }
};

// [transform]
struct forward {
    cufftHandle plan;
    cufftResult operator()(cudaStream_t stream, const double* from, double2* to, char* memory) const {
        cufftSetStream(plan, stream);
        cufftSetWorkArea(plan, memory);
        return cufftExecD2Z(plan, const_cast<double*>(from), to);
    }
};
struct inverse {
    cufftHandle plan;
    cufftResult operator()(cudaStream_t stream, double2* from, double* to, char* memory) const {
        cufftSetStream(plan, stream);
        cufftSetWorkArea(plan, memory);
        return cufftExecZ2D(plan, from, to);
    }
};
// [/transform]

// The same by the definition, for simulate.
struct host_forward {
    index_t size;
    void operator()(const double* from, double2* to, char*) const {
        for (index_t k = 0; k <= size / 2; ++k) {
            std::complex<double> sum = 0;
            for (index_t i = 0; i < size; ++i) sum += from[i] * std::polar(1.0, -2 * M_PI * static_cast<double>(k * i % size) / static_cast<double>(size));
            to[k] = {sum.real(), sum.imag()};
        }
    }
};
struct host_inverse {
    index_t size;
    void operator()(double2* from, double* to, char*) const {
        for (index_t i = 0; i < size; ++i) {
            to[i] = 0;
            for (index_t k = 0; k <= size / 2; ++k) {
                const std::complex<double> wave = std::polar(1.0, 2 * M_PI * static_cast<double>(k * i % size) / static_cast<double>(size));
                to[i] += (k == 0 || 2 * k == size ? 1 : 2) * (from[k].x * wave.real() - from[k].y * wave.imag());
            }
        }
    }
};

// One step: the wave of number k fades by exp(-decay k^2); transforms there and back multiply by the size.
struct fade {
    index_t size;
    COGRAPH_HD void operator()(index_t k, double2& wave, double rate) const {
        const double factor = exp(-rate * static_cast<double>(k * k)) / static_cast<double>(size);
        wave.x *= factor;
        wave.y *= factor;
    }
};
struct change {
    COGRAPH_HD void operator()(index_t, const double& now, double& before, double& difference) const {
        difference = fabs(now - before);
        before = now;
    }
};

// [ring]
auto settle(const plans& use, index_t size) {
    const auto largest_of = cub_call([](auto... a) { return cub::DeviceReduce::Max(a...); },
                                     [](const double* from, double* to, index_t n) {
                                         *to = from[0];
                                         for (index_t i = 1; i < n; ++i) *to = std::fmax(*to, from[i]);
                                     });
    return seq(assign(passes, 0), copy(in(heat), out(old_heat)), fill(out(work), 0),
               do_while(seq(captured(forward{use.to_waves}, host_forward{size})(in(heat), out(waves), inout(work)),
                            for_each(over(waves), fade{size})(inout(waves[each]), decay),
                            captured(inverse{use.to_heat}, host_inverse{size})(inout(waves), out(heat), inout(work)),
                            for_each(over(heat), change{})(in(heat[each]), inout(old_heat[each]), out(changes[each])),
                            largest_of(in(changes), out(largest), extent(changes)), assign(passes, passes + 1)),
                        largest > limit));
}
// [/ring]

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    const int size = 256;
    const double rate = 0.01;
    const anywhere::array<double> ring(size);
    const anywhere::array<int> count(1);
    for (int i = 0; i < size; ++i) ring[i] = 3 + 5 * std::cos(2 * M_PI * i / size) + 2 * std::sin(2 * M_PI * 7 * i / size);
    const plans use(size);
    anywhere::run(settle(use, size), heat(ring.span()), waves(size / 2 + 1), decay(rate), limit(1e-5), work(use.bytes), passes(count.data()));

    double error = 0;
    for (int i = 0; i < size; ++i) {
        const double wanted = 3 + 5 * std::exp(-rate * count[0]) * std::cos(2 * M_PI * i / size) +
                              2 * std::exp(-rate * 49 * count[0]) * std::sin(2 * M_PI * 7 * i / size);
        error = std::fmax(error, std::fabs(ring[i] - wanted));
    }
    // The last step changed the slowest wave by 5 (1 - exp(-rate)) exp(-rate (count - 1)): at most the limit.
    const double step = 5 * (1 - std::exp(-rate)) * std::exp(-rate * (count[0] - 1));
    std::printf("%s: settled after %d passes, error %.1e\n", anywhere::way_to_run(), count[0], error);
    return error < 1e-9 && step < 1.001e-5 && step > 0.98e-5 ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "spectral: %s\n", problem.what());
    return 1;
}
