// SPDX-License-Identifier: Apache-2.0

// Preconditioned conjugate gradients over many ranks: a Poisson problem in two or three dimensions, or a matrix of a file.

#include "../command_line.hpp"
#include "planes.hpp"
#include "ranks.hpp"
#include "rows.hpp"

namespace {

using namespace cograph;
using distributed::grid, distributed::outcome;

constexpr const char* usage =
    R"(usage: distributed_poisson [options]          ranks are threads: on GPUs, one each, or simulated
       mpirun -n N distributed_poisson [options]  ranks are processes, with GPUs and NCCL
  --ranks N       how many threads, at most (default 4)
  --side N        elements along a side of the Poisson problem (default 48)
  --dimensions N  2 or 3 (default 2)
  --matrix FILE   a symmetric positive definite matrix in Matrix Market format instead
  --rank N        this process is one of --ranks processes, which share the GPUs
  --id FILE       an empty file by which they find each other
)";

struct options {
    int ranks = 4, side = 48, dimensions = 2, rank = -1;
    const char *matrix = nullptr, *id = nullptr;
};

bool report(const char* what, int ranks, const char* size, const outcome& got, double efficiency) {
    std::printf("%-8s %5d %-18s %6d %10.3f %11.0f%% %9.1e\n", what, ranks, size, got.iterations, got.seconds * 1e3, efficiency * 100, got.error);
    return got.error < 1e-6 && got.iterations > 0 && got.iterations < 10000;
}

// Runs so many ranks, by `start(ranks, run)`, over the same problem, and over one that grows with them; against one rank alone.
struct scaling {
    options asked;
    sparse::csr_matrix A;
    outcome alone{};

    explicit scaling(const options& o) : asked(o) {
        if (o.matrix) A = sparse::read_matrix_market(o.matrix);
    }
    int most_ranks() const { return asked.matrix ? A.rows : asked.side; }

    template <class Start>
    outcome solve(Start start, int ranks, int planes) const {
        if (asked.matrix) return start(ranks, [&](nccl::communicator own) { return distributed::run_rows(A, own); });
        return start(ranks, [&](nccl::communicator own) { return distributed::run_planes(grid{asked.side, asked.dimensions, planes}, own); });
    }
    bool measure(auto start, int ranks, bool is_told = true) {
        char size[80];
        const auto told = [&](const char* what, const outcome& got, double efficiency) { return !is_told || report(what, ranks, size, got, efficiency); };
        const outcome same = solve(start, ranks, asked.side);
        if (ranks == 1) alone = same;
        if (asked.matrix) {
            std::snprintf(size, sizeof size, "%d rows", A.rows);
            return told("strong", same, alone.seconds / (ranks * same.seconds));
        }
        std::snprintf(size, sizeof size, "%d^%d x %d", asked.side, asked.dimensions - 1, asked.side);
        const bool right = told("strong", same, alone.seconds / (ranks * same.seconds));
        // A longer problem takes more iterations: one iteration over as many elements a rank is to take as long.
        const outcome grown = ranks == 1 ? same : solve(start, ranks, asked.side * ranks);
        std::snprintf(size, sizeof size, "%d^%d x %d", asked.side, asked.dimensions - 1, asked.side * ranks);
        return told("weak", grown, alone.seconds / alone.iterations / (grown.seconds / grown.iterations)) && right;
    }
};

bool run_threads(scaling& all) {
    int ranks = all.asked.ranks;
    if (anywhere::has_gpu()) {
        int gpus = 1;
#ifdef COGRAPH_WITH_NCCL
        anywhere::succeed(cudaGetDeviceCount(&gpus));
#endif
        if (gpus < ranks) std::printf("%d threads on %d GPUs; --rank and --id run more ranks\n", gpus, gpus);
        ranks = std::min(ranks, gpus);
    }
    const auto start = [](int now, auto run) { return distributed::run_threads(now, run); };
    bool right = true;
    for (int now = 1; now <= ranks; now = now < ranks && 2 * now > ranks ? ranks : 2 * now) right = all.measure(start, now) && right;
    return right;
}

bool run_process([[maybe_unused]] scaling& all) {
#ifdef COGRAPH_WITH_NCCL
    if (!anywhere::has_gpu()) throw std::runtime_error("processes need a GPU");
    distributed::take_own_gpu(all.asked.rank);
    const distributed::connection made(distributed::id_by_file(all.asked.id, all.asked.rank), all.asked.rank, all.asked.ranks);
    all.alone = all.solve([&](int, auto run) { return run(nccl::communicator{}); }, 1, all.asked.side);
    return all.measure([&](int, auto run) { return run(made.communicator()); }, all.asked.ranks, all.asked.rank == 0);
#else
    throw std::runtime_error("processes need NCCL and a GPU");
#endif
}

bool run_mpi(scaling& all, const distributed::mpi_ranks& mpi) {
    all.alone = all.solve([&](int, auto run) { return run(nccl::communicator{}); }, 1, all.asked.side);
    return all.measure([&](int, auto run) { return mpi.run(run); }, mpi.ranks, mpi.rank == 0);
}

}  // namespace

int main(int argc, char** argv) {
    return command_line::run("distributed_poisson", usage, [&] {
        const distributed::mpi_ranks mpi(argc, argv);
        options asked;
        command_line::read(argc, argv,
                           {{"--ranks", 1, 1024, asked.ranks},
                            {"--side", 2, 4096, asked.side},
                            {"--dimensions", 2, 3, asked.dimensions},
                            {"--matrix", asked.matrix},
                            {"--rank", 0, 1023, asked.rank},
                            {"--id", asked.id}});
        if ((asked.rank >= 0) != (asked.id != nullptr) || asked.rank >= asked.ranks) throw command_line::usage_error("--rank is below --ranks, and comes with --id");
        scaling all(asked);
        const int ranks = mpi.ranks > 1 ? mpi.ranks : asked.ranks;
        if (ranks > all.most_ranks()) throw command_line::usage_error("there are more ranks than planes or rows");
        if (asked.rank <= 0 && mpi.rank == 0) std::printf("%s\nscaling  ranks size           iterations    time/ms  efficiency     error\n", anywhere::way_to_run());
        const bool right = mpi.ranks > 1 ? run_mpi(all, mpi) : asked.rank >= 0 ? run_process(all) : run_threads(all);
        return right ? 0 : 1;
    });
}
