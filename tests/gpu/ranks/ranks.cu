// SPDX-License-Identifier: Apache-2.0

// One of several ranks, each a process, on GPUs of their own if there are enough, else on one; examples/distributed_poisson/processes.sh starts them.
//   rank_tests --rank N --ranks N --id FILE together   all collectives, and a loop that the host drives, give what they should
//   rank_tests --rank N --ranks N --id FILE device     the same, and loops with collectives on the devices: ranks need a GPU each
//   rank_tests --rank N --ranks N --id FILE leaves     one rank ends early: the others give up and say so
//   rank_tests --rank N --ranks N --id FILE differs    ranks differ where they are to agree: the error has the name
//   rank_tests threads                                 as device, with ranks that are threads

#define COGRAPH_WITH_NCCL
#include "../../../examples/distributed_poisson/ranks.hpp"
#include "../../device_memory.cuh"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace cograph;
using device_memory::device_array;
using device_memory::stream;

inline constexpr struct slices : value<slices, nccl::slices> {} slices;
inline constexpr struct world : value<world, nccl::communicator> {} world;
inline constexpr struct network : value<network, nccl::network_communicator> {} network;
inline constexpr struct mine : buffer<mine, double> {} mine;
inline constexpr struct result : buffer<result, double> {} result;
inline constexpr struct here : scalar<here, double> {} here;
inline constexpr struct everywhere : scalar<everywhere, double> {} everywhere;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct before : value<before, int> {} before;
inline constexpr struct after : value<after, int> {} after;

std::atomic<int> wrong{0};
void expect(bool fact, const char* what, int rank) {
    if (fact) return;
    std::printf("rank %d: %s is wrong\n", rank, what);
    ++wrong;
}

struct halve {
    COGRAPH_HD double operator()(index_t, double& element) const { return element *= 0.5; }
};
constexpr auto pass(auto ranks) {
    return seq(transform_reduce(over(mine), halve{}, plus{})(out(here), inout(mine[each])),
               nccl::all_reduce(ranks, out(everywhere), in(here)),
               nccl::agree(ranks, in(everywhere), "falling"),
               assign(passes, passes + 1));
}
constexpr auto fall() { return seq(assign(passes, 0), do_while(host_driven(pass(world)), everywhere > 1.0)); }
constexpr auto fall_over_network() { return seq(assign(passes, 0), do_while(pass(network), everywhere > 1.0)); }
static_assert(is_host_driven(fall_over_network(), at<1>));
constexpr auto fall_on_device() { return seq(assign(passes, 0), do_while(pass(world), everywhere > 1.0, check_every<2>)); }
static_assert(!is_host_driven(fall_on_device(), at<1>));

constexpr int part = 1000;

// Runs an expression over `from` and `to` elements: `from` begins as value(i), and `right(i)` is what `to` is to be.
template <class E, class Value, class Right, class... B>
void run(const char* what, const nccl::communicator& own, E const& e, int from, int to, Value value, Right right, B... bound) {
    std::vector<double> start(static_cast<std::size_t>(from)), found(static_cast<std::size_t>(to), -1);
    for (int i = 0; i < from; ++i) start[static_cast<std::size_t>(i)] = value(i);
    device_array<double> in(start.size()), out(found.size());
    in.write(start);
    out.write(found);
    const stream on;
    auto exec = instantiate(e, mine(in.all()), result(out.all()), world(own), bound...);
    for (int again = 0; again < 2; ++again) {
        exec.launch(on);
        nccl::wait(on, own, std::chrono::seconds(20));
    }
    found = out.read();
    bool all = true;
    for (int i = 0; i < to; ++i) all = all && found[static_cast<std::size_t>(i)] == right(i);
    expect(all, what, own.rank);
}

int iterations_of(int ranks) {
    int iterations = 0;
    for (double all = part / 2.0 * ranks * (ranks + 1); all > 1; all /= 2) ++iterations;
    return iterations;
}

// A loop that the host drives.
template <class E, class B>
void run_loop(const char* what, E const& e, const nccl::communicator& own, B bound) {
    const device_array<double> numbers(part, own.rank + 1.0);
    const stream on;
    auto exec = instantiate(e, mine(numbers.all()), bound);
    exec.wait_by([&](cudaStream_t s) { nccl::wait(s, own, std::chrono::seconds(20)); });
    exec.launch(on);
    expect(exec.fetch(passes) == iterations_of(own.size) && numbers.read().front() == (own.rank + 1) * std::ldexp(1.0, -iterations_of(own.size)), what, own.rank);
}

void together(const nccl::communicator& own) {
    const int ranks = own.size, rank = own.rank;
    const auto value = [&](int i) { return i % 17 + 100.0 * rank; };
    const auto sum = [&](int i) { return ranks * (i % 17) + 50.0 * ranks * (ranks - 1); };
    run("all_reduce", own, nccl::all_reduce(world, out(result), in(mine)), part, part, value, sum);
    run("all_reduce of maxima", own, nccl::all_reduce(world, out(result), in(mine), maximum{}), part, part, value, [&](int i) { return i % 17 + 100.0 * (ranks - 1); });
    run("all_gather", own, nccl::all_gather(world, out(result), in(mine)), part, part * ranks, value, [](int i) { return i % part % 17 + 100.0 * (i / part); });
    run("reduce_scatter", own, nccl::reduce_scatter(world, out(result), in(mine), plus{}), part * ranks, part, value, [&](int i) { return sum(rank * part + i); });
    run("broadcast", own, seq(copy(in(mine), out(result)), nccl::broadcast(world, inout(result), ranks - 1)), part, part, value,
        [&](int i) { return i % 17 + 100.0 * (ranks - 1); });
    run("exchange", own, seq(fill(out(result), -5), nccl::exchange(world, nccl::to(in(mine), after), nccl::from(inout(result), before))), part, part, value,
        [&](int i) { return rank == 0 ? -5.0 : i % 17 + 100.0 * (rank - 1); }, before(rank - 1), after(rank + 1));

    std::vector<index_t> begins;
    for (int to = 0; to <= ranks; ++to) begins.push_back(index_t{part} * to);
    run("all_to_all", own, nccl::all_to_all(world, out(result), in(mine), slices), part * ranks, part * ranks, value,
        [&](int i) { return (rank * part + i % part) % 17 + 100.0 * (i / part); }, slices(nccl::slices{begins.data(), begins.data()}));

    run_loop("asked for", fall(), own, world(own));
    run_loop("over a network", fall_over_network(), own, network(own));
}

