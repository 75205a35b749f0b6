// SPDX-License-Identifier: Apache-2.0

// Conjugate gradients with Jacobi preconditioning. The whole solver, loop included, is the expression that
// conjugate_gradient() returns. It runs as a CUDA graph; compiled as C++, or without a GPU, as a simulation.

#ifdef __CUDACC__
#include <cograph.cuh>
#else
#include <cograph.hpp>
#endif

#include "by_hand.hpp"
#include "matrix_market.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "steps.hpp"

#ifdef __CUDACC__
#include "by_hand.cuh"
#include "device.cuh"
#endif

#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace sparse {

// What the user binds.
inline constexpr struct A : cograph::view<A, csr_view> {} A;
inline constexpr struct b : cograph::buffer<b, double> {} b;
inline constexpr struct x : cograph::buffer<x, double> {} x;  // the first guess, then the solution
inline constexpr struct tolerance : cograph::value<tolerance, double> {} tolerance;
inline constexpr struct max_it : cograph::value<max_it, int> {} max_it;

// What the graph owns.
inline constexpr struct r : cograph::temp<r, double, struct x> {} r;
inline constexpr struct z : cograph::temp<z, double, struct x> {} z;
inline constexpr struct p : cograph::temp<p, double, struct x> {} p;
inline constexpr struct Ap : cograph::temp<Ap, double, struct x> {} Ap;
inline constexpr struct inverse : cograph::temp<inverse, double, struct x> {} inverse;
inline constexpr struct rr : cograph::scalar<rr, double> {} rr;
inline constexpr struct bb : cograph::scalar<bb, double> {} bb;
inline constexpr struct rz : cograph::scalar<rz, double> {} rz;
inline constexpr struct rz_next : cograph::scalar<rz_next, double> {} rz_next;
inline constexpr struct pAp : cograph::scalar<pAp, double> {} pAp;
inline constexpr struct alpha : cograph::scalar<alpha, double> {} alpha;
inline constexpr struct beta : cograph::scalar<beta, double> {} beta;
inline constexpr struct it : cograph::scalar<it, int> {} it;

/// Solves A x = b, from the guess in x, until ||b - A x|| <= tolerance ||b||. Gives up after max_it
/// iterations, and where p'Ap <= 0 shows that A is not positive definite. The residual r that is carried
/// along drifts from b - A x, so it is computed anew from time to time, and before the result is believed.
constexpr auto conjugate_gradient() {
    using namespace cograph;

    const auto unsolved = rr > tolerance * tolerance * bb && it < max_it && pAp > 0.0;

    const auto true_residual = seq(for_each(over(x), residual{})(in(A), in(x), in(b[each]), out(r[each])),
                                   dot(out(rr), in(r), in(r)));

    const auto start = seq(assign(it, 0),
                           assign(pAp, 1.0),
                           dot(out(bb), in(b), in(b)),
                           for_each(over(x), invert_diagonal{})(in(A), out(inverse[each])),
                           true_residual);

    const auto first_direction = seq(for_each(over(x), precondition{})(in(inverse[each]), in(r[each]), out(z[each])),
                                     dot(out(rz), in(r), in(z)),
                                     copy(in(z), out(p)));

    const auto iteration = seq(for_each(over(x), spmv{})(in(A), in(p), out(Ap[each])),
                               dot(out(pAp), in(p), in(Ap)),
                               assign(alpha, rz / pAp),
                               for_each(over(x), take_step{})(in(alpha), in(p[each]), in(Ap[each]), inout(x[each]),
                                                            inout(r[each])),
                               dot(out(rr), in(r), in(r)),
                               assign(it, it + 1),
                               when(it % 50 == 0, true_residual),
                               for_each(over(x), precondition{})(in(inverse[each]), in(r[each]), out(z[each])),
                               dot(out(rz_next), in(r), in(z)),
                               assign(beta, rz_next / rz),
                               assign(rz, rz_next),
                               for_each(over(x), next_direction{})(in(beta), in(z[each]), inout(p[each])));

    const auto descent = seq(first_direction, loop_while(unsolved, iteration), true_residual);

    return seq(start, loop_while(unsolved, descent));
}

inline constexpr auto solver = conjugate_gradient();

// What the type alone tells: what the solver takes and gives, its loops and branch, what must wait for what.
namespace facts {
using namespace cograph;
static_assert(is_input(solver, A) && is_input(solver, b) && is_mutated(solver, x) && !is_input(solver, r));
static_assert(writes(solver, x, rr, it) && !writes(solver, b));
static_assert(region_count(solver) == 4 && nesting_depth(solver) == 3);
static_assert(ordered(solver, calls<spmv>, calls<take_step>));    // through p'Ap and alpha,
static_assert(!has_edge(solver, calls<spmv>, calls<take_step>));  // so no edge of its own
static_assert(!ordered(solver, at<2>, calls<invert_diagonal>));  // b'b and the preconditioner do not meet
}  // namespace facts

