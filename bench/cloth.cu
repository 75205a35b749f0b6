// SPDX-License-Identifier: Apache-2.0
// The cloth of examples/cloth: microseconds an iteration of conjugate gradients, all else included, by a host loop by hand that copies a
// number back for each test, as a graph node by node, and as one kernel.
// bench_cloth [particles on a side]
#include "lowering.cuh"

#include "../examples/cloth/cloth.hpp"

namespace {

using namespace cograph;
using cloth::sheet;
using cloth::vec3;

constexpr int threads = 256;

template <class F>
__global__ void __launch_bounds__(threads) element(index_t count, F f) {
    const index_t i = index_t{blockIdx.x} * threads + threadIdx.x;
    if (i < count) f(i);
}
struct arrays {
    vec3 *x, *velocity, *before, *free_at, *r, *p, *Ap, *Ar, *dx;
    double* inverse;
};
struct scalars {
    double gg, rr, alpha, beta;
};
struct sums {
    double rr, rAr;
    __device__ friend sums operator+(sums a, sums b) { return {a.rr + b.rr, a.rAr + b.rAr}; }
};

// As many threads for a particle as in the example.
constexpr int together = 4;
using particle_threads = thread_group<together>;

// The sums over all particles, whose last block goes on with them.
template <class F>
__global__ void __launch_bounds__(threads) sum(index_t count, F f, sums* partials, unsigned* ticket, scalars* to) {
    const particle_threads group;
    sums value{};
    for (index_t lane = index_t{blockIdx.x} * threads + threadIdx.x; lane < count * together; lane += index_t{gridDim.x} * threads) {
        const sums term = f(group, lane / together);
        if (group.rank() == 0) value = value + term;
    }
    lowering::reduce_grid(value, partials, ticket, [](sums a, sums b) { return a + b; }, [=](sums all) { f.finish(all, *to); });
}

// The functions of the example with their arguments, for kernels by hand.
struct predict {
    arrays a;
    sheet s;
    __device__ void operator()(index_t i) const { cloth::predict{}(i, a.x[i], a.before[i], a.free_at[i], a.velocity[i], s); }
};
struct begin_newton {
    arrays a;
    sheet s;
    __device__ sums operator()(particle_threads const& group, index_t i) const {
        return {cloth::begin_newton{}(group, i, a.x, a.free_at[i], a.r[i], a.p[i], a.Ap[i], a.dx[i], a.inverse, s), 0};
    }
    __device__ void finish(sums all, scalars& to) const { to.gg = all.rr; }
};
struct first_product {
    arrays a;
    sheet s;
    __device__ sums operator()(particle_threads const& group, index_t i) const {
        const cloth::products found = cloth::multiply{}(group, i, a.x, a.r, a.inverse, a.Ar[i], s);
        return {found.rr, found.rAr};
    }
    __device__ void finish(sums all, scalars& to) const { to = {to.gg, to.gg, to.gg / all.rAr, 0}; }
};
struct product {
    arrays a;
    sheet s;
    __device__ sums operator()(particle_threads const& group, index_t i) const {
        const cloth::products found = cloth::multiply{}(group, i, a.x, a.r, a.inverse, a.Ar[i], s);
        return {found.rr, found.rAr};
    }
    __device__ void finish(sums all, scalars& to) const {
        to.beta = all.rr / to.rr;
        to.alpha = all.rr / (all.rAr - to.beta * all.rr / to.alpha);
        to.rr = all.rr;
    }
};
struct descend {
    arrays a;
    const scalars* with;
    __device__ void operator()(index_t i) const { cloth::descend{}(i, a.Ar[i], a.r[i], a.p[i], a.Ap[i], a.dx[i], with->alpha, with->beta); }
};
struct correct {
    arrays a;
    __device__ void operator()(index_t i) const { cloth::correct{}(i, a.dx[i], a.x[i]); }
};
struct set_velocity {
    arrays a;
    sheet s;
    __device__ void operator()(index_t i) const { cloth::set_velocity{}(i, a.x[i], a.before[i], a.velocity[i], s); }
};

class host_loop {
public:
    host_loop(const bench::gpu& g, vec3* x, vec3* velocity, sheet s) : g_(g), s_(s), count_(index_t{s.n} * s.n), partials_(4096), ticket_(1), numbers_(1) {
        vec3** const all[] = {&a_.before, &a_.free_at, &a_.r, &a_.p, &a_.Ap, &a_.Ar, &a_.dx};
        for (vec3** one : all) {
            bench::check(cudaMalloc(one, static_cast<std::size_t>(count_) * sizeof(vec3)));
            owned_.push_back(*one);
        }
        bench::check(cudaMalloc(&a_.inverse, static_cast<std::size_t>(count_) * sheet::most_springs * sizeof(double)));
        a_.x = x;
        a_.velocity = velocity;
        bench::check(cudaMallocHost(&fetched_, sizeof(double)));
    }
    ~host_loop() {
        for (vec3* memory : owned_) cudaFree(memory);
        cudaFree(a_.inverse);
        cudaFreeHost(fetched_);
    }
    host_loop(const host_loop&) = delete;