// Collectives in the body of a conditional node.
void on_device(const nccl::communicator& own) {
    const int ranks = own.size, rank = own.rank;
    device_array<double> numbers(part);
    const stream on;
    auto exec = instantiate(fall_on_device(), mine(numbers.all()), world(own));
    for (int again = 0; again < 3; ++again) {
        numbers.write(std::vector<double>(part, rank + 1.0));
        exec.launch(on);
        nccl::wait(on, own, std::chrono::seconds(20));
        const int made = exec.fetch(passes), wanted = iterations_of(ranks);
        expect(made == wanted + wanted % 2, "the number of iterations on the device", rank);
        expect(numbers.read().front() == (rank + 1) * std::ldexp(1.0, -made), "what the loop on the device leaves", rank);
    }
}

// All ranks have connected, and one does not come to the second launch.
void leaves(const nccl::communicator& own) {
    device_array<double> numbers(part), sums(part);
    const stream on;
    auto exec = instantiate(nccl::all_reduce(world, out(result), in(mine)), mine(numbers.all()), result(sums.all()), world(own));
    exec.launch(on);
    nccl::wait(on, own, std::chrono::seconds(20));
    if (own.rank == own.size - 1) std::_Exit(0);
    const auto begin = std::chrono::steady_clock::now();
    try {
        exec.launch(on);
        nccl::wait(on, own, std::chrono::seconds(3));
        expect(false, "a launch without all ranks", own.rank);
    } catch (const error& problem) {
        std::printf("rank %d of %d: %s\n", own.rank, own.size, problem.what());
        expect(std::strstr(problem.what(), "gave up") != nullptr, "the message", own.rank);
    }
    expect(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30), "the time to give up", own.rank);
    std::_Exit(wrong > 0);  // the communicator is aborted
}

void differs(const nccl::communicator& own) {
    const device_array<double> numbers(1, own.rank);
    const stream on;
    auto exec = instantiate(nccl::agree(world, in(here), "numbers"), here(numbers.data()), world(own));
    try {
        exec.launch(on);
        nccl::wait(on, own, std::chrono::seconds(20));
        expect(false, "that ranks agree", own.rank);
    } catch (const error& problem) {
        std::printf("rank %d: %s\n", own.rank, problem.what());
        expect(std::strstr(problem.what(), "ranks disagree in 'numbers': rank 0 has 0, and rank 1 has 1") != nullptr, "the message", own.rank);
    }
    std::_Exit(wrong > 0);  // the kernel has trapped
}

// A thread makes and drops executables, and frees memory, while the other one waits for it in a kernel.
void make_and_drop(const nccl::communicator& own) {
    for (int round = 0; round < 20; ++round) {
        const device_array<double> numbers(part, own.rank + 1.0);
        const stream on;
        auto exec = instantiate(fall_on_device(), mine(numbers.all()), world(own));
        exec.launch(on);
        if (round % 2 == own.rank) std::this_thread::sleep_for(std::chrono::microseconds(300));
        nccl::wait(on, own, std::chrono::seconds(20));
    }
}

// Ranks that are threads, on GPUs of their own.
int run_threads() {
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus < 2) {
        std::printf("%d GPUs: threads need two\n", gpus);
        return 77;
    }
    const int ranks = gpus < 4 ? gpus : 4;
    const ncclUniqueId id = distributed::new_id();
    nccl::run_ranks(ranks, [&](const nccl::communicator& thread) {
        device_memory::must(cudaSetDevice(thread.rank));
        const distributed::connection made(id, thread.rank, ranks);
        together(made.communicator());
        on_device(made.communicator());
        make_and_drop(made.communicator());
    });
    if (wrong == 0) std::printf("%d threads pass\n", ranks);
    return wrong > 0;
}

}  // namespace

int main(int argc, char** argv) try {
    std::setvbuf(stdout, nullptr, _IONBF, 0);  // also of a rank that ends early
    // Before NCCL reads it: bodies on the device need it.
    if (std::strcmp(argv[argc - 1], "threads") == 0 || std::strcmp(argv[argc - 1], "device") == 0) setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 1);
    if (argc == 2 && std::strcmp(argv[1], "threads") == 0) return run_threads();
    if (argc != 8) throw std::runtime_error("--rank N --ranks N --id FILE together|device|leaves|differs, or threads");
    const int rank = std::atoi(argv[2]), ranks = std::atoi(argv[4]);
    distributed::take_own_gpu(rank);
    const distributed::connection made(distributed::id_by_file(argv[6], rank), rank, ranks);
    const std::string what = argv[7];
    if (what == "together" || what == "device") together(made.communicator());
    if (what == "device") on_device(made.communicator());
    if (what == "leaves") leaves(made.communicator());
    if (what == "differs") differs(made.communicator());
    if (wrong == 0) std::printf("rank %d of %d: %s passes\n", rank, ranks, what.c_str());
    return wrong > 0;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "ranks: %s\n", problem.what());
    return 1;
}
