// SPDX-License-Identifier: Apache-2.0

// Preconditioned conjugate gradients over many ranks: a Poisson problem with a reaction term, in two or three dimensions, its planes dealt
// out. Ranks exchange planes at their borders while they work inside, and sum up by collectives. The host drives the loop, since NCCL puts
// host work into what it captures where it goes over a network.
//
//   distributed_poisson [ranks [side [2|3]]]              ranks are threads: on GPUs, one each, or simulated
//   distributed_poisson process RANK RANKS FILE [side [2|3]]   one rank, on the first GPU; FILE brings NCCL's id to the others

#include "../anywhere.hpp"

#ifdef COGRAPH_WITH_NCCL
#include <cograph/host_driven.cuh>
#include <cograph/nccl.cuh>
#else
#include <cograph/host_driven.hpp>
#include <cograph/libraries/nccl.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace cograph;

// [variables]
inline constexpr struct world : value<world, nccl::communicator> {} world;
inline constexpr struct lower : value<lower, int> {} lower;  // the rank that has the plane before ours; -1: nobody
inline constexpr struct upper : value<upper, int> {} upper;
// [/variables]
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct b : buffer<b, double> {} b;
inline constexpr struct c : buffer<c, double> {} c;  // the reaction
inline constexpr struct r : temp<r, double, struct x> {} r;
inline constexpr struct z : temp<z, double, struct x> {} z;
inline constexpr struct p : temp<p, double, struct x> {} p;
inline constexpr struct Ap : temp<Ap, double, struct x> {} Ap;
inline constexpr struct first_plane : temp<first_plane, double> {} first_plane;
inline constexpr struct last_plane : temp<last_plane, double, struct first_plane> {} last_plane;
inline constexpr struct below : temp<below, double, struct first_plane> {} below;
inline constexpr struct above : temp<above, double, struct first_plane> {} above;
inline constexpr struct part : scalar<part, double> {} part;
inline constexpr struct pAp : scalar<pAp, double> {} pAp;
inline constexpr struct rz : scalar<rz, double> {} rz;
inline constexpr struct new_rz : scalar<new_rz, double> {} new_rz;
inline constexpr struct step : scalar<step, double> {} step;
inline constexpr struct ratio : scalar<ratio, double> {} ratio;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct side : value<side, int> {} side;
inline constexpr struct degree_of : value<degree_of, int> {} degree_of;  // how many neighbours an element has: 4 or 6
inline constexpr struct tolerance : value<tolerance, double> {} tolerance;

struct pick {
    COGRAPH_HD void operator()(index_t i, double& first, double& last, const double* from, index_t plane, index_t n) const {
        first = from[i];
        last = from[n - plane + i];
    }
};
// A row of the matrix, without what the planes of others add.
struct stencil {
    COGRAPH_HD void operator()(index_t i, double& to, const double* from, const double& reaction, index_t plane, index_t n, int width, int degree) const {
        double sum = (degree + reaction) * from[i];
        if (i % width > 0) sum -= from[i - 1];
        if (i % width < width - 1) sum -= from[i + 1];
        if (plane > width && i % plane >= width) sum -= from[i - width];
        if (plane > width && i % plane < plane - width) sum -= from[i + width];
        if (i >= plane) sum -= from[i - plane];
        if (i + plane < n) sum -= from[i + plane];
        to = sum;
    }
};
struct close_border {
    COGRAPH_HD void operator()(index_t i, const double& before, const double& behind, double* to, index_t plane, index_t n) const {
        to[i] -= before;
        to[n - plane + i] -= behind;
    }
};
struct precondition {
    COGRAPH_HD double operator()(index_t, const double& residual, const double& reaction, double& to, int degree) const {
        to = residual / (degree + reaction);
        return residual * to;
    }
};
struct go {
    COGRAPH_HD void operator()(index_t, double& solution, double& residual, const double& direction, const double& image, const double& by) const {
        solution += by * direction;
        residual -= by * image;
    }
};
struct turn {
    COGRAPH_HD void operator()(index_t, double& direction, const double& from, const double& by) const { direction = from + by * direction; }
};

// [solver]
constexpr auto multiply() {
    return seq(for_each(over(first_plane), pick{})(out(first_plane[each]), out(last_plane[each]), in(p), extent(first_plane), extent(p)),
               label("halo", nccl::exchange(world, nccl::to(in(first_plane), lower), nccl::from(inout(below), lower),
                                            nccl::to(in(last_plane), upper), nccl::from(inout(above), upper))),
               label("interior", for_each(over(p), stencil{})(out(Ap[each]), in(p), in(c[each]), extent(first_plane), extent(p), side, degree_of)),
               for_each(over(below), close_border{})(in(below[each]), in(above[each]), inout(Ap), extent(first_plane), extent(p)));
}
// The plan finds that the halos travel while the interior is computed.
static_assert(!ordered(multiply(), at<1>, at<2>));

