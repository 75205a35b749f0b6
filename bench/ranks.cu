// SPDX-License-Identifier: Apache-2.0

// Conjugate gradients over the GPUs of one host: with a loop on the devices, with a loop that the host drives, and by hand. Ranks are threads,
// or with --processes processes. With --hosts NCCL takes processes for hosts, which reach each other by TCP: only the calls are measured.
// Usage: bench_ranks [GPUs] [--processes|--hosts] [--width N]

#define COGRAPH_WITH_NCCL
#include "../examples/distributed_poisson/planes.hpp"
#include "bench.cuh"
#include "cg_of_ranks.cuh"
#include "rank_barrier.hpp"

#include <nccl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>

namespace {

using namespace cograph;
using namespace distributed;

constexpr auto by_host() { return solve(multiply_planes()); }
constexpr auto on_devices() { return seq(begin(), loop_while(rz > tolerance, iteration(multiply_planes()), at_most(10000), check_every<8>)); }

// What ranks share, threads or processes.
struct meeting : bench::rank_barrier {
    static constexpr int most = 16;
    ncclUniqueId id;
    double time[most];

    using rank_barrier::rank_barrier;
};

struct rank_of {
    meeting& all;
    int rank;
    cudaStream_t stream = nullptr;
    ncclComm_t comm = nullptr;

    rank_of(meeting& with, int number) : all(with), rank(number) {
        bench::check(cudaSetDevice(rank));
        bench::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        if (rank == 0) cg_of_ranks::check(ncclGetUniqueId(&all.id));
        all.wait();
        cg_of_ranks::check(ncclCommInitRank(&comm, all.ranks, all.id, rank));
    }
    ~rank_of() {
        all.wait();
        ncclCommDestroy(comm);
        cudaStreamDestroy(stream);
    }
    rank_of(const rank_of&) = delete;

    void wait() const { bench::check(cudaStreamSynchronize(stream)); }
    // Microseconds of what the slowest rank took.
    template <class Run>
    double time(Run run) const {
        wait();
        all.wait();
        const double begin = bench::now();
        run();
        wait();
        all.time[rank] = bench::now() - begin;
        all.wait();
        const double slowest = *std::max_element(all.time, all.time + all.ranks);
        all.wait();
        return slowest;
    }
};

void row(const rank_of& own, const std::string& what, bench::timing t) {
    if (own.rank == 0) bench::row(what.c_str(), t);
}

// The planes of one rank, and all that the three solvers work on.
struct planes {
    int width, first, count;
    std::size_t n, plane;
    bench::device_array<double> right, center, below, above;

