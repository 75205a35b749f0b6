// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranks: threads of this process, processes that find each other by a file, or those of mpirun.

#include "solver.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace distributed {

#ifdef COGRAPH_WITH_NCCL
class connection {
public:
    connection(const ncclUniqueId& id, int rank, int ranks) {
        if (ncclCommInitRank(&made_, ranks, id, rank) != ncclSuccess) throw std::runtime_error("NCCL connects no ranks");
    }
    ~connection() { ncclCommDestroy(made_); }
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    nccl::communicator communicator() const { return nccl::of_device(made_); }

private:
    ncclComm_t made_ = nullptr;
};
inline ncclUniqueId new_id() {
    ncclUniqueId id{};
    if (ncclGetUniqueId(&id) != ncclSuccess) throw std::runtime_error("NCCL gives no id");
    return id;
}

// Each process of a host has a GPU of its own, if there are enough.
inline void take_own_gpu(int rank) {
    int gpus = 1;
    anywhere::succeed(cudaGetDeviceCount(&gpus));
    anywhere::succeed(cudaSetDevice(rank % gpus));
}

// The first rank writes the file, the others wait for it.
inline ncclUniqueId id_by_file(const std::string& file, int rank) {
    ncclUniqueId id{};
    if (rank == 0) {
        id = new_id();
        std::ofstream(file + ".new", std::ios::binary).write(id.internal, sizeof id.internal);
        std::rename((file + ".new").c_str(), file.c_str());
    }
    for (int tries = 0; rank > 0 && !std::ifstream(file, std::ios::binary).read(id.internal, sizeof id.internal); ++tries) {
        if (tries == 300) throw std::runtime_error("no id came by " + file);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return id;
}
#endif

// All ranks as threads of this process: on GPUs, one each, or simulated.
template <class Run>
outcome run_threads(int ranks, Run run) {
    std::vector<outcome> all(static_cast<std::size_t>(ranks));
#ifdef COGRAPH_WITH_NCCL
    const ncclUniqueId id = anywhere::has_gpu() && ranks > 1 ? new_id() : ncclUniqueId{};
#endif
    nccl::run_ranks(ranks, [&](nccl::communicator own) {
        outcome& mine = all[static_cast<std::size_t>(own.rank)];
#ifdef COGRAPH_WITH_NCCL
        if (anywhere::has_gpu() && ranks > 1) {
            anywhere::succeed(cudaSetDevice(own.rank));
            mine = run(connection(id, own.rank, ranks).communicator());
            return;
        }
#endif
        mine = run(anywhere::has_gpu() ? nccl::communicator{} : own);
    });
    outcome worst;
    for (const outcome& one : all) join(worst, one);
    return worst;
}

// The ranks of mpirun, one process each; alone, one.
class mpi_ranks {
public:
#ifdef COGRAPH_WITH_MPI
    mpi_ranks(int& argc, char**& argv) {
        if (!std::getenv("OMPI_COMM_WORLD_SIZE") && !std::getenv("PMI_SIZE")) return;
        MPI_Init(&argc, &argv);
        runs_ = true;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef COGRAPH_WITH_NCCL
        if (anywhere::has_gpu()) take_own_gpu(rank);
#endif
    }
    ~mpi_ranks() {
        if (runs_) MPI_Finalize();
    }
#else
    mpi_ranks(int&, char**&) {}
#endif
    mpi_ranks(const mpi_ranks&) = delete;
    mpi_ranks& operator=(const mpi_ranks&) = delete;

    // Runs all ranks together; each gets what is worst.
    template <class Run>
    outcome run([[maybe_unused]] Run run_rank) const {
#if defined(COGRAPH_WITH_MPI) && defined(COGRAPH_WITH_NCCL)
        take_own_gpu(rank);
        ncclUniqueId id = rank == 0 ? new_id() : ncclUniqueId{};
        MPI_Bcast(id.internal, sizeof id.internal, MPI_BYTE, 0, MPI_COMM_WORLD);
        return worst_of_ranks(run_rank(connection(id, rank, ranks).communicator()), ranks);
#else
        throw std::runtime_error("ranks of MPI need NCCL and GPUs");
#endif
    }

    int rank = 0, ranks = 1;

private:
    [[maybe_unused]] bool runs_ = false;
};

}  // namespace distributed
