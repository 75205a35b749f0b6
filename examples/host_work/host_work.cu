// SPDX-License-Identifier: Apache-2.0

// One graph with all that surrounds a computation: the host makes the input, copies bring it to the device and the progress of
// the loop back, the host sums up, and an event tells other streams.

#include "../anywhere.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

using namespace cograph;

// [variables]
inline constexpr struct factors : host_buffer<factors, double> {} factors;    // any memory of the host
inline constexpr struct samples : pinned_buffer<samples, double> {} samples;  // of cudaMallocHost
inline constexpr struct progress : pinned_buffer<progress, double> {} progress;
inline constexpr struct factor : temp<factor, double, struct factors> {} factor;
inline constexpr struct x : temp<x, double> {} x;
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct done : value<done, CUevent_st*> {} done;  // a cudaEvent_t
// [/variables]

struct report {
    double first = 0, sum = 0;
};

struct shrink {
    COGRAPH_HD double operator()(index_t, double& value, double by) const { return value *= by; }
};

// [expression]
auto whole_run(report& to, int calls) {
    const auto make = [calls](double* values, index_t n) {
        for (index_t i = 0; i < n; ++i) values[i] = static_cast<double>(calls + i);
    };
    const auto sum_up = [&to](const double* values, index_t n) {
        to.first = values[0];
        to.sum = 0;
        for (index_t i = 0; i < n; ++i) to.sum += values[i];
    };
    return seq(host(make)(out(samples), extent(samples)),
               copy(in(samples), out(x)),
               copy(in(factors), out(factor)),
               do_while(seq(transform_reduce(over(x), shrink{}, maximum{})(out(largest), inout(x[each]), in(factor[each])),
                            copy(in(largest), out(progress))),  // in every pass
                        largest > 1.0),
               copy(in(x), out(samples)),
               host(sum_up)(in(samples), extent(samples)),
               record(done));
}
// [/expression]

// [boxes]
inline constexpr struct image : buffer<image, float> {} image;
inline constexpr struct tile : buffer<tile, float> {} tile;

// Four rows of eight elements, from the middle of an image with rows of 64.
constexpr auto cut_out = copy(in(image), out(tile), box{.width = 8, .height = 4, .from_begin = 20 * 64 + 16, .from_pitch = 64});
// [/boxes]

// Memory of the host that the device reaches by itself.
class pinned_memory {
public:
    explicit pinned_memory(std::size_t count) : own_(count) {
        data_ = own_.data();
#ifdef __CUDACC__
        if (anywhere::has_gpu()) anywhere::succeed(cudaMallocHost(&data_, count * sizeof(double)));
#endif
    }
    ~pinned_memory() {
#ifdef __CUDACC__
        if (anywhere::has_gpu()) cudaFreeHost(data_);
#endif
    }
    pinned_memory(const pinned_memory&) = delete;
    pinned_memory& operator=(const pinned_memory&) = delete;
    std::span<double> span() const { return {data_, own_.size()}; }

private:
    std::vector<double> own_;
    double* data_ = nullptr;
};

bool cuts_right() {
    const anywhere::array<float> from(64 * 64), to(32);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
    anywhere::run(cut_out, image(from.span()), tile(to.span()));
    bool right = true;
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 8; ++column) right = right && to[row * 8 + column] == from[(20 + row) * 64 + 16 + column];
    return right;
}

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    const std::size_t n = 1000;
    std::vector<double> three_quarters(n, 0.75);
    const pinned_memory values(n), seen(1);
    CUevent_st* event = nullptr;
#ifdef __CUDACC__
    if (anywhere::has_gpu()) anywhere::succeed(cudaEventCreate(&event));
#endif
    report result;
    anywhere::run(whole_run(result, 1), factors(std::span(three_quarters)), samples(values.span()), progress(seen.span()), x(n), done(event));

    // 1 .. n, times 0.75 until the largest is at most 1.
    const double shrunk = std::pow(0.75, std::ceil(std::log(static_cast<double>(n)) / std::log(4.0 / 3)));
    const double sum = shrunk * static_cast<double>(n) * static_cast<double>(n + 1) / 2;
    std::printf("%s: sum %.6f, largest %.6f\n", anywhere::way_to_run(), result.sum, seen.span()[0]);
    const auto is_near = [](double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); };
    bool right = is_near(result.first, shrunk) && is_near(result.sum, sum) && is_near(seen.span()[0], shrunk * static_cast<double>(n)) && cuts_right();
#ifdef __CUDACC__
    if (anywhere::has_gpu()) {
        right = right && cudaEventQuery(event) == cudaSuccess;
        cudaEventDestroy(event);
    }
#endif
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "host_work: %s\n", problem.what());
    return 1;
}
