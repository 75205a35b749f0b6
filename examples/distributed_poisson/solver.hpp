// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conjugate gradients with a diagonal preconditioner, over ranks that each have rows of the matrix. The host drives the
// loop, because NCCL puts host work into what it captures if it goes over a network.

#include "../anywhere.hpp"
#include "outcome.hpp"

#ifdef COGRAPH_WITH_NCCL
#include <cograph/host_driven.cuh>
#include <cograph/nccl.cuh>
#else
#include <cograph/host_driven.hpp>
#include <cograph/libraries/nccl.hpp>
#endif

#include <chrono>
#include <cmath>
#include <cstddef>

namespace distributed {

using namespace cograph;

// [variables]
inline constexpr struct world : value<world, nccl::communicator> {} world;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct b : buffer<b, double> {} b;
inline constexpr struct diagonal : buffer<diagonal, double> {} diagonal;
// [/variables]
inline constexpr struct r : temp<r, double, struct x> {} r;
inline constexpr struct z : temp<z, double, struct x> {} z;
inline constexpr struct p : temp<p, double, struct x> {} p;
inline constexpr struct Ap : temp<Ap, double, struct x> {} Ap;
inline constexpr struct part : scalar<part, double> {} part;
inline constexpr struct pAp : scalar<pAp, double> {} pAp;
inline constexpr struct rz : scalar<rz, double> {} rz;
inline constexpr struct new_rz : scalar<new_rz, double> {} new_rz;
inline constexpr struct iterations : scalar<iterations, int> {} iterations;
inline constexpr struct tolerance : value<tolerance, double> {} tolerance;

struct precondition {
    COGRAPH_HD double operator()(index_t, const double& residual, const double& by, double& to) const {
        to = residual / by;
        return residual * to;
    }
};
struct go {
    COGRAPH_HD double operator()(index_t i, double& solution, double& residual, const double& direction, const double& image, const double& by, double& to,
                                 const double& height, const double& slope) const {
        const double step = height / slope;
        solution += step * direction;
        residual -= step * image;
        return precondition{}(i, residual, by, to);
    }
};
struct turn {
    COGRAPH_HD void operator()(index_t, double& direction, const double& from, const double& now, const double& before) const { direction = from + now / before * direction; }
};

// [solver]
struct sum_over_ranks {
    constexpr auto operator()(auto to, auto of_this_rank) const { return nccl::all_reduce(world, out(to), in(of_this_rank)); }
};
// An iteration: `multiply` computes Ap, this rank's rows of the product, from p and from what other ranks have, and their part of p * Ap.
template <expression Multiply, class Sum = sum_over_ranks>
constexpr auto iteration(Multiply multiply, Sum sum = {}) {
    return seq(multiply, sum(pAp, part),
               transform_reduce(over(x), go{}, plus{})(out(part), inout(x[each]), inout(r[each]), in(p[each]), in(Ap[each]), in(diagonal[each]), out(z[each]), in(rz), in(pAp)),
               sum(new_rz, part),
               for_each(over(p), turn{})(inout(p[each]), in(z[each]), in(new_rz), in(rz)),
               assign(rz, new_rz), assign(iterations, iterations + 1));
}
template <class Sum = sum_over_ranks>
constexpr auto begin(Sum sum = {}) {
    return seq(assign(iterations, 0), fill(out(x), 0), copy(in(b), out(r)),
               transform_reduce(over(r), precondition{}, plus{})(out(part), in(r[each]), in(diagonal[each]), out(z[each])), sum(rz, part),
               copy(in(z), out(p)));
}
template <expression Multiply>
constexpr auto solve(Multiply multiply) {
    return seq(begin(), loop_while(rz > tolerance, host_driven(iteration(multiply)), at_most(10000), check_every<8>));
}
// [/solver]

// A rank without others has nothing to wait for: its loop stays on the device.
struct sum_of_one_rank {
    constexpr auto operator()(auto to, auto of_this_rank) const { return assign(to, of_this_rank); }
};
template <expression Multiply>
constexpr auto solve_alone(Multiply multiply) {
    return seq(begin(sum_of_one_rank{}), loop_while(rz > tolerance, iteration(multiply, sum_of_one_rank{}), at_most(10000), check_every<8>));
}

// One rank's run, on its GPU or in a simulation.
template <expression E, class... B>
outcome run(E const& e, [[maybe_unused]] nccl::communicator own, B... bindings) {
    const anywhere::array<int> count(1);
    outcome result;
    const auto timed = [&](auto what) {
        const auto begin = std::chrono::steady_clock::now();
        what();
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
#ifdef COGRAPH_WITH_NCCL
    if (anywhere::has_gpu()) {
        cudaStream_t stream = nullptr;
        anywhere::succeed(cudaStreamCreate(&stream));
        auto exec = instantiate(e, bindings..., iterations(count.data()));
        if constexpr (requires { exec.wait_by([](cudaStream_t) {}); }) exec.wait_by([&](cudaStream_t on) { nccl::wait(on, own, std::chrono::seconds(30)); });
        for (int again = 0; again < 2; ++again)
            timed([&] {
                exec.launch(stream);
                nccl::wait(stream, own, std::chrono::seconds(30));
            });
        cudaStreamDestroy(stream);
    } else
#endif
        timed([&] { simulate(e, bindings..., iterations(count.data())); });
    result.iterations = count[0];
    return result;
}

}  // namespace distributed