constexpr auto solve() {
    const auto preconditioned = [](auto sum) {
        return seq(transform_reduce(over(r), precondition{}, plus{})(out(part), in(r[each]), in(c[each]), out(z[each]), degree_of),
                   nccl::all_reduce(world, out(sum), in(part)));
    };
    const auto begin = seq(assign(passes, 0), fill(out(x), 0), copy(in(b), out(r)), fill(out(below), 0), fill(out(above), 0), preconditioned(rz), copy(in(z), out(p)));
    const auto pass = seq(multiply(),
                          dot(out(part), in(p), in(Ap)), nccl::all_reduce(world, out(pAp), in(part)),
                          assign(step, rz / pAp),
                          for_each(over(x), go{})(inout(x[each]), inout(r[each]), in(p[each]), in(Ap[each]), in(step)),
                          preconditioned(new_rz),
                          assign(ratio, new_rz / rz), assign(rz, new_rz),
                          for_each(over(p), turn{})(inout(p[each]), in(z[each]), in(ratio)),
                          assign(passes, passes + 1));
    return seq(begin, loop_while(rz > tolerance, host_driven(pass), at_most(10000), check_every<8>));
}
// [/solver]

// So many planes of side or side * side elements.
struct problem {
    int side, dimensions, planes;
    index_t plane() const { return dimensions == 2 ? side : static_cast<index_t>(side) * side; }
};
struct outcome {
    int iterations = 0;
    double error = 0, seconds = 0;
};

// One rank's part: its planes, the right side of a solution that is known, and how far the result is from that.
outcome run_rank(const problem& whole, nccl::communicator own) {
    const index_t first = static_cast<index_t>(whole.planes) * own.rank / own.size, last = static_cast<index_t>(whole.planes) * (own.rank + 1) / own.size;
    const index_t plane = whole.plane(), n = (last - first) * plane, all = whole.planes * plane;
    const anywhere::array<double> solution(static_cast<std::size_t>(n)), rhs(solution.size()), reaction(solution.size());
    const anywhere::array<int> count(1);
    const int degree = 2 * whole.dimensions;
    const auto wanted = [](index_t i) { return std::sin(0.1 * static_cast<double>(i)) + static_cast<double>(i % 7); };
    const auto reaction_at = [](index_t i) { return 0.02 * static_cast<double>(1 + i % 5); };
    for (index_t i = 0; i < n; ++i) {
        const index_t g = first * plane + i, w = whole.side;
        double sum = (degree + reaction_at(g)) * wanted(g);
        if (g % w > 0) sum -= wanted(g - 1);
        if (g % w < w - 1) sum -= wanted(g + 1);
        if (plane > w && g % plane >= w) sum -= wanted(g - w);
        if (plane > w && g % plane < plane - w) sum -= wanted(g + w);
        if (g >= plane) sum -= wanted(g - plane);
        if (g + plane < all) sum -= wanted(g + plane);
        rhs[static_cast<std::size_t>(i)] = sum;
        reaction[static_cast<std::size_t>(i)] = reaction_at(g);
    }
    const auto with_bindings = [&](auto run) {
        run(solve(), world(own), x(solution.span()), b(rhs.span()), c(reaction.span()), first_plane(static_cast<std::size_t>(plane)), lower(own.rank - 1),
            upper(own.rank + 1), side(whole.side), degree_of(degree), tolerance(1e-16), passes(count.data()));
    };
    outcome result;
    const auto timed = [&](auto run) {
        const auto begin = std::chrono::steady_clock::now();
        run();
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
#ifdef COGRAPH_WITH_NCCL
    if (anywhere::has_gpu()) {
        cudaStream_t stream = nullptr;
        anywhere::succeed(cudaStreamCreate(&stream));
        with_bindings([&](const auto& e, auto... bound) {
            auto exec = instantiate(e, bound...);
            exec.wait_by([&](cudaStream_t on) { nccl::wait(on, own, std::chrono::seconds(30)); });
            for (int run = 0; run < 2; ++run)
                timed([&] {
                    exec.launch(stream);
                    nccl::wait(stream, own, std::chrono::seconds(30));
                });
        });
        cudaStreamDestroy(stream);
    } else
#endif
        with_bindings([&](const auto& e, auto... bound) { timed([&] { simulate(e, bound...); }); });
    result.iterations = count[0];
    for (index_t i = 0; i < n; ++i) result.error = std::max(result.error, std::fabs(solution[static_cast<std::size_t>(i)] - wanted(first * plane + i)));
    return result;
}

#ifdef COGRAPH_WITH_NCCL
ncclComm_t connect(const ncclUniqueId& id, int rank, int ranks) {
    ncclComm_t made = nullptr;
    if (ncclCommInitRank(&made, ranks, id, rank) != ncclSuccess) throw std::runtime_error("no communicator");
    return made;
}
#endif

// All ranks as threads of this process; the slowest and the worst.
outcome run_threads(const problem& whole, int ranks) {
    std::vector<outcome> all(static_cast<std::size_t>(ranks));
#ifdef COGRAPH_WITH_NCCL
    ncclUniqueId id{};
    if (anywhere::has_gpu() && ranks > 1 && ncclGetUniqueId(&id) != ncclSuccess) throw std::runtime_error("NCCL gives no id");
#endif
    nccl::run_ranks(ranks, [&](nccl::communicator own) {
#ifdef COGRAPH_WITH_NCCL
        if (anywhere::has_gpu()) {
            anywhere::succeed(cudaSetDevice(own.rank));
            ncclComm_t made = ranks > 1 ? connect(id, own.rank, ranks) : nullptr;
            all[static_cast<std::size_t>(own.rank)] = run_rank(whole, made ? nccl::of_device(made) : nccl::communicator{});
            if (made) ncclCommDestroy(made);
            return;
        }
#endif
        all[static_cast<std::size_t>(own.rank)] = run_rank(whole, own);
    });
    outcome worst;
    for (const outcome& one : all) {
        worst.seconds = std::max(worst.seconds, one.seconds);
        worst.error = std::max(worst.error, one.error);
        worst.iterations = one.iterations;
        if (one.iterations != all[0].iterations) throw std::runtime_error("ranks made different numbers of iterations");
    }
    return worst;
}

int number(const char* text, int least, int most) {
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) throw std::runtime_error(std::string("not a number from ") + std::to_string(least) + " to " + std::to_string(most) + ": " + text);
    return static_cast<int>(value);
}

