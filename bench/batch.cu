// SPDX-License-Identifier: Apache-2.0
// Thousands of small problems, each with its own end: conjugate gradients and integrations, against kernels by hand that have a loop for each.
// An argument names a matrix in Matrix Market's format, of which many systems are solved.
#include "bench.cuh"

#include <cograph/batch.cuh>

#include <cstring>
#include <fstream>
#include <random>
#include <span>
#include <sstream>
#include <string>

using namespace cograph;
using bench::check;

namespace {

template <class T>
std::span<T> all(const bench::device_array<T>& memory) {
    return {memory.data, memory.count};
}
template <class T>
void write(const bench::device_array<T>& to, const std::vector<T>& from) {
    check(cudaMemcpy(to.data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
}
template <class T>
std::vector<T> read(const bench::device_array<T>& from) {
    std::vector<T> to(from.count);
    check(cudaMemcpy(to.data(), from.data, to.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

// The first problem alone and in a batch: the same bits.
void compare_with_alone(const std::vector<double>& alone, const std::vector<double>& in_batch, std::size_t n) {
    bench::expect(std::memcmp(alone.data(), in_batch.data(), n * sizeof(double)) == 0, "one in a batch is not what it is alone");
    std::printf("  alone and in a batch: the same bits\n");
}

// ------------------------------------------------------------------ conjugate gradients, 64 unknowns
constexpr int unknowns = 64, systems = 10'000, most_passes = 2'000;
constexpr double least = 1e-20;  // of the square of the residual

// Symmetric, with eigenvalues from 1 down to one in 3 to 1000.
struct dense_systems {
    std::vector<double> A, b;
    dense_systems() : A(std::size_t{systems} * unknowns * unknowns), b(std::size_t{systems} * unknowns) {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> unit;
        constexpr int n = unknowns;
        for (int q = 0; q < systems; ++q) {
            double* const a = A.data() + std::size_t(q) * n * n;
            double* const f = b.data() + std::size_t(q) * n;
            const double spread = std::log(10.0) * (0.5 + 2.5 * unit(random));
            for (int i = 0; i < n; ++i) a[i * n + i] = std::exp(-spread * (i == 0 ? 0 : i == 1 ? 1 : unit(random)));
            for (int k = 0; k < 3; ++k) {  // reflected: A - 2 u w' - 2 w u'
                double u[n], w[n], norm = 0, uw = 0;
                for (double& one : u) one = unit(random) - 0.5, norm += one * one;
                for (double& one : u) one /= std::sqrt(norm);
                for (int i = 0; i < n; ++i) {
                    w[i] = 0;
                    for (int j = 0; j < n; ++j) w[i] += a[i * n + j] * u[j];
                    uw += u[i] * w[i];
                }
                for (int i = 0; i < n; ++i) w[i] -= uw * u[i];
                for (int i = 0; i < n; ++i)
                    for (int j = 0; j < n; ++j) a[i * n + j] -= 2 * (u[i] * w[j] + w[i] * u[j]);
            }
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
            double norm = 0;
            for (int i = 0; i < n; ++i) f[i] = unit(random) - 0.5, norm += f[i] * f[i];
            for (int i = 0; i < n; ++i) f[i] /= std::sqrt(norm);
        }
    }
    double worst_residual(const std::vector<double>& x) const {
        double worst = 0;
        for (int q = 0; q < systems; ++q) {
            const double* const a = A.data() + std::size_t(q) * unknowns * unknowns;
            double sum = 0;
            for (int i = 0; i < unknowns; ++i) {
                double r = b[std::size_t(q) * unknowns + i];
                for (int j = 0; j < unknowns; ++j) r -= a[j * unknowns + i] * x[std::size_t(q) * unknowns + j];
                sum += r * r;
            }
            worst = std::fmax(worst, std::sqrt(sum));
        }
        return worst;
    }
};

__device__ double sum_of_block(double v, double* of_warps) {
    for (int offset = 16; offset; offset /= 2) v += __shfl_xor_sync(~0u, v, offset);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = v;
    __syncthreads();
    return of_warps[0] + of_warps[1];
}
__device__ double row_times(const double* row, const double* p) {
    double y[4]{};
#pragma unroll
    for (int j = 0; j < unknowns; j += 4) {
        const double2 u = reinterpret_cast<const double2*>(p)[j / 2], v = reinterpret_cast<const double2*>(p)[j / 2 + 1];
        y[0] += row[j] * u.x;
        y[1] += row[j + 1] * u.y;
        y[2] += row[j + 2] * v.x;
        y[3] += row[j + 3] * v.y;
    }
    return (y[0] + y[1]) + (y[2] + y[3]);
}
// A block for each problem: a thread holds a row in its registers.
__global__ void __launch_bounds__(unknowns, 6) solve_by_hand(const double* matrices, const double* b, double* to, int* passes) {
    __shared__ alignas(16) double shared_p[unknowns];
    __shared__ double sums[2][2];
    const int i = static_cast<int>(threadIdx.x);
    const double* const A = matrices + std::size_t(blockIdx.x) * unknowns * unknowns;
    const std::size_t at = std::size_t(blockIdx.x) * unknowns + i;
    double row[unknowns];
#pragma unroll
    for (int j = 0; j < unknowns; ++j) row[j] = __ldg(A + j * unknowns + i);
    double x = 0, r = __ldg(b + at), p = r;
    double rr = sum_of_block(r * r, sums[0]);
    int k = 0;
    for (; rr > least && k < most_passes; ++k) {
        shared_p[i] = p;
        __syncthreads();
        const double Ap = row_times(row, shared_p);
        const double alpha = rr / sum_of_block(p * Ap, sums[1]);
        x += alpha * p;
        r -= alpha * Ap;
        const double next = sum_of_block(r * r, sums[0]);
        p = r + next / rr * p;
        rr = next;
    }
    to[at] = x;
    if (i == 0) passes[blockIdx.x] = k;
}

namespace dense {
struct row {
    double a[unknowns];
};
inline constexpr struct A : buffer<A, double> {} A;
inline constexpr struct b : buffer<b, double> {} b;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct r : temp<r, double, struct x> {} r;
inline constexpr struct p : temp<p, double, struct x> {} p;
inline constexpr struct Ap : temp<Ap, double, struct x> {} Ap;
inline constexpr struct own : temp<own, row, struct x> {} own;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct before : scalar<before, double> {} before;
inline constexpr struct pAp : scalar<pAp, double> {} pAp;
inline constexpr struct passes : scalar<passes, int> {} passes;

struct start {
    __host__ __device__ void operator()(index_t i, const double* matrix, double f, double& x0, double& r0, double& p0, row& to) const {
        for (int j = 0; j < unknowns; ++j) to.a[j] = matrix[j * unknowns + i];
        x0 = 0;
        r0 = p0 = f;
    }
};
struct times {
    __host__ __device__ void operator()(index_t, const row& from, const double* v, double& to) const {
#ifdef __CUDA_ARCH__
        to = row_times(from.a, v);
#else
        to = 0;
        for (int j = 0; j < unknowns; ++j) to += from.a[j] * v[j];
#endif
    }
};
struct step {
    __host__ __device__ void operator()(index_t, double& u, double& v, double along, double changed, double square, double product) const {
        const double alpha = square / product;
        u += alpha * along;
        v -= alpha * changed;
    }
};
struct turn {
    __host__ __device__ void operator()(index_t, double& along, double v, double now, double was) const { along = v + now / was * along; }
};
constexpr auto cg = seq(for_each(over(x), start{})(in(A), in(b[each]), out(x[each]), out(r[each]), out(p[each]), out(own[each])), assign(passes, 0), dot(out(rr), in(r), in(r)),
                        loop_while(rr > least,
                                   seq(for_each(over(x), times{})(in(own[each]), in(p), out(Ap[each])), dot(out(pAp), in(p), in(Ap)),
                                       for_each(over(x), step{})(inout(x[each]), inout(r[each]), in(p[each]), in(Ap[each]), in(rr), in(pAp)), assign(before, rr),
                                       dot(out(rr), in(r), in(r)), for_each(over(x), turn{})(inout(p[each]), in(r[each]), in(rr), in(before)), assign(passes, passes + 1)),
                                   at_most(most_passes)));
auto batch_of(int count) { return batch(over(count).group<unknowns>(), cg)(of_each(A), of_each(b), of_each(x), of_each(passes)); }
}  // namespace dense

void measure_dense(const bench::gpu& g) {
    using namespace dense;
    const dense_systems data;
    const bench::device_array<double> matrices(data.A.size()), right(data.b.size()), left(data.b.size());
    const bench::device_array<int> counts(systems);
    write(matrices, data.A);
    write(right, data.b);
    auto exec = instantiate(batch_of(systems), of_each(A)(all(matrices)), of_each(b)(all(right)), of_each(x)(all(left)), of_each(passes)(all(counts)));
    const auto hand = [&] { return bench::back_to_back(g, 3, [&] { solve_by_hand<<<systems, unknowns, 0, g.stream>>>(matrices.data, right.data, left.data, counts.data); }); };
    const auto library = [&] { return bench::back_to_back(g, 3, [&] { exec.launch(g.stream); }); };
    hand();
    bench::expect(data.worst_residual(read(left)) < 1.2e-10, "conjugate gradients by hand");
    check(cudaMemset(left.data, 0, left.count * sizeof(double)));
    library();
    bench::expect(data.worst_residual(read(left)) < 1.2e-10, "conjugate gradients");
    const std::vector<int> passes_of = read(counts);
    long sum = 0;
    for (const int one : passes_of) sum += one;
    bench::row("10 000 CG of 64 unknowns (us)", bench::compare(9, hand, library), 820.0 / 710);
    std::printf("  %.1f passes each\n", double(sum) / systems);

    auto one = instantiate(batch_of(1), of_each(A)(matrices.data, unknowns * unknowns), of_each(b)(right.data, unknowns), of_each(x)(left.data, unknowns), of_each(passes)(counts.data, 1));
    auto alone = instantiate(cg, A(matrices.data, unknowns * unknowns), b(right.data, unknowns), x(left.data, unknowns), passes(counts.data));
    alone.launch(g.stream);
    g.wait();
    const std::vector<double> expected = read(left);
    check(cudaMemset(left.data, 0, left.count * sizeof(double)));
    one.launch(g.stream);
    g.wait();
    compare_with_alone(expected, read(left), unknowns);
    bench::row("one of them: alone, in a batch (us)", bench::compare(15, [&] { return bench::back_to_back(g, 20, [&] { alone.launch(g.stream); }); },
                                                                       [&] { return bench::back_to_back(g, 20, [&] { one.launch(g.stream); }); }), 1.1);
}

// ------------------------------------------------------------------ integrations
constexpr int members = 10'000;
constexpr double end_of_time = 20, tolerance = 1e-8;

struct tableau {  // Dormand and Prince's
    double a[8][7] = {{}, {}, {1.0 / 5}, {3.0 / 40, 9.0 / 40}, {44.0 / 45, -56.0 / 15, 32.0 / 9}, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}, {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    double e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
};
__host__ __device__ inline void slope(double mu, double x, double y, double& kx, double& ky) { kx = y; ky = mu * (1 - x * x) * y - x; }
// Tries one step of van der Pol's oscillator.
__host__ __device__ inline void try_step(double mu, double& x, double& y, double& kx0, double& ky0, double& t, double& next, int& tried) {
    constexpr tableau c{};
    const double h = next < end_of_time - t ? next : end_of_time - t;
    double kx[7], ky[7], nx = 0, ny = 0, ex = 0, ey = 0;
    kx[0] = kx0;
    ky[0] = ky0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int s = 2; s <= 7; ++s) {
        double a = 0, b = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (int j = 0; j < s - 1; ++j)
            if (c.a[s][j] != 0) a += c.a[s][j] * kx[j], b += c.a[s][j] * ky[j];
        nx = x + h * a;
        ny = y + h * b;
        slope(mu, nx, ny, kx[s - 1], ky[s - 1]);
    }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < 7; ++j)
        if (c.e[j] != 0) ex += c.e[j] * kx[j], ey += c.e[j] * ky[j];
    ex = h * ex / (tolerance * (1 + fmax(fabs(x), fabs(nx))));
    ey = h * ey / (tolerance * (1 + fmax(fabs(y), fabs(ny))));
    const double error = ::sqrt((ex * ex + ey * ey) / 2);
    double factor = error > 0 ? 0.9 * pow(error, -0.2) : 5;
    factor = factor < 0.2 ? 0.2 : factor > 5 ? 5 : factor;
    if (error <= 1) {
        t = h < next ? end_of_time : t + h;
        x = nx;
        y = ny;
        kx0 = kx[6];
        ky0 = ky[6];
    } else if (factor > 1) {
        factor = 1;
    }
    next = h * factor;
    ++tried;
}
struct ensemble {
    const double *mu, *x0;
    double *x, *y;
    int* tried;
};
__global__ void integrate_by_hand(ensemble all) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= members) return;
    const double mu = all.mu[i];
    double x = all.x0[i], y = 0, kx, ky, t = 0, h = 0.01;
    int tried = 0;
    slope(mu, x, y, kx, ky);
    while (t < end_of_time) try_step(mu, x, y, kx, ky, t, h, tried);
    all.x[i] = x;
    all.y[i] = y;
    all.tried[i] = tried;
}

namespace oscillator {
inline constexpr struct mu : value<mu, double> {} mu;
inline constexpr struct x0 : value<x0, double> {} x0;
inline constexpr struct x : scalar<x, double> {} x;
inline constexpr struct y : scalar<y, double> {} y;
inline constexpr struct kx : scalar<kx, double> {} kx;
inline constexpr struct ky : scalar<ky, double> {} ky;
inline constexpr struct t : scalar<t, double> {} t;
inline constexpr struct h : scalar<h, double> {} h;
inline constexpr struct tried : scalar<tried, int> {} tried;

struct begin {
    __host__ __device__ void operator()(double with_mu, double from, double& to_x, double& to_y, double& to_kx, double& to_ky, double& to_t, double& to_h, int& count) const {
        to_x = from;
        to_y = to_t = 0;
        to_h = 0.01;
        count = 0;
        slope(with_mu, to_x, to_y, to_kx, to_ky);
    }
};
struct next {
    __host__ __device__ void operator()(double with_mu, double& to_x, double& to_y, double& to_kx, double& to_ky, double& to_t, double& to_h, int& count) const {
        try_step(with_mu, to_x, to_y, to_kx, to_ky, to_t, to_h, count);
    }
};
constexpr auto integrate = seq(single_task(begin{})(mu, x0, out(x), out(y), out(kx), out(ky), out(t), out(h), out(tried)),
                               loop_while(t < end_of_time, single_task(next{})(mu, inout(x), inout(y), inout(kx), inout(ky), inout(t), inout(h), inout(tried))));
constexpr auto ensemble_of = batch(over(members), integrate)(of_each(mu), of_each(x0), of_each(x), of_each(y), of_each(tried));
}  // namespace oscillator

void measure_integrations(const bench::gpu& g) {
    using namespace oscillator;
    std::vector<double> mus, starts;
    for (int i = 0; i < members; ++i) {
        mus.push_back(0.5 + 4.5 * i / members);
        starts.push_back(1 + 0.0001 * i);
    }
    const bench::device_array<double> with_mu(members), from(members), to_x(members), to_y(members);
    const bench::device_array<int> counts(members);
    write(with_mu, mus);
    write(from, starts);
    const ensemble arrays{with_mu.data, from.data, to_x.data, to_y.data, counts.data};
    auto exec = instantiate(ensemble_of, of_each(mu)(all(with_mu)), of_each(x0)(all(from)), of_each(x)(all(to_x)), of_each(y)(all(to_y)), of_each(tried)(all(counts)));
    double best = 1e300;
    int threads = 32;
    for (const int some : {32, 64, 128}) {
        const double time = bench::back_to_back(g, 3, [&] { integrate_by_hand<<<(members + some - 1) / some, some, 0, g.stream>>>(arrays); });
        if (time < best) best = time, threads = some;
    }
    const auto hand = [&] { return bench::back_to_back(g, 3, [&] { integrate_by_hand<<<(members + threads - 1) / threads, threads, 0, g.stream>>>(arrays); }); };
    const auto library = [&] { return bench::back_to_back(g, 3, [&] { exec.launch(g.stream); }); };
    hand();
    const std::vector<double> expected = read(to_x);
    check(cudaMemset(to_x.data, 0, members * sizeof(double)));
    library();
    const std::vector<double> found = read(to_x);
    double worst = 0;
    for (int i = 0; i < members; ++i) worst = std::fmax(worst, std::abs(expected[i] - found[i]));
    bench::expect(worst < 1e-5, "integrations");
    bench::row("10 000 integrations, Dormand-Prince (us)", bench::compare(9, hand, library), 560.0 / 499);
}

// ------------------------------------------------------------------ large elements, with as many threads as the library chooses
namespace wide {
constexpr int elements_each = 512, problems = 2'000;
struct weights {
    double of[16];
};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct kept : temp<kept, weights, elements<elements_each>> {} kept;
inline constexpr struct total : scalar<total, double> {} total;
struct weigh {
    __host__ __device__ void operator()(index_t i, double from, weights& to) const {
        for (int k = 0; k < 16; ++k) to.of[k] = from / static_cast<double>(1 + (i + k) % 16);
    }
};
struct blend {
    __host__ __device__ void operator()(index_t i, const double* from, weights& own) const {
        for (int k = 0; k < 16; ++k) own.of[k] = 0.5 * own.of[k] + 0.5 * from[(i + k) % elements_each];
    }
};
struct take {
    __host__ __device__ void operator()(index_t, const weights& own, double& to) const {
        double sum = 0;
        for (const double one : own.of) sum += one;
        to = 0.25 * to + sum / 32;
    }
};
constexpr auto smooth = seq(for_each(over(kept), weigh{})(in(x[each]), out(kept[each])), assign(total, 0),
                            repeat(100, seq(for_each(over(kept), blend{})(in(x), inout(kept[each])), for_each(over(kept), take{})(in(kept[each]), inout(x[each])), reduce(out(total), in(x)))));
constexpr auto chosen = batch(over(problems), smooth)(of_each(x), of_each(total));
constexpr auto by_256 = batch(over(problems).group<256>(), smooth)(of_each(x), of_each(total));
}  // namespace wide

void measure_wide(const bench::gpu& g) {
    using namespace wide;
    std::vector<double> starts(std::size_t{elements_each} * problems);
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<double>(i * 7919 % 1013) / 1013;
    const bench::device_array<double> elements(starts.size()), totals(problems);
    const auto found = [&](auto& exec) {
        write(elements, starts);
        exec.launch(g.stream);
        g.wait();
        return read(totals);
    };
    auto as_chosen = instantiate(chosen, of_each(x)(all(elements)), of_each(total)(all(totals)));
    auto as_said = instantiate(by_256, of_each(x)(all(elements)), of_each(total)(all(totals)));
    const std::vector<double> one = found(as_said), other = found(as_chosen);
    double worst = 0;
    for (int q = 0; q < problems; ++q) worst = std::fmax(worst, std::abs(one[q] - other[q]) / std::abs(one[q]));
    bench::expect(worst < 1e-12, "large elements");
    const auto cost = bench::compare(5, [&] { return bench::back_to_back(g, 3, [&] { as_said.launch(g.stream); }); }, [&] { return bench::back_to_back(g, 3, [&] { as_chosen.launch(g.stream); }); });
    bench::row("2 000 of 512 elements, 128 bytes: 256, chosen (us)", cost);
}

// ------------------------------------------------------------------ many right-hand sides of one sparse matrix
namespace sparse {
inline constexpr struct begins : buffer<begins, int> {} begins;
inline constexpr struct columns : buffer<columns, int> {} columns;
inline constexpr struct entries : buffer<entries, double> {} entries;
inline constexpr struct b : buffer<b, double> {} b;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct r : temp<r, double, struct x> {} r;
inline constexpr struct p : temp<p, double, struct x> {} p;
inline constexpr struct Ap : temp<Ap, double, struct x> {} Ap;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct before : scalar<before, double> {} before;
inline constexpr struct pAp : scalar<pAp, double> {} pAp;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct tol : value<tol, double> {} tol;

struct start {
    __host__ __device__ void operator()(index_t, double f, double& x0, double& r0, double& p0) const {
        x0 = 0;
        r0 = p0 = f;
    }
};
struct times {
    __host__ __device__ void operator()(index_t i, const int* begin, const int* column, const double* entry, const double* v, double& to) const {
        double sum = 0;
        for (int k = begin[i]; k < begin[i + 1]; ++k) sum += entry[k] * v[column[k]];
        to = sum;
    }
};
constexpr auto cg = seq(for_each(over(x), start{})(in(b[each]), out(x[each]), out(r[each]), out(p[each])), assign(passes, 0), dot(out(rr), in(r), in(r)),
                        loop_while(rr > tol,
                                   seq(for_each(over(x), times{})(in(begins), in(columns), in(entries), in(p), out(Ap[each])), dot(out(pAp), in(p), in(Ap)),
                                       for_each(over(x), dense::step{})(inout(x[each]), inout(r[each]), in(p[each]), in(Ap[each]), in(rr), in(pAp)), assign(before, rr),
                                       dot(out(rr), in(r), in(r)), for_each(over(x), dense::turn{})(inout(p[each]), in(r[each]), in(rr), in(before)), assign(passes, passes + 1)),
                                   at_most(20'000)));
}  // namespace sparse

struct matrix {
    std::vector<int> begins, columns;
    std::vector<double> entries;
    explicit matrix(const char* file) {
        std::ifstream in_file(file);
        std::string line;
        while (std::getline(in_file, line) && line[0] == '%') {}
        int rows = 0, row = 0, column = 0;
        double entry = 0;
        std::istringstream(line) >> rows;
        std::vector<std::vector<std::pair<int, double>>> all_rows(rows);
        while (in_file >> row >> column >> entry) {
            all_rows[row - 1].push_back({column - 1, entry});
            if (row != column) all_rows[column - 1].push_back({row - 1, entry});
        }
        begins.push_back(0);
        for (auto& one : all_rows) {
            std::sort(one.begin(), one.end());
            for (const auto& [at, what] : one) {
                columns.push_back(at);
                entries.push_back(what);
            }
            begins.push_back(static_cast<int>(columns.size()));
        }
    }
};

template <int Size>
void measure_sparse(const bench::gpu& g, const matrix& m) {
    using namespace sparse;
    constexpr int count = 1'000;
    const std::size_t n = m.begins.size() - 1;
    std::mt19937_64 random(3);
    std::vector<double> sides(n * count);
    for (double& one : sides) one = std::uniform_real_distribution<double>(-1, 1)(random);
    const bench::device_array<int> of_begins(m.begins.size()), of_columns(m.columns.size()), counts(count);
    const bench::device_array<double> of_entries(m.entries.size()), right(sides.size()), left(sides.size());
    write(of_begins, m.begins);
    write(of_columns, m.columns);
    write(of_entries, m.entries);
    write(right, sides);
    const double least_square = 1e-12 * static_cast<double>(n);
    auto exec = instantiate(batch(over(count).group<Size>(), cg)(of_each(b), of_each(x), of_each(passes)), begins(all(of_begins)), columns(all(of_columns)), entries(all(of_entries)),
                            of_each(b)(all(right)), of_each(x)(all(left)), of_each(passes)(all(counts)), tol(least_square));
    auto alone = instantiate(cg, begins(all(of_begins)), columns(all(of_columns)), entries(all(of_entries)), b(right.data, n), x(left.data, n), passes(counts.data), tol(least_square));
    alone.launch(g.stream);
    g.wait();
    const std::vector<double> expected = read(left);
    check(cudaMemset(left.data, 0, left.count * sizeof(double)));
    exec.launch(g.stream);
    g.wait();
    compare_with_alone(expected, read(left), n);
    const int passes_of_first = counts.first();
    const auto cost = bench::compare(3, [&] { return count * bench::back_to_back(g, 1, [&] { alone.launch(g.stream); }); }, [&] { return bench::back_to_back(g, 1, [&] { exec.launch(g.stream); }); });
    bench::row(("1 000 sparse CG: one by one, groups of " + std::to_string(Size)).c_str(), cost, 1.0 / 8);
    std::printf("  %d passes of the first, %.1f times as fast\n", passes_of_first, cost.by_hand / cost.library);
}

}  // namespace

int main(int count, char** arguments) {
    const bench::gpu g;
    bench::title("batches");
    measure_integrations(g);
    measure_dense(g);
    measure_wide(g);
    if (count < 2) {
        std::printf("SKIP: sparse systems, no matrix is given\n");
        return 0;
    }
    const matrix m(arguments[1]);
    measure_sparse<256>(g, m);
    measure_sparse<512>(g, m);
}
