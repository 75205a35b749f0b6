// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

#include <stdexcept>
#include <vector>

#ifdef COGRAPH_WITH_MPI
#include <mpi.h>
#endif

namespace distributed {

// What a rank's run gave: iterations, the largest error of its part, and the seconds that the solver took.
struct outcome {
    int iterations = 0;
    double error = 0, seconds = 0;
};

// The slowest and the worst of several. An error that is NaN is the worst.
inline void join(outcome& all, const outcome& one) {
    all.seconds = cograph::maximum_or_nan{}(all.seconds, one.seconds);
    all.error = cograph::maximum_or_nan{}(all.error, one.error);
    if (all.iterations > 0 && one.iterations != all.iterations) throw std::runtime_error("ranks made different numbers of iterations");
    all.iterations = one.iterations;
}

#ifdef COGRAPH_WITH_MPI
// The same of the ranks of mpirun. MPI_MAX may leave out NaN, so every rank gets all outcomes.
inline outcome worst_of_ranks(const outcome& mine, int ranks) {
    const double own[] = {static_cast<double>(mine.iterations), mine.error, mine.seconds};
    std::vector<double> of_all(3 * static_cast<std::size_t>(ranks));
    MPI_Allgather(own, 3, MPI_DOUBLE, of_all.data(), 3, MPI_DOUBLE, MPI_COMM_WORLD);
    outcome worst;
    for (std::size_t at = 0; at < of_all.size(); at += 3) join(worst, {static_cast<int>(of_all[at]), of_all[at + 1], of_all[at + 2]});
    return worst;
}
#endif

}  // namespace distributed
