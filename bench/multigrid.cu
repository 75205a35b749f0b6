// SPDX-License-Identifier: Apache-2.0
// Multigrid of examples/multigrid: microseconds a V cycle, by a host loop by hand that copies the residual back after each cycle, as a
// graph node by node, and as one kernel.
// bench_multigrid [points on a side]
#include "lowering.cuh"

#include "../examples/multigrid/cycle.hpp"

namespace {

using namespace cograph;
namespace mg = multigrid;
using mg::levels;

constexpr int threads = 256;

template <class F, class... P>
__global__ void __launch_bounds__(threads) element(index_t count, F f, P... p) {
    const index_t i = index_t{blockIdx.x} * threads + threadIdx.x;
    if (i < count) f(i, p...);
}
__global__ void __launch_bounds__(threads) smooth(index_t count, const double* from, const double* f, double* to, int k, double* partials, unsigned* ticket,
                                                  double* result) {
    double sum = 0;
    for (index_t i = index_t{blockIdx.x} * threads + threadIdx.x; i < count; i += index_t{gridDim.x} * threads) sum += mg::smooth{}(i, from, f[i], to[i], k);
    lowering::reduce_grid(sum, partials, ticket, [](double a, double b) { return a + b; }, [=](double all) { *result = all; });
}
struct smooth_by_hand {
    __device__ void operator()(index_t i, const double* from, const double* f, double* to, int k) const { mg::smooth{}(i, from, f[i], to[i], k); }
};
struct restrict_by_hand {
    __device__ void operator()(index_t i, const double* fine, const double* fine_f, double* f, double* u, int k) const {
        mg::restrict_residual{}(i, fine, fine_f, f[i], u[i], k);
    }
};
struct correct_by_hand {
    __device__ void operator()(index_t i, const double* from, const double* coarse, const double* f, double* to, int k) const {
        mg::correct_and_smooth{}(i, from, coarse, f[i], to[i], k);
    }
};

struct scale_by_hand {
    __device__ void operator()(index_t i, const double* f, double* scaled, int k) const { mg::scale{}(i, f[i], scaled[i], k); }
};

class host_loop {
public:
    host_loop(const bench::gpu& g, double* solution, const double* right_side, int k) : g_(g), k_(k), n_(1 << k), right_side_(right_side), partials_(4096), ticket_(1), result_(1) {
        for (int level = 0; level < levels; ++level) {
            const std::size_t count = points(level);
            f_.push_back(make(count));
            u_.push_back(make(count));
            v_.push_back(level == 0 ? solution : make(count));
        }
        bench::check(cudaMallocHost(&rr_, sizeof(double)));
    }
    ~host_loop() {
        for (double* memory : owned_) cudaFree(memory);
        cudaFreeHost(rr_);
    }
    host_loop(const host_loop&) = delete;

    int solve(double goal, int most) {
        int cycles = 0;
        each(0, scale_by_hand{}, right_side_, f_[0], k_);
        do {
            cycle();
            ++cycles;
            bench::check(cudaMemcpyAsync(rr_, result_.data, sizeof(double), cudaMemcpyDeviceToHost, g_.stream));
            g_.wait();
        } while (!(*rr_ <= goal) && cycles < most);
        return cycles;
    }

private:
    std::size_t points(int level) const { return static_cast<std::size_t>(n_ >> level) * static_cast<std::size_t>(n_ >> level); }
    double* make(std::size_t count) {
        double* memory;
        bench::check(cudaMalloc(&memory, count * sizeof(double)));
        owned_.push_back(memory);
        return memory;
    }
    template <class F, class... P>
    void each(int level, F f, P... p) {
        const index_t count = static_cast<index_t>(points(level));
        element<<<static_cast<unsigned>((count + threads - 1) / threads), threads, 0, g_.stream>>>(count, f, p...);
    }
    void cycle() {
        const index_t count = static_cast<index_t>(points(0));
        const index_t blocks = std::min<index_t>(8 * 132, (count + threads - 1) / threads);
        smooth<<<static_cast<unsigned>(blocks), threads, 0, g_.stream>>>(count, v_[0], f_[0], u_[0], k_, partials_.data, ticket_.data, result_.data);
        for (int level = 1; level < levels; ++level)
            each(level, restrict_by_hand{}, static_cast<const double*>(u_[level - 1]), static_cast<const double*>(f_[level - 1]), f_[level], u_[level], k_ - level);
        const int last = levels - 1;
        for (int pair = 0; pair < n_ >> last; ++pair) {
            each(last, smooth_by_hand{}, static_cast<const double*>(u_[last]), static_cast<const double*>(f_[last]), v_[last], k_ - last);
            each(last, smooth_by_hand{}, static_cast<const double*>(v_[last]), static_cast<const double*>(f_[last]), u_[last], k_ - last);
        }
        for (int level = last - 1; level >= 0; --level)
            each(level, correct_by_hand{}, static_cast<const double*>(u_[level]), static_cast<const double*>(level + 1 == last ? u_[last] : v_[level + 1]),
                 static_cast<const double*>(f_[level]), v_[level], k_ - level);
        bench::check(cudaGetLastError());
    }

    const bench::gpu& g_;
    int k_, n_;
    const double* right_side_;
    bench::device_array<double> partials_;
    bench::device_array<unsigned> ticket_;
    bench::device_array<double> result_;
    std::vector<double*> f_, u_, v_, owned_;
    double* rr_;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::gpu g;
    const int n = argc > 1 ? std::atoi(argv[1]) : 1024, cycles = 12;
    const std::size_t points = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    bench::device_array<double> u(points), f(points);
    std::vector<double> host(points);
    for (std::size_t i = 0; i < points; ++i) host[i] = std::sin(0.001 * static_cast<double>(i % 1000));
    bench::check(cudaMemcpy(f.data, host.data(), points * sizeof(double), cudaMemcpyHostToDevice));

    const int k = static_cast<int>(std::lround(std::log2(n)));
    host_loop by_hand(g, u.data, f.data, k);
    const auto bound = [&](auto const& e) {
        return instantiate(e, mg::solution(u.data, points), mg::right_side(f.data, points), mg::log_size(k), mg::coarse_pairs(n / 128), mg::tolerance(0.0), mg::most(cycles));
    };
    auto nodes = bound(as_nodes(mg::solver));
    auto lowered = bound(mg::solver);
    const auto from_zero = [&](auto run) {
        u.zero();
        const double time = lowering::duration(g, run) / cycles;
        std::vector<double> got(points);
        bench::check(cudaMemcpy(got.data(), u.data, points * sizeof(double), cudaMemcpyDeviceToHost));
        return std::pair(time, got[points / 2 + static_cast<std::size_t>(n) / 2]);
    };
    const double expected = from_zero([&] { by_hand.solve(0, cycles); }).second;
    const auto cost = [&](auto run) {
        const auto [time, middle] = from_zero(run);
        bench::expect(std::abs(middle - expected) <= 1e-12 * std::abs(expected), "multigrid");
        return time;
    };
    const auto found = lowering::medians(
        15, [&] { return cost([&] { by_hand.solve(0, cycles); }); }, [&] { return cost([&] { nodes.launch(g.stream); }); },
        [&] { return cost([&] { lowered.launch(g.stream); }); });
    lowering::title();
    lowering::row("multigrid V(1,1), " + std::to_string(n) + "^2, 8 levels, a cycle; by hand: host loop", {found[0], found[1], found[2]}, 70);
}