bool report(const char* what, int ranks, const problem& whole, const outcome& got, double efficiency) {
    std::printf("%s %4d %8d^%d x %-6d %6d %10.3f %11.0f%% %9.1e\n", what, ranks, whole.side, whole.dimensions - 1, whole.planes, got.iterations, got.seconds * 1e3, efficiency * 100,
                got.error);
    return got.error < 1e-6 && got.iterations > 0 && got.iterations < 10000;
}

int run_process(int argc, char** argv) {
#ifdef COGRAPH_WITH_NCCL
    if (argc < 5 || !anywhere::has_gpu()) throw std::runtime_error("process RANK RANKS FILE [side [2|3]], where there is a GPU");
    const int ranks = number(argv[3], 1, 1024), rank = number(argv[2], 0, ranks - 1);
    const int n = argc > 5 ? number(argv[5], 2, 4096) : 64, dimensions = argc > 6 ? number(argv[6], 2, 3) : 2;
    const std::string file = argv[4];
    ncclUniqueId id{};
    if (rank == 0) {
        if (ncclGetUniqueId(&id) != ncclSuccess) throw std::runtime_error("NCCL gives no id");
        std::ofstream(file + ".new", std::ios::binary).write(id.internal, sizeof id.internal);
        std::rename((file + ".new").c_str(), file.c_str());
    } else {
        for (int tries = 0; !std::ifstream(file, std::ios::binary).read(id.internal, sizeof id.internal); ++tries) {
            if (tries == 300) throw std::runtime_error("no id came by " + file);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
    ncclComm_t made = connect(id, rank, ranks);
    const problem whole{n, dimensions, n};
    const outcome got = run_rank(whole, nccl::of_device(made));
    ncclCommDestroy(made);
    return report("process", ranks, whole, got, 1) ? 0 : 1;
#else
    (void)argc, (void)argv;
    throw std::runtime_error("processes need NCCL and a GPU");
#endif
}

int main(int argc, char** argv) try {
    if (argc > 1 && std::strcmp(argv[1], "process") == 0) return run_process(argc, argv);
    if (argc > 4) throw std::runtime_error("takes at most three arguments: ranks, side and dimensions");
    int ranks = argc > 1 ? number(argv[1], 1, 1024) : 4;
    const int n = argc > 2 ? number(argv[2], 2, 4096) : 48, dimensions = argc > 3 ? number(argv[3], 2, 3) : 2;
#ifdef __CUDACC__
    if (anywhere::has_gpu()) {
        int gpus = 1;
#ifdef COGRAPH_WITH_NCCL
        anywhere::succeed(cudaGetDeviceCount(&gpus));
#endif
        if (gpus < ranks) std::printf("%d ranks on %d GPUs: process ... runs more of them on one\n", gpus, gpus);
        ranks = std::min(ranks, gpus);
    }
#endif
    if (ranks > n) throw std::runtime_error("more ranks than planes");
    std::printf("%s\nscaling ranks  size              passes    time/ms  efficiency     error\n", anywhere::way_to_run());
    bool right = true;
    double strong = 0, weak = 0;
    for (int now = 1; now <= ranks; now = now < ranks && 2 * now > ranks ? ranks : 2 * now) {
        const problem same{n, dimensions, n};
        const outcome got = run_threads(same, now);
        if (now == 1) strong = got.seconds;
        right = report("strong ", now, same, got, strong / (now * got.seconds)) && right;
        // Longer problems take more iterations: an iteration of as many elements a rank is what must take as long.
        const problem grown{n, dimensions, n * now};
        const outcome more = now == 1 ? got : run_threads(grown, now);
        const double iteration = more.seconds / more.iterations;
        if (now == 1) weak = iteration;
        right = report("weak   ", now, grown, more, weak / iteration) && right;
    }
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "distributed_poisson: %s\n", problem.what());
    return 1;
}
