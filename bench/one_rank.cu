// SPDX-License-Identifier: Apache-2.0

// One rank of the distributed solver against the same solver without ranks: with a loop that the host drives, and with
// a loop on the device.

#define COGRAPH_WITH_NCCL
#include "../examples/distributed_poisson/planes.hpp"
#include "bench.cuh"

#include <nccl.h>

#include <string>
#include <utility>

namespace {

using namespace cograph;
using namespace distributed;

constexpr auto by_host() {
    return seq(begin(sum_of_one_rank{}), loop_while(rz > tolerance, host_driven(iteration(multiply_alone(), sum_of_one_rank{})), at_most(10000), check_every<8>));
}

void measure(const bench::gpu& g, int width) {
    const auto n = static_cast<std::size_t>(width) * static_cast<std::size_t>(width), plane = static_cast<std::size_t>(width);
    bench::device_array<double> dx(n), db(n), dd(n), none(plane), none_either(plane);
    bench::device_array<int> count(1);
    std::vector<double> right(n), center(n);
    for (std::size_t i = 0; i < n; ++i) {
        right[i] = 1 + static_cast<double>(i % 7);
        center[i] = 4 + 0.02 * static_cast<double>(1 + i % 5);
    }
    bench::check(cudaMemcpy(db.data, right.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    bench::check(cudaMemcpy(dd.data, center.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    const auto made = [&](auto e, auto... more) {
        return instantiate(e, x(dx.data, n), b(db.data, n), diagonal(dd.data, n), side(width), tolerance(1e-16), distributed::iterations(count.data), more...);
    };
    auto rank = made(solve(multiply_planes()), world(nccl::communicator{}), first_plane(plane), below(none.data, plane), above(none_either.data, plane), lower(-1), upper(1));
    auto alone = made(by_host(), plane_size(width));
    auto device = made(solve_alone(multiply_alone()), plane_size(width));
    const auto timed = [&](auto& exec) {
        g.wait();
        const double begin = bench::now();
        exec.launch(g.stream);
        g.wait();
        return (bench::now() - begin) / count.first();
    };
    timed(rank);
    const int iterations = count.first();
    timed(alone);
    bench::expect(count.first() == iterations, "iterations");
    timed(device);
    bench::expect(count.first() == iterations, "iterations of the loop on the device");
    const std::string size = std::to_string(width) + "^2, " + std::to_string(iterations) + " iterations (us each)";
    bench::row(("one rank against a loop of the host, " + size).c_str(), bench::compare(10, [&] { return timed(alone); }, [&] { return timed(rank); }), 1.05);
    bench::row(("one rank against a loop on the device, " + size).c_str(), bench::compare(10, [&] { return timed(device); }, [&] { return timed(rank); }));
}

}  // namespace

int main() {
    const bench::gpu g;
    for (int width : {256, 1024, 4096}) measure(g, width);
}
