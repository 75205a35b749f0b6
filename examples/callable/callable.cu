// SPDX-License-Identifier: Apache-2.0

// Graphs behind ordinary calls: an expression, code that already exists, and a forward and a backward pass that share what
// the first one kept. Checks itself; without a GPU, by simulation.

#include "../anywhere.hpp"

#ifdef __CUDACC__
#include <cograph/callable.cuh>
#endif

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

using namespace cograph;

namespace callables {

// [expressions]
struct squared {
    COGRAPH_HD void operator()(index_t, const float& x, float& kept, float& y, float weight) const {
        kept = 2 * weight * x;
        y = weight * x * x;
    }
};
struct times {
    COGRAPH_HD void operator()(index_t, const float& slope, const float& dy, float& dx) const { dx = slope * dy; }
};

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct dx : buffer<dx, float> {} dx;
inline constexpr struct dy : buffer<dy, float> {} dy;
inline constexpr struct slope : buffer<slope, float> {} slope;
inline constexpr struct weight : value<weight, float> {} weight;

constexpr auto forward = for_each(over(x), squared{})(in(x[each]), out(slope[each]), out(y[each]), weight);
constexpr auto backward = for_each(over(dx), times{})(in(slope[each]), in(dy[each]), out(dx[each]));
// [/expressions]

constexpr std::size_t count = 1000;

bool all_are(std::span<const float> values, float expected) {
    for (float value : values)
        if (value != expected) return false;
    return true;
}

bool simulate_both() {
    std::vector<float> xs(count, 3), ys(count), slopes(count), dxs(count), dys(count, 10);
    simulate(seq(forward, backward), x(std::span(xs)), y(std::span(ys)), slope(std::span(slopes)), dx(std::span(dxs)), dy(std::span(dys)),
             weight(0.5f));
    return all_are(ys, 4.5f) && all_are(dxs, 30);
}

#ifdef __CUDACC__
using anywhere::array;
using anywhere::succeed;

// [stream function]
// Code as it is: enqueues its work on a stream.
__global__ void scale(const float* from, float* to, std::size_t count, float by) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) to[i] = by * from[i];
}
struct scale_all {
    void operator()(cudaStream_t stream, std::span<const float> from, output_span<float> to, float by) const {
        const auto blocks = static_cast<unsigned>((from.size() + 255) / 256);
        scale<<<blocks, 256, 0, stream>>>(from.data(), to.data(), from.size(), by);
    }
};
// [/stream function]

void collect(const char* why, void* to) { static_cast<std::string*>(to)->append(why).append("\n"); }

bool call_on_gpu(cudaStream_t stream) {
    const array<float> xs(count), ys(count), slopes(count), dxs(count), dys(count), more(2 * count), more_ys(2 * count), more_slopes(2 * count);
    for (std::size_t i = 0; i < count; ++i) {
        xs[i] = 3;
        dys[i] = 10;
    }
    std::string said;
    // [options]
    callable_options options;
    options.log = {&collect, &said};  // stderr, when not set
    // [/options]

    // [expression]
    auto call = make_callable(forward, arguments(in(x), in(weight), out(y)), options,
                              x(xs.span()), weight(0.5f), y(ys.span()), slope(slopes.span()));
    call(stream, xs.span(), 0.5f, ys.span());  // copies xs in and ys out; the graph runs on memory of its own
    call(stream, xs.span(), 2.0f, call.static_buffer(y));  // leaves the result there: no copy out
    // [/expression]
    succeed(cudaStreamSynchronize(stream));
    bool good = call.is_graph() && all_are(ys.span(), 4.5f);
    std::vector<float> result(count);
    succeed(cudaMemcpy(result.data(), call.static_buffer(y).data(), count * sizeof(float), cudaMemcpyDefault));
    good = good && all_are(result, 18) && said.empty();

    // [call a stream function]
    auto graph = make_callable(scale_all{}, options, std::span<const float>(xs.span()), output(ys.span()), 2.0f);
    graph(stream, xs.span(), output(dxs.span()), 2.0f);  // what scale_all{}(stream, ...) does
    // [/call a stream function]
    succeed(cudaStreamSynchronize(stream));
    good = good && graph.is_graph() && all_are(dxs.span(), 6);

    // [pair]
    auto both = make_callable_pair(forward, arguments(in(x), out(y)), backward, arguments(in(dy), out(dx)), options,
                                   x(xs.span()), y(ys.span()), dy(dys.span()), dx(dxs.span()), saved(slope, count), weight(0.5f));
    both.forward(stream, xs.span(), ys.span());
    both.backward(stream, dys.span(), dxs.span());  // reads the slopes that forward left
    // [/pair]
    succeed(cudaStreamSynchronize(stream));
    good = good && all_are(ys.span(), 4.5f) && all_are(dxs.span(), 30);

    // [fallback]
    auto larger = make_callable(forward, arguments(in(x), out(y), out(slope)), options,
                                x(xs.span()), y(ys.span()), slope(slopes.span()), weight(1.0f));
    larger(stream, more.span(), more_ys.span(), more_slopes.span());  // twice as many: runs node by node
    // [/fallback]
    succeed(cudaStreamSynchronize(stream));
    return good && said.find("another number of elements") != std::string::npos;
}
#endif

bool check() {
    if (!simulate_both()) return false;
#ifdef __CUDACC__
    if (anywhere::has_gpu()) {
        cudaStream_t stream;
        succeed(cudaStreamCreate(&stream));
        const bool good = call_on_gpu(stream);
        succeed(cudaStreamDestroy(stream));
        return good;
    }
#endif
    return true;
}

}  // namespace callables

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    const bool good = callables::check();
    std::printf("%s: %s\n", anywhere::way_to_run(), good ? "right" : "WRONG");
    return good ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "callable: %s\n", problem.what());
    return 1;
}
