// SPDX-License-Identifier: Apache-2.0
// Each of three ranks of mpirun has its own outcome, and all must get the worst: NaN of one rank, wherever it is, is not lost.
#include "../../examples/distributed_poisson/outcome.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace {

int rank = 0, wrong = 0;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("rank %d: %s\n", rank, what);
    wrong = 1;
}

}  // namespace

int main(int argc, char** argv) {
    using distributed::outcome;
    MPI_Init(&argc, &argv);
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    expect(ranks == 3, "there are not three ranks");

    const outcome worst = distributed::worst_of_ranks({7, 0.5 * rank, 3.0 - rank}, ranks);
    expect(worst.iterations == 7 && worst.error == 1 && worst.seconds == 3, "the largest numbers are not the worst");
    for (int at = 0; at < ranks; ++at) {
        const double error = rank == at ? std::numeric_limits<double>::quiet_NaN() : 1;
        const outcome with_nan = distributed::worst_of_ranks({7, error, 1}, ranks);
        expect(std::isnan(with_nan.error) && with_nan.seconds == 1, "NaN is lost");
    }
    bool refused = false;
    try {
        distributed::worst_of_ranks({7 + rank, 0, 0}, ranks);
    } catch (const std::runtime_error&) {
        refused = true;
    }
    expect(refused, "different numbers of iterations are not seen");
    MPI_Finalize();
    return wrong;
}