    // Gives the iterations of conjugate gradients.
    int run(int steps, double accuracy) {
        int iterations = 0;
        for (int step = 0; step < steps; ++step) {
            each(predict{a_, s_});
            double gg = begin();
            const double first = gg;
            for (int newton = 0; gg > accuracy * accuracy * first && newton < 30; ++newton) {
                reduce(first_product{a_, s_});
                double rr = gg;
                for (int it = 0; rr > 1e-4 * gg && it < 1000; ++it) {
                    each(descend{a_, numbers_.data});
                    reduce(product{a_, s_});
                    rr = fetch(&scalars::rr);
                    ++iterations;
                }
                each(correct{a_});
                gg = begin();
            }
            each(set_velocity{a_, s_});
        }
        bench::check(cudaGetLastError());
        return iterations;
    }

private:
    double begin() {
        reduce(begin_newton{a_, s_});
        return fetch(&scalars::gg);
    }
    template <class F>
    void each(F f) {
        element<<<static_cast<unsigned>((count_ + threads - 1) / threads), threads, 0, g_.stream>>>(count_, f);
    }
    template <class F>
    void reduce(F f) {
        const index_t blocks = std::min<index_t>(8 * 132, (count_ * together + threads - 1) / threads);
        sum<<<static_cast<unsigned>(blocks), threads, 0, g_.stream>>>(count_, f, partials_.data, ticket_.data, numbers_.data);
    }
    double fetch(double scalars::* which) {
        bench::check(cudaMemcpyAsync(fetched_, &(numbers_.data->*which), sizeof(double), cudaMemcpyDeviceToHost, g_.stream));
        g_.wait();
        return *fetched_;
    }

    const bench::gpu& g_;
    sheet s_;
    index_t count_;
    bench::device_array<sums> partials_;
    bench::device_array<unsigned> ticket_;
    bench::device_array<scalars> numbers_;
    arrays a_;
    std::vector<vec3*> owned_;
    double* fetched_;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::gpu g;
    const int n = argc > 1 ? std::atoi(argv[1]) : 64, steps = 10;
    const std::size_t particles = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    const sheet s{n, 1.0 / 60, 10.0 * n * n * n};
    bench::device_array<vec3> x(particles), velocity(particles);
    std::vector<vec3> flat(particles), got(particles);
    for (std::size_t i = 0; i < particles; ++i)
        flat[i] = {static_cast<double>(static_cast<int>(i) % n) / (n - 1), static_cast<double>(static_cast<int>(i) / n) / (n - 1), 0};

    host_loop by_hand(g, x.data, velocity.data, s);
    const auto bound = [&](auto const& e) {
        return instantiate(e, cloth::x(x.data, particles), cloth::velocity(velocity.data, particles), cloth::the_sheet(s), cloth::steps(steps), cloth::accuracy(1e-3));
    };
    auto nodes = bound(as_nodes(cloth::program));
    auto lowered = bound(cloth::program);
    const auto time = [&](auto run) {
        bench::check(cudaMemcpy(x.data, flat.data(), particles * sizeof(vec3), cudaMemcpyHostToDevice));
        velocity.zero();
        const double taken = lowering::duration(g, run);
        bench::check(cudaMemcpy(got.data(), x.data, particles * sizeof(vec3), cudaMemcpyDeviceToHost));
        return taken;
    };
    int iterations = 0;
    time([&] { iterations = by_hand.run(steps, 1e-3); });
    const double lowest = got[particles / 2].z;
    const auto cost = [&](auto run, auto count) {
        const double taken = time(run);
        bench::expect(std::abs(got[particles / 2].z - lowest) < 1e-4, "cloth");
        return taken / static_cast<double>(count());
    };
    const auto found = lowering::medians(
        9, [&] { return cost([&] { iterations = by_hand.run(steps, 1e-3); }, [&] { return iterations; }); },
        [&] { return cost([&] { nodes.launch(g.stream); }, [&] { return nodes.iterations("cg"); }); },
        [&] { return cost([&] { lowered.launch(g.stream); }, [&] { return lowered.iterations("cg"); }); });
    lowering::title();
    lowering::row("cloth, " + std::to_string(n) + "^2 particles, an iteration of CG, all included; by hand: host loop", {found[0], found[1], found[2]}, 6);
    std::printf("%d iterations by hand, %lld as one kernel\n", iterations, static_cast<long long>(lowered.iterations("cg")));
}