solution run_simulation(const problem& given, const limits& limit) {
    solution found{std::vector<double>(given.b.size())};
    const stopwatch watch;
    cograph::simulate(solver, A(given.A.view()), b(std::span(given.b)), x(std::span(found.x)),
                      tolerance(limit.tolerance), max_it(limit.max_iterations),
                      it(&found.iterations), rr(&found.rr), pAp(&found.pAp));
    found.seconds = watch.seconds();
    return found;
}

#ifdef __CUDACC__

solution run_graph(const problem& given, const limits& limit) {
    const device_csr matrix(given.A);
    const device_array<double> right_side(given.b);
    device_array<double> guess(given.b.size());
    const stream queue;
    auto graph = cograph::instantiate(solver, A(matrix.view()), b(right_side.span()), x(guess.span()),
                                      tolerance(limit.tolerance), max_it(limit.max_iterations));
    solution found;
    for (int launch = 0; launch < 2; ++launch) {  // the first warms up
        guess.set_to_zero();
        const stopwatch watch;
        graph.launch(queue);
        queue.wait();
        found.seconds = watch.seconds();
    }
    found.x = guess.to_host();
    found.iterations = graph.fetch(it);
    found.rr = graph.fetch(rr);
    found.pAp = graph.fetch(pAp);
    return found;
}

solution run_gpu_loop(const problem& given, const limits& limit) {
    gpu_solver_by_hand by_hand(given);
    by_hand.solve(limit);  // warms up
    return by_hand.solve(limit);
}

/// The name of the GPU, or none.
std::string find_gpu() {
    int count = 0;
    cudaDeviceProp device{};
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return {};
    check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    return device.name;
}

#endif

accuracy report(const char* way, const problem& given, const solution& found) {
    const accuracy measured = measure(given, found);
    const double microseconds = 1e6 * found.seconds;
    std::printf("%-16s %10d %17.3e %13.3e %10.3f %12.3f\n", way, found.iterations, measured.relative_residual,
                measured.largest_error, microseconds / 1000, microseconds / std::max(found.iterations, 1));
    return measured;
}

using method = solution (*)(const problem&, const limits&);

/// Solves with the expression, checks, and solves by hand to compare.
void solve(const problem& given, const limits& limit, const char* way, method by_expression, method by_hand) {
    std::printf("%-16s %10s %17s %13s %10s %12s\n", "", "iterations", "relative residual", "largest error",
                "ms", "us/iteration");
    const solution found = by_expression(given, limit);
    verify(limit, found, report(way, given, found));
    report("loop by hand", given, by_hand(given, limit));
}

void solve(const problem& given, const limits& limit) {
#ifdef __CUDACC__
    if (const std::string gpu = find_gpu(); !gpu.empty()) {
        std::printf("running as a CUDA graph on %s\n\n", gpu.c_str());
        return solve(given, limit, "CUDA graph", run_graph, run_gpu_loop);
    }
    std::printf("no GPU found: running as a simulation on the host\n\n");
#else
    std::printf("built without CUDA: running as a simulation on the host\n\n");
#endif
    solve(given, limit, "simulation", run_simulation, solve_by_hand);
}

problem load(const options& chosen) {
    csr_matrix matrix = chosen.poisson ? poisson(*chosen.poisson) : read_matrix_market(chosen.file);
    const std::string name =
        chosen.poisson ? "Poisson, " + std::to_string(*chosen.poisson) + " squared" : chosen.file;
    std::printf("%s: %d rows, %zu nonzeros\n", name.c_str(), matrix.rows, matrix.nonzeros());
    return make_problem(std::move(matrix));
}

int complain(int status, const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "conjugate_gradient: %s\n", message.c_str());
    return status;
}

}  // namespace sparse

int main(int argc, char** argv) {
    sparse::options chosen;
    try {
        chosen = sparse::option_parser({argv + (argc > 0), argv + argc}).parse();
        if (chosen.help)
            std::fputs(sparse::usage, stdout);
        else
            sparse::solve(sparse::load(chosen), {chosen.tolerance, chosen.max_iterations});
        return 0;
    } catch (const sparse::usage_error& error) {
        return sparse::complain(2, std::string(error.what()) + "; see --help");
    } catch (const sparse::matrix_market_error& error) {
        return sparse::complain(3, chosen.file + ": " + error.what());
    } catch (const sparse::not_positive_definite& error) {
        return sparse::complain(4, error.what());
    } catch (const sparse::not_converged& error) {
        return sparse::complain(5, error.what());
    } catch (const std::bad_alloc&) {
        return sparse::complain(1, "not enough memory");
    } catch (const std::exception& error) {
        return sparse::complain(1, error.what());
    }
}