    planes(int side, int rank, int ranks)
        : width(side), first(side * rank / ranks), count(side * (rank + 1) / ranks - first), n(static_cast<std::size_t>(count) * static_cast<std::size_t>(side)),
          plane(static_cast<std::size_t>(side)), right(n), center(n), below(plane), above(plane) {
        std::vector<double> numbers(n);
        const std::size_t before = static_cast<std::size_t>(first) * plane;
        for (std::size_t i = 0; i < n; ++i) numbers[i] = 1 + static_cast<double>((before + i) % 7);
        bench::check(cudaMemcpy(right.data, numbers.data(), n * sizeof(double), cudaMemcpyHostToDevice));
        for (std::size_t i = 0; i < n; ++i) numbers[i] = 4 + 0.02 * static_cast<double>(1 + (before + i) % 5);
        bench::check(cudaMemcpy(center.data, numbers.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    }
};
// What a solver gives.
struct result {
    bench::device_array<double> solution;
    bench::device_array<int> passes{1};

    explicit result(std::size_t n) : solution(n) {}
    std::vector<double> read() const {
        std::vector<double> all(solution.count);
        bench::check(cudaMemcpy(all.data(), solution.data, all.size() * sizeof(double), cudaMemcpyDeviceToHost));
        return all;
    }
    // Bit by bit.
    bool is(const std::vector<double>& other, int iterations) const {
        return passes.first() == iterations && std::memcmp(read().data(), other.data(), other.size() * sizeof(double)) == 0;
    }
};

void measure_solvers(const rank_of& own, const planes& mine) {
    const int ranks = own.all.ranks;
    result device(mine.n), host(mine.n), hand(mine.n), fused(mine.n);
    bench::device_array<double> r(mine.n), p(mine.n), Ap(mine.n);
    const auto made = [&](auto e, const result& to) {
        return instantiate(e, world(nccl::of_device(own.comm)), x(to.solution.data, mine.n), b(mine.right.data, mine.n), diagonal(mine.center.data, mine.n), first_plane(mine.plane),
                           below(mine.below.data, mine.plane), above(mine.above.data, mine.plane), lower(own.rank - 1), upper(own.rank + 1), side(mine.width),
                           tolerance(1e-16), distributed::iterations(to.passes.data));
    };
    const auto by_hand = [&](const result& to, bool overlaps) {
        const cg_of_ranks::problem given{static_cast<int>(mine.n), mine.width, 1e-16, mine.right.data, mine.center.data, mine.below.data, mine.above.data, to.solution.data,
                                         r.data, p.data, Ap.data, nullptr, nullptr, nullptr, to.passes.data, nullptr};
        return std::make_unique<cg_of_ranks::solver>(given, own.comm, own.rank, ranks, overlaps);
    };
    auto with_device = made(on_devices(), device);
    own.all.wait();
    auto with_host = made(by_host(), host);
    own.all.wait();
    const auto overlapping = by_hand(hand, true), in_turn = by_hand(fused, false);

    const auto on_device = [&] { return own.time([&] { with_device.launch(own.stream); }); };
    const auto on_host = [&] { return own.time([&] { with_host.launch(own.stream); }); };
    const auto beside = [&] { return own.time([&] { overlapping->run(own.stream); }); };
    const auto after = [&] { return own.time([&] { in_turn->run(own.stream); }); };
    on_device();
    on_host();
    beside();
    after();
    const int iterations = device.passes.first();
    const std::vector<double> solved = device.read();
    bench::expect(iterations > 0 && iterations < 10000 && std::isfinite(solved[mine.n / 2]), "the loop on the devices");
    bench::expect(host.is(solved, iterations), "the loop that the host drives");
    bench::expect(hand.is(solved, iterations), "by hand, borders beside the inside");
    bench::expect(fused.is(solved, iterations), "by hand, borders before the product");
    own.all.wait();
    if (own.rank == 0) std::printf("%d^2: all solvers give the same bits in %d iterations\n", mine.width, iterations);
    std::fflush(stdout);

    // The faster one of those by hand is the rival.
    const bench::timing both = bench::compare(5, after, beside);
    const bool overlaps = both.library < both.by_hand;
    const auto rival = [&] { return (overlaps ? beside() : after()) / iterations; };
    const std::string size = ", " + std::to_string(mine.width) + "^2";
    row(own, "by hand: borders before the product, beside it" + size, {both.by_hand / iterations, both.library / iterations, both.noise});
    row(own, "loop on the devices" + size, bench::compare(9, rival, [&] { return on_device() / iterations; }));
    row(own, "loop of the host, check_every<8>" + size, bench::compare(9, rival, [&] { return on_host() / iterations; }));
    row(own, "loop of the host, loop on the devices" + size, bench::compare(9, [&] { return on_host() / iterations; }, [&] { return on_device() / iterations; }));
    own.all.wait();
}

// A product with the borders that travel, with the inside, and with both.
constexpr auto borders() {
    return seq(for_each(over(first_plane), pick{})(out(first_plane[each]), out(last_plane[each]), in(b), extent(first_plane), extent(b)),
               nccl::exchange(world, nccl::to(in(first_plane), lower), nccl::from(inout(below), lower), nccl::to(in(last_plane), upper), nccl::from(inout(above), upper)));
}
constexpr auto inside() { return for_each(over(x), stencil{})(out(x[each]), in(b), in(diagonal[each]), side, extent(b), side); }

void measure_overlap(const rank_of& own, const planes& mine) {
    result to(mine.n);
    const auto travel = [&](auto e, auto... more) {
        return instantiate(e, world(nccl::of_device(own.comm)), b(mine.right.data, mine.n), first_plane(mine.plane), below(mine.below.data, mine.plane),
                           above(mine.above.data, mine.plane), lower(own.rank - 1), upper(own.rank + 1), more...);
    };
    auto alone = travel(borders());
    own.all.wait();
    auto both = travel(seq(borders(), inside()), x(to.solution.data, mine.n), diagonal(mine.center.data, mine.n), side(mine.width));
    own.all.wait();
    auto within = instantiate(inside(), x(to.solution.data, mine.n), b(mine.right.data, mine.n), diagonal(mine.center.data, mine.n), side(mine.width));
    constexpr int times = 50;
    const auto timed = [&](auto& exec) {
        std::vector<double> samples;
        for (int again = 0; again < 10; ++again)
            samples.push_back(own.time([&] {
                for (int i = 0; i < times; ++i) exec.launch(own.stream);
            }) / times);
        return bench::median(samples);
    };
    const double travelling = timed(alone), computing = timed(within), together = timed(both);
    if (own.rank > 0) return;
    std::printf("borders %.2f us, inside %.2f us, both %.2f us: %.0f%% of the shorter one is hidden, %d^2\n", travelling, computing, together,
                100 * (travelling + computing - together) / std::min(travelling, computing), mine.width);
    std::fflush(stdout);
}

// The numbers of the model in docs/scale.md.
constexpr auto two_sums() { return seq(nccl::all_reduce(world, out(rz), in(part)), nccl::all_reduce(world, out(part), in(rz))); }
constexpr auto ten_sums() { return seq(two_sums(), two_sums(), two_sums(), two_sums(), two_sums()); }
constexpr auto swap_with_next() { return nccl::exchange(world, nccl::to(in(x), upper), nccl::from(inout(b), upper)); }
template <int K>
constexpr auto count_by_host() { return seq(assign(distributed::iterations, 0), loop_while(distributed::iterations < 4000, host_driven(assign(distributed::iterations, distributed::iterations + 1)), check_every<K>)); }

void measure_model(const rank_of& own) {
    const auto timed = [&](auto& exec, int times) {
        std::vector<double> samples;
        for (int again = 0; again < 10; ++again)
            samples.push_back(own.time([&] {
                for (int i = 0; i < times; ++i) exec.launch(own.stream);
            }) / times);
        return bench::median(samples);
    };
    const auto bound = world(nccl::of_device(own.comm));
    own.all.wait();
    const bench::device_array<double> numbers(2);
    auto sums = instantiate(ten_sums(), bound, part(numbers.data), rz(numbers.data + 1));
    own.all.wait();
    const double sum = timed(sums, 50) / 10;
    if (own.rank == 0) std::printf("all_reduce of one number, %d GPUs: %.2f us\n", own.all.ranks, sum);
    const int other = own.rank % 2 == 0 ? own.rank + 1 : own.rank - 1;
    for (std::size_t bytes : {std::size_t{8}, std::size_t{32} << 10, std::size_t{1} << 20, std::size_t{64} << 20}) {
        const bench::device_array<double> given(bytes / 8), got(bytes / 8);
        own.all.wait();
        auto both = instantiate(swap_with_next(), bound, x(given.data, bytes / 8), b(got.data, bytes / 8), upper(other));
        own.all.wait();
        const double taken = timed(both, 50);
        if (own.rank == 0) std::printf("exchange of %zu bytes in both directions: %.2f us, %.1f GB/s each\n", bytes, taken, static_cast<double>(bytes) / taken / 1e3);
        own.all.wait();
    }
    if (own.rank == 0) {
        bench::device_array<int> count(1);
        const auto per_pass = [&](auto e) {
            auto exec = instantiate(e, distributed::iterations(count.data));
            std::vector<double> samples;
            for (int again = 0; again < 10; ++again) {
                own.wait();
                const double begin = bench::now();
                exec.launch(own.stream);
                own.wait();
                samples.push_back((bench::now() - begin) / 4000);
            }
            return bench::median(samples);
        };
        const double each_pass = per_pass(count_by_host<1>()), each_eighth = per_pass(count_by_host<8>());
        std::printf("test by the host: %.2f us\n", (each_pass - each_eighth) * 8 / 7);
        const bench::device_array<double> given(std::size_t{64} << 20), got(given.count);
        auto copies = instantiate(copy(in(x), out(b)), x(given.data, given.count), b(got.data, got.count));
        std::vector<double> samples;
        for (int again = 0; again < 10; ++again) {
            own.wait();
            const double begin = bench::now();
            for (int i = 0; i < 20; ++i) copies.launch(own.stream);
            own.wait();
            samples.push_back((bench::now() - begin) / 20);
        }
        std::printf("copy of 64 million numbers: %.1f us, %.2f TB/s\n", bench::median(samples), 16.0 * static_cast<double>(given.count) / bench::median(samples) / 1e6);
        std::fflush(stdout);
    }
    own.all.wait();
}

void run_rank(meeting& all, int rank, int only, bool as_host) {
    alarm(120);  // rather than to wait for ever
    if (as_host) {
        setenv("NCCL_HOSTID", ("host" + std::to_string(rank)).c_str(), 1);
        setenv("NCCL_SOCKET_IFNAME", "lo", 1);
        setenv("NCCL_GRAPH_MIXING_SUPPORT", "1", 1);
        measure_model(rank_of(all, rank));
        return;
    }
    const rank_of own(all, rank);
    if (all.ranks % 2 == 0) measure_model(own);
    if (rank == 0) bench::title("GPUs of one host (us an iteration)");
    for (int width : {256, 1024, 4096}) {
        if (only > 0) width = only;
        const planes mine(width, rank, all.ranks);
        own.all.wait();
        measure_solvers(own, mine);
        own.all.wait();
        measure_overlap(own, mine);
        own.all.wait();
        if (only > 0) break;
    }
}

int count_gpus() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
// In a process of its own: those that are forked later may not have used CUDA before.
int count_gpus_elsewhere() {
    const pid_t child = fork();
    if (child == 0) _exit(count_gpus());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

}  // namespace

int main(int argc, char** argv) {
    int asked = 0, only = 0;
    bool processes = false, as_hosts = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--processes") == 0)
            processes = true;
        else if (std::strcmp(argv[i], "--hosts") == 0)
            processes = as_hosts = true;
        else if (std::strcmp(argv[i], "--width") == 0 && i + 1 < argc)
            only = std::atoi(argv[++i]);
        else
            asked = std::atoi(argv[i]);
    }
    setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 1);  // before NCCL reads it; bodies on the device need it
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    const int gpus = processes ? count_gpus_elsewhere() : count_gpus(), ranks = std::min(asked > 0 ? asked : gpus, std::min(gpus, meeting::most));
    if (ranks < 1 || (ranks < 2 && asked == 0)) {
        std::printf("SKIP: %d CUDA devices: there is nothing to compare with fewer than two\n", gpus);
        return 0;
    }
    void* const shared = mmap(nullptr, sizeof(meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench::expect(shared != MAP_FAILED, "mmap");
    meeting& all = *new (shared) meeting(ranks);
    std::printf("%d ranks are %s\n", ranks, as_hosts ? "processes, as hosts" : processes ? "processes" : "threads");
    std::fflush(stdout);
    int failed = 0;
    if (processes) {
        std::vector<pid_t> children;  // that have not ended
        for (int rank = 0; rank < ranks && failed == 0; ++rank) {
            const pid_t child = fork();
            if (child == 0) {
                run_rank(all, rank, only, as_hosts);
                std::exit(0);
            }
            if (child > 0)
                children.push_back(child);
            else
                failed = 1;
        }
        while (!children.empty()) {
            if (failed != 0)  // others would wait for it
                for (pid_t child : children) kill(child, SIGKILL);
            int status = 0;
            const pid_t ended = wait(&status);
            if (ended < 0) break;
            std::erase(children, ended);
            if (status != 0) failed = 1;
        }
    } else {
        std::vector<std::thread> threads;
        for (int rank = 0; rank < ranks; ++rank) threads.emplace_back([&all, rank, only] { run_rank(all, rank, only, false); });
        for (std::thread& one : threads) one.join();
    }
    return failed;
}
