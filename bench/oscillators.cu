// SPDX-License-Identifier: Apache-2.0
// A chain of coupled pendulums by the method of Dormand and Prince with steps that adapt: microseconds a step, by a host loop by hand that copies
// the error back after each step, as a graph node by node, and as one kernel. One number says how long the step of all is.
// bench_oscillators [pendulums]
#include "lowering.cuh"

namespace {

using namespace cograph;

inline constexpr struct angle : buffer<angle, double> {
} angle;
inline constexpr struct speed : buffer<speed, double> {
} speed;
inline constexpr struct even : temp<even, double, struct angle> {
} even;  // where neighbours see the angles of a stage
inline constexpr struct odd : temp<odd, double, struct angle> {
} odd;
template <int Stage>
struct force_of : temp<force_of<Stage>, double, struct angle> {};
template <int Stage>
inline constexpr auto force = force_of<Stage>{};
inline constexpr struct first : buffer<first, double> {
} first;  // the force of the first stage, which is that of the last one of the step before
inline constexpr struct error_of_step : scalar<error_of_step, double> {
} error_of_step;
inline constexpr struct step_size : scalar<step_size, double> {
} step_size;
inline constexpr struct steps : scalar<steps, int> {
} steps;
inline constexpr struct most_steps : value<most_steps, int> {
} most_steps;

// The tableau: a row for each stage, then the differences of the two results.
COGRAPH_HD constexpr double weight(int stage, int of) {
    constexpr double all[8][7] = {{},
                                  {1.0 / 5},
                                  {3.0 / 40, 9.0 / 40},
                                  {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                  {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                  {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                  {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
                                  {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};
    return all[stage][of];
}
// The weighted sums of forces and of speeds, of which each stage has its own, for forces of Count stages.
template <int Row, int Count>
COGRAPH_HD void weigh(const double (&forces)[Count], double speed, double h, double& of_forces, double& of_speeds) {
    of_forces = of_speeds = 0;
    for (int j = 0; j < Count; ++j) {
        double own = speed;
        for (int l = 0; l < j; ++l) own += h * weight(j, l) * forces[l];
        of_speeds += weight(Row, j) * own;
        of_forces += weight(Row, j) * forces[j];
    }
}
COGRAPH_HD inline double force_at(const double* at, index_t i, index_t n) {
    const double own = at[i];
    return -sin(own) + 4 * ((at[i == 0 ? n - 1 : i - 1] - own) + (at[i + 1 == n ? 0 : i + 1] - own));
}
template <int Stage>
struct stage {
    template <class... F>
    COGRAPH_HD void operator()(index_t i, const double* at, double angle, double speed, double h, index_t n, double& force, double& next, F... earlier) const {
        force = force_at(at, i, n);
        const double forces[] = {earlier..., force};
        double sum, speeds;
        weigh<Stage>(forces, speed, h, sum, speeds);
        next = angle + h * speeds;
    }
};
struct begin {
    COGRAPH_HD void operator()(index_t, double angle, double speed, double h, double, double& next) const { next = angle + h * weight(1, 0) * speed; }
};
constexpr double tolerance = 1e-9;
struct last_stage {
    COGRAPH_HD double operator()(index_t i, const double* at, double speed, double h, index_t n, double& force, double f1, double f2, double f3, double f4, double f5, double f6) const {
        force = force_at(at, i, n);
        const double forces[] = {f1, f2, f3, f4, f5, f6, force};
        double sum, speeds;
        weigh<7>(forces, speed, h, sum, speeds);
        return h * (fabs(sum) > fabs(speeds) ? fabs(sum) : fabs(speeds)) / tolerance;
    }
};
struct accept {
    COGRAPH_HD void operator()(index_t, double h, double next, double last, double& angle, double& speed, double& first, double f2, double f3, double f4, double f5, double f6) const {
        const double forces[] = {first, f2, f3, f4, f5, f6};
        double sum, speeds;
        weigh<6>(forces, speed, h, sum, speeds);
        angle = next;
        speed += h * sum;
        first = last;
    }
};
struct adapt {
    COGRAPH_HD void operator()(const double& error, double& h, int& done) const {
        const double factor = 0.9 * pow(error > 1e-10 ? error : 1e-10, -0.2);
        h *= factor < 0.2 ? 0.2 : factor > 5 ? 5 : factor;
        ++done;
    }
};

template <int Stage, class From, class To, class... F>
constexpr auto run_stage(From from, To to, F... earlier) {
    return for_each(over(angle), stage<Stage>{})(in(from), in(angle[each]), in(speed[each]), step_size, extent(angle), out(force<Stage>[each]), out(to[each]), in(earlier[each])...);
}
constexpr auto one_step =
    seq(for_each(over(angle), begin{})(in(angle[each]), in(speed[each]), step_size, in(first[each]), out(even[each])), run_stage<2>(even, odd, first),
        run_stage<3>(odd, even, first, force<2>), run_stage<4>(even, odd, first, force<2>, force<3>), run_stage<5>(odd, even, first, force<2>, force<3>, force<4>),
        run_stage<6>(even, odd, first, force<2>, force<3>, force<4>, force<5>),
        transform_reduce(over(angle), last_stage{}, maximum{})(out(error_of_step), in(odd), in(speed[each]), step_size, extent(angle), out(force<7>[each]), in(first[each]),
                                                               in(force<2>[each]), in(force<3>[each]), in(force<4>[each]), in(force<5>[each]), in(force<6>[each])),
        when(error_of_step <= 1.0, for_each(over(angle), accept{})(step_size, in(odd[each]), in(force<7>[each]), inout(angle[each]), inout(speed[each]), inout(first[each]),
                                                                   in(force<2>[each]), in(force<3>[each]), in(force<4>[each]), in(force<5>[each]), in(force<6>[each]))),
        single_task(adapt{})(in(error_of_step), inout(step_size), inout(steps)));
constexpr auto swing = loop_while(steps < most_steps, one_step);
static_assert(is_persistent(swing, calls<last_stage>));

constexpr int threads = 128;
template <class F, class... P>
__global__ void __launch_bounds__(threads) element(index_t n, F f, P... p) {
    const index_t i = index_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) f(i, p...);
}
template <int Stage>
struct stage_by_hand {
    template <class... F>
    __device__ void operator()(index_t i, const double* at, const double* angle, const double* speed, double h, index_t n, double* force, double* next, F... earlier) const {
        stage<Stage>{}(i, at, angle[i], speed[i], h, n, force[i], next[i], earlier[i]...);
    }
};
struct begin_by_hand {
    __device__ void operator()(index_t i, const double* angle, const double* speed, double h, double* next) const { begin{}(i, angle[i], speed[i], h, 0, next[i]); }
};
struct accept_by_hand {
    __device__ void operator()(index_t i, double h, const double* next, const double* last, double* angle, double* speed, double* first, const double* f2, const double* f3,
                               const double* f4, const double* f5, const double* f6) const {
        accept{}(i, h, next[i], last[i], angle[i], speed[i], first[i], f2[i], f3[i], f4[i], f5[i], f6[i]);
    }
};
__global__ void __launch_bounds__(threads) last_by_hand(index_t n, const double* at, const double* speed, double h, double* force, const double* f1, const double* f2, const double* f3,
                                                        const double* f4, const double* f5, const double* f6, double* partials, unsigned* ticket, double* result) {
    double most = 0;
    for (index_t i = index_t{blockIdx.x} * threads + threadIdx.x; i < n; i += index_t{gridDim.x} * threads)
        most = fmax(most, last_stage{}(i, at, speed[i], h, n, force[i], f1[i], f2[i], f3[i], f4[i], f5[i], f6[i]));
    lowering::reduce_grid(most, partials, ticket, [](double a, double b) { return fmax(a, b); }, [=](double all) { *result = all; });
}

class host_loop {
public:
    host_loop(const bench::gpu& on, std::size_t count, double* of_angle, double* of_speed, double* of_first)
        : g(on), n(static_cast<index_t>(count)), a(of_angle), v(of_speed), e(count), o(count), partials(4096), ticket(1), result(1) {
        f[1] = of_first;
        for (int k = 2; k < 8; ++k) bench::check(cudaMalloc(&f[k], count * sizeof(double)));
        bench::check(cudaMallocHost(&found, sizeof(double)));
    }
    ~host_loop() {
        for (int k = 2; k < 8; ++k) cudaFree(f[k]);
        cudaFreeHost(found);
    }
    host_loop(const host_loop&) = delete;
    void run(double h, int most) {
        for (int done = 0; done < most;) {
            run(begin_by_hand{}, a, v, h, e.data);
            run(stage_by_hand<2>{}, e.data, a, v, h, n, f[2], o.data, f[1]);
            run(stage_by_hand<3>{}, o.data, a, v, h, n, f[3], e.data, f[1], f[2]);
            run(stage_by_hand<4>{}, e.data, a, v, h, n, f[4], o.data, f[1], f[2], f[3]);
            run(stage_by_hand<5>{}, o.data, a, v, h, n, f[5], e.data, f[1], f[2], f[3], f[4]);
            run(stage_by_hand<6>{}, e.data, a, v, h, n, f[6], o.data, f[1], f[2], f[3], f[4], f[5]);
            last_by_hand<<<blocks(), threads, 0, g.stream>>>(n, o.data, v, h, f[7], f[1], f[2], f[3], f[4], f[5], f[6], partials.data, ticket.data, result.data);
            bench::check(cudaMemcpyAsync(found, result.data, sizeof(double), cudaMemcpyDeviceToHost, g.stream));
            g.wait();
            if (*found <= 1) run(accept_by_hand{}, h, o.data, f[7], a, v, f[1], f[2], f[3], f[4], f[5], f[6]);
            adapt{}(*found, h, done);
        }
        bench::check(cudaGetLastError());
    }

private:
    unsigned blocks() const { return static_cast<unsigned>((n + threads - 1) / threads); }
    template <class F, class... P>
    void run(F what, P... p) {
        element<<<blocks(), threads, 0, g.stream>>>(n, what, p...);
    }
    const bench::gpu& g;
    index_t n;
    double *a, *v, *f[8]{}, *found;
    bench::device_array<double> e, o, partials;
    bench::device_array<unsigned> ticket;
    bench::device_array<double> result;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::gpu g;
    const std::size_t n = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 4096;
    constexpr int many = 500;
    constexpr double first_step = 1e-3;
    bench::device_array<double> angles(n), speeds(n), firsts(n), size(1);
    bench::device_array<int> done(1);
    std::vector<double> start(n), forces(n), expected, found(n);
    for (std::size_t i = 0; i < n; ++i) start[i] = std::sin(0.01 * static_cast<double>(i)) + (i % 7 == 0 ? 0.5 : 0);
    for (std::size_t i = 0; i < n; ++i) forces[i] = force_at(start.data(), static_cast<index_t>(i), static_cast<index_t>(n));
    host_loop by_hand(g, n, angles.data, speeds.data, firsts.data);
    const auto bound = [&](auto const& e) { return instantiate(e, angle(angles.data, n), speed(speeds.data, n), first(firsts.data, n), step_size(size.data), steps(done.data), most_steps(many)); };
    auto nodes = bound(as_nodes(swing));
    auto lowered = bound(swing);
    const auto cost = [&](auto run) {
        bench::check(cudaMemcpy(angles.data, start.data(), n * sizeof(double), cudaMemcpyHostToDevice));
        bench::check(cudaMemcpy(firsts.data, forces.data(), n * sizeof(double), cudaMemcpyHostToDevice));
        bench::check(cudaMemcpy(size.data, &first_step, sizeof(double), cudaMemcpyHostToDevice));
        speeds.zero();
        done.zero();
        const double time = lowering::duration(g, run) / many;
        bench::check(cudaMemcpy(found.data(), angles.data, n * sizeof(double), cudaMemcpyDeviceToHost));
        if (expected.empty()) expected = found;
        for (std::size_t i = 0; i < n; ++i) bench::expect(std::abs(found[i] - expected[i]) < 1e-5, "the angles");
        return time;
    };
    const auto all = lowering::medians(
        7, [&] { return cost([&] { by_hand.run(first_step, many); }); }, [&] { return cost([&] { nodes.launch(g.stream); }); }, [&] { return cost([&] { lowered.launch(g.stream); }); });
    lowering::title();
    lowering::row(std::to_string(n) + " pendulums, a step of Dormand and Prince; by hand: host loop", {all[0], all[1], all[2]}, 12);
}
